"""Where a text holds secrets: one search for redaction and scanning alike.

It returns places and the names of rules, in order and without overlap; what to do with them is the caller's
matter.
"""

import re
from functools import cache
from typing import NamedTuple

from donewhen.secrets import forms, keylike, pem
from donewhen.secrets.gates import candidates
from donewhen.secrets.shapes import SHAPES, compiled

MARK = "[redacted:"
ENTROPY = "high-entropy"
KEY_BLOCK = "pem"
URL = "url"
DECLARED = "declared"
DEPTH = "depth"


class Span(NamedTuple):
    start: int
    end: int
    rule: str


@cache
def marker() -> re.Pattern[str]:
    """A marker of ours. Only known rules count: a secret in the place of the rule must not pass for one."""
    rules = {ENTROPY, KEY_BLOCK, URL, DECLARED, DEPTH, *(shape.name for shape in SHAPES)}
    return re.compile(re.escape(MARK) + "(?:" + "|".join(sorted(rules)) + r")\](?:#\d+)?")


def find(text: str) -> list[Span]:
    """Every secret in `text` by shape, URL, key block, form or key-like name."""
    spans = [
        Span(*match.span(shape.group), shape.name)
        for shape in candidates(text)
        for match in compiled(shape).finditer(text)
    ]
    if pem.ANCHOR in text:
        spans += [Span(start, end, KEY_BLOCK) for start, end in pem.blocks(text)]
    if "@" in text and "://" in text:
        spans += [Span(start, end, URL) for start, end in forms.passwords_in(text)]
    places = forms.secrets_in(text)
    places += keylike.secrets_in(text)
    return merge(spans + [Span(start, end, ENTROPY) for start, end in places]) if places else merge(spans)


def merge(spans: list[Span]) -> list[Span]:
    """In order, overlapping ones made one; it keeps the rule of the one that came first in `spans`."""
    if len(spans) < 2:
        return spans
    merged: list[Span] = []
    for span in sorted(spans, key=lambda span: span.start):
        if merged and span.start < merged[-1].end:
            last = merged[-1]
            rule = min(last.rule, span.rule, key=_rank)
            merged[-1] = Span(last.start, max(last.end, span.end), rule)
        else:
            merged.append(span)
    return merged


def _rank(rule: str) -> int:
    """A named shape says more than a place, and a place more than entropy."""
    return 2 if rule == ENTROPY else 1 if rule == URL else 0


def replace(text: str, spans: list[Span]) -> str:
    """`text` with a marker in the place of each span; they are in order and don't overlap."""
    if not spans:
        return text
    parts: list[str] = []
    at = 0
    for start, end, rule in spans:
        parts += (text[at:start], MARK, rule, "]")
        at = end
    return "".join((*parts, text[at:]))
