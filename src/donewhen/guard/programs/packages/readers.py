"""Builders whose goals are named by plugins: maven, gradle, sbt."""

from donewhen.guard.programs.packages.builds import READERS

__all__ = ["READERS"]
