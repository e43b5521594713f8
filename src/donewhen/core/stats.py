"""Figures over many runs that only their ledgers hold: tokens, refusals, commands, verdicts, compression.

Pure. What the rows of the index tell is counted from these alone, in `stats_rows`.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, NamedTuple

from donewhen.core.events import Event
from donewhen.core.session import LivedFold
from donewhen.core.stats_claims import ClaimFold
from donewhen.core.stats_commands import CommandsFold
from donewhen.core.stats_rows import Spread, spread
from donewhen.core.summary import Summary

HANDED_OVER = frozenset({"escalated", "todo_waiting_external"})
LONGEST = 200  # characters of a name in a group; an agent may have written it
SHIPS = frozenset({"branch", "merge", "push"})  # effects whose reference is a commit
COMMIT = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
MOST_COMMITS = 20  # of one run
GroupKind = Literal["reason", "check", "todo", "verifier", "rule", "person", "gate", "model", "repo"]


class Spent(NamedTuple):
    calls: int = 0
    micros: int = 0
    tokens_in: int = 0
    tokens_out: int = 0

    def plus(self, micros: int, tokens_in: int, tokens_out: int) -> "Spent":
        return Spent(
            self.calls + 1, self.micros + micros, self.tokens_in + tokens_in, self.tokens_out + tokens_out
        )


class Later(NamedTuple):
    """Of an accepted run: where its change went, and what somebody told about it since."""

    repo: str = ""
    branch: str = ""
    commits: tuple[str, ...] = ()  # that were shipped
    ci: str = ""  # ci_passed, ci_failed; empty: nobody told


class Command(NamedTuple):
    times: int = 0
    failed: int = 0
    duration_ms: int = 0


class Group(NamedTuple):
    """Why runs failed or claims were refused: the same thing, how often, in how many runs, last in which."""

    kind: GroupKind
    name: str
    times: int
    runs: int
    last: str
    reason: str = ""  # the stop reason of a group of that kind


class LedgerFold:
    """Takes the ledgers of runs, newest run first; every figure is of those that were taken."""

    def __init__(self) -> None:
        self.runs = 0
        self.events = 0
        self.spent: dict[tuple[str, str], Spent] = {}  # kind, model
        self.held = 0  # micro-dollars set aside for calls whose cost was never booked
        self.rules: Counter[str] = Counter()
        self.people: Counter[str] = Counter()  # what a human said no to, by rule
        self.handed_over = 0  # runs that were, whatever became of them
        self.rested = 0  # runs that ended or are paused: the others may yet be handed over
        self.claims_refused = 0  # by evidence
        self.runs_refused = 0
        self.claims_early = 0  # refused because todos were open; nothing else was looked at
        self.claims_unjudged = 0  # a reviewer or a command could not run
        self.commands: dict[str, Command] = {}
        self.verdicts: Counter[str] = Counter()
        self.exam: Counter[str] = Counter()  # checks at judged claims: passed, failed
        self.verified = 0  # runs in which something was judged
        self.raw = self.sent = 0  # tokens at the last compression of each run that had one
        self.compressed = 0  # those runs
        self.later: dict[str, Later] = {}  # accepted runs: what was shipped, and what was told of it
        self._groups: dict[tuple[GroupKind, str], Group] = {}
        self._lived: list[float] = []

    def take(self, row: Summary, events: Iterable[Event]) -> None:
        own = _RunFold()
        for event in events:
            self.events += 1
            own.take(event, self)
        own.settle(self)
        self.runs += 1
        self.held += sum(own.held.values())
        self.claims_refused += own.refused
        self.runs_refused += own.refused > 0
        self.claims_early += own.early
        self.claims_unjudged += own.unjudged
        rests = row.ended or row.state == "paused"
        self.rested += rests
        self.handed_over += own.handed_over and rests
        self.verified += own.judged_any
        self.raw, self.sent = self.raw + own.raw, self.sent + own.sent
        self.compressed += own.sent > 0
        if row.ended and row.stop_reason == "accepted":
            self.later[row.run_id] = own.later._replace(repo=row.repo, branch=row.branch)
        if row.ended:
            self._lived.append(own.lived.seconds)
        for (kind, name), times in own.reasons_of(row).items():
            self._count(kind, name, times, row)

    def book(self, kind: str, model: str, spent: Spent) -> None:
        before = self.spent.get((kind, model), Spent())
        self.spent[kind, model] = Spent(*(one + more for one, more in zip(before, spent, strict=True)))

    def ran(self, command: str, duration_ms: int, failed: bool) -> None:
        name = short(command)
        times, bad, taken = self.commands.get(name, Command())
        self.commands[name] = Command(times + 1, bad + failed, taken + duration_ms)

    def groups(self) -> list[Group]:
        """Those that most runs share first; stop reasons before all else."""
        order = list(GroupKind.__args__)  # type: ignore[attr-defined]
        return sorted(self._groups.values(), key=lambda group: (order.index(group.kind), -group.runs))

    @property
    def duration(self) -> Spread | None:
        """Seconds for which ended runs lived; while nobody executed them they did not."""
        return spread(self._lived)

    def slowest(self, most: int) -> list[tuple[str, Command]]:
        return sorted(self.commands.items(), key=lambda each: -each[1].duration_ms)[:most]

    @property
    def tokens(self) -> tuple[int, int]:
        return (
            sum(each.tokens_in for each in self.spent.values()),
            sum(each.tokens_out for each in self.spent.values()),
        )

    @property
    def passes(self) -> float | None:
        """Verdicts of verifiers and checks of exams that passed, of those that passed or failed."""
        passed = self.verdicts["passed"] + self.exam["passed"]
        judged = passed + self.verdicts["failed"] + self.exam["failed"]
        return passed / judged if judged else None

    def _count(self, kind: GroupKind, name: str, times: int, row: Summary) -> None:
        old = self._groups.get((kind, name))
        if old:
            self._groups[kind, name] = old._replace(times=old.times + times, runs=old.runs + 1)
        else:
            reason = row.stop_reason if kind == "reason" else ""
            self._groups[kind, name] = Group(kind, name, times, 1, row.run_id, reason)


class _RunFold:
    """One run: what its ledger says about refusals, and who is named in it."""

    def __init__(self) -> None:
        self.refused = 0
        self.early = self.unjudged = 0
        self.handed_over = False
        self.cause = ""
        self.judged_any = False
        self.raw = self.sent = 0
        self.later = Later()
        self.lived = LivedFold()
        self.held: dict[str, int] = {}  # micro-dollars of open calls, by their key
        self._claims = ClaimFold()
        self._refused_last: tuple[str, tuple[str, ...]] = ("", ())  # tree, and what was owed
        self._commands = CommandsFold()
        self._shipping: set[str] = set()
        self._human_said_no = False
        self._why: Counter[tuple[GroupKind, str]] = Counter()
        self._models: set[str] = set()
        self._verdicts: dict[tuple[str, str], str] = {}

    def take(self, event: Event, whole: LedgerFold) -> None:
        self.lived.take(event)
        tell = _TAKES.get(event.type)
        if tell:
            tell(self, event.body, whole)

    def reasons_of(self, row: Summary) -> Counter[tuple[GroupKind, str]]:
        """The groups that the run belongs to; an accepted one only to those of its refused claims."""
        why = self._why.copy()
        if row.stop_reason not in ("", "accepted") and (row.ended or row.state == "paused"):
            why["reason", short(f"{row.stop_reason}: {self.cause}" if self.cause else row.stop_reason)] += 1
            for verifier, verdict in _by_verifier(self._verdicts):
                if verdict in ("failed", "could_not_run"):
                    why["verifier", short(verifier)] += 1
            for model in self._models:
                why["model", short(model)] += 1
            if row.repo:
                why["repo", short(row.repo)] += 1
        return why

    def decided(self, body: Any, whole: LedgerFold) -> None:
        self.settle(whole)
        judged = self._claims.decided(body)
        self.cause = body.cause
        self.handed_over = self.handed_over or body.stop_reason in HANDED_OVER
        if body.status == "accepted":
            self._examined(body.results, whole)
        if body.status != "continue":
            return
        for name in judged.todos:
            self._why["todo", short(name)] += 1
        self.early += judged.became == "early"
        self.unjudged += judged.became == "unjudged"
        if judged.became != "refused" or self._is_repeated(body):
            return
        self.refused += 1
        passed = [result for result in body.results if result.get("passed", True)]
        self._examined((*passed, *judged.failed), whole)
        for result in judged.failed:
            kind, target = str(result.get("kind", "")), str(result.get("target") or "")
            self._why["check", short(f"{kind} {target}" if target and target != kind else kind)] += 1

    def _is_repeated(self, body: Any) -> bool:
        """Whether it refuses what was refused last, on the very same tree: that is one claim."""
        before, self._refused_last = self._refused_last, (body.fingerprint, tuple(sorted(body.pending)))
        return bool(body.fingerprint) and before == self._refused_last

    def _examined(self, results: Sequence[Mapping[str, Any]], whole: LedgerFold) -> None:
        for result in results:
            whole.exam["passed" if result.get("passed", True) else "failed"] += 1
            self.judged_any = True

    def compressed(self, body: Any, whole: LedgerFold) -> None:
        if body.raw > 0 and body.sent > 0:
            self.raw, self.sent = body.raw, body.sent

    def intended(self, body: Any, whole: LedgerFold) -> None:
        if body.effect in SHIPS:
            self._shipping.add(body.key)

    def done(self, body: Any, whole: LedgerFold) -> None:
        if body.ok and body.key in self._shipping and COMMIT.fullmatch(body.reference):
            self.later = self.later._replace(commits=(*self.later.commits, body.reference)[-MOST_COMMITS:])

    def audited(self, body: Any, whole: LedgerFold) -> None:
        self.later = self.later._replace(ci=body.found)

    def todo(self, body: Any, whole: LedgerFold) -> None:
        self._claims.todo(body)

    def withdrawn(self, body: Any, whole: LedgerFold) -> None:
        self._todos = {str(each["id"]): str(each.get("status") or "pending") for each in body.todos}

    def answered(self, body: Any, whole: LedgerFold) -> None:
        self._human_said_no = body.by == "human" and not body.allowed

    def reserved(self, body: Any, whole: LedgerFold) -> None:
        self.held[body.key] = self.held.get(body.key, 0) + body.micros

    def booked(self, body: Any, whole: LedgerFold) -> None:
        self.held.pop(body.key, None)
        whole.book(body.kind, short(body.model), Spent(1, body.micros, body.tokens_in, body.tokens_out))
        if body.model:
            self._models.add(body.model)

    def denied(self, body: Any, whole: LedgerFold) -> None:
        """By a rule alone, or by a human whom a rule had asked; his answer comes just before."""
        by_human, self._human_said_no = self._human_said_no, False
        (whole.people if by_human else whole.rules)[short(body.rule)] += 1
        self._why["person" if by_human else "rule", short(body.rule)] += 1

    def judged(self, body: Any, whole: LedgerFold) -> None:
        if not body.allowed:
            self._why["gate", short(body.checkpoint)] += 1

    def verified(self, body: Any, whole: LedgerFold) -> None:
        whole.verdicts[body.verdict] += 1
        self.judged_any = self.judged_any or body.verdict in ("passed", "failed")
        self._claims.verified(body)
        self._verdicts[body.verifier, body.scope] = body.verdict

    def started(self, body: Any, whole: LedgerFold) -> None:
        self._commands.started(body)

    def ended(self, body: Any, whole: LedgerFold) -> None:
        self._claims.ended(body)
        self._commands.ended(body, whole.ran)

    def settle(self, whole: LedgerFold) -> None:
        self._commands.settle(whole.ran)


_TAKES = {
    "decided": _RunFold.decided,
    "todo_changed": _RunFold.todo,
    "plan_withdrawn": _RunFold.withdrawn,
    "answered": _RunFold.answered,
    "cost_reserved": _RunFold.reserved,
    "cost_booked": _RunFold.booked,
    "denied": _RunFold.denied,
    "checkpoint_judged": _RunFold.judged,
    "verified": _RunFold.verified,
    "command_started": _RunFold.started,
    "command_ended": _RunFold.ended,
    "context_compressed": _RunFold.compressed,
    "effect_intended": _RunFold.intended,
    "effect_done": _RunFold.done,
    "acceptance_audited": _RunFold.audited,
}


def _by_verifier(verdicts: Mapping[tuple[str, str], str]) -> set[tuple[str, str]]:
    return {(verifier, verdict) for (verifier, _), verdict in verdicts.items()}


def short(text: object) -> str:
    """A name for a table: one line, of bounded length."""
    said = " ".join(str(text)[: 4 * LONGEST].split())
    return said if len(said) <= LONGEST else said[: LONGEST - 1] + "…"
