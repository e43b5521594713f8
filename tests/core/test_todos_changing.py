"""Single changes: every move of the table, dependencies, conflicts, waivers; a refusal changes nothing."""

import pytest

from donewhen.core.errors import AgentError, UserError
from donewhen.core.texts import LANGUAGES
from donewhen.core.todos import MOST_TODOS, STATUSES, TERMINAL, add, apply, change, make_optional, read_todos
from tests.tables import table_test

MOVES = {
    "pending": {"in_progress", "blocked", "failed", "canceled"},
    "in_progress": {"completed", "failed", "blocked", "canceled", "pending"},
    "blocked": {"pending", "in_progress", "failed", "canceled"},
}


def todo(name="a", **fields):
    return {"id": name, "content": f"step {name}", **fields}


def one(status="pending", **fields):
    return read_todos([todo(status=status, required=False, **fields)])


def refused(key, act, *args, **kwargs):
    with pytest.raises(AgentError) as caught:
        act(*args, **kwargs)
    assert caught.value.key == f"todos.{key}"
    assert all(caught.value.say(language) for language in LANGUAGES)
    return caught.value


@table_test("target", STATUSES)
@table_test("status", STATUSES)
def test_the_table_of_moves(status, target):
    todos = one(status)
    if target in MOVES.get(status, ()):
        moved = change(todos, "a", status=target).entries["a"]
        assert (moved.status, moved.revision) == (target, 2)
    elif target == status:
        assert change(todos, "a", status=target) is todos
    else:
        refused("terminal" if status in TERMINAL else "no_move", change, todos, "a", status=target)


def test_starting_and_completing_need_completed_dependencies():
    todos = read_todos(
        [todo(), todo("b", dependencies=["a"]), todo("c", status="in_progress", dependencies=["a"])]
    )
    assert refused("dependencies_open", change, todos, "b", status="in_progress").values["open"] == "a"
    refused("dependencies_open", change, todos, "c", status="completed")
    done = change(change(todos, "a", status="in_progress"), "a", status="completed")
    assert change(done, "b", status="in_progress").entries["b"].status == "in_progress"
    assert change(done, "c", status="completed").entries["c"].status == "completed"


def test_blocking_failing_and_leaving_need_no_dependencies():
    todos = read_todos([todo(), todo("b", dependencies=["a"])])
    assert change(todos, "b", status="blocked").entries["b"].blocked_reason == "unknown"
    assert change(todos, "b", status="failed", failure_reason="no").entries["b"].failure_reason == "no"


def test_a_blocked_todo_can_change_its_reason_and_loses_it_when_it_goes_on():
    todos = change(one(), "a", status="blocked", blocked_reason="internal_dependency")
    todos = change(todos, "a", status="blocked", blocked_reason="user_input_wait")
    assert todos.entries["a"].blocked_reason == "user_input_wait"
    assert change(todos, "a", blocked_reason="unknown").entries["a"].blocked_reason == "unknown"
    assert change(todos, "a", status="pending").entries["a"].blocked_reason is None


def test_completing_keeps_artifacts():
    todos = one("in_progress", artifacts=["a.txt"])
    done = change(todos, "a", status="completed", artifacts=["b.txt", "a.txt"])
    assert done.entries["a"].artifacts == ("a.txt", "b.txt")


def test_a_finished_todo_takes_nothing_more():
    refused("terminal", change, one("completed"), "a", artifacts=["late.txt"])
    refused("terminal", change, one("failed"), "a", failure_reason="another one")


def test_an_expected_revision_that_is_not_current_is_a_conflict_with_the_current_state():
    todos = change(one(revision=3), "a", status="in_progress", expected_revision=3)
    error = refused("conflict", change, todos, "a", status="completed", expected_revision=3)
    assert {key: error.values[key] for key in ("revision", "status", "expected")} == {
        "revision": 4,
        "status": "in_progress",
        "expected": 3,
    }
    assert change(todos, "a", status="completed", expected_revision=4).entries["a"].status == "completed"
    refused("wrong_type", change, todos, "a", status="completed", expected_revision="4")


def test_an_unknown_id_is_told_with_what_there_is():
    refused("not_found_none", change, read_todos([]), "z", status="failed")
    refused("not_found_finished", change, one("completed"), "z", status="failed")
    todos = read_todos([todo("a", status="completed"), todo("b"), todo("c", status="blocked")])
    error = refused("not_found", change, todos, "z", status="failed")
    assert (error.values["active"], "todo_not_found" in str(error)) == ("b, c", True)


def test_a_long_list_of_active_ids_is_cut():
    error = refused("not_found", change, read_todos([todo(f"t{n}") for n in range(30)]), "z", status="failed")
    assert error.values["active"].endswith("t19, …")


