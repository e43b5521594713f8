"""One judge, one question, one review: replies that are none go back with what is wrong, twice at most.

Whatever keeps a judge from answering is told as such; nothing that is not a review is ever taken for one.
"""

import asyncio
from collections.abc import Sequence
from typing import NamedTuple

from donewhen.core.errors import SetupError
from donewhen.core.semantic.model import Criterion, Review, ReviewError, Stage
from donewhen.core.semantic.prompt import again
from donewhen.core.semantic.reading import read_review
from donewhen.core.texts import Language, Phrase
from donewhen.verify.semantic.judge import Judge

RETRIES = 2
_LONGEST_WHY = 500


class Question(NamedTuple):
    stage: Stage
    prompt: str
    criteria: Sequence[Criterion]


class NoReview(NamedTuple):
    why: Phrase


async def ask(
    judge: Judge, question: Question, language: Language, timeout: float | None
) -> Review | NoReview:
    """`timeout`: seconds for one answer."""
    prompt = question.prompt
    for _ in range(RETRIES + 1):
        try:
            async with asyncio.timeout(timeout) as limit:
                reply = await judge.review(prompt)
        except SetupError as error:
            return NoReview(_failed(judge, Phrase(error.key, error.values)))
        except OSError as error:  # a TimeoutError is one, ours or the judge's own
            if limit.expired():
                return NoReview(Phrase("semantic.judge_slow", {"judge": judge.name, "seconds": timeout}))
            return NoReview(_failed(judge, str(error)[:_LONGEST_WHY] or type(error).__name__))
        try:
            return read_review(reply, question.criteria, question.stage)
        except ReviewError as error:
            wrong, prompt = error, again(question.prompt, error.say(language), language)
    values = {"judge": judge.name, "times": RETRIES + 1, "problems": Phrase(wrong.key, wrong.values)}
    return NoReview(Phrase("semantic.no_review", values))


def _failed(judge: Judge, why: Phrase | str) -> Phrase:
    return Phrase("semantic.judge_failed", {"judge": judge.name, "why": why})
