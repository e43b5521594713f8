"""A promise from data that a user wrote: right shapes only, one sentence about the first wrong one."""

from collections.abc import Iterable, Mapping
from typing import Any

from donewhen.core.accept import Accept, read_accept
from donewhen.core.checks import read_checks
from donewhen.core.codec import to_json
from donewhen.core.errors import UserError
from donewhen.core.matches import Parse
from donewhen.core.promise import ABORT_BY_DEFAULT, DONE_BY_DEFAULT, Condition, Criterion, Promise

_KEYS = (
    "id",
    "objective",
    "acceptance",
    "allowed_scope",
    "disallowed_scope",
    "required_evidence",
    "permits",
    "checks",
    "accept",
    "done_when",
    "abort_when",
    "derived_from",
    "answer_only",
)


def read_promise(
    data: object,
    parse: Parse,
    *,
    place: str = "promise",
    targets: Iterable[str] = (),
    source: str = "",
    stored: bool = False,
) -> Promise:
    """The promise that `data` describes, not yet validated; an absent id stays empty. See `read_checks`."""
    if not isinstance(data, Mapping):
        raise UserError("promise.not_an_object", place=place)
    for key in data:
        if key not in _KEYS:
            raise UserError("promise.unknown_key", place=place, key=key, known=", ".join(_KEYS))
    if not isinstance(data.get("answer_only", False), bool):
        raise UserError("promise.not_bool", place=f"{place}.answer_only")
    return Promise(
        id=_text(data, "id", place),
        objective=_text(data, "objective", place),
        acceptance=_criteria(data.get("acceptance"), f"{place}.acceptance", source),
        allowed_scope=_texts(data, "allowed_scope", place),
        disallowed_scope=_texts(data, "disallowed_scope", place),
        required_evidence=_texts(data, "required_evidence", place),
        permits=_texts(data, "permits", place),
        checks=read_checks(
            data.get("checks"), parse, place=f"{place}.checks", targets=targets, source=source, stored=stored
        ).checks,
        accept=_accept(_texts(data, "accept", place), parse, source),
        done_when=_conditions(data, "done_when", DONE_BY_DEFAULT, place),
        abort_when=_conditions(data, "abort_when", ABORT_BY_DEFAULT, place),
        derived_from=_text(data, "derived_from", place),
        answer_only=data.get("answer_only", False),
    )


def write_promise(promise: Promise) -> dict[str, Any]:
    """The promise as plain data, as it stands in the ledger; `read_promise` takes it back."""
    data = to_json(promise)
    for key in ("acceptance", "checks"):
        for entry in data.get(key, []):
            entry.pop("source", None)
            entry.pop("by", None)
    if promise.accept:
        data["accept"] = [entry.line for entry in promise.accept]
    return data


def sources_of(promise: Promise) -> dict[str, str]:
    """Where each part came from, by its name; what comes from nowhere is left out."""
    named = {
        **{f"criterion:{each.id}": each.source for each in promise.acceptance},
        **{f"check:{each.name}": each.source for each in promise.checks},
        **{f"accept:{each.line}": each.source for each in promise.accept},
    }
    return {name: source for name, source in named.items() if source}


def with_sources(promise: Promise, sources: Mapping[str, str]) -> Promise:
    """The same promise, its parts with the sources that are known of them."""
    if not sources:
        return promise
    return promise._replace(
        acceptance=tuple(
            each._replace(source=sources.get(f"criterion:{each.id}", each.source))
            for each in promise.acceptance
        ),
        checks=tuple(
            each._replace(source=sources.get(f"check:{each.name}", each.source)) for each in promise.checks
        ),
        accept=tuple(
            each._replace(source=sources.get(f"accept:{each.line}", each.source)) for each in promise.accept
        ),
    )


def _accept(lines: Iterable[str], parse: Parse, source: str) -> tuple[Accept, ...]:
    found: dict[tuple[object, ...], Accept] = {}
    for line in lines:
        for entry in read_accept(line, parse, source):
            found.setdefault(entry.identity, entry)
    return tuple(found.values())


def _criteria(data: object, place: str, source: str) -> tuple[Criterion, ...]:
    if data is None:
        return ()
    if not isinstance(data, list | tuple):
        raise UserError("promise.not_a_list", place=place)
    criteria = []
    for number, entry in enumerate(data, 1):
        here = f"{place}[{number}]"
        if not isinstance(entry, Mapping):
            raise UserError("promise.not_an_object", place=here)
        criteria.append(
            Criterion(
                _text(entry, "id", here),
                _text(entry, "description", here),
                _texts(entry, "evidence_required", here),
                _text(entry, "evidence_mode", here).strip() or "any",
                source,
            )
        )
    return tuple(criteria)


def _conditions(
    data: Mapping[str, Any], key: str, default: tuple[Condition, ...], place: str
) -> tuple[Condition, ...]:
    entries, here = data.get(key), f"{place}.{key}"
    if entries is None:
        return default
    if not isinstance(entries, list | tuple):
        raise UserError("promise.not_a_list", place=here)
    for number, entry in enumerate(entries, 1):
        if not isinstance(entry, Mapping):
            raise UserError("promise.not_an_object", place=f"{here}[{number}]")
    return tuple(
        Condition(_text(entry, "type", here).strip(), _text(entry, "target", here).strip())
        for entry in entries
    )


def _text(data: Mapping[str, Any], key: str, place: str) -> str:
    value = data.get(key)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise UserError("promise.not_text", place=f"{place}.{key}")
    return value


def _texts(data: Mapping[str, Any], key: str, place: str) -> tuple[str, ...]:
    value = data.get(key)
    if value is None:
        return ()
    if not isinstance(value, list | tuple) or not all(isinstance(item, str) for item in value):
        raise UserError("promise.not_texts", place=f"{place}.{key}")
    return tuple(item.strip() for item in value)
