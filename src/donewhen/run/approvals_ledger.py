"""Questions and answers as the ledger tells them: what is open, what was answered, what holds for the run.

A projection that is moved by events, so that it is the same after a resume. What an answer allowed "for this
run" holds for the very same question alone: tool, rules, reasons and action, letter by letter. A question of
which the store removed a secret is never the same as another one.
"""

import re
from collections.abc import Iterable
from typing import NamedTuple

from donewhen.core.events import Event, facts
from donewhen.core.summary import ENDED

_REDACTED = "[redacted:"
_RULE = re.compile(r"always-[0-9a-f]{8}")


class Key(NamedTuple):
    """What makes two questions equal."""

    tool: str
    rule: str
    question: str


class Told(NamedTuple):
    """One question of a ledger, with its answer once there is one."""

    ask: str
    run_id: str
    at: str
    key: Key
    answer: facts.Answered | None = None
    answered_at: str = ""

    @property
    def redacted(self) -> bool:
        """Whether the store removed a secret from it."""
        return _REDACTED in self.key.question

    @property
    def reason(self) -> str:
        return self.key.question.partition("\n")[0]

    @property
    def action(self) -> str:
        return self.key.question.partition("\n")[2]


def question_text(reasons: Iterable[str], action: str) -> str:
    """The text of an Asked event: reasons on the first line, the action on all others."""
    return f"{'; '.join(dict.fromkeys(' '.join(one.split()) for one in reasons))}\n{action}"


def ask_id(run_id: str, number: int) -> str:
    """An id that a person can type: the end of the run's id, and the number of the question in it."""
    return f"{run_id.rpartition('-')[2]}-{number}"


class Questions:
    """The questions of one run, folded from its events."""

    def __init__(self, run_id: str) -> None:
        self.run_id = run_id
        self.seq = 0
        self.state = "idle"
        self.told: dict[str, Told] = {}
        self.rules_noted: set[str] = set()  # rules of `always` that were kept, or said not to be
        self._permitted: dict[Key, Told] = {}

    def take(self, events: Iterable[Event]) -> "Questions":
        for event in events:
            self.seq = event.seq
            if event.type == "asked":
                body = event.body
                key = Key(body.tool, body.rule, body.question)
                self.told.setdefault(body.ask, Told(body.ask, self.run_id, event.at, key))
            elif event.type == "answered" and event.body.ask in self.told:
                self._answered(event)
            elif event.type == "noted":
                self.rules_noted.update(_RULE.findall(event.body.text))
            elif event.type == "state_changed":
                self.state = event.body.state
        return self

    def _answered(self, event: Event) -> None:
        told = self.told[event.body.ask]
        if told.answer is not None:
            return
        told = self.told[told.ask] = told._replace(answer=event.body, answered_at=event.at)
        lasting = event.body.allowed and event.body.scope != "once"
        if lasting and event.body.by == "human" and not told.redacted:
            self._permitted.setdefault(told.key, told)

    @property
    def ended(self) -> bool:
        return self.state in ENDED

    @property
    def open(self) -> list[Told]:
        """What still waits for an answer, oldest first; an ended run waits for nothing."""
        return [] if self.ended else [told for told in self.told.values() if told.answer is None]

    def permitted(self, key: Key) -> Told | None:
        """The question whose answer permits this one."""
        return self._permitted.get(key)

    def open_like(self, key: Key) -> Told | None:
        """The same question, asked before the run was interrupted."""
        return next((told for told in self.open if told.key == key and not told.redacted), None)

    def next_id(self) -> str:
        """An id that no question has, whatever the ledger calls its questions."""
        number = len(self.told) + 1
        while ask_id(self.run_id, number) in self.told:
            number += 1
        return ask_id(self.run_id, number)
