"""All gates at once on one tree, and where they complain, on the base's: only what is new counts.

First the change, beside the exam; then, for those gates alone that found something, the base in a room of its
own. A gate whose word on this very tree is kept is not asked again.
"""

import asyncio
import os
import posixpath
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from shlex import join
from typing import NamedTuple

import donewhen
from donewhen.config.sections_verify import Thresholds
from donewhen.core.accept import Accept
from donewhen.core.quality.model import GateResult, GateVerdict, Unreadable, Violation
from donewhen.core.quality.newness import Origin, Sorted, on_changed_lines, sort_out, too_complex
from donewhen.core.texts import Language, Phrase
from donewhen.verify.change import Progress
from donewhen.verify.exam.policy import Given, judge
from donewhen.verify.exam.walls import desk_of, exam_scratch, lay_home
from donewhen.verify.place import ExamPlace
from donewhen.verify.quality.gates import BUILD, OwnGate
from donewhen.verify.quality.kept import Kept, key_of
from donewhen.verify.quality.model import Ask, Planned, Scope
from donewhen.verify.quality.required import Applying
from donewhen.verify.record import discard
from donewhen.workspace.environment import command_environment
from donewhen.workspace.processes.command import Command, Finished, Output
from donewhen.workspace.processes.running import run
from donewhen.workspace.sandbox.plan import Plan

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


