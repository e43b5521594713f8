"""Does a value look like a random secret, or like something a person or a program wrote?

Pure and conservative in both directions: random text has high Shannon entropy and switches its kind of
character all the time; words, code, paths, versions and placeholders do not. It judges a value on its own
and knows nothing of the name next to it.
"""

import math
import re
from collections import Counter

from donewhen.core.lazy import lazy

_PLACEHOLDER = lazy(
    r"your|example|placeholder|change.?me|dummy|sample|fake|x{4}|\*{3}|\.{3}|…|redacted|insert|replace|"
    r"<|>|\$\{|\$\(|\{\{|\{[\w.,]{0,30}\}|%\(|%s|todo|undefined|null|lorem|0{6}|12345678|abcdef0?1|abc123",
    re.IGNORECASE,
)
_VARIABLE = lazy(r"\$[A-Za-z_]\w*\Z|\$[0-9@*]\Z|%[A-Za-z_]\w*%\Z|@[A-Za-z_]\w*\Z|[&*][A-Za-z]\w*\Z")
_STAND_IN = lazy(
    r"<[^<>]*>|\$\{[^{}]*\}|\$\([^()]*\)|\{\{.*\}\}|%\(\w+\)s|%s|[x*.•…0]+"
    r"|(?:my|your|the|an?|some|insert|replace|change|example|sample|dummy|fake|test|placeholder|todo|here|me|key"
    r"|api|token|secret|password|value|with|null|undefined|redacted|none|[\W_]|\d{1,3}(?!\d))+",
    re.IGNORECASE | re.DOTALL,
)
_NESTED = lazy(r"[a-z]+(?:[A-Z_\-][a-z]+)*(?:\d{1,3})?=(?!=*\Z)")
_OUTSIDE = lazy(r"[^\W\d_a-zA-Z]")
_DOTTED = lazy(r"[A-Za-z_]\w*(?:\??\.[A-Za-z_]\w*|::[A-Za-z_]\w*|->[A-Za-z_]\w*)+!?\Z")
_SNAKE = lazy(
    r"_*[a-z]+(?:_[a-z0-9]+){2,}\Z"
    r"|[a-z]{3,}(?:-[a-z]{2,})*(?:-[0-9a-f]{8,10})?-[a-z0-9]{5,6}\Z"  # names that clusters give
)
_ADDRESS = lazy(r"[a-zA-Z][\w+.:\-]{0,30}://(?:[\w.\-]+[./:]|localhost|[\[{<$%@]|\Z)")
_LABEL = lazy(
    r"(?:[A-Z]{2,}_)+[A-Z0-9]+\Z|[A-Za-z]{3,}_[A-Za-z]{3,}__[\w\-]{5}\Z|_[a-z]{3,}_[\w\-]{5}_\d+\Z|arn:"
)
_DIGEST = lazy(r"(?:[\w.\-/:]{0,120}@)?(?i:sha-?\d{1,3}|md5|blake\w{1,3})[-:=]")
_NUMBER = lazy(
    r"v?[0-9][0-9.,:_\-+eExX]*\Z|0x[0-9a-fA-F]{1,16}[uUlL]{0,3}\Z|\d{4}-\d\d-\d\d[T ]?[\d:.,Z+\-]*\Z"
)
_VERSION = lazy(r"[A-Za-z\-_]*[=<>~^!@]*v?\d+(?:\.\d+){1,4}[\w.+\-]{0,12}\Z")
_CHUNK = lazy(r"[A-Z]?[a-z]+|[A-Z]+|[0-9]+|[^A-Za-z0-9_\-./:]")
_JUDGED = 80
_LONGEST = 512
_TELLING = 20
_BRACKETS = ("<", ">", "$", "{", "%(")
_DIGIT = lazy(r"[0-9]")
_SYMBOL = lazy(r"[^\w\-./:]")
_SWITCH = lazy(r"[0-9][^0-9]{0,3}?[A-Za-z]")
_WORDLIKE = lazy(r"[A-Za-z]*?(?:[aeiouyAEIOUY][a-zA-Z]*?){2}")
_CLASH = lazy(r"[b-df-hj-np-tv-xz]{4}|[aeiou]{4}", re.IGNORECASE)
_BASE64 = lazy(r"[A-Za-z0-9/+]{40,}={0,2}\Z")


