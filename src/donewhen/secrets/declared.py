"""Secrets known by their value: found wherever they stand, also encoded.

Takes the values of variables whose names look like credentials. Short values, paths, numbers and common
words are not taken: replacing every `true` would hide the output instead of the secret.
"""

from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Mapping

from donewhen.core.lazy import lazy
from donewhen.secrets.claims import is_key_like
from donewhen.secrets.spans import DECLARED, MARK, Span, marker

_MIN = 8
_WORD = 12  # a shorter run of small letters is a word (`postgres`), and would go everywhere
_COMMON = frozenset(
    """
    password changeme disabled required optional redacted declared undefined anonymous localhost production
    development high-entropy
    """.split()
)
_JSON = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026"}
_MARKUP = (
    {"&": "&amp;", "<": "&lt;", ">": "&gt;"},
    {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;"},
    {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&#34;", "'": "&#39;"},
    {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;"},
)
_SHELL = {"'": "'\\''"}
_SHELL_TWO = {"'": "'\"'\"'"}
_YAML = {"'": "''"}
_PERCENT = lazy(r"%[0-9A-F]{2}")
_BARE = lazy(r"[^\w.,:/@%+=\-]")
_WORDS = lazy(r"[a-z]+(?:[_-][a-z]+)*\Z")
_WORDY = 20  # our own words (`could_not_run`) are shorter: redacting them would change what events say
_PATH = lazy(r"(?:/|~|\.{1,2}/|[A-Za-z]:\\)[\w.\-/\\~+@ ]*\Z")


def credentials_of(env: Mapping[str, str], declared: Collection[str] = ()) -> list[str]:
    """The values of an environment that are worth hiding; `declared` names may look like any other."""
    named = (value for name, value in env.items() if name in declared or is_key_like(name))
    return [value for value in named if not is_ordinary(value)]


def is_ordinary(value: str) -> bool:
    """Whether it is too short or too common to be looked for everywhere."""
    return (
        len(value) < _MIN
        or value.lower() in _COMMON
        or value.isdigit()
        or (value.isalpha() and len(value) < _WORD and value[1:].islower())
        or value.isspace()
        or (len(value) < _WORDY and bool(_WORDS.match(value)))
        or ("://" in value and "@" not in value)
        or bool(_PATH.match(value))
    )


class Declared:
    """The needles of some secret values: themselves and what usual encodings and quotings make of them."""

    __slots__ = ("_needles",)

    def __init__(self, values: Iterable[str]) -> None:
        forms = {form for value in values if len(value) >= _MIN for form in _forms(value)}
        self._needles = tuple(sorted(forms, key=lambda form: (-len(form), form)))

    def find(self, text: str) -> list[Span]:
        spans = []
        for needle in self._needles:
            at = text.find(needle)
            while at >= 0:
                spans.append(Span(at, at + len(needle), DECLARED))
                at = text.find(needle, at + len(needle))
        return _outside_markers(text, spans) if spans and MARK in text else spans


def _outside_markers(text: str, spans: list[Span]) -> list[Span]:
    """Without what touches a marker: redaction must not eat its own marks."""
    marks = [mark.span() for mark in marker().finditer(text)]
    starts = [start for start, _ in marks]

    def touches(span: Span) -> bool:
        index = bisect_left(starts, span.end) - 1
        return index >= 0 and marks[index][1] > span.start

    return [span for span in spans if not touches(span)]


def _forms(value: str) -> set[str]:
    import base64
    import json
    from urllib.parse import quote, quote_plus

    raw = value.encode("utf-8", "surrogatepass")
    quoted = {quote(raw), quote(raw, safe=""), quote_plus(raw)}
    escaped = json.dumps(value)[1:-1]
    forms = {value, escaped, json.dumps(value, ensure_ascii=False)[1:-1], json.dumps(escaped)[1:-1]}
    forms |= quoted | {_PERCENT.sub(lambda code: code[0].lower(), form) for form in quoted}
    forms |= {quote(form, safe="") for form in quoted} | {raw.hex(), raw.hex().upper(), repr(value)[1:-1]}
    forms |= {_swapped(escaped, _JSON), escaped.replace("/", "\\/"), repr(raw)[2:-1]}
    forms |= {_swapped(value, marks) for marks in (*_MARKUP, _SHELL, _SHELL_TWO, _YAML)} | {
        _BARE.sub(r"\\\g<0>", value)
    }
    for encode in (base64.b64encode, base64.urlsafe_b64encode):
        forms.update(_base64_cores(raw, encode))
    return {form for form in forms if len(form) >= _MIN}


def _swapped(value: str, marks: Mapping[str, str]) -> str:
    return "".join(marks.get(char, char) for char in value)


def _base64_cores(raw: bytes, encode: Callable[[bytes], bytes]) -> set[str]:
    """What base64 makes of the value at each of the three alignments, without the neighbours' bits."""
    cores = {encode(raw).decode()}
    for shift in (0, 1, 2):
        text = encode(b"\0" * shift + raw).decode()
        first = (0, 2, 3)[shift]
        last = (shift + len(raw)) * 8 // 6
        cores.add(text[first:last])
    return cores
