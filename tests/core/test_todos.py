"""Todos from data: what is read, what is refused and how that is said."""

import pytest

from donewhen.core.errors import UserError
from donewhen.core.texts import LANGUAGES
from donewhen.core.todos import (
    MOST_TODOS,
    NO_TODOS,
    ContentCheck,
    Todo,
    TodoList,
    read_todos,
    ready,
    to_data,
    unmet,
    written,
)
from tests.tables import table_test


def todo(name="a", **fields):
    return {"id": name, "content": f"step {name}", **fields}


def ids(todos):
    return [t.id for t in todos]


FULL = todo(
    status="blocked",
    required=False,
    dependencies=["b"],
    priority=3,
    executor="subagent",
    owner="w-1",
    paths=["src/**"],
    acceptance=["it answers"],
    artifacts=["out.txt"],
    supersedes=["b"],
    content_checks=[{"artifact": "README.md", "contains": ["Install"]}],
    blocked_reason="permission_wait",
    retry_count=1,
    retry_limit=2,
    next_retry_at="2030-01-01T00:00:00Z",
    revision=7,
)


def test_only_id_and_content_are_needed():
    assert read_todos([todo()]) == TodoList({"a": Todo("a", "step a")})
    assert read_todos([]) == NO_TODOS


def test_every_field_is_read_and_written_back():
    todos = read_todos([FULL, todo("b")])
    a = todos.entries["a"]
    assert a.content_checks == (ContentCheck("README.md", ("Install",)),)
    assert to_data(a) == FULL
    assert read_todos([to_data(t) for t in todos.entries.values()]) == todos


def test_null_means_absent_and_ids_are_trimmed():
    assert read_todos([todo(" a ", owner=None, content="x")]) == TodoList({"a": Todo("a", "x")})


@table_test(("said", "number"), [("low", -1), ("medium", 0), ("high", 1), (-4, -4)])
def test_priority_is_a_number_or_a_word(said, number):
    assert read_todos([todo(priority=said)]).entries["a"].priority == number


def test_acceptance_may_be_one_text():
    assert read_todos([todo(acceptance="it works")]).entries["a"].acceptance == ("it works",)


def test_a_reason_stays_only_with_its_status():
    todos = read_todos(
        [
            todo(status="pending", blocked_reason="permission_wait", failure_reason="no"),
            todo("b", status="blocked"),
            todo("c", status="failed", failure_reason="no disk"),
        ]
    ).entries
    assert (todos["a"].blocked_reason, todos["a"].failure_reason) == (None, "")
    assert todos["b"].blocked_reason == "unknown"
    assert todos["c"].failure_reason == "no disk"


def test_a_status_may_run_ahead_of_dependencies_in_what_the_user_gives():
    todos = read_todos([todo(), todo("b", status="in_progress", dependencies=["a"])])
    assert unmet(todos, todos.entries["b"]) == ("a",)


@table_test(
    ("data", "key", "place"),
    [
        ({"a": 1}, "not_list", "todos"),
        ("a", "not_list", "todos"),
        (None, "not_list", "todos"),
        (["a"], "not_object", "todos[1]"),
        ([todo(), {"content": "x"}], "missing", "todos[2]"),
        ([{"id": "a"}], "missing", "todos: a"),
        ([todo(" ")], "wrong_type", "todos[1].id"),
        ([todo(7)], "wrong_type", "todos[1].id"),
        ([todo(content="  ")], "wrong_type", "todos[1].content"),
        ([todo(status="done")], "not_one_of", "todos[1].status"),
        ([todo(status="cancelled")], "not_one_of", "todos[1].status"),
        ([todo(status=["pending"])], "not_one_of", "todos[1].status"),
        ([todo(required="false")], "wrong_type", "todos[1].required"),
        ([todo(required=0)], "wrong_type", "todos[1].required"),
        ([todo(dependencies="b")], "wrong_type", "todos[1].dependencies"),
        ([todo(dependencies=[1])], "wrong_type", "todos[1].dependencies[1]"),
        ([todo(blocked_reason="tired", status="blocked")], "not_one_of", "todos[1].blocked_reason"),
        ([todo(executor="human")], "not_one_of", "todos[1].executor"),
        ([todo(priority=True)], "wrong_type", "todos[1].priority"),
        ([todo(priority="urgent")], "wrong_type", "todos[1].priority"),
        ([todo(retry_count=-1)], "wrong_type", "todos[1].retry_count"),
        ([todo(retry_limit=1.5)], "wrong_type", "todos[1].retry_limit"),
        ([todo(next_retry_at=5)], "wrong_type", "todos[1].next_retry_at"),
        ([todo(revision=True)], "wrong_type", "todos[1].revision"),
        ([todo(requird=False)], "unknown_field", "todos[1]"),
        ([todo(content_checks={"artifact": "x"})], "wrong_type", "todos[1].content_checks"),
        ([todo(content_checks=["x"])], "not_object", "todos[1].content_checks[1]"),
        ([todo(content_checks=[{"contains": ["x"]}])], "missing", "todos[1].content_checks[1]"),
        (
            [todo(content_checks=[{"artifact": "a", "contains": "x"}])],
            "wrong_type",
            "todos[1].content_checks[1].contains",
        ),
        (
            [todo(content_checks=[{"artifact": "a", "regex": "x"}])],
            "unknown_field",
            "todos[1].content_checks[1]",
        ),
        ([todo(content_checks=[{"artifact": "../x"}])], "outside", "todos[1].content_checks[1].artifact"),
        ([todo(content_checks=[{"artifact": "/etc/x"}])], "outside", "todos[1].content_checks[1].artifact"),
        (
            [todo(content_checks=[{"artifact": "a/../../x"}])],
            "outside",
            "todos[1].content_checks[1].artifact",
        ),
        ([todo(), todo()], "duplicate", "todos[2]"),
        ([todo(dependencies=["a"])], "itself", "todos"),
        ([todo(supersedes=["a"])], "itself", "todos"),
        ([todo(dependencies=["b"])], "unknown_id", "todos"),
        ([todo(supersedes=["b"])], "unknown_id", "todos"),
        ([todo(dependencies=["b"]), todo("b", dependencies=["a"])], "cycle", "todos"),
        ([todo(supersedes=["b"]), todo("b", supersedes=["a"])], "cycle", "todos"),
        ([todo(status="canceled")], "not_replaced", "todos"),
        ([todo(status="canceled"), todo("b", supersedes=["a"], required=False)], "not_replaced", "todos"),
        (
            [todo(status="canceled"), todo("b", supersedes=["a"], required=False, status="canceled")],
            "not_replaced",
            "todos",
        ),
        (
            [todo(status="canceled"), todo("b", supersedes=["a"], dependencies=["a"])],
            "cycle",
            "todos",
        ),
        ([todo(f"t{n}") for n in range(MOST_TODOS + 1)], "too_many", "todos"),
    ],
)
def test_what_the_user_gives_wrong_is_an_error_that_names_the_entry(data, key, place):
    with pytest.raises(UserError) as caught:
        read_todos(data)
    assert (caught.value.key, caught.value.values["place"]) == (f"todos.{key}", place)
    assert all(place in caught.value.say(language) for language in LANGUAGES)


