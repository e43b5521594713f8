"""All gates at once on one tree, and where they complain, on the base's: only what is new counts.

First the change, beside the exam; then, for those gates alone that found something, the base in a room of its
own. A gate whose word on this very tree is kept is not asked again.
"""

import asyncio
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from donewhen import __version__
from donewhen.core.quality.model import GateResult, Violation
from donewhen.core.quality.newness import Origin, on_changed_lines
from donewhen.core.texts import Language, Phrase
from donewhen.verify.change import Progress
from donewhen.verify.place import ExamPlace
from donewhen.verify.quality.applying import Applying
from donewhen.verify.quality.deciding import decided, missing_result, needs_base
from donewhen.verify.quality.gates.own import OwnGate
from donewhen.verify.quality.gates.table import BUILD
from donewhen.verify.quality.keeping import FORM, Kept
from donewhen.verify.quality.model import Ask, Planned, Scope
from donewhen.verify.record import digest

if TYPE_CHECKING:
    from donewhen.verify.exam.policy import Given
    from donewhen.verify.quality.tooling import Ran


class Ground(NamedTuple):
    """What all gates of one verification share."""

    trees: tuple[str, str]  # base and now
    origins: Mapping[str, Origin]
    scope: Scope
    kept: Kept
    use: bool  # whether what was kept is used
    progress: Progress
    caches: Path
    timeouts: tuple[float, float]  # seconds: for a tool that looks at some files, and at everything
    language: Language


class Asked(NamedTuple):
    """A gate that was asked about the change; without `result` the base must be asked as well."""

    applying: Applying
    planned: Planned
    key: str
    result: GateResult | None = None
    now: tuple[Violation, ...] = ()
    duration_ms: int = 0


def recall(gates: Sequence[Applying], place: ExamPlace, ground: Ground) -> tuple[Asked, ...]:
    """Every gate, with its result where nothing has to be run for it."""
    return tuple(_recalled(gate, place, ground) for gate in gates)


def _recalled(applying: Applying, place: ExamPlace, ground: Ground) -> Asked:
    planned = applying.plan(ground.scope)
    asked = Asked(applying, planned, _key(applying, planned, place, ground))
    known = ground.kept.read(asked.key) if ground.use else None
    if known is not None:
        return asked._replace(result=known._replace(required=applying.required))
    return asked if planned.asks else asked._replace(result=missing_result(applying, planned))


async def ask_change(
    asked: Sequence[Asked], place: ExamPlace, scope: Scope, ground: Ground
) -> tuple[Asked, ...]:
    """All that have no result yet; `scope` is the change as it lies in `place`."""
    slots = _slots()
    return tuple(await asyncio.gather(*(_ask(each, place, scope, ground, slots) for each in asked)))


async def _ask(
    asked: Asked, place: ExamPlace, scope: Scope, ground: Ground, slots: asyncio.Semaphore
) -> Asked:
    if asked.result is not None:
        return asked
    applying = asked.applying
    planned = applying.plan(scope)
    ran = await _run_all(applying, planned.asks, place, ground, slots, "quality.running")
    spent = sum(each.duration_ms for each in ran)
    found = tuple(dict.fromkeys(violation for each in ran for violation in each.violations))
    why = next((each.why for each in ran if each.why is not None), None) or _silent(applying, ran)
    asked = asked._replace(planned=planned, now=found, duration_ms=spent)
    if why is None and needs_base(applying, found, scope.thresholds):
        return asked
    return asked._replace(result=concluded(asked, (), ground, why))


async def ask_base(
    asked: Sequence[Asked], base: ExamPlace, scope: Scope, ground: Ground
) -> tuple[GateResult, ...]:
    """The results of all, in their order; `base` is the base's tree in a room, `scope` what it has there."""
    slots = _slots()
    return tuple(await asyncio.gather(*(_ask_base(each, base, scope, ground, slots) for each in asked)))


