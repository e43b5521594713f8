"""A promise file: YAML or JSON, read strictly; every part knows its line.

An unknown key, a wrong type or a key given twice is refused with FILE:LINE. A promise that was half
understood would prove half of what was promised.
"""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from donewhen.config.places import harmless
from donewhen.config.yamltext import Item
from donewhen.core.accept import Accept, read_accept
from donewhen.core.checks import Check, read_checks
from donewhen.core.errors import UserError
from donewhen.core.matches import Parse
from donewhen.core.promise import Criterion, Promise
from donewhen.core.promise_data import read_promise
from donewhen.core.texts import Phrase
from donewhen.core.todos.reading import read_todos
from donewhen.intake.parts import Parts, TodoPart
from donewhen.intake.reading import data_of, entry, read_text, read_tree

_ROOT = "promise"
_STEP = re.compile(r"\.([A-Za-z_]\w*)|\[(\d+)\]")
_SINGLE = (
    "objective",
    "allowed_scope",
    "disallowed_scope",
    "required_evidence",
    "permits",
    "done_when",
    "abort_when",
)


_KEYS = (*Promise._fields, "todos")
_FIELDS = {
    "acceptance": ("id", "description", "evidence_required", "evidence_mode"),
    "checks": ("id", "kind", "target", "match", "required", "params"),
    "done_when": ("type", "target"),
    "abort_when": ("type", "target"),
}


def promise_file(path: Path, parse: Parse, targets: frozenset[str] = frozenset(), shown: str = "") -> Parts:
    """What the promise file at `path` gives; `shown` is how people name it."""
    name = shown or str(path)
    return promise_text(read_text(path, shown=name), parse, name, targets)


def promise_text(text: str, parse: Parse, name: str, targets: frozenset[str] = frozenset()) -> Parts:
    tree = read_tree(text, name)
    if tree is None or tree.kind != "map":
        raise UserError("intake.promise_not_a_map", place=f"{harmless(name)}:1")
    data: Any = data_of(tree)
    try:
        todos = _todos(data.pop("todos", None), tree)
        accept = _accept(data, tree, parse)
        _only_known_fields(data)
        promise = read_promise(data, parse, place=_ROOT, targets=targets)
        checks, warnings = _checks(data.get("checks"), tree, parse, targets)
    except UserError as error:
        raise _located(error, tree) from None
    return Parts(
        source=name,
        objective=promise.objective.strip(),
        criteria=_criteria(promise, tree),
        checks=checks,
        accept=accept,
        todos=todos,
        id=promise.id.strip(),
        derived_from=promise.derived_from,
        allowed_scope=promise.allowed_scope,
        disallowed_scope=promise.disallowed_scope,
        required_evidence=promise.required_evidence,
        permits=promise.permits,
        done_when=promise.done_when if data.get("done_when") is not None else None,
        abort_when=promise.abort_when if data.get("abort_when") is not None else None,
        answer_only=promise.answer_only,
        places={key: _line(tree, key) for key in (*_SINGLE, "answer_only") if data.get(key) is not None},
        own_ids=True,
        warnings=warnings,
    )


def _only_known_fields(data: Mapping[str, Any]) -> None:
    """A misspelt field would be silently absent, and what it asked for unproven."""
    for name in data:
        if name not in Promise._fields:
            raise UserError("promise.unknown_key", place=_ROOT, key=name, known=", ".join(_KEYS))
    for key, known in _FIELDS.items():
        entries = data.get(key)
        for number, one in enumerate(entries if isinstance(entries, list) else (), 1):
            unknown = [name for name in one if name not in known] if isinstance(one, dict) else []
            if unknown:
                place = f"{_ROOT}.{key}[{number}]"
                raise UserError("promise.unknown_key", place=place, key=unknown[0], known=", ".join(known))


def _accept(data: dict[str, Any], tree: Item, parse: Parse) -> tuple[Accept, ...]:
    """The commands, each with its own line; what is no list of texts is left for the reader to refuse."""
    lines = data.get("accept")
    if not isinstance(lines, list) or not all(isinstance(line, str) for line in lines):
        return ()
    del data["accept"]
    places = [_line(tree, "accept", number) for number in range(len(lines))]
    return tuple(
        found for line, place in zip(lines, places, strict=True) for found in read_accept(line, parse, place)
    )


def _checks(
    data: object, tree: Item, parse: Parse, targets: frozenset[str]
) -> tuple[tuple[Check, ...], tuple[Phrase, ...]]:
    """The list was read as a whole before, so each entry alone is right as well."""
    if not isinstance(data, list):
        return (), ()
    found: list[Check] = []
    warnings: list[Phrase] = []
    for number, one in enumerate(data):
        place = _line(tree, "checks", number)
        read = read_checks([one], parse, place=place, targets=targets, source=place)
        found += read.checks
        warnings += [Phrase(each.key, {**each.values, "place": place}) for each in read.warnings]
    return tuple(found), tuple(warnings)


def _criteria(promise: Promise, tree: Item) -> tuple[Criterion, ...]:
    return tuple(
        criterion._replace(source=_line(tree, "acceptance", number))
        for number, criterion in enumerate(promise.acceptance)
    )


def _todos(data: object, tree: Item) -> tuple[TodoPart, ...]:
    if data is None:
        return ()
    read_todos(data, "todos")  # refuses what is wrong while its place is known
    assert isinstance(data, list)
    return tuple(TodoPart(_given(one), _line(tree, "todos", number)) for number, one in enumerate(data))


def _given(data: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in data.items() if value is not None}


def _line(tree: Item, key: str, number: int | None = None) -> str:
    pair = entry(tree, key)
    if pair is None:
        return str(tree.place)
    if number is None or pair.item.kind != "list":
        return str(pair.key_item.place)
    return str(pair.item.value[number].place)


def _located(error: UserError, tree: Item) -> UserError:
    """The same error; a place such as `promise.checks[2]` is told as file and line."""
    place = error.values.get("place")
    if not isinstance(place, str) or not place.startswith((_ROOT, "todos")):
        return error
    path = place.removeprefix(_ROOT)
    item = tree
    for name, number in _STEP.findall(path if path.startswith((".", "[")) else f".{path}"):
        inner = _inside(item, name, int(number or 0) - 1)  # entries count from 1
        if inner is None:
            break
        item = inner
    key = error.values.get("key")
    wrong = entry(item, key) if isinstance(key, str) else None
    at = wrong.key_item.place if wrong else item.place
    what = path.lstrip(".")
    return UserError(error.key, **{**error.values, "place": f"{at} ({what})" if what else str(at)})


def _inside(item: Item, name: str, number: int) -> Item | None:
    if name:
        pair = entry(item, name)
        return pair.item if pair else None
    if item.kind != "list" or not 0 <= number < len(item.value):
        return None
    inner: Item = item.value[number]
    return inner
