"""Revisions of the plan by the agent: additions and tightenings count, drops and softenings do not."""

import pytest

from donewhen.core.errors import AgentError
from donewhen.core.texts import LANGUAGES, say
from donewhen.core.todos import (
    MOST_TODOS,
    ContentCheck,
    Replan,
    change,
    judge,
    make_optional,
    read_todos,
    replan,
)
from tests.tables import table_test


def nothing(path):
    """A workspace without files."""


def todo(name="a", **fields):
    return {"id": name, "content": f"step {name}", **fields}


def statuses(todos):
    return {name: t.status for name, t in todos.entries.items()}


def parts(result):
    for refusal in result.refusals:
        assert all(say(refusal.why.key, language, **refusal.why.values) for language in LANGUAGES)
    return {(refusal.id, refusal.part) for refusal in result.refusals}


def test_no_word_about_todos_leaves_them_alone():
    todos = read_todos([todo()])
    assert replan(todos, None) == Replan(todos)
    assert replan(todos, [{"id": "a"}]) == Replan(todos)


def test_dropped_required_todos_are_replaced_by_all_new_required_ones():
    todos = read_todos([todo(), todo("b", status="in_progress"), todo("k", status="completed")])
    after, refusals = replan(todos, [todo("c"), todo("d"), todo("e", required=False)])
    assert statuses(after) == {
        "a": "canceled",
        "b": "canceled",
        "k": "completed",
        "c": "pending",
        "d": "pending",
        "e": "pending",
    }
    assert [after.entries[n].supersedes for n in "cde"] == [("a", "b"), ("a", "b"), ()]
    assert refusals == ()


def test_the_users_todos_stay_whatever_a_revision_says():
    todos = read_todos([todo(by="user"), todo("o", by="user", required=False), todo("m")])
    plan = [todo("c", supersedes=["a"], by="user"), {"id": "o", "by": "agent"}]
    after, refusals = replan(todos, plan)
    assert statuses(after) == {"a": "pending", "o": "pending", "m": "canceled", "c": "pending"}
    assert [after.entries[name].by for name in "aoc"] == ["user", "user", "agent"]
    assert {(each.id, each.part) for each in refusals} == {("o", "by"), ("a", "drop")}
    with pytest.raises(AgentError, match="user's spec"):
        change(after, "a", status="canceled")
    waived = make_optional(after, "a", by_human=True)
    assert change(waived, "a", status="canceled").entries["a"].status == "canceled"


def test_who_says_what_it_replaces_replaces_only_that():
    todos = read_todos([todo(), todo("b")])
    after = replan(todos, [todo("c", supersedes=["a"]), todo("d")]).todos
    assert after.entries["c"].supersedes == ("a", "b")
    assert after.entries["d"].supersedes == ("b",)


def test_a_todo_that_stays_may_take_over_one_that_goes():
    todos = read_todos([todo(), todo("b")])
    after, refusals = replan(todos, [{"id": "b", "supersedes": ["a"]}])
    assert (statuses(after), refusals) == ({"a": "canceled", "b": "pending"}, ())


def test_a_finished_todo_takes_nothing_over():
    todos = read_todos([todo(), todo("b", status="completed")])
    result = replan(todos, [{"id": "b", "supersedes": ["a"]}])
    assert (result.todos, parts(result)) == (todos, {("a", "drop"), ("b", "supersedes")})


@table_test("given", [[], [todo("b", status="completed")], [todo("c", required=False)]])
def test_nothing_required_and_new_means_that_required_todos_stay(given):
    todos = read_todos([todo(), todo("b", status="completed")])
    result = replan(todos, given)
    assert (result.todos.entries["a"].status, parts(result)) == ("pending", {("a", "drop")})


def test_a_failed_required_todo_stays_judged_when_dropped():
    todos = read_todos([todo(status="failed")])
    after = replan(todos, [todo("b", supersedes=["a"])]).todos
    assert judge(after, nothing).failed == ("a",)


