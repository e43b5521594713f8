"""An exam that was sat is sat again on another tree, in a private room with the same environment.

Every command goes through guard, sandbox and the cache of results as in the exam proper. What comes out
carries a name for its tree that no tree has, so in no ledger does it ever speak for the change itself. One
that takes many times as long as it did is not waited for: that it does not end is a failure too.
"""

import os
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import NamedTuple
from weakref import WeakKeyDictionary

from donewhen.core.accept import Accept
from donewhen.core.elsewhere import tree_label
from donewhen.core.errors import SetupError, UserError
from donewhen.core.texts import Phrase
from donewhen.store.results import result_key, stored, unbroken
from donewhen.verify.behind import doubt_about
from donewhen.verify.change import Looked, Means, Wanted
from donewhen.verify.exam.model import Where
from donewhen.verify.exam.policy import time_again, timeout_again
from donewhen.verify.exam_run import (
    FORM,
    RECENT,
    Memory,
    Sitting,
    Told,
    is_green,
    is_tried,
    known_result,
    sit,
)
from donewhen.verify.failures import Failure
from donewhen.verify.lending import lent, own_sources
from donewhen.verify.place import Bench, ExamPlace, Site, surroundings
from donewhen.verify.record import Recorder
from donewhen.workspace.census import kept_census
from donewhen.workspace.fingerprint.beside import Beside, beside_tree, ignored_files
from donewhen.workspace.fingerprint.model import Fingerprint
from donewhen.workspace.git.runner import names
from donewhen.workspace.rooms.rooms import open_room
from donewhen.workspace.setup.model import Prepared

_WAIT = 900.0  # for another verification that has the room
_LATE = "exam.timed_out"
_MOST_TRIES = 4
_MOST_FILES = 400  # of a change that are looked at
Seconds = Mapping[tuple[object, ...], float]  # by the identity of a command
_SPENT: WeakKeyDictionary[ExamPlace, float] = WeakKeyDictionary()
"""Seconds that went into sitting again, by the place of the exam proper: all who ask share what there is."""


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

    def newly_ignored(self) -> tuple[str, ...]:
        """Files that only lines hide which the change adds, or that nobody had when the session began."""
        looked, changed = self.looked, self.looked.change.changed
        hiding = any(path.rpartition("/")[2] == ".gitignore" for path in changed)
        then = kept_census(self.wanted.census) if self.wanted.census else None
        found: list[str] = []
        if hiding or then:
            files = tuple(ignored_files(looked.repository, looked.places.home / "exclude"))
            base = looked.fingerprints.tree(looked.change.base.commit)
            found += looked.fingerprints.not_ignored_by(base, files) if hiding else ()
            found += [path for path in files if then and str(looked.repository.root / path) not in then]
        added = b"".join(os.fsencode(path) + b"\0" for path, kind in changed.items() if kind == "added")
        if added:  # in the tree by the rules of the start; what hides it now are younger ones
            git = looked.repository.git()
            found += names(git.attempt("check-ignore", "-z", "--stdin", stdin=added).out)
        return tuple(dict.fromkeys(found))


class Again(NamedTuple):
    """On which tree, under which name, and with what beside it."""

    tree: str
    purpose: str
    brought: tuple[str, ...] = ()  # newly ignored files, which else stay away
    use: bool = True  # whether an earlier green of it is used again
    room: str = "again"  # two that are open at once need rooms of their own
    reds: bool = False  # whether an earlier red of it is used again too

    @property
    def label(self) -> str:
        """Stands for the tree in results and ledger; no tree has such an id."""
        return tree_label(self.purpose, self.tree)


class Rerun(NamedTuple):
    """What the exam came to there, to compare."""

    green: bool
    executed: int | None = None  # tests; None where nobody counted
    why: Phrase | None = None  # could not be sat: nothing else here counts


class Resat(NamedTuple):
    rerun: Rerun
    told: tuple[Told, ...] = ()


def _resat(told: Sequence[Told]) -> Resat:
    sittings = [each.sitting for each in told]
    tried = [sitting for sitting in sittings if is_tried(sitting)]
    why = next((s.why for s in sittings if s not in tried and s.why is not None), None)
    if why is not None or not tried:
        return Resat(Rerun(False, why=why or Phrase("baseexam.nothing_to_sit")), tuple(told))
    counts = [sitting.counts.executed if sitting.counts else None for sitting in tried]
    known = [count for count in counts if count is not None]
    return Resat(Rerun(all(map(is_green, tried)), sum(known) if known else None), tuple(told))


