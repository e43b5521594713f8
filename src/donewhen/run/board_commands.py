"""What the events say about one declared command: its greens, its masked tries, what the agent saw.

Beside the tally of the evidence, which judges one tree, this remembers across trees what once stood, so that
a proof that went stale can be told from one that never was. It judges nothing else.
"""

from typing import Literal, NamedTuple

from donewhen.core.counts import summary
from donewhen.core.events.facts import CommandEnded
from donewhen.core.evidence import Evidence, counts_of
from donewhen.core.matches import Parse
from donewhen.core.outcome import outcome
from donewhen.core.tally import Standing
from donewhen.core.target import Target, is_foreign, match_target
from donewhen.core.texts import Language, Phrase, say

Status = Literal["passed", "pending", "failed", "stale", "masked"]


class Stand(NamedTuple):
    """Where something owed stands, with the events behind it."""

    status: Status
    reason: Phrase
    evidence: tuple[int, ...] = ()
    output: str = ""


class Place(NamedTuple):
    """The tree as it was last seen; one that nobody looked at has a name of its own."""

    tree: str = ""
    before: str = ""  # the known tree that it followed
    since: int = 0  # the event that showed it


class _Seen:
    """Tries of one command, by sequence number."""

    __slots__ = ("masked", "tries", "why")

    def __init__(self) -> None:
        self.tries: list[int] = []  # unmasked, whoever ran it and however it went
        self.masked = 0  # the last one that was
        self.why = Phrase("gate.not_run")

    @property
    def last(self) -> int:
        return self.tries[-1] if self.tries else 0


class Commands:
    """Takes every ended command once; targets may be added at any time, before or after."""

    def __init__(self, parse: Parse, evidence: Evidence) -> None:
        self._parse = parse
        self._evidence = evidence
        self._ends: dict[int, CommandEnded] = {}
        self._seen: dict[Target, _Seen] = {}
        self._said: dict[tuple[Target, int], str] = {}

    def watch(self, target: Target) -> None:
        if target in self._seen:
            return
        self._evidence.watch(target)
        seen = self._seen[target] = _Seen()
        for seq, ended in self._ends.items():
            self._note(seen, target, ended, seq)

    def ended(self, body: CommandEnded, seq: int) -> None:
        """The evidence has taken it already."""
        self._ends[seq] = body
        for target, seen in self._seen.items():
            self._note(seen, target, body, seq)

    def _note(self, seen: _Seen, target: Target, ended: CommandEnded, seq: int) -> None:
        if ended.by == "harness" and is_foreign(target, ended.argv, ended.cwd):
            return
        match = match_target(target, ended.command, self._parse)
        if not match.same_check:
            return
        if match.masked:
            seen.masked, seen.why = seq, Phrase(match.reason, match.values)
        else:
            seen.tries.append(seq)

    def _latest(self, target: Target) -> tuple[str, int]:
        """The last try that says something across trees: red, or green by the harness."""
        for seq in reversed(self._seen[target].tries):
            ended = self._ends[seq]
            if ended.by != "harness" and ended.exit == 0:
                continue  # what printed it is not read again for every picture
            if (target, seq) not in self._said:
                is_test, program = target.is_test, target.program
                self._said[target, seq], _ = outcome(
                    ended, counts_of(ended, self._parse), is_test=is_test, program=program
                )
            if self._said[target, seq] == "red" or (self._said[target, seq], ended.by) == (
                "green",
                "harness",
            ):
                return self._said[target, seq], seq
        return "", 0

    def stand(self, target: Target, now: Place, language: Language) -> Stand:
        self.watch(target)
        standing = self._evidence.standing(target, now.tree, "harness")
        if standing.status in ("failed", "flaky"):
            return self._told("failed", self._with_counts(standing, language), standing.seq)
        if standing.passed:
            return self._told("passed", standing.reason, standing.seq)
        stood = self._evidence.standing(target, now.before, "harness")
        seen = self._seen[target]
        if stood.passed and seen.masked < now.since:
            return self._told("stale", Phrase("live.stale", {"seq": stood.seq}), stood.seq)
        if standing.reason.key == "gate.only_by_agent" and standing.seq > seen.masked:
            return self._told("pending", Phrase("live.agent_passed", {"seq": standing.seq}), standing.seq)
        if seen.masked > seen.last:
            return self._told("masked", seen.why, seen.masked)
        return self._before(target, standing)

    def _before(self, target: Target, standing: Standing) -> Stand:
        """Nothing stands on this tree; what was before is told."""
        said, seq = self._latest(target)
        if said == "green":
            return self._told("stale", Phrase("live.stale", {"seq": seq}), seq)
        if said == "red":
            return self._told("pending", Phrase("live.changed_since"), seq)
        return self._told("pending", standing.reason, standing.seq)

    def _with_counts(self, standing: Standing, language: Language) -> Phrase:
        ended = self._ends.get(standing.seq)
        counts = counts_of(ended, self._parse) if ended is not None else None
        if counts is None or standing.reason.key == "gate.tests_failed":
            return Phrase("live.plain", {"text": summary(counts, language)}) if counts else standing.reason
        told = summary(counts, language)
        return Phrase("live.failed_counts", {"counts": told, "reason": standing.reason})

    def _told(self, status: Status, reason: Phrase, seq: int) -> Stand:
        ended = self._ends.get(seq)
        return Stand(status, reason, (seq,) if seq else (), ended.output if ended is not None else "")


def said(phrase: Phrase, language: Language) -> str:
    return say(phrase.key, language, **phrase.values)
