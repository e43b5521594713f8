"""Context in JSON-like data: which strings a key, a flag or a pair claims to be credentials.

A key-like key claims its value and everything below it; so do `{"name": KEY, "value": …}`, `[KEY, …]` and a
flag before its argument. What nothing claims is read as text. Data too deep to read is dropped, not kept.
"""

from collections import Counter
from collections.abc import Callable
from typing import Any

from donewhen.secrets import forms
from donewhen.secrets.claims import is_harmless_name, is_key_like
from donewhen.secrets.entropy import is_stand_in, looks_random
from donewhen.secrets.spans import DEPTH, ENTROPY, MARK, Span, marker, merge, replace

_SHORTEST = 8  # no rule finds anything in less
_MAX_DEPTH = 200  # deeper data is dropped unread: it could not be redacted
_HIDDEN = f"{MARK}{ENTROPY}]"
_SCHEMES = frozenset(("bearer", "basic", "token", "bot", "apikey", "key"))
_NAMES = ("name", "Name", "key", "Key")
_VALUES = ("value", "Value")
_FLAGS = frozenset(("-u", "-p", "-P", "-a", "-k", "--user"))
_LONGEST_NAME = 60
_PLAIN = frozenset((int, float, bool, type(None)))


def collect(obj: Any, strings: list[str], depth: int = 0) -> bool:
    """Gathers the strings that could hold a secret; true when a key, flag or pair claims one of them."""
    if isinstance(obj, str):
        strings.append(obj)
        return False
    if depth > _MAX_DEPTH:
        return isinstance(obj, (dict, list, tuple))
    if isinstance(obj, dict):
        return _collect_dict(obj, strings, depth + 1)
    if isinstance(obj, (list, tuple)):
        return _collect_list(obj, strings, depth + 1)
    return False


def _collect_list(obj: list[Any] | tuple[Any, ...], strings: list[str], depth: int) -> bool:
    if len(obj) == 2 and _pair_name(obj):
        return True
    for item in obj:
        if type(item) is str:
            strings.append(item)
            # Only what starts with a dash or less sorts before a dot; comparing is cheaper than slicing.
            if item < "." and item[:1] == "-" and (item[:2] in _FLAGS or item in _FLAGS or is_key_like(item)):
                return True
        elif collect(item, strings, depth):
            return True
    return False


def _collect_dict(obj: dict[Any, Any], strings: list[str], depth: int) -> bool:
    for key, value in obj.items():
        if isinstance(key, str):
            if len(key) >= _SHORTEST:
                strings.append(key)
            elif key in _VALUES and _named(obj):
                return True
            if is_key_like(key) and isinstance(value, (str, list, tuple, dict)):
                return True
        kind = type(value)
        if kind is str:
            strings.append(value)
        elif kind not in _PLAIN and collect(value, strings, depth):
            return True
    return False


def _named(obj: dict[Any, Any]) -> bool:
    """Whether `{"name": …, "value": …}` names a credential."""
    names = (obj.get(name) for name in _NAMES)
    return any(isinstance(name, str) and is_key_like(name) for name in names)


def _pair_name(items: list[Any] | tuple[Any, ...]) -> bool:
    """Whether `[name, …]` begins with the name of a credential."""
    name = items[0]
    return isinstance(name, str) and len(name) <= _LONGEST_NAME and " " not in name and is_key_like(name)


def rebuild(obj: Any, text: Callable[[str], str], claimed: bool = False, depth: int = 0) -> Any:
    """`obj` with `text` applied to its strings and claimed secrets replaced; unchanged parts are the same."""
    if isinstance(obj, str):
        return _string(obj, text, claimed)
    if depth > _MAX_DEPTH and isinstance(obj, (dict, list, tuple)):
        return f"{MARK}{DEPTH}]"
    if isinstance(obj, dict):
        return _rebuild_dict(obj, text, claimed, depth + 1)
    if isinstance(obj, (list, tuple)):
        return _rebuild_list(obj, text, claimed, depth + 1)
    return obj


def _rebuild_list(
    obj: list[Any] | tuple[Any, ...], text: Callable[[str], str], claimed: bool, depth: int
) -> list[Any] | tuple[Any, ...]:
    pair = len(obj) == 2 and _pair_name(obj)
    plain = _without_passwords(obj)
    items = [
        rebuild(item, text, claimed or (pair and index == 1) or _is_flagged(plain, index), depth)
        for index, item in enumerate(plain)
    ]
    if all(new is old for new, old in zip(items, obj, strict=True)):
        return obj
    return items if isinstance(obj, list) else tuple(items)


def _is_flagged(items: list[Any] | tuple[Any, ...], index: int) -> bool:
    """Whether the argument before this one is a flag that names a credential (`["--token", "…"]`)."""
    before = items[index - 1] if index else None
    return isinstance(before, str) and before[:1] == "-" and is_key_like(before)


def _without_passwords(items: list[Any] | tuple[Any, ...]) -> list[Any] | tuple[Any, ...]:
    """An argument list read as one command line, for what only the program before a flag explains."""
    if not any(isinstance(item, str) and (item in _FLAGS or item[:2] in _FLAGS) for item in items):
        return items
    words = [item if isinstance(item, str) else "" for item in items]
    spans = merge([Span(*span, ENTROPY) for span in forms.secrets_in(" ".join(words))])
    if not spans:
        return items
    out, at = list(items), 0
    for index, word in enumerate(words):
        inside = [
            Span(span.start - at, span.end - at, span.rule)
            for span in spans
            if at <= span.start and span.end <= at + len(word)
        ]
        out[index] = replace(word, inside) if inside else items[index]
        at += len(word) + 1
    return out


def _rebuild_dict(
    obj: dict[Any, Any], text: Callable[[str], str], claimed: bool, depth: int
) -> dict[Any, Any]:
    changed, named = False, any(value in obj for value in _VALUES) and _named(obj)
    out: dict[Any, Any] = {}
    used: Counter[str] = Counter()
    for key, value in obj.items():
        name = key if isinstance(key, str) else ""
        below = (claimed and not is_harmless_name(name)) or (named and name in _VALUES) or is_key_like(name)
        new_key = _string(key, text, claimed) if len(name) >= _SHORTEST else key
        new = rebuild(value, text, below, depth)
        changed = changed or new is not value or new_key is not key
        out[_unused(new_key, out, used)] = new
    return out if changed else obj


def _unused(key: Any, taken: dict[Any, Any], used: Counter[str]) -> Any:
    """`key`, numbered where another secret key already became the same marker."""
    candidate = key
    while candidate in taken:
        used[key] += 1
        candidate = f"{key}#{used[key] + 1}"
    return candidate


def _string(value: str, text: Callable[[str], str], claimed: bool) -> str:
    if len(value) < _SHORTEST:
        return value
    return (_claimed(value) if claimed else None) or text(value)


def _claimed(value: str) -> str | None:
    """What becomes of a value that something claims, or None where it is no secret by itself."""
    if len(value) > 8192:
        return None
    words = (marker().sub(" ", value) if MARK in value else value).split(maxsplit=4)
    if len(words) == 1:
        return _HIDDEN if looks_random(words[0], quoted=True, claimed=True) else None
    if not 1 < len(words) <= 4:
        return None
    if len(words) == 2 and words[0].lower() in _SCHEMES and _is_bearer(words[1]):
        return f"{words[0]} {_HIDDEN}"
    if any(len(word) >= 16 and looks_random(word, quoted=True, claimed=True) for word in words):
        return _HIDDEN
    return None


def _is_bearer(word: str) -> bool:
    return len(word) >= 8 and not word.isalpha() and not is_stand_in(word)
