"""What people want of a live run: taken between turns from the control table, and written to the ledger."""

from donewhen.core.errors import UserError
from donewhen.core.events import run
from donewhen.core.protocols import Request
from donewhen.run.amending import take_amend, take_confirm
from donewhen.run.engine.live import Run
from donewhen.run.engine.model import Stopped


def take_requests(live: Run) -> None:
    """Abort, amend and confirm; questions and answers are the approvals' own."""
    for request in live.ledger.store.requests(live.ledger.run_id):
        if not request.taken and request.control.kind in ("abort", "amend", "confirm"):
            _take(live, request)


def _take(live: Run, request: Request) -> None:
    live.ledger.store.take(live.ledger.run_id, request.number, live.ledger.lease)
    if request.control.kind == "abort":
        raise Stopped("user_interrupt", cause="abort", detail=request.control.who)
    try:
        if request.control.kind == "amend":
            live.ledger.append(*take_amend(request, live.state.promise, live.state.todos).bodies)
            live.tell_phrase("note", "engine.amended", who=request.control.who or "-")
        else:
            live.ledger.append(take_confirm(request, live.state.promise))
    except UserError as error:  # what somebody wrote there by hand
        live.ledger.post(run.Noted(error.say(live.language), "warning"))
