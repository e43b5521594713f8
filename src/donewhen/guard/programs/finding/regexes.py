"""Expressions of `find -regex` as patterns for whole paths, where they are simple enough.

Groups are multiplied out, repetitions become stars; the dialects differ in which characters need a backslash,
so both spellings of groups are taken as groups. What is beyond that has no pattern.
"""

import re
from functools import lru_cache

_TOKEN = re.compile(
    r"(?P<open>\\?\()|(?P<close>\\?\))|(?P<either>\\?\|)|(?P<set>\[\^?\]?[^\]]*\])"
    r"|(?P<many>\\?[+?]|\*|\\?\{[\d,]*\\?\})|(?P<edge>\^|\$)|(?P<any>\.)|\\(?P<escaped>[^\w])|(?P<plain>[^\\])",
    re.DOTALL,
)
_MOST = 32
_LONGEST = 300
_LITERAL = frozenset("*?[]{}")  # they would mean something in a pattern


@lru_cache(maxsize=256)
def globs_of(regex: str) -> tuple[str, ...]:
    """The patterns that let in what the expression does; none: not known."""
    if len(regex) > _LONGEST:
        return ()
    levels: list[list[list[str]]] = [[[""]]]  # of each open group its alternatives, each with its texts
    before: list[str] = [""]  # how it was without the last piece, which a repetition would repeat
    at = 0
    while at < len(regex):
        found = _TOKEN.match(regex, at)
        if found is None or len(levels[-1][-1]) > _MOST:
            return ()
        at = found.end()
        kind = found.lastgroup or ""
        if kind == "open":
            levels.append([[""]])
        elif kind == "either":
            levels[-1].append([""])
        elif kind == "many":
            levels[-1][-1] = _joined(before, ["*"])
        elif kind != "edge":
            group = levels.pop() if kind == "close" and len(levels) > 1 else [[_one(kind, found[kind])]]
            before = levels[-1][-1]
            levels[-1][-1] = _joined(before, [one for branch in group for one in branch])
    return tuple(dict.fromkeys(one for branch in levels[0] for one in branch)) if len(levels) == 1 else ()


def _one(kind: str, text: str) -> str:
    return "?" if kind in ("any", "set") or text in _LITERAL else text


def _joined(fronts: list[str], ends: list[str]) -> list[str]:
    return [front + end for front in fronts for end in ends][: _MOST + 1]
