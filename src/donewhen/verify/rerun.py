"""An exam that was run is run again on another tree, in a private room with the same environment.

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
from donewhen.core.budget import Purse
from donewhen.core.elsewhere import tree_label
from donewhen.core.errors import SetupError, UserError
from donewhen.core.texts import Phrase
from donewhen.project.behind import doubt_about
from donewhen.store.results import result_key, stored, unbroken
from donewhen.verify.change import Looked, Means, Wanted
from donewhen.verify.exam.model import Where
from donewhen.verify.exam.policy import time_again, timeout_again
from donewhen.verify.exam_run import (
    FORM,
    RECENT,
    CommandResult,
    ExamCommand,
    Memory,
    is_green,
    is_tried,
    known_result,
    run_command,
)
from donewhen.verify.failures import Failure
from donewhen.verify.place import Bench, ExamPlace, Site, open_exam_place
from donewhen.verify.record import Recorder
from donewhen.workspace.census import kept_census
from donewhen.workspace.fingerprint.beside import Beside, beside_tree, ignored_files
from donewhen.workspace.fingerprint.model import Fingerprint
from donewhen.workspace.git.runner import names
from donewhen.workspace.rooms.rooms import open_room
from donewhen.workspace.rooms.user_files import give_packages, lent, own_sources, packages_written
from donewhen.workspace.setup.model import Prepared

_WAIT = 900.0  # for another verification that has the room
_LATE = "exam.timed_out"
_MOST_TRIES = 4
_MOST_FILES = 400  # of a change that are looked at
Seconds = Mapping[tuple[object, ...], float]  # by the identity of a command
_SPENT: WeakKeyDictionary[ExamPlace, float] = WeakKeyDictionary()
"""Seconds that went into running again, by the place of the exam proper: all who ask share what there is."""
_WRITTEN: WeakKeyDictionary[ExamPlace, frozenset[str]] = WeakKeyDictionary()
"""Packages that a room needs copies of: its commands write into them."""


class ExamContext(NamedTuple):
    """The exam as it ran on the change: all that it takes to run it again."""

    looked: Looked
    wanted: Wanted
    means: Means
    store: Path
    record: Recorder
    memory: Memory
    place: ExamPlace
    entries: tuple[Accept, ...]  # that were run, or whose earlier results were used
    purse: Purse | None = None  # pays for gates that have a price

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
        if hiding or then is not None:
            files = tuple(ignored_files(looked.repository, looked.places.home / "exclude"))
            base = looked.fingerprints.tree(looked.change.base.commit)
            found += looked.fingerprints.not_ignored_by(base, files) if hiding else ()
            root = looked.repository.root
            found += [path for path in files if then is not None and str(root / path) not in then]
        added = b"".join(os.fsencode(path) + b"\0" for path, kind in changed.items() if kind == "added")
        if added:  # in the tree by the rules of the start; what hides it now are younger ones
            git = looked.repository.git()
            found += names(git.attempt("check-ignore", "-z", "--stdin", stdin=added).out)
        return tuple(dict.fromkeys(found))


class RerunRequest(NamedTuple):
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


class RerunResult(NamedTuple):
    """What the exam came to there, to compare."""

    green: bool
    executed: int | None = None  # tests; None where nobody counted
    why: Phrase | None = None  # could not be run: nothing else here counts
    commands: tuple[ExamCommand, ...] = ()


def _rerun_result(commands: Sequence[ExamCommand]) -> RerunResult:
    results = [each.result for each in commands]
    tried = [result for result in results if is_tried(result)]
    why = next((each.why for each in results if each not in tried and each.why is not None), None)
    if why is not None or not tried:
        return _not_rerun(why or Phrase("baseexam.nothing_to_run"), commands)
    counts = [result.counts.executed if result.counts else None for result in tried]
    known = [count for count in counts if count is not None]
    return RerunResult(all(map(is_green, tried)), sum(known) if known else None, None, tuple(commands))


def _not_rerun(why: Phrase, commands: Sequence[ExamCommand] = ()) -> RerunResult:
    return RerunResult(False, why=why, commands=tuple(commands))


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


async def rerun_exam(context: ExamContext, request: RerunRequest) -> RerunResult:
    """All commands of the exam on that tree; what could not be done is told, never raised."""
    limits = limits_of(context)
    memory = context.memory._replace(use=context.memory.use and request.use, reds=request.reds)
    known = _known(context, request, memory, limits)
    if known is not None:
        return known
    try:
        async with open_place(context, request, limits) as place:
            return await _run_all(context, place, memory, limits)
    except (SetupError, UserError) as error:
        return _not_rerun(Phrase(error.key, error.values))


def _known(
    context: ExamContext, request: RerunRequest, memory: Memory, limits: Seconds
) -> RerunResult | None:
    """What is known of every command there; the room is not opened for that."""
    if context.place.prepared.kind == "own" or not memory.use:
        return None
    room = context.looked.places.rooms / request.room
    place = _room_place(context, request, Site(room, "room"), limits, borrows=True)
    commands: list[ExamCommand] = []
    for entry in context.entries:
        one = _endless(entry, place, memory, limits) or known_result(entry, place, memory)
        if one is None:
            return None
        commands.append(one)
        context.record.command_ended(_plain(one))
        if is_late(one.result):
            break
    return _rerun_result([_as_red(each, limits) for each in commands])


def _room_place(
    context: ExamContext, request: RerunRequest, site: Site, limits: Seconds, *, borrows: bool
) -> _Limited:
    """A room with the environment at hand, as the place of an exam of that tree."""
    looked, hand = context.looked, context.place.prepared
    change = looked.change
    there = Fingerprint(request.tree, request.label, change.fingerprint.absent)
    bench = context.place.bench._replace(looked=looked._replace(change=change._replace(fingerprint=there)))
    folders = looked.fingerprints.folders(request.tree)
    own = own_sources(looked.repository.root, site.folder, hand.path, folders)
    return _Limited(bench, site, hand._replace(env={**own, **hand.env}), limits, borrows=borrows)


async def _run_all(context: ExamContext, place: ExamPlace, memory: Memory, limits: Seconds) -> RerunResult:
    """One that does not end fails, and the others are spared: nothing they say could make it right."""
    commands: list[ExamCommand] = []
    for entry in context.entries:
        if time_left(context) <= 0:
            seconds = f"{_SPENT.get(context.place, 0.0):.0f}"
            return _not_rerun(Phrase(_LATE, {"seconds": seconds}), commands)
        one = _endless(entry, place, memory, limits) or await _rerun_command(context, entry, place, memory)
        commands.append(one)
        if entry.identity in limits and is_late(one.result):
            _remember_endless(one.result, place, memory)
            break
    return _rerun_result([_as_red(each, limits) for each in commands])


def _plain(command: ExamCommand) -> ExamCommand:
    return command._replace(result=command.result._replace(why=None))


def _as_red(command: ExamCommand, limits: Seconds) -> ExamCommand:
    """What did not end in its time failed."""
    result = command.result
    if not is_late(result) or result.entry.identity not in limits:
        return command
    failure = Failure(f"{result.entry.line} (> {limits[result.entry.identity]:g} s)")
    return command._replace(result=result._replace(way="ran", why=None, failures=(failure,)))


def _endless(entry: Accept, place: ExamPlace, memory: Memory, limits: Seconds) -> ExamCommand | None:
    """What is known not to end within its time; nobody waits for it twice."""
    limit = limits.get(entry.identity)
    kept = memory.results.read(_endless_key(entry, place)) if memory.use and limit else ()
    found = unbroken(kept, place.beside(within=RECENT)) if kept else ()
    if limit is None or not found or found[-1].ended.duration_ms < limit * 1000:
        return None
    why = Phrase(_LATE, {"seconds": f"{limit:g}"})
    return ExamCommand(CommandResult(entry, "cached", found[-1].ended, why, from_run=found[-1].run_id), ())


def _remember_endless(result: CommandResult, place: ExamPlace, memory: Memory) -> None:
    if result.way != "cached" and result.ended is not None:
        kept = stored(result.ended, memory.run_id, place.beside(), place.beside())
        memory.results.add(_endless_key(result.entry, place), kept)


async def run_within(
    entries: Sequence[Accept], place: ExamPlace, memory: Memory, seconds: float
) -> list[ExamCommand]:
    """Commands that nobody declared, for so many seconds together; what does not end is told as left out."""
    commands: list[ExamCommand] = []
    for entry in entries:
        limits = {entry.identity: max(seconds, 0.1)}
        here = _Limited(place.bench, place.site, place.prepared, limits)
        commands.append(_endless(entry, here, memory, limits) or await run_command(entry, here, memory))
        result = commands[-1].result
        if is_late(result):
            _remember_endless(result, here, memory)
        if result.ended is not None and result.way != "cached":
            seconds -= result.ended.duration_ms / 1000
    return commands


def _endless_key(entry: Accept, place: ExamPlace) -> str:
    return result_key(FORM, _LATE, entry.argv, entry.cwd, entry.env, place.tree, place.environment)


def is_late(result: CommandResult) -> bool:
    return result.why is not None and result.why.key == _LATE


async def _rerun_command(
    context: ExamContext, entry: Accept, place: ExamPlace, memory: Memory
) -> ExamCommand:
    doubt = doubt_about(entry, place.folder)
    if doubt is not None:
        return ExamCommand(CommandResult(entry, "masked", why=doubt), ())
    command = await run_command(entry, place, memory)
    spent(context, command.result)
    if not is_green(command.result) and _gave_packages(context, place, command.result.tail):
        command = await run_command(entry, place, memory._replace(use=False))
        spent(context, command.result)
    context.record.command_ended(_plain(command))
    return command


def _gave_packages(context: ExamContext, place: ExamPlace, said: str) -> bool:
    """Whether it may have failed for want of a package to write into, and has it now."""
    root, known = context.looked.repository.root, _WRITTEN.get(context.place, frozenset())
    wanted = packages_written(root, said) - known
    if not wanted or place.folder == root:
        return False
    _WRITTEN[context.place] = known | wanted
    give_packages(root, place.folder, wanted)
    return True


def spent(context: ExamContext, result: CommandResult) -> None:
    """To be told of every command that was run once more."""
    if result.ended is not None and result.way != "cached":
        _SPENT[context.place] = _SPENT.get(context.place, 0.0) + result.ended.duration_ms / 1000


def time_left(context: ExamContext) -> float:
    """Seconds that running again may still take for this change."""
    return time_again(took_in_all(context)) - _SPENT.get(context.place, 0.0)


def limits_of(context: ExamContext) -> Seconds:
    execution = context.looked.rules.config.verification.execution
    took = {entry: took_by(context, entry) for entry in context.entries}
    return {
        entry.identity: timeout_again(entry, execution, seconds)
        for entry, seconds in took.items()
        if seconds is not None
    }


def took_by(context: ExamContext, entry: Accept) -> float | None:
    """Seconds of its longest pass in the exam proper, where one is known."""
    place = context.place
    key = result_key(FORM, entry.argv, entry.cwd, entry.env, place.tree, place.environment)
    passes = [each.ended.duration_ms for each in context.memory.results.read(key) if each.ended.exit == 0]
    return max(passes) / 1000 if passes else None


def took_in_all(context: ExamContext) -> float:
    return sum(took_by(context, entry) or 0.0 for entry in context.entries)


@asynccontextmanager
async def reopen_place(
    context: ExamContext, looked: Looked | None = None, limits: Seconds | None = None
) -> AsyncIterator[ExamPlace]:
    """The place of the exam proper once more, or the same round another tree."""
    limits = limits_of(context) if looked is None else limits or {}
    looked = looked or context.looked
    async with open_exam_place(
        looked, context.wanted, context.means, context.store, context.record, context.entries
    ) as place:
        yield _Limited(place.bench, place.site, place.prepared, limits)


@asynccontextmanager
async def open_place(
    context: ExamContext, request: RerunRequest, limits: Seconds | None = None
) -> AsyncIterator[ExamPlace]:
    """The environment of the exam proper, round another tree."""
    change = context.looked.change
    looked = context.looked._replace(
        change=change._replace(
            fingerprint=Fingerprint(request.tree, request.label, change.fingerprint.absent)
        )
    )
    if context.place.prepared.kind == "own":
        async with reopen_place(context, looked, limits) as place:
            yield place
        return
    context.means.progress(Phrase("verify.laying"))
    root = looked.repository.root
    with open_room(
        looked.repository, looked.fingerprints, request.tree, looked.places, request.room, wait=_WAIT
    ) as room:
        brought = beside_tree(looked.repository, looked.places.home / "exclude")
        hidden = [path for path in context.newly_ignored() if path not in request.brought]
        with lent(root, room.folder, (*brought, *map(Beside, request.brought)), hidden) as places:
            give_packages(root, room.folder, _WRITTEN.get(context.place, ()))
            site = Site(room.folder, "room", (*room.readable, *places), room.notes)
            borrows = bool(brought or request.brought)
            yield _room_place(context, request, site, limits or {}, borrows=borrows)
