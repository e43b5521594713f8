"""What people want of a live run: taken from the control table and written to the ledger.

What was asked for is done before it is marked as taken, so that a killed process loses no request; an abort
is marked when the run has ended.
"""

from donewhen.core.errors import UserError
from donewhen.core.events import run
from donewhen.core.protocols import Request
from donewhen.core.summary import ENDED
from donewhen.core.texts import say
from donewhen.run.engine.live import Run
from donewhen.run.engine.model import PutAside, Stopped


def between_turns(live: Run) -> None:
    """Whoever wants the run to stop is heard; requests are looked for ten times a second (`heeding`)."""
    if live.stop is not None and live.stop.asked:
        raise PutAside


def safe_point(live: Run) -> None:
    """Before and after a judgement: whoever wants the run to stop or to change is heard."""
    between_turns(live)
    requests = _open(live)
    for request in requests:
        if request.control.kind == "abort":
            raise Stopped("user_interrupt", cause="abort", detail=request.control.who)
    _take_all(live, requests)


def aborting(live: Run) -> str | None:
    """Who wants the run to end."""
    return next((each.control.who for each in _open(live) if each.control.kind == "abort"), None)


def take_requests(live: Run) -> None:
    """Amend and confirm; questions and answers are the approvals' own."""
    _take_all(live, _open(live))


def _take_all(live: Run, requests: list[Request]) -> None:
    for request in requests:
        if request.control.kind in ("amend", "confirm"):
            _take(live, request)


def settle_requests(live: Run) -> None:
    """A run that has ended has nothing more to take."""
    if live.state.position.state in ENDED:
        for request in _open(live):
            if request.control.kind in ("amend", "confirm"):
                live.ledger.post(
                    run.Noted(
                        say(
                            "resume.too_late",
                            live.language,
                            kind=request.control.kind,
                            who=request.control.who,
                        ),
                        "warning",
                    )
                )
            live.ledger.store.take(live.ledger.run_id, request.number, live.ledger.lease)


def _open(live: Run) -> list[Request]:
    return [each for each in live.ledger.store.requests(live.ledger.run_id) if not each.taken]


def _take(live: Run, request: Request) -> None:
    from donewhen.run.amending import take_amend, take_confirm

    try:
        if request.control.kind == "amend":
            live.ledger.append(*take_amend(request, live.state.promise, live.state.todos).bodies)
            live.tell_phrase("note", "engine.amended", who=request.control.who or "-")
        else:
            live.ledger.append(take_confirm(request, live.state.promise))
    except UserError as error:  # what somebody wrote there by hand
        live.ledger.post(run.Noted(error.say(live.language), "warning"))
    live.ledger.store.take(live.ledger.run_id, request.number, live.ledger.lease)
