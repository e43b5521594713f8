"""A tool call before it is made: which tool, which arguments, what the guard says, and whether it runs alone.

Nothing is executed here. A call that can't be read becomes an instructive answer to the agent.
"""

import re
from typing import NamedTuple

from donewhen.core.agent import ToolRequest
from donewhen.core.codec import dumps, thaw
from donewhen.core.texts import Language
from donewhen.guard.actions import SHELL_TOOL, ToolCall
from donewhen.guard.decision import Decision, Found
from donewhen.guard.effects import Deletes, Executes, Reads, Writes
from donewhen.guard.guard import Guard
from donewhen.tools.describing import unknown, validated
from donewhen.tools.model import Arguments, Tool, ToolResult
from donewhen.tools.registry import Toolbox
from donewhen.tools.spelling import respelled

_LONGEST_ACTION = 2000
# Words after which the names in the rest of a line may mean other programs.
_OTHER_MEANING = re.compile(
    r"\b(?:export|alias|declare|typeset|source|eval|function|enable|hash)\b|PATH=|\(\)"
)
# Programs that change no file unless an option says so, which the guard tells as an effect of its own.
_LOOKERS = frozenset(
    """
    [ basename cat cd cksum cmp comm cut date df diff dirname du echo egrep expr false fgrep find
    fold getconf grep head hostname id join jq less ls md5sum nl nproc od paste printf ps pwd readlink
    realpath rev rg sed seq sha1sum sha256sum sleep sort stat strings tac tail test tr true tsort tty
    type uname wc which who whoami yes
    """.split()
)
_GIT = frozenset(
    """
    blame cat-file count-objects describe diff grep log ls-files ls-tree merge-base name-rev rev-list
    rev-parse shortlog show show-ref status version
    """.split()
)


class Call(NamedTuple):
    """A call that could be read; `decision` is the guard's word on it."""

    key: str
    request: ToolRequest
    tool: Tool
    args: Arguments
    decision: Decision

    @property
    def is_command(self) -> bool:
        return self.tool.name == SHELL_TOOL

    @property
    def command(self) -> str:
        return str(getattr(self.args, "command", "")) if self.is_command else ""

    @property
    def folder(self) -> str:
        return str(getattr(self.args, "cwd", None) or "") if self.is_command else ""

    @property
    def reads_only(self) -> bool:
        """Whether it is proven to change nothing: its effects are known, and all of them only look."""
        if not self.is_command:
            return not self.tool.writes
        effects = self.decision.effects
        known = bool(effects) and not _OTHER_MEANING.search(self.command)
        return known and all(map(_only_looks, effects))

    def changes(self, root: str) -> tuple[str, ...]:
        """Paths below `root` that it is known to write or delete, from there."""
        found = (each.effect for each in self.decision.effects)
        paths = (each.path for each in found if isinstance(each, Writes | Deletes))
        inside = (path.removeprefix(f"{root}/") for path in paths if path.startswith(f"{root}/"))
        return tuple(dict.fromkeys(inside))

    @property
    def action(self) -> str:
        """As people are asked about it."""
        if self.is_command:
            return self.command
        return f"{self.tool.name} {dumps(thaw(self.request.args))}"[:_LONGEST_ACTION]


class Unreadable(NamedTuple):
    """A call that is answered without being made."""

    key: str
    request: ToolRequest
    result: ToolResult


def read_call(
    key: str, request: ToolRequest, toolbox: Toolbox, guard: Guard, language: Language
) -> Call | Unreadable:
    request = respelled(request, toolbox.names)
    tool = toolbox.get(request.tool)
    if request.broken:
        return Unreadable(key, request, ToolResult(False, error=request.broken, error_class="bad_arguments"))
    if tool is None:
        said = unknown(request.tool, toolbox.names, language)
        return Unreadable(key, request, ToolResult(False, error=said, error_class="unknown_tool"))
    args = validated(tool, request.args, language)
    if isinstance(args, str):
        return Unreadable(key, request, ToolResult(False, error=args, error_class="bad_arguments"))
    return Call(key, request, tool, args, guarded(guard, tool, args))


def guarded(guard: Guard, tool: Tool, args: Arguments) -> Decision:
    """What the guard says to this call, as its arguments were read."""
    return guard.tool(
        ToolCall(
            tool.name,
            args.model_dump(mode="json", exclude_none=True),
            tool.dangerous,
            tool.requires_permission,
            tool.writes,
            tool.foreign,
        )
    )


def _only_looks(found: Found) -> bool:
    effect = found.effect
    if isinstance(effect, Reads):
        return True
    if not isinstance(effect, Executes) or effect.path or found.changed:
        return False
    if effect.program == "git":
        return len(found.argv) > 1 and found.argv[1] in _GIT
    if effect.program == "uniq":  # its second operand is a file that it writes
        return sum(not word.startswith("-") for word in found.argv[1:]) < 2
    if effect.program == "sed" and any(word.startswith(("-f", "--fi")) for word in found.argv):
        return False  # what its script does is not seen
    return effect.program in _LOOKERS
