"""A revision of the plan's checks by the agent: it may add or tighten, never drop or soften.

Entry by entry: what is granted counts at once, each refusal is told. A check that the revision does not
mention stays. A whole plan that a human refused is withdrawn: what was before it holds again.
"""

from typing import NamedTuple

from donewhen.core.checks import Check, dedupe
from donewhen.core.matches import Parse
from donewhen.core.texts import Phrase
from donewhen.core.todos.model import NO_TODOS, Todo, TodoList, as_list

_STRICTNESS = ("prefix", "argv", "exact")


class Revision(NamedTuple):
    checks: tuple[Check, ...]
    refused: tuple[Phrase, ...]


class Plan(NamedTuple):
    """All that a plan can change."""

    todos: TodoList = NO_TODOS
    checks: tuple[Check, ...] = ()
    files: tuple[str, ...] = ()


def withdrawn(before: Plan, now: Plan) -> Plan:
    """What held before a refused plan; a todo that a human has waived meanwhile stays waived."""
    held = now.todos.entries
    return before._replace(
        todos=as_list(_as_before(todo, held.get(todo.id, todo)) for todo in before.todos.entries.values())
    )


def _as_before(todo: Todo, held: Todo) -> Todo:
    """Revisions only rise, so that a write which has seen the refused plan is found out."""
    back = todo._replace(required=todo.required and held.required, revision=held.revision)
    return held if back == held else back._replace(revision=held.revision + 1)


def revise(active: tuple[Check, ...], proposed: tuple[Check, ...], parse: Parse) -> Revision:
    checks = list(active)
    refused: list[Phrase] = []
    mentioned: set[int] = set()
    for check in proposed:
        place = _same_one(checks, check)
        if place is None:
            checks.append(check._replace(by="agent"))
            mentioned.add(len(checks) - 1)
            continue
        mentioned.add(place)
        held = checks[place]
        if not _at_least(held, check, parse):
            refused.append(Phrase("gate.softening_refused", {"check": held.name}))
        elif held.identity != check.identity:
            checks[place] = check._replace(id=held.id, source=held.source, by=held.by)
    dropped = [check for number, check in enumerate(active) if number not in mentioned]
    refused += [Phrase("gate.drop_refused", {"check": check.name}) for check in dropped]
    return Revision(dedupe(checks), tuple(refused))


def _same_one(checks: list[Check], proposed: Check) -> int | None:
    """Which check an entry speaks about: the one with its id, else the one of its kind and target."""
    for number, check in enumerate(checks):
        if proposed.id and check.id == proposed.id:
            return number
    for number, check in enumerate(checks):
        nameless = not proposed.id or not check.id
        if nameless and (check.kind, check.target) == (proposed.kind, proposed.target):
            return number
    return None


def _at_least(held: Check, proposed: Check, parse: Parse) -> bool:
    """Whether whatever proves `proposed` proves `held` as well."""
    if held.kind != proposed.kind or (held.required and not proposed.required):
        return False
    if _STRICTNESS.index(proposed.match) < _STRICTNESS.index(held.match):
        return False
    if held.target != proposed.target and not _wider(held, proposed, parse):
        return False
    return held.params.keys() == proposed.params.keys() and all(
        _implies(key, proposed.params[key], value) for key, value in held.params.items()
    )


def _wider(held: Check, proposed: Check, parse: Parse) -> bool:
    if held.kind != "command_success" or held.match != "argv" or proposed.match != "argv":
        return False
    return parse.match(parse(held.target), parse(proposed.target)).match


def _implies(key: str, proposed: str, held: str) -> bool:
    if key == "contains":
        return held in proposed
    if key == "scenarios":
        return set(held.split("\n")) <= set(proposed.split("\n"))
    return proposed == held
