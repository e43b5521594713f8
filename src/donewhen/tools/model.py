"""What a tool is: a name, arguments that are validated before it is called, and one `execute`.

A tool knows its workspace and nothing of guard, hooks, budget or ledger: these are wrapped round it. What it
did to files it says as facts; what goes wrong it says to the agent, instructively, as a result and not as an
exception (`AgentError` is turned into one).
"""

import math
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from pydantic import BaseModel, ConfigDict

from donewhen.core.codec import EMPTY, Json
from donewhen.core.events import Body
from donewhen.core.texts import Language, say
from donewhen.workspace.git.repository import Repository
from donewhen.workspace.processes.background import Background
from donewhen.workspace.processes.command import Command, Finished

MOST_SHOWN = 64 * 1024  # bytes of a result that go to the agent: head and tail


class Arguments(BaseModel):
    """The base of all argument models: strict, closed, frozen."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class ToolResult(NamedTuple):
    ok: bool
    output: str = ""
    error: str = ""  # one sentence for the agent: cause, place, next step
    error_class: str = ""  # not_found, bad_arguments, denied, blocked, timeout, exit, …
    facts: tuple[Body, ...] = ()  # FileChanged, FileConfirmed …: what was seen to happen
    cost_micros: int | None = None  # micro-dollars that the call cost; None: what was declared
    metadata: Mapping[str, Json] = EMPTY
    finished: Finished | None = None  # of a command that came to its end
    handle: str = ""  # of a command that runs on in the background, or left something running


class Shell(NamedTuple):
    """How commands of the agent are run: everything but the text."""

    background: Background
    make: Callable[
        [str, Path, float | None], Command
    ]  # (text, folder, timeout): confined, with its environment
    background_after: float
    longest: Callable[[], float]  # seconds that a command may take at all, by now


class ToolContext(NamedTuple):
    """What a tool may use."""

    root: Path  # of the workspace, real and absolute
    repository: Repository  # of the workspace
    env: Mapping[str, str]  # that programs of the tool see
    language: Language
    is_exempt: Callable[[str], bool]  # may a relative path be left out of scans
    secret: Callable[[str], bool]  # does a relative path name a credential: never shown by scans
    redact: Callable[[str], str]
    shell: Shell
    key: str = ""  # of the call, for the facts
    seconds: float = math.inf  # that this call may take


class Tool(Protocol):
    """One thing that an agent can do."""

    name: str
    description: str
    arguments: Any  # a class of Arguments
    dangerous: bool
    requires_permission: bool
    writes: bool
    scans: bool  # looks through the workspace: longer time, back-off by folder
    foreign: bool  # of a plugin or a server of others: judged by name and arguments
    timeout: float | None  # seconds; None: the configured one; 0: none of ours

    def execute(self, args: Any, context: ToolContext) -> Awaitable[ToolResult]: ...


class OwnTool:
    """What our tools have in common; `about`: the text that describes it."""

    name: str
    description: str
    arguments: Any
    about = "toolbox.about_{name}"
    dangerous = requires_permission = writes = scans = foreign = False
    timeout: float | None = None

    def __init__(self, language: Language = "en") -> None:
        self.description = say(self.about.format(name=self.name), language)
