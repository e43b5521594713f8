"""Evidence: facts folded from the events of a run, one by one, at a cost that does not grow with its history.

Each declared command is a target that is watched: every run is matched against it once, at the latest when
somebody asks, because most runs come in turns after which nobody does. Folding judges nothing; the gate reads
it together with the current tree.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from donewhen.core.counts import Counts, reports_failures
from donewhen.core.events import facts
from donewhen.core.matches import Described, Parse
from donewhen.core.outcome import outcome
from donewhen.core.paths import is_ours, relative
from donewhen.core.tally import Flaky, Standing, Tally, Trust
from donewhen.core.target import Target, describe_line, is_foreign, match_target
from donewhen.core.texts import Phrase
from donewhen.core.verdicts import Verdicts
from donewhen.core.versions import Versions

_NOT_LOADED = re.compile(r"^ERROR: \S+ \(unittest\.loader\._FailedTest", re.MULTILINE)
CRITICAL_HITS = 3  # of the same critical rule at the same target


class Run(NamedTuple):
    seq: int
    ended: facts.CommandEnded
    counts: Counts | None
    line: Described


class _Line(NamedTuple):
    green: bool = False
    harness: bool = False
    red: bool = False


class Evidence:
    def __init__(
        self,
        parse: Parse,
        flaky: Flaky = Flaky(),  # noqa: B008
        outside: Callable[[str], bool] = lambda path: False,
    ) -> None:
        self._parse = parse
        self._flaky = flaky
        self._outside = outside  # of the run's scope
        self._lines: dict[str, dict[str, _Line]] = {}  # tree → text → how it went
        self._tallies: dict[Target, Tally] = {}
        self._runs: list[Run] = []
        self._unread: list[tuple[int, facts.CommandEnded]] = []  # runs that nobody asked about yet
        self._seq = 0
        self.verdicts = Verdicts()
        self.approvals: set[str] = set()
        self.answers: dict[str, bool] = {}  # question → what a human said of it last
        self.checkpoints: dict[str, bool] = {}
        self.versions = Versions()
        self.written = self.versions.written  # path → version of its last write
        self.confirmed = self.versions.confirmed
        self.denials: list[tuple[int, facts.Denied]] = []
        self._critical: dict[tuple[str, str], int] = {}
        self.harms: list[str] = []  # what happened outside the workspace, to .git or to our own state
        self.drifts = 0  # writes outside the scope, refused or found

    @property
    def unsafe(self) -> bool:
        return bool(self.harms) or any(hits >= CRITICAL_HITS for hits in self._critical.values())

    def watch(self, target: Target) -> Tally:
        """The tally of a declared command; one that is new is matched against all runs so far."""
        self._read()
        tally = self._tallies.get(target)
        if tally is None:
            tally = self._tallies[target] = Tally(self._flaky)
            for run in self._runs:
                self._credit(target, tally, run)
        return tally

    def standing(self, target: Target, tree: str, trust: Trust) -> Standing:
        return self.watch(target).standing(tree, trust)

    def take(self, body: Any, seq: int | None = None) -> None:
        """Fold one event's body; those that are no facts change nothing."""
        self._seq = self._seq + 1 if seq is None else seq
        fold = _FOLDS.get(type(body))
        if fold:
            fold(self, body)

    def _ended(self, body: facts.CommandEnded) -> None:
        self._unread.append((self._seq, body))

    def _read(self) -> None:
        """Draw from the runs that came in since what they say."""
        unread, self._unread = self._unread, []
        for seq, ended in unread:
            self._credit_all(seq, ended)

    def _credit_all(self, seq: int, body: facts.CommandEnded) -> None:
        line = describe_line(body.command, self._parse)
        alone = line.sole and line.proven and line.program == "python" and body.exit == 0
        counts = (self._parse.last_counts(body.tail) if alone and not body.counts else None) or counts_of(
            body, self._parse
        )
        run = Run(seq, body, counts, line)
        self._runs.append(run)
        self._note_line(run)
        for target, tally in self._tallies.items():
            self._credit(target, tally, run)

    def _note_line(self, run: Run) -> None:
        ended, line = run.ended, run.line
        if not line.proven:
            return
        result, _ = outcome(ended, run.counts, is_test=line.is_test, program=line.program)
        for tree in _on(ended):
            texts = self._lines.setdefault(tree, {})
            was = texts.get(ended.command, _Line())
            texts[ended.command] = _Line(
                was.green or result == "green",
                was.harness or (result == "green" and ended.by == "harness"),
                was.red or result == "red",
            )

    def _credit(self, target: Target, tally: Tally, run: Run) -> None:
        ended = run.ended
        if ended.by == "harness" and is_foreign(target, ended.argv, ended.cwd):
            return
        match = match_target(target, ended.command, self._parse)
        if not match.same_check:
            if match.narrower and not match.masked and _names_failure(run):
                verdict = outcome(ended, run.counts, is_test=True, program="")
                tally.add(run.seq, _on(ended), ended.environment, verdict, by_harness=False)
            elif match.narrower:
                tally.note = Phrase(match.reason, match.values)
            return
        if match.masked:
            tally.note = Phrase(match.reason, match.values)
            return
        verdict = outcome(ended, run.counts, is_test=target.is_test, program=target.program)
        if verdict[0] == "red" and not (run.line.sole or _names_failure(run)):
            tally.note = Phrase("gate.red_line")  # which part of the line failed is not known
            return
        tally.add(run.seq, _on(ended), ended.environment, verdict, by_harness=ended.by == "harness")

    def any_green(self, tree: str, trust: Trust) -> bool:
        """Whether some command, whichever, passed on this tree and was never red there."""
        self._read()
        lines = self._lines.get(tree, {}).values()
        return any(not line.red and (line.harness or (trust == "agent" and line.green)) for line in lines)

    def _changed(self, body: facts.FileChanged) -> None:
        moved = (body.origin,) if body.change == "move" and body.origin else ()
        for path in (body.path, *moved):
            if relative(path) is None or is_ours(path):
                self.harms.append(path)
            elif self._outside(path):
                self.drifts += 1
        self.versions.change(body)

    def _confirmed(self, body: facts.FileConfirmed) -> None:
        self.versions.confirm(body)

    def _denied(self, body: facts.Denied) -> None:
        self.denials.append((self._seq, body))
        if body.approval == "never":
            hit = (body.rule, " ".join((body.target or body.command).split()))
            self._critical[hit] = self._critical.get(hit, 0) + 1
        if body.rule in ("scope", "scope-drift"):
            self.drifts += 1

    def _answered(self, body: facts.Answered) -> None:
        if body.by == "human":
            self.answers[body.ask] = body.allowed
        if body.allowed and body.by == "human" and body.text.strip():
            self.approvals.add(body.text.strip())

    def _judged(self, body: facts.CheckpointJudged) -> None:
        self.checkpoints[body.checkpoint] = body.allowed

    def _verified(self, body: facts.Verified) -> None:
        self.verdicts.take(body, self._seq)


def _on(ended: facts.CommandEnded) -> tuple[str, ...]:
    return ended.on or (ended.before,)


def counts_of(ended: facts.CommandEnded, parse: Parse) -> Counts | None:
    """From a machine report where there is one, else from what the runner printed."""
    if ended.counts:
        known = ended.counts.get
        return Counts(
            known("executed"), known("passed"), known("failed", 0), known("errors", 0), known("skipped", 0)
        )
    return parse.read_counts(ended.tail) if ended.tail else None


def _names_failure(run: Run) -> bool:
    """Whether a test is known to have failed; that a module by some name can't be loaded is no test."""
    if run.counts is None or not reports_failures(run.counts):
        return False
    unloaded = len(_NOT_LOADED.findall(run.ended.tail))
    return unloaded < run.counts.failed + run.counts.errors


_FOLDS: Mapping[type, Callable[[Evidence, Any], None]] = {
    facts.CommandEnded: Evidence._ended,
    facts.FileChanged: Evidence._changed,
    facts.FileConfirmed: Evidence._confirmed,
    facts.Denied: Evidence._denied,
    facts.Answered: Evidence._answered,
    facts.CheckpointJudged: Evidence._judged,
    facts.Verified: Evidence._verified,
}
