"""The stages of a verification behind one door: integrity by reading, exam with gates, integrity, review.

`verify` and `run` go through here, so that no change is examined less for being the result of a run. What
the stages found is told as facts; the decision is taken from them elsewhere.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from donewhen.config.paths import state_folder
from donewhen.core.codec import freeze
from donewhen.core.events import Body
from donewhen.core.events.facts import Verified
from donewhen.core.findings import Feedback
from donewhen.core.gate import RED_BEFORE
from donewhen.core.questions import Answer, Question, questions_fact
from donewhen.core.scenarios import Proof
from donewhen.core.scenarios import verified as facts_of
from donewhen.core.texts import Language, Phrase
from donewhen.run.verifying.base_exam import red_before
from donewhen.run.verifying.examining import Caller, Examined, examined, proper_of
from donewhen.run.verifying.facts import feedback_of, feedback_of_question, integrity_fact, owed
from donewhen.run.verifying.judging import judge
from donewhen.run.verifying.looking import Looked
from donewhen.run.verifying.promising import owing
from donewhen.run.verifying.quality.telling import gate_facts, gate_feedback, owed_by_gates
from donewhen.run.verifying.scenarios import prove_change, still_unlinked
from donewhen.run.verifying.weighing import Weighed, weigh
from donewhen.store.questions import QuestionStore
from donewhen.verify.scenarios.proving import wanted as scenarios_of

_MOST_NAMES = 200
_SHOWN = 5


class Staged(NamedTuple):
    """Everything that was found out about a change, and the change as it is afterwards."""

    sat: Examined
    weighed: Weighed
    proofs: tuple[Proof, ...]
    facts: tuple[Body, ...]  # of questions and answers, gates and scenarios, on the tree as it is
    red_before: Mapping[str, tuple[str, ...]] = {}  # tests that failed at the base too, by command
    answers: tuple[Answer, ...] = ()

    @property
    def open_questions(self) -> tuple[Question, ...]:
        answered = {answer.id for answer in self.answers}
        return tuple(question for question in self.weighed.questions if question.id not in answered)

    @property
    def owed(self) -> tuple[Phrase, ...]:
        """What stands against the change beside the commands of the exam."""
        asked = [_asked(question) for question in self.open_questions]
        denied = [_denied(answer, self.weighed.questions) for answer in self.answers if not answer.allowed]
        return (*owed(self.weighed.findings), *denied, *asked, *owed_by_gates(self.sat.gates))

    @property
    def notes(self) -> tuple[Phrase, ...]:
        names = [name for tests in self.red_before.values() for name in tests]
        values = {"count": len(names), "names": ", ".join(names[:_SHOWN])}
        red = (Phrase("questions.red_before", values),) if names else ()
        return (*red, *self.weighed.notes, *still_unlinked(self.proofs, self.sat.after))

    def feedback(self, language: Language) -> tuple[Feedback, ...]:
        return (
            *(feedback for each in self.sat.told for feedback in each.sitting.feedback()),
            *(feedback_of(finding, language) for finding in self.weighed.findings if not finding.asks),
            *(feedback_of_question(question, language) for question in self.open_questions),
            *(feedback for gate in self.sat.gates for feedback in gate_feedback(gate, language)),
        )


def _asked(question: Question) -> Phrase:
    values = {"place": question.place, "message": question.message, "id": question.id}
    return Phrase("questions.owed", values)


def _denied(answer: Answer, questions: Sequence[Question]) -> Phrase:
    question = next(each for each in questions if each.id == answer.id)
    values = {"place": question.place, "message": question.message, "because": answer.because}
    return Phrase("questions.denied_owed", values)


async def stage(caller: Caller, looked: Looked) -> Staged:
    """All stages that need more than the ledger; one with a required non-pass ends them."""
    sat = await examined(caller, looked)
    tree = sat.after.change.fingerprint.relevant
    before = await _red_before(sat)
    red = tuple(_red_fact(key, names, tree) for key, names in before.items())
    holds = judge(sat.after, sat.told, (*sat.facts, *red)).accepted
    weighed = await _weighed(sat, [name for names in before.values() for name in names], holds)
    answers = _answers(caller, looked, weighed.questions)
    proofs = await _proven(sat)
    facts = (*red, integrity_fact(weighed.findings, tree), questions_fact(weighed.questions, tree))
    given = tuple(answer.event for answer in answers)
    staged = Staged(
        sat, weighed, proofs, (*facts, *given, *sat.facts, *facts_of(proofs, tree)), before, answers
    )
    return await _reviewed(caller, staged) if caller.reviewer else staged


async def _reviewed(caller: Caller, staged: Staged) -> Staged:
    """The reviewer comes last: a review has its price, and what is refused anyway will change.

    What he said of an earlier tree stands until he says otherwise.
    """
    after = staged.sat.after
    holds = judge(after, staged.sat.told, staged.facts).accepted
    if caller.reviewer is None:
        return staged
    result = await caller.reviewer(after, holds or caller.wanted.everything)
    if result is None:
        return staged
    fact = gate_facts((result,), after.change.fingerprint.relevant)
    sat = staged.sat._replace(gates=(*staged.sat.gates, result), after=owing(after, result))
    return staged._replace(sat=sat, facts=(*staged.facts, *fact))


async def _red_before(sat: Examined) -> dict[str, tuple[str, ...]]:
    """Commands that nobody declared and that fail only where they failed at the base."""
    if sat.judged.accepted or sat.place is None or not sat.after.change.base.commit:
        return {}
    return await red_before(proper_of(sat.session, sat.after, sat.place), sat.told)


def _red_fact(key: str, names: tuple[str, ...], tree: str) -> Verified:
    return Verified(RED_BEFORE, key, "passed", tree, freeze({"tests": names[:_MOST_NAMES]}))


async def _weighed(sat: Examined, red: Sequence[str], accepted: bool) -> Weighed:
    """Where the exam passed: what only running it again tells, and what reading has to ask."""
    if not accepted or sat.place is None:
        return Weighed()
    return await weigh(proper_of(sat.session, sat.after, sat.place), sat.told, red)


def _answers(caller: Caller, looked: Looked, questions: tuple[Question, ...]) -> tuple[Answer, ...]:
    """What humans said of these questions; those that still wait are kept for `donewhen confirm`."""
    store = QuestionStore(state_folder(caller.means.env), looked.places.repo_id)
    known = store.answers()
    given = {id: Answer(id, True, "--confirmed") for id in caller.wanted.confirmed}
    answers = {**given, **known}
    open_ones = [question for question in questions if question.id not in answers]
    store.put(caller.record.run_id, open_ones, caller.means.language)
    return tuple(answers[question.id] for question in questions if question.id in answers)


async def _proven(sat: Examined) -> tuple[Proof, ...]:
    """What the exam proves of the scenarios that the promise lists."""
    if not scenarios_of(sat.after.judged.plan.promise.checks):
        return ()
    proper = proper_of(sat.session, sat.after, sat.place) if sat.place else None
    return await prove_change(proper, sat.after, [case for each in sat.told for case in each.sitting.cases])
