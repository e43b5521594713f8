"""Finished set-ups, kept as private copies, so that another room starts from one instead of installing again.

Never hard links: a command of an exam could write through one into the copy, and so into every later exam.
A copy is complete or not there: it is made under another name and renamed. The oldest go.
"""

import contextlib
import fcntl
import json
import os
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from donewhen.config.files import private_folder, read_regular, write_whole
from donewhen.core.errors import DonewhenError
from donewhen.workspace.setup.python_moving import is_environment, move_environment
from donewhen.workspace.setup.seals import content_digest

MOST = 12
_ABOUT = "about.json"
_FICLONE = 0x40049409  # share the blocks of a file until one side writes, on file systems that can


class Kept(NamedTuple):
    folder: Path
    root: str  # the folder that the copied set-up was made in


def find(cache: Path, name: str) -> Kept | None:
    """The finished set-up of that name; None when there is none, or when it is not what was kept."""
    folder = cache / name
    try:
        read = read_regular(folder / _ABOUT, _ABOUT)
        about = json.loads(read.data) if read else None
    except (DonewhenError, ValueError):
        return None
    if not isinstance(about, dict) or not isinstance(about.get("root"), str):
        return None
    if about.get("content") != content_digest(folder, but=_ABOUT):
        return None
    with contextlib.suppress(OSError):
        os.utime(folder)
    return Kept(folder, about["root"])


def keep(cache: Path, name: str, root: Path, provides: Sequence[str]) -> None:
    """Copy what a set-up filled. OSError when there is no room for it; nothing half is left then."""
    private_folder(cache)
    making = cache / f"{name}.new"
    remove(making)
    try:
        for index, path in enumerate(provides):
            if (root / path).is_dir():
                _copy_tree(root / path, making / str(index))
        private_folder(making)
        about = {"root": str(root), "provides": list(provides), "content": content_digest(making, but=_ABOUT)}
        write_whole(making / _ABOUT, json.dumps(about).encode())
        remove(cache / name)
        making.rename(cache / name)
    except BaseException:
        remove(making)
        raise
    _forget_oldest(cache)


def bring(kept: Kept, root: Path, provides: Sequence[str]) -> None:
    """Put a copy of what is kept into `root`."""
    for index, path in enumerate(provides):
        remove(root / path)
        if (kept.folder / str(index)).is_dir():
            _copy_tree(kept.folder / str(index), root / path)
            if is_environment(root / path):
                move_environment(root / path, kept.root, str(root))


def remove(path: Path) -> None:
    """Whatever is there goes; a link goes, not what it leads to."""
    if path.is_symlink() or path.is_file():
        path.unlink()
    elif path.exists():
        shutil.rmtree(path, onerror=_writable_then)


def _writable_then(function: object, path: str, _: object) -> None:
    """Some installers leave folders that even their owner can't write."""
    Path(path).parent.chmod(0o700)
    if Path(path).is_dir() and not Path(path).is_symlink():
        Path(path).chmod(0o700)
        shutil.rmtree(path)
    else:
        Path(path).unlink(missing_ok=True)


def _copy_tree(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    try:
        shutil.copytree(source, target, symlinks=True, copy_function=_copy)
    except shutil.Error as error:
        raise OSError(str(error.args[0][:1])) from None


def _copy(source: str, target: str) -> None:
    try:
        with Path(source).open("rb") as reading, Path(target).open("xb") as writing:
            fcntl.ioctl(writing.fileno(), _FICLONE, reading.fileno())
        shutil.copystat(source, target)
    except OSError:
        shutil.copy2(source, target)


def _forget_oldest(cache: Path) -> None:
    found = [path for path in cache.iterdir() if (path / _ABOUT).is_file()]
    for path in sorted(found, key=lambda path: path.stat().st_mtime, reverse=True)[MOST:]:
        with contextlib.suppress(OSError):
            (path / _ABOUT).unlink()  # first, so that a half removed one is none
            shutil.rmtree(path)
