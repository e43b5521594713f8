"""A tool call from wish to result: record(budget(guard(hooks(timeout(tool))))).

The guard decides first, and waiting for a human is outside every time-out; arguments that a hook changed go
back to the guard once; the time-out covers the tool alone. Everything is recorded, refusals too. What a tool
or the agent does wrong is an answer to the agent, never the end of the run.
"""

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from donewhen.config import Config
from donewhen.core.agent import Returned, ToolRequest
from donewhen.core.backoff import Backoff, key_of, noted, timeout_for
from donewhen.core.codec import Json, freeze, thaw
from donewhen.core.errors import AgentError, SetupError
from donewhen.core.events import Body, facts
from donewhen.core.hooking import PASSED, Occasion, Point, Verdict
from donewhen.core.texts import Phrase, say
from donewhen.guard.decision import Decision
from donewhen.guard.guard import Guard
from donewhen.hooks.hooks import Hooks
from donewhen.run.approvals import Approvals, Question
from donewhen.run.engine.calls import Call, Unreadable, guarded, read_call
from donewhen.run.engine.commands import Commands
from donewhen.run.engine.committing import Commits
from donewhen.run.engine.committing_held import NOTHING, held_by
from donewhen.run.engine.ledger import Ledger
from donewhen.tools.describing import validated
from donewhen.tools.model import ToolContext, ToolResult
from donewhen.tools.registry import Toolbox

_MOST_ARGS = 16_000  # characters of arguments that hooks and the ledger are told


Allowed = Callable[[Call], Phrase | None]


class Done(NamedTuple):
    """A call with what became of it."""

    call: Call | Unreadable
    result: ToolResult
    seen: tuple[Body, ...] = ()  # facts of a command that ended: its own first, then what it changed

    @property
    def ended(self) -> facts.CommandEnded | None:
        return next((each for each in self.seen if isinstance(each, facts.CommandEnded)), None)

    @property
    def written(self) -> tuple[str, ...]:
        changed = (each for each in (*self.result.facts, *self.seen) if isinstance(each, facts.FileChanged))
        return tuple(dict.fromkeys(each.path for each in changed))

    @property
    def returned(self) -> Returned:
        request, result = self.call.request, self.result
        text = "\n".join(part for part in (result.output, result.error) if part)
        return Returned(request.id, request.tool, result.ok, text, result.error_class)


class Parts(NamedTuple):
    """What a call passes on its way."""

    toolbox: Toolbox
    context: ToolContext
    hooks: Hooks
    approvals: Approvals
    guard: Callable[[], Guard]
    commands: Commands
    commits: Commits
    walled: bool = False  # commands see no processes but their own


