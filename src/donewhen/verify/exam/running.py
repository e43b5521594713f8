"""The old place of `run_entry`; goes once `place` imports it from `exam.command`."""

from donewhen.verify.exam.command import run_entry

__all__ = ["run_entry"]
