"""Todos from JSON-like data that nobody has checked yet.

Refuses instead of guessing: a wrong type, an unknown field or word, a missing id or content is an error
that names the entry. `given` reads only what is there, so that an absent key can mean "as it was".
"""

import posixpath
from collections.abc import Callable, Mapping
from typing import Any, get_args

from donewhen.core.errors import UserError
from donewhen.core.texts import Phrase
from donewhen.core.todos.model import (
    BLOCKED_REASONS,
    MOST_TODOS,
    NO_TODOS,
    STATUSES,
    By,
    ContentCheck,
    Executor,
    MalformedError,
    Todo,
    TodoList,
    as_list,
    blaming,
    merged,
    shown,
)
from donewhen.core.todos.rules import check, settled

Given = dict[str, Any]  # the fields of one entry that were there, each of its right type
Read = Callable[[object, str], Any]
PRIORITIES: Mapping[str, int] = {"low": -1, "medium": 0, "high": 1}


def read_todos(data: object, place: str = "todos", before: TodoList = NO_TODOS) -> TodoList:
    """The user's list of todos, added to what stood before; an entry with an id of `before` replaces that."""
    with blaming(UserError):
        todos = dict(before.entries)
        for name, fields in rows(data, place).items():
            todos[name] = whole(fields, place)
        if len(todos) > MOST_TODOS:
            raise MalformedError("todos.too_many", place=place, most=MOST_TODOS)
        ordered = settled(todos, place)
        check(ordered, place)
    return as_list(ordered.values())


def read_todo(data: object, place: str = "todo") -> Todo:
    """One todo of a ledger: the rules of the set were checked when it was written, and the others follow."""
    with blaming(UserError):
        return whole(given(data, place), place)


def rows(data: object, place: str) -> dict[str, Given]:
    """The entries of a list by id."""
    if not isinstance(data, list | tuple):
        raise MalformedError("todos.not_list", place=place)
    if len(data) > MOST_TODOS:
        raise MalformedError("todos.too_many", place=place, most=MOST_TODOS)
    found: dict[str, Given] = {}
    for index, item in enumerate(data, 1):
        fields = given(item, f"{place}[{index}]")
        if fields["id"] in found:
            raise MalformedError("todos.duplicate", place=f"{place}[{index}]", id=shown(fields["id"]))
        found[fields["id"]] = fields
    return found


def given(data: object, place: str) -> Given:
    """The fields of one entry; null counts as absent."""
    if not isinstance(data, Mapping):
        raise MalformedError("todos.not_object", place=place)
    fields: Given = {}
    for name, value in data.items():
        if name not in _FIELDS:
            raise MalformedError(
                "todos.unknown_field", place=place, field=shown(name), fields=", ".join(_FIELDS)
            )
        if value is not None:
            fields[name] = _FIELDS[name](value, f"{place}.{name}")
    if "id" not in fields:
        raise MalformedError("todos.missing", place=place, field="id")
    return fields


def whole(fields: Given, place: str) -> Todo:
    """A todo of its own; a reason that does not belong to its status is not kept."""
    if "content" not in fields:
        raise MalformedError("todos.missing", place=f"{place}: {shown(fields['id'])}", field="content")
    todo = Todo(**fields)
    blocked = todo.blocked_reason or "unknown"
    return todo._replace(
        blocked_reason=blocked if todo.status == "blocked" else None,
        failure_reason=todo.failure_reason if todo.status == "failed" else "",
    )


def _wrong(place: str, expected: Phrase) -> MalformedError:
    return MalformedError("todos.wrong_type", place=place, expected=expected)


def a_text(value: object, place: str) -> str:
    """Text that says something."""
    if not isinstance(value, str) or not value.strip():
        raise _wrong(place, Phrase("todos.a_text"))
    return value


def maybe_text(value: object, place: str) -> str:
    if not isinstance(value, str):
        raise _wrong(place, Phrase("todos.a_text"))
    return value


def a_name(value: object, place: str) -> str:
    return a_text(value, place).strip()


def a_count(value: object, place: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 2**53:
        raise _wrong(place, Phrase("todos.a_number"))
    return value


def some_texts(value: object, place: str) -> tuple[str, ...]:
    if not isinstance(value, list | tuple):
        raise _wrong(place, Phrase("todos.a_list"))
    return merged(a_text(item, f"{place}[{index}]") for index, item in enumerate(value, 1))


def a_status(value: object, place: str) -> str:
    return one_of(STATUSES)(value, place)


def a_blocked_reason(value: object, place: str) -> str:
    return one_of(BLOCKED_REASONS)(value, place)


def one_of(allowed: tuple[str, ...]) -> Callable[[object, str], str]:
    def read(value: object, place: str) -> str:
        if not isinstance(value, str) or value not in allowed:
            raise MalformedError(
                "todos.not_one_of", place=place, value=shown(value), allowed=", ".join(allowed)
            )
        return value

    return read


def _names(value: object, place: str) -> tuple[str, ...]:
    return merged(item.strip() for item in some_texts(value, place))


def _truth(value: object, place: str) -> bool:
    if not isinstance(value, bool):
        raise _wrong(place, Phrase("todos.a_truth"))
    return value


def _lines(value: object, place: str) -> tuple[str, ...]:
    return (a_text(value, place),) if isinstance(value, str) else some_texts(value, place)


def _priority(value: object, place: str) -> int:
    if isinstance(value, str) and value in PRIORITIES:
        return PRIORITIES[value]
    if isinstance(value, bool) or not isinstance(value, int) or abs(value) >= 2**53:
        raise _wrong(place, Phrase("todos.a_priority"))
    return value


def _content_checks(value: object, place: str) -> tuple[ContentCheck, ...]:
    if not isinstance(value, list | tuple):
        raise _wrong(place, Phrase("todos.a_list"))
    return tuple(_content_check(item, f"{place}[{index}]") for index, item in enumerate(value, 1))


def _content_check(value: object, place: str) -> ContentCheck:
    if not isinstance(value, Mapping):
        raise MalformedError("todos.not_object", place=place)
    for field in value:
        if field not in ContentCheck._fields:
            fields = ", ".join(ContentCheck._fields)
            raise MalformedError("todos.unknown_field", place=place, field=shown(field), fields=fields)
    if value.get("artifact") is None:
        raise MalformedError("todos.missing", place=place, field="artifact")
    contains = value.get("contains")
    return ContentCheck(
        _inside(value["artifact"], f"{place}.artifact"),
        () if contains is None else some_texts(contains, f"{place}.contains"),
    )


def _inside(value: object, place: str) -> str:
    """A path that stays in the workspace, spelled as the tree spells it."""
    path = posixpath.normpath(a_name(value, place))
    if path.startswith(("/", "../")) or path == "..":
        raise MalformedError("todos.outside", place=place, path=shown(path))
    return path


_FIELDS: Mapping[str, Read] = {
    "id": a_name,
    "content": a_text,
    "status": a_status,
    "required": _truth,
    "dependencies": _names,
    "priority": _priority,
    "executor": one_of(get_args(Executor)),
    "owner": maybe_text,
    "paths": some_texts,
    "acceptance": _lines,
    "artifacts": some_texts,
    "supersedes": _names,
    "content_checks": _content_checks,
    "blocked_reason": a_blocked_reason,
    "failure_reason": maybe_text,
    "retry_count": a_count,
    "retry_limit": a_count,
    "next_retry_at": maybe_text,
    "revision": a_count,
    "by": one_of(get_args(By)),
}
