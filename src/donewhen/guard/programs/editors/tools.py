"""Tools of everyday development that have no family: formatters, compilers, converters, document makers.

A table says which of their options name files that they write, texts that they run, or code that they load,
and whether they write their operands. Everything else that they are given they may read.
"""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from donewhen.guard.call import Call, File, Nested, Reader, Text
from donewhen.guard.effects import Effect, Fetches, Loads, Reads, RunsFetched, Sends, Writes
from donewhen.guard.programs.editors.tools_tables import CODE, RUNS, TABLE
from donewhen.guard.programs.interpreters.readers import code
from donewhen.guard.programs.network.address import host_of

_Found = Iterator[Effect | Nested]
_NOTHING = frozenset(("", "-", "/dev/stdout", "/dev/null"))
_SYSTEM = ("/usr/", "/opt/", "/lib/", "/nix/", "/Library/")
_MARKS = ("://", "\n")


class Tool(NamedTuple):
    """Options with their dashes, `-o=name` for a setting that one sets; `*` among `edits`: operands are
    always written."""

    writes: frozenset[str] = frozenset()
    runs: frozenset[str] = frozenset()  # their value is a shell text
    sets: frozenset[str] = frozenset()  # their value is a setting, `name=text`; a command among them is run
    loads: frozenset[str] = frozenset()  # their value is a file of code
    edits: frozenset[str] = frozenset()  # with one of them, or this verb, the operands are written
    keeps: frozenset[str] = frozenset()  # with one of them they are not
    last: bool = False  # the last of several operands is written
    texts: bool = False  # operands of several words are shell texts
    far: str = ""  # what an address among the operands means: it is fetched from, sent to, or run
    verbs: frozenset[str] = frozenset()  # only with one of these words
    code: str = ""  # the language of operands that begin with a backslash


class Taken(NamedTuple):
    options: tuple[tuple[str, str], ...]
    operands: tuple[str, ...]


def _tool(row: str) -> Tool:
    """`field: words; field: words` as in the table."""
    fields: dict[str, object] = {}
    for part in filter(None, map(str.strip, row.split(";"))):
        name, _, words = part.partition(":")
        kind = Tool._field_defaults[name]
        fields[name] = (
            True
            if isinstance(kind, bool)
            else words.strip()
            if isinstance(kind, str)
            else frozenset(words.split())
        )
    return Tool(**fields)  # type: ignore[arg-type]


def _taken(call: Call, tool: Tool) -> Taken:
    named = tool.writes | tool.runs | tool.sets | tool.loads | CODE.get(call.name, {}).keys()
    valued = {name.partition("=")[0] for name in named}
    letters = {name for name in valued if len(name) == 2}
    found: list[tuple[str, str]] = []
    operands: list[str] = []
    words = call.argv[1:]
    at = 0
    while at < len(words):
        word = words[at]
        at += 1
        name, equals, value = word.partition("=")
        if word == "--":
            operands += words[at:]
            break
        if word in valued:
            takes = at < len(words) and (words[at] == "-" or not words[at].startswith("-"))
            found.append((word, words[at] if takes else ""))
            at += takes
        elif equals and name.startswith("-"):
            found.append((name, value))
        elif word[:2] in letters and word[1:2] != "-" and len(word) > 2:
            found.append((word[:2], word[2:].lstrip("=:")))
        elif word.startswith("-") and word != "-":
            found.append((word, ""))
        else:
            operands.append(word)
    return Taken(tuple(found), tuple(operands))


def _reader(tool: Tool) -> Reader:
    def read_tool(call: Call) -> _Found:
        taken = _taken(call, tool)
        codes = CODE.get(call.name, {})
        for name, value in taken.options:
            setting, equals, rest = value.partition("=")
            if equals and f"{name}={setting}" in tool.writes:
                name, value = f"{name}={setting}", rest
            if name in codes:
                yield from code(codes[name], value, call)
            elif value:
                yield from _option(call, tool, name, value)
        if not tool.verbs or tool.verbs.intersection(taken.operands):
            yield from _operands(call, tool, taken)
        elif not tool.texts:
            yield from _read(call, taken.operands)

    return read_tool


def _option(call: Call, tool: Tool, name: str, value: str) -> _Found:
    if name in tool.writes:
        target = value.partition(":")[2] if ":/" in value or ":." in value else value
        if value.startswith(("%pipe%", "|")):
            yield Text(value.removeprefix("%pipe%").lstrip("|"), call.name)
        elif value not in _NOTHING:
            yield Writes(call.at(target))
    elif name in tool.runs:
        yield Text(value, call.name)
    elif name in tool.sets:
        setting, _, text = value.partition("=")
        if "command" in setting:
            yield Text(text, call.name)
    elif name in tool.loads:
        yield from _loaded(call, value)
    elif "://" not in value:
        yield Reads(call.at(value))


def _loaded(call: Call, value: str) -> _Found:
    if value.startswith(("http://", "https://")):
        yield RunsFetched(call.name)
    elif "/" in value:
        for part in value.split(":"):
            path = call.at(part)
            yield Reads(path)
            if f"{path}/".startswith(f"{call.ground.workspace}/"):
                yield File(path, RUNS.get(call.name, call.name))
            elif not path.startswith(_SYSTEM):
                yield Loads(f"{call.name} {part}")


def _operands(call: Call, tool: Tool, taken: Taken) -> _Found:
    given = {name for name, _ in taken.options} | set(taken.operands[:1])
    edits = ("*" in tool.edits or tool.edits & given) and not tool.keeps & given
    for word in taken.operands:
        if "://" in word:
            yield from _far(call, tool, word)
        elif tool.code and word.startswith("\\"):
            yield from code(tool.code, word, call)
        elif tool.texts and " " in word:
            yield Text(word, call.name)
        elif not any(mark in word for mark in _MARKS):
            yield Reads(call.at(word))
            # all of the workspace at once is ordinary for a formatter
            whole = word == "-" or call.at(word) == call.ground.workspace
            if edits and not whole and word not in tool.verbs:
                yield Writes(call.at(word))
    if tool.last and len(taken.operands) > 1 and taken.operands[-1] not in _NOTHING:
        last = taken.operands[-1]
        if "://" in last:
            yield Sends(host_of(last), "data")
        else:
            yield Writes(call.at(last))


def _far(call: Call, tool: Tool, word: str) -> _Found:
    if word.startswith("file://"):
        yield Reads(call.at("/" + word[7:].partition("/")[2]))
    elif tool.far == "fetches":
        yield Fetches(host_of(word))
    elif tool.far == "runs":
        yield RunsFetched(call.name)


def _read(call: Call, words: tuple[str, ...]) -> _Found:
    for word in words:
        if not any(mark in word for mark in _MARKS):
            yield Reads(call.at(word))


def _joined(table: Mapping[str, str]) -> dict[str, Reader]:
    found: dict[str, Reader] = {}
    for names, row in table.items():
        reader = _reader(_tool(row))
        found.update(dict.fromkeys(names.split(), reader))
    return found


READERS: dict[str, Reader] = _joined(TABLE)
