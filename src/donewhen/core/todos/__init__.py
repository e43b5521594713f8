"""Todos: the steps of a plan, as an immutable list that only legal writes change.

Each write is all or nothing: it gives a new list that satisfies the set rules, or an error and no list. A
todo is the agent's own word about its work, so it can hold a run back but never proves a check: nothing
here reads evidence, and a revision of the plan can add obligations, never remove one.
"""

from donewhen.core.todos.changing import add, apply, change, make_optional
from donewhen.core.todos.judging import Missing, TodoVerdict, content_problems, inherited, judge
from donewhen.core.todos.model import (
    BLOCKED_REASONS,
    MOST_TODOS,
    NO_TODOS,
    OPEN,
    STATUSES,
    TERMINAL,
    WAITING,
    BlockedReason,
    ContentCheck,
    Status,
    Todo,
    TodoList,
    to_data,
    written,
)
from donewhen.core.todos.reading import read_todo, read_todos
from donewhen.core.todos.replanning import Refusal, Replan, replan
from donewhen.core.todos.rules import ready, unmet

__all__ = [
    "BLOCKED_REASONS",
    "MOST_TODOS",
    "NO_TODOS",
    "OPEN",
    "STATUSES",
    "TERMINAL",
    "WAITING",
    "BlockedReason",
    "ContentCheck",
    "Missing",
    "Refusal",
    "Replan",
    "Status",
    "Todo",
    "TodoList",
    "TodoVerdict",
    "add",
    "apply",
    "change",
    "content_problems",
    "inherited",
    "judge",
    "make_optional",
    "read_todo",
    "read_todos",
    "ready",
    "replan",
    "to_data",
    "unmet",
    "written",
]
