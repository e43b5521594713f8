"""Reads what a program said: its exit code, its JSON, its words on stderr.

Strict, because a hook that prints bad output must not let an action pass: with exit 0 stdout is empty or one
JSON object of known keys, anything else is a failure that says how to mend it. Pure; nothing is run here.
"""

import json
from typing import Any, NamedTuple

from donewhen.core.codec import Json, freeze
from donewhen.core.texts import Phrase
from donewhen.hooks.model import PASS, Answer

BLOCKED = 2
LONGEST = 1024 * 1024  # bytes on stdout that are read
DEEPEST = 100  # levels of arguments
_TEXTS = ("block", "note")
_KEYS = (*_TEXTS, "args")
_SHOWN = 200


class Said(NamedTuple):
    """What a program did; `exit` is None when it did not come to its own end."""

    exit: int | None
    stdout: bytes = b""
    stderr: str = ""


class _Bad(ValueError):
    def __init__(self, name: str, /, **values: object) -> None:
        super().__init__(name)
        self.phrase = Phrase(f"hooks.{name}", values)


def read(said: Said) -> Answer:
    if said.exit == BLOCKED:
        return Answer(block=said.stderr.strip() or _reason_in(said.stdout) or Phrase("hooks.no_reason"))
    if said.exit != 0:
        words = said.stderr.strip()[-_SHOWN:] or "-"
        return Answer(failed=Phrase("hooks.exit", {"exit": said.exit, "said": words}))
    if not said.stdout.strip():
        return PASS
    try:
        return _answer(_object(said.stdout))
    except _Bad as error:
        return Answer(failed=error.phrase)


def _reason_in(stdout: bytes) -> str:
    """A program that blocks by its exit code may still give the reason as JSON; it blocks anyway."""
    try:
        block = _answer(_object(stdout)).block
    except _Bad:
        return ""
    return block if isinstance(block, str) else ""


def _object(stdout: bytes) -> dict[str, Any]:
    if len(stdout) > LONGEST:
        raise _Bad("too_long", limit=LONGEST)
    try:
        data = json.loads(stdout.decode(), object_pairs_hook=_once, parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        if isinstance(error, _Bad):
            raise
        raise _Bad("no_json", said=_shown(stdout)) from None
    if not isinstance(data, dict):
        raise _Bad("no_json", said=_shown(stdout))
    return data


def _answer(data: dict[str, Any]) -> Answer:
    unknown = [key for key in data if key not in _KEYS]
    if unknown:
        raise _Bad("unknown_key", key=unknown[0][:_SHOWN], known=", ".join(_KEYS))
    given = {key: value for key, value in data.items() if value is not None}
    for key in _TEXTS:
        if key in given and not (isinstance(given[key], str) and given[key].strip()):
            raise _Bad("no_text", key=key)
    return Answer(
        given.get("block", ""), given.get("note", ""), _arguments(given["args"]) if "args" in given else None
    )


def arguments_of(data: Any) -> Json | Phrase:
    """Changed arguments, frozen, or what is wrong with them."""
    try:
        return _arguments(data)
    except _Bad as error:
        return error.phrase


def _arguments(data: Any) -> Json:
    """They go where the agent's own would go, so they are bounded."""
    if not isinstance(data, dict):
        raise _Bad("no_arguments")
    level, depth = [data], 0
    while level:
        depth += 1
        if depth > DEEPEST:
            raise _Bad("too_deep", limit=DEEPEST)
        level = [inner for each in level for inner in _inside(each)]
    return freeze(data)


def _inside(data: Any) -> list[Any]:
    inner = data.values() if isinstance(data, dict) else data
    return [each for each in inner if isinstance(each, dict | list)]


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    data = dict(pairs)
    if len(data) != len(pairs):  # readers differ in which one they take, so none is taken
        raise _Bad("twice")
    return data


def _no_number(name: str) -> Any:
    raise _Bad("no_number", name=name)


def _shown(stdout: bytes) -> str:
    return stdout[: 4 * _SHOWN].decode(errors="replace").strip()[:_SHOWN]
