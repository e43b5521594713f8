"""What may be thrown away: pure choices by age and size, and the thin act.

Only ended runs go, and only when asked by age or size; one whose audit fails stays, it is evidence. Without
a limit, gc removes what no run refers to.
"""

from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

from donewhen.core.protocols import EventStore
from donewhen.core.summary import Summary
from donewhen.store.artifacts import Artifacts, Stored
from donewhen.store.audit import audit
from donewhen.store.heads import HeadFiles

GRACE_SECONDS = 3600.0  # an artifact is put before the event that names it


class Plan(NamedTuple):
    runs: tuple[str, ...]
    artifacts: tuple[Stored, ...]
    size: int  # bytes of both
    broken: tuple[str, ...] = ()  # would go, but their audit fails: they are evidence


def plan(
    store: EventStore,
    artifacts: Artifacts,
    heads: HeadFiles,
    *,
    before: str = "",
    max_bytes: int | None = None,
) -> Plan:
    """What goes: ended runs by age and size, and artifacts that no remaining run refers to."""
    files = {file.digest: file for file in artifacts.all()}
    refs = store.artifact_refs()
    ledgers = store.sizes() if before or max_bytes is not None else {}
    sizes = dict(ledgers)
    for run_id, digest in refs:
        if digest in files:
            sizes[run_id] = sizes.get(run_id, 0) + files[digest].size
    asked = choose_runs(store.runs(), sizes, before=before, max_bytes=max_bytes)
    runs = [run_id for run_id in asked if audit(store, run_id, heads).ok]
    loose = choose_artifacts(files.values(), refs, set(runs))
    size = sum(ledgers.get(run_id, 0) for run_id in runs) + sum(file.size for file in loose)
    return Plan(tuple(runs), tuple(loose), size, tuple(run_id for run_id in asked if run_id not in runs))


def carry_out(chosen: Plan, store: EventStore, artifacts: Artifacts) -> None:
    for run_id in chosen.runs:
        store.remove(run_id)
    for file in chosen.artifacts:
        artifacts.remove(file.digest)


def choose_runs(
    rows: Iterable[Summary], sizes: Mapping[str, int], *, before: str = "", max_bytes: int | None = None
) -> list[str]:
    """Ended runs last touched before a moment; then the oldest ended ones until the rest fits."""
    ended = sorted((row for row in rows if row.ended), key=lambda row: (row.updated, row.run_id))
    chosen = [row.run_id for row in ended if before and row.updated < before]
    left = sum(sizes.values()) - sum(sizes.get(run, 0) for run in chosen)
    for row in ended[len(chosen) :]:
        if max_bytes is None or left <= max_bytes:
            break
        chosen.append(row.run_id)
        left -= sizes.get(row.run_id, 0)
    return chosen


def choose_artifacts(
    files: Iterable[Stored], refs: Iterable[tuple[str, str]], going: Collection[str]
) -> list[Stored]:
    kept = {digest for run_id, digest in refs if run_id not in going}
    return [file for file in files if file.digest not in kept and file.age > GRACE_SECONDS]
