"""Secrets never enter the store: everything written passes through a Redactor first.

It replaces provider shapes, declared values (also in their usual encodings) and high entropy next to a
key-like name by `[redacted:<rule>]`, and leaves git ids, UUIDs, digests and test data alone. It runs for
every event, so text without a trace of a secret costs a few memchr passes; the scanning library is for
commits and the gate, never used here.
"""

from collections.abc import Collection, Iterable, Mapping
from typing import Any, Self

from donewhen.secrets.data import collect, rebuild
from donewhen.secrets.declared import Declared, credentials_of
from donewhen.secrets.spans import find, merge, replace

# Replacing can lay bare another secret's border; each pass leaves less to find.
_PASSES = 8


class Redactor:
    """Replaces secrets in text and in JSON-like data. `values` are secrets known by their value."""

    __slots__ = ("_declared",)

    def __init__(self, values: Iterable[str] = ()) -> None:
        self._declared = Declared(values)

    @classmethod
    def from_environment(cls, env: Mapping[str, str], declared: Collection[str] = ()) -> Self:
        """A redactor of the values of variables that look like credentials by name, or are declared to be."""
        return cls(credentials_of(env, declared))

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
        claimed = collect(obj, strings)
        joined = "\n".join(strings)
        if not (claimed or find(joined) or self._declared.find(joined)):
            return obj
        return rebuild(obj, self.text)
