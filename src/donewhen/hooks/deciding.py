"""What an answer means at a point: closed where blocking has an effect, a warning everywhere else.

Pure, and the only place that knows about failing open. A hook that could not do its work has not passed;
whoever wants that says so in the configuration, never the hook's own output.
"""

from typing import Literal, NamedTuple

from donewhen.core.hooking import BLOCKING, Point
from donewhen.core.texts import Phrase
from donewhen.hooks.model import Answer, Hook

Outcome = Literal["passed", "blocked", "failed", "noted", "changed"]
Text = Phrase | str


class Settled(NamedTuple):
    """`blocked` stops the point; `warning` is worth saying once; `reason` goes to the ledger."""

    outcome: Outcome
    blocked: Text = ""
    note: Text = ""
    warning: Text = ""
    reason: Text = ""


def settle(hook: Hook, point: Point, answer: Answer) -> Settled:
    if answer.failed is not None:
        return _failed(hook, point, answer.failed)
    if answer.block and point in BLOCKING:
        return Settled("blocked", blocked=answer.block, note=answer.note, reason=answer.block)
    if answer.block:
        return Settled("noted", note=answer.block, reason=answer.block)
    if answer.args is not None and point != "before_tool":
        return _failed(hook, point, Phrase("hooks.args_elsewhere"))
    if answer.args is not None:
        return Settled("changed", note=answer.note, reason=answer.note)
    return Settled("noted" if answer.note else "passed", note=answer.note, reason=answer.note)


def _failed(hook: Hook, point: Point, what: Phrase) -> Settled:
    values = {"hook": hook.name, "point": point, "what": what}
    if point in BLOCKING and not hook.fail_open:
        mend = Phrase(f"hooks.mend_{hook.kind}")
        return Settled("failed", Phrase("hooks.failed_closed", {**values, "mend": mend}), reason=what)
    return Settled("failed", warning=Phrase("hooks.failed_open", values), reason=what)
