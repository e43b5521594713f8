"""Our entries in a client's settings: put in, found again, taken out. Works on texts; no file is touched."""

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

from donewhen.core.errors import UserError
from donewhen.integrations.install.clients import Client, group
from donewhen.integrations.install.editing import append, put, remove
from donewhen.integrations.install.jsonc import Node, NotJson, at, read
from donewhen.integrations.install.lines import is_ours

Path = tuple[str, ...]
FOLDER = "/plugins/opencode"  # in our repository
_PLUGINS = ("/opencode/donewhen.js", FOLDER)  # the first in our state folder
_MARK = "\ufeff"


class Changed(NamedTuple):
    """A new text, and the members that had to be made for it (they go again when nobody else uses them)."""

    text: str
    made: tuple[Path, ...]


class Entry(NamedTuple):
    """One of our hooks as it stands in a file."""

    event: str
    group: int
    hook: int
    command: str
    whole: str  # all that the client reads of it


def decoded(data: bytes, file: str) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise UserError("install.not_json", file=file, line=line) from None


def parsed(text: str, client: Client, file: str) -> Node:
    """The settings as an object; the mark of some editors at the beginning is not part of it."""
    try:
        node = read(text, loose=client.loose)
    except NotJson as error:
        raise UserError("install.not_json", file=file, line=text[: error.at].count("\n") + 1) from None
    if node.kind != "object":
        raise UserError("install.not_json", file=file, line=1)
    return node


def with_entries(text: str, client: Client, called: str, file: str) -> Changed:
    """`text` with our entries; `called` is the program, for opencode the address of the plugin."""
    mark, body, fresh = _opened(text)
    root = parsed(body, client, file)
    for path, value in client.off:
        found = at(root, path)
        if found is not None and found.value() is value:
            raise UserError("install.switched_off", file=file, key=".".join(path), value=str(value).lower())
    _require_shapes(root, client, file)
    made: list[Path] = []
    if client.name == "opencode":
        body = _member(body, ("plugin",), [], client, made)
        body = append(body, ("plugin",), called, loose=client.loose)
    else:
        for event in client.events:
            body = _member(body, ("hooks",), {}, client, made)
            body = _member(body, ("hooks", event), [], client, made)
            body = append(body, ("hooks", event), group(client, event, called), loose=client.loose)
    for path, value in client.extras:
        body = _member(body, path[:1], {}, client, made)
        body = _member(body, path, value, client, made)
    return Changed(mark + body + fresh, tuple(made))


def without_entries(text: str, client: Client, made: Sequence[Path] | None, file: str) -> str:
    """`text` without our entries and without what was `made` for them (None: not known) and is empty now."""
    mark, body, _ = _opened(text)
    parsed(body, client, file)
    if not ours_in(text, client, file):
        return text
    for path, value in reversed(client.extras):
        node = at(read(body, loose=client.loose), path)
        if node is not None and node.value() == value and (made is None or path in made):
            body = remove(body, path[:-1], path[-1], loose=client.loose)
            body = _sweep(body, path[:-1], client, made)
    if client.name == "opencode":
        body = _without_plugin(body, client)
        return mark + _sweep(body, ("plugin",), client, made)
    emptied = []
    for entry in reversed(_hooks_in(read(body, loose=client.loose), client)):
        body = _without_hook(body, entry, client)
        emptied.append(("hooks", entry.event))
    for path in (*dict.fromkeys(emptied), ("hooks",)):
        body = _sweep(body, path, client, made)
    return mark + body


def ours_in(text: str, client: Client, file: str) -> list[str]:
    """Our commands (or the address of our plugin) in a text, in its order."""
    _, body, _ = _opened(text)
    root = parsed(body, client, file)
    if client.name == "opencode":
        return [value for value in _plugins(root) if _is_plugin(value)]
    return [entry.command for entry in _hooks_in(root, client)]


