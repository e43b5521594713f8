"""A revision of the todos by the agent, merged entry by entry.

Additions and tightenings count; drops and softenings are refused one by one, each with a sentence for the
agent. A dropped required todo is replaced by the new required ones, or it stays; the user's stay in any case,
and nothing of the agent's stands in for them. A revision never changes the status of a todo that exists:
that is what single changes are for.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from donewhen.core.errors import AgentError
from donewhen.core.texts import Phrase
from donewhen.core.todos.changing import born
from donewhen.core.todos.model import (
    MOST_TODOS,
    OPEN,
    ContentCheck,
    MalformedError,
    Todo,
    TodoList,
    blaming,
    commit,
    merged,
    shown,
)
from donewhen.core.todos.reading import Given, rows, whole
from donewhen.core.todos.rules import check, heirs, required, rests_on, settled, unmet_of


class Refusal(NamedTuple):
    """A part of a revision that does not count: whose, which, and why, in words."""

    id: str
    part: str  # a field, or `drop`
    why: Phrase


class Replan(NamedTuple):
    todos: TodoList
    refusals: tuple[Refusal, ...] = ()


Entries = dict[str, Todo]
_SHOWN_IDS = 20
Merge = Callable[[Todo, Any], Any]  # what the field becomes; whatever differs from what was asked is refused


def replan(todos: TodoList, data: object, place: str = "plan.todos") -> Replan:
    """The list after a revision and what of it was refused; AgentError, and no list, when it is malformed.

    `data` is the revision's list of todos; None means that the revision says nothing about todos.
    """
    if data is None:
        return Replan(todos)
    with blaming(AgentError):
        given = rows(data, place)
        entries, refusals = _merged(todos, given, place)
        new = [name for name in given if name not in todos.entries]
        if len(entries) > MOST_TODOS:
            raise MalformedError("todos.too_many", place=place, most=MOST_TODOS)
        check(entries, place)
        refusals += _users(entries, given)
        refusals += _replaced(entries, given, new)
        refusals += _let_go(entries, given)
        entries = settled(entries, place, _moved(entries, todos.entries))
        check(entries, place)
        refusals += _begun(entries, given, new)
    return Replan(commit(todos, entries), tuple(refusals))


def _moved(after: Entries, before: Mapping[str, Todo]) -> set[str]:
    """Who is new, just canceled, or supersedes more than before."""
    stands = {name: (todo.status, todo.supersedes) for name, todo in before.items()}
    return {name for name, todo in after.items() if stands.get(name) != (todo.status, todo.supersedes)}


def _merged(todos: TodoList, given: Mapping[str, Given], place: str) -> tuple[Entries, list[Refusal]]:
    """Every old todo, tightened where the revision says so, and the new ones."""
    entries = dict(todos.entries)
    refusals: list[Refusal] = []
    for name, fields in given.items():
        if name not in entries:
            entries[name] = born(whole(fields, place))
            continue
        for field, value in fields.items():
            kept = _MERGES[field](entries[name], value)
            entries[name] = entries[name]._replace(**{field: kept})
            if not _granted(field, kept, value):
                refusals.append(Refusal(name, field, Phrase(_WHY[field], {"id": shown(name)})))
    return entries, refusals


def _granted(field: str, kept: Any, asked: Any) -> bool:
    if field == "content_checks":
        return _facts(kept) == _facts(asked)
    return set(kept) == set(asked) if isinstance(asked, tuple) else bool(kept == asked)


def _dropped(todo: Todo, given: Mapping[str, Given]) -> bool:
    """Whether the revision would do without it, and may."""
    return todo.id not in given and todo.status in OPEN and todo.by != "user"


def _users(entries: Entries, given: Mapping[str, Given]) -> list[Refusal]:
    """The user's todos that the revision leaves out stay, told in one sentence."""
    kept = [name for name, todo in entries.items() if name not in given and _owed(todo)]
    if not kept:
        return []
    names = ", ".join(map(shown, kept[:_SHOWN_IDS])) + ", …" * (len(kept) > _SHOWN_IDS)
    return [Refusal(kept[0], "drop", Phrase("todos.users_stay", {"ids": names}))]


def _owed(todo: Todo) -> bool:
    return todo.by == "user" and todo.required and todo.status in OPEN


def _replaced(entries: Entries, given: Mapping[str, Given], new: list[str]) -> list[Refusal]:
    """Required todos that the revision drops get heirs: the ones that say so, else all new required ones."""
    refusals: list[Refusal] = []
    successors = [name for name in new if entries[name].required]
    named, needs = heirs(entries), rests_on(entries)
    gains: dict[str, list[str]] = {}
    for name in [n for n, todo in entries.items() if _dropped(todo, given) and todo.required]:
        taking = [heir.id for heir in required(named[name]) if heir.id in given]
        taking = taking or [heir for heir in successors if not needs(heir, name)]
        if not taking:
            refusals.append(Refusal(name, "drop", Phrase("todos.kept", {"id": shown(name)})))
            continue
        entries[name] = entries[name]._replace(status="canceled", blocked_reason=None)
        for heir in taking:
            gains.setdefault(heir, []).append(name)
    for heir, names in gains.items():
        entries[heir] = entries[heir]._replace(supersedes=merged(entries[heir].supersedes, names))
    return refusals


