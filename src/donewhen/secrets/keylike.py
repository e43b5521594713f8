"""High entropy next to a key-like name: `password = …`, `"api_key": "…"`, `--token …`, `X-Api-Key: …`.

Entropy alone proves nothing (git ids, digests and test data have it too), so a value is judged only where
a name claims that it is a credential, and code, placeholders, paths and words are let through. Names are
found by memchr-driven regexes on a lower-cased copy; what follows is matched at that place with bounded
quantifiers, and the number of judgements is bounded too, so the cost is linear in the text.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from donewhen.core.lazy import lazy
from donewhen.secrets.claims import KEYWORDS, NAME_TAIL, claims
from donewhen.secrets.entropy import is_nested, is_placeholder, looks_random

_ANSI = r"(?:\x1b\[[\d;]{0,12}m){0,2}+"
_PAD = r"[ \t\u00a0\u200b]"
_QUOTE = r"\\{0,15}[\"'`]|\\{1,8}u0022|&quot;|&#34;|“"
_OPENED = rf"(?=[rbufRBUF$@]{{0,2}}(?:{_QUOTE}))"
_TYPED = rf":{_PAD}{{0,4}}[&\w'][\w.\[\]<>' |,]{{0,40}}?={_PAD}{{0,4}}{_OPENED}"  # `x: &str = "…"`
_PAIR = (  # `name: X⏎  value: …`, `"name": "X", "value": "…"`, `key="X" value="…"`, `<key>X</key><string>…`
    r"(?:</key>\s{0,20}<string>"
    r"|[\s,{:]{1,60}+\\{0,7}[\"']?(?:[vV]alue|content|default)\\{0,7}[\"']?[ \t]{0,4}[:=][ \t]{0,8})"
)
_OPERATOR = (
    rf"{_TYPED}|(?:\[\]|{_PAD}{{1,4}}(?:string|String|str))?{_PAD}{{0,40}}(?:=>|:=|\?=|\+=|={{1,3}}|!={{1,2}})"
    rf"|{_PAD}{{0,40}}(?:\*\*)?(?::(?!:)|：)(?:\*\*)?|>|{_PAD}{{1,4}}->(?={_PAD})"
    rf"|\)?,\s{{0,8}}{_OPENED}|\)?{_PAD}{{0,4}}(?:\|\|=?|\?\?=?|or\b){_PAD}{{0,4}}{_OPENED}"
)
_ASKED = (
    r"(?![\w.]{0,30}(?:get|env|environ|fetch|pop|[hH]eaders?)[(\[])"  # its argument is a name, not a value
)
_WRAP = (
    rf"(?:{_ASKED}(?:[A-Za-z_][\w.]{{0,30}}+)?[(\[]{{1,2}}\s{{0,40}}{_OPENED}|\[(?=\w)"
    r"|(?:!{1,2}\w{1,12}|&\w{1,20})[ \t]{1,4})?"
)
_PLAIN = r"""[^\s"'`,;<>(){}|&\\\[\]\x1b“”]"""
_VALUE = lazy(  # begins with what is left of the name
    rf"{NAME_TAIL}(?:{_ANSI}(?:{_QUOTE})|{_ANSI})?\]?{_ANSI}"
    rf"(?:{_PAIR}|(?:{_OPERATOR}){_ANSI}(?:(?P<below>{_PAD}{{0,8}}[|>]?[+\-]?\r?\n\s{{0,40}})|{_PAD}{{0,40}}+)"
    rf"|(?P<gap>[ \t]{{1,4}}))"
    rf"{_WRAP}{_ANSI}(?:[rbufRBUF$@]{{1,2}}(?=[\"']))?(?P<quote>\"\"\"|'''|{_QUOTE})?"
    r"(?P<scheme>(?i:bearer|basic|token|bot|apikey|key|ssws)[ \t]{1,4})?"
    rf"(?P<value>(?(quote)[^\n]{{0,256}}+|{_PLAIN}{{6,256}}+))"
)
_UNCLOSED = lazy(_PLAIN + r"{6,256}+")
_REST = lazy(r"""(?:[^\s"'`,;<>(){}|&\\\[\]\x1b]|&(?![\w.\-]{1,40}=))*+""")
_QUOTED_REST = lazy(r"""[^\s"'`\\]*+""")
_FALLBACK = lazy(
    r"""[^\n"']{0,60}(?:["'][^\n"']{0,60}["'][^\n"'|?]{0,20})?"""
    r"""(?:\|\||\?\?|\bor\b)[ \t]{0,4}["'](?P<value>[^\n"']{8,256})["']"""
)
_ARROW = lazy(r"""["'] -> ["'](?P<value>[^\n"']{8,256})["']""")
_OTHER_SCHEME = lazy(r"[A-Za-z][\w\-]{1,20}[ \t]{1,4}(?P<value>[^\s\"'`,;<>(){}|&\\\[\]]{16,256}+)")
_LINE_ENDS = lazy(r"[\"'`,;)\]} \t\r]{0,8}(?:\n|\Z)")
_SPOKEN = lazy(
    r"(?:\A|[\s:\[{(,'\"])(?:--?[\w\-]{0,40}"
    r"|(?:ENV|ARG|setenv|set -\w{1,3}|#define|login \S{1,60})\s+[\w\-]{0,40}|config(?:ure)? set \S{0,60})\Z"
)
_DEFINED = lazy(r"(?:#define|\bWITH|\bBY|\bPUT)[ \t]+\w{0,40}\Z", re.IGNORECASE)
_ID = lazy(  # a git id or range, a UUID, user@host, an image, a version
    r"(?:[0-9a-f]{7,12}|[0-9a-f]{40}|[0-9a-f]{64}|[0-9a-f\-]{36})(?:\.\.+[0-9a-f]{7,40})?\Z"
    r"|[\w.\-]{1,60}@[\w.\-]{1,80}\Z|[\w\-]{1,40}\.[a-z]{2,12}[/:]|v?\d{1,4}\.\d"
)
_ARN = lazy(r"arn:[\w\-:/]{4,90}\Z")
_MARK = "[redacted:"
_LONGEST = 256
_PLAIN_QUOTES = ('"', "'", "`", '"""', "'''")
_CLOSERS = {"“": "”"}
_REACH = 1024  # no value that _VALUE finds ends further behind its keyword; the quantifiers add up to 800
_JUDGEMENTS = 512  # and one more for each 256 characters; ordinary text needs a tenth of that


class _Place(NamedTuple):
    """A value and where it stands."""

    start: int
    end: int
    quoted: bool
    whole: bool  # the closing quote was seen


class _Reader:
    """One text: judges the value behind each hit of one keyword, and never the same stretch again."""

    __slots__ = ("done", "left", "lower", "text")

    def __init__(self, text: str, lower: str) -> None:
        self.text, self.lower = text, lower
        self.left = _JUDGEMENTS + len(text) // 256
        self.done = 0  # the end of the last value that was accepted for this keyword

    def random(self, value: str, quoted: bool) -> bool:
        """`looks_random` while the budget lasts; beyond it everything long enough goes."""
        self.left -= 1
        return looks_random(value, quoted=quoted) if self.left >= 0 else len(value) >= 8


def secrets_in(text: str) -> Iterator[tuple[int, int]]:
    """The spans of values that stand next to a key-like name and look random."""
    lower = text.lower()
    if len(lower) != len(text):
        # A few letters grow in lower case; only ASCII names matter, so those letters may be blanked.
        lower = "".join(low if len(low := char.lower()) == 1 else "?" for char in text)
    reader = None
    for keyword in KEYWORDS:
        if not keyword.search(lower):
            continue  # asking costs half of making an iterator
        done = 0
        for hit in keyword.finditer(lower):
            if hit.end() + _REACH <= done:
                continue  # its value lies in one that goes already
            reader = reader or _Reader(text, lower)
            reader.done = done
            for span in _judge(reader, hit):
                done = max(done, span[1])
                yield span


def _judge(reader: _Reader, hit: re.Match[str]) -> Iterator[tuple[int, int]]:
    text, (start, end) = reader.text, hit.span()
    found = _VALUE.match(text, end)
    if found is None:
        return
    if end < reader.done and _runs_out(reader, found):
        return
    if not claims(text, reader.lower, start, end):
        return
    place = _place(text, found)
    if _was_judged(reader, found, place) or not _may_follow(text, hit, found, place):
        return
    if text.startswith(_MARK, place.end):
        # What runs into a marker was judged as a whole before; judging the rest could go on piece by piece.
        return
    if _accepts(reader, hit, found, place):
        yield _whole(text, found, place)
        other = _ARROW.match(text, place.end) if place.whole else None
    else:
        other = _elsewhere(reader, hit, found, place)
    if other and reader.random(other["value"], True):
        yield other.span("value")


def _runs_out(reader: _Reader, found: re.Match[str]) -> bool:
    """The cheap part of `_was_judged`, asked first: in long runs of names and values it answers for most."""
    start, end = found.span("value")
    return start < reader.done and end - start >= _LONGEST


def _was_judged(reader: _Reader, found: re.Match[str], place: _Place) -> bool:
    """Whether the value lies in one that goes already, or runs out of it so far that judging it repeats."""
    if place.end <= reader.done or _runs_out(reader, found):
        return True
    return place.start < reader.done and place.end - place.start >= _LONGEST


def _place(text: str, found: re.Match[str]) -> _Place:
    """A quoted value reaches to its closing quote on the same line, any other to the next separator."""
    start = found.start("value")
    quote = found["quote"]
    if not quote:
        return _Place(start, start + len(found["value"].rstrip(".:?!")), False, False)
    closer = _CLOSERS.get(quote, quote)
    stop = text.find(closer, start, start + 400)
    while stop > 0 and quote in _PLAIN_QUOTES and text[stop - 1] == "\\" and text[stop - 2] != "\\":
        stop = text.find(closer, stop + 1, start + 400)
    if stop < 0 or text.find("\n", start, stop) >= 0:
        unclosed = _UNCLOSED.match(text, start)
        return _Place(start, unclosed.end() if unclosed else start, True, False)
    return _Place(start, stop, True, True)


def _may_follow(text: str, hit: re.Match[str], found: re.Match[str], place: _Place) -> bool:
    """Whether the value can belong to the name, by what stands between, before and behind them."""
    if found["gap"] and not _is_spoken(text, hit.start(), found):
        return False
    if found["below"] and not (place.whole or _LINE_ENDS.match(text, place.end)):
        return False
    before = text[max(0, hit.start() - 90) : hit.start()]
    return not ("arn:" in before and _ARN.search(before))


def _is_spoken(text: str, start: int, found: re.Match[str]) -> bool:
    """Whether a name and a value with only a blank between belong together (`--token X`, `ENV TOKEN X`)."""
    before = text[max(0, start - 70) : start]
    if found["quote"]:
        return bool(_SPOKEN.search(before) or _DEFINED.search(before))
    return bool(_SPOKEN.search(before))


def _accepts(reader: _Reader, hit: re.Match[str], found: re.Match[str], place: _Place) -> bool:
    text = reader.text
    value = text[place.start : place.end]
    if len(value) < 6:
        return False
    if not place.quoted and _is_ordinary_here(text, hit, found, value):
        return False
    if found["scheme"]:
        wordy = value.isalpha() and not reader.random(value, place.quoted)
        return len(value) >= 8 and not wordy and not is_placeholder(value)
    if place.whole and (" " in value or "\t" in value):
        return _holds_secret(reader, value)
    return reader.random(value, place.quoted)


def _holds_secret(reader: _Reader, value: str) -> bool:
    """Of a quoted value with blanks: the first word is judged as ever, a later one only when it is long."""
    words = value.split(maxsplit=4)[:4]
    return any(len(word) >= (16 if n else 8) and reader.random(word, True) for n, word in enumerate(words))


def _is_ordinary_here(text: str, hit: re.Match[str], found: re.Match[str], value: str) -> bool:
    """Code (`f(x)`), a nested assignment (`auth: id=…`), and what logs print behind `auth:` and `pass:`."""
    end = found.end("value")
    if text[end : end + 1] in ("(", "[") and value.replace(".", "").replace("_", "").isalnum():
        return True
    if is_nested(value):
        return True
    if hit[0] == "auth" and ":" in text[hit.end() : found.start("value")]:
        return bool(_ID.match(value))
    return hit[0] == "pass" and value.startswith("test")


def _whole(text: str, found: re.Match[str], place: _Place) -> tuple[int, int]:
    """The span of an accepted value with what runs on behind the part that was judged."""
    if place.whole or (not place.quoted and place.end < found.end("value")):
        return place.start, place.end
    rest = (_QUOTED_REST if place.quoted else _REST).match(text, place.end)
    return place.start, rest.end() if rest else place.end


def _elsewhere(
    reader: _Reader, hit: re.Match[str], found: re.Match[str], place: _Place
) -> re.Match[str] | None:
    """A value a little further on: behind an unknown scheme, a changed one, the fallback of an expression."""
    text = reader.text
    if hit[0] == "authorization":
        return _OTHER_SCHEME.match(text, place.start)
    if place.quoted:
        return _ARROW.match(text, place.end)
    long = place.end - place.start > _LONGEST // 2
    return None if found["gap"] or long else _FALLBACK.match(text, place.end)
