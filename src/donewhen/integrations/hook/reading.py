"""What the tools of the clients would do, each kind of tool read from all of its arguments.

A client takes one of several names for the same argument, and which one is for its version to say. So every
argument that could be meant is judged, at any depth, and the strictest word on them counts.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from donewhen.guard.actions import SHELL_TOOL, BadArguments, ToolCall
from donewhen.guard.foreign import plain_key
from donewhen.guard.marks import ANY, STAR
from donewhen.guard.programs.files.apply_patch import BEGIN, touched

Args = Mapping[str, Any]


class Act(NamedTuple):
    """One action to be judged: a call of a tool, or a program with its arguments."""

    call: ToolCall
    words: tuple[str, ...] = ()
    folder: str = ""


Reading = Callable[[Args, str], list[Act]]
_COMMANDS = frozenset("command cmd cmdline commandline argv".split())
_PATHS = frozenset(
    "filepath path absolutepath notebookpath relativepath dirpath directory file filename".split()
)
_FOLDERS = frozenset("workdir cwd dirpath directory workingdirectory workingdir dir".split())
_GLOBS = frozenset("glob include includepattern".split())
_BRACES = re.compile(r"\{[^{}]*\}|\[[^\]]*\]")
_ANSWER = re.compile(r"(?:y|n|yes|no|q|quit|exit|\d{1,4}|\x1b\[[A-D])?[\x00-\x20\x7f]*", re.IGNORECASE)
_MOST = 50  # arguments of one kind, or commands times folders


def shell(*known: str) -> Reading:
    """Commands; `known` are the arguments that surely name the folder. Others may be passed by, and then it
    is the current one."""

    def reading(args: Args, home: str) -> list[Act]:
        named = [(key, _at(folder, home)) for key, folder in _texts(args, _FOLDERS)]
        sure = any(key in known for key, _ in named)
        folders = [*(folder for _, folder in named), *(() if sure else ("",))]
        commands = [value for _, value in _under(args, _COMMANDS)]
        found = [_command(value, folder) for value in commands for folder in folders]
        for _, program in _texts(args, frozenset(("shell",))):  # which is given the command
            words = [(program, "-c", value) for value in commands if isinstance(value, str)]
            found += [_command([*each], folder) for each in words for folder in folders]
        if not found or len(found) > _MOST:
            raise BadArguments("command")
        return found

    return reading


def _command(value: Any, folder: str) -> Act:
    if isinstance(value, list) and value and all(isinstance(word, str) for word in value):
        return Act(ToolCall(SHELL_TOOL), tuple(value), folder)
    if not isinstance(value, str):
        raise BadArguments("command")
    return Act(ToolCall(SHELL_TOOL, {"command": value, "cwd": folder}))


def typed(args: Args, home: str) -> list[Act]:
    """Text for a program that runs already: a shell, as far as anybody knows, and perhaps only a piece of a
    line. So only answers pass without a human."""
    text = args.get("chars", "")
    if not isinstance(text, str):
        raise BadArguments("chars")
    if _ANSWER.fullmatch(text):
        return []
    piece = ToolCall("write_stdin", typed=True)
    return [Act(ToolCall(SHELL_TOOL, {"command": text})), Act(piece)]


def path(kind: str, optional: bool = False) -> Reading:
    def reading(args: Args, home: str) -> list[Act]:
        found = _paths(args, home)
        if not found and not optional:
            raise BadArguments("path")
        return [Act(ToolCall(kind, {"path": one})) for one in found or ["."]]

    return reading


def search(args: Args, home: str) -> list[Act]:
    """A glob picks the files whose lines are shown, and may pick what must not be."""
    bases = _paths(args, home) or ["."]
    globs = [_joined(base, glob, home) for _, glob in _texts(args, _GLOBS) for base in bases]
    return [Act(ToolCall("grep", {"path": one})) for one in (*bases, *globs)]


def names(args: Args, home: str) -> list[Act]:
    bases = _paths(args, home) or ["."]
    patterns = [pattern for _, pattern in _texts(args, _GLOBS | {"pattern"})]
    found = [*bases, *(_joined(base, pattern, home) for base in bases for pattern in patterns)]
    return [Act(ToolCall("glob", {"path": one})) for one in found]


def many(args: Args, home: str) -> list[Act]:
    found = [args[name] for name in ("paths", "include") if args.get(name)]
    if not found or not all(isinstance(one, list) and all(isinstance(p, str) for p in one) for one in found):
        raise BadArguments("paths")
    paths = [*_paths(args, home), *(_joined(".", one, home) for each in found for one in each)]
    return [Act(ToolCall("read_file", {"path": one})) for one in paths]


def patch(args: Args, home: str) -> list[Act]:
    texts = [value for value in args.values() if isinstance(value, str) and BEGIN in value]
    command = args.get("command")
    if isinstance(command, list):
        texts += [word for word in command if isinstance(word, str) and BEGIN in word]
    found = [one for one in map(touched, texts) if one]
    if not found or len(found) < len(texts):
        raise BadArguments("patch")
    written = [("edit_file", each) for one in found for each in one.written]
    deleted = [("delete_file", each) for one in found for each in one.deleted]
    return [Act(ToolCall(kind, {"path": _at(each, home)})) for kind, each in written + deleted]


def _under(value: Any, keys: frozenset[str]) -> Iterator[tuple[str, Any]]:
    """Every value under one of these keys, however it is written, at any depth; none is no value."""
    if isinstance(value, Mapping):
        for name, inner in value.items():
            key = plain_key(str(name))
            if key in keys:
                if inner is not None:
                    yield key, inner
            else:
                yield from _under(inner, keys)
    elif isinstance(value, list):
        for inner in value:
            yield from _under(inner, keys)


def _texts(args: Args, keys: frozenset[str]) -> list[tuple[str, str]]:
    found = [(key, value) for key, value in _under(args, keys) if value != ""]
    if len(found) > _MOST or not all(isinstance(value, str) for _, value in found):
        raise BadArguments(next(iter(found))[0])
    return found


def _paths(args: Args, home: str) -> list[str]:
    return [_at(one, home) for _, one in _texts(args, _PATHS)]


def _at(path: str, home: str) -> str:
    """A client may take `~` and addresses of files for what people mean by them."""
    if "\0" in path:
        raise BadArguments("path")
    path = path.removeprefix("file://")
    return home + path[1:] if path == "~" or path.startswith("~/") else path


def _joined(base: str, glob: str, home: str) -> str:
    marked = _BRACES.sub(STAR, _at(glob, home)).replace("**/", "").replace("*", STAR).replace("?", ANY)
    return marked if marked.startswith("/") else f"{base}/{marked}"
