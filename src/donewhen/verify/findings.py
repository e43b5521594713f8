"""After an exam that passed: what only another run tells, and what reading has to ask.

The base exam decides about changed tests and settings, mutants about what became of their strength. What
reading points at beside it is a question, never a refusal, unless the user's settings say `deny`.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from typing import NamedTuple

from donewhen.core.base_tests import Broken
from donewhen.core.questions import Question
from donewhen.core.texts import Phrase
from donewhen.project.roles import Role
from donewhen.verify.base_exam import (
    BaseExam,
    no_room,
    questions_about,
    questions_of_red,
    run_base_exam,
)
from donewhen.verify.exam_files import Sides, sides_of, trees_of
from donewhen.verify.exam_run import ExamCommand
from donewhen.verify.finding import RULES, Finding, found
from donewhen.verify.goal_permits import permitted_by_goal
from donewhen.verify.hidden_work import hidden_work
from donewhen.verify.inspecting import Asked, asked_of, named_files
from donewhen.verify.new_tests import new_tests
from donewhen.verify.permits import (
    last_name,
    notes_of_files,
    permit_for,
    permitted_by_person,
    permitted_files,
)
from donewhen.verify.repeat import Repeated, repeat_exam
from donewhen.verify.rerun import ExamContext
from donewhen.verify.strength import Excused, Strength, measure_strength
from donewhen.verify.suspicions import find_suspicions


class ExamFindings(NamedTuple):
    findings: tuple[Finding, ...] = ()
    questions: tuple[Question, ...] = ()
    notes: tuple[Phrase, ...] = ()
    base: BaseExam = BaseExam()
    unproven: Phrase | None = None  # why the change's own tests prove nothing


async def gather_findings(
    context: ExamContext, commands: Sequence[ExamCommand], red: Sequence[str] = ()
) -> ExamFindings:
    """To be asked after an exam that passed, but for tests that were `red` before."""
    if not context.looked.change.changed or not context.looked.change.base.commit:
        return ExamFindings()
    asked = asked_of(context.looked, context.wanted)
    context.means.progress(Phrase("verify.comparing"))
    sides = _sides(context, asked)
    base = await _base_exam(context, commands, sides)
    base, allowed = await _permitted(context, commands, base, sides, asked)
    refused = tuple(_refused(each) for each in base.broken if no_room(sides, each))
    pointed = tuple(_pointed(context, sides, asked))
    if refused:
        return ExamFindings((*refused, *pointed), notes=(*_notes(base), *allowed.values()), base=base)
    strength = Strength()
    if base.ran and base.held:
        gone = frozenset((each.file, last_name(each.name)) for each in allowed)
        excused = Excused(asked.permits, gone)
        counts = [each.result.counts for each in commands]
        ran = base.tests, sum(each.executed or 0 for each in counts if each)
        strength = await measure_strength(context, sides.laid, excused, ran)
    fresh = await new_tests(context, commands, sides, asked.goal)
    hidden = await hidden_work(context)
    again = await repeat_exam(context, commands) if sides.product else Repeated()
    questions = (
        *questions_about(context, base, sides),
        *strength.questions,
        *questions_of_red(context, red, asked.goal),
        *again.questions,
        *hidden,
        *(_question(context, each) for each in pointed if each.asks),
    )
    permitted = (*_as_now(context, asked, sides), *allowed.values())
    notes = (*_notes(base), *strength.notes, *permitted, *fresh.notes, *again.notes)
    return ExamFindings(pointed, tuple(_once(questions)), notes, base, fresh.unproven)


def _pointed(context: ExamContext, sides: Sides, asked: Asked) -> Iterator[Finding]:
    """What reading points at in the product; a person may permit it, only settings make it a refusal."""
    base, now = trees_of(context)
    changed = context.looked.change.changed
    exam = {path for path in sides.exam if not sides.table.is_exam(path)}
    exam |= named_files(context.looked, now.paths()) - changed.keys()

    def role(path: str) -> Role:
        return "test" if path in exam else sides.table.role(path)

    for each in find_suspicions(base, now, changed, goal=asked.goal, role=role):
        finding = each._replace(policy=asked.policy.get(each.rule, RULES[each.rule]))
        test = f"{each.file}::{each.test}" if each.test else ""
        permit = permit_for(asked.permits, each.file, test)
        if permit is not None:
            values = {"permit": permit.text, "tests": each.test or each.file}
            finding = finding._replace(permitted=Phrase("permits.by_person", values))
        yield finding


async def _base_exam(context: ExamContext, commands: Sequence[ExamCommand], sides: Sides) -> BaseExam:
    if context.looked.rules.config.evidence.base_exam == "never":
        return BaseExam()
    return await run_base_exam(context, commands, sides)


def _sides(context: ExamContext, asked: Asked) -> Sides:
    """What of the change is the exam's, with the files that a person's permit names."""
    sides = sides_of(context)
    paths = (*sides.exam, *sides.inside)
    return sides._replace(permitted=sides.permitted | permitted_files(asked.permits, paths))


async def _permitted(
    context: ExamContext, commands: Sequence[ExamCommand], base: BaseExam, sides: Sides, asked: Asked
) -> tuple[BaseExam, Mapping[Broken, Phrase]]:
    """Without the broken tests that a person or the goal permits; these with a sentence for each."""
    by_person = permitted_by_person(base.broken, asked.permits)
    left = base._replace(broken=tuple(each for each in base.broken if each not in by_person))
    allowed = {**by_person, **await permitted_by_goal(context, commands, left, sides, asked.goal)}
    broken = tuple(each for each in base.broken if each not in allowed)
    held = base.held or (bool(allowed) and not broken and not base.red)
    return base._replace(broken=broken, held=held), allowed


def _as_now(context: ExamContext, asked: Asked, sides: Sides) -> tuple[Phrase, ...]:
    """What a person's permit takes as it is now, test by test."""
    before, now = trees_of(context)
    files = permitted_files(asked.permits, (*sides.exam, *sides.inside))
    return notes_of_files(asked.permits, before.read(files), now.read(files), files)


def _refused(test: Broken) -> Finding:
    key = "questions.kept_from_running" if test.kept_from_running else "questions.switched_off"
    message = Phrase(key, {"test": test.name})
    wanted = Phrase("questions.broken_wanted")
    return found(
        "base-tests-failed", test.file, test.line, test=test.name, message=message, wanted=wanted
    )._replace(policy="deny")


def _question(context: ExamContext, finding: Finding) -> Question:
    looked = context.looked
    base = looked.fingerprints.tree(looked.change.base.commit)
    texts = (looked.fingerprints.content(tree, finding.file) or b"" for tree in (base, context.tree))
    about = tuple(sha256(text).hexdigest() for text in texts)
    return Question(
        finding.rule, finding.message, finding.file, finding.line, finding.test, finding.wanted, about
    )


def _once(questions: Iterable[Question]) -> Iterator[Question]:
    seen = set()
    for question in questions:
        if question.id not in seen:
            seen.add(question.id)
            yield question


def _notes(base: BaseExam) -> Iterator[Phrase]:
    if base.ran and base.held and base.tests:
        yield Phrase("questions.base_held", {"tests": base.tests})
    elif base.why is not None:
        yield base.why
