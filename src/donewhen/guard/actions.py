"""Tool calls as actions: what a call of a file, git or foreign tool would do.

Shell commands go to the walker, arguments of foreign tools to `foreign`; here are only the tools with
arguments of their own.
"""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from donewhen.core.codec import EMPTY, Json
from donewhen.guard.effects import Deletes, Effect, Reads, Writes
from donewhen.guard.ground import Ground, absolute

SHELL_TOOL = "run_command"
FREE_TOOLS = frozenset(("complete", "ask_user", "todo_write", "plan_update", "command_status"))


class ToolCall(NamedTuple):
    """What an agent asks for. The flags come from the tool's description, never from the agent."""

    tool: str
    args: Mapping[str, Json] = EMPTY
    dangerous: bool = False
    requires_permission: bool = False
    writes: bool = False
    foreign: bool = False  # of a plugin or an MCP server
    typed: bool = False  # it gives text to a program that runs already


class BadArguments(Exception):
    """The call lacks an argument that the guard must see."""


def _text(call: ToolCall, *names: str) -> str:
    for name in names:
        value = call.args.get(name)
        if isinstance(value, str) and value:
            return value
    raise BadArguments(names[0])


_READING = {
    "read_file": False,
    "list_dir": True,
    "glob": True,
    "file_info": True,
    "grep": False,
    "code_search": False,
}
_WRITING = frozenset(("write_file", "edit_file", "git_worktree_create"))
_OPTIONAL = frozenset(("list_dir", "glob", "grep", "code_search"))


def file_effects(call: ToolCall, ground: Ground) -> Iterator[Effect]:
    """Effects of our own file tools; nothing for other tools."""
    if call.tool in _READING:
        default = (
            () if call.tool not in _OPTIONAL or any(k in call.args for k in ("path", "folder")) else (".",)
        )
        path = default[0] if default else _text(call, "path", "folder")
        yield Reads(absolute(path, ground.folder), names=_READING[call.tool])
    elif call.tool in _WRITING:
        yield Writes(absolute(_text(call, "path"), ground.folder))
    elif call.tool == "delete_file":
        yield Deletes(absolute(_text(call, "path"), ground.folder), deep=True)
    elif call.tool == "move_file":
        source = absolute(_text(call, "source", "from", "path"), ground.folder)
        yield Reads(source)
        yield Deletes(source, deep=True, moved=True)
        yield Writes(absolute(_text(call, "target", "to", "destination"), ground.folder))
    elif call.tool == "code_generate":
        yield from (Reads(absolute(path, ground.folder)) for path in _texts(call, "context"))
        yield from (Writes(absolute(path, ground.folder)) for path in _texts(call, "paths"))


def _texts(call: ToolCall, name: str) -> tuple[str, ...]:
    value = call.args.get(name, ())
    if not isinstance(value, list | tuple) or not all(isinstance(each, str) and each for each in value):
        raise BadArguments(name)
    return tuple(str(each) for each in value)


def git_words(call: ToolCall) -> tuple[str, ...]:
    """The git command that a git tool stands for; empty for other tools."""
    args = call.args
    if call.tool == "git_push":
        force = ("--force",) if args.get("force") is not False and args.get("force") else ()
        remote = _optional(call, "remote")
        branch = _optional(call, "branch", "ref")
        return (
            "git",
            "push",
            *force,
            *((remote or "origin",) if branch or remote else ()),
            *((branch,) if branch else ()),
        )
    if call.tool == "git_commit":
        skips = ("--no-verify",) if args.get("no_verify") else ()
        return ("git", "commit", *skips, "-m", _optional(call, "message") or "message")
    if call.tool in ("git_status", "git_diff", "git_log", "git_show"):
        words = [value for name in ("rev", "ref", "object") if (value := _optional(call, name))]
        path = _optional(call, "path")
        return ("git", call.tool.removeprefix("git_"), *words, *(("--", path) if path else ()))
    return ()


def _optional(call: ToolCall, *names: str) -> str:
    for name in names:
        value = call.args.get(name)
        if isinstance(value, str):
            return value
        if value is not None:
            raise BadArguments(name)
    return ""
