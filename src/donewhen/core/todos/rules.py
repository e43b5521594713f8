"""The rules of a whole set of todos, and what follows from dependencies.

A replaced todo is canceled; whoever supersedes it is its heir and inherits what it stood in for by then, so
a chain of replacements never loses an obligation. What is canceled already stands in for nothing that is
canceled later. Who depended on a replaced todo waits for its heirs.
Graphs are walked without recursion: a list of todos is someone else's data.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from graphlib import CycleError, TopologicalSorter

from donewhen.core.todos.model import OPEN, MalformedError, Todo, TodoList, merged, shown

Entries = Mapping[str, Todo]


def check(todos: Entries, place: str) -> None:
    """Refuses a set with an unknown, own or cyclic reference, or a required todo canceled without an heir."""
    for todo in todos.values():
        _known(todos, todo, "dependencies", place)
        _known(todos, todo, "supersedes", place)
    _acyclic({name: todo.dependencies for name, todo in todos.items()}, "dependencies", place)
    _acyclic({name: todo.supersedes for name, todo in todos.items()}, "supersedes", place)
    standing = heirs(todos)
    for todo in todos.values():
        if todo.required and todo.status == "canceled" and not required(standing[todo.id]):
            raise MalformedError("todos.not_replaced", place=place, id=shown(todo.id))
    _acyclic(_waits(todos, standing), "dependencies", place)


def settled(todos: Entries, place: str, moved: Collection[str] | None = None) -> dict[str, Todo]:
    """The set in which every heir has inherited; its order stays. `moved`: who is new or just canceled."""
    for todo in todos.values():
        _known(todos, todo, "supersedes", place)
    order = _acyclic({name: todo.supersedes for name, todo in todos.items()}, "supersedes", place)
    result = dict(todos)
    for name in order:
        todo = result[name]
        new = moved is None or name in moved
        replaced = [result[old] for old in todo.supersedes if new or old in (moved or ())]
        inherited = [
            earlier
            for old in replaced
            for earlier in (old.supersedes if old.status == "canceled" else ())
            if result[earlier].status == "canceled"
        ]
        if inherited:
            result[name] = todo._replace(supersedes=merged(todo.supersedes, inherited))
    return result


def heirs(todos: Entries) -> dict[str, list[Todo]]:
    """Who stands in for each todo: what supersedes it and is not canceled itself."""
    found: dict[str, list[Todo]] = {name: [] for name in todos}
    for todo in todos.values():
        if todo.status != "canceled":
            for name in todo.supersedes:
                found.setdefault(name, []).append(todo)
    return found


def required(todos: Iterable[Todo]) -> list[Todo]:
    return [todo for todo in todos if todo.required]


def unmet(todos: TodoList, todo: Todo) -> tuple[str, ...]:
    """The dependencies that are not completed, neither themselves nor by their heirs."""
    return unmet_of(todos.entries, heirs(todos.entries), todo)


def ready(todos: TodoList) -> tuple[Todo, ...]:
    """What can be started now: the highest priority first, then as listed."""
    entries, standing = todos.entries, heirs(todos.entries)
    waiting = [todo for todo in entries.values() if todo.status == "pending"]
    startable = [todo for todo in waiting if not unmet_of(entries, standing, todo)]
    return tuple(sorted(startable, key=lambda todo: -todo.priority))


def rests_on(todos: Entries) -> Callable[[str, str], bool]:
    """Whether one todo depends on another, directly or through others; the set has no cycle."""
    bits = {name: 1 << index for index, name in enumerate(todos)}
    below = dict.fromkeys(todos, 0)
    for name in TopologicalSorter({n: todo.dependencies for n, todo in todos.items()}).static_order():
        for other in todos[name].dependencies:
            below[name] |= below[other] | bits[other]
    return lambda name, other: bool(below[name] & bits[other])


def unmet_of(todos: Entries, standing: Mapping[str, list[Todo]], todo: Todo) -> tuple[str, ...]:
    return tuple(name for name in todo.dependencies if not _met(todos[name], standing[name]))


def _met(todo: Todo, standing: list[Todo]) -> bool:
    if todo.status != "canceled":
        return todo.status == "completed"
    return bool(standing) and all(heir.status == "completed" for heir in standing)


def _known(todos: Entries, todo: Todo, field: str, place: str) -> None:
    for name in getattr(todo, field):
        if name == todo.id:
            raise MalformedError("todos.itself", place=place, id=shown(todo.id), field=field)
        if name not in todos:
            raise MalformedError(
                "todos.unknown_id", place=place, id=shown(todo.id), field=field, other=shown(name)
            )


def _acyclic(graph: Mapping[str, Iterable[str]], field: str, place: str) -> list[str]:
    """The names in an order in which each comes after what it refers to."""
    try:
        return list(TopologicalSorter(graph).static_order())
    except CycleError as error:
        cycle = [shown(name) for name in error.args[1]]
        names = " → ".join(cycle if len(cycle) <= 8 else [*cycle[:7], "…", cycle[-1]])
        raise MalformedError("todos.cycle", place=place, field=field, cycle=names) from None


def _waits(todos: Entries, standing: Mapping[str, list[Todo]]) -> dict[str, Iterable[str]]:
    """Who waits for whom in effect: open todos for dependencies, replaced ones for their heirs."""
    waits: dict[str, Iterable[str]] = {}
    for name, todo in todos.items():
        if todo.status in OPEN:
            waits[name] = todo.dependencies
        elif todo.status == "canceled":
            waits[name] = [heir.id for heir in standing[name]]
    return waits