class _Limited(ExamPlace):
    """A place with less time.

    A room of ours may borrow from the user's folder: what lies there is part of what a result depends on.
    """

    def __init__(
        self,
        bench: Bench,
        site: Site,
        prepared: Prepared,
        limits: Seconds,
        borrows: bool | None = None,
    ) -> None:
        super().__init__(bench, site, prepared)
        self._limits = limits
        self._borrows = borrows  # None: it is no room

    def where(self, entry: Accept, scratch: Path, *, shared_temp: bool = False) -> Where:
        where = super().where(entry, scratch, shared_temp=shared_temp)
        limit = min(where.timeout, self._limits.get(entry.identity, where.timeout))
        return where._replace(timeout=limit)

    @property
    def _lender(self) -> Path | None:  # a room has the user's own caches: no set-up was made for this exam
        return super()._lender if self._borrows is None else None

    def beside(self, *, within: float = 0.0) -> str:
        if self._borrows is None:
            return super().beside(within=within)
        return self.bench.looked.fingerprints.beside(within=within) if self._borrows else ""


async def sit_again(proper: Proper, again: Again) -> Resat:
    """All commands of the exam on that tree; what could not be done is told, never raised."""
    limits = limits_of(proper)
    memory = proper.memory._replace(use=proper.memory.use and again.use, reds=again.reds)
    known = _known(proper, again, memory, limits)
    if known is not None:
        return known
    try:
        async with place_again(proper, again, limits) as place:
            return await _all_sat(proper, place, memory, limits)
    except (SetupError, UserError) as error:
        return Resat(Rerun(False, why=Phrase(error.key, error.values)))


def _known(proper: Proper, again: Again, memory: Memory, limits: Seconds) -> Resat | None:
    """What is known of every command there; the room is not opened for that."""
    if proper.place.prepared.kind == "own" or not memory.use:
        return None
    room = proper.looked.places.rooms / again.room
    place = _room_place(proper, again, Site(room, "room"), limits, borrows=True)
    told: list[Told] = []
    for entry in proper.entries:
        one = _endless(entry, place, memory, limits) or known_result(entry, place, memory)
        if one is None:
            return None
        told.append(one)
        proper.record.told(_plain(one))
        if is_late(one.sitting):
            break
    return _resat([_as_red(each, limits) for each in told])


def _room_place(proper: Proper, again: Again, site: Site, limits: Seconds, *, borrows: bool) -> _Limited:
    """A room with the environment at hand, as the place of an exam of that tree."""
    looked, hand = proper.looked, proper.place.prepared
    change = looked.change
    there = Fingerprint(again.tree, again.label, change.fingerprint.absent)
    bench = proper.place.bench._replace(looked=looked._replace(change=change._replace(fingerprint=there)))
    folders = looked.fingerprints.folders(again.tree)
    own = own_sources(looked.repository.root, site.folder, hand.path, folders)
    return _Limited(bench, site, hand._replace(env={**own, **hand.env}), limits, borrows=borrows)


async def _all_sat(proper: Proper, place: ExamPlace, memory: Memory, limits: Seconds) -> Resat:
    """One that does not end fails, and the others are spared: nothing they say could make it right."""
    told: list[Told] = []
    for entry in proper.entries:
        if time_left(proper) <= 0:
            seconds = f"{_SPENT.get(proper.place, 0.0):.0f}"
            return Resat(Rerun(False, why=Phrase(_LATE, {"seconds": seconds})), tuple(told))
        one = _endless(entry, place, memory, limits) or await _sat(proper, entry, place, memory)
        told.append(one)
        if entry.identity in limits and is_late(one.sitting):
            _remember_endless(one.sitting, place, memory)
            break
    return _resat([_as_red(each, limits) for each in told])


def _plain(told: Told) -> Told:
    return told._replace(sitting=told.sitting._replace(why=None))


def _as_red(told: Told, limits: Seconds) -> Told:
    """What did not end in its time failed."""
    sitting = told.sitting
    if not is_late(sitting) or sitting.entry.identity not in limits:
        return told
    failure = Failure(f"{sitting.entry.line} (> {limits[sitting.entry.identity]:g} s)")
    return told._replace(sitting=sitting._replace(way="ran", why=None, failures=(failure,)))


def _endless(entry: Accept, place: ExamPlace, memory: Memory, limits: Seconds) -> Told | None:
    """What is known not to end within its time; nobody waits for it twice."""
    limit = limits.get(entry.identity)
    kept = memory.results.read(_endless_key(entry, place)) if memory.use and limit else ()
    found = unbroken(kept, place.beside(within=RECENT)) if kept else ()
    if limit is None or not found or found[-1].ended.duration_ms < limit * 1000:
        return None
    why = Phrase(_LATE, {"seconds": f"{limit:g}"})
    return Told(Sitting(entry, "cached", found[-1].ended, why, from_run=found[-1].run_id), ())


