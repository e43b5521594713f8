"""How deep and how far reading may go: texts in texts, wrappers in wrappers, time.

One Nest lives as long as one call of `parse`, and carries the two ways down, so that readers need not know
each other. Past a limit a nested text is not known; the outermost text
is refused.
"""

import time
from collections.abc import Callable
from typing import Literal

from donewhen.core.tree import Inner, Refused, Script, Tree, Word
from donewhen.shell.feed import Feed
from donewhen.shell.words import rendered

Dialect = Literal["bash", "cmd"]
Reading = Callable[[str, Dialect, "Nest"], Tree]
Unwrapping = Callable[[tuple[Word, ...], Feed, "Nest"], tuple[Inner, ...]]

MAX_DEPTH = 40  # syntax inside syntax, all nested texts together: readers of the tree recurse over it
MAX_LAYERS = 12  # wrappers of words round one command
MAX_TEXTS_DEEP = 8
MAX_TEXTS = 16
MAX_SECONDS = 1.0


class Unreadable(Exception):
    """The text can't be read; `reason` is a key of the catalogue."""

    def __init__(self, reason: str, detail: str = "") -> None:
        super().__init__(reason)
        self.reason = reason
        self.detail = detail


class Nest:
    """What is left of the limits, and the way to read a nested text."""

    __slots__ = ("_read", "_texts", "_texts_deep", "_until", "_unwrap", "depth", "layers")

    def __init__(self, read: Reading, unwrap: Unwrapping) -> None:
        self._read = read
        self._unwrap = unwrap
        self._until: float | None = None
        self._texts = MAX_TEXTS
        self._texts_deep = 0
        self.depth = 0
        self.layers = 0

    def enter(self) -> None:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise Unreadable("shell.too_deep", str(MAX_DEPTH))

    def leave(self) -> None:
        self.depth -= 1

    def seconds_left(self) -> float:
        """The clock runs from the first use of the parser on."""
        now = time.monotonic()
        if self._until is None:
            self._until = now + MAX_SECONDS
        return self._until - now

    def script(self, text: str, dialect: Dialect = "bash") -> Script | None:
        """The script of a nested text; None when it can't be read or a limit is reached."""
        if self._texts_deep >= MAX_TEXTS_DEEP or self._texts <= 0:
            return None
        depth, layers = self.depth, self.layers
        self._texts -= 1
        self._texts_deep += 1
        self.layers = 0
        try:
            self.enter()
            tree = self._read(text, dialect, self)
        except Unreadable:
            return None
        finally:
            self._texts_deep -= 1
            self.depth, self.layers = depth, layers
        return None if isinstance(tree, Refused) else tree

    def unwrap(self, words: tuple[Word, ...], feed: Feed) -> tuple[Inner, ...]:
        """What a simple command runs in its turn."""
        return self._unwrap(words, feed, self) if words else ()

    def text(self, text: Word, inner: Inner) -> tuple[Inner, ...]:
        """`inner` with the script of `text`. What is not known is read as written, and said not to be all."""
        if text.known:
            return (inner._replace(script=self.script(text.text)),)
        likely = self.script(rendered(text))
        unknown = inner._replace(script=None, keeps_status=False)
        return (unknown,) if likely is None else (unknown._replace(script=likely), unknown)
