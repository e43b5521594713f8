"""A human's changes of a promise, as data, and the promise that comes of them.

Pure. The same changes are applied where they are shown, where they are written and where a live run takes
them, so that what was agreed to is what happens. What arrives in a request may be anything: it is read
strictly, bounded, and the promise is validated like a new one. A change is whole or not at all.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from donewhen.core.accept import Accept, read_accept
from donewhen.core.codec import EMPTY, Json, thaw
from donewhen.core.errors import UserError
from donewhen.core.matches import Parse
from donewhen.core.promise import Issue, Promise, is_valid, validate
from donewhen.core.promise_data import read_promise
from donewhen.core.promise_diff import condition_text
from donewhen.core.shown import one_name
from donewhen.core.texts import Phrase
from donewhen.core.todos import TodoList, make_optional
from donewhen.intake.compose import is_executable

MOST_ENTRIES = 200
LONGEST_ENTRY = 4096
_SHOWN = 12
_KEPT = ("id", "derived_from")  # what a change never touches


class Changes(NamedTuple):
    """What somebody wants to be different."""

    given: Mapping[str, Json] = EMPTY  # keys of a promise, each in place of what it says now
    accept: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()  # ids of todos
    permits: tuple[str, ...] = ()
    scope: tuple[str, ...] = ()


class Amended(NamedTuple):
    promise: Promise
    todos: TodoList
    issues: tuple[Issue, ...] = ()  # of the new promise; none of them a hard-deny


_LISTS = ("accept", "drop", "optional", "permits", "scope")


def amended(promise: Promise, todos: TodoList, changes: Changes, parse: Parse) -> Amended:
    """Promise and todos after the changes; UserError when they can't be or may not be so."""
    check_size(changes)
    after = _given(promise, changes.given, parse)
    after = after._replace(
        accept=_more_commands(after.accept, changes.accept, parse),
        permits=_more(after.permits, changes.permits),
        allowed_scope=_more(after.allowed_scope, changes.scope),
    )
    for name in changes.drop:
        after = _without(after, name)
    for todo in changes.optional:
        todos = make_optional(todos, todo, by_human=True, place="--optional")
    issues = validate(after)
    if not is_valid(issues):
        wrong = next(issue.phrase for issue in issues if issue.severity == "hard-deny")
        raise UserError("amend.invalid", why=wrong)
    if is_executable(promise) and not (is_executable(after) or after.answer_only):
        raise UserError("amend.nothing_to_prove")
    return Amended(after, todos, issues)


def to_payload(changes: Changes, reason: str) -> dict[str, Any]:
    """As a request carries it; empty parts are left out."""
    data = {name: list(getattr(changes, name)) for name in _LISTS if getattr(changes, name)}
    given = {"given": thaw(changes.given)} if changes.given else {}
    return {**given, **data, **({"reason": reason} if reason else {})}


def from_payload(payload: Mapping[str, Json]) -> tuple[Changes, str] | None:
    """Changes and reason; None when this is nothing that `to_payload` wrote."""
    if not set(payload) <= {"given", "reason", *_LISTS}:
        return None
    given, reason = payload.get("given", EMPTY), payload.get("reason", "")
    lists = {name: payload.get(name, ()) for name in _LISTS}
    texts = all(
        isinstance(value, list | tuple) and all(isinstance(text, str) for text in value)
        for value in lists.values()
    )
    if not isinstance(given, Mapping) or not isinstance(reason, str) or not texts:
        return None
    return Changes(given, **{name: tuple(value) for name, value in lists.items()}), reason


def check_size(changes: Changes) -> None:
    entries = [entry for name in _LISTS for entry in getattr(changes, name)]
    if len(entries) > MOST_ENTRIES or any(len(entry) > LONGEST_ENTRY for entry in entries):
        raise UserError("amend.too_much", most=MOST_ENTRIES, longest=LONGEST_ENTRY)


