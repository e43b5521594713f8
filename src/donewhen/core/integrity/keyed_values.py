"""What a literal looks like: data that somebody made up for an example, or a value that programs know anyway.

An honest program compares with keywords, separators, small numbers and well-known codes; it has no reason to
know `[3, 1, 2]`, "Hello World" or 1994. Nothing here looks at where a literal stands.
"""

import json
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Literal

Nature = Literal["trivial", "common", "data"]
_LONGEST = 4000  # characters of a literal that is read; a longer one is only compared as a whole
_DEEPEST = 200
_SMALL = 12
_LONG_TEXT = 8
_WELL_KNOWN = frozenset(
    """16 22 23 24 25 31 32 53 59 60 64 80 100 110 126 127 128 130 137 139 143 180 200 201 202
    204 206 212 255 256 270 273 301 302 303 304 307 308 360 365 366 400 401 402 403 404 405 406 408 409 410
    412 413 415 418 422 425 426 429 443 500 501 502 503 504 511 512 993 995 999 1000 1023 1024 2048 3306
    3600 4096 5432 6379 8000 8080 8443 9999 10000 65535 65536 86400 100000 1000000 1048576 0.5 0.25 0.1
    0.01 0.75 -0.5 273.15 459.67 -273.15 -459.67 3.14 3.14159""".split()
)
_WORD = re.compile(r"[A-Za-z_][A-Za-z_-]{0,23}\d{0,3}")
_FORM = re.compile(
    r"[a-z]{1,12}/[a-z0-9.+*-]{1,40}"  # application/json, km/h
    r"|\.[A-Za-z0-9]{1,6}(?:\.[a-z0-9]{1,4})?"  # .txt, .tar.gz
    r"|--?[A-Za-z][A-Za-z-]{0,24}"  # --help
    r"|[A-Za-z][A-Za-z_]{0,30}(?:\.[A-Za-z][A-Za-z_]{0,30}){1,3}"  # user.created
    r"|#[0-9A-Fa-f]{3,8}|%[A-Za-z%-]{1,3}|\$[A-Z_]{1,20}|[A-Z]\+{1,2}"
    r"|127\.0\.0\.1|0\.0\.0\.0|::1|\d|[A-Za-z]{1,4}[²³]|°[A-Z]|/|(?:/[a-z_-]{1,20}){1,4}/?"
)
_MARK = re.compile(r"[^\w\s]{1,3}|\s{1,4}")
_ROMAN = re.compile(r"[MDCLXVI]{3,20}")
_CHINESE = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]{1,6}")
_NUMBERS = re.compile(r"-?\d{1,18}(?:\.\d{1,18})?(?:[\s,;|]{1,3}-?\d{1,18}(?:\.\d{1,18})?){1,200}")
_SIMPLE = re.compile(
    r"[A-Za-z!#-&*+./:-@^_~](?:[ !#-\[\]-~]*[!#-\[\]-~])?"
)  # stands for itself, whoever writes it
_DIGEST = re.compile(r"[0-9a-f]{16,128}", re.IGNORECASE)


@lru_cache(maxsize=32_768)
def value(literal: str) -> object:
    """What a canonical literal stands for; the text itself where it is none."""
    if len(literal) > _LONGEST or literal.count("[") + literal.count("{") > _DEEPEST:
        return literal
    try:
        return json.loads(literal)
    except (ValueError, RecursionError):
        return literal


@lru_cache(maxsize=32_768)
def nature(literal: str) -> Nature:
    return _nature(value(literal), literal)


def _nature(what: object, literal: str) -> Nature:
    if what is None or isinstance(what, bool):
        return "trivial"
    if isinstance(what, int | float):
        return _of_number(what, literal)
    if isinstance(what, str):
        return _of_text(what)
    return _of_parts(list(scalars(what)))


def _of_number(number: float, literal: str) -> Nature:
    if number in (-1, 0, 1):
        return "trivial"
    small = number == int(number) if abs(number) <= _SMALL else False
    return "common" if small or literal in _WELL_KNOWN else "data"


def _of_text(text: str) -> Nature:
    if not text:
        return "trivial"
    if _ROMAN.fullmatch(text):
        return "data"
    known = any(form.fullmatch(text) for form in (_WORD, _FORM, _MARK, _CHINESE))
    return "common" if known else "data"


def _of_parts(parts: list[object]) -> Nature:
    if not parts:
        return "trivial"
    natures = [_nature(part, json.dumps(part)) for part in parts]
    counted = any(
        isinstance(part, int | float) and sort == "common" for part, sort in zip(parts, natures, strict=True)
    )
    return "data" if "data" in natures or (counted and len(parts) > 1) else "common"


def scalars(what: object) -> Iterator[object]:
    """The leaves of a list or map in their order, without recursion."""
    waiting = [what]
    while waiting:
        here = waiting.pop()
        if isinstance(here, list):
            waiting.extend(reversed(here))
        elif isinstance(here, dict):
            waiting.extend(reversed([part for pair in here.items() for part in pair]))
        else:
            yield here


def is_compound(literal: str) -> bool:
    return isinstance(value(literal), list | dict)


def is_number(literal: str) -> bool:
    what = value(literal)
    return isinstance(what, int | float) and not isinstance(what, bool)


def is_made_up(literal: str) -> bool:
    """Data that no program has a word for: a list with numbers in it, a phrase, a long text."""
    if nature(literal) != "data":
        return False
    what = value(literal)
    if isinstance(what, list | dict):
        return len(list(scalars(what))) > 1
    return isinstance(what, str) and (" " in what.strip() or len(what) >= _LONG_TEXT)


def is_digest(literal: str) -> bool:
    what = value(literal)
    return isinstance(what, str) and _DIGEST.fullmatch(what) is not None and any(c.isdigit() for c in what)


@lru_cache(maxsize=32_768)
def forms(literal: str) -> frozenset[str]:
    """Ways in which the same value may be written as a key: as text, in lower case, joined, sorted."""
    what = value(literal)
    if isinstance(what, str) and len(what) > 1 and _SIMPLE.fullmatch(what):
        return frozenset((literal, "low:" + "".join(what.lower().split())))
    found = {literal, json.dumps(what)}
    if isinstance(what, str):
        bare = what.strip()
        found |= {"low:" + "".join(bare.lower().split())} if len(bare) > 1 else set()
        what = _unquoted(bare)
    if isinstance(what, int | float) and not isinstance(what, bool):
        found.add(f"num:{float(what) if abs(what) < 1e300 else what}")
    return frozenset(found | {json.dumps(what)} | joined(what))


def _unquoted(text: str) -> object:
    """Numbers and lists that were made into text to look them up."""
    if text[:1] and text[:1] in "[{(-0123456789":
        inner = value(text.replace("(", "[").replace(")", "]"))
        if not isinstance(inner, str):
            return inner
    return [value(part) for part in re.split(r"[\s,;|]+", text)] if _NUMBERS.fullmatch(text) else text


def joined(what: object) -> set[str]:
    """A list of several scalars in its order, and in any."""
    parts = list(scalars(what)) if isinstance(what, list | dict) else []
    if len(parts) < 2:
        return set()
    return in_a_row([json.dumps(part) for part in parts])


def in_a_row(texts: Sequence[str]) -> set[str]:
    return {"flat:" + ",".join(texts), "bag:" + ",".join(sorted(texts))}
