"""Regular expressions that are compiled when they are first used: who never asks one does not pay for it."""

import re
from functools import cached_property
from typing import Any, cast, overload

_SOUND = re.match(r"(?:[^-]++|-(?!--))*+---", "a-b---") is not None  # not so before 3.11.5
# One token of a pattern: an escape, a class, the end of a group with its possessive repeat, or any character.
_TOKEN = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|(\)(?:[*+?]|\{\d*,?\d*\}))\+|.", re.DOTALL)


def portable(source: str) -> str:
    """The pattern as this Python matches it right.

    Before 3.11.5 a possessive repeat of a group misses matches (`(?:a+|b)*+`); there it is a greedy one, that
    finds the same and is slower on hostile text.
    """
    return source if _SOUND else _greedy(source)


def _greedy(source: str) -> str:
    return _TOKEN.sub(lambda token: token[1] or token[0], source)


class Lazy:
    """Stands for a pattern. What was asked of it once is the compiled pattern's own from then on, so that
    it costs nothing more; threads that ask together compile twice at worst. It is no `re.Pattern` where
    only a real one will do, as in `re.sub(pattern, …)`: call its own methods."""

    def __init__(self, source: str | bytes, flags: int = 0) -> None:
        self._made = (source, flags)

    @cached_property
    def _compiled(self) -> "re.Pattern[Any]":
        source, flags = self._made
        return re.compile(portable(source) if isinstance(source, str) else source, flags)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        found = getattr(self._compiled, name)
        self.__dict__[name] = found
        return found

    def __reduce__(self) -> tuple[type["Lazy"], tuple[str | bytes, int]]:
        return type(self), self._made


@overload
def lazy(source: str, flags: int = 0) -> re.Pattern[str]: ...
@overload
def lazy(source: bytes, flags: int = 0) -> re.Pattern[bytes]: ...
def lazy(source: str | bytes, flags: int = 0) -> re.Pattern[str] | re.Pattern[bytes]:
    """As `re.compile`, later."""
    return cast("re.Pattern[str]", Lazy(source, flags))
