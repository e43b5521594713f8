"""The catalogue of everything donewhen says to people, in English and Chinese.

One module per room; each entry is a pair (English, Chinese) under the key `room.name`, so that a text and
its translation can't drift apart unseen. Modules load when a text of theirs is first needed.
"""

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from typing import Literal, NamedTuple

Language = Literal["en", "zh"]
LANGUAGES: tuple[Language, ...] = ("en", "zh")


class Phrase(NamedTuple):
    """A text that is part of another one: said in the language of the whole."""

    key: str
    values: Mapping[str, object] = {}


@cache
def _room(name: str) -> dict[str, tuple[str, str]]:
    texts: dict[str, tuple[str, str]] = import_module(f"{__name__}.{name}").TEXTS
    return texts


def say(key: str, language: Language = "en", /, **values: object) -> str:
    """The text `key` in `language`, its {placeholders} filled with `values`."""
    room, _, name = key.partition(".")
    said = {k: say(v.key, language, **v.values) if isinstance(v, Phrase) else v for k, v in values.items()}
    return _room(room)[name][LANGUAGES.index(language)].format(**said)


def language_of(*hints: str | None) -> Language:
    """The language that the first non-empty hint names (`zh_CN.UTF-8`, `en`, `auto` counts as empty)."""
    for hint in hints:
        if hint and hint != "auto":
            return "zh" if hint.lower().startswith("zh") else "en"
    return "en"
