"""Single values out of what a tool printed: texts, numbers, paths, degrees; each bounded, none trusted.

A value of another type than expected is taken as absent here; whether that is forgivable, the reader of the
tool says. Nothing is looked up on disk.
"""

import posixpath
import re
from collections.abc import Iterable, Mapping
from itertools import islice
from types import MappingProxyType
from typing import Any

from donewhen.core.quality.model import Level, Severity, Violation

MOST = 10_000  # violations of one run of a tool; what comes after them is not kept
LONGEST_WORD = 300
LONGEST_SAID = 2_000
_LONGEST_PATH = 4_096
_HIGHEST = 10**9
_COLOURS = re.compile(r"\x1b\[[0-9;:?]{0,60}[@-~]")
_CONTROL: dict[int, str | None] = {
    **{code: None for code in (*range(32), *range(127, 160)) if chr(code) not in "\n\t"},
    0xA0: " ",
}
_NO_LETTERS = re.compile("[\ud800-\udc7f\udd00-\udfff]")  # the rest of them stand for bytes of a file's name
_DRIVE = re.compile(r"[A-Za-z]:[\\/]")

SEVERITIES: Mapping[str, Severity] = MappingProxyType(
    {
        **dict.fromkeys(
            ("error", "err", "fatal", "failure", "critical", "blocker", "high", "major"), "error"
        ),
        **dict.fromkeys(("warning", "warn", "medium", "moderate", "minor", "low"), "warning"),
        **dict.fromkeys(
            ("note", "info", "information", "informational", "hint", "help", "none", "style"), "note"
        ),
        **dict.fromkeys(("convention", "refactor", "suggestion", "notice"), "note"),
    }
)
LEVELS: Mapping[str, Level] = MappingProxyType(
    {"critical": "high", "high": "high", "medium": "medium", "moderate": "medium", "low": "low"}
)


def first(found: Iterable[Violation]) -> tuple[Violation, ...]:
    return tuple(islice(found, MOST))


def plain(text: str) -> str:
    """Without colours and without what would move a terminal's cursor."""
    return _COLOURS.sub("", text).translate(_CONTROL)


def said(value: object, longest: int = LONGEST_SAID) -> str:
    """A text as people may see it, cut; what is no text is empty."""
    if not isinstance(value, str):
        return ""
    text = plain(value[: 2 * longest]).strip().encode("utf-8", "replace").decode()
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


def joined(text: str, more: str) -> str:
    """Two texts as lines of one; what no longer fits is left out."""
    return text if len(text) >= LONGEST_SAID - 1 else said(f"{text}\n{more}")


def word(value: object) -> str:
    """A short text of one line: a rule, a name."""
    return " ".join(said(value, LONGEST_WORD).split())


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
    return LEVELS.get(value.lower(), "") if isinstance(value, str) else ""


def placed(path: object, folder: str) -> str:
    """The path relative to `folder`, with slashes; one that lies elsewhere stays as it is."""
    if not isinstance(path, str) or not path or len(path) > _LONGEST_PATH:
        return ""
    path = _NO_LETTERS.sub("?", path)
    if path.startswith("file://"):
        path = _unquoted(path.removeprefix("file://"))
    if "\0" in path or "://" in path:  # no file's name, some other address
        return path.replace("\0", "")
    if _DRIVE.match(folder):  # elsewhere a backslash is a letter of the name
        path, folder = path.replace("\\", "/"), folder.replace("\\", "/")
    short, inside = posixpath.normpath(path), posixpath.normpath(folder) if folder else ""
    if inside and short.startswith(f"{inside.rstrip('/')}/"):
        return short[len(inside.rstrip("/")) + 1 :]
    return path if short.startswith(("/", "../")) or _DRIVE.match(short) else short


def _unquoted(path: str) -> str:
    from urllib.parse import unquote

    return unquote(path, errors="surrogateescape")
