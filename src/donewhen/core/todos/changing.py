"""Single writes to a list of todos: by the agent one todo at a time, by a human one waiver.

What the agent does wrong is an AgentError that says what would be right; the list it holds stays as it was.
The agent can't touch what an obligation is (content, required, checks) here; revisions of the plan do that.
"""

from collections.abc import Mapping
from typing import Any

from donewhen.core.errors import AgentError, UserError
from donewhen.core.todos.model import (
    MOST_TODOS,
    OPEN,
    TERMINAL,
    MalformedError,
    Status,
    Todo,
    TodoList,
    blaming,
    commit,
    merged,
    shown,
)
from donewhen.core.todos.reading import (
    a_blocked_reason,
    a_count,
    a_status,
    given,
    maybe_text,
    rows,
    some_texts,
    whole,
)
from donewhen.core.todos.rules import check, heirs, required, settled, unmet

MOVES: Mapping[Status, frozenset[Status]] = {
    "pending": frozenset({"in_progress", "blocked", "failed", "canceled"}),
    "in_progress": frozenset({"completed", "failed", "blocked", "canceled", "pending"}),
    "blocked": frozenset({"pending", "in_progress", "failed", "canceled"}),
    "completed": frozenset(),
    "failed": frozenset(),
    "canceled": frozenset(),
}
NEEDS_DEPENDENCIES: frozenset[Status] = frozenset({"in_progress", "completed"})
_SHOWN_IDS = 20


def apply(todos: TodoList, data: object, place: str = "todo") -> TodoList:
    """A change as an agent sends it; fields it may not change are fine while they say what is so."""
    with blaming(AgentError):
        if not isinstance(data, Mapping):
            raise MalformedError("todos.not_object", place=place)
        expected = data.get("expected_revision")
        fields = given({key: value for key, value in data.items() if key != "expected_revision"}, place)
        todo = _find(todos, fields["id"], place)
        changes = {key: fields.pop(key) for key in _CHANGES if key in fields}
        for key, value in fields.items():
            if value != getattr(todo, key):
                raise MalformedError("todos.not_yours", place=place, id=shown(todo.id), field=key)
    return change(todos, todo.id, **changes, expected_revision=expected, place=place)


_CHANGES = ("status", "artifacts", "blocked_reason", "failure_reason")


def change(
    todos: TodoList,
    todo_id: str,
    *,
    status: object = None,
    artifacts: object = None,
    blocked_reason: object = None,
    failure_reason: object = None,
    expected_revision: object = None,
    place: str = "todo",
) -> TodoList:
    """The list after one legal move of one todo; AgentError, and no list, for an illegal one."""
    with blaming(AgentError):
        todo = _find(todos, todo_id, place)
        if expected_revision is not None:
            _expect(todo, a_count(expected_revision, f"{place}.expected_revision"), place)
        target: Any = todo.status if status is None else a_status(status, f"{place}.status")
        details = _details(todo, target, artifacts, blocked_reason, failure_reason, place)
        moved = todo._replace(status=target, **details)
        if moved == todo:
            return todos
        _allow(todos, todo, target, place)
        entries = {**todos.entries, todo.id: moved}
        if target == "canceled":
            entries = settled(entries, place, {todo.id})
            check(entries, place)
    return commit(todos, entries)


def add(todos: TodoList, data: object, place: str = "todo") -> TodoList:
    """One more todo, by the agent. It starts as pending; a status it claims is a move like any other."""
    with blaming(AgentError):
        (fields,) = rows([data], place).values()
        if fields["id"] in todos.entries:
            raise MalformedError("todos.duplicate", place=place, id=shown(fields["id"]))
        if len(todos.entries) >= MOST_TODOS:
            raise MalformedError("todos.too_many", place=place, most=MOST_TODOS)
        claimed = whole(fields, place)
        entries = settled({**todos.entries, claimed.id: born(claimed)}, place, {claimed.id})
        check(entries, place)
    status = None if claimed.status == "pending" else claimed.status
    why = {"blocked_reason": claimed.blocked_reason, "failure_reason": claimed.failure_reason}
    return change(commit(todos, entries), claimed.id, status=status, **why, place=place)


