"""How grave ruff's security rules are; ruff does not say. The scale is bandit's, whose rules they are."""

from collections.abc import Mapping
from functools import partial
from types import MappingProxyType

from donewhen.core.quality.model import Level, Violation
from donewhen.core.quality.scoping import is_test
from donewhen.verify.quality.gates.parts import Reader

_LOW = "S101 S105 S106 S107 S110 S112 S311 S404 S603 S606 S607 S703"
_HIGH = "S201 S202 S324 S501 S502 S505 S507 S602 S605 S701 S702"
_LEVELS: Mapping[str, Level] = MappingProxyType(
    {**dict.fromkeys(_LOW.split(), "low"), **dict.fromkeys(_HIGH.split(), "high")}
)
_IN_TESTS = frozenset(("S101",))  # an assertion is what a test is made of


def levelled(read: Reader, chosen: bool) -> Reader:
    """`chosen`: the project turned the rules on itself, so that even the lightest one counts."""
    return partial(_levelled, read, chosen)


def _levelled(read: Reader, chosen: bool, text: str, folder: str) -> tuple[Violation, ...]:
    found = (each for each in read(text, folder) if not (each.rule in _IN_TESTS and is_test(each.file)))
    return tuple(_with_level(each, chosen) for each in found)


def _with_level(violation: Violation, chosen: bool) -> Violation:
    level = _level_of(violation.rule)
    if level == "low" and not chosen:
        return violation._replace(level=level, severity="warning")
    return violation._replace(level=level)


def _level_of(rule: str) -> Level:
    if not (rule.startswith("S") and rule[1:].isdigit()):
        return ""
    return _LEVELS.get(rule, "low" if rule.startswith("S4") else "medium")