class Ground(NamedTuple):
    """What all gates of one verification share, and how they are asked."""

    trees: tuple[str, str]  # base and now
    origins: Mapping[str, Origin]
    thresholds: Thresholds
    kept: Kept
    use: bool  # whether what was kept is used
    progress: Progress
    caches: Path
    timeouts: tuple[float, float]  # seconds: for a tool that looks at some files, and at everything
    language: Language

    def recall(self, applying: Applying, scope: Scope, place: ExamPlace) -> Asked:
        """A gate, with its result where nothing has to be run for it."""
        planned = applying.plan(scope)
        asked = Asked(applying, planned, self._key(applying, planned, place))
        known = self.kept.read(asked.key) if self.use else None
        if known is not None:
            return asked._replace(result=known._replace(required=applying.required))
        if planned.asks:
            return asked
        first = planned.missing[0] if planned.missing else None
        why = first.why if first else planned.why or Phrase("quality.nothing_to_look_at")
        verdict: GateVerdict = "could_not_run" if applying.required else "skipped"
        install = first.install if first else ""
        return asked._replace(
            result=GateResult(applying.name, verdict, applying.required, why=why, install=install)
        )

    async def ask_change(self, asked: Sequence[Asked], place: ExamPlace, scope: Scope) -> tuple[Asked, ...]:
        """All that have no result yet; `scope` is the change as it lies in `place`."""
        slots = _slots()
        return tuple(await asyncio.gather(*(self._ask(each, place, scope, slots) for each in asked)))

    async def _ask(self, asked: Asked, place: ExamPlace, scope: Scope, slots: asyncio.Semaphore) -> Asked:
        if asked.result is not None:
            return asked
        asked = asked._replace(planned=asked.applying.plan(scope))
        found, why, spent = await self._run_all(asked, place, slots, "quality.running")
        asked = asked._replace(now=found, duration_ms=spent)
        if why is None and not asked.applying.absolute and self._counting(asked, found):
            return asked
        return asked._replace(result=self.concluded(asked, (), why))

    async def ask_base(self, asked: Sequence[Asked], base: ExamPlace, scope: Scope) -> tuple[GateResult, ...]:
        """The results of all, in their order; `base` is the base's tree, `scope` what it has there."""
        slots = _slots()
        return tuple(await asyncio.gather(*(self._ask_base(each, base, scope, slots) for each in asked)))

    async def _ask_base(
        self, asked: Asked, base: ExamPlace, scope: Scope, slots: asyncio.Semaphore
    ) -> GateResult:
        if asked.result is not None:
            return asked.result
        there = asked._replace(planned=asked.applying.plan(scope))
        had, why, spent = await self._run_all(there, base, slots, "quality.running_base")
        unknown = Phrase("quality.base_could_not", {"why": why}) if why is not None else None
        asked = asked._replace(duration_ms=asked.duration_ms + spent)
        return self.concluded(asked, () if unknown else had, unknown=unknown)

    async def _run_all(
        self, asked: Asked, place: ExamPlace, slots: asyncio.Semaphore, saying: str
    ) -> tuple[tuple[Violation, ...], Phrase | None, int]:
        """What was found, or why it could not be, and how long it took; within a gate tools share caches."""
        applying = asked.applying
        found: dict[Violation, None] = {}
        ran: list[Ran] = []
        for ask in asked.planned.asks:
            own = applying.config.timeout if applying.config else None
            async with slots:
                self.progress(Phrase(saying, {"gate": applying.name, "tool": ask.tool.name}))
                given: Given = "project" if isinstance(applying.gate, OwnGate) else "user"
                caches = self.caches / applying.name
                ran.append(await run_ask(ask, place, caches, own or self.timeouts[ask.whole], given))
            by = ask.tool.called(self.language) if ask.tool.is_foreign else ""
            found.update((each._replace(by=by), None) for each in ran[-1].violations)
            if ran[-1].exit and _is_bare(applying):  # judged by its exit code alone
                found[Violation("exit", f"exit {ran[-1].exit}: {ran[-1].said}")] = None
        why = next((each.why for each in ran if each.why is not None), None) or _silent(applying, ran)
        return tuple(found), why, sum(each.duration_ms for each in ran)

    def concluded(
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
            asked = asked._replace(now=on_changed_lines(asked.now, self.origins).new)
        applying, planned, new = asked.applying, asked.planned, self._sorted(asked, base)
        bad = any(each.severity == "error" for each in new.new)
        missing = planned.missing[0] if planned.missing else None
        could_not = why is not None or (missing is not None and applying.required and not bad)
        tools = dict.fromkeys(ask.tool.called(self.language) for ask in planned.asks)
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
        self.kept.write(asked.key, result)
        return result

    def _sorted(self, asked: Asked, base: Sequence[Violation]) -> Sorted:
        counting = self._counting(asked, asked.now)
        if asked.applying.absolute:
            return Sorted(tuple(counting), 0)
        if asked.applying.name != _COMPLEXITY:
            return sort_out(asked.now, base, self.origins)
        renamed = {path: origin.base for path, origin in self.origins.items() if origin.base != path}
        new = too_complex(asked.now, base, self.thresholds.complexity, renamed)
        return Sorted(new, len(counting) - len(new))

    def _counting(self, asked: Asked, found: Sequence[Violation]) -> Sequence[Violation]:
        is_complexity = asked.applying.name == _COMPLEXITY
        return too_complex(found, (), self.thresholds.complexity) if is_complexity else found

    def _key(self, applying: Applying, planned: Planned, place: ExamPlace) -> str:
        asks = [
            (ask.argv, ask.cwd, ask.tool.called(self.language), sorted(ask.env.items()))
            for ask in planned.asks
        ]
        config = applying.config.model_dump_json() if applying.config else ""
        limit = self.thresholds.complexity if applying.name == _COMPLEXITY else 0
        beside = place.beside() if applying.gate is BUILD else ""  # builds use what is installed there
        told = (applying.name, config, limit, asks, beside)
        return key_of(*self.trees, place.tree, place.environment, told)


def _slots() -> asyncio.Semaphore:
    """How many tools run at once."""
    return asyncio.Semaphore(max(2, os.cpu_count() or 2))


def _is_bare(applying: Applying) -> bool:
    gate = applying.gate
    return gate is BUILD or (isinstance(gate, OwnGate) and gate.entry.parser is None)


def _silent(applying: Applying, ran: Sequence["Ran"]) -> Phrase | None:
    """Why a gate could not run: its tool failed, and what it printed gives no reason."""
    mute = next((each for each in ran if each.exit and not each.violations), None)
    if mute is None or _is_bare(applying):
        return None
    if isinstance(applying.gate, OwnGate):
        return applying.gate.silent_failure(mute.exit)
    return Phrase("quality.crashed", {"tool": mute.tool, "exit": mute.exit, "said": mute.said})


_LARGEST = 32 * 1024 * 1024  # bytes of what a tool printed that are read
_TAIL = 400
_OURS = (str(Path(donewhen.__file__).parent),)  # rules and helpers that we give to tools
_APART = ("/bin/sh", "-c", 'out=$1; shift; exec "$@" >"$out"', "sh")  # words are arguments, never spliced
_QUOTED = re.compile(r"(['\"]).*\1")
_SHOWS_SECRETS = frozenset(("S105", "S106", "S107", "B105", "B106", "B107"))  # their messages quote it


class Ran(NamedTuple):
    """What a tool found; `why` is set where it did not do its work."""

    violations: tuple[Violation, ...] = ()
    why: Phrase | None = None
    exit: int | None = None
    duration_ms: int = 0
    said: str = ""  # the last line that it printed beside its findings
    tool: str = ""


async def run_ask(ask: Ask, place: ExamPlace, caches: Path, timeout: float, given: Given = "user") -> Ran:
    refused = _refusal(ask, place, caches, given)
    if refused is not None:
        return Ran(why=refused)
    with exam_scratch(place.bench.scratch) as scratch:
        caches.mkdir(parents=True, exist_ok=True, mode=0o700)
        finished, printed = await _run(ask, place, scratch, caches, timeout)
    why, name = None, {"tool": ask.tool.name}
    if finished.failure is not None:
        why = Phrase("quality.not_started", {**name, "why": finished.failure})
    elif finished.timed_out:
        why = Phrase("quality.timed_out", {**name, "seconds": f"{timeout:g}"})
    elif finished.exit is None or finished.exit not in ask.ok:
        said = {**name, "exit": finished.exit, "said": last_line(finished.output)}
        why = Phrase("quality.crashed", said)
    try:
        found = ask.read(printed, os.path.realpath(place.folder / ask.cwd)) if why is None else ()
    except Unreadable as error:
        found, why = (), Phrase(error.key, error.values)
    shown = tuple(dict.fromkeys(_shown(each, ask.cwd, place) for each in found))
    return Ran(shown, why, finished.exit, finished.duration_ms, last_line(finished.output), ask.tool.name)


def _refusal(ask: Ask, place: ExamPlace, caches: Path, given: Given) -> Phrase | None:
    """The folder of caches is ours to write, so words that name it are not judged."""
    from donewhen.guard.configured import guard_at

    ours = str(caches)
    words = tuple(word for word in ask.argv if ours not in word)
    env = tuple((name, value) for name, value in sorted(ask.env.items()) if ours not in value)
    guard = guard_at(str(place.folder), place.bench.looked.rules.loaded, place.bench.means.env)
    entry = Accept(ask.tool.name, join(words), words, ask.cwd, env)
    refused = judge(entry, guard, place.bench.config.verification.execution, given)
    return refused.reason if refused else None


async def _run(
    ask: Ask, place: ExamPlace, scratch: Path, caches: Path, timeout: float
) -> tuple[Finished, str]:
    walls = place.put_up(ask.argv[0], scratch, (caches,), _OURS)
    desk = desk_of(scratch)
    desk.mkdir(parents=True, exist_ok=True, mode=0o700)
    stdout = desk / "stdout"
    home = lay_home(desk / "home", place.bench.means.env.get("HOME", ""))
    more = {"CI": "1", "GIT_TERMINAL_PROMPT": "0", "PYTHONDONTWRITEBYTECODE": "1"}
    more |= {"HOME": str(home)} if home else {}
    apart = ask.stream == "stdout"
    argv = (*_APART, str(stdout), *ask.argv) if apart else ask.argv
    finished = await run(command_at(place, ask.cwd, argv, walls, timeout, {**more, **walls.env, **ask.env}))
    printed = _read(stdout if apart else finished.output.file)
    discard(finished.output)
    return finished, printed


def command_at(
    place: ExamPlace, cwd: str, argv: tuple[str, ...], walls: Plan, timeout: float, more: dict[str, str]
) -> Command:
    """A command with the environment of the exam, inside of these walls."""
    bench = place.bench
    env = {**command_environment(bench.means.env, bench.config.sandbox.env), **place.prepared.env}
    env["PATH"] = ":".join((*place.prepared.path, env.get("PATH", "")))
    folder, env = place.folder / cwd, {**env, **walls.env, **more}
    return Command(folder, bench.outputs, argv, env=env, timeout=timeout, plan=walls, redactor=bench.redactor)


def _read(file: Path) -> str:
    """What a tool printed, as far as anybody reads; a link or a pipe in its place is nothing."""
    with suppress(OSError):
        handle = os.open(file, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        with os.fdopen(handle, "rb") as opened:
            return opened.read(_LARGEST).decode(errors="surrogateescape")
    return ""


def last_line(output: Output) -> str:
    lines = [line.strip() for line in (output.tail or output.head).splitlines() if line.strip()]
    return lines[-1][:_TAIL] if lines else "-"


def _shown(violation: Violation, cwd: str, place: ExamPlace) -> Violation:
    """Seen from the root, and without secrets that a tool quotes."""
    file, message, redactor = violation.file, violation.message, place.bench.redactor
    if file and not file.startswith("/"):
        file = posixpath.normpath(f"{cwd}/{file}" if cwd else file)
    if violation.rule in _SHOWS_SECRETS:
        message = _QUOTED.sub("(…)", message)
    return violation._replace(file=file, message=redactor.text(message), fix=redactor.text(violation.fix))
