"""Tool calls other than the shell: files, git, foreign tools."""

from donewhen.guard import Guard, ToolCall
from donewhen.guard.cases import GROUND
from tests.tables import table_test

GUARD = Guard(GROUND)


@table_test(
    ("tool", "args", "action", "rule"),
    [
        ("read_file", {"path": "src/a.py"}, "allow", ""),
        ("read_file", {"path": ".env"}, "deny", "secret-read"),
        ("read_file", {"path": "./src/../.env"}, "deny", "secret-read"),
        ("file_info", {"path": ".env"}, "allow", ""),
        ("write_file", {"path": "src/a.py"}, "allow", ""),
        ("write_file", {"path": "../other/a.py"}, "deny", "write-outside"),
        ("write_file", {"path": ".git/hooks/pre-commit"}, "deny", "git-folder"),
        ("edit_file", {"path": ".donewhen/config.yml"}, "deny", "own-state"),
        ("delete_file", {"path": "."}, "deny", "delete-workspace"),
        ("delete_file", {"path": "old.txt"}, "allow", ""),
        ("move_file", {"source": ".env", "target": "x.txt"}, "deny", "secret-read"),
        ("move_file", {"source": "a", "target": "/etc/x"}, "deny", "write-outside"),
        ("list_dir", {}, "allow", ""),
        ("grep", {"pattern": "rm -rf"}, "allow", ""),
        ("git_push", {}, "allow", ""),
        ("git_push", {"force": True}, "ask", "force-push"),
        ("git_push", {"force": True, "branch": "main"}, "deny", "force-push-protected"),
        ("git_push", {"branch": "+main"}, "deny", "force-push-protected"),
        ("git_commit", {"message": "x", "no_verify": True}, "deny", "skip-hooks"),
        ("git_commit", {"message": "--no-verify"}, "allow", ""),
        ("git_show", {"rev": "HEAD:.env"}, "deny", "secret-read"),
        ("run_command", {"command": "npm test"}, "allow", ""),
        ("run_command", {"command": "rm -rf x", "cwd": "/home/dev"}, "deny", "delete-outside"),
        ("run_command", {"command": 7}, "deny", "bad-arguments"),
        ("write_file", {}, "deny", "bad-arguments"),
        ("complete", {}, "allow", ""),
    ],
)
def test_our_own_tools_are_judged_by_what_they_would_do(tool, args, action, rule):
    decision = GUARD.tool(ToolCall(tool, args))
    assert (decision.action, decision.rule) == (action, rule)


@table_test(
    ("call", "action", "rule"),
    [
        (ToolCall("deploy", dangerous=True), "ask", "dangerous-tool"),
        (ToolCall("mail", requires_permission=True), "ask", "tool-permission"),
        (ToolCall("db_drop_table", foreign=True), "ask", "tool-name"),
        (ToolCall("docs_search", {"query": "how to delete"}, foreign=True), "allow", ""),
        (ToolCall("fs", {"file_path": ".env"}, foreign=True), "deny", "secret-read"),
        (ToolCall("fs", {"file_path": "/etc/x"}, writes=True, foreign=True), "deny", "write-outside"),
        (ToolCall("term", {"command": "rm -rf ~"}, foreign=True), "deny", "delete-workspace"),
        (ToolCall("x", {"deep": [{"path": "~"}, {"path": ".env"}]}, foreign=True), "deny", "secret-read"),
    ],
)
def test_foreign_tools_are_judged_by_name_flags_and_arguments(call, action, rule):
    decision = GUARD.tool(call)
    assert (decision.action, decision.rule) == (action, rule)


def test_arguments_without_end_are_refused():
    assert GUARD.tool(ToolCall("x", {"many": ["a"] * 5000}, foreign=True)).rule == "bad-arguments"
