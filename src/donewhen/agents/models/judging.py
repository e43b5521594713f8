"""A model that reviews: one prompt without tools, one answer, paid from the account of whoever asks.

It is a call like any other: set aside before it is made, retried, booked under the model that answered. Whose
work is reviewed is known by the name of its model: nobody reviews his own.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from donewhen.agents.models.calling import Caller, Means, TooLong
from donewhen.core.chat import CallAccount, Fitted, Piece, Prompt, UserSaid
from donewhen.core.errors import SetupError, UserError
from donewhen.core.texts import Phrase

if TYPE_CHECKING:
    from donewhen.config import Config

_MILLION = 1_000_000
_ROUND = 16  # tokens round a message


class Chosen(NamedTuple):
    """Names of models in the order in which they are asked; empty where there is none but the author's."""

    order: tuple[str, ...]
    notes: tuple[Phrase, ...] = ()  # about those that can't be used


def choose_reviewer(config: "Config", env: Mapping[str, str], author: str = "") -> Chosen | None:
    """Who reviews; None where no model is configured for that and no model did the work.

    `author`: the full name of the model that does the work. UserError when the one that is named for
    reviews can't be used; a fallback that can't is left out.
    """
    named = _named(config)
    if not named and not author:
        return None
    usable, notes = _fallbacks(config, env, author)
    for each in named:
        _source(each, config, env, author)  # what is wrong with it is told before anything is asked
    others = tuple(dict.fromkeys(each for each in (*named, *usable) if each != author))
    return Chosen(others, notes=notes)


def _named(config: "Config") -> tuple[str, ...]:
    """Those that are configured for reviews, the nearest setting first."""
    from donewhen.agents.models.naming import parse_name

    section = config.tools.llm
    wished = (config.verification.semantic.model, section.roles.review)
    return tuple(str(parse_name(each, section.provider)) for each in wished if each)


def _fallbacks(
    config: "Config", env: Mapping[str, str], author: str
) -> tuple[tuple[str, ...], tuple[Phrase, ...]]:
    usable, notes = list[str](), list[Phrase]()
    for each in config.tools.llm.fallback:
        try:
            usable.append(_source(each, config, env, author))
        except UserError as error:
            why = Phrase(error.key, error.values)
            notes.append(Phrase("semantic.left_out", {"model": each, "why": why}))
    return tuple(usable), tuple(notes)


def _source(name: str, config: "Config", env: Mapping[str, str], author: str) -> str:
    from donewhen.agents.models.naming import find_source

    return str(find_source(name, config.tools.llm, env, author).named)


class ModelJudge:
    """See `verify.semantic.judge`. `spent`: micro-dollars of the account; `hide`: takes secrets out."""

    def __init__(
        self,
        means: Means,
        desk: CallAccount,
        spent: Callable[[], int],
        hide: Callable[[str], str] = str,
        *,
        max_output: int = 8192,
        temperature: float | None = None,
    ) -> None:
        self._caller = Caller(means, desk)
        self._desk = desk
        self._spent = spent
        self._hide = hide
        self._asks = Prompt((), (), (), "", max_output, temperature)
        self._model = means.order["review"][0]

    @property
    def name(self) -> str:
        return self._model

    @property
    def model(self) -> str:
        """That answered last; before, the one that is asked first."""
        return self._model

    @property
    def cost(self) -> float:
        return self._spent() / _MILLION

    async def review(self, prompt: str, stage: str = "") -> str:
        """A SetupError when there is no answer to be had, LimitReached when the run may not ask."""
        text = self._hide(prompt)
        fitted = Fitted(
            self._asks._replace(pieces=(Piece(UserSaid(text)),)), lambda exact: self._size(text, exact)
        )
        try:
            reply, self._model = await self._caller.ask("review", fitted)
        except TooLong:
            raise SetupError("semantic.too_long", model=self._model) from None
        except UserError as error:  # a key that was there when the run began
            raise SetupError(error.key, **error.values) from None
        if reply.finish == "refusal":
            raise SetupError("semantic.refused", model=self._model)
        if reply.finish == "length":
            raise SetupError("semantic.cut", model=self._model, tokens=self._asks.max_output)
        return reply.text

    def _size(self, text: str, exact: bool) -> tuple[int, int]:
        words = self._desk.count(text) if exact else len(text.encode(errors="replace"))
        return words + _ROUND, 0

    async def close(self) -> None:
        await self._caller.close()


def reviewing_means(
    config: "Config", env: Mapping[str, str], cache: Path, chosen: Chosen, author: str
) -> Means:
    """How the chosen models are had and paid."""
    import random

    from donewhen.agents.models.naming import find_source, make_model
    from donewhen.agents.models.prices import Priced, price_of

    section, most = config.tools.llm, config.context.max_tokens

    def price(named: str) -> Priced:
        source = find_source(named, section, env, author)
        return price_of(*source.named, config.budget, cache, address=source.url, most_input=most)

    return Means(
        {"review": chosen.order},
        lambda named: make_model(named, section, env, author),
        price,
        section.retries,
        random.random,
    )
