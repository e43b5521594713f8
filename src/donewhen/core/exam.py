"""Everything that a decision is taken from, and what was found: the gate's only input and its findings."""

from typing import NamedTuple

from donewhen.core.accept import Accept
from donewhen.core.checks import Check
from donewhen.core.evidence import Evidence
from donewhen.core.matches import Parse
from donewhen.core.paths import Exempt
from donewhen.core.promise import Promise
from donewhen.core.tally import Standing, Trust
from donewhen.core.texts import Phrase
from donewhen.core.todos import NO_TODOS, Missing, TodoList
from donewhen.core.view import View

IMPLICIT = Check("output_only")
CONFIRMATION = "confirmation"  # the kind of rows for texts that nobody has confirmed
QUESTION = "question"  # the kind of results that a human's answer settles
UNANSWERED = "gate.question_open"
UNCONFIRMED = "gate.unmet_user_confirmed"
_UNMET, _ABSENT = "gate.unmet_acceptance_met", "gate.unmet_evidence_present"


class Exam(NamedTuple):
    promise: Promise
    evidence: Evidence
    view: View
    parse: Parse
    checks: tuple[Check, ...] = ()  # of the active plan, beside the promise's own
    todos: TodoList = NO_TODOS
    answer: str = ""  # the final message, if there is one
    trust: Trust = "harness"
    exempt: Exempt = Exempt()
    extensions: tuple[str, ...] = ()  # that count as source beside the built-in ones
    answered: bool = True  # whether somebody gives an answer at all; a change that is only verified has none

    @property
    def all_checks(self) -> tuple[Check, ...]:
        """The promise's and the plan's; an answer is asked for where only the agent requires something."""
        checks = (*self.promise.checks, *self.checks)
        asked = any(check.required and check.by != "agent" for check in checks)
        return checks if asked or not self.answered else (*checks, IMPLICIT)


class Result(NamedTuple):
    """How one check stands."""

    id: str
    kind: str
    target: str
    passed: bool
    reason: Phrase
    evidence: str = ""
    required: bool = True


class Commanded(NamedTuple):
    """How one acceptance command stands."""

    entry: Accept
    standing: Standing


class Findings(NamedTuple):
    results: tuple[Result, ...]
    commands: tuple[Commanded, ...]
    todos_failed: tuple[str, ...] = ()
    todos_open: tuple[str, ...] = ()
    todos_waiting: bool = False  # each open one waits for somebody outside
    todos_lacking: tuple[Missing, ...] = ()  # what completed ones do not find in the files
    missing: tuple[str, ...] = ()  # evidence that the promise asks for
    blockers: tuple[Phrase, ...] = ()  # conditions of the promise that don't hold
    deliverables: tuple[Phrase, ...] = ()  # changed files without their proof

    @property
    def failed(self) -> tuple[Result, ...]:
        return tuple(result for result in self.results if result.required and not result.passed)

    @property
    def pending(self) -> tuple[Commanded, ...]:
        return tuple(command for command in self.commands if not command.standing.passed)

    @property
    def to_confirm(self) -> tuple[str, ...]:
        """Texts that nothing but a human's word can supply."""
        wanted = (str(each.values["target"]) for each in self.blockers if each.key == UNCONFIRMED)
        return tuple(dict.fromkeys(text.strip() for text in (*wanted, *self._approvals)))

    @property
    def only_questions(self) -> bool:
        """Whether nothing is missing but answers to questions."""
        return self.only_words and not self.to_confirm

    @property
    def only_words(self) -> bool:
        """Whether nothing is missing but answers to questions and texts to confirm."""
        asked = [result for result in self.failed if result.kind == QUESTION]
        unanswered = all(result.reason.key == UNANSWERED for result in asked)
        implied = (UNCONFIRMED, *((_UNMET, _ABSENT) if self._approvals else ()))
        words = len(asked) + len(self._approvals) + sum(each.key in implied for each in self.blockers)
        return bool(words) and unanswered and words == self.open_proofs

    @property
    def _approvals(self) -> tuple[str, ...]:
        names = (name.partition(":") for name in self.missing)
        return tuple(text for kind, _, text in names if kind.strip() == "approval" and "|" not in text)

    @property
    def open_proofs(self) -> int:
        """How many proofs are still owed: progress is when this falls."""
        parts = (self.failed, self.pending, self.todos_open, self.missing, self.blockers, self.deliverables)
        return len(self.todos_failed) + sum(map(len, parts))
