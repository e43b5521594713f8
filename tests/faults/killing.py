"""One case of the campaign: a play is killed where the plan says, taken up until it ends, and compared.

A kill is `37` (the 37th point that the process reaches), a point by name, or `~12` (from outside, some time
after the 12th event). Each process of the case gets the next kill; when none is left it may end.
"""

import random
import signal
import subprocess
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from donewhen.core.events import facts, run
from tests.faults.aftermath import Aftermath, aftermath, interrupted_calls, orphans, unknown_effects
from tests.faults.plays import Play
from tests.faults.stage import Ended, Stage

_KILLED = -signal.SIGKILL
_NEEDS = ("approvals.waiting", "escalated", "todo_waiting_external")  # how such a pause is called
_HUNG = -1  # exit of a process that had to be ended
_MOST = 8  # processes without a kill until a case must have ended


class Case(NamedTuple):
    play: Play
    kills: tuple[str, ...]
    seed: int = 0


class Told(NamedTuple):
    """What became of a case."""

    case: Case
    kinds: tuple[str, ...] = ()  # of the kills that hit
    lost: tuple[str, ...] = ()  # the outcome is another one, or events are gone
    doubled: tuple[str, ...] = ()
    orphans: tuple[str, ...] = ()

    @property
    def problems(self) -> tuple[str, ...]:
        return (*self.lost, *self.doubled, *self.orphans)


def undisturbed(stage: Stage) -> Aftermath:
    """The play as it goes when nobody disturbs it; the points that it reaches are in `points`."""
    log = str(stage.base / "points")
    logged = {"DONEWHEN_TEST_CRASH_LOG": log}
    ended, then = (
        stage.call(*stage.run_words, **({} if _killed_later(stage.play) else logged)),
        stage.play.then,
    )
    for words in then:
        _between(stage, words)
        ended = stage.call(*stage.play.again, **logged)
    return aftermath(stage, ended.exit)


def _killed_later(play: Play) -> bool:
    """Whether the play is about the process that takes the run up, not about the one that begins it."""
    return play.again[0] != "resume"


def points(stage: Stage) -> list[str]:
    return (stage.base / "points").read_text().splitlines()


def _between(stage: Stage, words: Sequence[str]) -> None:
    """What a human does while the run waits."""
    if not words:
        return
    asks = [event.body.ask for event in stage.events() if isinstance(event.body, facts.Asked)]
    done = stage.call(*(word.format(ask=asks[-1] if asks else "none") for word in words))
    assert done.exit == 0 or "already answered" in done.err, done


def disturbed(case: Case, base: Path, want: Aftermath) -> Told:
    stage, rng = Stage(base, case.play), random.Random(case.seed)
    kills, then, kinds = list(case.kills), list(case.play.then), []
    lost: list[str] = []
    known: tuple[object, ...] = ()
    ended = Ended(_KILLED, "", "")
    again = 0  # questions that came once more, each with a pause of its own
    for _ in range(_MOST + len(kills) + len(then)):
        begun = bool(stage.rows())
        kill = kills.pop(0) if kills and (begun or not _killed_later(case.play)) else ""
        words = case.play.again if begun else stage.run_words
        ended = _process(stage, words, kill, rng)
        if ended.exit == _KILLED:
            kinds.append(_kind(kill))
        if not stage.rows():
            continue  # killed before anything was written: the user types it again
        now = stage.events()
        lost += _missing(stage, known, now)
        known = now
        if ended.exit == _KILLED and not _waits(stage):
            continue
        if stage.row.state == "paused" and not then and _asks_again(stage, case.play):
            then, again = [case.play.then[-1]], again + 1
        if stage.row.state == "paused" and then:
            _between(stage, then.pop(0))
            continue
        if ended.exit != _KILLED:
            break
    return _compared(case, stage, ended, tuple(kinds), lost, want, again)


def _asks_again(stage: Stage, play: Play) -> bool:
    """What was allowed once, and interrupted, is asked about once more: a human answers that too."""
    answers = any("approve" in words or "deny" in words for words in play.then[-1:])
    return answers and _waits(stage)


