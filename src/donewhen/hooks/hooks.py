"""The hooks of a run: found once, in order, asked at their points, everything recorded.

Nothing that a hook does is raised from here; a call ends with a verdict. Points that nobody listens to cost
a look into a table.
"""

import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from donewhen.config.load import Loaded
from donewhen.config.places import Path as KeyPath
from donewhen.core.events.facts import HookCalled
from donewhen.core.hooking import PASSED, POINTS, Occasion, Point, Verdict
from donewhen.core.texts import Phrase, language_of, say
from donewhen.hooks.built_in import BUILT_IN
from donewhen.hooks.deciding import Settled, Text, settle
from donewhen.hooks.model import Answer, Hook, Kit, Layer, Remove, Spawn
from donewhen.secrets.redact import Redactor

if TYPE_CHECKING:
    from donewhen.hooks.programs import Program
    from donewhen.workspace.processes.command import Command, Finished

LONGEST = 4000  # characters of a reason or note
_PROJECT = "project"


async def _spawn(command: "Command") -> "Finished":
    from donewhen.workspace.processes.running import run  # few runs have a hook that is a program

    return await run(command)


class Hooks:
    """A HookRunner. Raises SetupError when a hook that is configured can't be there for the run."""

    def __init__(
        self,
        loaded: Loaded,
        *,
        env: Mapping[str, str],
        workspace: Path,
        run_id: str,
        record: Callable[[HookCalled], None],
        redactor: Redactor,
        spawn: Spawn = _spawn,
        remove: Remove | None = None,
    ) -> None:
        language = language_of(
            loaded.config.language, env.get("LC_ALL"), env.get("LC_MESSAGES"), env.get("LANG")
        )
        self._kit = Kit(loaded, env, workspace, run_id, redactor, spawn, remove, language)
        self._record = record
        self._warned = set[str]()
        self._programs = _programs(self._kit)
        hooks = sorted(
            (*_named_hooks(self._kit), *_commands(self._kit, self._programs)), key=lambda hook: hook.rank
        )
        found = {point: tuple(hook for hook in hooks if point in hook.points) for point in POINTS}
        self._by_point = {point: listening for point, listening in found.items() if listening}

    def listens(self, point: Point) -> bool:
        return point in self._by_point

    def acts(self, point: Point) -> bool:
        """Whether hooks of users listen there: what they do outside of the run can't be taken back."""
        return any(not hook.quiet for hook in self._by_point.get(point, ()))

    @property
    def pins(self) -> dict[str, str]:
        """The files of the workspace that command hooks are made of, with their digests; to be kept."""
        return {
            word: digest for program in self._programs.values() for word, digest in program.made_of.items()
        }

    def pin(self, known: Mapping[str, str]) -> None:
        """For a run that goes on: its agent may have changed the files, so the pins of its start hold."""
        for program in self._programs.values():
            program.pin(known)

    async def call(self, occasion: Occasion) -> Verdict:
        verdict = PASSED
        for hook in self._by_point.get(occasion.point, ()):
            answer, settled = await self._ask(hook, occasion)
            notes = verdict.notes + self._notes(hook, settled)
            if settled.blocked:
                return Verdict(self._said(settled.blocked), hook.name, notes)
            if settled.outcome == "changed":
                occasion = occasion._replace(data={**occasion.data, "args": answer.args})
                verdict = verdict._replace(args=answer.args, by=hook.name)
            verdict = verdict._replace(notes=notes)
        return verdict

    async def _ask(self, hook: Hook, occasion: Occasion) -> tuple[Answer, Settled]:
        begun = time.monotonic()
        answer = await hook.ask(occasion)
        settled = settle(hook, occasion.point, answer)
        if hook.quiet and settled.outcome == "passed":
            return answer, settled
        duration = round((time.monotonic() - begun) * 1000)
        reason = self._said(settled.reason)
        self._record(HookCalled(hook.name, occasion.point, settled.outcome, reason, duration))
        return answer, settled

    def _notes(self, hook: Hook, settled: Settled) -> tuple[str, ...]:
        """What the agent is told; that a hook does not work is told once, for it can't mend it."""
        notes: tuple[str, ...] = (self._said(settled.note),) if settled.note else ()
        if settled.warning and hook.name not in self._warned:
            self._warned.add(hook.name)
            notes += (self._said(settled.warning),)
        return notes

    def _said(self, text: Text) -> str:
        """Readable, bounded and without secrets: it goes to the agent and into the ledger."""
        from donewhen.workspace.processes.output import cleaned

        words = say(text.key, self._kit.language, **text.values) if isinstance(text, Phrase) else text
        shown = self._kit.redactor.text(cleaned(words)).strip()
        return shown if len(shown) <= LONGEST else shown[: LONGEST - 1] + "…"


def _programs(kit: Kit) -> "dict[str, Program]":
    commands = kit.loaded.config.hooks.commands
    if not commands:
        return {}
    from donewhen.hooks.programs import Program

    return {command.name: Program(command, kit) for command in commands}


def _commands(kit: Kit, programs: "Mapping[str, Program]") -> Iterator[Hook]:
    for command in kit.loaded.config.hooks.commands:
        layer = _layer(kit.loaded, ("hooks", "commands", command.name))
        ask, points = programs[command.name].ask, frozenset[Point]((command.point,))
        yield Hook(command.name, points, ask, "command", layer, command.priority, command.fail_open)


def _named_hooks(kit: Kit) -> Iterator[Hook]:
    config = kit.loaded.config.hooks
    for name in dict.fromkeys((*config.enabled, *config.on_failure)):
        yield _named(name, kit)


def _named(name: str, kit: Kit) -> Hook:
    """A hook that `enabled` names is called at its own points, one that `on_failure` names at on_fail."""
    config = kit.loaded.config.hooks
    points = None if name in config.enabled else frozenset[Point](("on_fail",))
    made = BUILT_IN.get(name)
    if made is None:
        from donewhen.hooks.installed import installed

        key = "enabled" if name in config.enabled else "on_failure"
        hook = installed(name, kit, _layer(kit.loaded, ("hooks", key)), points)
    else:
        own = made.points if points is None else points
        hook = Hook(name, own, made.make(kit), "built_in", fail_open=made.fail_open)
        hook = hook._replace(last=made.last, quiet=made.quiet)
    return hook._replace(points=hook.points | {"on_fail"}) if name in config.on_failure else hook


def _layer(loaded: Loaded, path: KeyPath) -> Layer:
    """Environment and flags are the user's."""
    origin = loaded.origins.get(path)
    return "project" if origin is not None and origin.layer == _PROJECT else "user"
