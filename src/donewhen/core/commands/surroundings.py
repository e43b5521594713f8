"""What surrounds a command while a line is read: where `exit`, `return` and `break` lead, and who answers."""

from collections.abc import Mapping
from typing import NamedTuple

from donewhen.core.codec import EMPTY
from donewhen.core.commands.status import (
    Facts,
    Flow,
    State,
    Value,
    code,
    meet,
    plus,
)
from donewhen.core.tree import Word


class End(NamedTuple):
    """A way out of a shell or a function, with the status it takes along."""

    status: Value
    state: State


class Ends(NamedTuple):
    """The ways out of one round of a loop."""

    broken: list[State]
    continued: list[State]


class Shell(NamedTuple):
    exits: list[End]
    returns: list[End] | None = None  # None: not in a function
    loops: tuple[Ends, ...] = ()
    local: set[str] | None = None  # variables that end with the function
    guarded: bool = False  # part of a condition: errexit and the ERR trap are off
    elsewhere: bool = False
    direct: bool = True  # this shell itself looks the name up; False: a wrapper starts a program
    functions: bool = True  # False: `command` and `builtin` pass functions by
    bash: bool = True  # False: `[[`, `((` and PIPESTATUS may be missing
    depth: int = 0
    trapped: Value | None = None  # in an EXIT trap: the status before it
    env: Mapping[str, Word] = EMPTY  # set for this command only
    prefix: tuple[Word, ...] = ()  # inside a container: the words that lead there


def shell_status(ends: list[End]) -> Value:
    """The status of a shell that ends in one of these ways."""
    zero: Facts | None = meet(*(plus(end.status.zero, end.state.facts) for end in ends))
    nonzero: Facts | None = meet(*(plus(end.status.nonzero, end.state.facts) for end in ends))
    return code(zero, nonzero)


def exit_code(value: Value) -> Value:
    """The status that `exit value` leaves: modulo 256, and 2 for what is no number."""
    zero: list[Facts | None] = []
    nonzero: list[Facts | None] = []
    for text, facts in value.cases.items():
        (zero if _leaves_zero(text) else nonzero).append(facts)
    if value.other is not None:
        nonzero.append(value.other)
        zero += [] if value.codes else [value.other]
    return code(meet(*zero), meet(*nonzero))


def _leaves_zero(text: str) -> bool:
    digits = text.strip().lstrip("+-")
    if not digits.isascii() or not digits.isdigit():
        return digits == ""  # `exit $nothing` is a bare exit: nothing is known
    return len(digits) > 15 or int(digits) % 256 == 0


def ended(flow: Flow) -> list[End]:
    """The ends of a shell that has run to its end."""
    return [End(state.status, state) for state in flow if state is not None]
