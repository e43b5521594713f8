"""The exam itself: each command is run by the harness, or its result on this very tree is used again.

A green is used again, a red is tried again: red and green on one tree are flaky, and stay so, unless the
configuration allows so many passes of so many runs.
"""

import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

from donewhen.commands import parse
from donewhen.core.accept import Accept
from donewhen.core.counts import Counts, nothing_ran, reports_failures
from donewhen.core.events.facts import CommandEnded
from donewhen.core.evidence import Evidence, counts_of
from donewhen.core.findings import Feedback
from donewhen.core.freshness import trees_proven
from donewhen.core.matches import Parse
from donewhen.core.outcome import Outcome, outcome
from donewhen.core.scenarios import Case
from donewhen.core.tally import Flaky
from donewhen.core.target import accept_target
from donewhen.core.texts import Phrase
from donewhen.store.cases import CaseStore
from donewhen.store.results import Results, Stored, result_key, stored, unbroken
from donewhen.verify.exam.model import Execution
from donewhen.verify.failures import Failure, feedback_of

if TYPE_CHECKING:
    from donewhen.verify.place import ExamPlace

_NO_TESTS = 5  # how pytest and unittest end when they found none
_TAIL = 16_000  # characters of output that people may want to see
RECENT = 2.0  # seconds that a look at what lies beside the tree holds where nothing is run
_EARLIER = 60.0  # and where it is compared with one after the run
FORM = 1  # of what is kept: results of another form are not used again


Way = Literal["ran", "cached", "refused", "masked", "could_not_run", "skipped"]


class CommandResult(NamedTuple):
    """How one command of the exam went."""

    entry: Accept
    way: Way
    ended: CommandEnded | None = None
    why: Phrase | None = None  # why it proves nothing
    counts: Counts | None = None
    failures: tuple[Failure, ...] = ()
    runs: int = 1  # more than one where the configuration allows flaky passes
    reported: bool = False  # the counts come from a machine report
    from_run: str = ""  # whose result was used again
    tail: str = ""  # the end of what it printed
    cases: tuple[Case, ...] = ()  # test by test, where a machine report tells and somebody asked

    def feedback(self) -> tuple[Feedback, ...]:
        return feedback_of(self.failures, self.entry.key)


class Memory(NamedTuple):
    results: Results
    run_id: str
    use: bool  # whether greens are used again
    flaky: Flaky
    parse: Parse
    extensions: tuple[str, ...] = ()
    lenient: bool = False  # what a command wrote beside source does not age its result
    cases: CaseStore | None = None  # where it has to be known test by test
    reds: bool = False  # a failure is used again too: nothing about this tree can change


class ExamCommand(NamedTuple):
    """One command of the exam: how it went, and all results that speak for its tree, earlier ones first."""

    result: CommandResult
    history: tuple[Stored, ...]
    worth: tuple[Stored, ...] = ()  # those of them that a ledger has to know


async def run_command(entry: Accept, place: "ExamPlace", memory: Memory) -> ExamCommand:
    """Run it, or use what is known of it on this very tree."""
    key = result_key(FORM, entry.argv, entry.cwd, entry.env, place.tree, place.environment)
    found = known_result(entry, place, memory)
    if found is not None:
        return found
    known = memory.results.read(key)
    history = unbroken(known, place.beside(within=RECENT)) if known else ()
    refused = place.refusal(entry)
    if refused:
        return _with_history(CommandResult(entry, "refused", why=refused), history, memory)
    return await _run(entry, place, memory, key, history)


def known_result(entry: Accept, place: "ExamPlace", memory: Memory) -> ExamCommand | None:
    """What is known of a command on this tree and is used again; nothing is run for it."""
    key = result_key(FORM, entry.argv, entry.cwd, entry.env, place.tree, place.environment)
    stored = memory.results.read(key) if memory.use else ()
    history = unbroken(stored, place.beside(within=RECENT)) if stored else ()
    cases = memory.cases.read(key) if memory.cases else ()
    if history and cases is not None and (memory.reds or _passes(entry, place, memory, history)):
        last = history[-1]
        result = CommandResult(
            entry, "cached", last.ended, counts=counts_of(last.ended, memory.parse), from_run=last.run_id
        )
        return _with_history(result._replace(cases=cases or (), tail=last.ended.tail), history, memory)
    return None


async def _run(
    entry: Accept, place: "ExamPlace", memory: Memory, key: str, history: tuple[Stored, ...]
) -> ExamCommand:
    """Once; where flaky passes are allowed, until there are enough or none can come any more."""
    fresh: list[Stored] = []
    while True:
        place.renew()
        # an older look will do: what differs from it was not there for the whole run
        before, began = place.beside(within=_EARLIER), time.time_ns()
        execution = await place.run(entry)
        ended, verdict = _ended(entry, place, memory, execution)
        why = execution.why_not or _failed_inside(execution) or _uncounted(entry, place, ended, verdict)
        why = why or _flickered(place, ended, began)
        if verdict != "nothing" and why is None:
            fresh.append(stored(ended, memory.run_id, before, place.beside()))
        runs = len(fresh) or 1
        enough = verdict == "green" and _passes(entry, place, memory, (*history, *fresh))
        if enough or why is not None or verdict == "nothing" or runs >= memory.flaky.of:
            break
    if fresh:
        memory.results.add(key, *fresh)
        if memory.cases:
            memory.cases.write(key, execution.cases)
        known = unbroken(
            memory.results.read(key), fresh[-1].after
        )  # another verification may have added some
        history = tuple(each for each in known if each not in fresh)
    counts = counts_of(ended, memory.parse)
    empty = counts is not None and nothing_ran(counts) and execution.exit in (0, _NO_TESTS)
    tried = why is None and (verdict != "nothing" or empty or _broke_inside(execution))
    uncounted = why is not None and execution.why_not is None and why.key != "verify.touched"
    way: Way = "ran" if tried or uncounted else "could_not_run"
    result = CommandResult(
        entry,
        way,
        ended,
        why,
        counts,
        _failures(entry, execution, verdict, place),
        runs,
        execution.report is not None,
    )._replace(tail=execution.finished.output.text[-_TAIL:], cases=execution.cases)
    return _with_history(result, (*history, *fresh), memory)


