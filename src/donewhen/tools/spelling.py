"""Other spellings of our tools and their arguments: those of tools that models were trained on, one table.

A call in such a spelling is the same call; guard, ledger and tool see it in ours. What has a name of its own
is never taken for something else, and tools of others keep theirs.
"""

from collections.abc import Container, Mapping
from typing import Any

from donewhen.config.fields import snake
from donewhen.core.agent import ToolRequest
from donewhen.core.codec import freeze, thaw

_PATH = "path: file_path filepath file filename file_name target_file relative_path absolute_path"
_FOLDER = "path: dir dir_path directory directory_path folder target_directory relative_workspace_path"
_EDIT = "old: old_string old_str old_text search find, new: new_string new_str new_text replace replacement"
_SPELLINGS: Mapping[str, tuple[str, str]] = {  # our tool: its other names; our arguments: their other names
    "run_command": (
        "bash shell execute_command run_shell_command run_terminal_cmd terminal exec",
        "command: cmd script input, cwd: workdir working_directory directory dir, "
        "background: run_in_background is_background, : description explanation",
    ),
    "command_status": ("bash_output get_output", "handle: id bash_id shell_id"),
    "read_file": ("read view view_file open_file cat", f"{_PATH}, start: start_line offset, end: end_line"),
    "write_file": ("write create_file write_to_file", f"{_PATH}, content: contents text file_text body"),
    "edit_file": (
        "edit multi_edit str_replace replace replace_in_file search_replace str_replace_editor",
        f"{_PATH}, edits: changes replacements, {_EDIT}, all: replace_all",
    ),
    "delete_file": ("remove_file delete", _PATH),
    "file_info": ("stat", _PATH),
    "move_file": (
        "rename_file move rename",
        "source: from src old_path, target: to dst dest destination new_path",
    ),
    "list_dir": ("ls list_directory list_files", f"{_FOLDER} {_PATH[6:]}"),
    "glob": ("find_files file_search", f"pattern: glob query glob_pattern, {_FOLDER}"),
    "grep": (
        "grep_search search_file_content ripgrep search_files",
        "pattern: query regex, glob: include include_pattern, ignore_case: case_insensitive -i, context: -C, "
        f": -n, {_FOLDER}",
    ),
    "code_search": ("codebase_search find_symbol", f"query: pattern symbol name, {_FOLDER}"),
    "todo_write": ("update_todos", "todos: items tasks"),
    "git_commit": ("", "message: msg, paths: files"),
    "ask_user": ("ask_followup_question ask", "question: text message prompt"),
    "complete": ("attempt_completion finish done submit", "summary: result message text final_answer"),
}
_TOOLS = {other: name for name, (others, _) in _SPELLINGS.items() for other in others.split()}


def _arguments(text: str) -> dict[str, str]:
    pairs = (part.partition(":") for part in text.split(", "))
    return {other: name.strip() for name, _, others in pairs for other in others.split()}


def respelled(request: ToolRequest, known: Container[str]) -> ToolRequest:
    """The call as we spell it; `known`: the tools there are."""
    tool = request.tool
    if tool not in known and _TOOLS.get(snake(tool), "") in known:
        tool = _TOOLS[snake(tool)]
    elif tool not in known and snake(tool) in known:
        tool = snake(tool)
    if tool not in _SPELLINGS or tool not in known:
        return request
    names = _arguments(_SPELLINGS[tool][1])
    args = _renamed(thaw(request.args), names)
    if tool == "read_file" and isinstance(limit := args.get("limit"), int) and "end" not in args:
        del args["limit"]
        args["end"] = max(1, args.get("start") or 1) + limit - 1
    if tool == "edit_file":
        args = _one_edit(args, names)
    return request._replace(tool=tool, args=freeze(args))


def _renamed(args: dict[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    """Each argument under our name, unless that one is given as well; "" is said to nobody."""
    renamed: dict[str, Any] = {}
    for given, value in args.items():
        small = snake(given)
        name = names.get(small, small)
        if name:
            renamed[given if name in renamed or (name != given and name in args) else name] = value
    return renamed


def _one_edit(args: dict[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    """Edits in our spelling; a lone replacement is a list of one."""
    edits = args.get("edits")
    if isinstance(edits, list):
        return {
            **args,
            "edits": [_renamed(each, names) if isinstance(each, dict) else each for each in edits],
        }
    one = {name: args[name] for name in ("old", "new", "all") if name in args}
    if edits is not None or not one:
        return args
    return {**{name: value for name, value in args.items() if name not in one}, "edits": [one]}
