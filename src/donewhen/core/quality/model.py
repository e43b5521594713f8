"""What a gate finds, and what it comes to: plain data that every gate, report and cache shares.

A gate that could not run is never one that passed; nothing here decides what is required or new.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, NamedTuple

from donewhen.core.errors import DonewhenError
from donewhen.core.findings import Category
from donewhen.core.texts import Phrase

Severity = Literal["error", "warning", "note"]
Level = Literal["", "low", "medium", "high"]
GateVerdict = Literal["passed", "failed", "could_not_run", "skipped"]

CATEGORIES: Mapping[str, Category] = MappingProxyType(
    {
        "security": "security",
        "secrets": "security",
        "lint": "style",
        "integrity": "integrity",
        "semantic": "semantic",
    }
)  # every other gate is quality


class Violation(NamedTuple):
    """One complaint of a tool; `file` is relative to the tree's root with slashes, 0 is not known."""

    rule: str  # the tool's own id: S602, arg-type, no-unused-vars
    message: str
    file: str = ""
    line: int = 0
    column: int = 0
    severity: Severity = "error"
    subject: str = ""  # what it is about, where that says more than a line: the function's name
    value: float | None = None  # what is compared with a threshold
    level: Level = ""  # how grave, where a security tool says so
    fix: str = ""  # what to do
    confidence: float = 1.0
    details: str = ""
    by: str = ""  # whose tool it was, where it is not the project's own


class Unreadable(DonewhenError):
    """A tool printed what its reader does not understand: the gate could not run."""


class GateResult(NamedTuple):
    """`failed` without `required` is a warning; `violations` are those that count, new ones as a rule."""

    gate: str
    verdict: GateVerdict
    required: bool = False
    violations: tuple[Violation, ...] = ()
    old: int = 0  # that the base has as well: not told
    why: Phrase | None = None  # why it could not run, was skipped, or failed beyond its violations
    install: str = ""  # the command that brings what is missing
    tool: str = ""  # who measured: "ruff 0.17.4"
    numbers: Mapping[str, float] = MappingProxyType({})
    files: int = 0  # that were looked at
    duration_ms: int = 0
    cached: bool = False

    @property
    def blocks(self) -> bool:
        return self.required and self.verdict in ("failed", "could_not_run")
