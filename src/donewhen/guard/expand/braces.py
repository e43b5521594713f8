"""Brace expansion: `{a,b}`, `{1..9..2}`, nested, with anything quoted or live between.

It comes before every other expansion and knows nothing of values: quoted text and expansions are opaque. The
number of words is bounded; past the bound a group is a hole and a long sequence a star, never cut off.
"""

import re
from collections.abc import Sequence

from donewhen.core.lazy import lazy
from donewhen.core.tree import Part, Text, Variable
from donewhen.guard.marks import HOLE, STAR

MAX_WORDS = 1024
_MAX_TOKENS = 2**18
_DEEPEST = 24
_LONGEST = 64  # of a sequence
_NUMBERS = lazy(r"([+-]?[0-9]{1,18})\.\.([+-]?[0-9]{1,18})(?:\.\.([+-]?[0-9]{1,18}))?\Z")
_MORE = lazy(r"[A-Za-z0-9_]+")
_VARIABLE = lazy(r"\$(?:([A-Za-z_][A-Za-z0-9_]*|[0-9@*#?$!-])|\{([A-Za-z_][A-Za-z0-9_]*)\})")
_PLAIN = Variable("")[1:]  # neither operator nor key, not quoted
_LETTERS = lazy(r"([A-Za-z])\.\.([A-Za-z])(?:\.\.([+-]?[0-9]{1,18}))?\Z")

Token = str | int  # a character that is live, or the number of an opaque part
Tokens = list[Token]


def braced(parts: Sequence[Part], source: str) -> list[tuple[Part, ...]]:
    """The words that one word becomes; itself when it has no braces that count."""
    if not any(isinstance(part, Text) and not part.quoted and "{" in part.text for part in parts):
        return [tuple(parts)]
    tokens: Tokens = []
    for number, part in enumerate(parts):
        if isinstance(part, Text) and not part.quoted:
            tokens += part.text
        else:
            tokens.append(number)
    words = _expanded(tokens, _pairs(tokens), 0, len(tokens), 0)
    if len(words) == 1:
        return [_parts(words[0], parts)]
    return [_renamed(_parts(word, parts), source) for word in words]


def _parts(tokens: Tokens, parts: Sequence[Part]) -> tuple[Part, ...]:
    found: list[Part] = []
    characters: list[str] = []
    for token in tokens:
        if isinstance(token, str):
            characters.append(token)
            continue
        if characters:
            found.append(Text("".join(characters)))
            characters = []
        found.append(parts[token])
    if characters:
        found.append(Text("".join(characters)))
    return tuple(found)


def _renamed(parts: tuple[Part, ...], source: str) -> tuple[Part, ...]:
    """Braces come first, as text: `$a{b,c}` is `$ab $ac`, and `{a,$}HOME` ends in `$HOME`."""
    if "$" not in source:
        return parts
    found: list[Part] = []
    for part in parts:
        last = found[-1] if found else None
        if not isinstance(part, Text) or part.quoted:
            found.append(part)
            continue
        text = part.text
        if isinstance(last, Variable) and last[1:] == _PLAIN and f"${last.name}{{" in source:
            more = _MORE.match(text)
            if more and not last.name[0].isdigit():
                found[-1] = Variable(last.name + more[0])
                text = text[more.end() :]
        found += _variables(text) if "$" in text else [Text(text)] if text else []
    return tuple(found)


def _variables(text: str) -> list[Part]:
    found: list[Part] = []
    at = 0
    for name in _VARIABLE.finditer(text):
        if name.start() > at:
            found.append(Text(text[at : name.start()]))
        found.append(Variable(name[1] or name[2]))
        at = name.end()
    if at < len(text):
        found.append(Text(text[at:]))
    return found


def _pairs(tokens: Tokens) -> dict[int, int]:
    """The closing brace of each opening one that has one."""
    opened: list[int] = []
    pairs: dict[int, int] = {}
    for at, one in enumerate(tokens):
        if one == "{":
            opened.append(at)
        elif one == "}" and opened:
            pairs[opened.pop()] = at
    return pairs


def _expanded(tokens: Tokens, pairs: dict[int, int], start: int, end: int, depth: int) -> list[Tokens]:
    words: list[Tokens] = [[]]
    at = start
    while at < end:
        close = pairs.get(at, end)
        choices = _group(tokens, pairs, at, close, depth) if close < end else None
        if choices is None:
            stop = at + 1
            while stop < end and tokens[stop] != "{":
                stop += 1
            choices, at = [tokens[at:stop]], stop
        else:
            at = close + 1
        many = len(words) * len(choices)
        if len(choices) > 1 and (many > MAX_WORDS or many * (end - start) > _MAX_TOKENS):
            choices = [[HOLE]]
        if len(choices) > 1:
            words = [word + choice for word in words for choice in choices]
        else:
            words = _grown(words, choices[0])
    return words


def _grown(words: list[Tokens], tail: Tokens) -> list[Tokens]:
    for word in words:
        word += tail
    return words


def _group(tokens: Tokens, pairs: dict[int, int], start: int, close: int, depth: int) -> list[Tokens] | None:
    """What stands for the braces from `start` to `close`; None when they are plain characters."""
    if depth >= _DEEPEST:
        return [[HOLE]]
    commas = _commas(tokens, pairs, start, close)
    if not commas:
        return _sequence(tokens[start + 1 : close]) if close - start <= _LONGEST else None
    choices: list[Tokens] = []
    for low, high in zip([start, *commas], [*commas, close], strict=True):
        choices += _expanded(tokens, pairs, low + 1, high, depth + 1)
        if len(choices) > MAX_WORDS:
            return [[HOLE]]
    return choices


def _commas(tokens: Tokens, pairs: dict[int, int], start: int, close: int) -> list[int]:
    found = []
    at = start + 1
    while at < close:
        if tokens[at] == ",":
            found.append(at)
        at = pairs.get(at, at) + 1
    return found


def _sequence(tokens: Tokens) -> list[Tokens] | None:
    if not all(isinstance(token, str) for token in tokens):
        return None
    text = "".join(map(str, tokens))
    found = _NUMBERS.match(text)
    if found:
        width = max(map(_width, found.group(1, 2)))
        numbers = _steps(int(found[1]), int(found[2]), found[3])
        if len(numbers) > MAX_WORDS:
            return [[STAR]]
        return [list(_padded(number, width)) for number in numbers]
    found = _LETTERS.match(text)
    if found:
        return [[chr(code)] for code in _steps(ord(found[1]), ord(found[2]), found[3])]
    return None


def _width(number: str) -> int:
    """How wide all numbers become when one is written with leading zeros."""
    return len(number) if re.match(r"[+-]?0[0-9]", number) else 0


def _padded(number: int, width: int) -> str:
    return f"{number:0{width}d}" if width else str(number)


def _steps(low: int, high: int, step: str | None) -> range:
    stride = abs(int(step)) if step else 1
    stride = stride or 1
    return range(low, high + 1, stride) if low <= high else range(low, high - 1, -stride)