def make_optional(todos: TodoList, todo_id: str, *, by_human: bool, place: str = "todo") -> TodoList:
    """A human waives a todo, and with it what only this todo stood in for. Nobody else can."""
    if not by_human:
        raise AgentError("todos.not_yours", place=place, id=shown(todo_id), field="required")
    with blaming(UserError):
        todo = _find(todos, todo_id, place)
    entries = {**todos.entries, todo.id: todo._replace(required=False)}
    standing = heirs(entries)
    for name in todo.supersedes:
        if entries[name].status == "canceled" and not required(standing[name]):
            entries[name] = entries[name]._replace(required=False)
    return commit(todos, entries)


def born(todo: Todo) -> Todo:
    """A todo as it enters a plan that is under way, whatever the agent says it has already reached."""
    return todo._replace(
        status="pending",
        blocked_reason=None,
        failure_reason="",
        retry_count=0,
        next_retry_at="",
        revision=1,
        by="agent",
    )


def _details(
    todo: Todo, target: Status, artifacts: object, blocked: object, failure: object, place: str
) -> dict[str, Any]:
    """The fields that go with a status; artifacts only ever grow."""
    new = () if artifacts is None else some_texts(artifacts, f"{place}.artifacts")
    reason = None if blocked is None else a_blocked_reason(blocked, f"{place}.blocked_reason")
    why = None if failure is None else maybe_text(failure, f"{place}.failure_reason")
    return {
        "artifacts": merged(todo.artifacts, new),
        "blocked_reason": (reason or todo.blocked_reason or "unknown") if target == "blocked" else None,
        "failure_reason": (todo.failure_reason if why is None else why) if target == "failed" else "",
    }


def _allow(todos: TodoList, todo: Todo, target: Status, place: str) -> None:
    name = shown(todo.id)
    if todo.status in TERMINAL:
        raise MalformedError("todos.terminal", place=place, id=name, status=todo.status)
    if target == todo.status:
        return
    if target not in MOVES[todo.status]:
        ways = ", ".join(sorted(MOVES[todo.status]))
        raise MalformedError(
            "todos.no_move", place=place, id=name, status=todo.status, target=target, ways=ways
        )
    if target == "canceled" and todo.required and todo.by == "user":
        raise MalformedError("todos.users", place=place, id=name)
    missing = unmet(todos, todo) if target in NEEDS_DEPENDENCIES else ()
    if missing:
        raise MalformedError("todos.dependencies_open", place=place, id=name, open=_ids(missing))


def _expect(todo: Todo, expected: int, place: str) -> None:
    if expected != todo.revision:
        raise MalformedError(
            "todos.conflict",
            place=place,
            id=shown(todo.id),
            revision=todo.revision,
            status=todo.status,
            expected=expected,
        )


def _find(todos: TodoList, todo_id: object, place: str) -> Todo:
    if isinstance(todo_id, str) and todo_id in todos.entries:
        return todos.entries[todo_id]
    raise _not_found(todos, shown(todo_id), place)


def _not_found(todos: TodoList, name: str, place: str) -> MalformedError:
    """Says what there is instead, so that the next call can be right."""
    if not todos.entries:
        return MalformedError("todos.not_found_none", place=place, id=name)
    active = [todo.id for todo in todos.entries.values() if todo.status in OPEN]
    if not active:
        return MalformedError("todos.not_found_finished", place=place, id=name)
    return MalformedError("todos.not_found", place=place, id=name, active=_ids(active))


def _ids(names: "tuple[str, ...] | list[str]") -> str:
    listed = [shown(name) for name in names[:_SHOWN_IDS]]
    return ", ".join(listed + ["…"] * (len(names) > _SHOWN_IDS))
