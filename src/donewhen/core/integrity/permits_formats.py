"""Another format for what a function reads: its tests give the same data in other spelling.

"Use tomllib instead of our ini parser" changes how the input is written, and which type a value has that ini
could only give as text. The words and numbers that a test expects stay the same, each as often as before.
"""

import re
from collections import Counter
from itertools import pairwise

from donewhen.core.integrity import permits_things as things
from donewhen.core.integrity import permits_words as words
from donewhen.core.integrity.permits_orders import Change
from donewhen.core.integrity.permits_reading import pattern
from donewhen.core.integrity.permits_scope import Subject, mentions, tokens

_CALL = re.compile(r"(?<![\w])([A-Za-z_][\w.]{0,80})\s?\(")
_STRING = re.compile(r"\"(?:[^\"\\\n]|\\.){0,400}\"|'(?:[^'\\\n]|\\.){0,400}'|`(?:[^`\\]|\\.){0,400}`")
_LITERAL = re.compile(r"\d|[\"'`]|\b(?:true|false|none|null)\b", re.IGNORECASE)
_WORD = re.compile(r"-?\d+(?:\.\d+)?|\w+")
_CUT = "…"
_SAME = {"null": "none", "nil": "none", "undefined": "none"}


def rewritten(before: str, now: str, what: Subject, change: Change) -> bool:
    """Whether an edit only follows the format that a clause of the goal orders for the tested reader."""
    if (
        not change.plain
        or not _is_of_format(change.clause.text)
        or before.endswith(_CUT)
        or now.endswith(_CUT)
    ):
        return False
    one, two = _around_reader(before), _around_reader(now)
    if one is None or two is None or not _LITERAL.search(two[1]):
        return False
    same = one[0] == two[0] and _words(one[1]) == _words(two[1])
    return same and (_names_nothing_else(change) or any(mentions(target, what) for target in change.targets))


def _is_of_format(text: str) -> bool:
    formats = {found[0] for found in pattern(things.FORMAT).finditer(text)}
    return len(formats) > 1 or (bool(formats) and pattern(things.READER).search(text) is not None)


def _names_nothing_else(change: Change) -> bool:
    """ "Switch from INI to TOML": whatever reads."""
    told = (word for target in change.targets for word in target.strong)
    known = pattern(rf"(?:{things.FORMAT})|(?:{things.READER})|{things.SWITCHED}")
    others = any(target.names or target.paths for target in change.targets)
    firm = any("".join(name) not in words.FORMATS for target in change.targets for name in target.firm)
    return not others and not firm and all(known.fullmatch(word) for word in told)


def _around_reader(code: str) -> tuple[str, str] | None:
    """The one reader that an assertion calls, and the assertion without what is given to it."""
    texts = [(found.start(), found.end()) for found in _STRING.finditer(code)]
    calls = [
        found
        for found in _CALL.finditer(code)
        if not any(start <= found.start() < end for start, end in texts)
        and things.READS.intersection(tokens(found[1].rpartition(".")[2]))
    ]
    end = _closed(code, calls[0].end(), texts) if len(calls) == 1 else 0
    return (calls[0][1], code[: calls[0].end()] + code[end:]) if end else None


def _closed(code: str, start: int, texts: list[tuple[int, int]]) -> int:
    """Where the bracket closes that was opened right before `start`; 0 where it doesn't."""
    spans = [(0, 0), *texts, (len(code), len(code))]
    depth = 1
    for (_, left), (right, _) in pairwise(spans):
        for at in range(max(left, start), right):
            depth += (code[at] in "([{") - (code[at] in ")]}")
            if depth == 0:
                return at
    return 0


def _words(code: str) -> Counter[str]:
    return Counter(_SAME.get(word, word) for word in _WORD.findall(code.lower()))
