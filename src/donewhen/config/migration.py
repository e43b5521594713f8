"""Old settings rewritten in the text of a file: comments and every untouched byte stay.

The plan of legacy.py is applied to the text by position; the result must read as exactly the expected data
and need no further migration, otherwise nothing is written. A `.bak` comes first, the file is replaced
atomically.
"""

import json
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from donewhen.config.files import read_bytes, write_whole
from donewhen.config.legacy import Argv, Drop, Edit, Rename, apply, place_of, plan
from donewhen.config.places import ConfigError, Place, Remark, refuse
from donewhen.config.schema import Config
from donewhen.config.yamltext import Item, decode, pairs_of, plain, read_yaml, walk
from donewhen.core.errors import SetupError


class Migrated(NamedTuple):
    text: str
    changes: tuple[Remark, ...]


class MigratedFile(NamedTuple):
    """What was done to a file; `backup` is None when nothing was written."""

    text: str
    changes: tuple[Remark, ...]
    backup: Path | None


class _Splice(NamedTuple):
    start: int
    end: int
    text: str


def migrate(text: str, source: str = "config.yml", *, context_file: bool = False) -> Migrated:
    """The text with old settings rewritten, and what was changed."""
    at = ("context",) if context_file else ()
    root = read_yaml(text, source)
    planned = plan(root, Config, at)
    if planned.problems:
        raise ConfigError(planned.problems)
    if not planned.edits:
        return Migrated(text, ())
    place = place_of(planned.edits[0])
    new = _spliced(text, sorted(_splices(text, root, planned.edits)), place)
    try:
        tree = read_yaml(new, source)
    except ConfigError:
        raise refuse("config.migrate_by_hand", place) from None
    expected = plain(apply(root, planned.edits)) or {}
    if (plain(tree) or {}) != expected or plan(tree, Config, at).edits:
        raise refuse("config.migrate_by_hand", place)
    return Migrated(new, planned.notes())


def migrate_file(path: Path, *, dry_run: bool = False) -> MigratedFile:
    """Migrate a file in place; the original is left as it was on any failure."""
    data = read_bytes(path, str(path))
    if data is None:
        raise refuse("config.no_file", Place(str(path)))
    context_file = path.name == "context.yml"
    done = migrate(decode(data, str(path)), str(path), context_file=context_file)
    if dry_run or not done.changes:
        return MigratedFile(done.text, done.changes, None)
    try:
        target = path.resolve(strict=True)
        backup = _back_up(target, data)
        write_whole(target, done.text.encode(), stat.S_IMODE(target.stat().st_mode))
    except OSError as error:
        cause = os.strerror(error.errno or 0)
        raise SetupError("config.migrate_failed", place=str(path), cause=cause) from None
    return MigratedFile(done.text, done.changes, backup)


def _splices(text: str, root: Item | None, edits: tuple[Edit, ...]) -> Iterator[_Splice]:
    dropped = {id(edit.pair) for edit in edits if isinstance(edit, Drop)}
    for edit in edits:
        if isinstance(edit, Rename):
            yield _Splice(edit.pair.key_item.start, edit.pair.key_item.end, edit.name)
        elif isinstance(edit, Argv):
            words = ", ".join(json.dumps(word, ensure_ascii=False) for word in edit.words)
            yield _Splice(edit.item.start, _real_end(text, edit.item), f"[{words}]")
        elif edit.parent.flow:
            yield _flow_cut(text, edit, dropped)
        else:
            yield _block_cut(text, edit)
    yield from _emptied(text, root, dropped)


def _block_cut(text: str, edit: Drop) -> _Splice:
    """The lines of a block entry, with the comment at the end of the last one."""
    start = text.rfind("\n", 0, edit.pair.key_item.start) + 1
    if text[start : edit.pair.key_item.start].strip("\ufeff \t"):
        raise refuse("config.migrate_by_hand", edit.pair.key_item.place)
    start += text[start : start + 1] == "\ufeff"
    return _Splice(start, _line_end(text, _real_end(text, edit.pair.item, edit.pair.key_item)), "")


def _flow_cut(text: str, edit: Drop, dropped: set[int]) -> _Splice:
    """A flow entry with its comma, and with its lines when it has them alone."""
    pairs = pairs_of(edit.parent)
    number = next(n for n, pair in enumerate(pairs) if pair is edit.pair)
    start, end = edit.pair.key_item.start, _real_end(text, edit.pair.item, edit.pair.key_item)
    comma = _comma_after(text, end)
    if comma is None:
        earlier = [pair for pair in pairs[:number] if id(pair) not in dropped]
        if earlier and number and earlier[-1] is pairs[number - 1]:
            kept = _real_end(text, earlier[-1].item, earlier[-1].key_item)
            if not text[kept:start].strip(", "):
                start = kept
        return _Splice(start, end, "")
    end = comma
    while text[end : end + 1] in (" ", "\t"):
        end += 1
    begin = text.rfind("\n", 0, start) + 1
    alone = not text[begin:start].strip()
    if alone and (text[end : end + 1] in ("#", "\r", "\n")):
        return _Splice(begin, _line_end(text, end), "")
    return _Splice(start, end, "")


def _emptied(text: str, root: Item | None, dropped: set[int]) -> Iterator[_Splice]:
    """`{}` for block mappings that lose all their entries; an emptied file needs nothing."""
    for item in walk(root):
        for pair in pairs_of(item):
            inner = pair.item
            gone = inner.kind == "map" and inner.value and all(id(p) in dropped for p in inner.value)
            if gone and not inner.flow and id(pair) not in dropped:
                colon = text.index(":", pair.key_item.end)
                yield _Splice(colon + 1, colon + 1, " {}")


def _real_end(text: str, item: Item, key: Item | None = None) -> int:
    """Where the text of an item ends, without the blank lines that the parser counts in."""
    start = item.start if key is None else key.end
    return start + len(text[start : max(item.end, start)].rstrip())


def _line_end(text: str, position: int) -> int:
    newline = text.find("\n", position)
    return len(text) if newline < 0 else newline + 1


def _comma_after(text: str, position: int) -> int | None:
    """Just after the comma that follows, past blanks and comments."""
    while position < len(text):
        char = text[position]
        if char == ",":
            return position + 1
        if char == "#":
            position = _line_end(text, position)
        elif char.isspace():
            position += 1
        else:
            return None
    return None


def _spliced(text: str, splices: list[_Splice], place: Place) -> str:
    out: list[str] = []
    done = 0
    for splice in splices:
        if splice.start < done:
            raise refuse("config.migrate_by_hand", place)
        out += [text[done : splice.start], splice.text]
        done = splice.end
    return "".join([*out, text[done:]])


def _back_up(path: Path, data: bytes) -> Path:
    """A copy beside the file; an existing one with other content is never overwritten."""
    number = 0
    while True:
        backup = path.with_name(f"{path.name}.bak" + (f".{number}" if number else ""))
        try:
            handle = os.open(backup, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
        except FileExistsError:
            if not backup.is_symlink() and backup.is_file() and backup.read_bytes() == data:
                return backup
            number += 1
            continue
        with os.fdopen(handle, "wb") as stream:
            os.fchmod(stream.fileno(), stat.S_IMODE(path.stat().st_mode))
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        return backup
