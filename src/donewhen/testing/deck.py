"""The answers of a script, dealt in order."""

import re
from collections.abc import Iterable, Iterator

from donewhen.testing.model import Answer, Asked, Refusal, Then

_OVER = Answer("I have nothing to add.")


class Deck:
    def __init__(self, answers: Iterable[Answer], then: Then = "stop") -> None:
        self._answers = tuple(answers)
        self._then = then
        self._order = self._played()
        self._next: tuple[int, Answer] | None = None

    def _played(self) -> Iterator[tuple[int, Answer]]:
        for number, answer in enumerate(self._answers, start=1):
            for _ in range(answer.times):
                yield number, answer

    def deal(self, asked: Asked) -> Answer:
        """The answer to this request. One that expects another request stays where it is."""
        number, answer = self._next or next(self._order, None) or self._after()
        self._next = number, answer
        if answer.when and not _holds(asked, answer.when):
            why = f"fake model: answer {number} of the script expects {answer.when!r} in the request"
            raise Refusal("request", why)
        self._next = None
        return answer

    def _after(self) -> tuple[int, Answer]:
        if self._then == "repeat-last" and self._answers:
            return len(self._answers), self._answers[-1]
        if self._then == "error":
            raise Refusal("status", "fake model: the script is over", 500)
        return len(self._answers) + 1, _OVER

    @property
    def left(self) -> int:
        """How many answers have not been played."""
        waiting = list(self._order)
        self._order = iter(waiting)
        return len(waiting) + (self._next is not None)


def _holds(asked: Asked, wanted: str) -> bool:
    text = "\n".join(asked.texts)
    if wanted in text:
        return True
    try:
        return re.search(wanted, text) is not None
    except re.error:
        return False
