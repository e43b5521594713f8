"""The tools that run commands: one that starts them, one that looks at those in the background.

How a command ended is read from its result, never from words in its output. Whether it may run was decided
before; where it is confined is decided by whoever makes it.
"""

import math
from pathlib import Path
from typing import Annotated

from pydantic import Field

from donewhen.commands import parse
from donewhen.core.codec import Json
from donewhen.core.shown import one_name
from donewhen.core.texts import Language, Phrase, say
from donewhen.core.tree import Refused, Simple
from donewhen.tools.model import MOST_SHOWN, Arguments, OwnTool, Tool, ToolContext, ToolResult
from donewhen.workspace.processes.background import Background, Status
from donewhen.workspace.processes.command import SMALL, Command, Finished
from donewhen.workspace.processes.output import Part
from donewhen.workspace.sandbox.support import find_program

_LONGEST = 24 * 3600.0
_LONGEST_WAIT = 600.0
_WORST = 3  # bytes shown for one that is no text

Seconds = Annotated[float, Field(gt=0, le=_LONGEST, allow_inf_nan=False)]
Wait = Annotated[float, Field(ge=0, le=_LONGEST_WAIT, allow_inf_nan=False)]


class RunArguments(Arguments):
    command: Annotated[str, Field(min_length=1, description="what bash is to run")]
    cwd: Annotated[str, Field(description="folder, relative to the workspace's root")] = "."
    timeout: Annotated[Seconds | None, Field(description="seconds after which it is ended")] = None
    background: Annotated[bool, Field(description="give a handle at once instead of the result")] = False


class StatusArguments(Arguments):
    handle: Annotated[str, Field(min_length=1, max_length=64, description="as run_command gave it")]
    wait: Annotated[Wait, Field(description="seconds to wait for its end")] = 0.0
    kill: Annotated[bool, Field(description="end it and all it started")] = False
    offset: Annotated[int, Field(ge=0, lt=2**63, description="where in the output to begin")] = 0


class RunCommand(OwnTool):
    name = "run_command"
    arguments: type[Arguments] = RunArguments
    writes = True
    timeout: float | None = 0.0  # its own is the command's

    def __init__(self, language: Language = "en", *, bash: bool | None = None) -> None:
        self.description = say("shelltools.run_about", language)
        self._bash = bash  # None: look

    async def execute(self, args: RunArguments, context: ToolContext) -> ToolResult:
        folder = _folder(args.cwd, context)
        if isinstance(folder, ToolResult):
            return folder
        made = context.shell.make(args.command, folder, _limit(args, context))
        command = made._replace(keep_left=True, in_memory=SMALL)
        if not (bool(find_program("bash")) if self._bash is None else self._bash):
            words = plain_words(args.command)
            if words is None:
                return _refused("shelltools.plain_only", context.language, "not_started")
            command = command._replace(text=None, argv=words)
        background = context.shell.background
        if args.background:
            return _moved(background.start(command), background, context.language)
        done = await background.foreground(command, context.shell.background_after)
        if isinstance(done, Status):
            return _moved(done.handle, background, context.language)
        return result_of(done, command, context.language)


class CommandStatus(OwnTool):
    name = "command_status"
    arguments: type[Arguments] = StatusArguments
    timeout: float | None = 0.0  # bounded by `wait`

    def __init__(self, language: Language = "en") -> None:
        self.description = say("shelltools.status_about", language)

    async def execute(self, args: StatusArguments, context: ToolContext) -> ToolResult:
        background, language = context.shell.background, context.language
        status = await background.kill(args.handle) if args.kill else background.status(args.handle)
        if args.wait and status.alive:
            status = await background.wait(args.handle, args.wait)
        part = _read(background, args.handle, args.offset)
        state, finished = _state(status), status.finished
        lines = (_headline(status, language), part.text.removesuffix("\n"))
        after = say("shelltools.next", language, offset=part.next)
        metadata: dict[str, Json] = {"state": state, "offset": part.next}
        if finished is not None:
            metadata |= {"exit": finished.exit, "timed_out": finished.timed_out, "killed": finished.killed}
        text = "\n".join(line for line in (*lines, after) if line)
        return ToolResult(True, text, metadata=metadata, handle=args.handle)