async def _ask_base(
    asked: Asked, base: ExamPlace, scope: Scope, ground: Ground, slots: asyncio.Semaphore
) -> GateResult:
    if asked.result is not None:
        return asked.result
    planned = asked.applying.plan(scope)
    ran = await _run_all(asked.applying, planned.asks, base, ground, slots, "quality.running_base")
    why = next((each.why for each in ran if each.why is not None), None) or _silent(asked.applying, ran)
    spent = asked._replace(duration_ms=asked.duration_ms + sum(each.duration_ms for each in ran))
    if why is not None:
        return concluded(spent, (), ground, unknown=Phrase("quality.base_could_not", {"why": why}))
    had = tuple(violation for each in ran for violation in each.violations)
    return concluded(spent, had, ground)


def _slots() -> asyncio.Semaphore:
    """How many tools run at once."""
    return asyncio.Semaphore(max(2, os.cpu_count() or 2))


def concluded(
    asked: Asked,
    base: Sequence[Violation],
    ground: Ground,
    why: Phrase | None = None,
    unknown: Phrase | None = None,
) -> GateResult:
    """`why`: it could not run. `unknown`: the base could not be asked; then the lines that changed count."""
    if asked.result is not None:
        return asked.result
    if unknown is not None:
        asked = asked._replace(now=on_changed_lines(asked.now, ground.origins).new)
    result = decided(asked.applying, asked.planned, asked.now, base, ground.origins, ground.scope.thresholds)
    tools = (ask.tool.called(ground.language) for ask in asked.planned.asks)
    result = result._replace(tool=", ".join(dict.fromkeys(tools)))
    if why is not None:
        result = result._replace(verdict="could_not_run", why=why)
    if unknown is not None:
        result = result._replace(why=unknown)
    result = result._replace(duration_ms=asked.duration_ms)
    if asked.key:
        ground.kept.write(asked.key, result)
    return result


async def _run_all(
    applying: Applying,
    asks: Sequence[Ask],
    place: ExamPlace,
    ground: Ground,
    slots: asyncio.Semaphore,
    saying: str,
) -> list["Ran"]:
    """One after the other within a gate: they share its caches."""
    from donewhen.verify.quality.tooling import run_ask

    given: Given = "project" if isinstance(applying.gate, OwnGate) else "user"
    ran: list[Ran] = []
    for ask in asks:
        own = applying.config.timeout if applying.config else None
        timeout = own or ground.timeouts[ask.whole]
        async with slots:
            ground.progress(Phrase(saying, {"gate": applying.name, "tool": ask.tool.name}))
            found = await run_ask(ask, place, ground.caches / applying.name, timeout, given)
        by = ask.tool.called(ground.language) if ask.tool.is_foreign else ""
        told = (each._replace(by=by) for each in (*found.violations, *_exit(applying, found)))
        ran.append(found._replace(violations=tuple(told)))
    return ran


def _exit(applying: Applying, ran: "Ran") -> tuple[Violation, ...]:
    """A command that is judged by its exit code alone complains by it."""
    if not ran.exit or not _is_bare(applying):
        return ()
    return (Violation("exit", f"exit {ran.exit}: {ran.said}"),)


def _is_bare(applying: Applying) -> bool:
    gate = applying.gate
    return gate is BUILD or (isinstance(gate, OwnGate) and gate.entry.parser is None)


def _silent(applying: Applying, ran: Sequence["Ran"]) -> Phrase | None:
    """Why a gate could not run: its tool failed, and what it printed gives no reason."""
    mute = next((each for each in ran if each.exit and not each.violations), None)
    if mute is None or _is_bare(applying):
        return None
    gate = applying.gate
    if isinstance(gate, OwnGate):
        return gate.silent_failure(mute.exit)
    return Phrase("quality.crashed", {"tool": mute.tool, "exit": mute.exit, "said": mute.said})


def _key(applying: Applying, planned: Planned, place: ExamPlace, ground: Ground) -> str:
    asks = [
        (ask.argv, ask.cwd, ask.tool.called(ground.language), sorted(ask.env.items())) for ask in planned.asks
    ]
    config = applying.config.model_dump_json() if applying.config else ""
    limit = ground.scope.thresholds.complexity if applying.name == "complexity" else 0
    beside = place.beside() if applying.gate is BUILD else ""  # builds use what is installed beside the tree
    told = (applying.name, config, limit, asks, beside)
    return digest((FORM, __version__, *ground.trees, place.tree, place.environment, told))
