"""sed scripts: a scanner of the language, so that only real commands count (`w`, `r`, `e`), never letters "
"in a
pattern or in text.

A script that can't be read is unknown. Nothing is substituted or run.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from donewhen.guard.call import Call, Nested, Text
from donewhen.guard.effects import Effect, Reads, Unknown, Writes
from donewhen.guard.marks import HOLE

_LABELS = frozenset(":btTv")
_PLAIN = frozenset("=dDFgGhHnNpPxz")
_NUMBERED = frozenset("lLqQ")
_FILES = frozenset("rRwW")
_SPECIAL = frozenset(("/dev/stdout", "/dev/stderr", "/dev/stdin"))


class _Bad(Exception):
    """Not a script that sed would take."""


class _Done(NamedTuple):
    at: int
    kind: str = ""  # read, write, run, space (runs the pattern space), partly (runs it, and a part is known)
    text: str = ""


def sed(text: str, call: Call) -> Iterator[Effect | Nested]:
    """What a script does besides printing."""
    at = 0
    try:
        while at < len(text):
            if text[at] in " \t\n;}":
                at += 1
                continue
            done = _command(text, _addresses(text, at))
            at = done.at
            yield from _effects(done, call)
    except _Bad:
        yield Unknown("guard.unknown_code", text[:200])


def _effects(done: _Done, call: Call) -> Iterator[Effect | Nested]:
    if done.kind == "run":
        yield Text(done.text, call.name)
    elif done.kind in ("space", "partly"):
        if done.text:
            yield Text(done.text, call.name)
        yield Unknown("guard.unknown_text", "sed e")
    elif done.kind in ("read", "write") and done.text not in _SPECIAL:
        yield (Reads if done.kind == "read" else Writes)(call.at(done.text))


def _blanks(text: str, at: int) -> int:
    while at < len(text) and text[at] in " \t":
        at += 1
    return at


def _addresses(text: str, at: int) -> int:
    """Behind the addresses of a command."""
    for _ in range(2):
        at = _address(text, _blanks(text, at))
        at = _blanks(text, at)
        if text[at : at + 1] != ",":
            break
        at += 1
    while text[at : at + 1] in ("!", " ", "\t"):
        at += 1
    return at


def _address(text: str, at: int) -> int:
    letter = text[at : at + 1]
    if letter in ("/", "\\") and letter:
        start = at + (letter == "\\")
        at = _delimited(text, start + 1, text[start : start + 1])
        while text[at : at + 1] in ("I", "M"):
            at += 1
        return at
    if letter == "$":
        return at + 1
    while text[at : at + 1].isdigit() or text[at : at + 1] in ("~", "+"):
        at += 1
    return at


def _delimited(text: str, at: int, mark: str) -> int:
    """Behind the next unescaped delimiter; one inside brackets does not count."""
    if not mark or mark in "\n\\":
        raise _Bad
    inside = False
    while at < len(text):
        letter = text[at]
        if letter == "\\":
            at += 1
        elif inside:
            inside = letter != "]"
        elif letter == mark:
            return at + 1
        elif letter == "[" and mark != "[":
            inside, at = _bracket(text, at)
        at += 1
    raise _Bad


def _bracket(text: str, at: int) -> tuple[bool, int]:
    """Into a bracket expression, when it has an end; its first character may be `]`."""
    start = at + 1 + (text[at + 1 : at + 2] == "^")
    start += text[start : start + 1] == "]"
    end = text.find("]", start, start + 2_000)
    if end < 0 or "\n" in text[start:end]:
        return False, at
    return True, start - 1


def _line(text: str, at: int) -> tuple[str, int]:
    end = text.find("\n", at)
    end = len(text) if end < 0 else end
    return text[at:end], end


def _command(text: str, at: int) -> _Done:
    letter = text[at : at + 1]
    if letter in ("{", "}"):
        return _Done(at + 1)
    if letter == "#":
        return _Done(_line(text, at)[1])
    if letter == "s":
        return _substitute(text, at)
    if letter == "y":
        return _end(
            text, _delimited(text, _delimited(text, at + 2, text[at + 1 : at + 2]), text[at + 1 : at + 2])
        )
    if letter and letter in "aic":
        return _Done(_appended(text, at + 1))
    if letter == "e":
        command, end = _line(text, at + 1)
        return _Done(end, "run", command.strip()) if command.strip() else _Done(end, "space")
    if letter in _FILES and letter:
        name, end = _line(text, at + 1)
        return _Done(end, "read" if letter in "rR" else "write", name.strip())
    return _simple(text, at, letter)


def _simple(text: str, at: int, letter: str) -> _Done:
    if letter in _LABELS and letter:
        at += 1
        while at < len(text) and text[at] not in (";\n" if letter != ":" else "\n;"):
            at += 1
        return _Done(at)
    if letter in _NUMBERED and letter:
        at = _blanks(text, at + 1)
        while text[at : at + 1].isdigit():
            at += 1
        return _end(text, at)
    if letter and letter in _PLAIN:
        return _end(text, at + 1)
    raise _Bad


def _end(text: str, at: int) -> _Done:
    at = _blanks(text, at)
    if at < len(text) and text[at] not in ";}\n#":
        raise _Bad
    return _Done(at)


def _appended(text: str, at: int) -> int:
    """Behind the text of `a`, `i` or `c`: its line, and those that a backslash joins to it."""
    while at < len(text):
        line, end = _line(text, at)
        bare = len(line) - len(line.rstrip("\\"))
        at = end + 1
        if bare % 2 == 0:
            return end
    return len(text)


def _substitute(text: str, at: int) -> _Done:
    mark = text[at + 1 : at + 2]
    middle = _delimited(text, at + 2, mark)
    end = _replacement(text, middle, mark)
    while end < len(text):
        flag = text[end]
        end += 1
        if flag == "w":
            name, stop = _line(text, end)
            return _Done(stop, "write", name.strip())
        if flag == "e":
            return _Done(
                end + _rest(text, end), _made(text[at + 2 : middle - 1]), _known(text[middle:end], mark)
            )
        if not (flag.isdigit() or flag in "gpiImM"):
            return _end(text, end - 1)
    return _Done(end)


def _replacement(text: str, at: int, mark: str) -> int:
    """Behind a replacement, in which brackets mean nothing."""
    while at < len(text) and text[at] != mark:
        at += 2 if text[at] == "\\" else 1
    if at >= len(text):
        raise _Bad
    return at + 1


def _made(pattern: str) -> str:
    """Does a substitution replace all of the pattern space?"""
    return "run" if pattern in (".*", "^.*", "^.*$", ".*$") else "partly"


def _known(tail: str, mark: str) -> str:
    """The replacement, of which only what it takes from the input is unknown."""
    body = tail[: _replacement(tail, 0, mark) - 1]
    text = re.sub(r"\\[0-9]|(?<!\\)&", HOLE, body)
    return re.sub(r"\\(.)", r"\1", text, flags=re.DOTALL)


def _rest(text: str, at: int) -> int:
    found = at
    while found < len(text) and text[found] not in ";}\n":
        found += 1
    return found - at
