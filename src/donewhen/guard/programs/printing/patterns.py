"""Regular expressions of grep and sed, as far as they can be tried without risk.

A hostile pattern can keep a backtracking engine busy for ever, so only flat ones are taken: no repeated
groups, no back references, few repetitions, and text so short that the worst case stays small. All else
is `None`, and the caller says that it does not know.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

_MOST_WORK = 4_000_000
_REPEATS = frozenset("*+?{")
_OPENS = ("(", "|", "^")
_REFUSED = "\x00"
_CLASSES = {
    "[:alpha:]": "a-zA-Z", "[:digit:]": "0-9", "[:alnum:]": "a-zA-Z0-9", "[:upper:]": "A-Z",
    "[:lower:]": "a-z", "[:space:]": r" \t\n\r\f\v", "[:blank:]": r" \t", "[:xdigit:]": "0-9A-Fa-f",
    "[:punct:]": r"!-/:-@\[-`{-~",
}  # fmt: skip
_LETTERS = {
    "w": r"\w",
    "W": r"\W",
    "s": r"\s",
    "S": r"\S",
    "b": r"\b",
    "<": r"\b(?=\w)",
    ">": r"\b(?<=\w)",
    "n": r"\n",
    "t": r"\t",
}


class Pattern(NamedTuple):
    regex: re.Pattern[str]
    repeats: int
    choices: int = 0  # where the longest choice counts, Python would take the first

    def fits(self, lines: Sequence[str]) -> bool:
        """May it be tried on these lines?"""
        if not all(line.isascii() for line in lines):
            return False  # what a letter is depends on the language
        power = self.repeats + 1
        return sum(int(len(line) ** power) for line in lines) <= _MOST_WORK


@lru_cache(maxsize=256)
def pattern(text: str, extended: bool, ignore_case: bool = False) -> Pattern | None:
    """A basic or extended expression for Python's engine; None when it is not a flat one."""
    if len(text) > 1000 or not text.isascii():
        return None
    translated = _translated(text, extended)
    if translated is None:
        return None
    source, repeats, choices = translated
    if repeats > 2 or choices > 6:
        return None
    try:
        return Pattern(re.compile(source, re.ASCII | (re.IGNORECASE if ignore_case else 0)), repeats, choices)
    except (re.error, OverflowError):
        return None


def fixed(text: str, ignore_case: bool = False) -> Pattern:
    return Pattern(re.compile(re.escape(text), re.IGNORECASE if ignore_case else 0), 0)


def _translated(text: str, extended: bool) -> tuple[str, int, int] | None:
    """The expression in Python's spelling, how often it repeats and how often it chooses."""
    out: list[str] = []
    repeats = at = 0
    while at < len(text):
        element, at = _token(text, at, extended)
        if element == _REFUSED:
            return None
        if element[0] in _REPEATS:
            before = out[-1] if out else "("
            if element == "*" and before in _OPENS and not extended:
                element = r"\*"  # there it stands for itself
            elif before in _OPENS or before == ")" or before[0] in _REPEATS:
                return None
            else:
                repeats += 1
        out.append(element)
    return "".join(out), repeats, out.count("|")


def _token(text: str, at: int, extended: bool) -> tuple[str, int]:
    """One element in Python's spelling, and where the next begins."""
    letter = text[at]
    if letter == "[":
        return _bracket(text, at)
    if letter == "\\":
        return _backslash(text, at, extended)
    if letter == "{" and extended:
        return _counted(text, at, "}")
    if letter in ".*" or (letter in "+?(|)" and extended):
        return letter, at + 1
    if letter == "^" and (extended or at == 0 or text[max(0, at - 2) : at] in (r"\(", r"\|")):
        return letter, at + 1
    if letter == "$" and (extended or at + 1 == len(text) or text[at + 1 : at + 3] in (r"\)", r"\|")):
        return letter, at + 1
    return re.escape(letter), at + 1


def _backslash(text: str, at: int, extended: bool) -> tuple[str, int]:
    following = text[at + 1 : at + 2]
    if not following or following.isdigit():
        return _REFUSED, at + 2
    if following in _LETTERS:
        return _LETTERS[following], at + 2
    if following == "{" and not extended:
        return _counted(text, at + 1, r"\}")
    if following in "+?(|)" and not extended:
        return following, at + 2
    if following.isalpha():
        return _REFUSED, at + 2
    return re.escape(following), at + 2


def _counted(text: str, at: int, close: str) -> tuple[str, int]:
    end = text.find(close, at)
    count = text[at + 1 : end] if end > 0 else ""
    low, _, high = count.partition(",")
    if not (low.isdigit() and (high.isdigit() or not high)) or max(len(low), len(high)) > 3:
        return _REFUSED, len(text)
    return "{" + count + "}", end + len(close)


def _bracket(text: str, at: int) -> tuple[str, int]:
    start = at + 2 if text[at + 1 : at + 2] == "^" else at + 1
    end = start + 1 if text[start : start + 1] == "]" else start
    while end < len(text) and text[end] != "]":
        close = text.find(":]", end + 2) if text.startswith("[:", end) else -1
        end = close + 2 if close > 0 else end + 1
    if end >= len(text):
        return _REFUSED, len(text)
    inside = text[start:end].replace("\\", "\\\\")
    for name, letters in _CLASSES.items():
        inside = inside.replace(name, letters.replace("\\", "\x01"))
    if "--" in inside or "[:" in inside or "[=" in inside or "[." in inside:
        return _REFUSED, len(text)
    inside = inside.replace("[", r"\[").replace("]", r"\]").replace("\x01", "\\")
    inside = inside.replace("&&", r"&\&").replace("||", r"|\|").replace("~~", r"~\~")
    return f"[{'^' if start == at + 2 else ''}{inside}]", end + 1