@table_test(
    ("others", "allowed"),
    [
        ([], False),
        ([todo("b")], False),
        ([todo("b", supersedes=["a"])], True),
        ([todo("b", supersedes=["a"], status="completed")], True),
        ([todo("b", supersedes=["a"], required=False)], False),
        ([todo("b", supersedes=["a"], status="canceled"), todo("c", supersedes=["b"])], False),
        (
            [todo("b", supersedes=["a"], status="canceled"), todo("c", supersedes=["b"], status="completed")],
            False,
        ),
    ],
)
def test_a_required_todo_is_canceled_only_when_a_required_one_stands_in(others, allowed):
    todos = read_todos([todo(), *others])
    if allowed:
        assert change(todos, "a", status="canceled").entries["a"].status == "canceled"
    else:
        refused("not_replaced", change, todos, "a", status="canceled")


def test_an_heir_can_be_canceled_only_for_another_who_inherits():
    todos = read_todos([todo(status="canceled"), todo("b", supersedes=["a"]), todo("c", supersedes=["b"])])
    after = change(todos, "b", status="canceled")
    assert after.entries["c"].supersedes == ("b", "a")
    assert after.entries["c"].revision == 2
    refused("not_replaced", change, after, "c", status="canceled")


def test_canceling_must_not_let_an_heir_wait_for_itself():
    todos = read_todos([todo(), todo("b", supersedes=["a"], dependencies=["a"])])
    refused("cycle", change, todos, "a", status="canceled")


@table_test(
    ("data", "key"),
    [
        ("a", "not_object"),
        ({"status": "failed"}, "missing"),
        ({"id": 5, "status": "failed"}, "wrong_type"),
        ({"id": "a", "status": "done"}, "not_one_of"),
        ({"id": "a", "status": "blocked", "blocked_reason": "lunch"}, "not_one_of"),
        ({"id": "a", "artifacts": "x"}, "wrong_type"),
        ({"id": "a", "required": False}, "not_yours"),
        ({"id": "a", "status": "canceled", "required": False}, "not_yours"),
        ({"id": "a", "status": "in_progress", "content": "less"}, "not_yours"),
        ({"id": "a", "force": True}, "unknown_field"),
        ({"id": "a", "status": "in_progress", "expected_revision": 9}, "conflict"),
        ({"id": "z", "status": "failed"}, "not_found"),
    ],
)
def test_a_wrong_change_by_the_agent_is_told(data, key):
    refused(key, apply, read_todos([todo()]), data)


def test_a_change_may_repeat_what_is_so():
    todos = read_todos([todo()])
    after = apply(
        todos, {"id": "a", "content": "step a", "required": True, "status": "in_progress", "owner": None}
    )
    assert after.entries["a"].status == "in_progress"
    assert apply(todos, {"id": "a"}) is todos


def test_an_added_todo_starts_open_and_obeys_the_set_rules():
    todos = read_todos([todo()])
    after = add(todos, todo("b", dependencies=["a"], retry_count=3, revision=9))
    assert (after.entries["b"].status, after.entries["b"].retry_count, after.revision) == ("pending", 0, 2)
    assert add(todos, todo("b", status="in_progress")).entries["b"].status == "in_progress"
    assert (
        add(todos, todo("b", status="blocked", blocked_reason="user_input_wait")).entries["b"].status
        == "blocked"
    )
    refused("no_move", add, todos, todo("b", status="completed"))
    refused("dependencies_open", add, todos, todo("b", status="in_progress", dependencies=["a"]))
    refused("duplicate", add, todos, todo())
    refused("unknown_id", add, todos, todo("b", dependencies=["z"]))


def test_only_a_human_makes_a_todo_optional():
    todos = read_todos([todo(status="failed")])
    refused("not_yours", make_optional, todos, "a", by_human=False)
    assert make_optional(todos, "a", by_human=True).entries["a"].required is False
    with pytest.raises(UserError):
        make_optional(todos, "z", by_human=True)


def test_a_waived_todo_may_be_canceled_and_frees_what_it_alone_stood_in_for():
    todos = read_todos([todo(status="canceled"), todo("b", supersedes=["a"])])
    waived = make_optional(todos, "b", by_human=True)
    assert [t.required for t in waived.entries.values()] == [False, False]
    assert change(waived, "b", status="canceled").entries["b"].status == "canceled"


def test_a_waiver_leaves_what_another_stands_in_for():
    todos = read_todos([todo(status="canceled"), todo("b", supersedes=["a"]), todo("c", supersedes=["a"])])
    assert make_optional(todos, "b", by_human=True).entries["a"].required is True


def test_a_full_list_takes_no_more():
    full = read_todos([todo(f"t{n}") for n in range(MOST_TODOS)])
    refused("too_many", add, full, todo())
    with pytest.raises(UserError):
        read_todos([todo()], before=full)
