"""What a change delivers, as data: which files need a test run, which a confirmation, which nothing.

Every changed path is exactly one of source, other file, deleted other file or exempt; the extension decides
what source is, a name never what is exempt. Nothing here knows whether a declared exam makes up for it.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal, NamedTuple

from donewhen.core.paths import Exempt, is_source
from donewhen.core.versions import Delivered
from donewhen.core.view import Change

Kind = Literal["none", "engineering", "file_deliverable"]
LISTED = 50  # paths of one list in data for sessions and prompts; the counts are whole


class Statistics(NamedTuple):
    required: int = 0
    pending: int = 0
    exempt: int = 0


class Deliverables(NamedTuple):
    required: tuple[str, ...] = ()  # changed, no source, still there: each needs a confirmation
    pending: tuple[str, ...] = ()  # those whose last version is not confirmed
    kind: Kind = "none"
    sources: tuple[str, ...] = ()  # changed or deleted: they need a test run
    exempt: tuple[str, ...] = ()
    files: tuple[Delivered, ...] = ()  # the versions of all that are required

    @property
    def statistics(self) -> Statistics:
        return Statistics(len(self.required), len(self.pending), len(self.exempt))

    def to_data(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "statistics": self.statistics._asdict(),
            "sources": len(self.sources),
            "pending": list(self.pending[:LISTED]),
            "files": [_written(each) for each in self.files[:LISTED]],
        }


def sort_out(
    changed: Mapping[str, Change],
    look: Callable[[str], Delivered],
    exempt: Exempt,
    extensions: tuple[str, ...] = (),
    touched: Iterable[str] = (),
) -> Deliverables:
    """The deliverables of `changed`; `touched` are further paths that count only where they are exempt."""
    there = {path for path, kind in changed.items() if kind != "deleted"}
    left_out = {path for path in (*changed, *touched) if exempt.match(path)}
    kept = sorted(changed.keys() - left_out)
    sources = tuple(path for path in kept if is_source(path, extensions))
    others = sorted(set(kept).difference(sources))
    files = tuple(look(path) for path in others if path in there)
    return Deliverables(
        required=tuple(file.path for file in files),
        pending=tuple(file.path for file in files if file.pending),
        kind="engineering" if sources else "file_deliverable" if others else "none",
        sources=sources,
        exempt=tuple(sorted(path for path in left_out if changed.get(path) != "deleted")),
        files=files,
    )


def _written(file: Delivered) -> dict[str, Any]:
    """A version that nobody confirmed is told as null: 0 is the file as it was found."""
    confirmed = file.confirmed if file.confirmed >= 0 else None
    return {"path": file.path, "written": file.written, "confirmed": confirmed}
