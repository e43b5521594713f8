"""A client's tool call in the guard's own words.

Every client names its tools and arguments in its own way; the guard knows ours. What no table knows goes to
the guard as a foreign tool, judged by every path and command among its arguments. Nothing is decided here.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from donewhen.guard.actions import SHELL_TOOL, BadArguments, ToolCall
from donewhen.guard.marks import ANY, STAR
from donewhen.guard.programs.files.apply_patch import BEGIN, touched

Args = Mapping[str, Any]


class Act(NamedTuple):
    """One action to be judged: a call of a tool, or a program with its arguments."""

    call: ToolCall
    words: tuple[str, ...] = ()
    folder: str = ""


Reading = Callable[[Args, str], list[Act]]
_PATHS = ("file_path", "filePath", "path", "absolute_path", "notebook_path", "dir_path", "directory")
_FOLDERS = ("workdir", "cwd", "dir_path", "directory")
_BRACES = re.compile(r"\{[^{}]*\}|\[[^\]]*\]")
_WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_LOOKING = frozenset(
    "read get list search find view show fetch describe query status look count diff browse grep".split()
)
_CHANGING = frozenset(
    "write edit create delete remove move rename copy update set put add append apply save replace run exec"
    " execute patch insert mkdir touch upload install".split()
)
_RENAMED = {"filepath": "file_path", "absolute_path": "file_path", "notebook_path": "file_path"}
_RENAMED |= dict.fromkeys(
    ("destination", "dest", "new_path", "newpath", "to", "output", "output_path"), "target"
)


def acts(client: str, tool: str, args: Any, home: str) -> list[Act]:
    """All that the call would do; BadArguments when it lacks what the guard must see."""
    if not isinstance(args, Mapping):
        raise BadArguments("tool_input")
    if tool in _FREE[client]:
        return [Act(ToolCall(tool))]
    reading = _TABLES[client].get(tool)
    return reading(args, home) if reading else [_foreign(tool, args)]


# -- commands --------------------------------------------------------------------------------------


def _shell(args: Args, home: str) -> list[Act]:
    command = args.get("command", args.get("cmd"))
    folder = _text(args, home, *_FOLDERS) if any(args.get(name) for name in _FOLDERS) else ""
    if isinstance(command, list) and command and all(isinstance(word, str) for word in command):
        return [Act(ToolCall(SHELL_TOOL), tuple(command), folder)]
    if not isinstance(command, str):
        raise BadArguments("command")
    return [Act(ToolCall(SHELL_TOOL, {"command": command, "cwd": folder}))]


def _typed(args: Args, home: str) -> list[Act]:
    """Text for a program that runs already: a shell, as far as anybody knows."""
    text = args.get("chars", "")
    if not isinstance(text, str):
        raise BadArguments("chars")
    return [Act(ToolCall(SHELL_TOOL, {"command": text}))] if text.strip() else []


# -- files -----------------------------------------------------------------------------------------


def _path(kind: str, optional: bool = False) -> Reading:
    def reading(args: Args, home: str) -> list[Act]:
        if optional and not any(args.get(name) for name in _PATHS):
            return [Act(ToolCall(kind, {"path": "."}))]
        return [Act(ToolCall(kind, {"path": _text(args, home, *_PATHS)}))]

    return reading


def _search(args: Args, home: str) -> list[Act]:
    """A glob picks the files whose lines are shown, and may pick what must not be."""
    base = _text(args, home, *_PATHS) if any(args.get(name) for name in _PATHS) else "."
    globs = [args[name] for name in ("glob", "include", "include_pattern") if isinstance(args.get(name), str)]
    paths = [base, *(_joined(base, glob, home) for glob in globs if glob)]
    return [Act(ToolCall("grep", {"path": path})) for path in paths]


def _names(args: Args, home: str) -> list[Act]:
    base = _text(args, home, *_PATHS) if any(args.get(name) for name in _PATHS) else "."
    pattern = args.get("pattern", "")
    if not isinstance(pattern, str):
        raise BadArguments("pattern")
    return [Act(ToolCall("glob", {"path": path})) for path in (base, _joined(base, pattern, home))]


def _many(args: Args, home: str) -> list[Act]:
    found = [args[name] for name in ("paths", "include") if args.get(name)]
    if not found or not all(isinstance(one, list) and all(isinstance(p, str) for p in one) for one in found):
        raise BadArguments("paths")
    return [Act(ToolCall("read_file", {"path": _joined(".", path, home)})) for one in found for path in one]


def _patch(args: Args, home: str) -> list[Act]:
    texts = [value for value in args.values() if isinstance(value, str) and BEGIN in value]
    command = args.get("command")
    if isinstance(command, list):
        texts += [word for word in command if isinstance(word, str) and BEGIN in word]
    found = [touched(text) for text in texts]
    if not found or None in found:
        raise BadArguments("patch")
    written = [
        Act(ToolCall("edit_file", {"path": _at(path, home)})) for one in found if one for path in one.written
    ]
    deleted = [
        Act(ToolCall("delete_file", {"path": _at(path, home)}))
        for one in found
        if one
        for path in one.deleted
    ]
    return written + deleted


def _text(args: Args, home: str, *names: str) -> str:
    for name in names:
        value = args.get(name)
        if isinstance(value, str) and value:
            return _at(value, home)
        if value is not None and value != "":
            raise BadArguments(name)
    raise BadArguments(names[0])


def _at(path: str, home: str) -> str:
    """A client may take `~` and addresses of files for what people mean by them."""
    if "\0" in path:
        raise BadArguments("path")
    path = path.removeprefix("file://")
    return home + path[1:] if path == "~" or path.startswith("~/") else path


def _joined(base: str, glob: str, home: str) -> str:
    marked = _BRACES.sub(STAR, _at(glob, home)).replace("**/", "").replace("*", STAR).replace("?", ANY)
    return marked if marked.startswith("/") else f"{base}/{marked}"


# -- all others ------------------------------------------------------------------------------------


def _foreign(tool: str, args: Args) -> Act:
    named = {_RENAMED.get(name.lower(), name): value for name, value in args.items()}
    return Act(ToolCall(tool, {**args, **named}, writes=not _only_looks(tool), foreign=True))


def _only_looks(tool: str) -> bool:
    """By the words of its name; a tool that says nothing of itself may write."""
    words = {word.lower() for word in _WORDS.findall(tool.rpartition("__")[2])}
    return not words.isdisjoint(_LOOKING) and words.isdisjoint(_CHANGING)


_READ, _LIST = _path("read_file"), _path("list_dir", optional=True)
_WRITE, _EDIT = _path("write_file"), _path("edit_file")
_TABLES: Mapping[str, Mapping[str, Reading]] = {
    "claude": {
        **dict.fromkeys(("Bash", "Monitor"), _shell),
        **dict.fromkeys(("Edit", "MultiEdit", "NotebookEdit"), _EDIT),
        **dict.fromkeys(("Read", "NotebookRead"), _READ),
        "Write": _WRITE,
        "Grep": _search,
        "Glob": _names,
        "LS": _LIST,
    },
    "codex": {
        **dict.fromkeys(("Bash", "shell", "local_shell", "exec_command", "shell_command"), _shell),
        "apply_patch": _patch,
        "write_stdin": _typed,
        "view_image": _READ,
        "read_file": _READ,
        "list_dir": _LIST,
        "grep_files": _search,
        "Write": _WRITE,
        "Edit": _EDIT,
    },
    "gemini": {
        "run_shell_command": _shell,
        "write_file": _WRITE,
        **dict.fromkeys(("replace", "edit"), _EDIT),
        "read_file": _READ,
        "read_many_files": _many,
        "list_directory": _LIST,
        "glob": _names,
        **dict.fromkeys(("search_file_content", "grep_search"), _search),
    },
    "opencode": {
        "bash": _shell,
        "write": _WRITE,
        **dict.fromkeys(("edit", "multiedit"), _EDIT),
        "read": _READ,
        **dict.fromkeys(("patch", "apply_patch"), _patch),
        "grep": _search,
        "glob": _names,
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
