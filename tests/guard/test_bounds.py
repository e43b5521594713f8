"""What a run adds: scope, kept files, the floor of its budget."""

from donewhen.guard import Bounds, Guard, ToolCall
from donewhen.guard.cases import GROUND


def _guard(**bounds):
    return Guard(GROUND, Bounds(**bounds))


def test_writes_outside_the_scope_are_denied_and_inside_allowed():
    guard = _guard(allowed_scope=("src",), disallowed_scope=("src/vendor",))
    assert guard.command("touch src/a.py").action == "allow"
    assert guard.command("touch docs/a.md").rule == "scope"
    assert guard.command("rm src/vendor/x.js").rule == "scope"
    assert guard.tool(ToolCall("write_file", {"path": "docs/a.md"})).rule == "scope"
    assert guard.tool(ToolCall("edit_file", {"path": "src/../docs/a.md"})).rule == "scope"
    assert guard.tool(ToolCall("read_file", {"path": "docs/a.md"})).action == "allow"


def test_a_scope_denial_may_be_lifted_by_a_human_a_wiped_home_never():
    assert _guard(allowed_scope=("src",)).command("touch x").approval == "user"
    assert _guard().command("rm -rf ~").approval == "never"


def test_files_that_the_promise_is_checked_with_are_kept():
    guard = _guard(kept=("tests/acceptance/**",))
    assert guard.command("rm tests/acceptance/login.py").rule == "kept-file"
    assert guard.tool(ToolCall("edit_file", {"path": "tests/acceptance/login.py"})).rule == "kept-file"
    assert guard.command("touch tests/unit/new.py").action == "allow"


def test_below_the_floor_nothing_starts_but_the_end():
    guard = _guard(budget_left=90_000, budget_floor=100_000)
    assert guard.tool(ToolCall("run_command", {"command": "npm test"})).rule == "budget-floor"
    assert guard.tool(ToolCall("complete")).action == "allow"
    assert (
        _guard(budget_left=100_000, budget_floor=100_000)
        .tool(ToolCall("run_command", {"command": "npm test"}))
        .action
        == "allow"
    )
