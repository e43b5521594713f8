"""A folder of the workspace is removed through handles: no link is followed, depth does not matter.

Folders inside are moved up before they are emptied, so that neither depth nor length of a path matters.
"""

import os
import secrets
import stat

from donewhen.tools.inside import FOLDER


def remove(parent: int, name: str) -> None:
    """Remove a file, link or folder in an open folder; OSError as it comes."""
    facts = os.stat(name, dir_fd=parent, follow_symlinks=False)
    if not stat.S_ISDIR(facts.st_mode):
        os.unlink(name, dir_fd=parent)
        return
    handle = _opened(parent, name)
    try:
        waiting = _cleared(handle, handle)
        while waiting:
            inner_name = waiting.pop()
            inner = _opened(handle, inner_name)
            try:
                waiting += _cleared(inner, handle)
            finally:
                os.close(inner)
            os.rmdir(inner_name, dir_fd=handle)
    finally:
        os.close(handle)
    os.rmdir(name, dir_fd=parent)


def _opened(parent: int, name: str) -> int:
    """The folder, made writable to ourselves: what can't be written can be neither emptied nor moved."""
    handle = os.open(name, FOLDER, dir_fd=parent)
    mode = os.fstat(handle).st_mode
    if mode & 0o700 != 0o700:
        os.fchmod(handle, stat.S_IMODE(mode) | 0o700)
    return handle


def _cleared(folder: int, top: int) -> list[str]:
    """Unlink what is in a folder and move its folders to the top; their new names there."""
    moved = []
    with os.scandir(folder) as entries:
        found = [(entry.name, entry.is_dir(follow_symlinks=False)) for entry in entries]
    for name, is_folder in found:
        if not is_folder:
            os.unlink(name, dir_fd=folder)
            continue
        os.close(_opened(folder, name))
        fresh = secrets.token_hex(16)
        os.rename(name, fresh, src_dir_fd=folder, dst_dir_fd=top)
        moved.append(fresh)
    return moved
