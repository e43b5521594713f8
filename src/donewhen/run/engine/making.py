"""A call that may be made, made: within its time, marked in the ledger, its commits looked through.

Whether it may be made was decided before. What a tool does wrong is an answer to the agent, never the end of
the run; what a command left is in `seen` until somebody takes it.
"""

import asyncio
from collections.abc import Callable
from typing import NamedTuple

from donewhen.config import Config
from donewhen.core.backoff import Backoff, key_of, noted, timeout_for
from donewhen.core.budget import Purse
from donewhen.core.errors import AgentError, SetupError
from donewhen.core.events import Body, facts
from donewhen.core.texts import Phrase, say
from donewhen.guard.guard import Guard
from donewhen.hooks.hooks import Hooks
from donewhen.run.approvals import Approvals
from donewhen.run.engine.calls import Call
from donewhen.run.engine.commands import Commands
from donewhen.run.engine.committing import Commits
from donewhen.tools.model import ToolContext, ToolResult
from donewhen.tools.registry import Toolbox


class Parts(NamedTuple):
    """What a call passes on its way."""

    toolbox: Toolbox
    context: ToolContext
    hooks: Hooks
    approvals: Approvals
    guard: Callable[[], Guard]
    commands: Commands
    commits: Commits
    purse: Purse
    walled: bool = False  # commands see no processes but their own


class Maker:
    def __init__(self, parts: Parts, config: Config, backoff: Backoff) -> None:
        self._parts = parts
        self._config = config
        self.backoff = backoff
        self.seen: dict[str, tuple[Body, ...]] = {}  # facts of commands that ended, by call

    async def make(self, call: Call) -> ToolResult:
        return await self._scanned(call, await self._timed(call))

    async def _timed(self, call: Call) -> ToolResult:
        runtime = self._config.runtime
        args = call.args.model_dump(mode="json")
        seconds = call.tool.timeout
        if seconds is None or call.is_command:
            seconds = timeout_for(
                self.backoff, call.tool.name, args, runtime.tool_timeout_sec, scans=call.tool.scans
            )
        try:
            async with asyncio.timeout(None if call.is_command else seconds or None):
                result = await self._run(call, seconds)
        except TimeoutError:
            values = {"tool": call.tool.name, "seconds": f"{seconds:g}"}
            text = say("engine.timed_out", self._parts.context.language, **values)
            result = ToolResult(False, error=text, error_class="timeout")
        except AgentError as error:
            result = ToolResult(False, error=error.say(self._parts.context.language), error_class="refused")
        key = key_of(call.tool.name, args, scans=call.tool.scans)
        self.backoff = noted(self.backoff, key, timed_out=result.error_class == "timeout")
        return result

    async def _run(self, call: Call, seconds: float) -> ToolResult:
        """A command is ended by its own shell, so that its output is kept; or it goes to the background."""
        context, commands = self._parts.context._replace(key=call.key, seconds=seconds), self._parts.commands
        if not call.is_command:
            if call.tool.writes:
                commands.mark(call.key, self._parts.commits.last)
            result = await _foreign_safe(call, context)
            if call.tool.writes:
                commands.spoil()
            return self._vouched(call, result) if call.tool.foreign else result
        background = bool(getattr(call.args, "background", False))
        begun = commands.begin(
            call.key,
            call.command,
            call.folder,
            at=None if call.reads_only else self._parts.commits.last,
            background=background,
        )
        result = await call.tool.execute(call.args, context)
        if result.handle:
            commands.keep(result.handle, begun)
        if result.finished is not None:
            self.seen[call.key] = commands.end(begun, result.finished)
        return result

    def _vouched(self, call: Call, result: ToolResult) -> ToolResult:
        """A plugin may speak of files, and in its own name of the tree as it is now."""
        told: list[Body] = []
        for each in result.facts:
            if isinstance(each, facts.FileChanged | facts.FileConfirmed):
                told.append(each)
            elif isinstance(each, facts.Verified) and each.verifier == call.tool.name:
                told.append(each._replace(fingerprint=self._parts.commands.relevant()))
        return result._replace(facts=tuple(told))

    async def _scanned(self, call: Call, result: ToolResult) -> ToolResult:
        """Commits that came with the call are looked through; a secret in one takes it back."""
        why = None if call.reads_only else await self._parts.commits.after(self._parts.context)
        if why is None:
            return result
        text = say(why.key, self._parts.context.language, **why.values)
        error = "\n".join((result.error, text)).strip()
        return result._replace(ok=False, error=error, error_class="blocked")


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