def _with_history(result: CommandResult, history: tuple[Stored, ...], memory: Memory) -> ExamCommand:
    return ExamCommand(result, history, worth_telling(history, memory.run_id, memory.flaky.of))


def _ended(
    entry: Accept, place: "ExamPlace", memory: Memory, execution: Execution
) -> tuple[CommandEnded, Outcome]:
    from donewhen.verify.exam.command import fact

    after, wrote = place.after()
    told = fact(
        entry,
        execution,
        "exam",
        before=place.tree,
        after=after,
        environment=place.environment,
        output=place.keep(execution.finished.output),
    )
    proven = trees_proven(place.tree, after, wrote, memory.extensions) if memory.lenient else (place.tree,)
    ended = told._replace(on=proven)
    target = accept_target(entry, memory.parse)
    counts = counts_of(ended, memory.parse)
    verdict, _ = outcome(ended, counts, is_test=target.is_test, program=target.program)
    return ended, verdict


def _broke_inside(execution: Execution) -> bool:
    """Whether the runner stumbled over the project's own code before any test: the change is at fault."""
    return (
        execution.exit is not None
        and 0 < execution.exit < 64
        and "loading conftest" in execution.finished.output.text
    )


def _failed_inside(execution: Execution) -> Phrase | None:
    """Why an exit of 0 is no pass: a test of the run failed, and was not repeated with success."""
    if execution.exit != 0:
        return None
    if execution.made_up:
        return Phrase("exam.made_up")
    passed = {(case.group, case.name) for case in execution.cases if case.outcome == "passed"}
    failed = [c.name for c in execution.cases if c.outcome == "failed" and (c.group, c.name) not in passed]
    values = {"count": len(failed), "test": failed[0] if failed else ""}
    return Phrase("verify.failed_inside", values) if failed else None


def _uncounted(entry: Accept, place: "ExamPlace", ended: CommandEnded, verdict: Outcome) -> Phrase | None:
    """Why a green does not count: its command also passes without any test, and none was seen."""
    counts = counts_of(ended, parse)
    return None if verdict != "green" or (counts and counts.executed) else place.needs_counts(entry)


def _flickered(place: "ExamPlace", ended: CommandEnded, began: int) -> Phrase | None:
    """Why a green does not count: source was another while the command ran, and is what it was again."""
    if ended.exit != 0 or ended.after != ended.before:
        return None
    paths = place.touched(began)
    return Phrase("verify.touched", {"paths": ", ".join(paths[:5])}) if paths else None


def _failures(
    entry: Accept, execution: Execution, verdict: Outcome, place: "ExamPlace"
) -> tuple[Failure, ...]:
    if verdict != "red":
        return ()
    from donewhen.verify.failures import failures_in

    told = execution.report.failures if execution.report is not None else ()
    found = told or failures_in(execution.finished.output.text, str(place.folder))
    return tuple(_from_root(failure, entry, place.folder) for failure in found)


def _from_root(failure: Failure, entry: Accept, root: Path) -> Failure:
    """A place that a runner told from the folder it ran in, seen from the root."""
    file = f"{entry.cwd}/{failure.file}"
    if not entry.cwd or not failure.file or (root / failure.file).is_file() or not (root / file).is_file():
        return failure
    return failure._replace(file=file)


def _passes(entry: Accept, place: "ExamPlace", memory: Memory, history: tuple[Stored, ...]) -> bool:
    evidence = Evidence(memory.parse, memory.flaky)
    for each in history:
        evidence.take(each.ended)
    return evidence.standing(accept_target(entry, memory.parse), place.tree, "harness").passed


_TRIED = ("ran", "cached")


def is_tried(result: CommandResult) -> bool:
    """Whether it says something about the tree: it ran, and as far as is known something was executed."""
    if result.way not in _TRIED or result.why is not None or result.ended is None:
        return False
    return result.counts is None or not nothing_ran(result.counts)


def is_green(result: CommandResult) -> bool:
    ended, counts = result.ended, result.counts
    passed = ended is not None and ended.state == "completed" and ended.exit == 0
    return passed and not (counts is not None and reports_failures(counts))


_UNLOADED = "unittest.loader._FailedTest"  # how often it is named decides whether a failure is one of tests


def worth_telling(history: Sequence[Stored], run_id: str, of: int) -> tuple[Stored, ...]:
    """What this run had executed, and of all others the last with the same word.

    `of`: of how many runs some may fail; where it is more than one, each counts.
    """
    if of > 1:
        return tuple(history)
    last = {_word(each): number for number, each in enumerate(history)}
    kept = set(last.values())
    return tuple(each for n, each in enumerate(history) if n in kept or each.run_id == run_id)


def _word(result: Stored) -> tuple[object, ...]:
    """All that evidence reads of a result; two with the same prove the same."""
    ended = result.ended
    trees = ended.on or (ended.before,)
    return trees, ended.exit, ended.state, counts_of(ended, parse), ended.tail.count(_UNLOADED)
