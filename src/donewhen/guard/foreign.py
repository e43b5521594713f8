"""Arguments of a foreign tool: which of them are commands, which are paths, and what they could stand for.

Nobody has told us what such a tool does with them. So what may be a command is judged as one, and what
may be a path as a path: read, and by a tool that may write also written.
"""

import shlex
from collections.abc import Iterator, Mapping
from typing import Literal, NamedTuple

from donewhen.core.codec import Json
from donewhen.guard.ground import Ground, absolute

Kind = Literal["command", "line", "path", "prose", ""]  # line: perhaps a command, perhaps only text
_COMMANDS = frozenset("cmd cmdline commandline commands script shell bash sh code argv".split())
_LINES = frozenset("input line lines stdin keys chars statement".split())
_ARGUMENTS = frozenset("args arguments argv parameters params options flags".split())
_FOLDERS = frozenset("cwd workdir workingdirectory workingdir dirpath directory dir folder".split())
_PATHS = frozenset("target destination dest to output uri location dir".split())
_PATH_ENDS = ("path", "file", "filename", "folder", "directory")
_PROSE = frozenset(
    "content contents text body message description prompt query title comment data source oldtext newtext"
    " oldstring newstring oldstr newstr newsource filetext".split()
)
_MOST = 200
_LONGEST = 4096


class Told(NamedTuple):
    kind: Kind
    text: str


class TooMuch(Exception):
    """More arguments than anybody will look at."""


def plain_key(key: str) -> str:
    return key.lower().replace("_", "").replace("-", "")


def kind_of(key: str) -> Kind:
    plain = plain_key(key)
    if plain in _COMMANDS or plain.endswith(("command", "cmd")):
        return "command"
    if plain in _LINES:
        return "line"
    if plain in _PATHS or plain.endswith(_PATH_ENDS):
        return "path"
    return "prose" if plain in _PROSE else ""


def told(args: Mapping[str, Json]) -> Iterator[Told]:
    """Every text among the arguments; below a command everything is one, whatever it is called there."""
    waiting: list[tuple[str, Json, bool]] = [("", dict(args), False)]
    seen = 0
    while waiting:
        key, value, inside = waiting.pop()
        inside = inside or kind_of(key) == "command"
        found = tuple(_here(key, value, inside))
        seen += len(found)
        if seen > _MOST:
            raise TooMuch
        yield from found
        if isinstance(value, Mapping):
            waiting += [(str(name), inner, inside) for name, inner in value.items()]
        elif isinstance(value, list | tuple):
            # words of one command, which was judged whole; or several commands
            name = "line" if inside and _words(value) else key
            waiting += [(name, inner, inside and name == key) for inner in value]


def _here(key: str, value: Json, inside: bool) -> Iterator[Told]:
    if isinstance(value, str):
        kind = kind_of(key)
        yield Told("command" if inside else kind, value)
        if inside and kind != "command":
            yield Told(kind, value)
    elif isinstance(value, list | tuple) and inside and _words(value):
        yield Told("command", shlex.join(map(str, value)))
    elif isinstance(value, Mapping):
        for name, program in value.items():
            if kind_of(str(name)) == "command" and isinstance(program, str):
                yield from (Told("command", f"{program} {given}") for given in _given(value))


def _given(args: Mapping[str, Json]) -> Iterator[str]:
    """Arguments that stand beside their program."""
    for name, value in args.items():
        if plain_key(str(name)) in _ARGUMENTS:
            if isinstance(value, str):
                yield value
            elif _words(value):
                yield shlex.join(map(str, value))


def _words(value: Json) -> bool:
    return isinstance(value, list | tuple) and bool(value) and all(isinstance(one, str) for one in value)


def folders(args: Mapping[str, Json]) -> tuple[str, ...]:
    """Where a command may run: here, and in every folder that is named."""
    named = (value for name, value in args.items() if plain_key(str(name)) in _FOLDERS)
    return ("", *(value for value in named if isinstance(value, str) and value))


def paths(one: Told, ground: Ground) -> tuple[str, ...]:
    """All that the text could mean as a path; empty for what can't be one."""
    if len(one.text) >= _LONGEST or ("\n" in one.text and one.kind != "path"):
        return ()
    return tuple(dict.fromkeys(absolute(text, ground.folder) for text in _spellings(one.text, ground.home)))


def written(one: Told, path: str, ground: Ground) -> bool:
    """May a tool that writes write there? Under an unknown name only what looks like a path of this
    machine, or names something hidden."""
    text = one.text
    if one.kind == "path":
        return "://" not in text or text[:5].lower() == "file:"
    if one.kind == "prose" and any(map(str.isspace, text)):
        return False
    if text[:5].lower() == "file:" or text == "~" or text.startswith("~/"):
        return True
    if not text.startswith("/"):
        return "/." in f"/{text}" and not any(map(str.isspace, text))
    tops = ground.disk.names("/")
    return tops is None or path.split("/")[1] in tops


def _spellings(text: str, home: str) -> Iterator[str]:
    if text[:5].lower() == "file:":
        rest = text[5:].removeprefix("//")
        if "%" in rest:
            from urllib.parse import unquote

            yield from _at_home(unquote(rest), home)
        yield from _at_home(rest, home)
        if text[5:].startswith("//") and not rest.startswith("/"):
            yield f"/{rest.partition('/')[2]}"  # behind the name of a machine
    else:
        yield from _at_home(text, home)


def _at_home(text: str, home: str) -> Iterator[str]:
    yield home + text[1:] if text == "~" or text.startswith("~/") else text