def test_an_heir_inherits_through_generations():
    todos = read_todos([todo()])
    for name in "bcd":
        todos = replan(todos, [todo(name)]).todos
    assert statuses(todos) == {"a": "canceled", "b": "canceled", "c": "canceled", "d": "pending"}
    assert set(todos.entries["d"].supersedes) == {"a", "b", "c"}
    assert judge(todos, nothing).open == ("d",)


@table_test(
    ("claimed", "status", "refused"),
    [
        ("pending", "pending", set()),
        ("in_progress", "in_progress", set()),
        ("blocked", "blocked", set()),
        ("completed", "pending", {("b", "status")}),
        ("failed", "pending", {("b", "status")}),
        ("canceled", "pending", {("b", "status")}),
    ],
)
def test_a_new_todo_may_be_begun_but_not_finished(claimed, status, refused):
    result = replan(read_todos([todo(status="completed")]), [{"id": "a"}, todo("b", status=claimed)])
    assert (result.todos.entries["b"].status, parts(result)) == (status, refused)


def test_a_new_todo_is_not_begun_before_its_dependencies():
    result = replan(read_todos([todo()]), [{"id": "a"}, todo("b", status="in_progress", dependencies=["a"])])
    assert (statuses(result.todos), parts(result)) == ({"a": "pending", "b": "pending"}, {("b", "status")})


OLD = {
    "status": "in_progress",
    "dependencies": ["d"],
    "acceptance": ["fast"],
    "artifacts": ["a.txt"],
    "paths": ["src/**", "docs/**"],
    "content_checks": [{"artifact": "README.md", "contains": ["Install", "Usage"]}],
}


@table_test(
    "softer",
    [
        {"required": False},
        {"status": "completed"},
        {"status": "canceled"},
        {"status": "pending"},
        {"content": "something easier"},
        {"dependencies": []},
        {"acceptance": []},
        {"artifacts": ["b.txt"]},
        {"paths": []},
        {"paths": ["**"]},
        {"content_checks": []},
        {"content_checks": [{"artifact": "README.md", "contains": ["Install"]}]},
        {"content_checks": [{"artifact": "README.md"}]},
        {"retry_count": 5},
        {"retry_limit": 5},
        {"revision": 5},
        {"blocked_reason": "permission_wait"},
        {"failure_reason": "because"},
    ],
)
def test_a_softening_is_refused(softer):
    todos = read_todos([todo(**OLD), todo("d", status="completed")])
    result = replan(todos, [{"id": "a", **softer}, {"id": "d"}])
    (field,) = softer
    assert parts(result) == {("a", field)}
    before, after = todos.entries["a"], result.todos.entries["a"]
    assert after._replace(artifacts=(), revision=1) == before._replace(artifacts=())


@table_test(
    ("stricter", "expected"),
    [
        ({"dependencies": ["d", "e"]}, ("d", "e")),
        ({"acceptance": ["fast", "small"]}, ("fast", "small")),
        ({"paths": ["docs/**"]}, ("docs/**",)),
        ({"priority": 4}, 4),
        ({"executor": "subagent"}, "subagent"),
        ({"owner": "w"}, "w"),
        ({"supersedes": ["e"]}, ("e",)),
        (
            {
                "content_checks": [
                    {"artifact": "README.md", "contains": ["Usage", "Install"]},
                    {"artifact": "b.md"},
                ]
            },
            (ContentCheck("README.md", ("Install", "Usage")), ContentCheck("b.md")),
        ),
    ],
)
def test_a_tightening_counts(stricter, expected):
    todos = read_todos([todo(**OLD), todo("d", status="completed"), todo("e")])
    result = replan(todos, [{"id": "a", **stricter}, {"id": "d"}, {"id": "e"}])
    (field,) = stricter
    assert parts(result) == set()
    after = result.todos.entries["a"]
    assert (getattr(after, field), after.revision) == (expected, 2)


