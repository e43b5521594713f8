"""The old place of `fact`; goes once `exam_run` imports it from `exam.command`."""

from donewhen.verify.exam.command import fact

__all__ = ["fact"]