def wanted(client: Client, called: str) -> list[str]:
    """What `standing_in` finds right after an install."""
    if client.name == "opencode":
        return [called]
    return sorted(_whole(event, group(client, event, called)) for event in client.events)


def standing_in(text: str, client: Client, file: str) -> list[str]:
    """Our entries with all that decides when and how long they run, in an order of their own."""
    if client.name == "opencode":
        return ours_in(text, client, file)
    return sorted(entry.whole for entry in _hooks_in(parsed(_opened(text)[1], client, file), client))


def _opened(text: str) -> tuple[str, str, str]:
    """Mark, content, and the line end that a file gets which had no content at all."""
    mark, body = (_MARK, text[1:]) if text.startswith(_MARK) else ("", text)
    return (mark, body, "") if body.strip() else (mark, "{}", "\n")


def _require_shapes(root: Node, client: Client, file: str) -> None:
    wanted: list[tuple[Path, str]] = [(path[:1], "object") for path, _ in client.extras]
    if client.name == "opencode":
        wanted.append((("plugin",), "array"))
    else:
        wanted.append((("hooks",), "object"))
        wanted += [(("hooks", event), "array") for event in client.events]
    for path, kind in wanted:
        node = at(root, path)
        if node is not None and node.kind != kind:
            raise UserError("install.wrong_shape", file=file, key=".".join(path))


def _member(text: str, path: Path, value: Any, client: Client, made: list[Path]) -> str:
    if at(read(text, loose=client.loose), path) is not None:
        return text
    made.append(path)
    return put(text, path, value, loose=client.loose)


def _hooks_in(root: Node, client: Client) -> list[Entry]:
    hooks = at(root, ("hooks",))
    found: list[Entry] = []
    for member in hooks.items if hooks and hooks.kind == "object" else ():
        for place, each in enumerate(member.node.items if member.node.kind == "array" else ()):
            inner = each.node.item("hooks")
            for number, hook in enumerate(inner.node.items if inner and inner.node.kind == "array" else ()):
                command = hook.node.item("command")
                if command and is_ours(client.name, command.node.plain):
                    event, only = member.key or "", {"hooks": [hook.node.value()]}
                    whole = _whole(event, {**each.node.value(), **only})
                    found.append(Entry(event, place, number, command.node.plain, whole))
    return found


def _whole(event: str, entry: dict[str, Any]) -> str:
    return json.dumps([event, entry], sort_keys=True)


def _without_hook(text: str, entry: Entry, client: Client) -> str:
    """A group that holds nothing but our hook goes as a whole."""
    loose, path = client.loose, ("hooks", entry.event)
    groups = at(read(text, loose=loose), path)
    assert groups is not None
    held = groups.items[entry.group].node.item("hooks")
    assert held is not None
    if len(held.node.items) == 1:
        return remove(text, path, entry.group, loose=loose)
    start, end = groups.items[entry.group].node.start, groups.items[entry.group].node.end
    return text[:start] + remove(text[start:end], ("hooks",), entry.hook, loose=loose) + text[end:]


def _sweep(text: str, path: Path, client: Client, made: Sequence[Path] | None) -> str:
    node = at(read(text, loose=client.loose), path)
    if node is None or node.kind == "plain" or node.items or not (made is None or path in made):
        return text
    return remove(text, path[:-1], path[-1], loose=client.loose)


def _plugins(root: Node) -> list[Any]:
    node = at(root, ("plugin",))
    return node.value() if node is not None and node.kind == "array" else []


def _is_plugin(value: object) -> bool:
    return isinstance(value, str) and value.startswith(("file://", "/")) and value.endswith(_PLUGINS)


def _without_plugin(text: str, client: Client) -> str:
    values = _plugins(read(text, loose=client.loose))
    for place in reversed(range(len(values))):
        if _is_plugin(values[place]):
            text = remove(text, ("plugin",), place, loose=client.loose)
    return text
