"""Which tools there are: the built-in file tools, those of installed plugins, and a box that holds a run's.

A plugin's tool is always foreign, whatever it says of itself: the guard judges it by its name and arguments.
One that can't be loaded, has a wrong shape or takes a name of ours stops the run before it begins; nothing
is passed over in silence.
"""

import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any

from donewhen.core.agent import ToolSpec
from donewhen.core.budget import MILLION, MOST_CALL, SPENDERS, Spender
from donewhen.core.errors import AgentError, DonewhenError, SetupError
from donewhen.core.shown import one_name
from donewhen.core.texts import Language, Phrase, say
from donewhen.guard.offered import offered
from donewhen.tools.model import Arguments, Tool, ToolContext, ToolResult
from donewhen.tools.schema import schema_of

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "donewhen.tools"
# Also names of tools that come with other parts: a plugin must not be taken for one of them.
RESERVED = frozenset(
    "read_file write_file edit_file delete_file move_file list_dir glob grep code_search file_info "
    "run_command command_status git_status git_diff git_log git_show git_worktree_create git_commit git_push "
    "pr_create todo_write plan_update ask_user delegate complete code_generate client".split()
)
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_.-]{0,63}\Z")
_LONGEST_DESCRIPTION = 8000
_FLAGS = ("dangerous", "requires_permission", "writes", "scans")


def built_in(language: Language = "en") -> tuple[Tool, ...]:
    """The file tools."""
    from donewhen.tools.files.code_search import CodeSearch
    from donewhen.tools.files.grep import Grep
    from donewhen.tools.files.listing import Glob, ListDir
    from donewhen.tools.files.moving import DeleteFile, MoveFile
    from donewhen.tools.files.read import FileInfo, ReadFile
    from donewhen.tools.files.write import EditFile, WriteFile

    kinds = (ReadFile, WriteFile, EditFile, DeleteFile, MoveFile, ListDir, Glob, Grep, CodeSearch, FileInfo)
    return tuple(kind(language) for kind in kinds)


def installed() -> tuple[Tool, ...]:
    """The tools of installed plugins; SetupError names one that can't be used.

    An entry point is a tool, a class of one, or a function that gives one or several.
    """
    found: dict[str, Tool] = {}
    for entry in sorted(offered(GROUP), key=lambda each: (each.name, each.value)):
        for tool in _loaded(entry):
            if tool.name in RESERVED or tool.name in found:
                raise _refused(entry, Phrase("toolbox.plugin_name_taken", {"name": tool.name}))
            found[tool.name] = tool
    return tuple(found.values())


class Foreign:
    """A tool of others: what it said of itself when it was loaded, and that it is foreign.

    `cost_micros` is the most that a call costs, as far as that is declared; what a result says is booked.
    """

    foreign = True

    def __init__(self, tool: Any) -> None:
        self._tool = tool
        self.name: str = tool.name
        self.description: str = tool.description
        self.arguments: type[Arguments] = tool.arguments
        self.dangerous: bool = getattr(tool, "dangerous", False)
        self.requires_permission: bool = getattr(tool, "requires_permission", False)
        self.writes: bool = getattr(tool, "writes", True)
        self.scans: bool = getattr(tool, "scans", False)
        self.timeout: float | None = getattr(tool, "timeout", None)
        self.cost_micros: int = getattr(tool, "cost_micros", 0)
        self.cost_kind: Spender = getattr(tool, "cost_kind", "api")

    async def execute(self, args: Any, context: ToolContext) -> ToolResult:
        result = await self._tool.execute(args, context)
        if not isinstance(result, ToolResult):
            raise AgentError("toolbox.no_result", tool=self.name, kind=type(result).__name__)
        if result.cost_micros is None or _is_cost(result.cost_micros):
            return result
        said, most = one_name(repr(result.cost_micros)), MOST_CALL // MILLION
        error = say("toolbox.bad_cost", context.language, tool=self.name, cost=said, most=most)
        return result._replace(ok=False, error=error, error_class="broken", cost_micros=None)


class Toolbox:
    """The tools of a run, by name."""

    def __init__(self, tools: Iterable[Tool]) -> None:
        self._tools: dict[str, Tool] = {}
        for tool in tools:
            if tool.name in self._tools:
                raise SetupError("toolbox.twice", name=one_name(tool.name))
            self._tools[tool.name] = tool

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self._tools)

    def get(self, name: str) -> Tool | None:
        return self._tools.get(name)

    def __iter__(self) -> Iterator[Tool]:
        return iter(self._tools.values())

    def specs(self) -> tuple[ToolSpec, ...]:
        """The tools as they are described to an agent; made once."""
        return self._specs

    @cached_property
    def _specs(self) -> tuple[ToolSpec, ...]:
        return tuple(ToolSpec(each.name, each.description, schema_of(each.arguments)) for each in self)


def _loaded(entry: "EntryPoint") -> list[Tool]:
    try:
        loaded = entry.load()
        made = loaded() if callable(loaded) and not _is_tool(loaded) else loaded
        several = list(made) if isinstance(made, list | tuple) else [made]
        for tool in several:
            why = _misshapen(tool)
            if why:
                raise _refused(entry, why)
        tools = [Foreign(tool) for tool in several]
        for each in tools:
            schema_of(each.arguments)
    except DonewhenError:
        raise
    except Exception as error:  # foreign code may raise anything, and a tool must not get lost unsaid
        why = Phrase("toolbox.plugin_raised", {"error": one_name(f"{type(error).__name__}: {error}")})
        raise _refused(entry, why) from error
    return list(tools)


def _is_tool(loaded: object) -> bool:
    return not isinstance(loaded, type) and hasattr(loaded, "execute")


def _misshapen(tool: Any) -> Phrase | None:
    """What is wrong with a plugin's tool."""
    name, description = getattr(tool, "name", None), getattr(tool, "description", None)
    arguments, timeout = getattr(tool, "arguments", None), getattr(tool, "timeout", None)
    is_model = isinstance(arguments, type) and issubclass(arguments, Arguments)
    seconds = timeout is None or (type(timeout) in (int, float) and timeout >= 0)
    rules = {
        "name": isinstance(name, str) and _NAME.match(name),
        "description": isinstance(description, str) and 0 < len(description.strip()) <= _LONGEST_DESCRIPTION,
        "arguments": is_model,
        "timeout": seconds,
        "cost_micros": _is_cost(getattr(tool, "cost_micros", 0)),
        "cost_kind": getattr(tool, "cost_kind", "api") in SPENDERS,
        "execute": callable(getattr(tool, "execute", None)),
        **{flag: isinstance(getattr(tool, flag, False), bool) for flag in _FLAGS},
    }
    bad = [rule for rule, holds in rules.items() if not holds]
    return Phrase("toolbox.plugin_shape", {"fields": ", ".join(bad)}) if bad else None


def _is_cost(micros: object) -> bool:
    """Whether it is an amount that one call may cost."""
    return type(micros) is int and 0 <= micros <= MOST_CALL


def _refused(entry: "EntryPoint", why: Phrase) -> SetupError:
    where = entry.dist.name if entry.dist else entry.value
    return SetupError("toolbox.plugin_refused", plugin=one_name(entry.name), where=one_name(where), why=why)
