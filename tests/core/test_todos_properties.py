"""Whatever an agent sends, in whatever order: finished todos stay, the rules hold, obligations stay."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from donewhen.core.errors import AgentError
from donewhen.core.todos import (
    BLOCKED_REASONS,
    NO_TODOS,
    STATUSES,
    TERMINAL,
    TodoList,
    add,
    apply,
    make_optional,
    read_todos,
    replan,
    to_data,
)

NAMES = st.sampled_from("abcdef")
REFERENCES = st.lists(NAMES, max_size=2)
ENTRY: st.SearchStrategy[dict[str, Any]] = st.fixed_dictionaries(
    {"id": NAMES, "content": st.sampled_from(["one", "two"])},
    optional={
        "status": st.sampled_from(STATUSES),
        "required": st.booleans(),
        "dependencies": REFERENCES,
        "supersedes": REFERENCES,
        "blocked_reason": st.sampled_from(BLOCKED_REASONS),
        "artifacts": st.lists(st.sampled_from(["x", "y"])),
    },
)
CHANGE = st.fixed_dictionaries(
    {"id": NAMES, "status": st.sampled_from([*STATUSES, "nonsense"])},
    optional={"expected_revision": st.integers(1, 3), "artifacts": st.lists(st.sampled_from(["x", "y"]))},
)
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("apply"), CHANGE),
        st.tuples(st.just("add"), ENTRY),
        st.tuples(st.just("replan"), st.lists(ENTRY, max_size=4, unique_by=lambda entry: entry["id"])),
        st.tuples(st.just("waive"), NAMES),
    ),
    max_size=25,
)


def act(todos: TodoList, kind: str, data: object) -> TodoList:
    if kind == "replan":
        return replan(todos, data).todos
    if kind == "waive":
        name = str(data)
        return make_optional(todos, name, by_human=True) if name in todos.entries else todos
    return {"apply": apply, "add": add}[kind](todos, data)


def copied(todos):
    return [to_data(todo) for todo in todos.entries.values()]


def history(steps):
    """(list before, step, list after) of each step that was not refused; a refusal must leave no trace."""
    todos = NO_TODOS
    for kind, data in steps:
        before = copied(todos)
        try:
            after = act(todos, kind, data)
        except AgentError:
            assert copied(todos) == before
            continue
        yield todos, kind, after
        todos = after


@given(STEPS)
def test_finished_todos_never_move(steps):
    for before, _, after in history(steps):
        for name, todo in before.entries.items():
            if todo.status in TERMINAL:
                assert after.entries[name].status == todo.status


@given(STEPS)
def test_every_reachable_list_satisfies_the_rules(steps):
    for _, _, after in history(steps):
        assert read_todos(copied(after)) == after


@given(STEPS)
def test_revisions_rise_exactly_with_what_changes(steps):
    for before, _, after in history(steps):
        for name, todo in before.entries.items():
            now = after.entries[name]
            assert now.revision == todo.revision + (now != todo)
        assert after is before or after.revision > before.revision


def obligations(todos: TodoList) -> set[str]:
    """What someone required still answers for: itself and everything it stands in for."""
    standing = [t for t in todos.entries.values() if t.required and t.status != "canceled"]
    return {name for todo in standing for name in (todo.id, *todo.supersedes)}


@given(STEPS)
def test_an_agent_never_removes_an_obligation(steps):
    for before, kind, after in history(steps):
        if kind != "waive":
            assert obligations(before) <= obligations(after)


@given(STEPS)
def test_an_agent_never_makes_a_todo_optional_nor_loses_artifacts(steps):
    for before, kind, after in history(steps):
        for name, todo in before.entries.items():
            assert set(todo.artifacts) <= set(after.entries[name].artifacts)
            assert kind == "waive" or after.entries[name].required >= todo.required


@given(STEPS, st.lists(ENTRY, max_size=4, unique_by=lambda entry: entry["id"]))
def test_the_same_revision_twice_adds_nothing_the_second_time(steps, revision):
    todos = NO_TODOS
    for _, _, todos in history(steps):  # noqa: B007
        pass
    try:
        once = replan(todos, revision).todos
        twice = replan(once, revision).todos
    except AgentError:
        return
    assert twice.entries.keys() == once.entries.keys()
    assert {n: t.status for n, t in twice.entries.items()} == {n: t.status for n, t in once.entries.items()}


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["id", "status", "x"]), inner)
    ),
    max_leaves=8,
)


@given(JSON)
def test_any_data_at_all_is_a_list_or_an_error_for_the_agent(data):
    todos = read_todos([{"id": "a", "content": "x"}])
    for write in (apply, add, replan):
        try:
            write(todos, data)
        except AgentError as error:
            assert str(error)
