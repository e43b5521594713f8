"""What somebody tells about an accepted change after the run: an event behind its end, nothing else moves.

The decision stands, and so does what proved it; figures over runs count how often they were wrong.
"""

from typing import TYPE_CHECKING, Literal

from donewhen.core.errors import UserError
from donewhen.core.events.run import AcceptanceAudited
from donewhen.core.stats import LedgerFold
from donewhen.store.owner import this_process

if TYPE_CHECKING:
    from donewhen.store import Opened

MOST_NOTE = 2000
_LEASE = 30.0  # seconds; far more than one event takes
Found = Literal["ci_passed", "ci_failed"]


def tell_ci(opened: "Opened", run_id: str, found: Found, who: str, note: str = "") -> str:
    """Write it down and return the commit that it is about; UserError when the run was not accepted."""
    if len(note) > MOST_NOTE:
        raise UserError("stats.note_long", most=MOST_NOTE)
    store = opened.store
    lease = store.lease(run_id, this_process(), _LEASE)
    try:
        row = store.summary(run_id)
        if not row.ended or row.stop_reason != "accepted":
            raise UserError("stats.ci_not_accepted", run=run_id, state=row.state)
        told = LedgerFold()
        told.take(row, store.read(run_id))
        commit = next(reversed(told.later[run_id].commits), "")
        store.append(run_id, AcceptanceAudited(found, commit, who, note.strip()), lease=lease)
    finally:
        store.release(lease)
    return commit
