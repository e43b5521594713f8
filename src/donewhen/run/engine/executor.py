"""A tool call from wish to result: record(budget(guard(hooks(timeout(tool))))).

The guard decides first, and waiting for a human is outside every time-out; arguments that a hook changed go
back to the guard once; the time-out covers the tool alone (`making`). Everything is recorded, refusals too.
What the agent does wrong is an answer to it, never the end of the run.
"""

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from donewhen.config import Config
from donewhen.core.agent import Returned, ToolRequest
from donewhen.core.backoff import Backoff
from donewhen.core.budget import MILLION
from donewhen.core.codec import Json, freeze, thaw
from donewhen.core.events import Body, facts
from donewhen.core.hooking import PASSED, Occasion, Point, Verdict
from donewhen.core.texts import Phrase, say
from donewhen.guard.decision import Decision
from donewhen.run.approvals import Question
from donewhen.run.engine.calls import Call, Unreadable, guarded, read_call
from donewhen.run.engine.committing_held import NOTHING, held_by
from donewhen.run.engine.ledger import Ledger
from donewhen.run.engine.making import Maker
from donewhen.run.engine.making import Parts as Parts  # part of what an executor is made from
from donewhen.tools.describing import validated
from donewhen.tools.model import ToolResult
from donewhen.tools.registry import Foreign

_MOST_ARGS = 16_000  # characters of an output that hooks are told
_MOST_SHOWN = 2_000  # characters of an argument in the ledger's word on a call: its step has it whole


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


class Executor:
    def __init__(self, ledger: Ledger, parts: Parts, config: Config, backoff: Backoff = Backoff()) -> None:  # noqa: B008 - frozen
        self._ledger = ledger
        self._parts = parts
        self._config = config
        self._maker = Maker(parts, config, backoff)
        self._calls = ledger.state.keys
        self._acted: bool | None = None  # what the checkpoint before an act said last

    @property
    def backoff(self) -> Backoff:
        return self._maker.backoff

    async def turn(self, requests: Sequence[ToolRequest], only: Allowed = lambda _: None) -> list[Done]:
        """All calls of a turn, results in their order: those that only read together, others alone.

        `only` says why a call may not be made now, whatever the guard thinks of it.
        """
        done: list[Done] = []
        together: list[Call | Unreadable] = []
        left = self._config.loop.max_tool_calls - self._ledger.state.tool_calls
        for number, request in enumerate(requests):
            call = self._read(request)
            if together and isinstance(call, Call) and not call.reads_only:
                done += await self._all(together)
                together = []
                call = self._read(request, call.key)  # as it is by now
            call = self._permitted(call, only if number < left else _used_up)
            if isinstance(call, Call) and not call.reads_only:
                done.append(await self._one(call))
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
        self._ledger.post(_called(call))
        if isinstance(call, Unreadable):
            result = call.result
        else:
            call, result = await self._guarded(call)
        done = Done(call, result, self._maker.seen.pop(call.key, ()))
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
        result = await self._paid(call)
        point: Point = "after_tool" if result.ok else "on_tool_fail"
        after = await self._hook(point, call, result)
        return call, self._with_notes(result, (*verdict.notes, *held.notes), after)

    async def _paid(self, call: Call) -> ToolResult:
        """Made, if the budget holds what it is declared to cost; what it did cost is booked."""
        tool = call.tool
        if not isinstance(tool, Foreign):
            return await self._maker.make(call)
        if not self._parts.purse.hold(call.key, tool.cost_micros):
            left = max(0, self._ledger.state.account.left or 0)
            dollars = {"cost": f"{tool.cost_micros / MILLION:.4f}", "left": f"{left / MILLION:.4f}"}
            error = say("toolbox.no_money", self._parts.context.language, tool=tool.name, **dollars)
            return ToolResult(False, error=error, error_class="budget")
        result = await self._maker.make(call)
        self._parts.purse.book(call.key, tool.cost_kind, result.cost_micros)
        return result

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
        asked = decision.action == "ask" and answer.by == "human"
        key = "engine.denied_by_human" if asked else "engine.denied"
        text = say(key, language, reason=decision.reason, rule=decision.rule)
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

    async def _before_commit(self, call: Call) -> Verdict:
        """What hooks say to the commit that a call means to make."""
        held = held_by(call)
        if held == NOTHING or not self._parts.hooks.listens("before_commit"):
            return PASSED
        shown = await asyncio.to_thread(self._parts.commits.pending, held)
        data: dict[str, Json] = {"files": list(shown.files), "diff": shown.diff, "by": "agent"}
        root = str(self._parts.context.root)
        return await self._parts.hooks.call(Occasion("before_commit", self._ledger.run_id, root, data))

    async def _hook(self, point: Point, call: Call, result: ToolResult | None = None) -> Verdict:
        if not self._parts.hooks.listens(point):
            return PASSED
        data: dict[str, Json] = {"tool": call.tool.name, "args": call.request.args}
        if result is not None:
            data |= {"ok": result.ok, "output": result.output[:_MOST_ARGS], "error": result.error}
            data |= {"error_class": result.error_class, "files": self._written(call, result)}
        if self._parts.hooks.acts(point):
            self._ledger.settle()  # that the call was made stands in the ledger before anybody acts on it
        root = str(self._parts.context.root)
        return await self._parts.hooks.call(Occasion(point, self._ledger.run_id, root, data))

    def _written(self, call: Call, result: ToolResult) -> list[str]:
        seen = (*result.facts, *self._maker.seen.get(call.key, ()))
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


def _called(call: Call | Unreadable) -> facts.ToolCalled:
    request = call.request
    return facts.ToolCalled(call.key, request.tool, _shown(request.args), request.id)


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
    if isinstance(value, str) and len(value) > _MOST_SHOWN:
        return f"{value[:_MOST_SHOWN]}… ({len(value)})"
    return value