def _waits(stage: Stage) -> bool:
    """Whether the run says that it needs a human now."""
    moves = [event.body for event in stage.events() if isinstance(event.body, run.StateChanged)]
    return bool(moves) and moves[-1].state == "paused" and moves[-1].reason.startswith(_NEEDS)


def _process(stage: Stage, words: Sequence[str], kill: str, rng: random.Random) -> Ended:
    log = stage.base / "acknowledged"
    log.unlink(missing_ok=True)
    if not kill.startswith("~"):
        env = {"DONEWHEN_TEST_CRASH": kill, "DONEWHEN_TEST_CRASH_LOG": str(log)} if kill else {}
        try:
            return stage.call(*words, **env)
        except subprocess.TimeoutExpired as error:
            return Ended(_HUNG, "", f"it hung: {error}")
    more = ("--events",) if words[0] != "abort" else ()
    process = stage.start(*words, *more, DONEWHEN_TEST_CRASH_LOG=str(log))
    assert process.stdout is not None
    for _ in range(int(kill[1:])):
        if not process.stdout.readline():
            break
    try:
        process.wait(rng.random() * 0.08)
    except subprocess.TimeoutExpired:
        process.kill()
    out, err = process.communicate()
    return Ended(process.returncode, out, err)


def _kind(kill: str) -> str:
    if kill.startswith("~"):
        return "random moment"
    return "random point" if kill.isdigit() else "named point"


def _missing(stage: Stage, known: Sequence[object], now: Sequence[object]) -> list[str]:
    """Events that were there or acknowledged, and are not."""
    found = [] if tuple(now[: len(known)]) == tuple(known) else ["events changed under the resume"]
    log = stage.base / "acknowledged"
    if not log.exists():
        return found
    said = Counter(
        line.partition(":")[2] for line in log.read_text().splitlines() if line.startswith("committed:")
    )
    there = Counter(type(getattr(event, "body", None)).__name__ for event in now)
    return found + [f"acknowledged and gone: {name}" for name in said if said[name] > there[name]]


def _compared(
    case: Case,
    stage: Stage,
    ended: Ended,
    kinds: tuple[str, ...],
    lost: list[str],
    want: Aftermath,
    again: int,
) -> Told:
    left = tuple(f"process {each}" for each in orphans(stage.base))
    if not stage.rows():
        return Told(case, kinds, (*lost, f"no run was ever begun: {ended.said}"), (), left)
    got = aftermath(stage, ended.exit)
    for name in got._fields:
        one, other = getattr(got, name), getattr(want, name)
        if name == "counts" or one == other:
            continue
        entry = f"{name}: {str(one)[:400]!s} instead of {str(other)[:400]!s}"
        if name in ("folders", "locks", "refs"):
            left += (entry,)
        else:
            lost.append(entry)
    if lost:
        lost.append(ended.said)
    lost += stage.audit_findings()
    if stage.holder():
        left += (f"the lease is still held by {stage.holder()}",)
    doubled, missing = _effects(stage, got, want, again)
    return Told(case, kinds, (*lost, *missing), doubled, left)


def _effects(
    stage: Stage, got: Aftermath, want: Aftermath, pauses: int
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Effects that came twice, and such that never came although nothing in the ledger says so."""
    unknown, cut = unknown_effects(stage), interrupted_calls(stage)
    doubled, missing = [], []
    for name in {*got.counts, *want.counts}:
        had, due = got.counts.get(name, 0), want.counts.get(name, 0)
        # a call that was undone is made again, with its hooks; a pause more is an end of a process more
        again = {"after_tool": cut, "run_end": pauses}.get(name, 0)
        if had > due + again:
            doubled.append(f"{name}: {had} times instead of {due}")
        least = min(due, 1) if name == "run_end" else due  # a kill during a pause is no end of the run
        if had < least - unknown[name]:
            missing.append(f"{name}: {had} times instead of {due}, and the ledger does not know why")
    return tuple(doubled), tuple(missing)
