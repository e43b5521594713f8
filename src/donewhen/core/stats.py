"""Figures over many runs: how they ended, what they cost, what refused them and where the time went.

Pure. What the rows of the index hold is counted from rows alone; only what no row holds (tokens, refusals,
commands, verdicts) is folded from ledgers, by `LedgerFold`. Calls of `verify` are runs in the store as well;
they are counted apart, because nobody worked in them.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import ceil
from typing import Any, Literal, NamedTuple

from donewhen.core.events import Event
from donewhen.core.session import LivedFold
from donewhen.core.summary import Summary, is_verification

HANDED_OVER = frozenset({"escalated", "todo_waiting_external"})
LONGEST = 200  # characters of a name in a group; an agent may have written it
GroupKind = Literal["reason", "check", "todo", "verifier", "rule", "person", "gate", "model", "repo"]
_OVER = frozenset({"completed", "failed", "canceled"})  # todos that nobody waits for


class Spread(NamedTuple):
    """What is usual and what is not, of so many values."""

    number: int
    median: float
    p90: float
    most: float


class Spent(NamedTuple):
    calls: int = 0
    micros: int = 0
    tokens_in: int = 0
    tokens_out: int = 0

    def plus(self, micros: int, tokens_in: int, tokens_out: int) -> "Spent":
        return Spent(
            self.calls + 1, self.micros + micros, self.tokens_in + tokens_in, self.tokens_out + tokens_out
        )


class RowStats(NamedTuple):
    """What the index alone says."""

    runs: int
    verifications: int
    states: Mapping[str, int]
    reasons: Mapping[str, int]
    ended: int
    accepted: int
    attempts: Spread | None  # claims of accepted runs: 1 is the first
    corrections: float | None  # refused claims, mean of ended runs
    micros: Mapping[str, int]  # total, llm, api, other
    accepted_micros: int

    @property
    def rate(self) -> float | None:
        """Accepted of all that ended."""
        return self.accepted / self.ended if self.ended else None


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


def spread(values: Iterable[float]) -> Spread | None:
    """Nearest rank, so that every figure is one that occurred; None of no values."""
    ordered = sorted(values)
    if not ordered:
        return None
    return Spread(len(ordered), _rank(ordered, 0.5), _rank(ordered, 0.9), ordered[-1])


def _rank(ordered: Sequence[float], share: float) -> float:
    return ordered[max(0, ceil(share * len(ordered)) - 1)]


def of_rows(rows: Iterable[Summary]) -> RowStats:
    every = list(rows)
    runs = [row for row in every if not is_verification(row)]
    ended = [row for row in runs if row.ended]
    accepted = [row for row in ended if row.stop_reason == "accepted"]
    rests = [row for row in runs if row.ended or row.state == "paused"]  # else the reason is an earlier one's
    kinds = ("total", "llm", "api", "other")
    return RowStats(
        runs=len(runs),
        verifications=len(every) - len(runs),
        states=Counter(row.state for row in runs),
        reasons=Counter(row.stop_reason for row in rests if row.stop_reason),
        ended=len(ended),
        accepted=len(accepted),
        attempts=spread(row.attempts for row in accepted),
        corrections=(sum(row.attempts for row in ended) - len(accepted)) / len(ended) if ended else None,
        micros={kind: sum(getattr(row, f"{kind}_micros") for row in runs) for kind in kinds},
        accepted_micros=sum(row.total_micros for row in accepted),
    )


def within(rows: Iterable[Summary], most_events: int) -> list[Summary]:
    """The first rows whose ledgers together have at most so many events; 0 takes all."""
    taken: list[Summary] = []
    left = most_events
    for row in rows:
        left -= row.events
        if most_events and left < 0:
            break
        taken.append(row)
    return taken


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
        self.claims_refused = 0  # by evidence
        self.runs_refused = 0
        self.claims_early = 0  # refused because todos were open; nothing else was looked at
        self.commands: dict[str, Command] = {}
        self.verdicts: Counter[str] = Counter()
        self._groups: dict[tuple[GroupKind, str], Group] = {}
        self._lived: list[float] = []

    def take(self, row: Summary, events: Iterable[Event]) -> None:
        own = _RunFold()
        for event in events:
            self.events += 1
            own.take(event, self)
        self.runs += 1
        self.held += sum(own.held.values())
        self.claims_refused += own.refused
        self.runs_refused += own.refused > 0
        self.claims_early += own.early
        self.handed_over += own.handed_over
        if row.ended:
            self._lived.append(own.lived.seconds)
        for (kind, name), times in own.reasons_of(row).items():
            self._count(kind, name, times, row)

    def book(self, kind: str, model: str, spent: Spent) -> None:
        before = self.spent.get((kind, model), Spent())
        self.spent[kind, model] = Spent(*(one + more for one, more in zip(before, spent, strict=True)))

    def ran(self, command: str, duration_ms: int, *, failed: bool) -> None:
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
        """Verdicts that passed, of those that passed or failed."""
        judged = self.verdicts["passed"] + self.verdicts["failed"]
        return self.verdicts["passed"] / judged if judged else None

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
        self.early = 0
        self.handed_over = False
        self.cause = ""
        self.lived = LivedFold()
        self.held: dict[str, int] = {}  # micro-dollars of open calls, by their key
        self._todos: dict[str, str] = {}
        self._looked = False  # whether the harness ran or found something since the last decision
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
        looked, self._looked = self._looked, False
        self.cause = body.cause
        self.handed_over = self.handed_over or body.stop_reason in HANDED_OVER
        if body.status != "continue":
            return
        failed = [result for result in body.results if not result.get("passed", True)]
        todos = [name for name in body.pending if self._todos.get(name, "completed") not in _OVER]
        if todos and not looked and all(result.get("kind") == "command_success" for result in failed):
            self.early += 1  # the commands were not even run
            for name in todos:
                self._why["todo", short(name)] += 1
            return
        self.refused += 1
        for result in failed:
            kind, target = str(result.get("kind", "")), str(result.get("target") or "")
            self._why["check", short(f"{kind} {target}" if target and target != kind else kind)] += 1

    def todo(self, body: Any, whole: LedgerFold) -> None:
        self._todos[body.id] = str(body.todo.get("status") or "pending")

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
        self._looked = self._looked or body.verdict == "failed"
        self._verdicts[body.verifier, body.scope] = body.verdict

    def ended(self, body: Any, whole: LedgerFold) -> None:
        self._looked = self._looked or body.by == "harness"
        if body.state != "running":
            whole.ran(body.command, body.duration_ms, failed=body.exit != 0)


_TAKES = {
    "decided": _RunFold.decided,
    "todo_changed": _RunFold.todo,
    "answered": _RunFold.answered,
    "cost_reserved": _RunFold.reserved,
    "cost_booked": _RunFold.booked,
    "denied": _RunFold.denied,
    "checkpoint_judged": _RunFold.judged,
    "verified": _RunFold.verified,
    "command_ended": _RunFold.ended,
}


def _by_verifier(verdicts: Mapping[tuple[str, str], str]) -> set[tuple[str, str]]:
    return {(verifier, verdict) for (verifier, _), verdict in verdicts.items()}


def short(text: object) -> str:
    """A name for a table: one line, of bounded length."""
    said = " ".join(str(text)[: 4 * LONGEST].split())
    return said if len(said) <= LONGEST else said[: LONGEST - 1] + "…"
