"""The quality gates of one verification: all at once on the change, and where they complain, on its base.

Tools run while the exam runs, on a copy of the same tree. Coverage has the tests run once more: beside the
exam in a room of its own where it is required and walls keep the two apart, else after it. The base is asked
last, and only by gates that found something: only what is new counts. A gate whose word on this very tree is
kept is not asked again.
"""

import asyncio
import os
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import NamedTuple

from donewhen.core.budget import amount
from donewhen.core.errors import SetupError, UserError
from donewhen.core.quality.model import GateResult, GateVerdict, Violation
from donewhen.core.quality.newness import Sorted, on_changed_lines, sort_out, too_complex
from donewhen.core.texts import Phrase
from donewhen.project.tools import Scope
from donewhen.verify.exam.policy import Given
from donewhen.verify.exam_run import RECENT, ExamCommand
from donewhen.verify.place import ExamPlace
from donewhen.verify.quality.coverage.gate import Measured, needs_base_total, result_of, test_entries
from donewhen.verify.quality.gates import BUILD
from donewhen.verify.quality.kept import Kept, key_of
from donewhen.verify.quality.model import Planned
from donewhen.verify.quality.required import COVERAGE, Applying, Wishes, order_of
from donewhen.verify.quality.running import Ran, run_ask
from donewhen.verify.rerun import ExamContext, RerunRequest, open_place

_PURPOSE = "gates"
_COMPLEXITY = "complexity"
_MOST = 500  # violations that are kept and told


class Asked(NamedTuple):
    """A gate that was asked about the change; without `result` the base must be asked as well."""

    applying: Applying
    planned: Planned
    key: str
    result: GateResult | None = None
    now: tuple[Violation, ...] = ()
    duration_ms: int = 0


class GateFindings(NamedTuple):
    """What is known when the exam is over; without `coverage` it was not asked for."""

    asked: tuple[Asked, ...] = ()
    measured: Measured | None = None
    coverage: GateResult | None = None  # known from before


