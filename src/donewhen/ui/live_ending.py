"""What the end of a run needs beside its outcome: where its work lies, who was asked, what to type next.

Folded from the events that a view hears. The next command is one that can be typed as it stands.
"""

import shlex
from collections.abc import Mapping
from typing import TYPE_CHECKING

from donewhen.core.asking import AskedFold
from donewhen.core.events import Body, facts, run
from donewhen.core.session import words_wanted
from donewhen.core.shipment import ShipmentFold
from donewhen.core.summary import ENDED
from donewhen.ui.output import one_line
from donewhen.ui.words import t

if TYPE_CHECKING:
    from donewhen.run.board import Proof
    from donewhen.run.engine.model import Outcome
    from donewhen.run.reporting_model import File

# Of runs that have ended and can't be taken up: what helps to understand them.
_LOOK = {
    "scope_drift": "diff",
    "accept_continue_exhausted": "diff",
    "accept_check_failed": "diff",
    "verification_failed": "diff",
    "todo_not_converged": "diff",
    "required_todo_failed": "show",
    "repeat_cycle": "show",
    "deadlock": "show",
    "missing_completion_signal": "show",
}


_GONE = frozenset({"shipping.gone", "shipping.altered", "shipping.base_gone"})  # nothing to go on with


class Ending:
    def __init__(self) -> None:
        self._repo = self._base = self._workspace = self._judged = ""
        self._in_place = False
        self.run_id = ""
        self._asks: dict[str, None] = {}
        self.proofs: tuple[Proof, ...] = ()
        self.asked = AskedFold()
        self._shipment = ShipmentFold()

    def take(self, body: Body) -> None:
        self.asked.take(body)
        self._shipment.take(body)
        match body:
            case run.RunStarted():
                self._repo, self._base = body.repo, body.base
            case run.WorkspaceOpened():
                self._workspace, self._base = body.path, body.base or self._base
                self._in_place = body.kind == "in_place"
            case run.Decided():
                self._judged = body.fingerprint or self._judged
            case facts.Asked():
                self._asks[body.ask] = None
            case facts.Answered():
                self._asks.pop(body.ask, None)

    def files(self, outcome: "Outcome", env: Mapping[str, str]) -> "tuple[File, ...]":
        """What the run changed, with lines added and removed; empty where that can't be told any more."""
        from donewhen.run.reporting_change import Told, look

        told = Told(
            outcome.run_id,
            self._repo,
            self._base,
            self._workspace,
            self._in_place,
            outcome.state in ENDED,
            outcome.commit,
            self._judged,
        )
        return look(told, env, lambda text: text).files

    def next_command(self, outcome: "Outcome") -> str:
        """What to type now, in one line."""
        return " && ".join(self.next_commands(outcome))

    def next_commands(self, outcome: "Outcome") -> tuple[str, ...]:
        """What to type now: one command, or those that bring the work to its place."""
        by_hand = self._shipment.shipment.commands if outcome.state in ENDED else ()
        if not by_hand and outcome.state == "paused" and not self._asks:
            words = words_wanted(outcome.decision["results"], outcome.run_id)
            by_hand = tuple(f"donewhen {shlex.join(each)}" for each in words)
            by_hand += (t("live.next_resume", run=outcome.run_id),) if words else ()
        return tuple(map(one_line, by_hand)) or (self._one(outcome),)

    def _one(self, outcome: "Outcome") -> str:
        name, reason = outcome.run_id, str(outcome.decision["stop_reason"])
        if outcome.error is not None and outcome.error.key in _GONE:
            key, values = "abort", {"run": name}
        elif reason == "accepted":
            key, values = (
                ("merge", {"branch": outcome.branch})
                if outcome.branch and not (outcome.target or outcome.pull)
                else ("report", {"run": name})
            )
        elif outcome.state == "paused":
            ask = next(reversed(self._asks), "")
            key, values = ("approve", {"ask": ask}) if ask else ("resume", {"run": name})
        elif outcome.changed or outcome.work:
            key, values = _LOOK.get(reason, "report"), {"run": name}
        else:
            key, values = "show" if reason in _LOOK else "report", {"run": name}
        return t(f"live.next_{key}", **values)
