"""Numbers: seq, date and others of which the form is known if not the value.

`date +FORMAT` and `seq -s` print the text that they are given, so that text is kept.
"""

import re

from donewhen.guard.call import Call
from donewhen.guard.marks import HOLE, STAR, certain
from donewhen.guard.options import options, read
from donewhen.guard.programs.printing.lines import bounded, unknown

_SEQ = options("w", "sf", "equal-width", "separator format", first=True)
_DATE_VALUES = options("uRj", "dfrsvIz", "utc universal", "date file reference set rfc-3339")
_NUMBER = re.compile(r"-?\d{1,9}(?:\.\d{1,9})?")
_DIRECTIVE = re.compile(r"%[-_0^#EO]*\d{0,3}:{0,3}([a-zA-Z%+])")
_WITH_SLASH = {
    "D": f"{STAR}/{STAR}/{STAR}",
    "x": f"{STAR}/{STAR}/{STAR}",
    "c": HOLE,
    "%": "%",
    "n": "\n",
    "t": "\t",
}
_MOST = 2000


def number(call: Call) -> str:
    """A word or number that nobody but the machine chooses (`nproc`, `uname -m`, `id -u`)."""
    return STAR + "\n"


def nothing(call: Call) -> str:
    return ""


def seq(call: Call) -> str:
    # `-3` is a number here, no option
    words = ["--" if at == 0 and _NUMBER.fullmatch(word) else word for at, word in enumerate(call.argv[1:])]
    words[1:1] = [call.argv[1]] if words[:1] == ["--"] else []
    found = read(words, _SEQ)
    separator = found.value("-s", "--separator")
    if found.has("-f", "--format") or not all(certain(word) for word in words):
        return unknown(*words) if found.has("-f", "--format", "-s", "--separator") else f"{STAR}\n"
    if not found.operands or not all(
        word.lstrip("-").isdigit() and len(word) < 10 for word in found.operands
    ):
        return f"{STAR}{separator or ''}{STAR}\n"
    first, step, last = _bounds([int(word) for word in found.operands])
    numbers = range(first, last + (1 if step > 0 else -1), step or 1)
    if len(numbers) > _MOST or not step or found.has("-w", "--equal-width"):
        return f"{STAR}{separator or ''}{STAR}\n" if separator is not None else f"{STAR}\n"
    between = "\n" if separator is None else separator.replace("\\n", "\n").replace("\\t", "\t")
    return bounded(between.join(map(str, numbers)) + "\n") if numbers else ""


def _bounds(numbers: list[int]) -> tuple[int, int, int]:
    if len(numbers) == 1:
        return 1, 1, numbers[0]
    if len(numbers) == 2:
        return numbers[0], 1, numbers[1]
    return numbers[0], numbers[1], numbers[2]


def date(call: Call) -> str:
    """The text round its directives is printed as it stands."""
    found = read(call.argv[1:], _DATE_VALUES)
    form = next((word for word in found.operands if word.startswith("+")), None)
    if form is None:
        return STAR + "\n" if all(map(certain, call.argv[1:])) else HOLE + "\n"
    text = _DIRECTIVE.sub(lambda one: _WITH_SLASH.get(one[1], STAR), form[1:])
    return bounded(text + "\n")
