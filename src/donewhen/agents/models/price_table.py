"""The price of a model by the table that genai-prices brings; nothing is fetched.

Its import takes a fifth of a second, so what was found is kept in a file and read there the next time.
"""

from collections.abc import Iterator
from datetime import UTC, datetime
from decimal import ROUND_CEILING, Decimal
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING

from donewhen.agents.models.price_cache import PriceCache
from donewhen.core.budget import MILLION, MOST, Price

if TYPE_CHECKING:
    from genai_prices.types import ModelInfo, ModelPrice, TieredPrices

_PACKAGE = "genai-prices"
_RULES = 1  # how a price is read from the table; part of the version of what is kept
_NO_TABLE = frozenset({"openai-compatible", "custom"})  # whose endpoint it is, nobody knows


def look_up(provider: str, model: str, most_input: int | None, cache: Path | None) -> Price | None:
    """The dearest price that a call may have from now on; None where the table has none for it."""
    if provider in _NO_TABLE:
        return None
    try:
        kept = PriceCache(cache, f"{version(_PACKAGE)}/{_RULES}") if cache else None
    except PackageNotFoundError:
        return None
    name = f"{provider}:{model}" if most_input is None else f"{provider}:{model}<{most_input}"
    if kept is not None and name in kept:
        return kept[name]
    found = _from_table(provider, model, most_input)
    if kept is not None:
        kept.keep(name, found)
    return found


def _from_table(provider: str, model: str, most_input: int | None) -> Price | None:
    try:
        from genai_prices.data_snapshot import get_snapshot

        _, entry = get_snapshot().find_provider_model(model, None, provider, None)
    except (ImportError, LookupError):
        return None
    prices = list(_possible(entry, datetime.now(UTC)))
    if not prices or any(each.requests_kcount for each in prices):
        return None  # a fee for each request does not fit in a price for tokens
    entered, made = _dearest(prices, "input_mtok", most_input), _dearest(prices, "output_mtok", most_input)
    if entered is None or made is None:
        return None
    thought = _dearest(prices, "output_reasoning_mtok", most_input) or 0
    write, read = (_dearest(prices, f"cache_{way}_mtok", most_input) for way in ("write", "read"))
    return Price(
        entered,
        max(made, thought),
        entered if write is None else write,
        entered if read is None else read,
    )


def _possible(entry: "ModelInfo", now: datetime) -> "Iterator[ModelPrice]":
    """The prices that may hold now or later: the last one that has begun ends all before it."""
    from genai_prices.types import ModelPrice, StartDateConstraint

    if isinstance(entry.prices, ModelPrice):
        yield entry.prices
        return
    for each in reversed(entry.prices):
        yield each.prices
        limit = each.constraint
        if limit is None or (isinstance(limit, StartDateConstraint) and limit.active(now)):
            return


def _dearest(prices: "list[ModelPrice]", name: str, most_input: int | None) -> int | None:
    """Micro-dollars for a million tokens; None unless every price says something about it."""
    found = [getattr(each, name) for each in prices]
    if any(each is None for each in found):
        return None
    return max(_micros(dollars) for each in found for dollars in _tiers(each, most_input))


def _tiers(price: "Decimal | TieredPrices", most_input: int | None) -> Iterator[Decimal]:
    if isinstance(price, Decimal):
        yield price
        return
    yield price.base
    for tier in price.tiers:
        if most_input is None or tier.start < most_input:
            yield tier.price


def _micros(dollars: Decimal) -> int:
    return min(MOST, max(0, int((dollars * MILLION).to_integral_value(ROUND_CEILING))))
