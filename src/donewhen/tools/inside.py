"""Paths that an agent names, opened so that nothing outside the workspace can be reached.

Every folder on the way is opened from the one above it, without following links, so neither a link nor a
folder that is exchanged meanwhile leads elsewhere. A git directory is closed to file tools, for reading too:
the git tools are for that. Nothing is read or written here.
"""

import errno
import os
import unicodedata
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from donewhen.core.errors import AgentError, DonewhenError, SetupError
from donewhen.core.paths import relative
from donewhen.core.shown import one_name

FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC  # a pipe without a writer would wait
_MOST_LINKS = 40
_FULL = (errno.ENOSPC, errno.EDQUOT)
_WHY = {
    errno.ENOENT: "toolbox.not_found",
    errno.ENOTDIR: "toolbox.not_a_folder",
    errno.EISDIR: "toolbox.is_a_folder",
    errno.ELOOP: "toolbox.is_a_link",
    errno.EACCES: "toolbox.no_access",
    errno.EPERM: "toolbox.no_access",
    errno.ENAMETOOLONG: "toolbox.long_name",
    errno.EEXIST: "toolbox.exists",
    errno.ENXIO: "toolbox.not_regular",
    errno.EXDEV: "toolbox.other_disk",
}


def inside(path: str, root: Path) -> str:
    """The path from the workspace's root, in its shortest form; AgentError for one that may not be used."""
    shown = one_name(path)
    if "\0" in path or not _encodes(path):
        raise AgentError("toolbox.bad_path", path=shown)
    short = relative(_below(path, root) if path.startswith("/") else path)
    if short is None:
        raise AgentError("toolbox.outside", path=shown)
    refuse_git(short)
    return short


def refuse_git(path: str) -> None:
    if any(map(is_git, path.split("/"))):
        raise AgentError("toolbox.git_directory", path=one_name(path))


def is_git(name: str) -> bool:
    """Whether some disk may take the name for `.git`: case and invisible characters don't count there."""
    if name.isascii():
        return name.lower() == ".git"
    kept = "".join(each for each in name if unicodedata.category(each) != "Cf")
    return kept.casefold() == ".git"


def resolved(root: Path, path: str) -> str:
    """The same path without links; AgentError when they lead outside. Opening it still follows none."""
    waiting, done, links = path.split("/")[::-1], list[str](), 0
    while waiting:
        name = waiting.pop()
        if name == "..":
            if not done:
                raise AgentError("toolbox.link_outside", path=one_name(path))
            done.pop()
            continue
        if name in ("", "."):
            continue
        target = _link(root.joinpath(*done, name))
        if target is None:
            done.append(name)
            continue
        links += 1
        if target.startswith("/"):
            target, done = _below(target, root), []
        if links > _MOST_LINKS or target.startswith("/"):
            raise AgentError("toolbox.link_outside", path=one_name(path))
        waiting += target.split("/")[::-1]
    real = "/".join(done) or "."
    refuse_git(real)
    return real


def enter(root: int, names: Sequence[str], *, make: bool = False) -> int:
    """A handle of the folder below an open one; OSError as it comes. With `make`, missing ones are made."""
    handle = os.dup(root)
    for name in names:
        try:
            inner = _step(handle, name, make)
        finally:
            os.close(handle)
        handle = inner
    return handle


@contextmanager
def top(root: Path) -> Iterator[int]:
    """The workspace itself, open."""
    try:
        handle = os.open(root, FOLDER)
    except OSError as error:
        raise SetupError("toolbox.no_workspace", cause=os.strerror(error.errno or 0)) from None
    try:
        yield handle
    finally:
        os.close(handle)


@contextmanager
def folder(root: Path, path: str) -> Iterator[int]:
    """A folder of the workspace, open."""
    names = [] if path == "." else path.split("/")
    with top(root) as above, _entered(root, above, path, names, make=False) as handle:
        yield handle


@contextmanager
def place(root: Path, path: str, *, make: bool = False) -> Iterator[tuple[int, str]]:
    """The folder that holds `path`, open, and the last name of it. The root is no place."""
    if path == ".":
        raise AgentError("toolbox.is_root")
    *names, last = path.split("/")
    with top(root) as above, _entered(root, above, path, names, make=make) as handle:
        yield handle, last


@contextmanager
def telling(path: str) -> Iterator[None]:
    """What the system refuses, said to whoever can do something about it."""
    try:
        yield
    except OSError as error:
        raise told(error, path) from None


def told(error: OSError, path: str) -> DonewhenError:
    if error.errno in _FULL:
        return SetupError("toolbox.no_room", path=one_name(path))
    cause = os.strerror(error.errno or 0)
    return AgentError(_WHY.get(error.errno or 0, "toolbox.failed"), path=one_name(path), cause=cause)


def names_in(handle: int) -> list[str]:
    """The names in an open folder."""
    with os.scandir(handle) as entries:
        return [entry.name for entry in entries]


@contextmanager
def _entered(root: Path, above: int, path: str, names: Sequence[str], *, make: bool) -> Iterator[int]:
    try:
        handle = enter(above, names, make=make)
    except OSError as error:
        if error.errno in (errno.ENOTDIR, errno.ELOOP):
            _tell_link(root, path)
        raise told(error, path) from None
    try:
        yield handle
    finally:
        os.close(handle)


def _tell_link(root: Path, path: str) -> None:
    real = resolved(root, path)
    if real != path:
        raise AgentError("toolbox.through_link", path=one_name(path), real=one_name(real))


def _step(handle: int, name: str, make: bool) -> int:
    try:
        return os.open(name, FOLDER, dir_fd=handle)
    except FileNotFoundError:
        if not make:
            raise
    with suppress(FileExistsError):  # somebody else made it meanwhile
        os.mkdir(name, dir_fd=handle)
    return os.open(name, FOLDER, dir_fd=handle)


def _below(path: str, root: Path) -> str:
    """An absolute path from the root, if it lies below it; else as it is."""
    start = f"{root}/"
    whole = os.path.normpath(path)
    if whole == str(root):
        return "."
    return whole[len(start) :] if whole.startswith(start) else path


def _link(path: Path) -> str | None:
    try:
        return str(path.readlink())
    except OSError:
        return None


def _encodes(path: str) -> bool:
    try:
        os.fsencode(path)
    except UnicodeEncodeError:
        return False
    return True
