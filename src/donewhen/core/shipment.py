"""Where the work of a run went, and what brings it there by hand where it could not go.

A projection of the ledger, so that the end of a run, its page and its report say the same.
"""

from typing import NamedTuple

from donewhen.core.events import Body, facts, run

_EFFECTS = frozenset({"branch", "merge", "pull_request"})


class Shipment(NamedTuple):
    commit: str = ""  # on the run's own branch
    target: str = ""  # the branch that it was merged into
    merged: str = ""  # the commit there
    pull: str = ""  # the address of its pull request
    why: str = ""  # what kept it from going where it was to go
    commands: tuple[str, ...] = ()  # that bring it there by hand, one after the other


class ShipmentFold:
    """Takes bodies one by one; what came later has the last word."""

    def __init__(self) -> None:
        self.shipment = Shipment()
        self._begun: dict[str, facts.EffectIntended] = {}

    def take(self, body: Body) -> None:
        match body:
            case facts.EffectIntended() if body.effect in _EFFECTS:
                self._begun[body.key] = body
            case facts.EffectDone() if body.key in self._begun and body.ok:
                self._did(self._begun[body.key], body.reference)
            case run.Noted() if body.commands:
                self.shipment = self.shipment._replace(why=body.text, commands=body.commands)
            case run.Resumed():
                self.shipment = self.shipment._replace(why="", commands=())

    def _did(self, begun: facts.EffectIntended, reference: str) -> None:
        now = self.shipment
        if begun.effect == "branch":
            self.shipment = now._replace(commit=reference)
        elif begun.effect == "merge":
            self.shipment = now._replace(target=begun.target, merged=reference, why="", commands=())
        else:
            self.shipment = now._replace(pull=reference, why="", commands=())
