"""The stages of a verification behind one door: integrity by reading, exam with gates, integrity, review.

`verify` and `run` go through here, so that no change is examined less for being the result of a run. What
the stages found is told as facts; the decision is taken from them elsewhere.
"""

from typing import NamedTuple

from donewhen.core.events.facts import Verified
from donewhen.core.findings import Feedback
from donewhen.core.scenarios import Proof
from donewhen.core.scenarios import verified as facts_of
from donewhen.core.texts import Language, Phrase
from donewhen.run.verifying.examining import Caller, Examined, examined, proper_of
from donewhen.run.verifying.facts import feedback_of, integrity_fact, owed
from donewhen.run.verifying.inspecting import asked_of
from donewhen.run.verifying.judging import judge
from donewhen.run.verifying.looking import Looked
from donewhen.run.verifying.promising import owing
from donewhen.run.verifying.quality.telling import gate_facts, gate_feedback, owed_by_gates
from donewhen.run.verifying.scenarios import prove_change, still_unlinked
from donewhen.run.verifying.weighing import Weighed, firm, unsat, weigh
from donewhen.verify.integrity.inspecting import Asked
from donewhen.verify.scenarios.proving import wanted as scenarios_of


class Staged(NamedTuple):
    """Everything that was found out about a change, and the change as it is afterwards."""

    sat: Examined
    weighed: Weighed
    proofs: tuple[Proof, ...]
    facts: tuple[Verified, ...]  # of integrity, gates and scenarios, on the tree as it is

    @property
    def owed(self) -> tuple[Phrase, ...]:
        """What stands against the change beside the commands of the exam."""
        return (*owed(self.weighed.findings), *owed_by_gates(self.sat.gates))

    @property
    def notes(self) -> tuple[Phrase, ...]:
        return (*self.weighed.notes, *still_unlinked(self.proofs, self.sat.after))

    def feedback(self, language: Language) -> tuple[Feedback, ...]:
        return (
            *(feedback for each in self.sat.told for feedback in each.sitting.feedback()),
            *(feedback_of(finding, language) for finding in self.weighed.findings),
            *(feedback for gate in self.sat.gates for feedback in gate_feedback(gate, language)),
        )


async def stage(caller: Caller, looked: Looked) -> Staged:
    """All stages that need more than the ledger; one with a required non-pass ends them."""
    sat = await examined(caller, looked)
    weighed = await _weighed(sat, asked_of(looked, caller.wanted))
    proofs = await _proven(sat)
    tree = sat.after.change.fingerprint.relevant
    integrity = integrity_fact(weighed.findings, tree)
    staged = Staged(sat, weighed, proofs, (integrity, *sat.facts, *facts_of(proofs, tree)))
    return await _reviewed(caller, staged) if caller.reviewer else staged


async def _reviewed(caller: Caller, staged: Staged) -> Staged:
    """The reviewer comes last: a review has its price, and what is refused anyway will change.

    What he said of an earlier tree stands until he says otherwise.
    """
    after = staged.sat.after
    holds = judge(after, staged.sat.told, staged.facts).accepted and not firm(staged.weighed.findings)
    if caller.reviewer is None:
        return staged
    result = await caller.reviewer(after, holds or caller.wanted.everything)
    if result is None:
        return staged
    fact = gate_facts((result,), after.change.fingerprint.relevant)
    sat = staged.sat._replace(gates=(*staged.sat.gates, result), after=owing(after, result))
    return staged._replace(sat=sat, facts=(*staged.facts, *fact))


async def _weighed(sat: Examined, asked: Asked) -> Weighed:
    """Integrity in full: where the exam passed, with what only sitting it again tells."""
    if not sat.judged.accepted or sat.place is None or firm(sat.inspected.findings):
        return unsat(sat.inspected, asked)
    return await weigh(proper_of(sat.session, sat.after, sat.place), sat.told, sat.inspected, asked)


async def _proven(sat: Examined) -> tuple[Proof, ...]:
    """What the exam proves of the scenarios that the promise lists."""
    if not scenarios_of(sat.after.judged.plan.promise.checks):
        return ()
    proper = proper_of(sat.session, sat.after, sat.place) if sat.place else None
    return await prove_change(proper, sat.after, [case for each in sat.told for case in each.sitting.cases])
