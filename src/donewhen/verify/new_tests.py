"""New tests on the base's code: which of the change's tests fail without the change.

The exam's side as it is now is laid over the base's product and run; what fails there and passes now is shown
as proof. Where the goal orders tests, or only tests of the change ran, one has to; else nothing is proven.
A change that leaves the product alone, or that a test of the base bears out, needs no such test: there a new
one counts that passes and can fail.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from donewhen.core.base_tests import failing, key_of, test_name
from donewhen.core.checks import promised_scenarios
from donewhen.core.texts import Phrase
from donewhen.verify.base_exam import cases_of
from donewhen.verify.exam_files import Sides, sides_of, trees_of
from donewhen.verify.exam_regions import changed_regions, regions, with_base_regions
from donewhen.verify.exam_run import ExamCommand, is_green, is_tried
from donewhen.verify.order_words import keeps_behaviour, orders_tests
from donewhen.verify.permits import plain_name
from donewhen.verify.rerun import ExamContext, RerunRequest, RerunResult, rerun_exam, time_left, took_in_all
from donewhen.verify.test_functions import TestFunction, read_test_functions

_PURPOSE = "new-tests-on-base"
_LONG = 60.0  # seconds of an exam that is not run once more for information alone
_SHOWN = 5


class NewTests(NamedTuple):
    proof: tuple[str, ...] = ()  # pass now and fail without the change
    notes: tuple[Phrase, ...] = ()
    unproven: Phrase | None = None  # why the tests of the change prove nothing


async def new_tests(
    context: ExamContext, commands: Sequence[ExamCommand], sides: Sides, goal: str
) -> NewTests:
    """To be asked after an exam that passed."""
    product, inside = _product(context, sides)
    brought = frozenset((*_brought(context, sides), *inside))
    wanted = _wanted(context, commands, goal)
    if not brought:
        return NewTests(unproven=Phrase("newtests.none") if wanted == "ordered" else None)
    if not sides.product:
        return NewTests(unproven=_of_what_there_was(context, commands, brought, wanted))
    if not wanted and (took_in_all(context) > _LONG or time_left(context) <= 0):
        return NewTests(notes=(Phrase("newtests.left_out"),))
    there = await _without_change(context, product, inside)
    if there.why is not None and not there.commands:
        why = Phrase("newtests.not_run", {"why": there.why})
        return NewTests(notes=(why,), unproven=why if wanted == "only_own" else None)
    proof = tuple(sorted(set(_failing_there(commands, there.commands, brought))))
    if proof:
        names = ", ".join(proof[:_SHOWN]) + (", …" if len(proof) > _SHOWN else "")
        key = "newtests.proof" if len(proof) > 1 else "newtests.one_proof"
        return NewTests(proof, (Phrase(key, {"count": len(proof), "names": names}),))
    if wanted == "ordered" and (keeps_behaviour(goal) or _fails_there(commands, there.commands)):
        return NewTests(unproven=_of_what_there_was(context, commands, brought, wanted))
    return NewTests(unproven=Phrase(f"newtests.{wanted}") if wanted else None)


async def on_base_code(context: ExamContext) -> RerunResult:
    """The exam as it is now on the base's product."""
    return await _without_change(context, *_product(context, sides_of(context)))


async def _without_change(
    context: ExamContext, product: Iterable[str], inside: Mapping[str, bytes]
) -> RerunResult:
    prints = context.looked.fingerprints
    base = prints.tree(context.looked.change.base.commit)
    paths = [path for path in product if path not in inside]
    tree = prints.composed(base, context.tree, paths, inside)
    return await rerun_exam(context, RerunRequest(tree, _PURPOSE, reds=True))


def _product(context: ExamContext, sides: Sides) -> tuple[list[str], dict[str, bytes]]:
    """Changed files of the product; those with new tests inside as the base has them, with these tests."""
    base, now = trees_of(context)
    paths = [path for path in context.looked.change.changed if path not in sides.exam]
    before, after = base.read(paths), now.read(paths)
    inside = {}
    for path in before.keys() & after.keys():
        if changed_regions(regions(path, after[path]), regions(path, before[path])):
            spliced = with_base_regions(path, after[path], before[path])
            if spliced is not None:
                inside[path] = spliced
    return paths, inside


def _brought(context: ExamContext, sides: Sides) -> Iterator[str]:
    """Tests, and what they use, that the change adds or edits."""
    there = (path for path in sides.exam if context.looked.change.changed[path] != "deleted")
    return (path for path in there if sides.table.role(path) in ("test", "support"))


def _wanted(context: ExamContext, commands: Sequence[ExamCommand], goal: str) -> str:
    """Why one of them has to fail without the change; "" where it is only information."""
    if orders_tests(goal):
        return "ordered"
    changed = context.looked.change.changed
    ran = [case for each in commands for case in each.result.cases if case.outcome in ("passed", "failed")]
    if ran and all(changed.get(case.file) == "added" for case in ran):
        return "only_own"
    return "scenarios" if promised_scenarios(context.looked.judged.plan.promise.checks) else ""


def _of_what_there_was(
    context: ExamContext, commands: Sequence[ExamCommand], brought: Iterable[str], wanted: str
) -> Phrase | None:
    """Of tests for what the product does already none fails without the change: one that can is enough."""
    if not wanted:
        return None
    cases = [case for each in commands for case in each.result.cases]
    titles = {plain_name(test_name(case)).rpartition("::")[2] for case in cases if case.outcome == "passed"}
    for test in _functions(context, brought):
        can_fail = (test.strong or test.truths) and not test.disabled
        if can_fail and (not cases or test.name in titles or _last(test.name) in titles):
            return None
    unread = not any(_functions(context, brought))
    return None if unread and wanted == "ordered" else Phrase("newtests.weak")


def _functions(context: ExamContext, paths: Iterable[str]) -> Iterator[TestFunction]:
    """Test functions that the change adds or edits in these files."""
    (was, now), known = trees_of(context), list(paths)
    base = was.read(known)
    for path, data in now.read(known).items():
        before = {(each.name, each.digest) for each in read_test_functions(path, base.get(path, b""))}
        yield from (
            each for each in read_test_functions(path, data) if (each.name, each.digest) not in before
        )


def _failing_there(
    now: Sequence[ExamCommand], there: Sequence[ExamCommand], brought: frozenset[str]
) -> Iterator[str]:
    """Test by test; a command that names no tests counts as one."""
    known = set(cases_of(now))
    reds = {
        each.result.entry.identity: each.result
        for each in there
        if each.result.ended is not None and not is_green(each.result)
    }
    for each in now:
        red = reds.get(each.result.entry.identity)
        if red is None or not is_green(each.result):
            continue
        if not each.result.cases and is_tried(red):
            yield each.result.entry.line
        outcomes = {key_of(case): case.outcome for case in red.cases}
        for case in known.intersection(each.result.cases):
            outcome = outcomes.get(key_of(case), "failed" if case.file in brought else "")
            if case.outcome == "passed" and outcome == "failed" and (case.file in brought or not case.file):
                yield test_name(case)


def _fails_there(now: Sequence[ExamCommand], there: Sequence[ExamCommand]) -> bool:
    """Whether any test at all passes now and fails without the change, one that stood there before too."""
    red = failing(cases_of(there))
    return any(case.outcome == "passed" and key_of(case) in red for case in cases_of(now))


def _last(name: str) -> str:
    return plain_name(f"::{name}").rpartition("::")[2].rpartition(".")[2].rpartition("/")[2]
