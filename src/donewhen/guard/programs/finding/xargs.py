"""`xargs`: the words of its input become arguments, so known input gives a known command.

Also what it prints when its command only prints. The number of commands is bounded; the rest is a hole.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from donewhen.guard.call import Call, Nested, Words
from donewhen.guard.effects import Effect, Reads
from donewhen.guard.marks import HOLE, certain
from donewhen.guard.options import Given, options, read
from donewhen.guard.programs.printing.format import unescaped
from donewhen.guard.programs.printing.lines import bounded, given, is_name, lines_of, put, unknown

_XARGS = options(
    "0rtxpo",
    "InLPsdaEJRS",
    "null no-run-if-empty verbose interactive exit open-tty show-limits",
    "arg-file delimiter max-args max-procs max-chars process-slot-var",
    attached="ile",
    first=True,
)
_BY_LINES = ("-L", "-l", "--max-lines")
_MOST_RUNS = 64
_MOST_TEXT = 65536


class _Plan(NamedTuple):
    command: tuple[str, ...]
    items: tuple[str, ...]  # words, or lines where one is put in as a whole
    placed: str = ""  # the text it is put in for
    each: int = 0  # words (or lines) a run; 0: all
    lines: bool = False
    at_once: bool = False  # -J: all words where the text stands


def xargs(call: Call) -> Iterator[Effect | Nested]:
    found = read(call.argv[1:], _XARGS)
    file = found.value("-a", "--arg-file")
    if file is not None:
        yield Reads(call.at(file))
    for items in _choices(call, found, file):
        for argv in _runs(_plan(found, items)):
            yield Words(argv, call.name, stdin="")


def printed(call: Call) -> str:
    """What `xargs` prints: with no command, or echo, its words in a line."""
    found = read(call.argv[1:], _XARGS)
    items = _choices(call, found, found.value("-a", "--arg-file"))[0]
    plan = _plan(found, items)
    if plan.command[0] != "echo" or plan.command[1:2] == ("-e",):
        return unknown(given(call), *call.argv[1:])
    return bounded("".join(" ".join(argv[1:]) + "\n" for argv in _runs(plan)))


def _plan(found: Given, items: Sequence[str]) -> _Plan:
    command = found.operands or ("echo",)
    replaced = found.value("-I", "-i", "--replace")
    if replaced is not None:
        return _Plan(command, tuple(items), replaced or "{}")
    together = found.value("-J")
    if together is not None:
        return _Plan(command, tuple(items), together, at_once=True)
    each = found.value(*_BY_LINES) if found.has(*_BY_LINES) else found.value("-n", "--max-args")
    size = int(each) if each and each.isdigit() and len(each) < 7 else int(found.has(*_BY_LINES))
    return _Plan(command, tuple(items), each=size, lines=found.has(*_BY_LINES))


def _choices(call: Call, found: Given, file: str | None) -> list[list[str]]:
    """The items of its input, one way or two where it can't be told how they are separated."""
    text = given(call) if file is None or file == "-" else HOLE
    if len(text) > _MOST_TEXT:
        return [[unknown(text)]]
    separator = found.value("-d", "--delimiter")
    if separator is not None:
        between = unescaped(separator) or "\n"
        return [[item for item in text.split(between) if item or between != "\n"]]
    if found.has("-0", "--null"):
        lines = lines_of(text)
        if len(lines) == 1 and is_name(lines[0]):
            return [lines]
        # a zero byte and a hole are the same character: it may be either
        parts = [item for item in text.split(HOLE) if item] if text.strip(HOLE) else []
        cut = [parts] if len(parts) > 1 or (text.endswith(HOLE) and parts) else []
        # listings are kept with newlines, whatever the program would have put between them
        return [lines, [text], *cut] if any(map(is_name, lines)) else [[text], *cut]
    if found.value("-I", "-i", "--replace") is not None:
        return [[_unquoted(line.lstrip()) for line in lines_of(text) if line.strip()]]
    return [lines_of(text) if found.has(*_BY_LINES) else _split(text)]


def _unquoted(line: str) -> str:
    """A whole line as one item: blanks inside stay, quotes go."""
    if not any(mark in line for mark in "'\"\\"):
        return line
    return " ".join(_split(line)) if certain(line) else line


def _split(text: str) -> list[str]:
    """Words as xargs reads them: quotes keep blanks, a backslash the next character."""
    if not any(mark in text for mark in "'\"\\"):
        return text.split()
    words: list[str] = []
    word: list[str] | None = None
    at = 0
    while at < len(text):
        letter = text[at]
        at += 1
        if letter in " \t\n":
            words += ["".join(word)] if word is not None else []
            word = None
            continue
        word = [] if word is None else word
        if letter in "'\"":
            end = text.find(letter, at)
            word.append(text[at : end if end >= 0 else len(text)])
            at = end + 1 if end >= 0 else len(text)
        elif letter == "\\" and at < len(text):
            word.append(text[at])
            at += 1
        else:
            word.append(letter)
    return [*words, "".join(word)] if word is not None else words


def _runs(plan: _Plan) -> Iterator[tuple[str, ...]]:
    command, items = plan.command, plan.items
    if plan.at_once:
        place = command.index(plan.placed) if plan.placed in command else len(command)
        yield (*command[:place], *items, *command[place + 1 :])
    elif plan.placed:
        for item in _some(items):
            yield put(command, plan.placed, item)
    elif plan.each:
        for start in range(0, min(len(items), plan.each * _MOST_RUNS), plan.each):
            taken = items[start : start + plan.each]
            yield (*command, *(_split("\n".join(taken)) if plan.lines else taken))
        if len(items) > plan.each * _MOST_RUNS:
            yield (*command, unknown(*items))
        if not items:
            yield command
    else:
        yield (*command, *items)


def _some(items: Sequence[str]) -> Sequence[str]:
    return items if len(items) <= _MOST_RUNS else (*items[:_MOST_RUNS], unknown(*items))
