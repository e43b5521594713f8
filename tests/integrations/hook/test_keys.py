"""Arguments under several names, or under names that nobody knows: none of them hides what a call would do."""

from typing import Any

import pytest

from tests.integrations.hook.test_tools import _answer

OWN = "{repo}/.donewhen/config.yml"
ANSWERS = ("y\n", "No\r", "2\n", "\x03", "\x1b[A", "\n", " ", "exit\n")
CASES: dict[str, list[tuple[str, dict[str, Any], str]]] = {
    "opencode": [
        ("write", {"file_path": "ok.py", "filePath": OWN}, "own-state"),
        ("write", {"filePath": "ok.py", "FilePath": OWN}, "own-state"),
        ("multiedit", {"filePath": "ok.py", "edits": [{"filePath": OWN}]}, "own-state"),
        ("read", {"path": "a.py", "filePath": "{repo}/.env"}, "secret-read"),
        ("bash", {"command": "rm -rf x", "workdir": "{repo}", "cwd": "/usr"}, "delete-outside"),
        ("grep", {"pattern": "x", "path": "src", "filePath": "{home}/.ssh"}, "secret-read"),
        ("fs_write_anything", {"x": OWN}, "own-state"),
    ],
    "claude": [
        ("NotebookEdit", {"file_path": "a.ipynb", "notebook_path": OWN}, "own-state"),
        ("Write", {"file_path": "a.py", "path": ["b"]}, "bad-arguments"),
        (
            "Bash",
            {"command": "rm -rf ../x", "cwd": "{repo}/a/b"},
            "delete-outside",
        ),  # it has no such argument
        ("Write", {"file_path": "{repo}/.mcp.json"}, "client-settings"),
        ("Bash", {"command": "echo '{{}}' > .mcp.json"}, "client-settings"),
        ("mcp__fs__write_file", {"uri": "file://{state}/failures"}, "own-state"),
        ("mcp__fs__write_file", {"uri": "file://localhost{repo}/%2edonewhen/config.yml"}, "own-state"),
        ("mcp__fs__write_file", {"location": ".donewhen/config.yml"}, "own-state"),
        ("mcp__fs__write_file", {"PATH": OWN}, "own-state"),
        ("mcp__fs__save", {"x": "{state}/failures"}, "own-state"),
        ("mcp__fs__save", {"files": [{"name": ".claude/settings.json", "content": ""}]}, "client-settings"),
        ("mcp__fs__save", {"text": "~/.claude/settings.json"}, "client-settings"),
        ("mcp__fs__save", {"x": "/etc/hosts"}, "write-outside"),
        ("mcp__fs__read_file", {"uri": "file://{home}/.ssh/id_rsa"}, "secret-read"),
        ("mcp__fs__search_and_destroy", {"path": "/etc/hosts"}, "write-outside"),
        ("mcp__fs__read_or_overwrite", {"path": OWN}, "own-state"),
        ("mcp__fs__get_wiped", {"path": OWN}, "own-state"),
        ("mcp__fs__view_truncate", {"path": OWN}, "own-state"),
        ("mcp__fs__write__read", {"path": OWN}, "own-state"),
        ("mcp__sh__run_it", {"cmdline": "rm -rf /"}, "delete-workspace"),
        ("mcp__sh__execute", {"input": "rm -rf /"}, "delete-workspace"),
        ("mcp__sh__execute", {"line": "rm -rf /"}, "delete-workspace"),
        ("mcp__sh__execute", {"command": {"a": "rm -rf /"}}, "delete-workspace"),
        ("mcp__sh__execute", {"command": {"a": [{"b": "rm -rf /"}]}}, "delete-workspace"),
        ("mcp__sh__execute", {"command": ["rm", "-rf", "/"]}, "delete-workspace"),
        ("mcp__sh__execute", {"command": "rm", "args": ["-rf", "/"]}, "delete-workspace"),
        ("mcp__sh__execute", {"startup_command": "rm -rf /"}, "delete-workspace"),
        ("mcp__sh__execute", {"command": "rm -rf x", "cwd": "/usr"}, "delete-outside"),
    ],
    "codex": [
        ("exec_command", {"command": "ls", "cmd": "rm -rf /"}, "delete-workspace"),
        ("exec_command", {"cmd": "ls", "command": ["rm", "-rf", "/"]}, "delete-workspace"),
        ("Bash", {"command": "ls", "more": {"cmd": "rm -rf /"}}, "delete-workspace"),
        (
            "exec_command",
            {"cmd": "import shutil; shutil.rmtree('/')", "shell": "python3"},
            "delete-workspace",
        ),
        ("exec_command", {"cmd": "rm -rf /", "shell": "/bin/zsh"}, "delete-workspace"),
        ("write_stdin", {"session_id": 1, "chars": "rm -r"}, "typed-text"),
        ("write_stdin", {"session_id": 1, "chars": "f /\n"}, "typed-text"),
    ],
    "gemini": [
        ("run_shell_command", {"command": "rm a", "workdir": "{repo}", "dir_path": "{state}"}, "own-state"),
        ("run_shell_command", {"command": "rm a", "directory": "{state}", "dir_path": "src"}, "own-state"),
        ("write_file", {"file_path": "a", "absolute_path": OWN}, "own-state"),
    ],
}
ORDINARY = [
    ("claude", "mcp__web__post", {"route": "/api-of-nobody/v1/users", "body": "it's done"}),
    ("claude", "mcp__fs__write_file", {"path": "src/a.c", "content": "/* one */"}),
    ("claude", "mcp__fs__write_file", {"path": "src/a.c", "content": "/usr is a folder"}),
    ("claude", "mcp__notes__add", {"input": "don't forget: a > b"}),
    ("claude", "mcp__fs__list_directory_with_sizes", {"path": "/usr/share"}),
    ("claude", "mcp__sh__execute", {"command": ["git", "commit", "-m", "don't"]}),
    ("claude", "mcp__sh__execute", {"command": "git", "args": ["status"], "cwd": "{repo}/src"}),
    ("claude", "LSP", {"operation": "hover", "filePath": "/usr/include/stdio.h", "line": 1, "character": 1}),
    ("codex", "exec_command", {"cmd": "ls", "workdir": "{repo}", "shell": "/bin/bash", "login": True}),
    ("opencode", "filesystem_read_text_file", {"path": "/usr/share/dict/words"}),
    ("gemini", "run_shell_command", {"command": "rm -rf ../x", "dir_path": "a/b"}),
    *(("codex", "write_stdin", {"session_id": 1, "chars": chars}) for chars in ANSWERS),
]


@pytest.mark.runs
@pytest.mark.parametrize("client", CASES)
def test_every_argument_that_could_be_meant_is_judged(place, client):
    place.session(client)
    wrong = []
    for tool, args, rule in CASES[client]:
        result = _answer(place, client, tool, args)
        if (result.exit, f"rule {rule})" in result.out, '"deny"' in result.out) != (0, True, True):
            wrong.append((tool, args, rule, result))
    assert wrong == []


def test_what_only_looks_like_it_passes(place):
    for number, client in enumerate(("claude", "codex", "gemini", "opencode")):
        place.session(client, number=number)
    wrong = []
    for client, tool, args in ORDINARY:
        result = _answer(place, client, tool, args)
        if result != (0, "", ""):
            wrong.append((client, tool, args, result))
    assert wrong == []
