"""The git tools of a run: four that look, three that change the workspace's own repository."""

from donewhen.core.texts import Language
from donewhen.tools.model import Tool


def git_tools(language: Language = "en") -> tuple[Tool, ...]:
    from donewhen.tools.git_changing import GitCommit, GitPush, GitWorktreeCreate
    from donewhen.tools.git_looking import GitDiff, GitLog, GitShow, GitStatus

    kinds = (GitStatus, GitDiff, GitLog, GitShow, GitCommit, GitPush, GitWorktreeCreate)
    return tuple(kind(language) for kind in kinds)
