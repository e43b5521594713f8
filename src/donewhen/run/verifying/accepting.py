"""An accepted change leaves its record: in the state folder, and where the caller asked for it."""

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from donewhen.config.paths import state_folder
from donewhen.core.errors import UserError
from donewhen.run.records import About, Signing, write_record
from donewhen.workspace.records.signing import ENDINGS

if TYPE_CHECKING:
    from donewhen.run.verifying.looking import Looked, Means, Wanted
    from donewhen.run.verifying.place import ExamPlace
    from donewhen.store import Opened


def records_folder(state: Path) -> Path:
    return state / "records"


def signing_of(looked: "Looked") -> Signing | None:
    """How records are signed here; told before anything is run when a key is missing."""
    from donewhen.run.shipping.record import signing_by

    return signing_by(looked.rules.config)


def keep_record(
    opened: "Opened",
    run_id: str,
    looked: "Looked",
    place: "ExamPlace | None",
    wanted: "Wanted",
    means: "Means",
    accepted: bool,
) -> Path | None:
    """Where the record lies; None for a change that was not accepted."""
    if not accepted:
        return None
    change = looked.change
    base_tree = looked.fingerprints.tree(change.base.commit)
    tree = change.fingerprint.tree
    tools = {}
    if place is not None:
        sources = ", ".join(place.prepared.sources)
        tools = {"environment": place.environment, "sandbox": place.sandbox, "prepared": sources}
    about = About(
        looked.repository,
        change.base.commit,
        base_tree,
        tree,
        change.changed,
        looked.fingerprints.changed_ids(base_tree, tree),
        {name: value for name, value in tools.items() if value},
    )
    path = records_folder(state_folder(means.env)) / f"{run_id}.json"
    write_record(opened, run_id, about, path, signing_of(looked), means.env)
    return copied(path, means.folder / wanted.record) if wanted.record else path


def copied(path: Path, wanted: Path) -> Path:
    """A record and its signatures where the user wants them."""
    try:
        for ending in ("", *ENDINGS.values()):
            made = path.with_name(path.name + ending)
            if made.is_file():
                shutil.copyfile(made, wanted.with_name(wanted.name + ending))
    except OSError as error:
        raise UserError("record.not_written", place=wanted, why=error.strerror or str(error)) from None
    return wanted
