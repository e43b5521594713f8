"""What the todos mean for the gate: which required ones failed, which are still open, and why.

Says nothing about acceptance; that is the gate's. Optional todos change nothing here. A completed todo whose
content checks do not hold is open again: the files are what counts, as they are now.
"""

from collections.abc import Callable
from typing import Literal, NamedTuple

from donewhen.core.todos.model import NO_TODOS, OPEN, WAITING, Todo, TodoList
from donewhen.core.todos.rules import heirs, required


class Missing(NamedTuple):
    """A text that an artifact lacks; no text: the artifact itself is not there."""

    todo: str
    artifact: str
    text: str = ""


class TodoVerdict(NamedTuple):
    failed: tuple[str, ...] = ()  # required todos that failed
    open: tuple[str, ...] = ()  # required todos that are not done
    waiting: bool = False  # something is open, and all of it waits for someone outside the run
    missing: tuple[Missing, ...] = ()  # why a completed todo is open


def inherited(earlier: TodoList, plan: Literal["completed", "approved"]) -> TodoList:
    """What a run takes over from a plan before it: all of an approved one, nothing of a completed one."""
    return earlier if plan == "approved" else NO_TODOS


def judge(todos: TodoList, read: Callable[[str], str | None]) -> TodoVerdict:
    """The verdict on the whole list; `read` gives a file's current content, or None."""
    judged = required(todos.entries.values())
    standing = heirs(todos.entries)
    problems = {todo.id: content_problems(todo, read) for todo in judged if todo.status == "completed"}
    still = [todo for todo in judged if _open(todo, standing[todo.id]) or problems.get(todo.id)]
    return TodoVerdict(
        failed=tuple(todo.id for todo in judged if todo.status == "failed"),
        open=tuple(todo.id for todo in still),
        waiting=bool(still) and all(_waits(todo) for todo in still),
        missing=tuple(missing for found in problems.values() for missing in found),
    )


def content_problems(todo: Todo, read: Callable[[str], str | None]) -> tuple[Missing, ...]:
    """What the todo's content checks do not find in the current files."""
    problems: list[Missing] = []
    for artifact, contains in todo.content_checks:
        content = read(artifact)
        if content is None:
            problems.append(Missing(todo.id, artifact))
        else:
            problems += [Missing(todo.id, artifact, text) for text in contains if text not in content]
    return tuple(problems)


def _open(todo: Todo, standing: list[Todo]) -> bool:
    # The set rules forbid a canceled todo without heir; a list that has one anyway must not pass.
    orphaned = todo.status == "canceled" and not required(standing)
    return todo.status in OPEN or orphaned


def _waits(todo: Todo) -> bool:
    return todo.status == "blocked" and todo.blocked_reason in WAITING
