"""File name patterns of the search tools: `*`, `?`, `[…]`, `**` for any folders, `{a,b}` for alternatives.

A pattern without a slash is found at any depth, one with a slash starts at the folder that is searched. Pure,
and in time that grows with the lengths only: many stars must not take for ever.
"""

import fnmatch
import re
from collections.abc import Callable, Sequence

from donewhen.core.errors import AgentError
from donewhen.core.shown import one_name

_LONGEST = 1000
_MOST = 64  # alternatives
_Name = Callable[[str], object]


def matcher(pattern: str) -> Callable[[str], bool]:
    """Whether a relative path of a file is meant; AgentError for a pattern that is too long or too wide."""
    if not pattern.strip() or len(pattern) > _LONGEST or "\0" in pattern:
        raise AgentError("toolbox.bad_glob", pattern=one_name(pattern), most=_MOST, longest=_LONGEST)
    compiled = [_compiled(each) for each in _alternatives(pattern)]
    return lambda path: any(_covers(names, path.split("/")) for names in compiled)


def _alternatives(pattern: str) -> list[str]:
    waiting, done = [pattern], list[str]()
    while waiting:
        text = waiting.pop()
        found = _braces(text)
        if found is None:
            done.append(text)
        else:
            start, end, choices = found
            waiting += [text[:start] + choice + text[end:] for choice in reversed(choices)]
        if len(waiting) + len(done) > _MOST:
            raise AgentError("toolbox.bad_glob", pattern=one_name(pattern), most=_MOST, longest=_LONGEST)
    return done


def _braces(text: str) -> tuple[int, int, list[str]] | None:
    """The first pair that holds no other one and a comma: where it is, and its choices."""
    for found in re.finditer(r"\{([^{}]*)\}", text):
        if "," in found.group(1):
            return found.start(), found.end(), found.group(1).split(",")
    return None


def _compiled(pattern: str) -> list[_Name | None]:
    """One test per name; None stands for any number of names."""
    anchored = "/" in pattern.rstrip("/")
    parts = [part for part in pattern.split("/") if part not in ("", ".")]
    if pattern.endswith("/"):
        parts.append("**")
    if not anchored:
        parts.insert(0, "**")
    if parts[-1] == "**":
        parts.append("*")
    return [None if part == "**" else re.compile(fnmatch.translate(part)).match for part in parts]


def _covers(names: Sequence[_Name | None], path: Sequence[str]) -> bool:
    """Every test takes one name, `**` any number; only the latest of these ever has to take more."""
    at = test = 0
    star = back = -1
    while at < len(path):
        name = names[test] if test < len(names) else None
        if test < len(names) and name is None:
            star, back = test, at
            test += 1
        elif name is not None and name(path[at]):
            test += 1
            at += 1
        elif star >= 0:
            back += 1
            test, at = star + 1, back
        else:
            return False
    return all(rest is None for rest in names[test:])