class Executor:
    def __init__(self, ledger: Ledger, parts: Parts, config: Config) -> None:
        self._ledger = ledger
        self._parts = parts
        self._config = config
        self._backoff = Backoff()
        self._calls = 0
        self._acted: bool | None = None  # what the checkpoint before an act said last
        self._seen: dict[str, tuple[Body, ...]] = {}  # by call, until it is done

    async def turn(self, requests: Sequence[ToolRequest], only: Allowed = lambda _: None) -> list[Done]:
        """All calls of a turn, results in their order: those that only read together, others alone.

        `only` says why a call may not be made now, whatever the guard thinks of it.
        """
        done: list[Done] = []
        together: list[Call | Unreadable] = []
        left = self._config.loop.max_tool_calls - self._ledger.state.tool_calls
        for number, request in enumerate(requests):
            call = self._permitted(self._read(request), only if number < left else _used_up)
            if isinstance(call, Call) and not call.reads_only:
                done += await self._all(together)
                together = []
                done.append(await self._one(self._read(request, call.key)))  # as it is by now
            else:
                together.append(call)
        return done + await self._all(together)

    def _read(self, request: ToolRequest, key: str = "") -> Call | Unreadable:
        if not key:
            self._calls += 1
            key = f"c{self._ledger.state.turns}.{self._calls}"
        parts = self._parts
        return read_call(key, request, parts.toolbox, parts.guard(), parts.context.language)

    def _permitted(self, call: Call | Unreadable, only: Allowed) -> Call | Unreadable:
        why = only(call) if isinstance(call, Call) else None
        if why is None:
            return call
        text = say(why.key, self._parts.context.language, **why.values)
        return Unreadable(call.key, call.request, ToolResult(False, error=text, error_class="refused"))

    async def _all(self, calls: Sequence[Call | Unreadable]) -> list[Done]:
        if len(calls) < 2:
            return [await self._one(call) for call in calls]
        slots = asyncio.Semaphore(self._config.runtime.parallel_tools)

        async def within(call: Call | Unreadable) -> Done:
            async with slots:
                return await self._one(call)

        return list(await asyncio.gather(*map(within, calls)))

    async def _one(self, call: Call | Unreadable) -> Done:
        began = time.monotonic()
        self._ledger.post(facts.ToolCalled(call.key, call.request.tool, _shown(call.request.args)))
        if isinstance(call, Unreadable):
            result = call.result
        else:
            call, result = await self._guarded(call)
        done = Done(call, result, self._seen.pop(call.key, ()))
        self._ledger.post(
            *result.facts,
            facts.ToolReturned(
                call.key,
                call.request.tool,
                result.ok,
                done.returned.output,
                result.error_class,
                round((time.monotonic() - began) * 1000),
            ),
        )
        return done

    async def _guarded(self, call: Call) -> tuple[Call, ToolResult]:
        refused = await self._refused(call)
        self._judged(refused)
        if refused:
            return call, refused
        verdict = await self._hook("before_tool", call)
        if verdict.args is not None and not verdict.blocked:
            changed = self._changed(call, verdict.args)
            if isinstance(changed, ToolResult):
                return call, changed
            call = changed
            refused = await self._refused(call)
            if refused:
                return call, refused
        if verdict.blocked:
            return call, self._blocked(verdict)
        held = await self._before_commit(call)
        if held.blocked:
            return call, self._blocked(held)
        result = await self._scanned(call, await self._timed(call))
        point: Point = "after_tool" if result.ok else "on_tool_fail"
        after = await self._hook(point, call, result)
        return call, self._with_notes(result, (*verdict.notes, *held.notes), after)

    def _judged(self, refused: ToolResult | None) -> None:
        """The checkpoint before an act, where its word changes; each call itself stands in the ledger."""
        allowed = refused is None
        if allowed != self._acted:
            self._acted = allowed
            issues = (refused.error,) if refused else ()
            self._ledger.post(facts.CheckpointJudged("pre-act", allowed, self._ledger.trace(), issues))

    async def _refused(self, call: Call) -> ToolResult | None:
        """Why the guard, or the human that it asks, does not let it happen."""
        if call.decision.action == "allow" or (self._parts.walled and _only_signals(call.decision)):
            return None
        answer = await self._parts.approvals.ask(Question(call.decision, call.action, call.tool.name))
        if answer.allowed:
            return None
        decision, language = call.decision, self._parts.context.language
        text = say("engine.denied", language, reason=decision.reason, rule=decision.rule)
        if answer.text and decision.action == "ask":
            text += "\n" + say("engine.denied_said", language, text=answer.text)
        instead = next((one.instead for one in decision.findings if one.instead), None)
        if instead is not None:
            text += "\n" + say("engine.denied_instead", language, instead=instead)
        return ToolResult(False, error=text, error_class="denied")

    def _changed(self, call: Call, args: Mapping[str, Json]) -> Call | ToolResult:
        """The call with the arguments that a hook gave it, judged anew."""
        read = validated(call.tool, args, self._parts.context.language)
        if isinstance(read, str):
            text = say("engine.hook_arguments", self._parts.context.language, why=read)
            return ToolResult(False, error=text, error_class="blocked")
        request = call.request._replace(args=freeze(thaw(args)))
        decision = guarded(self._parts.guard(), call.tool, read)
        return call._replace(request=request, args=read, decision=decision)

    def _blocked(self, verdict: Verdict) -> ToolResult:
        language = self._parts.context.language
        text = say("engine.blocked", language, hook=verdict.by, reason=verdict.blocked)
        notes = "\n".join((text, *verdict.notes))
        return ToolResult(False, error=notes, error_class="blocked")

    async def _timed(self, call: Call) -> ToolResult:
        runtime = self._config.runtime
        seconds = call.tool.timeout
        if seconds is None:
            args = call.args.model_dump(mode="json")
            seconds = timeout_for(
                self._backoff, call.tool.name, args, runtime.tool_timeout_sec, scans=call.tool.scans
            )
        try:
            async with asyncio.timeout(seconds or None):
                result = await self._run(call)
        except TimeoutError:
            values = {"tool": call.tool.name, "seconds": f"{seconds:g}"}
            text = say("engine.timed_out", self._parts.context.language, **values)
            result = ToolResult(False, error=text, error_class="timeout")
        except AgentError as error:
            result = ToolResult(False, error=error.say(self._parts.context.language), error_class="refused")
        if not call.is_command:
            key = key_of(call.tool.name, call.args.model_dump(mode="json"), scans=call.tool.scans)
            self._backoff = noted(self._backoff, key, timed_out=result.error_class == "timeout")
        return result

    async def _run(self, call: Call) -> ToolResult:
        context = self._parts.context._replace(key=call.key)
        if not call.is_command:
            result = await _foreign_safe(call, context)
            if call.tool.writes:
                self._parts.commands.spoil()
            return result
        commands = self._parts.commands
        background = bool(getattr(call.args, "background", False))
        begun = commands.begin(
            call.key, call.command, call.folder, reads_only=call.reads_only, background=background
        )
        result = await call.tool.execute(call.args, context)
        if result.handle:
            commands.keep(result.handle, begun)
        if result.finished is not None:
            self._seen[call.key] = commands.end(begun, result.finished)
        return result

    async def _before_commit(self, call: Call) -> Verdict:
        """What hooks say to the commit that a call means to make."""
        held = held_by(call)
        if held == NOTHING or not self._parts.hooks.listens("before_commit"):
            return PASSED
        shown = await asyncio.to_thread(self._parts.commits.pending, held)
        data: dict[str, Json] = {"files": list(shown.files), "diff": shown.diff, "by": "agent"}
        root = str(self._parts.context.root)
        return await self._parts.hooks.call(Occasion("before_commit", self._ledger.run_id, root, data))

    async def _scanned(self, call: Call, result: ToolResult) -> ToolResult:
        """Commits that came with the call are looked through; a secret in one takes it back."""
        why = None if call.reads_only else await self._parts.commits.after(self._parts.context)
        if why is None:
            return result
        text = say(why.key, self._parts.context.language, **why.values)
        error = "\n".join((result.error, text)).strip()
        return result._replace(ok=False, error=error, error_class="blocked")

    async def _hook(self, point: Point, call: Call, result: ToolResult | None = None) -> Verdict:
        if not self._parts.hooks.listens(point):
            return PASSED
        data: dict[str, Json] = {"tool": call.tool.name, "args": call.request.args}
        if result is not None:
            data |= {"ok": result.ok, "output": result.output[:_MOST_ARGS], "error": result.error}
            data |= {"error_class": result.error_class, "files": self._written(call, result)}
        root = str(self._parts.context.root)
        return await self._parts.hooks.call(Occasion(point, self._ledger.run_id, root, data))

    def _written(self, call: Call, result: ToolResult) -> list[str]:
        seen = (*result.facts, *self._seen.get(call.key, ()))
        found = (each for each in seen if isinstance(each, facts.FileChanged) and each.change != "delete")
        return list(dict.fromkeys(each.path for each in found))

    def _with_notes(self, result: ToolResult, before: tuple[str, ...], after: Verdict) -> ToolResult:
        notes = (*before, *after.notes)
        if after.blocked:  # it has happened; the agent hears that somebody objects
            text = say("engine.objected", self._parts.context.language, hook=after.by, reason=after.blocked)
            return result._replace(ok=False, error="\n".join((result.error, text, *notes)).strip())
        if not notes:
            return result
        return result._replace(output="\n".join((result.output, *notes)).strip())


