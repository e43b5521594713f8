"""What a todo and a list of them are; the closed sets of their words. No rule lives here."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, get_args

from donewhen.core.codec import to_json
from donewhen.core.errors import DonewhenError

Status = Literal["pending", "in_progress", "blocked", "completed", "failed", "canceled"]
BlockedReason = Literal[
    "internal_dependency", "permission_wait", "user_input_wait", "external_resource_wait", "unknown"
]
Executor = Literal["agent", "subagent"]
By = Literal["agent", "user"]

STATUSES: tuple[Status, ...] = get_args(Status)
BLOCKED_REASONS: tuple[BlockedReason, ...] = get_args(BlockedReason)
OPEN: frozenset[Status] = frozenset({"pending", "in_progress", "blocked"})
TERMINAL: frozenset[Status] = frozenset({"completed", "failed", "canceled"})
WAITING: frozenset[BlockedReason] = frozenset(
    {"permission_wait", "user_input_wait", "external_resource_wait"}
)
MOST_TODOS = 500  # of one list, finished ones included: every write looks at the whole set


class ContentCheck(NamedTuple):
    """The file `artifact` exists and holds each of the texts."""

    artifact: str
    contains: tuple[str, ...] = ()


class Todo(NamedTuple):
    id: str
    content: str
    status: Status = "pending"
    required: bool = True
    dependencies: tuple[str, ...] = ()
    priority: int = 0  # higher is sooner
    executor: Executor = "agent"
    owner: str = ""
    paths: tuple[str, ...] = ()
    acceptance: tuple[str, ...] = ()
    artifacts: tuple[str, ...] = ()
    supersedes: tuple[str, ...] = ()
    content_checks: tuple[ContentCheck, ...] = ()
    blocked_reason: BlockedReason | None = None
    failure_reason: str = ""
    retry_count: int = 0
    retry_limit: int = 0
    next_retry_at: str = ""
    revision: int = 1
    by: By = "agent"  # whose it is: a user's comes with the promise, and no plan takes it away


class TodoList(NamedTuple):
    """Todos by id, in the order they came."""

    entries: Mapping[str, Todo] = MappingProxyType({})

    @property
    def revision(self) -> int:
        """Rises with every write, because each write raises the revision of what it changed."""
        return sum(todo.revision for todo in self.entries.values())


NO_TODOS = TodoList()


class MalformedError(DonewhenError):
    """What is wrong with some data, before it is known whose data it is; never leaves this package."""


@contextmanager
def blaming(who: type[DonewhenError]) -> Iterator[None]:
    """Turns what is malformed into an error that says who must act."""
    try:
        yield
    except MalformedError as found:
        raise who(found.key, **found.values) from None


def as_list(todos: Iterable[Todo]) -> TodoList:
    return TodoList(MappingProxyType({todo.id: todo for todo in todos}))


def merged(*parts: Iterable[str]) -> tuple[str, ...]:
    """All texts once, in order of first appearance."""
    return tuple(dict.fromkeys(text for part in parts for text in part))


def shown(value: object) -> str:
    """A value of someone else's in a sentence of ours: one line, not long."""
    text = value if isinstance(value, str) else type(value).__name__
    line = " ".join(text[:200].split())
    return line if len(line) <= 60 else line[:59] + "…"


def to_data(todo: Todo) -> dict[str, Any]:
    """The todo as plain JSON data, defaults left out; `read_todos` gives it back."""
    return to_json(todo)


def written(before: TodoList, after: TodoList) -> tuple[Todo, ...]:
    """What a write changed or added, for the ledger."""
    return tuple(todo for name, todo in after.entries.items() if before.entries.get(name) != todo)


def commit(before: TodoList, after: Mapping[str, Todo]) -> TodoList:
    """The new list; each todo that differs carries the next revision. The old list when none does."""
    old = before.entries
    todos = [
        todo if name not in old or old[name] == todo else todo._replace(revision=old[name].revision + 1)
        for name, todo in after.items()
    ]
    new = as_list(todos)
    return new if written(before, new) else before
