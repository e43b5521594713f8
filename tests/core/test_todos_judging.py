"""What todos mean for the gate."""

from donewhen.core.todos import (
    NO_TODOS,
    Missing,
    Todo,
    TodoList,
    TodoVerdict,
    content_problems,
    inherited,
    judge,
    read_todos,
)
from tests.tables import table_test


def nothing(path):
    """A workspace without files."""


def todo(name="a", **fields):
    return {"id": name, "content": f"step {name}", **fields}


def verdict(*todos, tree=None):
    return judge(read_todos(list(todos)), (tree or {}).get)


@table_test(
    ("status", "expected"),
    [
        ("pending", TodoVerdict(open=("a",))),
        ("in_progress", TodoVerdict(open=("a",))),
        ("blocked", TodoVerdict(open=("a",))),
        ("completed", TodoVerdict()),
        ("failed", TodoVerdict(failed=("a",))),
    ],
)
def test_a_required_todo_counts_by_its_status(status, expected):
    assert verdict(todo(status=status)) == expected


@table_test("status", ["pending", "in_progress", "blocked", "completed", "failed", "canceled"])
def test_an_optional_todo_never_counts(status):
    assert verdict(todo(status=status, required=False)) == TodoVerdict()


def test_a_replaced_todo_is_judged_by_its_heir():
    assert verdict(todo(status="canceled"), todo("b", supersedes=["a"])) == TodoVerdict(open=("b",))
    assert verdict(todo(status="canceled"), todo("b", supersedes=["a"], status="completed")) == TodoVerdict()


def test_a_superseded_todo_that_is_not_canceled_is_still_open():
    assert verdict(todo(), todo("b", supersedes=["a"], status="completed")).open == ("a",)


def test_a_list_that_breaks_the_rules_does_not_pass():
    assert judge(TodoList({"a": Todo("a", "x", "canceled")}), nothing).open == ("a",)


@table_test(
    ("reasons", "waiting"),
    [
        (["permission_wait"], True),
        (["user_input_wait", "external_resource_wait"], True),
        (["permission_wait", "internal_dependency"], False),
        (["unknown"], False),
        ([], False),
    ],
)
def test_waiting_means_that_all_that_is_open_waits_for_someone_outside(reasons, waiting):
    todos = [todo(f"t{n}", status="blocked", blocked_reason=r) for n, r in enumerate(reasons)]
    assert verdict(*todos, todo("done", status="completed")).waiting is waiting


def test_an_open_optional_todo_does_not_matter_for_waiting():
    blocked = todo(status="blocked", blocked_reason="permission_wait")
    assert verdict(blocked, todo("b", required=False)).waiting is True
    assert verdict(blocked, todo("b")).waiting is False


CHECKED = todo(
    status="completed", content_checks=[{"artifact": "README.md", "contains": ["Install", "Usage"]}]
)


@table_test(
    ("tree", "missing"),
    [
        ({"README.md": "Install, Usage"}, ()),
        ({"README.md": "Install"}, (Missing("a", "README.md", "Usage"),)),
        (
            {"README.md": "install usage"},
            (Missing("a", "README.md", "Install"), Missing("a", "README.md", "Usage")),
        ),
        ({}, (Missing("a", "README.md"),)),
    ],
)
def test_a_completed_todo_without_its_content_is_open(tree, missing):
    expected = TodoVerdict(open=("a",), missing=missing) if missing else TodoVerdict()
    assert verdict(CHECKED, tree=tree) == expected
    assert content_problems(read_todos([CHECKED]).entries["a"], tree.get) == missing


def test_missing_content_is_not_waiting():
    blocked = todo("b", status="blocked", blocked_reason="permission_wait")
    assert verdict(CHECKED, blocked).waiting is False


def test_a_content_check_without_texts_asks_for_the_file():
    checked = todo(status="completed", content_checks=[{"artifact": "out.bin"}])
    assert verdict(checked, tree={"out.bin": ""}) == TodoVerdict()
    assert verdict(checked).open == ("a",)


def test_an_approved_plan_is_taken_over_and_a_completed_one_is_not():
    earlier = read_todos([todo()])
    assert inherited(earlier, "approved") is earlier
    assert inherited(earlier, "completed") is NO_TODOS
