"""A makefile in which only targets of the product changed: the ones that the goal is about.

Such a file is not put back for the base's exam, which would then examine the old product. All else in it,
the targets that the commands ask for above all, must be as it was. Pure.
"""

import re
from collections.abc import Collection
from typing import NamedTuple

_MAKEFILE = re.compile(r"(?:GNU)?[Mm]akefile|[\w.-]{1,80}\.mk")
_RULE = re.compile(r"([\w./-][\w./ -]{0,200}?)[ \t]{0,9}::?(?!=)(.{0,1000})")
_LARGEST = 256 * 1024


class _Parts(NamedTuple):
    targets: dict[str, tuple[str, ...]]  # header and recipe, by name
    rest: tuple[str, ...]


def is_makefile(path: str) -> bool:
    return bool(_MAKEFILE.fullmatch(path.rpartition("/")[2]))


def only_ordered_targets(before: bytes, after: bytes, asked: Collection[str], goal: str) -> bool:
    """Whether nothing differs but targets that the goal names and that no command asks for."""
    if max(len(before), len(after)) > _LARGEST:
        return False
    base, now = (_parts(data.decode(errors="replace")) for data in (before, after))
    if _settings(base.rest) != _settings(now.rest):
        return False
    names = {n for n in base.targets.keys() | now.targets.keys() if base.targets.get(n) != now.targets.get(n)}
    return bool(names) and all(name not in asked and _is_named(name, goal) for name in names)


def _parts(text: str) -> _Parts:
    targets: dict[str, tuple[str, ...]] = {}
    rest: list[str] = []
    current = ""
    for line in text.split("\n"):
        rule = None if line.startswith(("\t", "#", ".")) else _RULE.fullmatch(line)
        if rule:
            current = rule[1].strip()
            targets[current] = (*targets.get(current, ()), line.rstrip())
        elif line.startswith("\t") and current:
            targets[current] = (*targets[current], line.rstrip())
        elif line.strip():
            current = ""
            rest.append(line.rstrip())
    return _Parts(targets, tuple(rest))


def _settings(lines: Collection[str]) -> list[str]:
    """What is neither a comment nor a list of names that are no files."""
    return [line for line in lines if not line.startswith(("#", ".PHONY"))]


def _is_named(name: str, goal: str) -> bool:
    word = re.escape(name)
    shapes = (
        rf"\bmake {word}\b|[`'\"]{word}[`'\"]|\b(?:target|recipe) {word}\b|\b{word}[- ](?:target|recipe)\b"
    )
    return bool(re.search(shapes, goal[:20_000]))