def shannon(value: str) -> float:
    """Bits per character."""
    size = len(value)
    return -sum(n / size * math.log2(n / size) for n in Counter(value).values()) if size else 0.0


def is_placeholder(value: str) -> bool:
    """Stands for a secret without being one: `your-key-here`, `<token>`, `${TOKEN}`, `$TOKEN`, `xxxx`."""
    if _VARIABLE.match(value) or is_stand_in(value):
        return True
    found = _PLACEHOLDER.search(value)
    if found is None:
        return False
    rest = value[: found.start()] + value[found.end() :]
    telling = len(rest) >= _TELLING and not found[0].startswith(_BRACKETS)
    return not (telling and _is_irregular(rest) and not _is_reference(rest))


def is_stand_in(value: str) -> bool:
    """Whether the whole value, not a part of it, stands for a secret."""
    return bool(_STAND_IN.fullmatch(value[:_JUDGED]))


def is_nested(value: str) -> bool:
    """Whether an unquoted value is itself an assignment (`request_id=…`)."""
    return bool(_NESTED.match(value))


def looks_random(value: str, *, quoted: bool, claimed: bool = False) -> bool:
    """Whether `value` is long, mixed and irregular enough to be a secret. `quoted` rules code out.

    Both ends tell: a long value is judged by them, so that judging costs the same for all. Where data say
    that the value is a credential (`claimed`), only the whole value can be a placeholder.
    """
    head = value[:_JUDGED]
    if len(head) < 8 or not (
        _is_irregular(head) or (len(value) > _JUDGED and _is_irregular(value[-_JUDGED:]))
    ):
        return False
    if (is_stand_in if claimed else is_placeholder)(head) or _is_foreign(head):
        return False
    return not (_is_reference(value[:_LONGEST]) or (not quoted and _is_code(value[:_LONGEST])))


def _is_foreign(value: str) -> bool:
    """Words of another script: their letters are no sign of chance."""
    return not value.isascii() and len(_OUTSIDE.findall(value)) > len(value) / 5


def _is_code(value: str) -> bool:
    return bool(_DOTTED.match(value) or _SNAKE.match(value))


def _is_reference(value: str) -> bool:
    """Paths, URLs, versions, numbers, dates and named digests."""
    if (
        "://" in value
        or _DIGEST.match(value)
        or _NUMBER.match(value)
        or _VERSION.match(value)
        or _LABEL.match(value)
    ):
        return True
    if "/" not in value and "\\" not in value:
        return False
    return _word_share(value, _CHUNK.findall(value)) > 0.3 or (value[0] in "/~." and not _BASE64.match(value))


def _is_irregular(value: str) -> bool:
    kinds = (not value.islower() and not value.isupper()) + bool(_DIGIT.search(value)) + 1
    if kinds < 2 or (value.isalpha() and len(value) < 14):
        return False
    chunks = _CHUNK.findall(value)
    size = sum(map(len, chunks))
    switches = len(_SWITCH.findall(value))
    if len(chunks) < 4 or size < 8 or size / len(chunks) > (3.3, 5.4, 6)[min(switches, 2)]:
        return False
    symbols = bool(_SYMBOL.search(value))
    if len(value) < 16 and (kinds + symbols + (switches >= 2) < 3 or not (switches or symbols)):
        return False
    return _word_share(value, chunks) <= 0.55 and shannon(value) >= (2.7 if len(value) < 16 else 3.0)


def _word_share(value: str, chunks: list[str]) -> float:
    """The share of characters that belong to something pronounceable of four letters or more."""
    words = [chunk for chunk in chunks if len(chunk) >= 4 and chunk.isalpha()]
    spoken = sum(len(word) for word in words if _WORDLIKE.match(word) and not _CLASH.search(word))
    return spoken / len(value)
