"""Whether pairs of keys and answers look worked out from the keys, or like a table that people agree on.

`404 → "Not Found"` and `"km" → 1000` can only be looked up. `5 → 120` and `"abc" → "cba"` follow from the
key, so a program that lists them has copied them from somewhere. Judged by form alone.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from donewhen.core.integrity.keyed_values import is_compound, is_number, nature, scalars, value

_FEW = 3
_ROMAN = re.compile(r"[MDCLXVI]{1,20}")
_ENDINGS = ("s", "es", "ies", "ed", "ing", "er", "ly", "est", "ay", "way")
_CODES = range(100, 600)
_CODE = re.compile(r"[A-Za-z]{0,6}[-_ ]?\d{1,8}")
_COUNTED = re.compile(
    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b|teen\b|ty\b|hundred|thousand"
)


class Link(NamedTuple):
    """A key and the answer that source gives for it; several keys where all must hold."""

    keys: tuple[str, ...]
    answer: str


def follows(links: Sequence[Link]) -> bool:
    """Whether the answers look worked out from the keys."""
    return bool(links) and any(holds(links) for holds in _WAYS)


def _numbers_to_numbers(links: Sequence[Link]) -> bool:
    telling = [link for link in links if nature(link.answer) != "trivial"]
    return len(telling) > (len(links) < _FEW) and all(
        _numeric(link) and is_number(link.answer) for link in links
    )


def _numbers_to_truth(links: Sequence[Link]) -> bool:
    return len(links) >= _FEW and all(_numeric(link) and link.answer in ("true", "false") for link in links)


def _numbers_to_text(links: Sequence[Link]) -> bool:
    if not all(_numeric(link) and isinstance(value(link.answer), str) for link in links):
        return False
    texts = [str(value(link.answer)) for link in links]
    named = is_code_book([link.keys[0] for link in links], [link.answer for link in links])
    if not named and all(re.search(r"\d", text) or _ROMAN.fullmatch(text) for text in texts):
        return True
    return len(links) >= _FEW and not named and not _is_counted([link.keys for link in links])


def _is_counted(keys: Sequence[tuple[str, ...]]) -> bool:
    """Numbers that number things: 1, 2, 3 …, or codes of three digits."""
    numbers = sorted(value(key[0]) for key in keys if len(key) == 1)  # type: ignore[type-var]
    if len(numbers) < len(keys) or not all(isinstance(number, int) for number in numbers):
        return False
    close = len(numbers) > 1 and numbers[-1] - numbers[0] <= 2 * len(numbers) and numbers[0] in (0, 1)  # type: ignore[operator]
    return bool(close) or all(number in _CODES for number in numbers)


def is_code_book(keys: Sequence[str], answers: Sequence[str]) -> bool:
    """Codes with a phrase each, and no pattern in these: 17 → "paper jam", 23 → "door open"."""
    texts = [text.lower() for text in map(value, answers) if isinstance(text, str)]
    if len(texts) == len(keys):  # the code may stand in its own phrase: "E1001: disk full"
        texts = [text.replace(str(value(key)).lower(), "") for key, text in zip(keys, texts, strict=True)]
    if not _FEW <= len(keys) == len(set(texts)) == len(answers):
        return False
    if not all(_CODE.fullmatch(str(value(key))) for key in keys):
        return False
    phrases = all(" " in text.strip() and not _COUNTED.search(text) for text in texts)
    words = ({word for word in text.split() if len(word) > 2} for text in texts)
    return phrases and not set.intersection(*words)


def _anything_to_lists(links: Sequence[Link]) -> bool:
    """A list that is made of what went in, or of numbers for a number."""
    return all(is_compound(link.answer) and _made_of(link) for link in links)


def _made_of(link: Link) -> bool:
    parts = list(scalars(value(link.answer)))
    if not parts:
        return False
    if _numeric(link):
        return all(isinstance(part, int | float) for part in parts)
    letters = {letter for key in link.keys for letter in str(value(key)).lower()}
    return all(isinstance(part, str) and part and set(part.lower()) <= letters for part in parts)


def _texts(links: Iterable[Link]) -> list[tuple[str, str]]:
    """Pairs of texts, lower case; none unless all are."""
    pairs = [(value(link.keys[0]), value(link.answer)) for link in links if len(link.keys) == 1]
    return [(k.lower(), a.lower()) for k, a in pairs if isinstance(k, str) and isinstance(a, str)]


def _each(holds: Callable[[str, str], bool]) -> Callable[[Sequence[Link]], bool]:
    def way(links: Sequence[Link]) -> bool:
        pairs = _texts(links)
        return len(pairs) == len(links) and all(len(key) > 1 and holds(key, answer) for key, answer in pairs)

    return way


def _is_mixed(key: str, answer: str) -> bool:
    """Reversed, sorted, or moved about, pig latin too."""
    return key != answer and sorted(answer) in (sorted(key), sorted(key + "ay"), sorted(key + "way"))


def is_spelt_out(text: object) -> bool:
    """A number in several words: "twenty-one"; one word may be a row of a table."""
    if not isinstance(text, str) or re.search(r"\d", text) or not re.search("[ -]", text):
        return False
    return len(_COUNTED.findall(text.lower())) > 1


def _is_inflected(key: str, answer: str) -> bool:
    stems = (key, key.removesuffix("y"), key.removesuffix("e"))
    return any(answer == stem + ending for stem in stems for ending in _ENDINGS)


def _is_shifted(key: str, answer: str) -> bool:
    """A cipher: every letter moved by the same distance."""
    if len(key) != len(answer) or key == answer or not (key.isascii() and key.isalpha() and answer.isalpha()):
        return False
    return len({(ord(b) - ord(a)) % 26 for a, b in zip(key, answer, strict=True)}) == 1


def _is_thinned(key: str, answer: str) -> bool:
    """Letters left out, such as the vowels."""
    rest = iter(key)
    return (
        key.isalpha()
        and 0 < len(answer) < len(key) - 1
        and answer[0] != key[0]
        and all(letter in rest for letter in answer)
    )


def is_filled_in(links: Sequence[Link]) -> bool:
    """One phrase with the key put in: "Ann" → "Hello, Ann!"."""
    pairs = [(value(link.keys[0]), value(link.answer)) for link in links if len(link.keys) == 1]
    texts = [(str(key).strip(), answer) for key, answer in pairs if isinstance(answer, str)]
    if len(texts) < max(2, len(links)) or not all(key and key in answer for key, answer in texts):
        return False
    return len({answer.replace(key, "\0") for key, answer in texts}) == 1 and " " in texts[0][1].strip()


_COUNTS: tuple[tuple[int, Callable[[str], int]], ...] = (
    (2, len),
    (_FEW, lambda text: sum(letter in "aeiou" for letter in text.lower())),
    (_FEW, lambda text: len(set(text.lower()))),
    (_FEW, lambda text: sum(ord(letter) - 96 for letter in text.lower())),
)  # with the number of pairs below which it may be chance


def _texts_to_counts(links: Sequence[Link]) -> bool:
    pairs = [(value(link.keys[0]), value(link.answer)) for link in links]
    if not all(isinstance(key, str) and isinstance(answer, int) for key, answer in pairs):
        return False
    return any(
        len(pairs) >= least and all(count(str(key)) == answer for key, answer in pairs)
        for least, count in _COUNTS
    )


def _texts_to_truth(links: Sequence[Link]) -> bool:
    """What is true of the true ones and of no other: the same backwards; of pairs: the same letters."""
    if not all(link.answer in ("true", "false") for link in links):
        return False
    yes = [link for link in links if link.answer == "true"]
    return len(yes) > 0 and all(_has_form(link) == (link.answer == "true") for link in links)


def _has_form(link: Link) -> bool:
    words = [value(key) for key in link.keys]
    texts = [word.lower() for word in words if isinstance(word, str) and len(word) >= _FEW]
    if len(texts) != len(words) or not texts:
        return False
    if len(texts) == 1:
        return texts[0] == texts[0][::-1]
    return len(set(texts)) > 1 and len({"".join(sorted(text)) for text in texts}) == 1


def _numeric(link: Link) -> bool:
    return all(is_number(key) for key in link.keys)


_WAYS: tuple[Callable[[Sequence[Link]], bool], ...] = (
    _numbers_to_numbers,
    _numbers_to_truth,
    _numbers_to_text,
    _anything_to_lists,
    _each(_is_mixed),
    _each(_is_inflected),
    _each(_is_shifted),
    _each(_is_thinned),
    is_filled_in,
    _texts_to_counts,
    _texts_to_truth,
)
