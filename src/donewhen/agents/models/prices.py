"""What a model costs, and what a call did: never less than the truth, as far as it can be known here.

A price comes from the configuration, else from the table of a maintained package, else it is the configured
guess, which is said loudly. Nothing is free because nobody knows its price. Money is whole micro-dollars,
rounded up.
"""

from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple
from urllib.parse import urlsplit

from donewhen.core.budget import MILLION, Price, Usage, amount
from donewhen.core.chat import Used

if TYPE_CHECKING:
    from donewhen.config.schema import Budget, ModelPrice

Source = Literal["config", "table", "local", "assumed"]
_ON_THIS_MACHINE = frozenset({"ollama", "lmstudio", "vllm", "llamacpp", "llama.cpp", "localai"})
_FREE = Price(0, 0)
_WRITE = {"anthropic": 125}  # percent of the input price, where we ask for a cache and nobody says its price


class Priced(NamedTuple):
    price: Price
    known: bool  # False: a guess, to be said loudly by whoever uses it
    source: Source


def price_of(
    provider: str,
    model: str,
    budget: "Budget",
    cache: Path | None = None,
    *,
    address: str = "",
    most_input: int | None = None,
) -> Priced:
    """The price of a model.

    `address`: where it answers; models on this machine are free only where this is a loopback address.
    `most_input`: the longest prompt that will ever be sent; without it the dearest tier counts.
    """
    own = budget.prices.get(f"{provider}:{model}") or budget.prices.get(model)
    if own is None and _is_local(provider, model, address):
        return Priced(_FREE, True, "local")
    from donewhen.agents.models.price_table import look_up

    found = look_up(provider, model, most_input, cache)
    if own is not None:
        whole = own.input is not None and own.output is not None
        return Priced(_filled(own, found, budget, provider), whole or found is not None, "config")
    if found is not None:
        return Priced(found, True, "table")
    return Priced(_filled(None, None, budget, provider), False, "assumed")


def cost_of(used: Used, price: Price) -> int:
    """Micro-dollars, rounded up once for the whole call."""
    return _cost(_told(used), price)


def usage_of(used: Used, price: Price, counted_input: int, counted_output: int, model: str) -> Usage:
    """What a call cost by its report, where that says no less than what was counted here.

    Tokens that the report lacks are charged at the dearest price they can have had.
    """
    told = _told(used)
    taken = told.input + told.cache_read + told.cache_write
    lacking = max(0, counted_input - taken)
    whole = told._replace(output=max(told.output, counted_output))
    dearest = max(price.input, price.cache_write, price.cache_read)
    return Usage(_cost(whole, price, lacking * dearest), taken + lacking, whole.output, model)


def _told(used: Used) -> Used:
    """A report without fewer than no tokens, or more reasoning than output."""
    least = Used(*(max(0, part) for part in used))
    return least._replace(output=max(least.output, least.reasoning))


def _cost(used: Used, price: Price, more: int = 0) -> int:
    total = used.input * price.input + used.output * price.output + more
    total += used.cache_read * price.cache_read + used.cache_write * price.cache_write
    return -(-total // MILLION)


def _filled(own: "ModelPrice | None", table: Price | None, budget: "Budget", provider: str) -> Price:
    """The configured price; what it leaves out is as in the table, else as assumed for unknown models."""

    def part(name: str, otherwise: int) -> int:
        dollars: float | None = getattr(own, name, None)
        if dollars is not None:
            return _micros(dollars, name)
        found: int | None = getattr(table, name, None)
        return otherwise if found is None else found

    guess = budget.unknown_price
    entry = part("input", _micros(guess.input, "input"))
    result = part("output", _micros(guess.output, "output"))
    write = -(-entry * _WRITE.get(provider, 100) // 100)
    return Price(entry, result, part("cache_write", write), part("cache_read", entry))


def _micros(dollars: float, name: str) -> int:
    return amount("money", dollars, up=True, place=f"budget.prices.{name}")


def _is_local(provider: str, model: str, address: str) -> bool:
    """Whether this machine does the work: the address says so, and the model is not one that is passed on."""
    if provider not in _ON_THIS_MACHINE or model.lower().endswith("cloud"):
        return False
    try:
        host = urlsplit(address).hostname or ""
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False
