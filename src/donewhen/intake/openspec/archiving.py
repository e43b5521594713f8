"""What archiving a change would do: which specs it writes, where its folder goes. It only proposes."""

from datetime import date
from typing import NamedTuple

from donewhen.intake.openspec.merging import Merged, Refused, merge
from donewhen.intake.openspec.model import Change, Issue, Proposal
from donewhen.intake.openspec.remarks import warning
from donewhen.intake.openspec.rules_change import target_of

WHY_LENGTH = (50, 1000)
MOST_DELTAS = 10


class Write(NamedTuple):
    """One main spec that would be written; `text` None: it would be deleted."""

    file: str
    text: str | None


class ArchivePlan(NamedTuple):
    writes: tuple[Write, ...]
    move_from: str
    move_to: str
    open_tasks: int
    refusals: tuple[Issue, ...]  # with one of these nothing is written at all
    notes: tuple[Issue, ...]


def merged_view(change: Change) -> dict[str, Merged | Refused]:
    """For each capability that the change touches, the spec as it would become."""
    return {spec.capability: merge(spec.main, spec.delta, target_of(change, spec)) for spec in change.specs}


def archive_plan(change: Change, day: date) -> ArchivePlan:
    writes: list[Write] = []
    refusals: list[Issue] = []
    notes = _proposal_notes(change)
    for spec in change.specs:
        result = merge(spec.main, spec.delta, target_of(change, spec))
        if isinstance(result, Refused):
            refusals += result.issues
            continue
        notes += result.notes
        if result.changed:
            writes.append(Write(spec.main_file, result.text))
    parent = change.place.rpartition("/")[0]
    target = f"{parent}/archive/{day.isoformat()}-{change.id}".lstrip("/")
    undone = sum(not task.done for task in change.tasks.tasks) if change.tasks else 0
    kept = () if refusals else tuple(writes)
    return ArchivePlan(kept, change.place, target, undone, tuple(refusals), tuple(notes))


def _proposal_notes(change: Change) -> list[Issue]:
    file = f"{change.place}/proposal.md"
    proposal = change.proposal or Proposal()
    notes = []
    least, most = WHY_LENGTH
    count = len(proposal.why)
    if change.proposal is not None and not least <= count <= most:
        notes.append(warning("openspec.why_length", file, proposal.line, count=count, least=least, most=most))
    deltas = sum(spec.delta.total for spec in change.specs)
    if deltas > MOST_DELTAS:
        notes.append(warning("openspec.many_deltas", change.place, count=deltas, most=MOST_DELTAS))
    return notes
