"""Checkpoints last, and what nobody needs goes.

What a checkpoint holds and no commit of the user's is copied to the harness's own objects and written
through to the disk: a cleared repository or a power cut must not take it away. Old objects that neither a
checkpoint nor the present index needs are removed now and then, so that a home doesn't grow for ever.
"""

import contextlib
import os
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

from donewhen.workspace.fingerprint.own import Own
from donewhen.workspace.git.runner import Git

_LINK = b"160000"
_SAMPLE = "17"  # git's own measure: one of 256 folders of objects
_MOST_IN_SAMPLE = 40
_LARGEST_PACKS = 1024**3  # bytes
_OLD = {"": 14 * 24 * 3600.0, ".pack": 3600.0}  # seconds that what nobody needs stays; packs hold large files


def secure(own: Own, root: Path, base: str, tree: str) -> None:
    """Have every object of `tree` that `base` (a commit or tree of the user's) lacks, on disk."""
    ids = {tree.encode(), *_differing(own.reading(root), base, tree)}
    made = own.adding(root, own.home / "no-index")
    listed = b"".join(id + b"\n" for id in sorted(ids))
    for line in made.run("cat-file", "--batch-check", stdin=listed).splitlines():
        id, _, facts = line.partition(b" ")
        if facts == b"missing":
            found = own.reading(root).attempt("cat-file", "blob", id.decode())
            if found.exit == 0:
                made.run("hash-object", "-w", "--stdin", stdin=found.out)
    for id in ids:
        _write_through(own.made / id[:2].decode() / id[2:].decode())


def tidy(
    own: Own, root: Path, index: Path, *, most: int = _MOST_IN_SAMPLE, largest: int = _LARGEST_PACKS
) -> None:
    """Remove old objects that nobody needs, when there are many."""
    many = _count(own.made / _SAMPLE) > most
    large = sum(pack.stat().st_size for pack in (own.made / "pack").glob("*.pack")) > largest
    if not many and not large:
        return
    needed = _needed(own, root, index)
    for file, ids in (*_loose(own.made), *_packs(own, root)):
        with contextlib.suppress(OSError):
            if needed.isdisjoint(ids) and time.time() - file.stat().st_mtime > _OLD[file.suffix]:
                for part in file.parent.glob(f"{file.stem}*") if file.suffix else (file,):
                    part.unlink()
    for answers in own.home.rglob("*.json"):  # trees that they name may be gone
        answers.unlink()


def _differing(git: Git, base: str, tree: str) -> Iterator[bytes]:
    words = ("diff-tree", "-r", "-t", "-z", "--raw", "--no-abbrev", "--no-renames", base, tree)
    for facts in git.run(*words).split(b"\0")[::2]:
        parts = facts.split(b" ")
        if len(parts) == 5 and parts[1] != _LINK and parts[3].strip(b"0"):
            yield parts[3]


def _write_through(file: Path) -> None:
    with contextlib.suppress(FileNotFoundError):  # it lies in a pack, or with the user
        handle = os.open(file, os.O_RDONLY | os.O_CLOEXEC)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _needed(own: Own, root: Path, index: Path) -> set[str]:
    """The ids of what the index and all checkpoints hold."""
    git = own.reading(root, index)
    refs = git.run("for-each-ref", "--format=%(objectname)").decode().split()
    indexes = [index, *own.home.glob("nested/**/index"), *(own.home / "rooms").glob("*")]
    needed = set(refs)
    for one in indexes:
        needed.update(_ids(own.reading(root, one).attempt("ls-files", "-s", "-z").out, 1))
    for tree in refs:
        needed.update(_ids(git.attempt("ls-tree", "-r", "-t", "-z", "--full-tree", tree).out, 2))
    return needed


def _ids(listed: bytes, field: int) -> Iterable[str]:
    for line in listed.split(b"\0"):
        words = line.partition(b"\t")[0].split(b" ")
        if len(words) > field:
            yield words[field].decode()


def _loose(objects: Path) -> Iterator[tuple[Path, set[str]]]:
    for file in objects.glob("[0-9a-f][0-9a-f]/*"):
        yield file, {file.parent.name + file.name}


def _packs(own: Own, root: Path) -> Iterator[tuple[Path, set[str]]]:
    for pack in (own.made / "pack").glob("*.pack"):
        with contextlib.suppress(OSError):
            words = ("show-index", f"--object-format={own.format}")
            listed = own.reading(root).attempt(*words, stdin=pack.with_suffix(".idx").read_bytes())
            if listed.exit == 0 and listed.out:
                yield pack, {line.split(b" ")[1].decode() for line in listed.out.splitlines()}


def _count(folder: Path) -> int:
    try:
        return len(list(folder.iterdir()))
    except OSError:
        return 0
