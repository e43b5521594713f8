"""Old settings rewritten in the text of a file: comments and every untouched byte stay.

The plan of legacy.py is applied to the text by position. The result must read as exactly the expected data,
hold every comment, need no further migration and have no problem that the old text didn't have; otherwise it
is refused, and the user is asked to change the file by hand. Nothing is written here.
"""

import json
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from donewhen.config.comments import Comment, Lines, comments_of, lines_of
from donewhen.config.legacy import Argv, Drop, Edit, Rename, apply, place_of, plan
from donewhen.config.load import problems_in
from donewhen.config.places import ConfigError, Place, Remark, refuse
from donewhen.config.project import Source
from donewhen.config.schema import Config
from donewhen.config.yamltext import Item, Pair, pairs_of, plain, read_yaml, utf8, walk


class Migrated(NamedTuple):
    """The new text, what was changed, and the problems that it still has."""

    text: str
    changes: tuple[Remark, ...]
    problems: tuple[Remark, ...] = ()


class _Splice(NamedTuple):
    start: int
    end: int
    text: str


class _Page(NamedTuple):
    """The text with what is known about it."""

    text: str
    root: Item | None
    lines: Lines
    comments: tuple[Comment, ...]
    dropped: frozenset[int]

    def within(self, start: int, end: int) -> tuple[str, ...]:
        first = bisect_left(self.comments, start, key=lambda comment: comment.start)
        after = bisect_left(self.comments, end, key=lambda comment: comment.start)
        return tuple(comment.text for comment in self.comments[first:after])


def migrate(
    text: str, source: str = "config.yml", *, context_file: bool = False, path: Path | None = None
) -> Migrated:
    """The text with old settings rewritten; `path` is where it lies, when it may extend another file."""
    at = ("context",) if context_file else ()
    root = read_yaml(text, source)
    planned = plan(root, Config, at)
    if planned.problems:
        raise ConfigError(planned.problems)
    role = "context" if context_file else "config"
    before = _problems(text, source, role, path)
    if not planned.edits:
        return Migrated(text, (), before)
    place = place_of(planned.edits[0])
    gone = frozenset(id(edit.pair) for edit in planned.edits if isinstance(edit, Drop))
    page = _Page(text, root, lines_of(text), comments_of(text, root), gone)
    new = _spliced(text, sorted(_splices(page, planned.edits)), place)
    try:
        tree = read_yaml(new, source)
    except ConfigError:
        raise refuse("config.migrate_by_hand", place) from None
    expected = plain(apply(root, planned.edits)) or {}
    kept = Counter(comment.text for comment in page.comments)
    same = (plain(tree) or {}) == expected and Counter(c.text for c in comments_of(new, tree)) == kept
    after = _problems(new, source, role, path)
    if not same or plan(tree, Config, at).edits or _kinds(after) - _kinds(before):
        raise refuse("config.migrate_by_hand", place)
    return Migrated(new, planned.changes(), after)


def _problems(text: str, source: str, role: str, path: Path | None) -> tuple[Remark, ...]:
    try:
        read = Source(role, source, utf8(text, source).encode())
        return tuple(problems_in(read, path))
    except ConfigError as error:
        return error.problems


def _kinds(problems: tuple[Remark, ...]) -> Counter[tuple[str, str]]:
    """Problems apart from their places, which move."""
    return Counter((one.key, str(one.values.get("path", one.values.get("entry", "")))) for one in problems)


def _splices(page: _Page, edits: tuple[Edit, ...]) -> Iterator[_Splice]:
    flows: dict[int, Item] = {}
    for edit in edits:
        if isinstance(edit, Rename):
            yield _Splice(edit.pair.key_item.start, edit.pair.key_item.end, edit.name)
        elif isinstance(edit, Argv):
            yield _as_words(page, edit)
        elif edit.parent.flow:
            flows[id(edit.parent)] = edit.parent
        else:
            yield _block_cut(page, edit)
    for parent in flows.values():
        yield from _flow_cuts(page, parent)
    yield from _emptied(page)


def _as_words(page: _Page, edit: Argv) -> _Splice:
    _no_anchor(page, edit.item, edit.item)
    words = "[" + ", ".join(json.dumps(word, ensure_ascii=False) for word in edit.words) + "]"
    end = _real_end(page.text, edit.item)
    told = "".join(f"  {comment}" for comment in page.within(edit.item.start, end))
    return _Splice(edit.item.start, end, (f"[{words}]" if edit.listed else words) + told)


