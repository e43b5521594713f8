"""The one value that every report is made of: what a verification came to, as plain data.

Reports are pure functions of it, so that the same verification says the same everywhere. Nothing here decides
whether a change is accepted; that was decided before.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

from donewhen.core.findings import Feedback
from donewhen.core.quality.model import GateResult
from donewhen.core.texts import Language

VERDICT_MARKS = {"accepted": "✓", "not_accepted": "✗", "needs_word": "?", "could_not": "✗"}
Verdict = Literal["accepted", "not_accepted", "needs_word", "could_not"]


class Report(NamedTuple):
    """`decision`, `base`, `changed` and `commands` are what `--json` prints under these names."""

    version: str  # of donewhen
    run: str
    decision: Mapping[str, Any]  # status, stop_reason, cause, summary, details, results
    exit_code: int
    fingerprint: str = ""
    base: Mapping[str, str] = MappingProxyType({})  # commit, name
    branch: str = ""
    changed: Mapping[str, str] = MappingProxyType({})  # path: added, modified, deleted …
    commands: tuple[Mapping[str, Any], ...] = ()
    gates: tuple[GateResult, ...] = ()
    feedback: tuple[Feedback, ...] = ()  # everything that was found: tests, integrity, gates, reviewer
    notes: tuple[str, ...] = ()
    duration_ms: int = 0
    language: Language = "en"
    record: str = ""  # where the acceptance record lies

    @property
    def verdict(self) -> Verdict:
        if self.exit_code == 0 and self.decision.get("status", "accepted") == "accepted":
            return "accepted"
        if self.exit_code == 4:
            return "needs_word"
        return "not_accepted" if self.exit_code == 1 else "could_not"
