"""After an exam that passed: what only another run tells, and what reading has to ask.

The base exam decides about changed tests and settings. What readers suspect beside it is a question, never a
refusal, unless the user's settings say `deny`. Which runs are needed is decided here; what they mean is pure.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from typing import NamedTuple

from donewhen.core.base_tests import Broken
from donewhen.core.integrity.finding import found
from donewhen.core.integrity.model import RULES, Finding, Policy
from donewhen.core.integrity.permits import permit
from donewhen.core.integrity.roles import exam_side
from donewhen.core.questions import Question
from donewhen.core.texts import Phrase
from donewhen.verify.base_exam import (
    BaseExam,
    Sides,
    no_room,
    questions_about,
    questions_of_red,
    run_base_exam,
    sides_of,
)
from donewhen.verify.exam_run import Told
from donewhen.verify.hidden_work import leftovers
from donewhen.verify.inspecting import Asked, GitTree, asked_of, named_files
from donewhen.verify.repeat import Repeated, repeat_exam
from donewhen.verify.rerun import Proper
from donewhen.verify.suspicions import find_suspicions


class Weighed(NamedTuple):
    findings: tuple[Finding, ...] = ()
    questions: tuple[Question, ...] = ()
    notes: tuple[Phrase, ...] = ()
    base: BaseExam = BaseExam()


async def weigh(proper: Proper, told: Sequence[Told], red: Sequence[str] = ()) -> Weighed:
    """To be asked after an exam that passed, but for tests that were `red` before."""
    if not proper.looked.change.changed or not proper.looked.change.base.commit:
        return Weighed()
    asked = asked_of(proper.looked, proper.wanted)
    proper.means.progress(Phrase("verify.comparing"))
    sides = _sides(proper, asked)
    base = await _base_exam(proper, told, sides)
    base, allowed = _as_ordered(base, asked)
    refused = tuple(_refused(each) for each in base.broken if no_room(proper, each))
    pointed = [*_suspicions(proper, sides, asked.goal), *(() if refused else await leftovers(proper))]
    again = Repeated() if refused else await repeat_exam(proper, told)
    findings = (*refused, *_with_policy(permit(pointed, permits=asked.permits), asked.policy))
    doubted = (_question(proper, each) for each in findings if each.asks)
    still = questions_of_red(proper, red, asked.goal)
    questions = (*questions_about(proper, base, sides), *still, *again.questions, *doubted)
    return Weighed(findings, tuple(_once(questions)), (*_notes(base), *allowed, *again.notes), base)


def _suspicions(proper: Proper, sides: Sides, goal: str) -> tuple[Finding, ...]:
    """What reading points at in the product's files."""
    base, now = _trees(proper)
    changed = proper.looked.change.changed
    exam = {path for path in sides.exam if not exam_side(path)}
    exam |= named_files(proper.looked, now.paths()) - changed.keys()
    return find_suspicions(base, now, changed, goal=goal, exam=exam)


def _with_policy(findings: Iterable[Finding], policy: Mapping[str, Policy]) -> tuple[Finding, ...]:
    """As the user's settings have it; only they make a refusal of what reading points at."""
    return tuple(each._replace(policy=policy.get(each.rule, RULES[each.rule])) for each in findings)


async def _base_exam(proper: Proper, told: Sequence[Told], sides: Sides) -> BaseExam:
    if proper.looked.rules.config.evidence.base_exam == "never":
        return BaseExam()
    return await run_base_exam(proper, told, sides)


def _sides(proper: Proper, asked: Asked) -> Sides:
    """What of the change is the exam's, with the files that a person's permit names."""
    sides = sides_of(proper, _asserting(proper))
    edits = permit([found("expected-changed", path, 1) for path in sides.exam], permits=asked.permits)
    allowed = frozenset(edit.file for edit in edits if edit.permitted is not None)
    return sides._replace(permitted=sides.permitted | allowed)


def _as_ordered(base: BaseExam, asked: Asked) -> tuple[BaseExam, tuple[Phrase, ...]]:
    """Without the tests that are gone and whose removal the goal orders by name; these are told."""
    gone = [each for each in base.broken if each.now == "absent" and each.touched]
    removals = [found("test-deleted", each.file, each.line, test=_plain(each.name)) for each in gone]
    judged = permit(removals, goal=asked.goal, permits=asked.permits)
    allowed = [each for each, one in zip(gone, judged, strict=True) if one.permitted is not None]
    left = tuple(each for each in base.broken if each not in allowed)
    notes = tuple(Phrase("questions.removed_as_ordered", {"test": each.name}) for each in allowed)
    return base._replace(broken=left, held=not left and not base.red), notes


def _plain(name: str) -> str:
    return name.rpartition("::")[2].rpartition(" > ")[2]


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


def _asserting(proper: Proper) -> frozenset[str]:
    """Changed files that a command names and that assert, whatever they are called."""
    base, _ = _trees(proper)
    texts = base.read(named_files(proper.looked))
    return frozenset(path for path, data in texts.items() if re.search(rb"\bassert|expect\(", data))


def _trees(proper: Proper) -> tuple[GitTree, GitTree]:
    fingerprints = proper.looked.fingerprints
    base = fingerprints.tree(proper.looked.change.base.commit)
    return GitTree(fingerprints, base), GitTree(fingerprints, proper.tree)
