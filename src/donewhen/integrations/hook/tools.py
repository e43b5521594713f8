"""A client's tool call in the guard's own words.

Every client names its tools and arguments in its own way; the guard knows ours. What no table knows goes to
the guard as a foreign tool, judged by every path and command among its arguments. Nothing is decided here.
"""

import re
from collections.abc import Mapping
from typing import Any

from donewhen.guard.actions import BadArguments, ToolCall
from donewhen.integrations.hook.reading import Act, Reading, many, names, patch, path, search, shell, typed

_WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_PLAIN = re.compile(r"[\w.:-]+", re.ASCII)
_LOOKING = frozenset(
    "read get list search find view show fetch describe query status look count diff browse grep".split()
)
# With these beside it a looking word still only looks; any other word may be a deed.
_THINGS = frozenset(
    "a all allowed and at by code content contents context definition definitions dir directories directory"
    " diagnostics doc docs document documents file files folder folders for from history id image images in"
    " info information issue issues line lines log logs many media metadata multiple name names of page pages"
    " path paths pattern patterns range references resource resources size sizes stat stats symbol symbols"
    " text the tree with".split()
)
_CHANGING = frozenset(
    "write edit create delete remove move rename copy update set put add append apply save replace run exec"
    " execute patch insert mkdir touch upload install overwrite destroy wipe truncate erase clear purge drop"
    " reset kill clean modify change store make download export import sync".split()
)


def acts(client: str, tool: str, args: Any, home: str) -> list[Act]:
    """All that the call would do; BadArguments when it lacks what the guard must see."""
    if not isinstance(args, Mapping):
        raise BadArguments("tool_input")
    if tool in _FREE[client]:
        return [Act(ToolCall(tool))]
    reading = _TABLES[client].get(tool)
    return reading(args, home) if reading else [_foreign(tool, args)]


def _foreign(tool: str, args: Mapping[str, Any]) -> Act:
    return Act(ToolCall(tool, args, writes=not _only_looks(tool), foreign=True))


def _only_looks(tool: str) -> bool:
    """By the words of its name, all of them; a tool that says nothing of itself may write."""
    if not _PLAIN.fullmatch(tool):
        return False
    server, named = "", tool
    if tool.startswith("mcp__") and tool.count("__") > 1:
        named = tool.split("__", 2)[2]
    words = [word.lower() for word in _WORDS.findall(named)]
    at = next((at for at, word in enumerate(words) if word in _LOOKING), None)
    if at is None:
        return False
    if named == tool:  # some clients put the server's name in front, and nothing tells where it ends
        server, words = " ".join(words[:at]), words[at:]
    return _CHANGING.isdisjoint(server.split()) and _LOOKING.union(_THINGS).issuperset(words)


_READ, _LIST = path("read_file"), path("list_dir", optional=True)
_WRITE, _EDIT = path("write_file"), path("edit_file")
_TABLES: Mapping[str, Mapping[str, Reading]] = {
    "claude": {
        **dict.fromkeys(("Bash", "Monitor"), shell()),
        **dict.fromkeys(("Edit", "MultiEdit", "NotebookEdit"), _EDIT),
        **dict.fromkeys(("Read", "NotebookRead"), _READ),
        "Write": _WRITE,
        "Grep": search,
        "Glob": names,
        "LS": _LIST,
        "LSP": _READ,
    },
    "codex": {
        **dict.fromkeys(("Bash", "shell", "local_shell", "exec_command", "shell_command"), shell("workdir")),
        "apply_patch": patch,
        "write_stdin": typed,
        "view_image": _READ,
        "read_file": _READ,
        "list_dir": _LIST,
        "grep_files": search,
        "Write": _WRITE,
        "Edit": _EDIT,
    },
    "gemini": {
        "run_shell_command": shell("dirpath"),
        "write_file": _WRITE,
        **dict.fromkeys(("replace", "edit"), _EDIT),
        "read_file": _READ,
        "read_many_files": many,
        "list_directory": _LIST,
        "glob": names,
        **dict.fromkeys(("search_file_content", "grep_search"), search),
    },
    "opencode": {
        "bash": shell("workdir"),
        "write": _WRITE,
        **dict.fromkeys(("edit", "multiedit"), _EDIT),
        **dict.fromkeys(("read", "lsp"), _READ),
        **dict.fromkeys(("patch", "apply_patch"), patch),
        "grep": search,
        "glob": names,
        "list": _LIST,
    },
}
_CLAUDE_FREE = """
Task Agent TodoWrite TodoRead WebFetch WebSearch ExitPlanMode EnterPlanMode AskUserQuestion BashOutput
KillShell KillBash TaskOutput TaskStop TaskCreate TaskUpdate TaskList TaskGet Skill SlashCommand ToolSearch
SendMessage ListMcpResourcesTool ReadMcpResourceTool StructuredOutput
"""
_CODEX_FREE = """
update_plan web_search request_user_input spawn_agent send_input wait wait_agent close_agent
list_mcp_resources list_mcp_resource_templates read_mcp_resource tool_search
"""
_GEMINI_FREE = "web_fetch google_web_search save_memory write_todos ask_user enter_plan_mode exit_plan_mode"
_OPENCODE_FREE = """
webfetch websearch codesearch task todowrite todoread skill question invalid plan_exit plan_enter
"""
_FREE: Mapping[str, frozenset[str]] = {
    "claude": frozenset(_CLAUDE_FREE.split()),
    "codex": frozenset(_CODEX_FREE.split()),
    "gemini": frozenset(_GEMINI_FREE.split()),
    "opencode": frozenset(_OPENCODE_FREE.split()),
}
