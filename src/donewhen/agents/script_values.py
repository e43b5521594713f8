"""The shapes that values of a script may have, each told with its line when it is another.

A script is hostile input: what is not understood is refused, never guessed. Nothing is converted: `yes`,
`1.0` and dates are no texts unless they are written in quotes.
"""

from collections.abc import Callable, Mapping
from typing import Any

from donewhen.agents.script_actions import Call
from donewhen.config.places import harmless
from donewhen.config.yamltext import Item, Odd, Pair, pairs_of
from donewhen.core.errors import UserError
from donewhen.core.texts import Phrase

_PLAN = ("todos", "checks", "files")


def wrong(key: str, item: Item, wanted: str) -> UserError:
    return UserError(
        "agents.wrong_type", place=str(item.place), key=harmless(key), wanted=Phrase(f"agents.a_{wanted}")
    )


def only(item: Item, known: tuple[str, ...]) -> None:
    """Refuses a key that is not known: misspelt, it would silently not be played."""
    for pair in pairs_of(item):
        if pair.key not in known:
            raise UserError(
                "agents.unknown_key",
                place=str(pair.key_item.place),
                key=harmless(pair.key),
                known=", ".join(known),
            )


def entries(key: str, item: Item) -> dict[str, Pair]:
    if item.kind != "map":
        raise wrong(key, item, "map")
    return {pair.key: pair for pair in pairs_of(item)}


def text(key: str, item: Item) -> str:
    if item.kind != "scalar" or not isinstance(item.value, str):
        raise wrong(key, item, "text")
    return item.value


def data(item: Item) -> Any:
    """Plain JSON data; a date or an odd number is the text that was written."""
    if item.kind == "map":
        return {pair.key: data(pair.item) for pair in item.value}
    if item.kind == "list":
        return [data(inner) for inner in item.value]
    return item.value.text if isinstance(item.value, Odd) else item.value


def mapping(key: str, item: Item) -> dict[str, Any]:
    entries(key, item)
    found: dict[str, Any] = data(item)
    return found


def _call(key: str, item: Item) -> Call:
    """One entry of `calls`."""
    found = entries(key, item)
    only(item, ("tool", "args"))
    if "tool" not in found:
        raise UserError("agents.missing_key", place=str(item.place), key=harmless(key), missing="tool")
    args = found.get("args")
    return text("tool", found["tool"].item), mapping("args", args.item) if args else {}


def _calls(key: str, item: Item) -> list[Call]:
    if item.kind != "list" or not item.value:
        raise wrong(key, item, "list_of_calls")
    return [_call(key, inner) for inner in item.value]


def _texts(*names: str) -> Callable[[str, Item], dict[str, Any]]:
    """A mapping that has exactly these texts."""

    def shape(key: str, item: Item) -> dict[str, Any]:
        found = entries(key, item)
        only(item, names)
        for name in names:
            if name not in found:
                raise UserError("agents.missing_key", place=str(item.place), key=harmless(key), missing=name)
        return {name: text(name, found[name].item) for name in names}

    return shape


def _plan(key: str, item: Item) -> dict[str, Any]:
    entries(key, item)
    only(item, _PLAN)
    return mapping(key, item)


SHAPES: Mapping[str, Callable[[str, Item], Any]] = {
    "text": text,
    "calls": _calls,
    "edit": _texts("path", "old", "new"),
    "write": _texts("path", "content"),
    "plan": _plan,
}
