"""The marker that says that a set-up is done in a room: it lies in what was filled, and goes with it."""

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path

from donewhen.config.files import private_folder, read_regular, write_whole
from donewhen.core.errors import DonewhenError
from donewhen.core.texts import Phrase
from donewhen.workspace.setup.model import Setup

MARKER = ".donewhen-setup.json"


def _markers(setup: Setup, root: Path, cache: Path) -> list[Path]:
    """In what the set-up filled, so that it goes with it; else in the cache, under the room's own number."""
    inside = [root / path for path in setup.provides if (root / path).is_dir()]
    if inside:
        return [folder / MARKER for folder in inside]
    facts = root.stat()
    room = hashlib.sha256(f"{root}\0{facts.st_ino}\0{setup.language}\0{setup.folder}".encode()).hexdigest()
    return [cache / "done" / room[:32]]


def marked(setup: Setup, root: Path, cache: Path, name: str) -> list[Phrase] | None:
    """The notes of a set-up that is done in this room; None when it is not."""
    notes: list[Phrase] = []
    for path in _markers(setup, root, cache):
        try:
            read = read_regular(path, MARKER, follow=False)
            data = json.loads(read.data) if read else None
            if not isinstance(data, dict) or data.get("setup") != name or data.get("root") != str(root):
                return None
            notes = [_read_phrase(entry) for entry in data["notes"]]
        except (DonewhenError, ValueError, TypeError, KeyError, LookupError):
            return None
    return notes


def mark(setup: Setup, root: Path, cache: Path, name: str, notes: Sequence[Phrase]) -> None:
    data = {"setup": name, "root": str(root), "notes": [_plain_phrase(note) for note in notes]}
    for path in _markers(setup, root, cache):
        private_folder(path.parent)
        write_whole(path, json.dumps(data).encode())


def unmark(setup: Setup, root: Path, cache: Path) -> None:
    for path in _markers(setup, root, cache):
        path.unlink(missing_ok=True)


def _plain_phrase(phrase: Phrase) -> list[object]:
    values = {k: _plain_phrase(v) if isinstance(v, Phrase) else v for k, v in phrase.values.items()}
    return [phrase.key, values]


def _read_phrase(data: object) -> Phrase:
    if not isinstance(data, list) or len(data) != 2 or not isinstance(data[1], dict):
        raise ValueError
    values = {k: _read_phrase(v) if isinstance(v, list) else v for k, v in data[1].items()}
    return Phrase(str(data[0]), values)
