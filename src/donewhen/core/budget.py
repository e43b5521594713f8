"""The account of a run: what may still be spent, in whole micro-dollars and tokens.

The worst case is reserved before a call and replaced by what it cost, so spending never passes the limit.
The account moves by ledger events alone: `reserve` and `booking` make one, `move` folds it; a resumed run
folds the same events and stands where it stood. No float is ever added up here, and nothing is refunded
because a number is missing, negative or came from a stream that was cut.
"""

from collections.abc import Callable, Mapping
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, get_args

from donewhen.core.errors import InvariantBroken, UserError
from donewhen.core.events.run import CostBooked, CostReserved

Kind = Literal["money", "tokens", "time", "tool-calls", "turns"]
Spender = Literal["llm", "api", "other"]
KINDS: tuple[Kind, ...] = get_args(Kind)
SPENDERS: tuple[Spender, ...] = get_args(Spender)
MILLION = 1_000_000
MOST = 2**62  # amounts that others report stop here
MOST_CALL = 1_000 * MILLION  # of one call of a tool or verifier: more is a mistake of whoever says so
LEAST_OUTPUT = 256  # an answer cut shorter than this is not worth its input
INPUT_PERCENT = 110  # a provider may count this much of our count
_NONE: Mapping[Any, Any] = MappingProxyType({})
_UNITS: Mapping[Kind, int] = {"money": MILLION, "tokens": 1, "time": 1000, "tool-calls": 1, "turns": 1}


class Price(NamedTuple):
    """Micro-dollars for a million tokens."""

    input: int
    output: int
    cache_write: int = 0
    cache_read: int = 0


class Call(NamedTuple):
    """A model call that is about to be made, in tokens."""

    input: int  # as we count it
    output: int  # the most that is asked for, reasoning included
    overhead: int = 0  # of tools
    input_percent: int = INPUT_PERCENT


class Amount(NamedTuple):
    micros: int = 0
    tokens: int = 0


class Usage(NamedTuple):
    """What someone reports to have used."""

    micros: int
    tokens_in: int = 0
    tokens_out: int = 0
    model: str = ""


class Account(NamedTuple):
    """Limits are None where nothing limits; `reserved` holds the open calls by key."""

    limit: int | None = None  # micro-dollars
    limit_tokens: int | None = None
    floor: int = 0  # micro-dollars that must be left for anything to start
    warn_ppm: int = 200_000  # millionths of the limit left when a warning is due
    reserved: Mapping[str, Amount] = _NONE
    booked: Mapping[Spender, Amount] = _NONE
    warned: bool = False

    @property
    def spent(self) -> Amount:
        return _total(self.booked)

    @property
    def held(self) -> Amount:
        return _total(self.reserved)

    @property
    def left(self) -> int | None:
        """Micro-dollars that nobody has spent or reserved; below zero when more was booked than reserved."""
        return None if self.limit is None else self.limit - self.spent.micros - self.held.micros

    @property
    def left_tokens(self) -> int | None:
        return None if self.limit_tokens is None else self.limit_tokens - self.spent.tokens - self.held.tokens


class Granted(NamedTuple):
    """The call may be made with at most `output` tokens, once the event is in the ledger."""

    event: CostReserved
    output: int


class Exhausted(NamedTuple):
    """The call may not be made: not even a short answer fits in what is left of `kind`."""

    kind: Literal["money", "tokens"]


def amount(kind: Kind, value: object, *, up: bool = False, place: str = "budget") -> int:
    """An amount as people write it (dollars, seconds, counts) in whole units: micro-dollars, milliseconds."""
    if isinstance(value, bool) or not isinstance(value, int | float | str | Decimal):
        raise UserError("budget.bad_amount", place=place, kind=kind)
    try:
        number = Decimal(str(value)) * _UNITS[kind]
    except (ArithmeticError, ValueError):
        raise UserError("budget.bad_amount", place=place, kind=kind) from None
    if not number.is_finite() or not 0 <= number <= MOST:
        raise UserError("budget.bad_amount", place=place, kind=kind)
    return int(number.to_integral_value(ROUND_CEILING if up else ROUND_FLOOR))


class Purse:
    """Pays for what is no call of a model: a declared cost is held before the call, and booked after it.

    `account`: as it stands now; `post` writes an event, which moves it.
    """

    def __init__(
        self, account: Callable[[], Account], post: Callable[[CostReserved | CostBooked], object]
    ) -> None:
        self._account = account
        self._post = post

    def hold(self, key: str, micros: int) -> bool:
        """Whether it fits in what is left; nothing is held for what costs nothing."""
        left = self._account().left
        if micros and left is not None and micros > left:
            return False
        if micros:
            self._post(CostReserved(key, micros))
        return True

    def book(self, key: str, kind: Spender, micros: int | None = None) -> None:
        """What it cost; all that was held for it where nobody says."""
        used = None if micros is None else Usage(micros)
        event = booking(self._account(), key, kind, used)
        if event.micros or key in self._account().reserved:
            self._post(event)


