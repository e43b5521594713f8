"""What a turn showed, as the round that the mode engine judges.

Only facts of the turn enter: which tools were called, how they failed, what was written, what is open. A red
test or a command that ends with an exit status is a tool that works; so is a refusal of guard or hook, which
says nothing about the tool. Neither the goal nor any output is read.
"""

from collections.abc import Iterable
from typing import NamedTuple

from donewhen.core.mode import Round
from donewhen.core.todos import NO_TODOS, OPEN, TodoList

# A tool that broke. Every other class is an answer: a misspelt call says nothing about the tool.
BROKEN = frozenset({"timeout", "not_started", "broken"})


class Failure(NamedTuple):
    """A call that did not succeed."""

    tool: str
    error_class: str = ""


class Seen(NamedTuple):
    """One turn, as the executor and the workspace tell it."""

    tools: tuple[str, ...] = ()
    failures: tuple[Failure, ...] = ()
    written: tuple[str, ...] = ()  # paths, as often as they were written
    diff_lines: int = 0  # changed since the last checkpoint
    branch: str = ""  # that is checked out now; empty: not known
    todos: TodoList = NO_TODOS
    resumed: bool = False  # the first turn after a checkpoint was taken up again


def round_of(seen: Seen, own_branch: str = "") -> Round:
    """The round; `own_branch` is the one that the workspace was opened on."""
    still_open = [todo for todo in seen.todos.entries.values() if todo.status in OPEN]
    return Round(
        tools=seen.tools,
        pending_steps=len(still_open),
        task_graph=any(todo.dependencies for todo in still_open),
        explicit=any(todo.paths for todo in still_open),
        checkpoint_resumed=seen.resumed,
        branch_switched=bool(seen.branch and own_branch) and seen.branch != own_branch,
        tool_failure=is_broken(seen.failures),
        write_targets=len(set(seen.written)),
        diff_lines=max(0, seen.diff_lines),
    )


def is_broken(failures: Iterable[Failure]) -> bool:
    return any(failure.error_class in BROKEN for failure in failures)
