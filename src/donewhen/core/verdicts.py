"""What verifiers said, tree by tree: only the last word on the current tree counts, and a change of mind
without a change of the tree is no pass."""

from typing import NamedTuple

from donewhen.core.events.facts import Verified
from donewhen.core.tally import Standing
from donewhen.core.texts import Phrase


class _Word(NamedTuple):
    last: Verified
    seq: int
    passed: bool = False  # ever, on this tree
    failed: bool = False


class Verdicts:
    def __init__(self) -> None:
        self._words: dict[tuple[str, str], dict[str, _Word]] = {}  # (verifier, scope) → tree → what was said
        self._latest: dict[str, dict[str, Verified]] = {}  # verifier → scope → its last verdict

    def take(self, body: Verified, seq: int) -> None:
        trees = self._words.setdefault((body.verifier, body.scope), {})
        was = trees.get(body.fingerprint)
        trees[body.fingerprint] = _Word(
            body,
            seq,
            bool(was and was.passed) or body.verdict == "passed",
            bool(was and was.failed) or body.verdict == "failed",
        )
        self._latest.setdefault(body.verifier, {})[body.scope] = body

    @property
    def known(self) -> tuple[tuple[str, str], ...]:
        """Every verifier and scope that was ever asked."""
        return tuple(self._words)

    def latest(self, verifier: str) -> tuple[Verified, ...]:
        """Its last verdict on each scope in this run, whatever the tree."""
        return tuple(self._latest.get(verifier, {}).values())

    def reason(self, verifier: str, scope: str, tree: str) -> str:
        """Why it gave no pass on this tree, as it said itself."""
        word = self._words.get((verifier, scope), {}).get(tree)
        said = word.last.details.get("reason") if word and not (word.passed and word.failed) else None
        return said if isinstance(said, str) else ""

    def standing(self, verifier: str, scope: str | None, tree: str) -> Standing:
        """Of one scope, or of all scopes that it was asked about on this tree."""
        found = [
            trees[tree]
            for (name, part), trees in self._words.items()
            if name == verifier and tree in trees and scope in (None, part)
        ]
        if not found:
            known = verifier in self._latest
            return Standing("pending", Phrase("gate.stale" if known else "gate.not_verified"))
        return min((_said(word) for word in found), key=lambda standing: standing.passed)


def _said(word: _Word) -> Standing:
    if word.passed and word.failed:
        return Standing("flaky", Phrase("gate.flaky"), word.seq)
    if word.last.verdict == "passed":
        return Standing("passed", Phrase("gate.passed"), word.seq)
    key = "gate.verifier_failed" if word.last.verdict == "failed" else "gate.verifier_could_not"
    return Standing("failed", Phrase(key, {"verdict": word.last.verdict}), word.seq)
