"""What follows a failed call: wait and try again, the next model, a tighter context, or nothing.

Pure: the caller counts, draws the lot and waits.
"""

from typing import NamedTuple

from donewhen.core.chat import Failure, ModelFailed

FIRST_WAIT = 0.5
LONGEST_WAIT = 20.0
LONGEST_ASKED = 60.0  # an endpoint that asks for more is left alone
_NEVER_AGAIN: tuple[Failure, ...] = ("key", "quota", "model", "tools", "request")
_ONCE_MORE: tuple[Failure, ...] = ("huge",)
_MOST_DOUBLINGS = 16


class Wait(NamedTuple):
    seconds: float


class TighterContext(NamedTuple):
    """The prompt must become shorter."""


class NextModel(NamedTuple):
    """This model is not worth another try; `asked`: for how long it wanted to be left alone."""

    asked: float | None = None


class GiveUp(NamedTuple):
    """As NextModel, where there is none."""

    asked: float | None = None


After = Wait | TighterContext | NextModel | GiveUp


def following(
    failure: ModelFailed, attempt: int, retries: int, chance: float, *, more: bool = False
) -> After:
    """What to do after try number `attempt` (1, 2, …) of one model; `chance` is a number from 0 to 1.

    `more`: whether another model is left.
    """
    if failure.kind == "too_long":
        return TighterContext()
    leave: After = NextModel() if more else GiveUp()
    most = min(retries, 1) if failure.kind in _ONCE_MORE else retries
    if failure.kind in _NEVER_AGAIN or attempt > most:
        return leave
    asked = failure.retry_after
    if asked is not None and asked > LONGEST_ASKED:
        return NextModel(asked) if more else GiveUp(asked)
    return Wait(asked + FIRST_WAIT * chance if asked else _backoff(attempt, chance))


def _backoff(attempt: int, chance: float) -> float:
    """Between half of the doubled time and all of it, so that many callers don't come at once."""
    full = min(LONGEST_WAIT, FIRST_WAIT * 2.0 ** min(max(attempt, 1) - 1, _MOST_DOUBLINGS))
    return full * (0.5 + 0.5 * min(max(chance, 0.0), 1.0))
