"""Coverage thresholds in settings, scripts and commands: read as numbers, compared, switched off. Pure."""

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

_OPTION = (
    r"--cov-fail-under|--fail-under(?:-lines|-functions|-regions)?|--minimum-coverage|fail_under|fail-under|cov_fail_under"
    r"|minimum_coverage|min_coverage"
)
_KIND = r"lines|branches|functions|statements"  # of nyc, c8, jest and vitest
_NUMBER = r"[\"']?\s{0,5}[=:\s]\s{0,5}[\"']?(-?\d{1,9}(?:\.\d{1,9})?)"
_OF_OPTION = re.compile(rf"(?<![\w-])({_OPTION}){_NUMBER}")
_OF_KIND = re.compile(rf"(?<![\w.])((?:--)?(?:{_KIND})){_NUMBER}")
_SPEAKS_OF_KINDS = re.compile(
    r"coverageThreshold|thresholds?\b|\bnyc\b|\bc8\b|check-?coverage", re.IGNORECASE
)
_LARGEST = 512 * 1024


class Lowered(NamedTuple):
    """A threshold that is less than it was; `now` is None where it is gone."""

    key: str
    was: float
    now: float | None


def thresholds(text: str) -> dict[str, list[float]]:
    """By name, the highest first."""
    found: dict[str, list[float]] = {}
    for match in _matches(text):
        found.setdefault(match[1].strip("-").replace("-", "_").replace("cov_fail", "fail"), []).append(
            float(match[2])
        )
    return {key: sorted(values, reverse=True) for key, values in found.items()}


def lowered(base: Iterable[str], now: Iterable[str]) -> tuple[Lowered, ...]:
    """All texts of a side together, so that a threshold may move from one file to another."""
    before, after = _all(base), _all(now)
    found = []
    for key, values in before.items():
        left = after.get(key, [])
        for number, was in enumerate(values):
            has = left[number] if number < len(left) else None
            if has is None or has < was:
                found.append(Lowered(key, was, has))
                break
    return tuple(found)


def without_thresholds(text: str) -> str:
    """The same with 0 for every threshold."""
    for match in sorted(_matches(text), key=lambda each: -each.start(2)):
        text = f"{text[: match.start(2)]}0{text[match.end(2) :]}"
    return text


def _all(texts: Iterable[str]) -> Mapping[str, list[float]]:
    found: dict[str, list[float]] = {}
    for text in texts:
        for key, values in thresholds(text).items():
            found[key] = sorted((*found.get(key, ()), *values), reverse=True)
    return found


def _matches(text: str) -> list[re.Match[str]]:
    if len(text) > _LARGEST:
        return []
    shapes = (_OF_OPTION, _OF_KIND) if _SPEAKS_OF_KINDS.search(text) else (_OF_OPTION,)
    return [match for shape in shapes for match in shape.finditer(text)]
