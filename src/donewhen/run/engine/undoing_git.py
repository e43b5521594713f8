"""A git directory that an agent could write to is put back without trusting anything in it.

Every folder is opened without following links, files are replaced and never opened, and what is written was
checked to be a reference or a commit. git itself is not run: its settings may not be ours.
"""

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_LOCKS = ("index.lock", "HEAD.lock", "config.lock", "packed-refs.lock", "shallow.lock", "ORIG_HEAD.lock")
_COMMIT = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_BRANCH = re.compile(r"refs/heads/(?:[A-Za-z0-9_+@-][A-Za-z0-9_.+@-]*/)*[A-Za-z0-9_+@-][A-Za-z0-9_.+@-]*")
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_REF = "ref: "


def branch_of(head: str) -> str:
    """The full name of the branch that HEAD names, where that is a plain one; else empty."""
    name = head.removeprefix(_REF)
    plain = name != head and _BRANCH.fullmatch(name) and ".." not in name and not name.endswith(".lock")
    return name if plain else ""


def is_commit(text: str) -> bool:
    return _COMMIT.fullmatch(text) is not None


def unlock(git_dir: Path) -> None:
    """Take away the locks of git processes that are gone."""
    with suppress(OSError), _folder(git_dir) as top:
        for name in _LOCKS:
            with suppress(OSError):
                os.unlink(name, dir_fd=top)
        for _, _, files, folder in os.fwalk("refs", dir_fd=top, follow_symlinks=False):
            for name in files:
                if name.endswith(".lock"):
                    with suppress(OSError):
                        os.unlink(name, dir_fd=folder)


def put_back(git_dir: Path, head: str, commit: str) -> None:
    """HEAD and the branch that it names as they were; what is no reference or commit is left alone."""
    branch = branch_of(head)
    if not (branch or is_commit(head)) or (branch and not is_commit(commit)):
        return
    with suppress(OSError), _folder(git_dir) as top:
        _replace(top, "HEAD", head)
        if branch:
            *folders, name = branch.split("/")
            with _below(top, folders) as folder:
                _replace(folder, name, commit)


@contextmanager
def _folder(path: Path | str, within: int | None = None) -> Iterator[int]:
    handle = os.open(path, _FOLDER, dir_fd=within)
    try:
        yield handle
    finally:
        os.close(handle)


@contextmanager
def _below(top: int, folders: list[str]) -> Iterator[int]:
    if not folders:
        yield top
        return
    with suppress(FileExistsError):
        os.mkdir(folders[0], dir_fd=top)
    with _folder(folders[0], top) as here, _below(here, folders[1:]) as last:
        yield last


def _replace(folder: int, name: str, text: str) -> None:
    aside = f"donewhen-{os.getpid()}.lock"
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    handle = os.open(aside, flags, 0o644, dir_fd=folder)
    try:
        os.write(handle, f"{text}\n".encode())
    finally:
        os.close(handle)
    os.replace(aside, name, src_dir_fd=folder, dst_dir_fd=folder)