def _limit(args: RunArguments, context: ToolContext) -> float:
    """Seconds until it is ended: its own, else a call's, unless it goes to the background before that."""
    shell = context.shell
    stays = not args.background and context.seconds < shell.background_after
    usual = context.seconds if stays else math.inf
    return min(usual if args.timeout is None else args.timeout, shell.longest())


def command_tools(language: Language = "en") -> tuple[Tool, ...]:
    return RunCommand(language), CommandStatus(language)


def plain_words(text: str) -> tuple[str, ...] | None:
    """The words of one program without anything that only a shell can do; None when there is more to it."""
    tree = parse(text)
    if isinstance(tree, Refused) or len(tree) != 1:
        return None
    command, negated, background, redirects = tree[0]
    if negated or background or redirects or not isinstance(command, Simple) or command.assigns:
        return None
    if not command.words or not all(word.known for word in command.words):
        return None
    return tuple(word.text for word in command.words)


def result_of(done: Finished, command: Command, language: Language) -> ToolResult:
    """What the agent is told of a command that ended."""
    error_class, why = _ending(done, command)
    output = done.output.text
    if done.left_running:
        left = say("shelltools.left", language, count=done.left_running, handle=done.handle)
        output = f"{output}\n{left}" if output and not output.endswith("\n") else output + left
    return ToolResult(
        not error_class,
        output,
        say(why.key, language, **why.values) if error_class else "",
        error_class,
        metadata={"exit": done.exit, "duration_ms": done.duration_ms},
        finished=done,
        handle=done.handle,
    )


def _ending(done: Finished, command: Command | None = None) -> tuple[str, Phrase]:
    """The class of an error, empty for none, and how it ended."""
    if done.timed_out:
        if command is None or command.timeout is None:
            return "timeout", Phrase("shelltools.late")
        return "timeout", Phrase("shelltools.timeout", {"seconds": f"{command.timeout:g}"})
    if done.killed:
        return "killed", Phrase("shelltools.killed")
    if done.failure is not None:
        return "lost" if done.failure.key == "process.lost" else "not_started", done.failure
    if done.signal is not None:
        return "signal", Phrase("shelltools.signal", {"number": done.signal})
    return "exit" if done.exit else "", Phrase("shelltools.exit", {"code": done.exit})


def _folder(cwd: str, context: ToolContext) -> Path | ToolResult:
    """The real folder that `cwd` means, or why there is none."""
    shown = one_name(cwd)
    try:
        folder = context.root if cwd == "." else (context.root / cwd).resolve()
        is_folder = folder.is_dir()
    except (OSError, ValueError, RuntimeError):  # a NUL, half a character, a loop of links
        return _refused("shelltools.no_folder", context.language, "not_found", path=shown)
    if not folder.is_relative_to(context.root):
        return _refused("shelltools.outside", context.language, "bad_arguments", path=shown)
    if not is_folder:
        return _refused("shelltools.no_folder", context.language, "not_found", path=shown)
    return folder


def _refused(key: str, language: Language, error_class: str, **values: object) -> ToolResult:
    return ToolResult(False, error=say(key, language, **values), error_class=error_class)


def _moved(handle: str, background: Background, language: Language) -> ToolResult:
    part = _read(background, handle, 0)
    note = say("shelltools.moved", language, handle=handle, offset=part.next)
    metadata: dict[str, Json] = {"state": "running", "offset": part.next}
    return ToolResult(True, part.text + note, metadata=metadata, handle=handle)


def _read(background: Background, handle: str, offset: int) -> Part:
    """A part of the output that is no longer than what may be shown."""
    part = background.read(handle, offset, MOST_SHOWN)
    if len(part.text.encode()) > MOST_SHOWN:
        part = background.read(handle, offset, MOST_SHOWN // _WORST)
    return part


def _state(status: Status) -> str:
    if status.finished is None:
        return "running"
    return "left_running" if status.alive else "ended"


def _headline(status: Status, language: Language) -> str:
    finished = status.finished
    if finished is None:
        return say("shelltools.running", language, handle=status.handle)
    if status.alive:
        return say("shelltools.left_running", language, handle=status.handle, code=finished.exit)
    if finished.rest:
        return say("shelltools.rest_over", language, handle=status.handle)
    return say("shelltools.over", language, handle=status.handle, how=_ending(finished)[1])
