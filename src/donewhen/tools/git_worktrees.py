"""A place for another working tree inside the workspace, where it becomes no part of what is shipped.

git takes a repository inside a working tree for a part of it. So the folder that is to hold one ignores all
that is in it, itself included. What is there already is never changed.
"""

import os
from contextlib import suppress

from donewhen.core.shown import one_name
from donewhen.tools.git_running import refused
from donewhen.tools.inside import place, telling
from donewhen.tools.model import ToolContext, ToolResult

_IGNORE = ".gitignore"
_ALL = b"*\n"
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


def prepared(path: str, context: ToolContext) -> ToolResult | None:
    """Make the folder above `path` ready; the answer to the agent when that can't be."""
    with place(context.root, path, make=True) as (handle, last), telling(path):
        with suppress(FileNotFoundError):
            os.lstat(last, dir_fd=handle)
            return refused(context, "exists", "exists", path=one_name(path))
        with suppress(FileExistsError):
            made = os.open(_IGNORE, _NEW, 0o644, dir_fd=handle)
            try:
                os.write(made, _ALL)
            finally:
                os.close(made)
        if not _ignores_all(handle):
            return refused(
                context, "worktree_seen", "refused", path=one_name(f"{path.rpartition('/')[0]}/{_IGNORE}")
            )
    return None


def _ignores_all(handle: int) -> bool:
    """Whether the folder's own rules begin with one for everything; others may follow only without `!`."""
    with suppress(OSError):
        file = os.open(_IGNORE, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=handle)
        try:
            lines = os.read(file, 4096).splitlines()
        finally:
            os.close(file)
        return b"*" in lines and not any(line.startswith(b"!") for line in lines)
    return False
