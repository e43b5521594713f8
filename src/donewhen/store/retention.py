"""What may be thrown away: pure choices by age and size, and the act, which asks again before it acts.

Only ended runs go, and only when asked by age or size; one whose audit fails stays, it is evidence. Without
a limit, gc removes artifacts that no run refers to.
"""

import os
import sqlite3
from collections.abc import Collection, Iterable, Mapping
from contextlib import closing, suppress
from pathlib import Path
from typing import NamedTuple

from donewhen.core.chain import Head
from donewhen.core.errors import SetupError, UserError
from donewhen.core.protocols import EventStore
from donewhen.core.summary import Summary
from donewhen.store import FILE
from donewhen.store.artifacts import GRACE_SECONDS, Artifacts, Stored
from donewhen.store.audit import audit


class Plan(NamedTuple):
    runs: tuple[tuple[str, Head], ...]
    artifacts: tuple[Stored, ...]
    broken: tuple[str, ...] = ()  # would go, but their audit fails


class Done(NamedTuple):
    runs: tuple[str, ...]
    artifacts: tuple[str, ...]
    kept: tuple[str, ...]  # runs that somebody took up meanwhile


def plan(
    store: EventStore,
    artifacts: Artifacts,
    *,
    before: str = "",
    max_bytes: int | None = None,
    spare: Collection[str] = (),
    live: Collection[str] = (),
    over: Collection[str] = (),
) -> Plan:
    """What goes: ended runs by age and size, and artifacts that no remaining run refers to.

    `spare`: runs that go by their age alone, because something would be lost with them. `live`: those that
    go on elsewhere although they say that they ended. `over`: those that ended without saying so.
    """
    files = {file.digest: file for file in artifacts.all()}
    refs = store.artifact_refs()
    found = sizes(store, files, refs)
    rows = [row for row in store.runs() if row.run_id not in live]
    asked = choose_runs(rows, found, before=before, max_bytes=max_bytes, spare=spare, over=over)
    audits = []
    for run_id in asked:
        with suppress(UserError):  # somebody else removed it
            audits.append(audit(store, run_id))
    runs = tuple((each.run_id, each.head) for each in audits if each.ok)
    loose = choose_artifacts(files.values(), refs, {run_id for run_id, _ in runs})
    return Plan(runs, tuple(loose), tuple(each.run_id for each in audits if not each.ok))


def sizes(store: EventStore, files: Mapping[str, Stored], refs: Iterable[tuple[str, str]]) -> dict[str, int]:
    """Bytes of each run with its artifacts."""
    found = store.sizes()
    for run_id, digest in refs:
        if digest in files:
            found[run_id] = found.get(run_id, 0) + files[digest].size
    return found


def preview(chosen: Plan) -> Done:
    """What carrying it out would do if nobody else did anything."""
    runs = tuple(run_id for run_id, _ in chosen.runs)
    return Done(runs, tuple(file.digest for file in chosen.artifacts), ())


def carry_out(chosen: Plan, store: EventStore, artifacts: Artifacts) -> Done:
    removed, kept = [], []
    for run_id, head in chosen.runs:
        try:
            store.remove(run_id, head)
            removed.append(run_id)
        except SetupError:
            kept.append(run_id)
        except UserError:
            continue  # somebody else removed it
    discarded: list[str] = []

    def discard() -> None:
        referred = {digest for _, digest in store.artifact_refs()}
        loose = [file.digest for file in chosen.artifacts if file.digest not in referred]
        with suppress(OSError):
            discarded.extend(digest for digest in loose if artifacts.discard(digest))
            artifacts.sweep()

    store.alone(discard)
    return Done(tuple(removed), tuple(discarded), tuple(kept))


def choose_runs(
    rows: Iterable[Summary],
    sizes: Mapping[str, int],
    *,
    before: str = "",
    max_bytes: int | None = None,
    spare: Collection[str] = (),
    over: Collection[str] = (),
) -> list[str]:
    """Ended runs last touched before a moment; then the oldest ended ones until the rest fits."""
    old = (row for row in rows if row.ended or row.run_id in over)
    ended = sorted(old, key=lambda row: (row.updated, row.run_id))
    chosen = [row.run_id for row in ended if before and row.updated < before]
    left = sum(sizes.values()) - sum(sizes.get(run, 0) for run in chosen)
    for row in ended[len(chosen) :]:
        if max_bytes is None or left <= max_bytes:
            break
        if row.run_id in spare:
            continue
        chosen.append(row.run_id)
        left -= sizes.get(row.run_id, 0)
    return chosen


def runs_elsewhere(state: Path, but: Path) -> frozenset[str] | None:
    """Runs that the user's other stores know; None when one of them can't be asked."""
    found: set[str] = set()
    for path in (state / FILE, *sorted(state.glob(f"repos/*/{FILE}"))):
        if not path.exists() or os.path.realpath(path) == os.path.realpath(but):
            continue
        try:
            with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as db:
                found.update(str(row[0]) for row in db.execute("SELECT run_id FROM runs"))
        except (sqlite3.Error, OSError):
            return None
    return frozenset(found)


def choose_artifacts(
    files: Iterable[Stored], refs: Iterable[tuple[str, str]], going: Collection[str]
) -> list[Stored]:
    kept = {digest for run_id, digest in refs if run_id not in going}
    return [file for file in files if file.digest not in kept and file.age > GRACE_SECONDS]