def _let_go(entries: Entries, given: Mapping[str, Given]) -> list[Refusal]:
    """Optional todos that the revision drops are canceled, unless something that stays needs them."""
    going = {n for n, todo in entries.items() if _dropped(todo, given) and not todo.required}
    stays = [n for n, t in entries.items() if t.status in OPEN and n not in going]
    standing = heirs(entries)
    needed: list[str] = []
    while stays:
        for name in entries[stays.pop()].dependencies:
            if name in going and all(heir.id in going for heir in standing[name]):
                going.discard(name)
                needed.append(name)
                stays.append(name)
    for name in going:
        entries[name] = entries[name]._replace(status="canceled", blocked_reason=None)
    return [Refusal(name, "drop", Phrase("todos.needed", {"id": shown(name)})) for name in sorted(needed)]


def _begun(entries: Entries, given: Mapping[str, Given], new: list[str]) -> list[Refusal]:
    """New todos may come as begun or blocked; a claim to be finished, or to run ahead, is not taken over."""
    refusals: list[Refusal] = []
    standing = heirs(entries)
    for name in new:
        asked, todo = given[name].get("status", "pending"), entries[name]
        if asked == "blocked":
            reason = given[name].get("blocked_reason", "unknown")
            entries[name] = todo._replace(status="blocked", blocked_reason=reason)
        elif asked == "in_progress" and not unmet_of(entries, standing, todo):
            entries[name] = todo._replace(status="in_progress")
        elif asked != "pending":
            refusals.append(Refusal(name, "status", Phrase("todos.starts_pending", {"id": shown(name)})))
    return refusals


def _facts(checks: tuple[ContentCheck, ...]) -> set[tuple[str, str]]:
    return {(artifact, text) for artifact, texts in checks for text in ("", *texts)}


def _as_it_was(field: str) -> Merge:
    return lambda todo, _: getattr(todo, field)


def _while_open(field: str) -> Merge:
    return lambda todo, asked: asked if todo.status in OPEN else getattr(todo, field)


def _growing(field: str, *, when_finished: bool) -> Merge:
    def merge(todo: Todo, asked: tuple[str, ...]) -> tuple[str, ...]:
        old: tuple[str, ...] = getattr(todo, field)
        return merged(old, asked) if when_finished or todo.status in OPEN else old

    return merge


def _content(todo: Todo, asked: str) -> str:
    free = not todo.required and todo.status in OPEN
    return asked if free else todo.content


def _required(todo: Todo, asked: bool) -> bool:
    return todo.required or (asked and todo.status != "canceled")


def _paths(todo: Todo, asked: tuple[str, ...]) -> tuple[str, ...]:
    """Fewer places to write are stricter; no paths at all are no limit."""
    narrower = not todo.paths or (asked and set(asked) <= set(todo.paths))
    return asked if narrower and todo.status in OPEN else todo.paths


def _content_checks(todo: Todo, asked: tuple[ContentCheck, ...]) -> tuple[ContentCheck, ...]:
    known = _facts(todo.content_checks)
    return todo.content_checks + tuple(new for new in asked if not _facts((new,)) <= known)


_MERGES: Mapping[str, Merge] = {
    "id": _as_it_was("id"),
    "content": _content,
    "status": _as_it_was("status"),
    "required": _required,
    "dependencies": _growing("dependencies", when_finished=False),
    "priority": _while_open("priority"),
    "executor": _while_open("executor"),
    "owner": _while_open("owner"),
    "paths": _paths,
    "acceptance": _growing("acceptance", when_finished=True),
    "artifacts": _growing("artifacts", when_finished=True),
    "supersedes": _growing("supersedes", when_finished=False),
    "content_checks": _content_checks,
    "blocked_reason": _as_it_was("blocked_reason"),
    "failure_reason": _as_it_was("failure_reason"),
    "retry_count": _as_it_was("retry_count"),
    "retry_limit": _as_it_was("retry_limit"),
    "next_retry_at": _as_it_was("next_retry_at"),
    "revision": _as_it_was("revision"),
    "by": _as_it_was("by"),
}
_WHY: Mapping[str, str] = {
    **dict.fromkeys(_MERGES, "todos.only_run"),
    **dict.fromkeys(
        ("dependencies", "paths", "acceptance", "artifacts", "supersedes"), "todos.only_stricter"
    ),
    **dict.fromkeys(("priority", "executor", "owner"), "todos.finished"),
    "content": "todos.reworded",
    "content_checks": "todos.only_stricter",
    "required": "todos.not_optional",
    "status": "todos.not_by_plan",
    "blocked_reason": "todos.not_by_plan",
    "failure_reason": "todos.not_by_plan",
}
