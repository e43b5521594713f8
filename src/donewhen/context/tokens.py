"""Tokens of a text: a bound that costs nothing, and a count that is exact, offline.

Text is hostile: what looks like a special token is counted as ordinary text, and what is no Unicode is
counted as the replacement that would be sent. The tables are read when the first count is asked for, once a
process.
"""

import re
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import Any, Literal, NamedTuple

from donewhen.context.merging import Rank, merged
from donewhen.context.rank_cache import kept_ranks
from donewhen.context.ranks import rank_file
from donewhen.core.texts import Phrase

Encoding = Literal["o200k_base", "cl100k_base"]
Tell = Callable[[Phrase], None]

_OLD_MODELS = re.compile(r"(?:^|[:/])gpt-(?:4(?:[-:]|$)|3\.?5)")  # gpt-4, gpt-4-turbo, gpt-3.5, gpt-35
_TAIL = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
_PATTERNS: dict[Encoding, str] = {
    "o200k_base": "|".join(
        (
            rf"[^\r\n\p{{L}}\p{{N}}]?[\p{{Lu}}\p{{Lt}}\p{{Lm}}\p{{Lo}}\p{{M}}]*[\p{{Ll}}\p{{Lm}}\p{{Lo}}\p{{M}}]+{_TAIL}",
            rf"[^\r\n\p{{L}}\p{{N}}]?[\p{{Lu}}\p{{Lt}}\p{{Lm}}\p{{Lo}}\p{{M}}]+[\p{{Ll}}\p{{Lm}}\p{{Lo}}\p{{M}}]*{_TAIL}",
            r"\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+",
        )
    ),
    "cl100k_base": r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+"
    r"| ?[^\s\p{L}\p{N}]++[\r\n]*+|\s++$|\s*[\r\n]|\s+(?!\S)|\s",
}
_BITS: dict[Encoding, int] = {"o200k_base": 19, "cl100k_base": 18}
_MOST_WORDS = 16_384  # words and pairs whose tokens are remembered
_LONGEST_WORD = 32
_MOST_RULERS = 256  # longer words come again where they are indents and rulers
_LONGEST_RULER = 1024


class _Loaded(NamedTuple):
    words: Any  # a compiled pattern
    tokens: Callable[[str], int]  # of a word


class Counter:
    """Counts in one encoding; any thread may ask."""

    def __init__(
        self, encoding: Encoding = "o200k_base", tell: Tell | None = None, folder: Path | None = None
    ) -> None:
        self.encoding: Encoding = encoding
        self._tell = tell
        self._folder = folder  # where tables may be kept for the next process
        self._told = False

    def bound(self, text: str) -> int:
        """Bytes of UTF-8: a token has one at least, so this is never too low."""
        return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))

    def count(self, text: str) -> int:
        """Tokens; the bound, said once, where the tables are not installed."""
        loaded = _loaded(self.encoding, self._folder)
        if loaded is None:
            if self._tell is not None and not self._told:
                self._told = True
                self._tell(Phrase("prices.no_counter"))
            return self.bound(text)
        try:
            return sum(loaded.tokens(word[0]) for word in loaded.words.finditer(text))
        except UnicodeEncodeError:
            readable = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
            return sum(loaded.tokens(word[0]) for word in loaded.words.finditer(readable))

    def warm(self) -> bool:
        """Read the tables now, in a thread perhaps; whether counts are exact."""
        return _loaded(self.encoding, self._folder) is not None


def counter_for(model: str, tell: Tell | None = None, folder: Path | None = None) -> Counter:
    """The counter for a model, `provider:model` or its bare name.

    It is OpenAI's newer encoding, but for the older of its models. Others publish none; how far their count
    may lie from this one is said by `Model.input_percent`.
    """
    return Counter("cl100k_base" if _OLD_MODELS.search(model.lower()) else "o200k_base", tell, folder)


_loading = Lock()
_known: dict[Encoding, _Loaded | None] = {}


def _loaded(encoding: Encoding, folder: Path | None) -> _Loaded | None:
    with _loading:
        if encoding not in _known:
            _known[encoding] = _load(encoding, folder)
        return _known[encoding]


def forget() -> None:
    """Read the tables anew at the next count."""
    _known.clear()


def _load(encoding: Encoding, folder: Path | None) -> _Loaded | None:
    try:
        import regex

        path = rank_file(encoding)
        if path is None:
            return None
        ranks = kept_ranks(path, _BITS[encoding], folder)
    except (ImportError, OSError, EOFError, ValueError):
        return None
    return _Loaded(regex.compile(_PATTERNS[encoding]), _remembering(lru_cache(_MOST_WORDS)(ranks.rank)))


def _remembering(rank: Rank) -> Callable[[str], int]:
    """The tokens of a word, remembered: most words were seen before."""
    known: dict[str, int] = {}
    rulers = lru_cache(_MOST_RULERS)(lambda word: merged(word.encode(), rank))

    def tokens(word: str) -> int:
        if len(word) > _LONGEST_WORD:
            return rulers(word) if len(word) <= _LONGEST_RULER else merged(word.encode(), rank)
        found = known.get(word)
        if found is None:
            if len(known) >= _MOST_WORDS:
                known.clear()
            found = known[word] = merged(word.encode(), rank)
        return found

    return tokens
