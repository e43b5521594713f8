"""What is known about named models: their price, and how much they take at once."""

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from donewhen.core.budget import MILLION
from donewhen.core.errors import UserError

if TYPE_CHECKING:
    from donewhen.config import Config


class Facts(NamedTuple):
    """Dollars for a million tokens; `known` is False where they are only assumed."""

    known: bool
    source: str  # config, table, local, assumed
    input: float
    output: float
    context: int | None = None  # tokens that it takes at once


def facts_of(names: Iterable[str], config: "Config", *, sizes: bool = False) -> dict[str, Facts]:
    """By name; `sizes` also looks for the size of the context, which takes a moment."""
    return {name: _facts(name, config, sizes=sizes) for name in names}


def _facts(name: str, config: "Config", *, sizes: bool) -> Facts:
    from donewhen.agents.models.naming import parse_name
    from donewhen.agents.models.prices import price_of
    from donewhen.config.paths import cache_folder

    try:
        provider, model = parse_name(name, config.tools.llm.provider)
    except UserError:  # a ledger may hold any name
        provider, model = "", name
    cache = cache_folder(os.environ)
    most = config.context.max_tokens  # as a run looks it up
    address = _address(name, config)
    priced = price_of(provider, model, config.budget, cache, address=address, most_input=most)
    price = priced.price
    size = _size(provider, model) if sizes else None
    return Facts(priced.known, priced.source, price.input / MILLION, price.output / MILLION, size)


def _address(name: str, config: "Config") -> str:
    from donewhen.agents.models.naming import find_source

    try:
        return find_source(name, config.tools.llm, os.environ).url
    except UserError:
        return ""


def _size(provider: str, model: str) -> int | None:
    try:
        from genai_prices.data_snapshot import get_snapshot

        _, entry = get_snapshot().find_provider_model(model, None, provider, None)
    except (ImportError, LookupError):
        return None
    return entry.context_window