def _remember_endless(sitting: Sitting, place: ExamPlace, memory: Memory) -> None:
    if sitting.way != "cached" and sitting.ended is not None:
        kept = stored(sitting.ended, memory.run_id, place.beside(), place.beside())
        memory.results.add(_endless_key(sitting.entry, place), kept)


async def sit_within(
    entries: Sequence[Accept], place: ExamPlace, memory: Memory, seconds: float
) -> list[Told]:
    """Commands that nobody declared, for so many seconds together; what does not end is told as left out."""
    told: list[Told] = []
    for entry in entries:
        limits = {entry.identity: max(seconds, 0.1)}
        here = _Limited(place.bench, place.site, place.prepared, limits)
        told.append(_endless(entry, here, memory, limits) or await sit(entry, here, memory))
        sitting = told[-1].sitting
        if is_late(sitting):
            _remember_endless(sitting, here, memory)
        if sitting.ended is not None and sitting.way != "cached":
            seconds -= sitting.ended.duration_ms / 1000
    return told


def _endless_key(entry: Accept, place: ExamPlace) -> str:
    return result_key(FORM, _LATE, entry.argv, entry.cwd, entry.env, place.tree, place.environment)


def is_late(sitting: Sitting) -> bool:
    return sitting.why is not None and sitting.why.key == _LATE


async def _sat(proper: Proper, entry: Accept, place: ExamPlace, memory: Memory) -> Told:
    doubt = doubt_about(entry, place.folder)
    if doubt is not None:
        return Told(Sitting(entry, "masked", why=doubt), ())
    told = await sit(entry, place, memory)
    spent(proper, told.sitting)
    proper.record.told(_plain(told))
    return told


def spent(proper: Proper, sitting: Sitting) -> None:
    """To be told of every command that was run once more."""
    if sitting.ended is not None and sitting.way != "cached":
        _SPENT[proper.place] = _SPENT.get(proper.place, 0.0) + sitting.ended.duration_ms / 1000


def time_left(proper: Proper) -> float:
    """Seconds that sitting again may still take for this change."""
    return time_again(took_in_all(proper)) - _SPENT.get(proper.place, 0.0)


def limits_of(proper: Proper) -> Seconds:
    execution = proper.looked.rules.config.verification.execution
    took = {entry: took_by(proper, entry) for entry in proper.entries}
    return {
        entry.identity: timeout_again(entry, execution, seconds)
        for entry, seconds in took.items()
        if seconds is not None
    }


def took_by(proper: Proper, entry: Accept) -> float | None:
    """Seconds of its longest pass in the exam proper, where one is known."""
    place = proper.place
    key = result_key(FORM, entry.argv, entry.cwd, entry.env, place.tree, place.environment)
    passes = [each.ended.duration_ms for each in proper.memory.results.read(key) if each.ended.exit == 0]
    return max(passes) / 1000 if passes else None


def took_in_all(proper: Proper) -> float:
    return sum(took_by(proper, entry) or 0.0 for entry in proper.entries)


@asynccontextmanager
async def place_proper(
    proper: Proper, looked: Looked | None = None, limits: Seconds | None = None
) -> AsyncIterator[ExamPlace]:
    """The place of the exam proper once more, or the same round another tree."""
    limits = limits_of(proper) if looked is None else limits or {}
    looked = looked or proper.looked
    async with surroundings(
        looked, proper.wanted, proper.means, proper.store, proper.record, proper.entries
    ) as place:
        yield _Limited(place.bench, place.site, place.prepared, limits)


@asynccontextmanager
async def place_again(
    proper: Proper, again: Again, limits: Seconds | None = None
) -> AsyncIterator[ExamPlace]:
    """The environment of the exam proper, round another tree."""
    change = proper.looked.change
    looked = proper.looked._replace(
        change=change._replace(fingerprint=Fingerprint(again.tree, again.label, change.fingerprint.absent))
    )
    if proper.place.prepared.kind == "own":
        async with place_proper(proper, looked, limits) as place:
            yield place
        return
    proper.means.progress(Phrase("verify.laying"))
    root = looked.repository.root
    with open_room(
        looked.repository, looked.fingerprints, again.tree, looked.places, again.room, wait=_WAIT
    ) as room:
        brought = beside_tree(looked.repository, looked.places.home / "exclude")
        hidden = [path for path in proper.newly_ignored() if path not in again.brought]
        with lent(root, room.folder, (*brought, *map(Beside, again.brought)), hidden) as places:
            site = Site(room.folder, "room", (*room.readable, *places), room.notes)
            borrows = bool(brought or again.brought)
            yield _room_place(proper, again, site, limits or {}, borrows=borrows)
