"""Where a setting stands, and what is to be said about it.

Problems and notes are data: a key of the catalogue, a place and values, so they can be collected, sorted
and said in any language. Text that comes from files is made harmless before it is shown; values never are
shown where they may hold a password.
"""

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from donewhen.core.errors import UserError
from donewhen.core.texts import Language, say

LayerName = Literal["default", "user", "project", "environment", "flag"]
Path = tuple[str | int, ...]

_LONGEST = 160


class Place(NamedTuple):
    """A position in a file (lines from 1), or a variable or flag, which have no lines."""

    source: str
    line: int = 0
    column: int = 0

    def __str__(self) -> str:
        return f"{harmless(self.source, 4096)}:{self.line}" if self.line else harmless(self.source, 4096)


class Origin(NamedTuple):
    """Which layer gave a value, and where."""

    layer: LayerName
    place: Place = Place("")

    def __str__(self) -> str:
        return f"{self.layer} {self.place}" if self.place.source else self.layer


class Remark(NamedTuple):
    """A problem or a note about one place."""

    key: str
    place: Place
    values: Mapping[str, object] = {}

    def say(self, language: Language = "en") -> str:
        values = {name: _harmless_value(value) for name, value in self.values.items()}
        return say(self.key, language, **{"place": str(self.place), **values})

    def __str__(self) -> str:
        return self.say("en")


class ConfigError(UserError):
    """All problems found at once; the sentence names the first one and counts the others."""

    def __init__(self, problems: Sequence[Remark]) -> None:
        first = problems[0]
        super().__init__(first.key, **{"place": first.place, **first.values})
        self.problems = tuple(problems)

    def say(self, language: Language) -> str:
        first = self.problems[0].say(language)
        if len(self.problems) == 1:
            return first
        return first + say("config.and_more", language, count=len(self.problems) - 1)


def refuse(key: str, place: Place, **values: object) -> ConfigError:
    return ConfigError([Remark(key, place, values)])


def harmless(text: str, longest: int = _LONGEST) -> str:
    """The text with control and direction characters escaped, cut to a readable length."""
    cut = text if len(text) <= longest else text[: longest - 1] + "…"
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in cut)


def dotted(path: Path) -> str:
    """`guardrails.rules[0].pattern` for a path of names and positions."""
    out = ""
    for part in path:
        if isinstance(part, int):
            out += f"[{part}]"
        elif not out or part.startswith("["):
            out += part
        else:
            out += f".{part}"
    return out


def _harmless_value(value: object) -> object:
    if isinstance(value, str):
        return harmless(value, 400)
    return value if isinstance(value, int | float) else harmless(str(value), 400)
