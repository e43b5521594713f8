"""After an exam that passed: what only another run tells, and what reading has to ask.

The base exam decides about changed tests and settings. What readers suspect beside it is a question, never a
refusal, unless the user's settings say `deny`. Which runs are needed is decided here; what they mean is pure.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from typing import NamedTuple

from donewhen.core.base_tests import Broken
from donewhen.core.integrity.finding import found
from donewhen.core.integrity.model import RULES, Finding, Role
from donewhen.core.integrity.roles import exam_side
from donewhen.core.questions import Question
from donewhen.core.texts import Phrase
from donewhen.verify.base_exam import (
    BaseExam,
    no_room,
    questions_about,
    questions_of_red,
    run_base_exam,
)
from donewhen.verify.exam_files import Sides, sides_of
from donewhen.verify.exam_run import Told
from donewhen.verify.goal_permits import permitted_by_goal
from donewhen.verify.hidden_work import hidden_work
from donewhen.verify.inspecting import Asked, GitTree, asked_of, named_files
from donewhen.verify.new_tests import NewTests, new_tests
from donewhen.verify.permits import notes_of_files, permit_for, permitted_by_person, permitted_files
from donewhen.verify.repeat import Repeated, repeat_exam
from donewhen.verify.rerun import Proper
from donewhen.verify.strength import Strength, measure_strength
from donewhen.verify.suspicions import find_suspicions


class Weighed(NamedTuple):
    findings: tuple[Finding, ...] = ()
    questions: tuple[Question, ...] = ()
    notes: tuple[Phrase, ...] = ()
    base: BaseExam = BaseExam()
    unproven: Phrase | None = None  # why the change's own tests prove nothing


async def weigh(proper: Proper, told: Sequence[Told], red: Sequence[str] = ()) -> Weighed:
    """To be asked after an exam that passed, but for tests that were `red` before."""
    if not proper.looked.change.changed or not proper.looked.change.base.commit:
        return Weighed()
    asked = asked_of(proper.looked, proper.wanted)
    proper.means.progress(Phrase("verify.comparing"))
    sides = _sides(proper, asked)
    base = await _base_exam(proper, told, sides)
    base, allowed = await _permitted(proper, told, base, sides, asked)
    spared = sides.permitted | {each.file for each in allowed}
    held = base.ran and base.held
    strength = await measure_strength(proper, told, sides.exam, spared) if held else Strength()
    refused = tuple(_refused(each) for each in base.broken if no_room(sides, each))
    pointed = _suspicions(proper, sides, asked.goal)
    hidden = () if refused else await hidden_work(proper)
    fresh = NewTests() if refused else await new_tests(proper, told, sides, asked.goal)
    again = Repeated() if refused else await repeat_exam(proper, told)
    findings = (*refused, *(_judged(each, asked) for each in pointed))
    doubted = (_question(proper, each) for each in findings if each.asks)
    still = questions_of_red(proper, red, asked.goal)
    asked_about = (*questions_about(proper, base, sides), *strength.questions)
    questions = (*asked_about, *still, *again.questions, *hidden, *doubted)
    permitted = (*_as_now(proper, asked, sides), *allowed.values())
    notes = (*_notes(base), *strength.notes, *permitted, *fresh.notes, *again.notes)
    return Weighed(findings, tuple(_once(questions)), notes, base, fresh.unproven)


def _suspicions(proper: Proper, sides: Sides, goal: str) -> tuple[Finding, ...]:
    """What reading points at in the product's files."""
    base, now = _trees(proper)
    changed = proper.looked.change.changed
    exam = {path for path in sides.exam if not exam_side(path)}
    exam |= named_files(proper.looked, now.paths()) - changed.keys()

    def role(path: str) -> Role:
        return "test" if path in exam else sides.table.role(path)

    return find_suspicions(base, now, changed, goal=goal, role=role)


def _judged(finding: Finding, asked: Asked) -> Finding:
    """It is asked about, unless a person permits it; only the user's settings make it a refusal."""
    test = f"{finding.file}::{finding.test}" if finding.test else ""
    permit = permit_for(asked.permits, finding.file, test)
    if permit is not None:
        told = Phrase("permits.by_person", {"permit": permit.text, "tests": finding.test or finding.file})
        return finding._replace(permitted=told)
    return finding._replace(policy=asked.policy.get(finding.rule, RULES[finding.rule]))


async def _base_exam(proper: Proper, told: Sequence[Told], sides: Sides) -> BaseExam:
    if proper.looked.rules.config.evidence.base_exam == "never":
        return BaseExam()
    return await run_base_exam(proper, told, sides)


def _sides(proper: Proper, asked: Asked) -> Sides:
    """What of the change is the exam's, with the files that a person's permit names."""
    sides = sides_of(proper)
    paths = (*sides.exam, *sides.inside)
    return sides._replace(permitted=sides.permitted | permitted_files(asked.permits, paths))


async def _permitted(
    proper: Proper, told: Sequence[Told], base: BaseExam, sides: Sides, asked: Asked
) -> tuple[BaseExam, Mapping[Broken, Phrase]]:
    """Without the broken tests that a person or the goal permits; these with a sentence for each."""
    by_person = permitted_by_person(base.broken, asked.permits)
    left = base._replace(broken=tuple(each for each in base.broken if each not in by_person))
    allowed = {**by_person, **await permitted_by_goal(proper, told, left, sides, asked.goal)}
    broken = tuple(each for each in base.broken if each not in allowed)
    held = base.held or (bool(allowed) and not broken and not base.red)
    return base._replace(broken=broken, held=held), allowed


def _as_now(proper: Proper, asked: Asked, sides: Sides) -> tuple[Phrase, ...]:
    """What a person's permit takes as it is now, test by test."""
    before, now = _trees(proper)
    files = permitted_files(asked.permits, (*sides.exam, *sides.inside))
    return notes_of_files(asked.permits, before.read(files), now.read(files), files)


def _refused(test: Broken) -> Finding:
    key = "questions.kept_from_running" if test.kept_from_running else "questions.switched_off"
    message = Phrase(key, {"test": test.name})
    wanted = Phrase("questions.broken_wanted")
    return found(
        "base-tests-failed", test.file, test.line, test=test.name, message=message, wanted=wanted
    )._replace(policy="deny")


def _question(proper: Proper, finding: Finding) -> Question:
    looked = proper.looked
    base = looked.fingerprints.tree(looked.change.base.commit)
    texts = (looked.fingerprints.content(tree, finding.file) or b"" for tree in (base, proper.tree))
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


def _trees(proper: Proper) -> tuple[GitTree, GitTree]:
    fingerprints = proper.looked.fingerprints
    base = fingerprints.tree(proper.looked.change.base.commit)
    return GitTree(fingerprints, base), GitTree(fingerprints, proper.tree)
