"""What a client says on stdin: read whole, bounded, and checked before anybody believes a word of it."""

import json
import os
import select
import time
from typing import Any, NamedTuple

from donewhen.core.errors import UserError
from donewhen.core.texts import Phrase
from donewhen.integrations.hook.unarmed import LONGEST

LARGEST = 8 * 1024 * 1024
DEEPEST = 64
LONGEST_NAME = 512
LONGEST_PATH = 4096


class Payload(NamedTuple):
    event: str  # as the client calls it; empty: it does not say
    session: str
    folder: str  # absolute
    internal: bool  # a thread of the client's own, such as one that makes a title
    data: dict[str, Any]

    def text(self, name: str, longest: int = LONGEST_NAME) -> str:
        """A field that is a text; empty for whatever else is there."""
        value = self.data.get(name)
        return value[:longest] if isinstance(value, str) else ""


def read_input(read: bytes = b"", handle: int = 0) -> bytes:
    """`read`: what is known of it already."""
    pieces, size = [read], len(read)
    try:
        while size <= LONGEST and (piece := os.read(handle, 1 << 20)):
            pieces.append(piece)
            size += len(piece)
    except OSError:
        raise refused("input_unreadable") from None
    return b"".join(pieces)


def read_until(handle: int, end: float) -> bytes | None:
    """All that comes until a moment of the monotonic clock; None where there is more."""
    pieces: list[bytes] = []
    while True:
        if not select.select([handle], [], [], max(0.0, end - time.monotonic()))[0]:
            return None
        piece = os.read(handle, 1 << 20)
        if not piece:
            return b"".join(pieces)
        pieces.append(piece)


def parsed(raw: bytes) -> Payload:
    """Unknown fields are left alone; those that we need must be what they are said to be."""
    if len(raw) > LARGEST:
        raise refused("input_too_large", most=LARGEST >> 20)
    data = _object(raw)
    if "hook_event_name" in data and not isinstance(data["hook_event_name"], str):
        raise refused("input_field", field="hook_event_name")
    event = _field(data, "hook_event_name", "-") if "hook_event_name" in data else ""
    session = _field(data, "session_id")
    folder = _field(data, "cwd", _here())
    if not folder.startswith("/"):
        raise refused("input_field", field="cwd")
    internal = "transcript_path" in data and data["transcript_path"] is None
    return Payload(event, session, os.path.normpath(folder), internal, data)


def _object(raw: bytes) -> dict[str, Any]:
    try:
        data = json.loads(raw.decode("utf-8-sig"), parse_constant=_no_number)
    except (ValueError, RecursionError):
        raise refused("input_not_json") from None
    if not isinstance(data, dict):
        raise refused("input_not_object")
    found: dict[str, Any] = _sound(data, b"\\ud" in raw.lower())
    return found


def _no_number(name: str) -> Any:
    raise ValueError(name)


def _sound(data: Any, surrogates: bool, depth: int = 0) -> Any:
    """The same, bounded in depth; halves of surrogate pairs replaced, as any client writes them to a file."""
    if depth > DEEPEST:
        raise refused("input_too_deep")
    if isinstance(data, dict):
        return {_plain(k, surrogates): _sound(v, surrogates, depth + 1) for k, v in data.items()}
    if isinstance(data, list):
        return [_sound(each, surrogates, depth + 1) for each in data]
    return _plain(data, surrogates) if isinstance(data, str) else data


def _plain(text: str, surrogates: bool) -> str:
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace") if surrogates else text


def _field(data: dict[str, Any], name: str, default: str = "") -> str:
    value = data.get(name, default)
    longest = LONGEST_PATH if name == "cwd" else LONGEST_NAME
    if not isinstance(value, str) or not value or "\0" in value or len(value) > longest:
        raise refused("input_field", field=name)
    return value


def _here() -> str:
    try:
        return os.getcwd()  # noqa: PTH109 - no path objects on this way
    except OSError:
        return ""


def refused(why: str, **values: object) -> UserError:
    return UserError("hooked.bad_input", why=Phrase(f"hooked.{why}", values))