def still_asked(before: Promise, after: Promise) -> tuple[Phrase, ...]:
    """Evidence that the new promise asks for, although what gave it was dropped."""
    gone = {f"check:{check.name}" for check in before.checks} - {
        f"check:{check.name}" for check in after.checks
    }
    gone |= _evidence_of(before.accept) - _evidence_of(after.accept)
    places = [("required_evidence", after.required_evidence)]
    places += [(criterion.id, criterion.evidence_required) for criterion in after.acceptance]
    return tuple(
        Phrase("amend.still_asked", {"place": one_name(place), "name": one_name(name)})
        for place, names in places
        for name in names
        if name in gone
    )


def _evidence_of(commands: Iterable[Accept]) -> set[str]:
    return {f"command:{name}" for each in commands for name in (each.key, each.label)}


def _given(promise: Promise, given: Mapping[str, Json], parse: Parse) -> Promise:
    """With the keys of a promise file in place of its own."""
    if not given:
        return promise
    read = read_promise(given, parse, place="promise", source="amend")
    if read.id.strip() not in ("", promise.id):
        raise UserError("amend.other_id", place="promise", id=one_name(read.id), own=promise.id)
    return promise._replace(**{key: getattr(read, key) for key in given if key not in _KEPT})


def _more(held: tuple[str, ...], more: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*held, *(text.strip() for text in more if text.strip()))))


def _more_commands(held: tuple[Accept, ...], lines: Iterable[str], parse: Parse) -> tuple[Accept, ...]:
    found = {entry.identity: entry for entry in held}
    for line in lines:
        for entry in read_accept(line, parse, "--accept"):
            found.setdefault(entry.identity, entry)
    return tuple(found.values())


def _just(entry: Any) -> tuple[str, ...]:
    return (entry,)


# How the entries of each part can be called.
_NAMES: Mapping[str, Callable[[Any], tuple[str, ...]]] = {
    "checks": lambda check: (check.name,),
    "acceptance": lambda criterion: (criterion.id,),
    "accept": lambda entry: (entry.line, entry.label, entry.key),
    "allowed_scope": _just,
    "disallowed_scope": _just,
    "required_evidence": _just,
    "permits": _just,
    "done_when": lambda condition: (condition_text(condition),),
    "abort_when": lambda condition: (condition_text(condition),),
}


def _without(promise: Promise, name: str) -> Promise:
    """Without the entry that a person calls `name`, or `part:name` where several are called so."""
    wanted = name.strip()
    called = [
        (part, names(entry)[0], _rank(wanted, part, names(entry)))
        for part, names in _NAMES.items()
        for entry in getattr(promise, part)
    ]
    best = min((rank for *_, rank in called), default=_NOT_CALLED)
    hits = dict.fromkeys((part, first) for part, first, rank in called if rank == best)
    shown = one_name(wanted)
    if best == _NOT_CALLED:
        raise UserError("amend.unknown_entry", name=shown, known=_known(promise))
    if len(hits) > 1:
        known = ", ".join(one_name(f"{part}:{first}") for part, first in hits)
        raise UserError("amend.ambiguous_entry", name=shown, known=known)
    part, first = next(iter(hits))
    kept: dict[str, Any] = {
        part: tuple(entry for entry in getattr(promise, part) if _NAMES[part](entry)[0] != first)
    }
    return promise._replace(**kept)


_NOT_CALLED = 2


def _rank(wanted: str, part: str, names: tuple[str, ...]) -> int:
    """0 for the whole name of an entry, 1 for a shorter one, which others may share."""
    found = (place for place, name in enumerate(names) if wanted in (name, f"{part}:{name}"))
    place = next(found, None)
    return _NOT_CALLED if place is None else min(place, 1)


def _known(promise: Promise) -> str:
    every = [names(entry)[0] for part, names in _NAMES.items() for entry in getattr(promise, part)]
    listed = [one_name(name) for name in every[:_SHOWN]]
    return ", ".join(listed + ["…"] * (len(every) > _SHOWN))
