"""The mark that says that a set-up is done in a room, and how it left what it filled.

It lies in the cache, out of reach of the commands of an exam: a mark in the room could be written by one.
A mark without its room is worth nothing and goes.
"""

import contextlib
import hashlib
import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from donewhen.config.files import private_folder, read_regular, write_whole
from donewhen.core.errors import DonewhenError
from donewhen.core.texts import Phrase
from donewhen.workspace.setup.kept import remove
from donewhen.workspace.setup.model import Setup
from donewhen.workspace.setup.seals import compare, seal

_LARGEST = 128 * 1024 * 1024
_MOST = 300


class Mark(NamedTuple):
    notes: tuple[Phrase, ...]
    altered: tuple[str, ...] = ()  # what was written, added or removed since; then the set-up is not done


def marked(setup: Setup, root: Path, cache: Path, name: str) -> Mark | None:
    """The mark of this set-up in this room; None when there is none. Leftovers of tools are cleared away."""
    try:
        read = read_regular(_place(setup, root, cache), "done", largest=_LARGEST, follow=False)
        head, *lines = read.data.split(b"\0") if read else [b"null"]
        data = json.loads(head)
        if not isinstance(data, dict) or data.get("setup") != name or data.get("root") != str(root):
            return None
        notes = tuple(_read_phrase(entry) for entry in data["notes"])
    except (DonewhenError, ValueError, TypeError, KeyError, LookupError):
        return None
    then = {path: known for known, _, path in (line.partition(b"\t") for line in lines)}
    found = compare(then, seal(root, setup.provides))
    for path in found.left if not found.altered else ():
        with contextlib.suppress(OSError):
            remove(root / os.fsdecode(path))
    return Mark(notes, tuple(map(os.fsdecode, found.altered)))


def mark(setup: Setup, root: Path, cache: Path, name: str, notes: Sequence[Phrase]) -> None:
    data = {"setup": name, "root": str(root), "notes": [_plain_phrase(note) for note in notes]}
    lines = [known + b"\t" + path for path, known in seal(root, setup.provides).items()]
    write_whole(_place(setup, root, cache), b"\0".join([json.dumps(data).encode(), *lines]))
    _forget(cache / "done")


def unmark(setup: Setup, root: Path, cache: Path) -> None:
    _place(setup, root, cache).unlink(missing_ok=True)


def _place(setup: Setup, root: Path, cache: Path) -> Path:
    """Under the room's own number: another room of the same name is another one."""
    facts = root.stat()
    words = (
        os.fsencode(root),
        str(facts.st_ino).encode(),
        setup.language.encode(),
        os.fsencode(setup.folder),
    )
    return private_folder(cache / "done") / hashlib.sha256(b"\0".join(words)).hexdigest()[:32]


def _forget(done: Path) -> None:
    """Marks of rooms that are gone, and the oldest of too many."""
    for path in sorted(done.iterdir(), key=_age)[:-_MOST]:
        path.unlink(missing_ok=True)
    for path in done.iterdir():
        with contextlib.suppress(OSError, ValueError, TypeError, KeyError):
            with path.open("rb") as file:
                head = file.read(64 * 1024).partition(b"\0")[0]
            if not Path(json.loads(head)["root"]).is_dir():
                path.unlink(missing_ok=True)


def _age(path: Path) -> float:
    try:
        return path.lstat().st_mtime
    except OSError:
        return 0.0


def _plain_phrase(phrase: Phrase) -> list[object]:
    values = {k: _plain_phrase(v) if isinstance(v, Phrase) else v for k, v in phrase.values.items()}
    return [phrase.key, values]


def _read_phrase(data: object) -> Phrase:
    if not isinstance(data, list) or len(data) != 2 or not isinstance(data[1], dict):
        raise ValueError
    values = {k: _read_phrase(v) if isinstance(v, list) else v for k, v in data[1].items()}
    return Phrase(str(data[0]), values)
