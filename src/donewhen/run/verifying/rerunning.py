"""An exam that was sat is sat again on another tree, in a private room with the same environment.

Every command goes through guard, sandbox and the cache of results as in the exam proper. What comes out
carries a name for its tree that no tree has, so in no ledger does it ever speak for the change itself.
"""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import NamedTuple

from donewhen.core.accept import Accept
from donewhen.core.errors import SetupError, UserError
from donewhen.core.integrity.model import Rerun
from donewhen.core.texts import Phrase
from donewhen.run.verifying.comparing import rerun_of
from donewhen.run.verifying.ignored import Aside, asides, began_ns
from donewhen.run.verifying.lending import lent, own_sources
from donewhen.run.verifying.looking import Looked, Means, Wanted
from donewhen.run.verifying.place import Bench, ExamPlace, Site, doubt_about
from donewhen.run.verifying.recording import Recorder
from donewhen.run.verifying.sitting import Memory, Told, sit
from donewhen.run.verifying.surroundings import surroundings
from donewhen.run.verifying.verdict import Sitting
from donewhen.shell import parse
from donewhen.workspace.fingerprint.model import Fingerprint
from donewhen.workspace.rooms.rooms import open_room
from donewhen.workspace.setup.model import Prepared

_WAIT = 900.0  # for another verification that has the room


class Proper(NamedTuple):
    """The exam as it was sat on the change: all that it takes to sit it again."""

    looked: Looked
    wanted: Wanted
    means: Means
    store: Path
    record: Recorder
    memory: Memory
    place: ExamPlace
    entries: tuple[Accept, ...]  # that were run, or whose earlier results were used

    @property
    def in_place(self) -> bool:
        return self.place.site.where == "in_place"

    @property
    def tree(self) -> str:
        return self.looked.change.fingerprint.tree

    def asides(self) -> tuple[Aside, ...]:
        """What lies beside the tree in the user's folder."""
        return asides(self.looked.repository, self.looked.places.home / "exclude")

    def began(self) -> int:
        """Since when the work may have been going on, in nanoseconds; 0 where nobody can say."""
        return began_ns(self.looked.repository, self.looked.change.base.commit)


class Again(NamedTuple):
    """On which tree, under which name, and with what beside the environment."""

    tree: str
    purpose: str
    brought: tuple[Aside, ...] = ()
    use: bool = True  # whether an earlier green of it is used again
    without: frozenset[str] = frozenset()  # what of the environment stays away
    room: str = "again"  # two that are open at once need rooms of their own
    first: tuple[Accept, ...] = ()  # commands that make what the exam needs; no part of it

    @property
    def label(self) -> str:
        """Stands for the tree in results and ledger; no tree has such an id."""
        return f"{self.purpose}:{self.tree}"


class Resat(NamedTuple):
    rerun: Rerun
    told: tuple[Told, ...] = ()


class _Room(ExamPlace):
    """A room that borrows from the user's folder: what lies there is part of what a result depends on."""

    def __init__(self, bench: Bench, site: Site, prepared: Prepared, *, borrows: bool) -> None:
        super().__init__(bench, site, prepared)
        self._borrows = borrows

    @property
    def _lender(self) -> Path | None:
        return None  # the caches are the user's own: no set-up was made for this exam

    def beside(self) -> str:
        return self.bench.looked.fingerprints.beside() if self._borrows else ""


async def sit_again(proper: Proper, again: Again) -> Resat:
    """All commands of the exam on that tree; what could not be done is told, never raised."""
    try:
        async with place_again(proper, again) as place:
            memory = proper.memory._replace(use=proper.memory.use and again.use)
            for entry in again.first:
                made = await _sat(proper, entry, place, memory._replace(use=False))
                if made.sitting.ended is None or made.sitting.ended.exit != 0:
                    return Resat(Rerun(False, why=Phrase("baseexam.not_built", {"command": entry.line})))
            told = tuple([await _sat(proper, entry, place, memory) for entry in proper.entries])
    except (SetupError, UserError) as error:
        return Resat(Rerun(False, why=Phrase(error.key, error.values)))
    return Resat(rerun_of([each.sitting for each in told], parse), told)


async def _sat(proper: Proper, entry: Accept, place: ExamPlace, memory: Memory) -> Told:
    doubt = doubt_about(entry, place.folder)
    if doubt is not None:
        return Told(Sitting(entry, "masked", why=doubt), ())
    told = await sit(entry, place, memory)
    proper.record.told(told._replace(sitting=told.sitting._replace(why=None)))
    return told


@asynccontextmanager
async def place_again(proper: Proper, again: Again) -> AsyncIterator[ExamPlace]:
    """The environment of the exam proper, round another tree."""
    change = proper.looked.change
    looked = proper.looked._replace(
        change=change._replace(fingerprint=Fingerprint(again.tree, again.label, change.fingerprint.absent))
    )
    if proper.place.prepared.kind == "own":
        async with surroundings(
            looked, proper.wanted, proper.means, proper.store, proper.record, proper.entries
        ) as place:
            yield place
        return
    proper.means.progress(Phrase("verify.laying"))
    root = looked.repository.root
    with open_room(
        looked.repository, looked.fingerprints, again.tree, looked.places, again.room, wait=_WAIT
    ) as room:
        environment = [each for each in _environment(proper) if each.path not in again.without]
        brought = (*environment, *again.brought)
        with lent(root, room.folder, brought) as places:
            bench = proper.place.bench._replace(looked=looked)
            site = Site(room.folder, "room", (*room.readable, *places), room.notes)
            hand = proper.place.prepared
            prepared = hand._replace(env={**own_sources(root, room.folder, hand.path), **hand.env})
            yield _Room(bench, site, prepared, borrows=bool(brought))


def _environment(proper: Proper) -> Sequence[Aside]:
    """What the user had before the work began, what tools made, and what is installed."""
    began = proper.began()
    found = proper.asides()
    return [each for each in found if each.sort in ("lent", "made") or is_old(each, began)]


def is_old(aside: Aside, began: int) -> bool:
    """Whether it was there, as it is, when the base commit was made."""
    return aside.sort == "file" and aside.changed_ns <= began
