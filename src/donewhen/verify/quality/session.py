"""The quality gates of one verification, from beside the exam to their results.

Tools run while the exam is sat, on a copy of the same tree. Coverage has the tests run once more: beside the
exam in a room of its own where it is required and walls keep the two apart, else after it. The base is asked
last, and only about what was found.
"""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import NamedTuple

from donewhen.core.errors import SetupError, UserError
from donewhen.core.quality.model import GateResult
from donewhen.core.texts import Phrase
from donewhen.verify.exam_run import RECENT, Told
from donewhen.verify.place import ExamPlace
from donewhen.verify.quality.coverage.gate import Measured, needs_base_total, result_of, test_entries
from donewhen.verify.quality.kept import Kept, key_of
from donewhen.verify.quality.model import Scope
from donewhen.verify.quality.required import COVERAGE, order_of
from donewhen.verify.quality.running import Asked, Ground
from donewhen.verify.quality.wishes import Wishes
from donewhen.verify.rerun import Again, Proper, place_again

_PURPOSE = "gates"


class Sought(NamedTuple):
    """What is known when the exam is over; without `coverage` it was not asked for."""

    asked: tuple[Asked, ...] = ()
    measured: Measured | None = None
    coverage: GateResult | None = None  # known from before, or why it was not measured


class Session:
    def __init__(self, wishes: Wishes, proper: Proper, kept: Path) -> None:
        self.wishes = wishes
        self._proper = proper
        self._kept = Kept(kept)
        execution = proper.looked.rules.config.verification.execution
        self._ground = Ground(
            wishes.trees,
            wishes.origins,
            wishes.thresholds,
            self._kept,
            proper.wanted.cache,
            proper.means.progress,
            wishes.caches,
            (execution.timeout, max(execution.timeout, execution.test_timeout)),
            proper.means.language,
        )

    @asynccontextmanager
    async def beside(self) -> AsyncIterator["asyncio.Task[Sought]"]:
        """Everything that runs while the exam is sat; gone when the exam is given up.

        In the exam's own room tools go first: what the exam does there must not change what they see.
        """
        task = asyncio.create_task(self._beside())
        try:
            if not self._proper.in_place:
                await task
            yield task
        finally:
            if not task.done():
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)

    async def _beside(self) -> Sought:
        wish, place = self.wishes.coverage, self._proper.place
        use = wish is not None and self._proper.wanted.cache
        known = self._kept.read(self._coverage_key()) if use else None
        scope = self._scope(place)
        asked = tuple(self._ground.recall(gate, scope, place) for gate in self.wishes.gates)
        if known is None and self._apart():
            asked, measured = await asyncio.gather(self._asked(asked), self._measured_apart())
            return Sought(asked, measured)
        return Sought(await self._asked(asked), None, known)

    def _scope(self, place: ExamPlace, *, base: bool = False) -> Scope:
        return self.wishes.scope(place.folder, place.prepared.path, base=base)

    async def _asked(self, asked: tuple[Asked, ...], tree: str = "") -> tuple[Asked, ...]:
        """Tools look at a copy of the tree that nobody else writes."""
        if all(each.result is not None for each in asked):
            return asked
        if not self._proper.in_place and not tree:
            place = self._proper.place
            return await self._ground.ask_change(asked, place, self._scope(place))
        again = Again(tree or self._proper.tree, _PURPOSE, room=_PURPOSE)
        try:
            async with place_again(self._proper, again) as room:
                return await self._ground.ask_change(asked, room, self._scope(room))
        except (SetupError, UserError) as error:
            why = Phrase(error.key, error.values)
            return tuple(each._replace(result=self._ground.concluded(each, (), why)) for each in asked)

    def _apart(self) -> bool:
        """Whether the tests may run twice at once: walls keep their files, ports and processes apart."""
        from donewhen.workspace.sandbox.support import probe

        wish, sandbox = self.wishes.coverage, self._proper.looked.rules.config.sandbox
        walls = sandbox.mode != "off" and sandbox.exam_network == "none" and probe().bubblewrap_network
        return bool(wish and wish.required and self._proper.in_place and walls)

    async def _measured_apart(self) -> Measured:
        try:
            async with place_again(self._proper, Again(self._proper.tree, _PURPOSE)) as room:
                return await self._measure(room)
        except (SetupError, UserError) as error:
            return Measured(why=Phrase(error.key, error.values))

    async def _measure(self, place: ExamPlace, *, base: bool = False) -> Measured:
        from donewhen.verify.quality.coverage.measure import measure

        changed: Mapping[str, frozenset[int]] = {} if base else self.wishes.lines
        return await measure(
            test_entries(self._proper.entries), place, self._scope(place, base=base), changed
        )

    async def after(self, sought: Sought, told: Sequence[Told]) -> Sought:
        """Coverage where it could not be measured beside the exam; the exam's place is still open."""
        if self.wishes.coverage is None or sought.coverage is not None:
            return sought
        ended = [each.sitting.ended for each in told]
        if not all(one is not None and one.exit == 0 for one in ended):
            return sought._replace(measured=Measured(why=Phrase("quality.red_tests")))
        if sought.measured is not None:
            return sought
        return sought._replace(measured=await self._measure(self._proper.place))

    async def finish(self, sought: Sought) -> tuple[GateResult, ...]:
        """All results; the base is laid out only for gates that found something."""
        wish, limit = self.wishes.coverage, self.wishes.thresholds.coverage
        low = sought.measured is not None and needs_base_total(sought.measured, limit)
        if self.wishes.build is not None:  # it writes where it likes, so it has a room of its own
            place = self._proper.place
            build = self._ground.recall(self.wishes.build, self._scope(place), place)
            built = await self._asked((build,), self._proper.tree)
            sought = sought._replace(asked=(*built, *sought.asked))
        then: Measured | None = None
        results = tuple(each.result for each in sought.asked if each.result is not None)
        if low or len(results) < len(sought.asked):
            results, then = await self._asked_base(sought, measured=low and not (wish and wish.absolute))
        covered = [self._covered(sought, then)] if wish is not None else []
        return in_order((*results, self.wishes.secrets(self._kept), *covered))

    async def _asked_base(
        self, sought: Sought, *, measured: bool
    ) -> tuple[tuple[GateResult, ...], Measured | None]:
        try:
            async with place_again(self._proper, Again(self.wishes.trees[0], _PURPOSE)) as room:
                scope = self._scope(room, base=True)
                results = await self._ground.ask_base(sought.asked, room, scope)
                return results, await self._measure(room, base=True) if measured else None
        except (SetupError, UserError) as error:
            why = Phrase("quality.base_could_not", {"why": Phrase(error.key, error.values)})
            return tuple(self._ground.concluded(each, (), unknown=why) for each in sought.asked), None

    def _covered(self, sought: Sought, base: Measured | None) -> GateResult:
        wish = self.wishes.coverage
        if sought.coverage is not None:
            return sought.coverage._replace(required=bool(wish and wish.required))
        result = result_of(
            sought.measured or Measured(why=Phrase("quality.not_reached")),
            base,
            self.wishes.lines,
            self.wishes.thresholds.coverage,
            required=bool(wish and wish.required),
            absolute=bool(wish and wish.absolute),
            language=self._proper.means.language,
        )
        told = result.verdict == "passed" or result.violations  # else only its reason says what is wrong
        if told and not (sought.measured and sought.measured.lacks):  # what is not known is told again
            self._kept.write(self._coverage_key(), result._replace(why=None))
        return result

    def _coverage_key(self) -> str:
        entries = [entry.identity for entry in test_entries(self._proper.entries)]
        wish, place = self.wishes.coverage, self._proper.place
        asked = (
            COVERAGE,
            wish,
            self.wishes.thresholds.model_dump_json(),
            entries,
            place.beside(within=RECENT),
        )
        return key_of(*self.wishes.trees, place.tree, place.environment, asked)


def not_reached(wishes: Wishes, kept: Path) -> tuple[GateResult, ...]:
    """What is said where a stage before the gates failed."""
    why = Phrase("quality.not_reached")
    gates = (*([wishes.build] if wishes.build else []), *wishes.gates)
    found = [GateResult(gate.name, "skipped", gate.required, why=why) for gate in gates]
    if wishes.coverage is not None:
        found.append(GateResult(COVERAGE, "skipped", wishes.coverage.required, why=why))
    return in_order((*found, wishes.secrets(Kept(kept))))


def in_order(results: Sequence[GateResult]) -> tuple[GateResult, ...]:
    return tuple(sorted(results, key=lambda result: order_of(result.gate)))
