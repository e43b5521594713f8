"""Secrets never enter the store: everything written passes through a Redactor first.

It replaces provider shapes, declared values (also in their usual encodings) and high entropy next to a
key-like name by `[redacted:<rule>]`, and leaves git ids, UUIDs, digests and test data alone. It runs for
every event, so text without a trace of a secret costs a few memchr passes; the scanning library is for
commits and the gate, never used here.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Self

from donewhen.secrets import keylike
from donewhen.secrets.declared import Declared, credentials_of
from donewhen.secrets.entropy import looks_random
from donewhen.secrets.spans import ENTROPY, Span, find, merge

_MARK = "[redacted:"
# Replacing can lay bare another secret's border; each pass leaves less to find.
_PASSES = 8
_SHORTEST = 8  # no rule finds anything in less
_MAX_DEPTH = 200  # deeper data is dropped unread: it could not be redacted


class Redactor:
    """Replaces secrets in text and in JSON-like data. `values` are secrets known by their value."""

    __slots__ = ("_declared",)

    def __init__(self, values: Iterable[str] = ()) -> None:
        self._declared = Declared(values)

    @classmethod
    def from_environment(cls, env: Mapping[str, str]) -> Self:
        """A redactor of the values of variables whose names look like credentials."""
        return cls(credentials_of(env))

    def text(self, text: str) -> str:
        """`text` with every secret replaced by a marker; the same object when there is none."""
        for _ in range(_PASSES):
            spans = merge([*self._declared.find(text), *find(text)])
            replaced = replace(text, spans)
            if replaced == text:
                break
            text = replaced
        return text

    def data(self, obj: Any) -> Any:
        """JSON-like data with its strings redacted; the same object when nothing changed."""
        strings: list[str] = []
        # No rule reaches over a line end to unmake a match, so one search of all strings tells for each.
        claimed = _collect(obj, strings, 0)
        joined = "\n".join(strings)
        if not (claimed or find(joined) or self._declared.find(joined)):
            return obj
        return self._rebuild(obj, "", 0)

    def _rebuild(self, obj: Any, key: str, depth: int) -> Any:
        if isinstance(obj, str):
            return self._value(obj, key)
        if depth > _MAX_DEPTH and isinstance(obj, (dict, list, tuple)):
            return f"{_MARK}depth]"
        if isinstance(obj, dict):
            return self._rebuild_dict(obj, depth)
        if isinstance(obj, (list, tuple)):
            items = [
                self._rebuild(item, _flag_before(obj, index) or key, depth + 1)
                for index, item in enumerate(obj)
            ]
            if all(new is old for new, old in zip(items, obj, strict=True)):
                return obj
            return items if isinstance(obj, list) else tuple(items)
        return obj

    def _rebuild_dict(self, obj: dict[Any, Any], depth: int) -> dict[Any, Any]:
        changed = False
        out: dict[Any, Any] = {}
        for key, value in obj.items():
            name = key if isinstance(key, str) else ""
            new_key = self.text(key) if len(name) >= _SHORTEST else key
            new = self._rebuild(value, name, depth + 1)
            changed = changed or new is not value or new_key is not key
            out[_unused(new_key, out)] = new
        return out if changed else obj

    def _value(self, value: str, key: str) -> str:
        if len(value) < _SHORTEST:
            return value
        if key and keylike.is_key_like(key) and _MARK not in value and _is_one_secret(value):
            return f"{_MARK}{ENTROPY}]"
        return self.text(value)


def replace(text: str, spans: list[Span]) -> str:
    """`text` with a marker in the place of each span; they are in order and don't overlap."""
    if not spans:
        return text
    parts: list[str] = []
    at = 0
    for start, end, rule in spans:
        parts += (text[at:start], _MARK, rule, "]")
        at = end
    return "".join((*parts, text[at:]))


def _is_one_secret(value: str) -> bool:
    return looks_random(value, quoted=True) and len(value.split()) == 1


def _unused(key: Any, taken: dict[Any, Any]) -> Any:
    """`key`, numbered where another secret key already became the same marker."""
    number, candidate = 1, key
    while candidate in taken:
        number += 1
        candidate = f"{key}#{number}"
    return candidate


def _flag_before(items: list[Any] | tuple[Any, ...], index: int) -> str:
    """The flag that an argument list names before this item (`["--token", "…"]`)."""
    before = items[index - 1] if index else None
    return before.lstrip("-") if isinstance(before, str) and before.startswith("--") else ""


def _collect(obj: Any, strings: list[str], depth: int) -> bool:
    """Gathers the strings that could hold a secret; true when a key or flag claims one of them."""
    if isinstance(obj, str):
        strings.append(obj)
        return False
    if depth > _MAX_DEPTH:
        return isinstance(obj, (dict, list, tuple))
    if isinstance(obj, dict):
        return _collect_dict(obj, strings, depth + 1)
    if isinstance(obj, (list, tuple)):
        for item in obj:
            if isinstance(item, str):
                strings.append(item)
                if item.startswith("--") and keylike.is_key_like(item):
                    return True
            elif _collect(item, strings, depth + 1):
                return True
    return False


def _collect_dict(obj: dict[Any, Any], strings: list[str], depth: int) -> bool:
    for key, value in obj.items():
        if isinstance(key, str):
            if len(key) >= _SHORTEST:
                strings.append(key)
            if isinstance(value, (str, list, tuple)) and keylike.is_key_like(key):
                return True
        if isinstance(value, str):
            strings.append(value)
        elif _collect(value, strings, depth):
            return True
    return False