def worst_case(call: Call, price: Price) -> Amount:
    """The most that a call can cost: padded input at the dearest input price, all of its output."""
    tokens = _padded(call)
    return Amount(
        _input_cost(tokens, price) + _ceil(call.output * price.output, MILLION), tokens + call.output
    )


def reserve(account: Account, key: str, call: Call, price: Price) -> Granted | Exhausted:
    """Whether a call fits, perhaps with less output; all spenders of a run ask the same account."""
    if key in account.reserved:
        raise InvariantBroken("budget.key_in_use", key=key)
    if min(*call, *price) < 0:
        raise InvariantBroken("budget.negative", key=key)
    room, kind = _room(account, call, price)
    output = min(call.output, room)
    if output < min(call.output, LEAST_OUTPUT) or room < 0:
        return Exhausted(kind)
    worst = worst_case(call._replace(output=output), price)
    return Granted(CostReserved(key, worst.micros, worst.tokens), output)


def booking(
    account: Account, key: str, kind: Spender, used: Usage | None = None, *, cut: bool = False
) -> CostBooked:
    """The event that replaces a reservation: what was reported, or all of it when that can't be known."""
    held = account.reserved.get(key, Amount())
    if used is None:
        return CostBooked(key, kind, held.micros, tokens_in=held.tokens)
    told = CostBooked(
        key, kind, _sane(used.micros), _sane(used.tokens_in), _sane(used.tokens_out), model=used.model
    )
    if not cut and min(used.micros, used.tokens_in, used.tokens_out) >= 0:
        return told
    missing = max(0, held.tokens - told.tokens_in - told.tokens_out)
    return told._replace(micros=max(told.micros, held.micros), tokens_out=told.tokens_out + missing)


def move(account: Account, event: CostReserved | CostBooked) -> Account:
    """The account after an event of the ledger. Whatever it says is counted, even what was never reserved."""
    reserved = dict(account.reserved)
    if isinstance(event, CostReserved):
        held = reserved.get(event.key, Amount())
        reserved[event.key] = Amount(held.micros + _sane(event.micros), held.tokens + _sane(event.tokens))
        return account._replace(reserved=MappingProxyType(reserved))
    reserved.pop(event.key, None)
    old = account.booked.get(event.kind, Amount())
    tokens = _sane(event.tokens_in) + _sane(event.tokens_out)
    new = Amount(old.micros + _sane(event.micros), old.tokens + tokens)
    moved = account._replace(
        reserved=MappingProxyType(reserved), booked=MappingProxyType({**account.booked, event.kind: new})
    )
    return moved._replace(warned=account.warned or _low(moved))


def warning_due(before: Account, after: Account) -> bool:
    """True for the one event with which the budget ran low."""
    return after.warned and not before.warned


def exhausted(
    spent: Mapping[Kind, int], limits: Mapping[Kind, int | None], target: Kind | Literal[""] = ""
) -> tuple[Kind, ...]:
    """The kinds with nothing left, of the one named or of all; both mappings in the units of `amount`."""
    kinds = KINDS if target == "" else (target,)
    return tuple(
        kind for kind in kinds if (most := limits.get(kind)) is not None and spent.get(kind, 0) >= most
    )


def _room(account: Account, call: Call, price: Price) -> tuple[int, Literal["money", "tokens"]]:
    """How many tokens of output fit, below zero when not even the input does, and which kind says so."""
    tokens, rest = _padded(call), account.left_tokens
    by_tokens = MOST if rest is None else rest - tokens
    by_money = _affordable(account, tokens, price)
    return (by_money, "money") if by_money <= by_tokens else (by_tokens, "tokens")


def _affordable(account: Account, tokens: int, price: Price) -> int:
    """How many tokens of output the money left pays for, after the input."""
    if account.left is None:
        return MOST
    after = account.left - _input_cost(tokens, price)
    if account.left < account.floor or after < 0:
        return -1
    return after * MILLION // price.output if price.output else MOST


def _padded(call: Call) -> int:
    return _ceil(call.input * call.input_percent, 100) + call.overhead


def _input_cost(tokens: int, price: Price) -> int:
    return _ceil(tokens * max(price.input, price.cache_write, price.cache_read), MILLION)


def _low(account: Account) -> bool:
    if account.limit is None:
        return False
    return (account.limit - account.spent.micros) * MILLION <= account.limit * account.warn_ppm


def _total(parts: Mapping[Any, Amount]) -> Amount:
    return Amount(sum(part.micros for part in parts.values()), sum(part.tokens for part in parts.values()))


def _ceil(number: int, by: int) -> int:
    return -(-number // by)


def _sane(number: int) -> int:
    return min(max(number, 0), MOST)
