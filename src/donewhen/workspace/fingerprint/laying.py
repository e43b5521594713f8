"""A tree becomes files: in a room of the harness, or back in the working tree.

git writes them: it never writes through a link, replaces what is in the way, and leaves alone what it did not
put there. A file that is as the tree has it keeps its times. git believes what the user's objects hold, so
what it wrote is checked against the ids afterwards.
"""

import hashlib
import os
import stat
import time
from collections.abc import Iterable
from pathlib import Path

from donewhen.core.errors import SetupError
from donewhen.workspace.fingerprint.kept_index import keep, throw_away_bad, work_copy
from donewhen.workspace.fingerprint.own import Own, put
from donewhen.workspace.fingerprint.proving import prove
from donewhen.workspace.git.runner import Git, failed

_CLOCK = 1
_PROVEN = ".proven"  # ending of the note beside an index


def lay(own: Own, tree: str, folder: Path) -> None:
    """Make a folder of the harness hold a tree, beside whatever else lies in it."""
    folder.mkdir(parents=True, exist_ok=True)
    real = Path(os.path.realpath(folder))
    index = own.home / "rooms" / hashlib.sha256(os.fsencode(real)).hexdigest()[:32]
    index.parent.mkdir(exist_ok=True)
    throw_away_bad(index, own.format)
    note = index.with_name(index.name + _PROVEN)
    if not (_note(tree, index) == _read(note) and _holds(own, real, index)):
        put_files(own, tree, real, index)
    put(note, _note(tree, index))


def put_files(own: Own, tree: str, folder: Path, index: Path) -> None:
    """Make the files that `index` knows of equal to a tree, and keep the index."""
    since = int(time.time()) - _CLOCK
    with work_copy(index) as work:
        git = own.reading(folder, work)
        if work.exists():
            git.attempt("update-index", "-q", "--refresh")  # what was only touched is not written again
        git = _read_tree(git, tree)
        written = keep(work, index, own.format, since)
    prove(own, git, tree, index, written)


def _holds(own: Own, folder: Path, index: Path) -> bool:
    """Whether every file is as an index says that was proven before."""
    since = int(time.time()) - _CLOCK
    with work_copy(index) as work:
        if own.reading(folder, work).attempt("update-index", "--refresh").exit:
            return False
        if not work.samefile(index):  # it has times of more files now
            keep(work, index, own.format, since)
    return True


def _note(tree: str, index: Path) -> bytes:
    """Names a tree and the index that was made of it, by the digest at the end of that."""
    return tree.encode() + b" " + _read(index)[-len(tree) // 2 :].hex().encode()


def _read(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except FileNotFoundError:
        return b""


def _read_tree(git: Git, tree: str) -> Git:
    """Returns git with the settings that it was done with."""
    words = ("read-tree", "--reset", "-u", tree)
    ran = git.attempt(*words)
    if ran.exit and "ilter" in ran.err:  # a filter of the user's that has not what it needs, such as LFS
        git = git._replace(settings=(*git.settings, *_filters_off(git)))
        ran = git.attempt(*words)
    if ran.exit:
        raise failed(ran, *words)
    return git


def _filters_off(git: Git) -> list[str]:
    listed = git.attempt("config", "--null", "--name-only", "--get-regexp", r"^filter\.").out
    filters = {os.fsdecode(name).rpartition(".")[0] for name in listed.split(b"\0") if name}
    off = {"clean": "", "smudge": "", "process": "", "required": "false"}
    return [f"{name}.{key}={value}" for name in sorted(filters) for key, value in off.items()]


def open_folders(root: Path, paths: Iterable[str]) -> None:
    """Let the owner write in the folders of these paths: a rollback must undo a read-only folder too."""
    for folder in {above for path in paths for above in Path(path).parents}:
        place = root / folder
        try:
            mode = place.lstat().st_mode
            if stat.S_ISDIR(mode) and mode & stat.S_IRWXU != stat.S_IRWXU:
                place.chmod(stat.S_IMODE(mode) | stat.S_IRWXU)
        except FileNotFoundError:
            continue
        except OSError as error:
            raise SetupError("git.closed_folder", why=f"{place}: {error.strerror}") from None
