"""`sed` over known text, as far as it is simple: `s`, `y`, `p`, `d`, `q` with line numbers or flat patterns.

Everything else it can do (`e`, `w`, hold space, branches) leaves a hole; what it runs or writes is another
reader's to say.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from donewhen.guard.call import Call
from donewhen.guard.marks import certain
from donewhen.guard.options import options, read
from donewhen.guard.programs.printing.lines import content, is_listing, joined, lines_of, unknown
from donewhen.guard.programs.printing.patterns import Pattern, pattern

_SED = options(
    "nErsuz",
    "ef",
    "quiet silent regexp-extended posix separate unbuffered null-data",
    "expression file",
    attached="i",
)
_SELECTS = re.compile(r"[0-9$,;!\s]*(?:[0-9$,!\s]*[pdq=;\s])*")
_PLACE = re.compile(r"\d{1,9}|\$")
_FLAGS = re.compile(r"[gpiI]{0,4}")
_REFERENCE = re.compile(r"\\(.)|&", re.DOTALL)
_REFUSED = re.compile(r"\\[a-mo-su-zA-Z]")  # `\L&`, `\x41` and other extensions
_SPECIAL = frozenset("|+?(){}.*^$[]&n")
_MOST_COMMANDS = 50
_MOST_WORK = 4_000_000
_OVERHEAD = 20


class _Command(NamedTuple):
    letter: str
    first: "str | Pattern | None"
    last: "str | Pattern | None"
    negated: bool
    regex: Pattern | None = None
    to: str = ""
    flags: str = ""


def sed(call: Call) -> str:
    found = read(call.argv[1:], _SED)
    scripts = found.all("-e", "--expression")
    operands = found.operands
    if not scripts and not found.has("-f", "--file"):
        scripts, operands = list(operands[:1]), operands[1:]
    text = content(call, operands)
    if found.has("-i", "-f", "--file", "-z", "-s") or not all(map(certain, scripts)):
        return unknown(text, *scripts)
    script = "\n".join(scripts)
    if not certain(text):
        return (
            text
            if is_listing(text) and _SELECTS.fullmatch(script[:200]) and len(script) < 200
            else unknown(text)
        )
    commands = _commands(script, found.has("-E", "-r", "--regexp-extended"))
    lines = lines_of(text)
    if commands is None or not all(_fits(command, lines) for command in commands):
        return unknown(text)
    return _run(commands, lines, found.has("-n", "--quiet", "--silent"))


def _fits(command: _Command, lines: Sequence[str]) -> bool:
    used = (command.regex, command.first, command.last)
    return all(one.fits(lines) for one in used if isinstance(one, Pattern))


def _commands(script: str, extended: bool) -> list[_Command] | None:
    out: list[_Command] = []
    at = 0
    while at < len(script):
        if script[at] in " \t\n;":
            at += 1
            continue
        read_one = _command(script, at, extended)
        if read_one is None or len(out) >= _MOST_COMMANDS:
            return None
        command, at = read_one
        out.append(command)
    return out


def _command(script: str, at: int, extended: bool) -> tuple[_Command, int] | None:
    slash = script[at] == "/"
    first, at = _place(script, at, extended)
    if slash and first is None:
        return None
    last: str | Pattern | None = None
    if first is not None and script[at : at + 1] == ",":
        last, at = _place(script, at + 1, extended)
        if last is None:
            return None
    while script[at : at + 1] in (" ", "!"):
        at += 1
    negated = script[at - 1 : at] == "!"
    letter = script[at : at + 1]
    if letter in ("p", "d", "q") and script[at + 1 : at + 2] in ("", ";", "\n", " "):
        return _Command(letter, first, last, negated), at + 1
    if letter not in ("s", "y") or at + 1 >= len(script):
        return None
    return _exchange(script, at, extended, _Command(letter, first, last, negated))


def _place(script: str, at: int, extended: bool) -> "tuple[str | Pattern | None, int]":
    number = _PLACE.match(script, at)
    if number:
        return number[0], number.end()
    if script[at : at + 1] == "/":
        text, end = _until(script, at + 1, "/")
        return (pattern(text, extended) if end > 0 else None), max(end, at)
    return None, at


def _exchange(script: str, at: int, extended: bool, command: _Command) -> tuple[_Command, int] | None:
    """`s/…/…/flags` or `y/…/…/` whose letter stands at `at`."""
    mark = script[at + 1]
    before, middle = _until(script, at + 2, mark)
    after, end = _until(script, middle, mark) if middle > 0 else ("", -1)
    if end < 0 or mark in "\\\n":
        return None
    if command.letter == "y":
        same = len(before) == len(after) and "\\" not in before + after
        return (command._replace(to=before + after), end) if same else None
    flags = _FLAGS.match(script, end)
    stop = flags.end() if flags else end
    regex = pattern(before, extended, "i" in script[end:stop].lower()) if before else None
    if (
        regex is None
        or regex.choices
        or _REFUSED.search(after)
        or script[stop : stop + 1] not in ("", ";", "\n", " ", "}")
    ):
        return None
    return command._replace(regex=regex, to=after, flags=script[end:stop]), stop


def _until(script: str, at: int, mark: str) -> tuple[str, int]:
    """The text up to a mark that is not escaped, and the place behind it; -1 when there is none."""
    out: list[str] = []
    while at < len(script):
        if script[at] == mark:
            return "".join(out), at + 1
        if script[at] == "\\" and at + 1 < len(script):
            if script[at + 1] == mark and mark in _SPECIAL:
                return "", -1  # whether it loses its meaning depends on the version
            out.append(mark if script[at + 1] == mark else script[at : at + 2])
            at += 2
        else:
            out.append(script[at])
            at += 1
    return "", -1


def _run(commands: Sequence[_Command], lines: Sequence[str], quiet: bool) -> str:
    out: list[str] = []
    inside: dict[int, bool] = {}
    work = 0
    for number, line in enumerate(lines, 1):
        kept, ended = not quiet, False
        for place, command in enumerate(commands):
            work += _cost(command, line)
            if work > _MOST_WORK:
                return unknown(*lines)
            if not _applies(command, place, number, line, number == len(lines), inside):
                continue
            if command.letter in "dq":
                kept, ended = kept and command.letter == "q", command.letter == "q"
                break
            line, prints = _changed(command, line)
            if prints:
                out.append(line)
        if kept:
            out.append(line)
        if ended:
            break
    return joined(out)


def _cost(command: _Command, line: str) -> int:
    """How much a command may do to a line: trying its pattern, and how long the line gets."""
    if command.regex is None:
        return len(line) + _OVERHEAD
    references = command.to.count("&") + command.to.count("\\")
    tried = int(len(line) ** (command.regex.repeats + 1))
    hits = len(line) + 1 if "g" in command.flags else 1
    return _OVERHEAD + tried + hits * (1 + len(command.to)) + references * len(line) * 2


def _applies(
    command: _Command, place: int, number: int, line: str, last: bool, inside: dict[int, bool]
) -> bool:
    if command.first is None:
        return not command.negated
    if command.last is None:
        return _at(command.first, number, line, last) != command.negated
    if inside.get(place):
        inside[place] = not (_at(command.last, number, line, last) or _passed(command.last, number))
        hit = not _passed(command.last, number)
    else:
        hit = _at(command.first, number, line, last)
        inside[place] = hit and not _passed(command.last, number + 1)
    return hit != command.negated


def _passed(place: "str | Pattern", number: int) -> bool:
    return isinstance(place, str) and place != "$" and number > int(place)


def _at(place: "str | Pattern", number: int, line: str, last: bool) -> bool:
    if isinstance(place, Pattern):
        return place.regex.search(line) is not None
    return last if place == "$" else number == int(place)


def _changed(command: _Command, line: str) -> tuple[str, bool]:
    """The line behind a command, and whether that command prints it."""
    if command.letter == "p":
        return line, True
    if command.letter == "y":
        half = len(command.to) // 2
        return line.translate(dict(zip(map(ord, command.to[:half]), command.to[half:], strict=True))), False
    assert command.regex is not None
    to = command.to
    changed, hits = command.regex.regex.subn(
        lambda hit: _replacement(to, hit), line, count=0 if "g" in command.flags else 1
    )
    return changed, bool(hits) and "p" in command.flags


def _replacement(to: str, hit: re.Match[str]) -> str:
    def one(reference: re.Match[str]) -> str:
        letter = reference[1]
        if letter is None:
            return hit[0]
        if letter.isdigit():
            return (hit[int(letter)] or "") if int(letter) <= hit.re.groups else ""
        return {"n": "\n", "t": "\t"}.get(letter, letter)

    return _REFERENCE.sub(one, to)
