"""Tools of each client, judged for what they would do."""

import pytest

from tests.integrations.hook.samples import event

PATCH = "*** Begin Patch\n*** Update File: src/a.py\n@@\n-x\n+y\n{more}*** End Patch\n"
HEREDOC = "apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: {path}\n+x\n*** End Patch\nEOF\n"
ALLOWED = [
    ("codex", "Bash", {"command": HEREDOC.format(path="src/new.py")}),
    ("claude", "Write", {"file_path": "{repo}/src/a.py", "content": "x"}),
    ("claude", "Edit", {"file_path": "{repo}/src/a.py", "old_string": "a", "new_string": "b"}),
    ("claude", "MultiEdit", {"file_path": "src/a.py", "edits": []}),
    ("claude", "NotebookEdit", {"notebook_path": "{repo}/n.ipynb", "new_source": ""}),
    ("claude", "Read", {"file_path": "{repo}/.claude/settings.json"}),
    ("claude", "Write", {"file_path": "{repo}/.claude/commands/fix.md", "content": ""}),
    ("claude", "Grep", {"pattern": "rm -rf"}),
    ("claude", "Grep", {"pattern": "x", "glob": "*.{{ts,tsx}}", "path": "src"}),
    ("claude", "Glob", {"pattern": "**/*.py"}),
    ("claude", "LS", {"path": "{repo}"}),
    ("claude", "WebFetch", {"url": "https://example.org", "prompt": "x"}),
    ("claude", "Task", {"description": "x", "prompt": "rm -rf /", "subagent_type": "general-purpose"}),
    ("claude", "TodoWrite", {"todos": []}),
    ("claude", "mcp__gate__submit_evidence", {"text": "done"}),
    ("claude", "mcp__fs__read_text", {"path": "/usr/share/dict/words"}),
    ("codex", "Bash", {"command": ["bash", "-lc", "echo one > proof.txt"]}),
    ("codex", "apply_patch", {"command": PATCH.format(more="")}),
    ("codex", "update_plan", {"plan": []}),
    ("codex", "write_stdin", {"session_id": 1, "chars": ""}),
    ("gemini", "run_shell_command", {"command": "ls", "dir_path": "src"}),
    ("gemini", "write_file", {"file_path": "{repo}/a.txt", "content": "x"}),
    ("gemini", "replace", {"file_path": "{repo}/a.txt", "old_string": "a", "new_string": "b"}),
    ("gemini", "read_file", {"absolute_path": "{repo}/a.txt"}),
    ("gemini", "read_many_files", {"paths": ["src/**/*.py"]}),
    ("gemini", "list_directory", {"path": "{repo}"}),
    ("gemini", "search_file_content", {"pattern": "x", "include": "*.py"}),
    ("gemini", "web_fetch", {"prompt": "https://example.org"}),
    ("gemini", "save_memory", {"fact": "x"}),
    ("opencode", "bash", {"command": "ls", "workdir": "{repo}"}),
    ("opencode", "write", {"filePath": "{repo}/a.txt", "content": "x"}),
    ("opencode", "edit", {"filePath": "{repo}/a.txt"}),
    ("opencode", "read", {"filePath": "{repo}/a.txt"}),
    ("opencode", "patch", {"patchText": PATCH.format(more="")}),
    ("opencode", "grep", {"pattern": "x"}),
    ("opencode", "list", {}),
    ("opencode", "todowrite", {"todos": []}),
]
DENIED = [
    ("claude", "Write", {"file_path": "{repo}/.claude/settings.json"}, "client-settings"),
    ("claude", "Write", {"file_path": "{repo}/.claude/settings.local.json"}, "client-settings"),
    ("claude", "Edit", {"file_path": "{home}/.claude/settings.json"}, "client-settings"),
    ("claude", "Edit", {"file_path": "~/.claude/settings.json"}, "client-settings"),
    ("claude", "Write", {"file_path": "link/settings.json"}, "client-settings"),
    ("claude", "Bash", {"command": "echo '{{}}' > .claude/settings.json"}, "client-settings"),
    ("claude", "Bash", {"command": "cd sub && rm -rf ../.codex"}, "client-settings"),
    ("claude", "Bash", {"command": "tee .gemini/settings.json < x"}, "client-settings"),
    ("claude", "Bash", {"command": "bash -c 'cp x opencode.jsonc'"}, "client-settings"),
    ("claude", "Write", {"file_path": "{repo}/.git/config"}, "git-folder"),
    ("claude", "Write", {"file_path": "{repo}/.donewhen/config.yml"}, "own-state"),
    ("claude", "Write", {"file_path": "{state}/armed/x"}, "own-state"),
    ("claude", "Write", {"file_path": "/etc/hosts"}, "write-outside"),
    ("claude", "Read", {"file_path": "{repo}/.env"}, "secret-read"),
    ("claude", "Grep", {"pattern": ".", "path": "{home}/.ssh"}, "secret-read"),
    ("claude", "Grep", {"pattern": ".", "glob": ".env"}, "secret-read"),
    ("claude", "Write", {}, "bad-arguments"),
    ("claude", "Write", {"file_path": 7}, "bad-arguments"),
    ("claude", "Write", {"file_path": "a\0b"}, "bad-arguments"),
    ("claude", "Bash", {"command": 7}, "bad-arguments"),
    ("claude", "Bash", ["rm -rf /"], "bad-arguments"),
    ("claude", "mcp__fs__write_file", {"path": "{repo}/.claude/settings.json"}, "client-settings"),
    ("claude", "mcp__fs__move", {"from": "x", "destination": "{repo}/.codex/hooks.json"}, "client-settings"),
    ("claude", "mcp__sh__run", {"command": "rm -rf ~"}, "delete-workspace"),
    ("codex", "Bash", {"command": ["bash", "-lc", "rm -rf ~"]}, "delete-workspace"),
    ("codex", "Bash", {"command": ["rm", "-rf", "/"]}, "delete-workspace"),
    (
        "codex",
        "apply_patch",
        {"input": PATCH.format(more="*** Add File: .codex/hooks.json\n+x\n")},
        "client-settings",
    ),
    ("codex", "apply_patch", {"input": PATCH.format(more="*** Move to: ../../out.py\n")}, "write-outside"),
    ("codex", "apply_patch", {"input": PATCH.format(more="*** Delete File: /etc/hosts\n")}, "delete-outside"),
    ("codex", "apply_patch", {"input": "no patch"}, "bad-arguments"),
    ("codex", "Bash", {"command": HEREDOC.format(path=".codex/hooks.json")}, "client-settings"),
    ("codex", "Bash", {"command": ["bash", "-lc", HEREDOC.format(path="../out.py")]}, "write-outside"),
    (
        "codex",
        "Bash",
        {"command": ["apply_patch", PATCH.format(more="*** Delete File: .git/config\n")]},
        "git-folder",
    ),
    ("codex", "write_stdin", {"session_id": 1, "chars": "rm -rf ~\n"}, "delete-workspace"),
    ("gemini", "run_shell_command", {"command": "rm -rf x", "directory": "/usr"}, "delete-outside"),
    ("gemini", "write_file", {"file_path": "{home}/.gemini/settings.json"}, "client-settings"),
    ("gemini", "read_many_files", {"paths": ["src/a.py", ".env"]}, "secret-read"),
    ("opencode", "bash", {"command": "rm -rf x", "workdir": "/usr"}, "delete-outside"),
    ("opencode", "write", {"filePath": "{repo}/opencode.json"}, "client-settings"),
    ("opencode", "write", {"filePath": "{repo}/.opencode/plugin/x.js"}, "client-settings"),
    ("opencode", "edit", {"filePath": "{home}/.config/opencode/opencode.json"}, "client-settings"),
]


