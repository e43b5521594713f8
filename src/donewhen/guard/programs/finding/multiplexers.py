"""tmux and screen: what their commands run in sessions of their own, and keys typed into a waiting shell.

tmux takes several commands separated by `;`, and commands as arguments of others (hooks, bindings). Where a
plain `new-session CMD` begins is known to the unwrapping of commands as well; told twice is told once.
"""

import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from donewhen.guard.call import Call, File, Nested, Reader, Text, Words
from donewhen.guard.effects import Effect, Reads, Writes
from donewhen.guard.options import options, read

_Found = Iterator[Effect | Nested]
_GLOBAL = options("2CDlNuVv", "cfLST", first=True)


class _Command(NamedTuple):
    values: str = ""  # letters of options with a value
    text: int | None = None  # from this operand on it is a line for a shell
    commands: int | None = None  # from this operand on these are commands of tmux
    each: bool = False  # one in each operand, not one in all of them
    file: str = ""  # its operands are files that are "read" or "written"


_STARTS = _Command("ceFnstxyLl", text=0)
_OPTION = _Command("t")
_COMMANDS: Mapping[str, _Command] = {
    **dict.fromkeys(
        "new-session new new-window neww split-window splitw respawn-pane respawnp respawn-window "
        "respawnw".split(),
        _STARTS,
    ),
    **dict.fromkeys(("display-popup", "popup"), _Command("bcdehsStTwxy", text=0)),
    **dict.fromkeys(("run-shell", "run"), _Command("cdt", text=0)),
    **dict.fromkeys(("pipe-pane", "pipep"), _Command("t", text=0)),
    **dict.fromkeys(("if-shell", "if"), _Command("t", text=0, commands=1, each=True)),
    **dict.fromkeys(("set-hook",), _Command("t", commands=1)),
    **dict.fromkeys(("bind-key", "bind"), _Command("NT", commands=1)),
    **dict.fromkeys(("confirm-before", "confirm"), _Command("cpt", commands=0)),
    **dict.fromkeys(("command-prompt",), _Command("IptT", commands=0)),
    **dict.fromkeys("set set-option setw set-window-option".split(), _OPTION),
    **dict.fromkeys(("source-file", "source"), _Command("t", file="read")),
    **dict.fromkeys(("save-buffer", "saveb"), _Command("b", file="written")),
    **dict.fromkeys(("load-buffer", "loadb"), _Command("bt", file="read")),
    **dict.fromkeys(("send-keys", "send"), _Command("tN")),
}
_TEXT_OPTIONS = frozenset(("default-command", "default-shell", "lock-command", "copy-command", "editor"))
_FORMAT = re.compile(r"#\(([^()]{2,1000})\)")  # a command whose output is shown
_KEYS = frozenset(("Enter", "C-m", "KPEnter", "Space", "-l"))
_LINE_ENDS = re.compile(r"\^[MJ]|\\[nr]|\\015|\\012|\r")
_DEEPEST = 4
_SCREEN = options(
    "AdDiLmnqrRUvwxXO", "cehpsStT", single="Logfile dmS dRR dms", single_flags="ls list wipe version help",
    first=True,
)  # fmt: skip


def _tmux(call: Call) -> _Found:
    given = read(call.argv[1:], _GLOBAL)
    yield from (Text(line, call.name) for line in given.all("-c"))
    yield from (Reads(call.at(path)) for path in given.all("-f"))
    yield from _commands(call, given.operands, 0)


def _commands(call: Call, words: Sequence[str], depth: int) -> _Found:
    for command in _separated(words):
        for found in _FORMAT.finditer(" ".join(command)):
            yield Text(found[1], call.name)
        row = _named(command[0])
        if row is not None and depth < _DEEPEST:
            yield from _command(call, command, row, depth)


def _separated(words: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """A `;` ends a command, also at the end of a word."""
    command: list[str] = []
    for word in (*words, ";"):
        bare = word.removesuffix(";")
        if bare:
            command.append(bare)
        if bare != word and command:
            yield tuple(command)
            command = []


def _named(word: str) -> _Command | None:
    """A command by its name, or by the beginning of one."""
    if word in _COMMANDS:
        return _COMMANDS[word]
    rows = {row for name, row in _COMMANDS.items() if len(word) > 3 and name.startswith(word)}
    return rows.pop() if len(rows) == 1 else None


def _command(call: Call, command: tuple[str, ...], row: _Command, depth: int) -> _Found:
    given = read(command[1:], options("", row.values, first=True))
    operands = given.operands
    if row is _OPTION:
        if operands[:1] and operands[0] in _TEXT_OPTIONS:
            yield Text(" ".join(operands[1:]), call.name)
    elif row.file:
        yield from (
            (Reads if row.file == "read" else Writes)(call.at(path)) for path in operands if path != "-"
        )
    elif command[0].startswith("send"):
        yield from _keys(call, command[1:])
    if row.text is not None and operands and not given.has("-C"):
        texts = operands[:1] if row.each else operands
        yield Words(texts, call.name) if len(texts) > 1 else Text(texts[0], call.name)
    inner = operands if given.has("-C") else () if row.commands is None else operands[row.commands :]
    for words in ((one,) for one in inner) if row.each else (inner,):
        yield from _commands(call, _split(words), depth + 1)


def _split(words: Sequence[str]) -> Sequence[str]:
    """A command of tmux in one word is split as a shell would."""
    if len(words) != 1:
        return words
    try:
        return shlex.split(words[0].strip("{} "))
    except ValueError:
        return words[0].split()


def _keys(call: Call, words: Sequence[str]) -> _Found:
    """Keys sent to a terminal in which a shell waits."""
    rest = iter(words)
    keys = [word for word in rest if not (word == "-t" and next(rest, "")) and word not in _KEYS]
    texts = (" ".join(word for word in keys if not word.startswith("-")), " ".join(keys))
    yield from (Text(_LINE_ENDS.sub("\n", text), call.name) for text in dict.fromkeys(texts))


def _screen(call: Call) -> _Found:
    if len(call.argv) == 1 and call.stdin is not None:  # its settings, where the line wrote them
        for line in call.stdin.splitlines():
            yield from _screen_command(call, tuple(line.split()))
        return
    given = read(call.argv[1:], _SCREEN)
    yield from (Writes(call.at(path)) for path in given.all("-Logfile"))
    yield from (File(call.at(path), call.name) for path in given.all("-c"))
    if given.has("-X"):
        yield from _screen_command(call, given.operands)


def _screen_command(call: Call, words: tuple[str, ...]) -> _Found:
    verb, rest = (words[0] if words else ""), words[1:]
    if verb == "stuff":
        yield from _keys(call, rest)
    elif verb in ("exec", "screen", "backtick", "defshell", "shell") and rest:
        plain = [word for word in rest if not word.isdigit()] if verb == "backtick" else rest
        yield Text(plain[0], call.name) if len(plain) == 1 else Words(tuple(plain), call.name)
    elif verb in ("logfile", "hardcopy", "writebuf") and rest:
        yield Writes(call.at(rest[-1]))
    elif verb in ("source", "readbuf", "readreg") and rest:
        yield File(call.at(rest[-1]), call.name) if verb == "source" else Reads(call.at(rest[-1]))
    elif verb == "eval":
        for one in rest:
            yield from _screen_command(call, tuple(_split((one,))))


READERS: Mapping[str, Reader] = {"tmux": _tmux, "screen": _screen}
