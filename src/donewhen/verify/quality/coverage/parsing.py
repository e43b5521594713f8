"""JSON and XML of reports, with the care that strangers' files need: bounded, no entities, nothing deep.

A reader gets plain data or the report is refused as unreadable, with the form it should have had.
"""

import json
from collections.abc import Callable, Mapping
from typing import Any
from xml.parsers import expat

from donewhen.core.quality.model import Unreadable
from donewhen.core.texts import Phrase

LARGEST = 64 * 2**20
_DEEPEST = 64
_CHUNK = 256 * 1024
Start = Callable[[str, Mapping[str, str]], None]


class Refused(Exception):
    """A document that is made to do harm, or is of another kind."""


def wrong_form(form: str) -> Unreadable:
    return Unreadable("coverage.unreadable", form=form, why=Phrase("coverage.why_form"))


def bounded(data: bytes, form: str, most: int = LARGEST) -> bytes:
    if len(data) > most:
        raise Unreadable("coverage.unreadable", form=form, why=Phrase("coverage.why_large"))
    return data


def load_json(data: bytes, form: str) -> dict[str, Any]:
    try:
        loaded = json.loads(bounded(data, form))
    except (ValueError, RecursionError):
        raise wrong_form(form) from None
    if not isinstance(loaded, dict):
        raise wrong_form(form)
    return loaded


def walk_xml(data: bytes, form: str, start: Start, end: Callable[[str, str], None]) -> None:
    """Calls back with each element, its text at its end (a short one, without that of its children)."""
    text: list[str] = []
    depth = 0

    def opened(tag: str, attributes: dict[str, str]) -> None:
        nonlocal depth
        depth += 1
        if depth > _DEEPEST:
            raise Refused
        text.clear()
        start(tag.rpartition(" ")[2], attributes)

    def closed(tag: str) -> None:
        nonlocal depth
        depth -= 1
        end(tag.rpartition(" ")[2], "".join(text).strip())
        text.clear()

    def said(characters: str) -> None:
        if len(text) < 16:
            text.append(characters[:4096])

    parser = expat.ParserCreate(namespace_separator=" ")
    parser.buffer_text = True
    parser.StartElementHandler = opened
    parser.EndElementHandler = closed
    parser.CharacterDataHandler = said
    parser.StartDoctypeDeclHandler = _doctype
    parser.EntityDeclHandler = _refuse
    try:
        for at in range(0, len(bounded(data, form)), _CHUNK):
            parser.Parse(data[at : at + _CHUNK], False)
        parser.Parse(b"", True)
    except (expat.ExpatError, Refused, LookupError, ValueError):
        raise wrong_form(form) from None


def _doctype(name: str, system: str | None, public: str | None, own: int) -> None:
    """Cobertura and jacoco name a document type, which is never fetched; one of its own is refused."""
    if own:
        raise Refused


def _refuse(*_: object) -> None:
    raise Refused


def number(value: object, highest: int = 10**15) -> int | None:
    """A whole number that is written as such, not negative; None for anything else."""
    if isinstance(value, str):
        digits = value.strip()
        value = int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 20 else None
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= highest:
        return None
    return value
