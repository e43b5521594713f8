"""Where a text holds secrets: one search for redaction and scanning alike.

It returns places and the names of rules, in order and without overlap; what to do with them is the caller's
matter.
"""

from typing import NamedTuple

from donewhen.secrets import keylike, pem
from donewhen.secrets.entropy import is_placeholder
from donewhen.secrets.gates import candidates
from donewhen.secrets.lazy import Lazy
from donewhen.secrets.shapes import compiled

ENTROPY = "high-entropy"
KEY_BLOCK = "pem"
URL = "url"
_URL_PASSWORD = Lazy(r"://[^\s/?#:@\"'<>\[\]]{0,100}+:([^\s/?#@\"'<>]{3,1024}+)@(?!example\.)[\w\[%$]")
_COMMON = frozenset(
    """
    pass password passwd pwd secret token user username x-oauth-basic xxx foo bar baz test guest admin root
    postgres mysql redis rabbitmq minio changeme port host
    """.split()  # noqa: SIM905
)


class Span(NamedTuple):
    start: int
    end: int
    rule: str


def find(text: str) -> list[Span]:
    """Every secret in `text` by shape, URL, key block or key-like name."""
    spans = [
        Span(*match.span(shape.group), shape.name)
        for shape in candidates(text)
        for match in compiled(shape).finditer(text)
    ]
    if pem.ANCHOR in text:
        spans += [Span(start, end, KEY_BLOCK) for start, end in pem.blocks(text)]
    if "@" in text and "://" in text:
        spans += [Span(*m.span(1), URL) for m in _URL_PASSWORD.re.finditer(text) if _is_password(m[1])]
    spans += [Span(start, end, ENTROPY) for start, end in keylike.secrets_in(text)]
    return merge(spans)


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


def _is_password(value: str) -> bool:
    plain = value.strip("{}[]()$%").lower()
    return plain not in _COMMON and not is_placeholder(value) and not value.startswith(("$", "%", "{", "["))
