"""What a tool shows: bounded, without control characters, and free of secrets.

A long text keeps its head and its tail, cut at line ends where there are some, with a line between them that
says how much is missing. What a file holds is spelled out, so that nothing in it is unseen; what a program
printed for a terminal is cleaned. Nothing is stored here.
"""

import re
from collections.abc import Callable

from donewhen.core.lazy import lazy
from donewhen.core.texts import Language, say
from donewhen.tools.model import MOST_SHOWN
from donewhen.workspace.processes.output import cleaned

# Beside what no terminal shows: marks that reorder text, breaks that only look like spaces, tags that spell
# words unseen, and bytes that are no text.
_UNSEEN = lazy(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\U000e0000-\U000e007f]"
)
_ROOM = 200  # bytes for the line between head and tail
_NEAR_CUT = 8 * 1024  # a line end so near to the cut is taken instead


def visible(text: str) -> str:
    """The text of a file, with what can't be seen spelled out; line ends are plain ones."""
    plain = text.replace("\r\n", "\n") if "\r" in text else text
    return _UNSEEN.sub(_spelled, plain) if _UNSEEN.search(plain) else plain


def shown(
    text: str,
    redact: Callable[[str], str],
    language: Language = "en",
    *,
    most: int = MOST_SHOWN,
    terminal: bool = False,
) -> str:
    """What the agent gets to see, at most so many bytes. `terminal`: a program wrote it, not a file."""
    prepare = cleaned if terminal else visible
    if len(text) <= 2 * most:
        return bounded(redact(prepare(text)), most, language)
    # Only twice what is kept is looked at: a secret that this cut divides lies where nothing is shown.
    head, tail = (redact(prepare(part)) for part in (text[:most], text[-most:]))
    return _joined(head, tail, len(text) - 2 * most, most, language)


def bounded(text: str, most: int = MOST_SHOWN, language: Language = "en") -> str:
    """Head and tail of a text, together at most so many bytes."""
    if len(text) <= most and len(text.encode(errors="replace")) <= most:
        return text
    return _joined(text, text, -len(text), most, language)


def _joined(head: str, tail: str, between: int, most: int, language: Language) -> str:
    half = max((most - _ROOM) // 2, 0)
    first, last = _start(head, half), _end(tail, half)
    missing = between + len(head) - len(first) + len(tail) - len(last)
    line = say("toolbox.left_out", language, count=missing)
    return f"{first.rstrip(chr(10))}\n{line}\n{last}"


def _start(text: str, most: int) -> str:
    cut = text[:most].encode(errors="replace")[:most].decode(errors="ignore")
    end = cut.rfind("\n", max(len(cut) - _NEAR_CUT, 0))
    return cut if end <= 0 or len(cut) == len(text) else cut[: end + 1]


def _end(text: str, most: int) -> str:
    if not most:
        return ""
    cut = text[-most:].encode(errors="replace")[-most:].decode(errors="ignore")
    start = cut.find("\n", 0, _NEAR_CUT)
    return cut if start < 0 or len(cut) == len(text) else cut[start + 1 :]


def _spelled(found: re.Match[str]) -> str:
    return found.group().encode("unicode_escape", errors="backslashreplace").decode()
