"""The acceptance record of a run: kept in the state folder, and where the user asked for it."""

import shutil
from pathlib import Path

from donewhen.core.errors import UserError
from donewhen.run.engine.live import Run
from donewhen.run.shipping.record import keep_acceptance
from donewhen.workspace.records.signing import ENDINGS


def keep_record(live: Run) -> Path | None:
    """Where the record lies; to be asked once the decision stands, while the workspace is there."""
    if live.shipped is None or live.attempt is None:
        return None
    terms = live.terms
    made = keep_acceptance(
        live.ledger.opened,
        live.ledger.run_id,
        live.room.site,
        live.shipped.tree,
        live.attempt.tools,
        terms.config,
        terms.means.env,
    )
    return _copied(made, terms.means.folder / terms.wish.record) if terms.wish.record else made


def _copied(made: Path, wanted: Path) -> Path:
    try:
        for ending in ("", *ENDINGS.values()):
            part = made.with_name(made.name + ending)
            if part.is_file():
                shutil.copyfile(part, wanted.with_name(wanted.name + ending))
    except OSError as error:
        raise UserError("record.not_written", place=wanted, why=error.strerror or str(error)) from None
    return wanted
