"""The acceptance record of a run: kept in the state folder, and where the user asked for it."""

from pathlib import Path

from donewhen.config.paths import state_folder
from donewhen.run.engine.live import Run
from donewhen.run.shipping.commit import Shipped
from donewhen.run.shipping.record import keep_acceptance, record_of
from donewhen.run.shipping.record_note import attach
from donewhen.store.crashing import crash_point
from donewhen.verify.record import copied


def keep_record(live: Run) -> Path | None:
    """Where the record lies; to be asked once the decision stands, while the workspace is there."""
    if live.shipped is None:
        return None
    if not live.has_room:  # it was left once its record was kept
        return kept_record(live)
    terms = live.terms
    made = keep_acceptance(
        live.ledger.opened,
        live.ledger.run_id,
        live.room.site,
        live.shipped,
        live.tools,
        terms.config,
        terms.means.env,
    )
    crash_point("record written")
    _attach(live, live.shipped, made)
    return copied(made, terms.means.folder / terms.wish.record) if terms.wish.record else made


def _attach(live: Run, shipped: Shipped, record: Path) -> None:
    """A result that goes to others takes its record along, as a git note."""
    if live.terms.config.ship.mode == "branch":
        return
    why = attach(live.room.site.user, shipped.merged or shipped.commit, record, live.terms.means.env)
    if why is not None:
        live.warn(why)
    crash_point("record attached")


def kept_record(live: Run) -> Path | None:
    """The record that was kept before."""
    path = record_of(state_folder(live.terms.means.env), live.ledger.run_id)
    return path if path.is_file() else None