async def _foreign_safe(call: Call, context: ToolContext) -> ToolResult:
    """A plugin is code of others: what it raises is an answer to the agent."""
    if not call.tool.foreign:
        return await call.tool.execute(call.args, context)
    try:
        return await call.tool.execute(call.args, context)
    except (AgentError, SetupError, TimeoutError, asyncio.CancelledError):
        raise
    except Exception as error:  # whatever a plugin does, the run goes on
        phrase = Phrase(
            "engine.plugin_failed", {"tool": call.tool.name, "why": f"{type(error).__name__}: {error}"}
        )
        return ToolResult(
            False, error=say(phrase.key, context.language, **phrase.values), error_class="broken"
        )


def _used_up(_: Call) -> Phrase:
    return Phrase("engine.no_calls_left")


def _only_signals(decision: Decision) -> bool:
    """Whether only the end of processes would be asked about; behind a wall there are none of others."""
    return decision.action == "ask" and all(each.rule == "signal" for each in decision.findings)


def _shown(args: Mapping[str, Json]) -> Mapping[str, Json]:
    """Arguments as others are told them: long texts cut."""
    shown: Mapping[str, Json] = freeze({name: _cut(value) for name, value in thaw(args).items()})
    return shown


def _cut(value: Json) -> Json:
    if isinstance(value, str) and len(value) > _MOST_ARGS:
        return f"{value[:_MOST_ARGS]}… ({len(value)})"
    return value
