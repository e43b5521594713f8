"""Which part of a prompt a provider would have read from its cache or written to it.

Where a request marks the ends of what is to be kept (Anthropic), only up to the last mark, and writing is
charged for; elsewhere the longest beginning that came before is read, and writing is free. Beginnings of less
than 1024 tokens are not kept.
"""

from collections.abc import Iterator

from donewhen.testing.counting import count, count_all
from donewhen.testing.model import Asked, Tokens

LEAST = 1024


class Cache:
    def __init__(self) -> None:
        self._known: set[int] = set()

    def charge(self, asked: Asked) -> Tokens:
        """The parts of the input, which don't overlap; what is written can be read by the next request."""
        last = max(asked.marks, default=0) if asked.marks is not None else len(asked.texts)
        read, so_far, written = 0, 0, []
        for end, (text, prefix) in enumerate(zip(asked.texts, _prefixes(asked), strict=True), start=1):
            if end > last:
                break
            so_far += count(text)
            if so_far < LEAST:
                continue
            if prefix in self._known:
                read = so_far
            if asked.marks is None or end in asked.marks:
                written.append((prefix, so_far))
        self._known.update(prefix for prefix, _ in written)
        most = max((size for _, size in written), default=0)
        write = 0 if asked.marks is None else max(0, most - read)
        return Tokens(count_all(asked.texts) - read - write, 0, read, write)


def _prefixes(asked: Asked) -> Iterator[int]:
    """A number for each beginning: the same for the same texts of the same model."""
    found = hash((asked.model, asked.marks is None))
    for text in asked.texts:
        found = hash((found, text))
        yield found
