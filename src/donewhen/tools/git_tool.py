"""What all git tools have in common: how they are described, and how a refusal becomes an answer."""

from abc import ABC, abstractmethod
from typing import Any

from donewhen.core.errors import AgentError
from donewhen.core.texts import Language, say
from donewhen.tools.git_running import Failed
from donewhen.tools.model import Arguments, ToolContext, ToolResult


class GitTool(ABC):
    name: str
    arguments: type[Arguments]
    writes: bool
    timeout: float | None
    dangerous = False
    requires_permission = False
    scans = False
    foreign = False

    def __init__(self, language: Language = "en") -> None:
        self.description = say(f"gittools.about_{self.name}", language)

    async def execute(self, args: Any, context: ToolContext) -> ToolResult:
        try:
            return await self.act(args, context)
        except Failed as error:
            return error.result
        except AgentError as error:  # a path that may not be used
            return ToolResult(False, error=error.say(context.language), error_class="bad_arguments")

    @abstractmethod
    async def act(self, args: Any, context: ToolContext) -> ToolResult:
        """The tool's own part; Failed and AgentError are answers."""


class Looking(GitTool):
    writes = False
    timeout: float | None = None


class Changing(GitTool):
    writes = True
    timeout: float | None = 0.0  # that of the command: it is ended softly, so that no lock is left
