"""A rule: which effects it is about, what happens then, and its own examples.

The examples are lines that it must find and lines that it must not; they are checked by tests for built-in
rules and when they load for rules of the configuration.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from donewhen.guard.bounds import Bounds
from donewhen.guard.decision import Action, Approval, Found
from donewhen.guard.effects import Effect
from donewhen.guard.ground import Ground
from donewhen.guard.places import Place


class Setting(NamedTuple):
    """What a rule may look at besides the effect."""

    ground: Ground
    bounds: Bounds = Bounds()
    places: dict[tuple[str, bool], Place] | None = None  # looked up for this decision: disks are slow
    drifts: list[str] | None = None  # paths outside the scope, of this decision


Applies = Callable[[Any, Found, Setting], bool]


class Rule(NamedTuple):
    name: str
    effects: tuple[type[Effect], ...]
    action: Action
    applies: Applies
    match: tuple[str, ...] = ()
    not_match: tuple[str, ...] = ()
    approval: Approval = "never"  # of a denial; what is asked a user may permit
    locked: Applies | None = None  # of a denial: what no allow rule of the user lifts
    in_checkout: bool = False  # holds in the user's own checkout alone

    @property
    def reason(self) -> str:
        """Key of the sentence that says why; it is given `target`."""
        return f"guard.why_{self.name.replace('-', '_')}"

    @property
    def instead(self) -> str:
        return f"guard.instead_{self.name.replace('-', '_')}"


def always(effect: Any, found: Found, setting: Setting) -> bool:
    return True
