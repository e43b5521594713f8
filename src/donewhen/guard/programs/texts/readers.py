"""Programs that read text: which of their words are files, which are patterns, numbers or programs to run.

One row a program. Every operand that is a file is reported, so that a secret is found whatever reads it;
programs that only look at names say so (`Reads(names=True)`). Nothing here opens a file.
"""

import re
from collections.abc import Iterator

from donewhen.guard.call import Call, Nested, Reader, Text, Words
from donewhen.guard.effects import Effect, Reads, Reveals, Unknown, Writes
from donewhen.guard.marks import ENVIRONMENT, STAR
from donewhen.guard.options import Given, read
from donewhen.guard.programs.printing.lines import STANDARD_INPUT, is_environ
from donewhen.guard.programs.texts import data as texts_data
from donewhen.guard.programs.texts import reveal as texts_reveal
from donewhen.guard.programs.texts.search import search
from donewhen.guard.programs.texts.table import ROWS, Row


def _reader(row: Row) -> Reader:
    """The reader of a row."""
    table, fast = row.table, not (row.reads or row.writes or row.runs or row.texts or row.plus)

    def effects(call: Call) -> Iterator[Effect | Nested]:
        given = read(call.argv[1:], table)
        if not fast:
            yield from _optional(call, row, given)
        for place, path in enumerate(given.operands[row.skip :]):
            if path in STANDARD_INPUT or not path or (row.plus and path[0] == "+"):
                continue
            where = call.at(path)
            if row.second and place == 1:
                yield Writes(where)
                continue
            yield Reads(where, row.names)
            if is_environ(where) and not row.names:
                yield Reveals("filtered" if row.selects else "environment")
        if call.stdin is not None and ENVIRONMENT in call.stdin and not row.silent:
            yield Reveals("filtered" if row.selects else "environment")

    return effects


def _optional(call: Call, row: Row, given: Given) -> Iterator[Effect | Nested]:
    for name, value in given.options:
        if value:
            yield from _valued(call, row, name, value)
    if row.plus:
        for word in given.operands:
            if word.startswith(("+!", "+|")):
                yield Text(word[2:], call.name)


def _valued(call: Call, row: Row, name: str, value: str) -> Iterator[Effect | Nested]:
    if name in row.reads and value not in STANDARD_INPUT:
        yield Reads(call.at(value))
    elif name in row.writes:
        yield Writes(call.at(value))
    elif name in row.folders:
        yield Writes(f"{call.at(value).rstrip('/')}/{STAR}")
    elif name in row.runs:
        yield Words((value,), call.name)
    elif name in row.texts:
        yield Text(value, call.name)


def _less(call: Call) -> Iterator[Effect | Nested]:
    """Its preprocessors are lines for a shell, given by the environment."""
    for name in ("LESSOPEN", "LESSCLOSE"):
        command = call.env.get(name, "").lstrip("|-")
        if command:
            yield Text(command, call.name)
    yield from _reader(ROWS["less"])(call)


_ACTION = re.compile(
    r"(?:execute(?:-silent|-multi)?|become|reload(?:-sync)?|transform[a-z-]*|preview)"
    r"(?:\((.*?)\)|\[(.*?)\]|\{(.*?)\}|<(.*?)>|:(.*)|[~!@#$%^&*;/|](.*?)[~!@#$%^&*;/|])(?=[+,]|$)",
    re.DOTALL,
)


_LONGEST = 4096


def _finder(call: Call) -> Iterator[Effect | Nested]:
    """fzf and those like it: keys and events are bound to lines for a shell."""
    row = ROWS[call.name]
    for binding in read(call.argv[1:], row.table).all("--bind"):
        if len(binding) > _LONGEST:
            yield Unknown("guard.unknown_text", binding[:200])
        yield from (Text("".join(found), call.name) for found in _ACTION.findall(binding[:_LONGEST]))
    yield from _reader(row)(call)


READERS: dict[str, Reader] = {
    **{name: _reader(row) for name, row in ROWS.items()},
    "less": _less,
    **dict.fromkeys(("fzf", "sk"), _finder),
    **dict.fromkeys("grep egrep fgrep ggrep rgrep rg ripgrep ag ack".split(), search),
    **texts_data.READERS,
    **texts_reveal.READERS,
}
