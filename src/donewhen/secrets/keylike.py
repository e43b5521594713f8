"""High entropy next to a key-like name: `password = …`, `"api_key": "…"`, `--token …`, `X-Api-Key: …`.

Entropy alone proves nothing (git ids, digests and test data have it too), so a value is judged only where
a name claims that it is a credential, and code, placeholders, paths and words are let through. Names are
found by memchr-driven regexes on a lower-cased copy; what follows is matched at that place with bounded
quantifiers, so the cost is linear in the text whatever it holds.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

from donewhen.secrets.entropy import is_placeholder, looks_random
from donewhen.secrets.lazy import Lazy

# Each opens with the rarest letter that its words share.
_KEYWORDS = tuple(
    Lazy(pattern)
    for pattern in (
        r"k(?:en(?<=token)|ey)",
        r"p(?:ass(?:word|wort|wd|phrase|code|(?![a-rt-z]))|wd)",
        r"cre(?:t(?<=secret)|d(?:ential)?)",
        r"auth(?:orization|(?!or|en))",
    )
)
# A bare "key" says nothing: dictionaries and caches have keys.
_KEY_KINDS = (
    "api", "access", "private", "secret", "signing", "encryption", "account", "master", "license", "auth",
    "client", "service", "shared", "admin", "deploy", "app", "storage", "consumer", "subscription", "session",
    "webhook", "write", "rest", "token", "crypt", "hmac", "ssh", "jwt",
)  # fmt: skip
_HARMLESS_ENDS = frozenset(
    """
    id ids url uri path file files name names type kind hash hashes digest sha md5 fingerprint checksum
    version env var variable header headers field param params ref arn prefix suffix class format count size
    limit expiry expires expiration ttl pattern regex policy length len index endpoint host port user username
    method mode scheme provider status error errors message label title description hint prompt input output
    list set map dict table column row store manager handler helper factory service usage address
    """.split()  # noqa: SIM905
)
_NAME_END = Lazy(r"([A-Za-z0-9_.\-]{0,40}+)")
_OPERATOR = (
    r":[ \t]{0,4}[A-Za-z][\w.\[\]]{0,24}(?:[ \t]?\|[ \t]?\w{1,20})?[ \t]{0,4}=(?!=)"  # `x: str =`
    r"|=>|:=|={1,3}|!={1,2}|:(?!:)|>"
)
_VALUE = Lazy(
    r"""(?:\\{0,3}["'`])?\]?"""
    rf"""(?:[ \t]{{0,8}}(?:{_OPERATOR})[ \t]{{0,8}}|(?P<gap>[ \t]{{1,4}}))"""
    r"""(?:[rbuRBU]{1,2}(?=["']))?(?P<quote>\\{0,3}["'`])?"""
    r"""(?P<scheme>(?i:bearer|basic|token|bot|apikey|key)[ \t]{1,4})?"""
    r"""(?P<value>[^\s"'`,;<>(){}|&\\\[\]]{6,256}+)"""
)
_REST = Lazy(r"""(?:[^\s"'`,;<>(){}|&\\\[\]]|&(?![\w.\-]{1,40}=))*+""")
_QUOTED_REST = Lazy(r"""[^\s"'`\\]*+""")
_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"
_MARK = "[redacted:"
_QUOTES = ('"', "'")
_WORD = Lazy(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[0-9]+")


def secrets_in(text: str) -> Iterator[tuple[int, int]]:
    """The spans of values that stand next to a key-like name and look random."""
    lower = text.lower()
    if len(lower) != len(text):
        # A few letters grow in lower case; only ASCII names matter, so those letters may be blanked.
        lower = "".join(low if len(low := char.lower()) == 1 else "?" for char in text)
    for keyword in _KEYWORDS:
        for hit in keyword.re.finditer(lower):
            span = _judge(text, lower, hit)
            if span is not None:
                yield span


@lru_cache(maxsize=4096)
def is_key_like(name: str) -> bool:
    """Whether a whole name (a JSON key, a variable, a flag) claims to hold a credential."""
    lower = name.lower()
    if len(name) > 80 or len(lower) != len(name):
        return False
    return any(
        _claims(name, lower, hit.start(), hit.end()) and _NAME_END.re.fullmatch(name, hit.end())
        for keyword in _KEYWORDS
        for hit in keyword.re.finditer(lower)
    )


def _judge(text: str, lower: str, hit: re.Match[str]) -> tuple[int, int] | None:
    name_end = _NAME_END.re.match(text, hit.end())
    at = name_end.end() if name_end else hit.end()
    found = _VALUE.re.match(text, at)
    if found is None or not _claims(text, lower, hit.start(), hit.end()):
        return None
    if found["gap"] and not _is_flag(text, hit.start()):
        return None
    if text.startswith(_MARK, found.end()):
        # What runs into a marker was judged as a whole before; judging the rest could go on piece by piece.
        return None
    start, end = found.span("value")
    quoted = bool(found["quote"])
    value = found["value"] if quoted else found["value"].rstrip(".:?!")
    if not quoted and text[end : end + 1] in ("(", "[") and value.replace(".", "").replace("_", "").isalnum():
        return None
    if found["scheme"]:
        accepted = len(value) >= 8 and not is_placeholder(value) and not value.isalpha()
    else:
        accepted = looks_random(value, quoted=quoted)
    if not accepted:
        return None
    rest = (_QUOTED_REST if quoted else _REST).re.match(text, end)
    return start, rest.end() if rest and end - start == len(value) else start + len(value)


def _claims(text: str, lower: str, start: int, end: int) -> bool:
    """Whether the name round a keyword means a credential, and not `author`, `tokenizer` or `key_path`."""
    following = text[end : end + 1]
    if following in ("s", "S"):
        end += 1
        following = text[end : end + 1]
    if following.isalpha() and not (following.isupper() and text[end - 1].islower()):
        return False
    word = lower[start:end]
    if word.startswith("key") and not lower[max(0, start - 16) : start].rstrip("_-. ").endswith(_KEY_KINDS):
        return False
    if word in ("pass", "cred", "auth") and _inside_word(text, start):
        return False
    name_end = _NAME_END.re.match(text, end)
    if name_end and text[name_end.end() : name_end.end() + 1] in _QUOTES and _is_type(text, start):
        return False
    words = _WORD.re.findall(name_end[0]) if name_end else []
    return not words or words[-1].lower() not in _HARMLESS_ENDS


def _is_type(text: str, start: int) -> bool:
    """Whether a quoted name is a type's (`"AWS::IAM::AccessKey": …`)."""
    return text[max(0, start - 40) : start].rstrip(_LETTERS).endswith("::")


def _inside_word(text: str, start: int) -> bool:
    before = text[start - 1 : start]
    return before.isalpha() and not (text[start].isupper() and before.islower())


def _is_flag(text: str, start: int) -> bool:
    """Whether the name at `start` belongs to a command-line flag (`--token VALUE`)."""
    before = text[max(0, start - 40) : start]
    return before[len(before.rstrip(_LETTERS + "-")) :].startswith("--")
