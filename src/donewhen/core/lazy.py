"""Regular expressions that are compiled when they are first used: who never asks one does not pay for it."""

import re
from functools import cached_property
from typing import Any, cast, overload


class Lazy:
    """Stands for a pattern. What was asked of it once is the compiled pattern's own from then on, so that
    it costs nothing more; threads that ask together compile twice at worst. It is no `re.Pattern` where
    only a real one will do, as in `re.sub(pattern, …)`: call its own methods."""

    def __init__(self, source: str | bytes, flags: int = 0) -> None:
        self._made = (source, flags)

    @cached_property
    def _compiled(self) -> "re.Pattern[Any]":
        return re.compile(*self._made)

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