def _filled(place, value):
    if isinstance(value, str):
        return value.format(repo=place.repo, home=place.home, state=place.state) if "{" in value else value
    if isinstance(value, list):
        return [_filled(place, each) for each in value]
    return {name: _filled(place, each) for name, each in value.items()} if isinstance(value, dict) else value


def _answer(place, client, tool, args):
    payload = event(client, "before", place.repo, tool_name=tool, tool_input=_filled(place, args))
    return place.hook(client, payload)


def test_ordinary_work_passes(place):
    wrong = []
    for number, client in enumerate(("claude", "codex", "gemini", "opencode")):
        place.session(client, number=number)
    for client, tool, args in ALLOWED:
        result = _answer(place, client, tool, args)
        if result != (0, "", ""):
            wrong.append((client, tool, args, result))
    assert wrong == []


@pytest.mark.runs
@pytest.mark.parametrize("client", ("claude", "codex", "gemini", "opencode"))
def test_what_must_not_be_is_denied_by_the_rule_for_it(place, client):
    place.session(client)
    (place.repo / ".claude").mkdir()
    (place.repo / "link").symlink_to(place.repo / ".claude")
    wrong = []
    for _, tool, args, rule in [case for case in DENIED if case[0] == client]:
        result = _answer(place, client, tool, args)
        if (result.exit, f"rule {rule})" in result.out, '"deny"' in result.out) != (0, True, True):
            wrong.append((tool, args, rule, result))
    assert wrong == []


def test_settings_that_the_client_was_told_to_use_elsewhere_are_settings_too(place):
    elsewhere = {"CLAUDE_CONFIG_DIR": "/tmp/elsewhere-claude"}
    place.session("claude")
    payload = event(
        "claude",
        "before",
        place.repo,
        tool_name="Write",
        tool_input={"file_path": "/tmp/elsewhere-claude/settings.json"},
    )
    assert "own-state" in place.hook("claude", payload, **elsewhere).out
