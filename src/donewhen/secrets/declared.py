"""Secrets known by their value: found wherever they stand, also encoded.

Takes the values of variables whose names look like credentials. Short values, paths, numbers and common
words are not taken: replacing every `true` would hide the output instead of the secret.
"""

from collections.abc import Callable, Iterable, Mapping

from donewhen.secrets.keylike import is_key_like
from donewhen.secrets.lazy import Lazy
from donewhen.secrets.spans import Span

RULE = "declared"
_MIN = 8
_WORD = 12  # a shorter run of small letters is a word (`postgres`), and would go everywhere
_COMMON = frozenset(
    """
    password changeme disabled required optional redacted declared undefined anonymous localhost production
    development high-entropy
    """.split()  # noqa: SIM905
)
_PATH = Lazy(r"(?:/|~|\.{1,2}/|[A-Za-z]:\\)[\w.\-/\\~+@ ]*\Z")


def credentials_of(env: Mapping[str, str]) -> list[str]:
    """The values of an environment that are worth hiding."""
    return [value for name, value in env.items() if is_key_like(name) and not _is_ordinary(value)]


def _is_ordinary(value: str) -> bool:
    return (
        len(value) < _MIN
        or value.lower() in _COMMON
        or value.isdigit()
        or (value.isalpha() and len(value) < _WORD and value[1:].islower())
        or value.isspace()
        or ("://" in value and "@" not in value)
        or bool(_PATH.re.match(value))
    )


class Declared:
    """The needles of some secret values: themselves and their base64, URL-quoted and JSON-escaped forms."""

    __slots__ = ("_needles",)

    def __init__(self, values: Iterable[str]) -> None:
        forms = {form for value in values if len(value) >= _MIN for form in _forms(value)}
        # A needle that is a part of a marker would make redaction eat its own marks.
        kept = (form for form in forms if form.lower() not in _COMMON)
        self._needles = tuple(sorted(kept, key=lambda form: (-len(form), form)))

    def find(self, text: str) -> list[Span]:
        spans = []
        for needle in self._needles:
            at = text.find(needle)
            while at >= 0:
                spans.append(Span(at, at + len(needle), RULE))
                at = text.find(needle, at + len(needle))
        return spans


def _forms(value: str) -> set[str]:
    import base64
    import json
    from urllib.parse import quote, quote_plus

    raw = value.encode("utf-8", "surrogatepass")
    forms = {value, quote(raw), quote(raw, safe=""), quote_plus(raw), json.dumps(value)[1:-1]}
    forms.add(json.dumps(value, ensure_ascii=False)[1:-1])
    for encode in (base64.b64encode, base64.urlsafe_b64encode):
        forms.update(_base64_cores(raw, encode))
    return {form for form in forms if len(form) >= _MIN}


def _base64_cores(raw: bytes, encode: Callable[[bytes], bytes]) -> set[str]:
    """What base64 makes of the value at each of the three alignments, without the neighbours' bits."""
    cores = {encode(raw).decode()}
    for shift in (0, 1, 2):
        text = encode(b"\0" * shift + raw).decode()
        first = (0, 2, 3)[shift]
        last = (shift + len(raw)) * 8 // 6
        cores.add(text[first:last])
    return cores