def test_hostile_values_are_shown_short_and_in_one_line():
    with pytest.raises(UserError) as caught:
        read_todos([todo(status="x\n" * 10_000)])
    assert len(str(caught.value)) < 300
    assert "\n" not in str(caught.value)


def test_a_long_chain_of_dependencies_is_fine_and_a_long_circle_is_not():
    chain = [todo(f"t{n}", dependencies=[f"t{n - 1}"] if n else []) for n in range(MOST_TODOS)]
    assert len(read_todos(chain).entries) == MOST_TODOS
    chain[0]["dependencies"] = [f"t{MOST_TODOS - 1}"]
    with pytest.raises(UserError, match="run in a circle"):
        read_todos(chain)


def test_a_required_todo_may_be_canceled_when_a_required_one_supersedes_it():
    todos = read_todos([todo(status="canceled"), todo("b", supersedes=["a"])])
    assert todos.entries["a"].status == "canceled"


def test_an_heir_inherits_what_a_canceled_todo_had_superseded():
    chain = [
        todo("d", supersedes=["c"]),
        todo("c", status="canceled", supersedes=["a"]),
        todo(status="canceled"),
    ]
    assert read_todos(chain).entries["d"].supersedes == ("c", "a")


def test_todos_of_before_stay_and_can_be_depended_on():
    before = read_todos([todo(), todo("b")])
    todos = read_todos([todo("b", status="completed"), todo("c", dependencies=["a"])], before=before)
    assert ids(todos.entries.values()) == ["a", "b", "c"]
    assert todos.entries["b"].status == "completed"


def test_paths_of_content_checks_are_spelled_as_the_tree_spells_them():
    (check,) = read_todos([todo(content_checks=[{"artifact": "./docs//a.md"}])]).entries["a"].content_checks
    assert check == ContentCheck("docs/a.md")


def test_ready_are_pending_todos_with_completed_dependencies_by_priority():
    todos = read_todos(
        [
            todo("a", status="completed"),
            todo("b", dependencies=["a"]),
            todo("c", priority="high"),
            todo("d", dependencies=["b"], priority=9),
            todo("e", status="in_progress", priority=9),
            todo("f"),
        ]
    )
    assert ids(ready(todos)) == ["c", "b", "f"]


def test_who_depends_on_a_replaced_todo_waits_for_its_heirs():
    def with_heir(status):
        return read_todos(
            [
                todo(status="canceled"),
                todo("b", dependencies=["a"]),
                todo("c", supersedes=["a"], status=status),
            ]
        )

    assert ids(ready(with_heir("in_progress"))) == []
    assert ids(ready(with_heir("completed"))) == ["b"]


def test_a_canceled_dependency_without_heir_is_not_completed():
    todos = read_todos([todo(status="canceled", required=False), todo("b", dependencies=["a"])])
    assert ready(todos) == ()


def test_written_are_the_todos_that_differ():
    before = read_todos([todo(), todo("b")])
    after = read_todos([todo("b", status="blocked"), todo("c")], before=before)
    assert ids(written(before, after)) == ["b", "c"]