class Session:
    def __init__(self, wishes: Wishes, context: ExamContext, kept: Path) -> None:
        self.wishes = wishes
        self._context = context
        self._kept = Kept(kept)
        self._slots = asyncio.Semaphore(max(2, os.cpu_count() or 2))  # tools that run at once

    @asynccontextmanager
    async def beside(self) -> AsyncIterator["asyncio.Task[GateFindings]"]:
        """Everything that runs while the exam runs; gone when the exam is given up.

        In the exam's own room tools go first: what the exam does there must not change what they see.
        """
        task = asyncio.create_task(self._beside())
        try:
            if not self._context.in_place:
                await task
            yield task
        finally:
            if not task.done():
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)

    async def _beside(self) -> GateFindings:
        use = self.wishes.coverage is not None and self._context.wanted.cache
        known = self._kept.read(self._coverage_key()) if use else None
        asked = tuple(map(self._recall, self.wishes.gates))
        if known is None and self._apart():
            asked, measured = await asyncio.gather(self._asked(asked), self._measured_apart())
            return GateFindings(asked, measured)
        return GateFindings(await self._asked(asked), None, known)

    def _scope(self, place: ExamPlace, *, base: bool = False) -> Scope:
        return self.wishes.scope(place.folder, place.prepared.path, base=base)

    def _recall(self, applying: Applying) -> Asked:
        """A gate, with its result where nothing has to be run for it."""
        planned = applying.plan(self._scope(self._context.place))
        asked = Asked(applying, planned, self._key(applying, planned))
        known = self._kept.read(asked.key) if self._context.wanted.cache else None
        if known is not None:
            return asked._replace(result=known._replace(required=applying.required))
        if planned.asks:
            return asked
        first = planned.missing[0] if planned.missing else None
        why = first.why if first else planned.why or Phrase("quality.nothing_to_look_at")
        verdict: GateVerdict = "could_not_run" if applying.required else "skipped"
        result = GateResult(applying.name, verdict, applying.required, why=why)
        return asked._replace(result=result._replace(install=first.install if first else ""))

    def _key(self, applying: Applying, planned: Planned) -> str:
        place, language = self._context.place, self._context.means.language
        asks = [
            (ask.argv, ask.cwd, ask.tool.called(language), sorted(ask.env.items())) for ask in planned.asks
        ]
        config = applying.config.model_dump_json() if applying.config else ""
        limit = self.wishes.thresholds.complexity if applying.name == _COMPLEXITY else 0
        beside = place.beside() if applying.gate is BUILD else ""  # builds use what is installed there
        told = (applying.name, config, limit, asks, beside)
        return key_of(*self.wishes.trees, place.tree, place.environment, told)

    async def _asked(self, asked: tuple[Asked, ...], tree: str = "") -> tuple[Asked, ...]:
        """Tools look at a copy of the tree that nobody else writes."""
        if all(each.result is not None for each in asked):
            return asked
        if not self._context.in_place and not tree:
            return await self._ask_all(asked, self._context.place)
        again = RerunRequest(tree or self._context.tree, _PURPOSE, room=_PURPOSE)
        try:
            async with open_place(self._context, again) as room:
                return await self._ask_all(asked, room)
        except (SetupError, UserError) as error:
            why = Phrase(error.key, error.values)
            return tuple(each._replace(result=self._concluded(each, (), why)) for each in asked)

    async def _ask_all(self, asked: Sequence[Asked], place: ExamPlace) -> tuple[Asked, ...]:
        return tuple(await asyncio.gather(*(self._ask(each, place) for each in asked)))

    async def _ask(self, asked: Asked, place: ExamPlace) -> Asked:
        if asked.result is not None:
            return asked
        asked = asked._replace(planned=asked.applying.plan(self._scope(place)))
        found, why, spent = await self._run_all(asked, place, "quality.running")
        asked = asked._replace(now=found, duration_ms=spent)
        if why is None and not asked.applying.absolute and self._counting(asked, found):
            return asked
        return asked._replace(result=self._concluded(asked, (), why))

    async def _ask_base(self, asked: Asked, base: ExamPlace, scope: Scope) -> GateResult:
        if asked.result is not None:
            return asked.result
        there = asked._replace(planned=asked.applying.plan(scope))
        had, why, spent = await self._run_all(there, base, "quality.running_base")
        unknown = Phrase("quality.base_could_not", {"why": why}) if why is not None else None
        asked = asked._replace(duration_ms=asked.duration_ms + spent)
        return self._concluded(asked, () if unknown else had, unknown=unknown)

    async def _run_all(
        self, asked: Asked, place: ExamPlace, saying: str
    ) -> tuple[tuple[Violation, ...], Phrase | None, int]:
        """What was found, or why it could not be, and how long it took; within a gate tools share caches."""
        applying, means = asked.applying, self._context.means
        execution = self._context.looked.rules.config.verification.execution
        own = applying.config.timeout if applying.config else None
        given: Given = "project" if applying.gate.own else "user"
        found: dict[Violation, None] = {}
        ran: list[Ran] = []
        for ask in asked.planned.asks:
            timeout = max(execution.timeout, execution.test_timeout) if ask.whole else execution.timeout
            price = applying.config.cost if applying.config else 0.0
            if price and not self._pay(applying.name, price):
                values = {"gate": applying.name, "cost": f"{price:.4f}"}
                return tuple(found), Phrase("quality.no_money", values), sum(each.duration_ms for each in ran)
            async with self._slots:
                means.progress(Phrase(saying, {"gate": applying.name, "tool": ask.tool.name}))
                caches = self.wishes.caches / applying.name
                ran.append(await run_ask(ask, place, caches, own or timeout, given))
            by = ask.tool.called(means.language) if ask.tool.is_foreign else ""
            found.update((each._replace(by=by), None) for each in ran[-1].violations)
            if ran[-1].exit and applying.is_bare:
                found[Violation("exit", f"exit {ran[-1].exit}: {ran[-1].said}")] = None
        why = next((each.why for each in ran if each.why is not None), None) or _silent(applying, ran)
        return tuple(found), why, sum(each.duration_ms for each in ran)

    def _pay(self, gate: str, price: float) -> bool:
        """Whether what one run of a gate costs was left; it is booked at once, however the run ends."""
        purse = self._context.purse
        if purse is None:
            return True
        held = purse.hold(f"gate-{gate}", amount("money", price))
        if held:
            purse.book(f"gate-{gate}", "other")
        return held

    def _concluded(
        self,
        asked: Asked,
        base: Sequence[Violation],
        why: Phrase | None = None,
        unknown: Phrase | None = None,
    ) -> GateResult:
        """`why`: it could not run. `unknown`: the base could not be asked; then changed lines count."""
        if asked.result is not None:
            return asked.result
        if unknown is not None:
            asked = asked._replace(now=on_changed_lines(asked.now, self.wishes.origins).new)
        applying, planned, new = asked.applying, asked.planned, self._sorted(asked, base)
        bad = any(each.severity == "error" for each in new.new)
        missing = planned.missing[0] if planned.missing else None
        could_not = why is not None or (missing is not None and applying.required and not bad)
        tools = dict.fromkeys(ask.tool.called(self._context.means.language) for ask in planned.asks)
        result = GateResult(
            applying.name,
            "could_not_run" if could_not else "failed" if bad else "passed",
            applying.required,
            new.new[:_MOST],
            new.old,
            unknown or why or (missing.why if missing else None),
            missing.install if missing else "",
            ", ".join(tools),
            files=sum(ask.files for ask in planned.asks),
            duration_ms=asked.duration_ms,
        )
        self._kept.write(asked.key, result)
        return result

    def _sorted(self, asked: Asked, base: Sequence[Violation]) -> Sorted:
        origins, counting = self.wishes.origins, self._counting(asked, asked.now)
        if asked.applying.absolute:
            return Sorted(tuple(counting), 0)
        if asked.applying.name != _COMPLEXITY:
            return sort_out(asked.now, base, origins)
        renamed = {path: origin.base for path, origin in origins.items() if origin.base != path}
        new = too_complex(asked.now, base, self.wishes.thresholds.complexity, renamed)
        return Sorted(new, len(counting) - len(new))

    def _counting(self, asked: Asked, found: Sequence[Violation]) -> Sequence[Violation]:
        is_complexity = asked.applying.name == _COMPLEXITY
        return too_complex(found, (), self.wishes.thresholds.complexity) if is_complexity else found

    # --- coverage ---

    def _apart(self) -> bool:
        """Whether the tests may run twice at once: walls keep their files, ports and processes apart."""
        from donewhen.workspace.sandbox.support import probe

        wish, sandbox = self.wishes.coverage, self._context.looked.rules.config.sandbox
        walls = sandbox.mode != "off" and sandbox.exam_network == "none" and probe().bubblewrap_network
        return bool(wish and wish.required and self._context.in_place and walls)

    async def _measured_apart(self) -> Measured:
        try:
            async with open_place(self._context, RerunRequest(self._context.tree, _PURPOSE)) as room:
                return await self._measure(room)
        except (SetupError, UserError) as error:
            return Measured(why=Phrase(error.key, error.values))

    async def _measure(self, place: ExamPlace, *, base: bool = False) -> Measured:
        from donewhen.verify.quality.coverage.measure import measure

        changed: Mapping[str, frozenset[int]] = {} if base else self.wishes.lines
        entries = test_entries(self._context.entries)
        return await measure(entries, place, self._scope(place, base=base), changed)

    async def after(self, found: GateFindings, told: Sequence[ExamCommand]) -> GateFindings:
        """Coverage where it could not be measured beside the exam; the exam's place is still open."""
        if self.wishes.coverage is None or found.coverage is not None:
            return found
        ended = [each.result.ended for each in told]
        if not all(one is not None and one.exit == 0 for one in ended):
            return found._replace(measured=Measured(why=Phrase("quality.red_tests")))
        if found.measured is not None:
            return found
        return found._replace(measured=await self._measure(self._context.place))

    async def finish(self, found: GateFindings) -> tuple[GateResult, ...]:
        """All results; the base is laid out only for gates that found something."""
        wish, limit = self.wishes.coverage, self.wishes.thresholds.coverage
        low = found.measured is not None and needs_base_total(found.measured, limit)
        asked = found.asked
        if self.wishes.build is not None:  # it writes where it likes, so it has a room of its own
            asked = (*await self._asked((self._recall(self.wishes.build),), self._context.tree), *asked)
        results = tuple(each.result for each in asked if each.result is not None)
        then: Measured | None = None
        if low or len(results) < len(asked):
            results, then = await self._asked_base(asked, measured=low and not (wish and wish.absolute))
        covered = [self._covered(found, then)] if wish is not None else []
        return in_order((*results, self.wishes.secrets(self._kept), *covered))

    async def _asked_base(
        self, asked: Sequence[Asked], *, measured: bool
    ) -> tuple[tuple[GateResult, ...], Measured | None]:
        try:
            async with open_place(self._context, RerunRequest(self.wishes.trees[0], _PURPOSE)) as room:
                scope = self._scope(room, base=True)
                results = await asyncio.gather(*(self._ask_base(each, room, scope) for each in asked))
                return tuple(results), await self._measure(room, base=True) if measured else None
        except (SetupError, UserError) as error:
            why = Phrase("quality.base_could_not", {"why": Phrase(error.key, error.values)})
            return tuple(self._concluded(each, (), unknown=why) for each in asked), None

    def _covered(self, found: GateFindings, base: Measured | None) -> GateResult:
        wish = self.wishes.coverage
        if found.coverage is not None:
            return found.coverage._replace(required=bool(wish and wish.required))
        result = result_of(
            found.measured or Measured(why=Phrase("quality.not_reached")),
            base,
            self.wishes.lines,
            self.wishes.thresholds.coverage,
            required=bool(wish and wish.required),
            absolute=bool(wish and wish.absolute),
            language=self._context.means.language,
        )
        told = result.verdict == "passed" or result.violations  # else only its reason says what is wrong
        if told and not (found.measured and found.measured.lacks):  # what is not known is told again
            self._kept.write(self._coverage_key(), result._replace(why=None))
        return result

    def _coverage_key(self) -> str:
        entries = [entry.identity for entry in test_entries(self._context.entries)]
        place, thresholds = self._context.place, self.wishes.thresholds.model_dump_json()
        asked = (COVERAGE, self.wishes.coverage, thresholds, entries, place.beside(within=RECENT))
        return key_of(*self.wishes.trees, place.tree, place.environment, asked)


def _silent(applying: Applying, ran: Sequence[Ran]) -> Phrase | None:
    """Why a gate could not run: its tool failed, and what it printed gives no reason."""
    mute = next((each for each in ran if each.exit and not each.violations), None)
    if mute is None or applying.is_bare:
        return None
    own = applying.gate.own
    if own is not None:
        values = {"command": " ".join(own.command), "exit": mute.exit, "parser": own.parser}
        return Phrase("quality.exit_unread", values)
    return Phrase("quality.crashed", {"tool": mute.tool, "exit": mute.exit, "said": mute.said})


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
