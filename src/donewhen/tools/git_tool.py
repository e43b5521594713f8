"""What all git tools have in common: how they are described, and how a refusal becomes an answer."""

from abc import ABC, abstractmethod
from typing import Any

from donewhen.core.errors import AgentError
from donewhen.tools.git_running import Failed
from donewhen.tools.model import OwnTool, ToolContext, ToolResult


class GitTool(OwnTool, ABC):
    about = "gittools.about_{name}"

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
    """One that only looks."""


class Changing(GitTool):
    writes = True
    timeout: float | None = 0.0  # that of the command: it is ended softly, so that no lock is left