def _block_cut(page: _Page, edit: Drop) -> _Splice:
    """The lines of a block entry; their comments stay, each on a line of its own."""
    key = edit.pair.key_item
    _no_anchor(page, edit.pair.item, key)
    start = page.lines.start(key.start)
    start += page.text[start : start + 1] == "\ufeff"
    indent = page.text[start : key.start]
    if indent.strip(" \t"):
        raise refuse("config.migrate_by_hand", key.place)
    end = page.lines.end(_pair_end(page.text, edit.pair))
    return _Splice(start, end, _own_lines(page, start, end, indent))


def _no_anchor(page: _Page, item: Item, key: Item) -> None:
    """What has an anchor may be meant elsewhere too, so it is left to the user."""
    if any(each.start >= key.start and page.text[each.start : each.start + 1] == "&" for each in walk(item)):
        raise refuse("config.migrate_by_hand", key.place)


def _own_lines(page: _Page, start: int, end: int, indent: str) -> str:
    ending = page.lines.break_of(start)
    return "".join(f"{indent}{comment}{ending}" for comment in page.within(start, end))


def _flow_cuts(page: _Page, parent: Item) -> Iterator[_Splice]:
    """The dropped entries of a flow mapping with their commas, so that no comma is left over."""
    pairs = pairs_of(parent)
    kept = {number for number, pair in enumerate(pairs) if id(pair) not in page.dropped}
    last = max(kept, default=-1)
    for number, pair in enumerate(pairs):
        if number not in kept:
            _no_anchor(page, pair.item, pair.key_item)
        comma = _comma_after(page, _pair_end(page.text, pair))
        if number < last and number not in kept and comma is not None:
            yield _flow_cut(page, pair.key_item.start, comma)
    if last == len(pairs) - 1:
        return
    if not kept:  # what is left is `{}`
        yield _inside(page, parent.start + 1, parent.end - 1)
        return
    end = _pair_end(page.text, pairs[-1])
    comma = _comma_after(page, end)
    if comma is None:
        yield _inside(page, _pair_end(page.text, pairs[last]), end)
    else:
        first = pairs[last + 1].key_item.start
        yield _flow_cut(page, first, comma)


def _flow_cut(page: _Page, start: int, end: int) -> _Splice:
    """Entries up to a comma, with their lines when they have them alone."""
    text = page.text
    while text[end : end + 1] in (" ", "\t"):
        end += 1
    begin, after = page.lines.start(start), page.lines.end(end)
    alone = not text[begin:start].strip(" \t")
    if alone and (text[end : end + 1] == "#" or not text[end:after].strip()):
        return _Splice(begin, after, _own_lines(page, begin, after, text[begin:start]))
    return _inside(page, start, end)


def _inside(page: _Page, start: int, end: int) -> _Splice:
    """A cut in the middle of a line; a comment needs the rest of its line, so a break follows it."""
    told = page.within(start, end)
    if not told:
        return _Splice(start, end, "")
    gap = "" if page.text[start - 1 : start] in (" ", "\t") else " "
    ending = page.lines.break_of(start) + " " * (start - page.lines.start(start))
    rest = page.text[end : page.lines.end(end)]
    return _Splice(start, end, gap + ending.join(told) + (ending if rest.strip() else ""))


def _emptied(page: _Page) -> Iterator[_Splice]:
    """`{}` for block mappings that lose all their entries; an emptied file needs nothing."""
    for item in walk(page.root):
        for pair in pairs_of(item):
            inner = pair.item
            gone = inner.kind == "map" and inner.value and all(id(p) in page.dropped for p in inner.value)
            if gone and not inner.flow and id(pair) not in page.dropped:
                colon = page.text.index(":", pair.key_item.end)
                yield _Splice(colon + 1, colon + 1, " {}")


def _pair_end(text: str, pair: Pair) -> int:
    return _real_end(text, pair.item, pair.key_item)


def _real_end(text: str, item: Item, key: Item | None = None) -> int:
    """Where the text of an item ends, without the blank lines that the parser counts in."""
    start = item.start if key is None else key.end
    return start + len(text[start : max(item.end, start)].rstrip())


def _comma_after(page: _Page, position: int) -> int | None:
    """Just after the comma that follows, past blanks and comments."""
    text = page.text
    while position < len(text):
        char = text[position]
        if char == ",":
            return position + 1
        if char == "#":
            position = page.lines.end(position)
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