def test_optional_becomes_required_but_not_back():
    todos = read_todos([todo(required=False)])
    stricter = replan(todos, [{"id": "a", "required": True}]).todos
    assert judge(stricter, nothing).open == ("a",)
    assert parts(replan(stricter, [{"id": "a", "required": False}])) == {("a", "required")}


def test_a_canceled_todo_can_not_be_made_required():
    todos = read_todos([todo(required=False, status="canceled")])
    result = replan(todos, [{"id": "a", "required": True}])
    assert (result.todos, parts(result)) == (todos, {("a", "required")})


def test_an_optional_todo_may_be_reworded_and_dropped():
    todos = read_todos([todo(required=False)])
    assert replan(todos, [{"id": "a", "content": "other"}]).todos.entries["a"].content == "other"
    assert statuses(replan(todos, []).todos) == {"a": "canceled"}


def test_an_optional_todo_stays_while_something_needs_it():
    todos = read_todos(
        [
            todo("x", required=False),
            todo("y", required=False, dependencies=["x"]),
            todo("z", required=False),
            todo("b", dependencies=["y"]),
        ]
    )
    result = replan(todos, [{"id": "b"}])
    assert statuses(result.todos) == {"x": "pending", "y": "pending", "z": "canceled", "b": "pending"}
    assert parts(result) == {("x", "drop"), ("y", "drop")}


def test_optional_todos_that_need_each_other_go_together():
    todos = read_todos([todo("x", required=False), todo("y", required=False, dependencies=["x"])])
    assert statuses(replan(todos, []).todos) == {"x": "canceled", "y": "canceled"}


def test_a_new_todo_does_not_replace_what_it_depends_on():
    todos = read_todos([todo()])
    result = replan(todos, [todo("b", dependencies=["a"])])
    assert (statuses(result.todos), parts(result)) == ({"a": "pending", "b": "pending"}, {("a", "drop")})
    after = replan(todos, [todo("b", dependencies=["a"]), todo("c")]).todos
    assert statuses(after) == {"a": "canceled", "b": "pending", "c": "pending"}
    assert after.entries["b"].supersedes == ()


def test_replacements_that_would_wait_for_each_other_refuse_the_revision():
    todos = read_todos([todo("a"), todo("b"), todo("x", dependencies=["a"]), todo("y", dependencies=["b"])])
    crossed = [{"id": "x"}, {"id": "y"}, todo("c", dependencies=["x"]), todo("d", dependencies=["y"])]
    with pytest.raises(AgentError, match="run in a circle"):
        replan(todos, crossed)


def test_a_dependent_goes_on_when_the_replacement_is_done():
    todos = read_todos([todo(), todo("b", dependencies=["a"])])
    todos = replan(todos, [{"id": "b"}, todo("c")]).todos
    for name in "cb":
        todos = change(change(todos, name, status="in_progress"), name, status="completed")
    assert judge(todos, nothing).open == ()


def test_a_human_may_waive_the_replacement():
    todos = replan(read_todos([todo()]), [todo("b")]).todos
    assert judge(make_optional(todos, "b", by_human=True), nothing).open == ()


@table_test(
    ("given", "key"),
    [
        ({"a": 1}, "not_list"),
        ("a", "not_list"),
        ([1], "not_object"),
        ([{"content": "x"}], "missing"),
        ([{"id": "n"}], "missing"),
        ([todo("n", status="done")], "not_one_of"),
        ([{"id": "a", "required": "no"}], "wrong_type"),
        ([todo("n"), todo("n")], "duplicate"),
        ([todo("n", dependencies=["zz"])], "unknown_id"),
        ([todo("n", dependencies=["n"])], "itself"),
        ([{"id": "a", "dependencies": ["n"]}, todo("n", dependencies=["a"])], "cycle"),
        ([todo(f"n{n}") for n in range(MOST_TODOS)], "too_many"),
    ],
)
def test_a_malformed_revision_is_told_and_changes_nothing(given, key):
    todos = read_todos([todo()])
    with pytest.raises(AgentError) as caught:
        replan(todos, given)
    assert caught.value.key == f"todos.{key}"
    assert todos == read_todos([todo()])
