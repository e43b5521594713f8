"""Arithmetic inside words: expansions in it are put in, variables looked up, and the rest calculated.

The shell reads a variable's value as an expression again, and runs what stands in `a[$(…)]` there; so does
this, through the walker. What can't be calculated is a star: a number, whatever it is.
"""

from collections.abc import Callable, Sequence

from donewhen.core.lazy import lazy
from donewhen.core.tree import Part, Text, Word
from donewhen.guard.expand.arithmetic import evaluate
from donewhen.guard.marks import HOLE, STAR, certain
from donewhen.guard.state import State, Value

_LIVE = lazy(
    r"\$\(\([^()$`'\"]*+\)\)|\$\{[^{}$`'\"()]*+\}|\$[A-Za-z_0-9]++|\$[@*#?$!-]|\$\([^()$`'\"]*+\)|`[^`$()]*+`"
    r"|[A-Za-z_][A-Za-z0-9_]*+\[[^\[\]$`]*+\]"
)
_ASSIGNS = lazy(r"(?<![=!<>])=(?!=)|\+\+|--|<<=|>>=")
_NAMES = lazy(r"[A-Za-z_][A-Za-z0-9_]*")
_LONGEST = 4096


class Numbers:
    __slots__ = ("_expand", "_run", "_state")

    def __init__(self, state: State, expand: Callable[[Part], str], run: Callable[[str], str]) -> None:
        self._state = state
        self._expand = expand
        self._run = run

    def text(self, source: str, parts: Sequence[Part]) -> str:
        """The value of an arithmetic text as it is written, with its brackets."""
        value = self.value(_bare(source), parts)
        return STAR if value is None else str(value)

    def bounds(self, argument: Word) -> tuple[int | None, int | None, bool]:
        """Offset and size of `${x:offset:size}`, and whether there is a size."""
        offset, size = _halves(argument.text)
        live = [part for part in argument.parts if not isinstance(part, Text)]
        if live and size is not None:
            texts = [self._expand(part) for part in live]
            found = _LIVE.findall(argument.text)
            if len(found) != len(live):
                return None, None, True
            split = len(_LIVE.findall(offset))
            return (
                self._evaluated(_filled(offset, texts[:split])),
                self._evaluated(_filled(size, texts[split:])),
                True,
            )
        return self.value(offset, live), None if size is None else self._evaluated(size), size is not None

    def value(self, text: str, parts: Sequence[Part]) -> int | None:
        live = [part for part in parts if not isinstance(part, Text)]
        texts = [self._expand(part) for part in live]  # they run, whatever becomes of the number
        if len(_LIVE.findall(text)) != len(live) or len(text) > _LONGEST:
            if not live and ("$(" in text or "`" in text):
                self._run(text)  # a value that is read as an expression
            self._forget(text)
            return None
        value = self._evaluated(_filled(text, texts))
        if value is None:
            self._forget(text)
        return value

    def _evaluated(self, text: str | None) -> int | None:
        if text is None or not certain(text) or not self._state.spend(len(text)):
            return None
        if "$" in text or "`" in text:
            self._run(text)
            return None
        return evaluate(text.replace('"', ""), self._look, self._put)

    def _look(self, name: str, depth: int) -> int | None:
        found = self._state.values(name)
        if len(found) != 1:
            return None
        text = found[0] or "0"
        if "$(" in text or "`" in text:
            self._run(text)
            return None
        if not certain(text) or not self._state.spend(len(text)):
            return None
        return evaluate(text, self._look, self._put, depth)

    def _put(self, name: str, value: int) -> None:
        self._state.set(name, str(value))

    def _forget(self, text: str) -> None:
        """Variables that a text sets which can't be calculated."""
        if _ASSIGNS.search(text) is None:
            return
        for name in _NAMES.findall(text[:_LONGEST]):
            value = self._state.variables.get(name)
            array = value is not None and value.items is not None
            self._state.variables[name] = Value((HOLE if array else STAR,))


def _bare(source: str) -> str:
    for opening, closing in (("$((", "))"), ("((", "))"), ("$[", "]")):
        if source.startswith(opening) and source.endswith(closing):
            return source[len(opening) : -len(closing)]
    return source


def _filled(text: str, texts: Sequence[str]) -> str:
    """The text with each expansion replaced by what it gives; an item that is not set counts as zero."""
    given = iter(texts)
    return _LIVE.sub(lambda found: next(given, STAR) or ("" if found[0][0] in "$`" else "0"), text)


def _halves(source: str) -> tuple[str, str | None]:
    """At the colon that stands in no bracket."""
    depth = 0
    for at, character in enumerate(source):
        if character in "({[":
            depth += 1
        elif character in ")}]":
            depth -= 1
        elif character == ":" and depth == 0 and "?" not in source:
            return source[:at], source[at + 1 :]
    return source, None
