"""How many tokens a word is: byte pairs are merged, the lowest rank first, until no pair is a token.

The loop is quadratic in the length of a word, so a word longer than a window is counted in windows. Such
words are rulers, runs of spaces and garbage; the windows of a repeat are alike and cost nothing after the
first.
"""

from collections.abc import Callable

WINDOW = 384  # bytes, whole characters of any size; up to here a count is exact
_MOST_WINDOWS = 256  # of one word; what follows is counted as bytes, which is never too low
_NO_TOKEN = 1 << 30

Rank = Callable[[bytes], int]


def merged(word: bytes, rank: Rank) -> int:
    """The number of tokens in a word."""
    if len(word) <= WINDOW:
        return _merged(word, rank)
    known: dict[bytes, int] = {}
    total = 0
    for start in range(0, len(word), WINDOW):
        window = word[start : start + WINDOW]
        if window not in known:
            if len(known) == _MOST_WINDOWS:
                return min(total + len(word) - start, len(word))
            known[window] = _merged(window, rank)
        total += known[window] + 1  # a cut may also save a token
    return min(total, len(word))


def _merged(word: bytes, rank: Rank) -> int:
    if rank(word):
        return 1
    parts = [word[at : at + 1] for at in range(len(word))]
    pairs = [rank(word[at : at + 2]) or _NO_TOKEN for at in range(len(word) - 1)]
    while pairs and (best := min(pairs)) != _NO_TOKEN:
        at = pairs.index(best)
        parts[at] += parts.pop(at + 1)
        del pairs[at]
        if at < len(pairs):
            pairs[at] = rank(parts[at] + parts[at + 1]) or _NO_TOKEN
        if at:
            pairs[at - 1] = rank(parts[at - 1] + parts[at]) or _NO_TOKEN
    return len(parts)
