"""The unions behind a promise: each entry once, in the order it came, with all its sources.

Only entries that are the same in everything that counts are one. Two that merely share a name both stay;
the later one gets another name, unless the name is the user's own.
"""

from collections.abc import Iterable, Sequence

from donewhen.core.accept import Accept
from donewhen.core.checks import Check
from donewhen.core.promise import Criterion
from donewhen.core.todos.model import Todo
from donewhen.core.todos.reading import read_todos
from donewhen.intake.parts import Parts, TodoPart, joined
from donewhen.intake.slugs import Unique


def with_own_names(given: Iterable[Parts]) -> tuple[Parts, ...]:
    """The same parts; a check whose id another check has already gets one of its own."""
    taken: dict[str, object] = {}
    unique = Unique()
    done: list[Parts] = []
    for parts in given:
        names: dict[str, str] = {}
        for check in parts.checks:
            if (
                check.id
                and taken.setdefault(check.id, check.identity) != check.identity
                and not parts.own_ids
            ):
                names[check.id] = unique(f"{check.id}-2")
        done.append(_with_names(parts, names) if names else parts)
    return tuple(done)


def _with_names(parts: Parts, names: dict[str, str]) -> Parts:
    evidence = {f"check:{old}": f"check:{new}" for old, new in names.items()}
    return parts._replace(
        checks=tuple(check._replace(id=names.get(check.id, check.id)) for check in parts.checks),
        criteria=tuple(
            each._replace(
                evidence_required=tuple(evidence.get(name, name) for name in each.evidence_required)
            )
            for each in parts.criteria
        ),
    )


def union_of_accept(lists: Iterable[Sequence[Accept]]) -> tuple[Accept, ...]:
    """Commands are the same when they run the same words in the same folder with the same variables."""
    found: dict[object, Accept] = {}
    for entry in (entry for entries in lists for entry in entries):
        known = found.get(entry.identity)
        found[entry.identity] = known._replace(source=joined(known.source, entry.source)) if known else entry
    return tuple(found.values())


def union_of_checks(lists: Iterable[Sequence[Check]]) -> tuple[Check, ...]:
    found: dict[object, Check] = {}
    for check in (check for checks in lists for check in checks):
        known = found.get(check.identity)
        if known is None:
            found[check.identity] = check
        elif known.id and check.id and known.id != check.id:
            found.setdefault((check.identity, check.id), check)  # criteria may refer to either name
        else:
            source = joined(known.source, check.source)
            found[check.identity] = known._replace(id=known.id or check.id, source=source)
    return tuple(found.values())


def union_of_criteria(given: Iterable[Parts]) -> tuple[Criterion, ...]:
    found: dict[object, Criterion] = {}
    taken: set[str] = set()
    unique = Unique()
    for parts in given:
        for criterion in parts.criteria:
            key = criterion._replace(source="")
            known = found.get(key)
            if known:
                found[key] = known._replace(source=joined(known.source, criterion.source))
                continue
            name = unique(criterion.id) if criterion.id else ""
            fixed = parts.own_ids or criterion.id not in taken
            found[key] = criterion if fixed else criterion._replace(id=name)
            taken.add(criterion.id)
    return tuple(found.values())


def union_of_todos(given: Iterable[Parts]) -> tuple[tuple[Todo, ...], tuple[tuple[str, str], ...]]:
    """All todos as one valid list, and the source of each."""
    found: dict[str, TodoPart] = {}
    unique = Unique()
    for parts in given:
        names: dict[str, str] = {}
        for todo in parts.todos:
            name = str(todo.data["id"]).strip()
            known = found.get(name)
            if known and known.data == todo.data:
                found[name] = known._replace(source=joined(known.source, todo.source))
                names[name] = name
            else:
                names[name] = unique(name)
        for todo in parts.todos:
            name = names[str(todo.data["id"]).strip()]
            found.setdefault(name, TodoPart(_renamed(todo, names), todo.source))
    read = read_todos([part.data for part in found.values()], "todos")
    owned = tuple(todo._replace(by="user") for todo in read.entries.values())
    return owned, tuple((name, part.source) for name, part in found.items())


def _renamed(todo: TodoPart, names: dict[str, str]) -> dict[str, object]:
    data = {**todo.data, "id": names[str(todo.data["id"]).strip()]}
    for field in ("dependencies", "supersedes"):
        if field in data:
            data[field] = [names.get(str(name).strip(), str(name)) for name in data[field]]
    return data
