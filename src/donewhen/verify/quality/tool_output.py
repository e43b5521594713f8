"""Single values out of what a tool printed: texts, numbers, paths, degrees; each bounded, none trusted.

A text that is cut, that has something round its JSON or is nested beyond reason is unreadable as a whole:
what is not understood is not taken for silence. Nothing is looked up on disk.
"""

import json
import posixpath
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import islice
from pathlib import Path
from types import MappingProxyType
from typing import Any
from urllib.parse import unquote

from donewhen.core.quality.model import Level, Severity, Unreadable, Violation

MOST = 10_000  # violations of one run of a tool; what comes after them is not kept
LONGEST_SAID = 2_000
_LONGEST_WORD = 300
_LONGEST_PATH = 4_096
_LONGEST_LINE = 20_000  # of text; a line of JSON may be as long as the whole
_LARGEST = 20 * 2**20
_MOST_LINES = 250_000
_HIGHEST = 10**9
_COLOURS = re.compile(r"\x1b\[[0-9;:?]{0,60}[@-~]")
_CONTROL: dict[int, str | None] = {
    **{code: None for code in (*range(32), *range(127, 160)) if chr(code) not in "\n\t"},
    0xA0: " ",
}
_NO_LETTERS = re.compile("[\ud800-\udc7f\udd00-\udfff]")  # the rest of them stand for bytes of a file's name
_DRIVE = re.compile(r"[A-Za-z]:[\\/]")
_WORDS: Mapping[Severity, str] = MappingProxyType(
    {
        "error": "error err fatal failure critical blocker high major",
        "warning": "warning warn medium moderate minor low",
        "note": "note info information informational hint help none style convention refactor suggestion",
    }
)
SEVERITIES: Mapping[str, Severity] = {
    word: severity for severity, words in _WORDS.items() for word in words.split()
}
_LEVELS: Mapping[str, Level] = MappingProxyType(
    {"critical": "high", "high": "high", "medium": "medium", "moderate": "medium", "low": "low"}
)


@cache
def tool_data() -> dict[str, Any]:
    """What is known of tools of others: where they come from, how they are asked, what they print."""
    return tomllib.loads(Path(__file__).with_name("tools.toml").read_text(encoding="utf-8"))


def first(found: Iterable[Violation]) -> tuple[Violation, ...]:
    return tuple(islice(found, MOST))


def said(value: object, longest: int = LONGEST_SAID) -> str:
    """A text as people may see it, without colours and cut; what is no text is empty."""
    if not isinstance(value, str):
        return ""
    plain = _COLOURS.sub("", value[: 2 * longest]).translate(_CONTROL)
    text = plain.strip().encode("utf-8", "replace").decode()
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


def joined(text: str, more: str) -> str:
    """Two texts as lines of one; what no longer fits is left out."""
    return text if len(text) >= LONGEST_SAID - 1 else said(f"{text}\n{more}")


def word(value: object, longest: int = _LONGEST_WORD) -> str:
    """A short text of one line: a rule, a name."""
    return " ".join(said(value, longest).split())


def number(value: object, shift: int = 0) -> int:
    """A line or column, counted from one after `shift`; 0 is not known."""
    if isinstance(value, str) and len(value) < 12:
        value = int(value) if value.isascii() and value.isdigit() else None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return 0
    if not -_HIGHEST < value < _HIGHEST:  # neither endless nor not a number
        return 0
    return max(0, int(value) + shift)


def at(data: object, *path: str) -> Any:
    """What lies under these names; None when one of them is missing."""
    for name in path:
        if not isinstance(data, dict):
            return None
        data = data.get(name)
    return data


def rows(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def severity(value: object, unknown: Severity = "error") -> Severity:
    return SEVERITIES.get(value.lower(), unknown) if isinstance(value, str) else unknown


def level(value: object) -> Level:
    return _LEVELS.get(value.lower(), "") if isinstance(value, str) else ""


def placed(path: object, folder: str) -> str:
    """The path relative to `folder`, with slashes; one that lies elsewhere stays as it is."""
    if not isinstance(path, str) or not path or len(path) > _LONGEST_PATH:
        return ""
    path = _NO_LETTERS.sub("?", path)
    if path.startswith("file://"):
        path = unquote(path.removeprefix("file://"), errors="surrogateescape")
    if "\0" in path or "://" in path:  # no file's name, some other address
        return path.replace("\0", "")
    if _DRIVE.match(folder):  # elsewhere a backslash is a letter of the name
        path, folder = path.replace("\\", "/"), folder.replace("\\", "/")
    short, inside = posixpath.normpath(path), posixpath.normpath(folder) if folder else ""
    if inside and short.startswith(f"{inside.rstrip('/')}/"):
        return short[len(inside.rstrip("/")) + 1 :]
    return path if short.startswith(("/", "../")) or _DRIVE.match(short) else short


def document(text: str, tool: str) -> Any:
    """The one JSON value that the whole text is."""
    whole = text.removeprefix("\ufeff").strip()
    if not whole:
        raise Unreadable("toolreading.nothing", tool=tool, form="JSON")
    if len(whole) > _LARGEST:
        raise Unreadable("toolreading.too_long", tool=tool, most=_LARGEST // 2**20)
    try:
        return json.loads(whole)
    except (ValueError, RecursionError) as wrong:  # also a number of thousands of digits
        place = f"{wrong.lineno}:{wrong.colno}" if isinstance(wrong, json.JSONDecodeError) else "1:1"
        raise Unreadable("toolreading.not_json", tool=tool, place=place, start=start_of(whole)) from None


def lines(text: str) -> Iterator[tuple[int, str]]:
    """Every line that is not blank, with its number and without colours, as far as the limit."""
    kept = text.removeprefix("\ufeff")
    if len(kept) > _LARGEST:
        kept = kept[:_LARGEST].rpartition("\n")[0]
    for count, line in enumerate(kept.split("\n")[:_MOST_LINES], 1):
        if line.strip():
            plain = (
                line if line.startswith("{") else _COLOURS.sub("", line[:_LONGEST_LINE]).translate(_CONTROL)
            )
            yield count, plain.rstrip()


def table(data: object, tool: str, place: str) -> dict[str, Any]:
    if not isinstance(data, dict):
        raise shape(tool, place, "{…}")
    return data


def listed(data: object, tool: str, place: str) -> list[Any]:
    if not isinstance(data, list):
        raise shape(tool, place, "[…]")
    return data


def shape(tool: str, place: str, wanted: str) -> Unreadable:
    return Unreadable("toolreading.shape", tool=tool, place=place, wanted=wanted)


def unknown_line(tool: str, count: int, line: str) -> Unreadable:
    return Unreadable("toolreading.line", tool=tool, line=count, start=start_of(line))


def gave_up(tool: str, why: str) -> Unreadable:
    return Unreadable("toolreading.gave_up", tool=tool, said=start_of(why, 300).rstrip("."))


def start_of(text: str, longest: int = 80) -> str:
    """How it begins, in one line."""
    return word(text[: 4 * longest], longest)
