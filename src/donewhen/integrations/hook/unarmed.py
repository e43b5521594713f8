"""The first look at an event: most come from folders that nobody armed, and those load nothing more.

The words for session and folder are looked for in the bytes as they are, at any depth: more of them can only
arm. Where none is found, the folder that we were started in decides; so this holds for inputs that nobody can
read, too.
"""

import os
import select
from collections.abc import Iterator, Mapping

from donewhen.integrations.hook.places import CLIENTS, SESSION, is_armed, session_folder, state_folder

LONGEST = 64 * 1024 * 1024  # bytes that are looked at
_MOST = 200
_PATIENCE = 10.0  # seconds until the next piece
_BLANK = b" \t\r\n"


def main(words: list[str]) -> None:
    """Ends the process where nobody armed the folder; else does all of it, and ends it as well."""
    read: list[bytes] = []
    if 0 < len(words) < 3 and words[0] in CLIENTS and not any(word.startswith("-") for word in words):
        ended = _read(read)
        try:
            ours = not ended or concerns(words[0], b"".join(read), os.environ)
        except Exception:
            ours = True  # the whole way says what is wrong
        if not ours:
            os._exit(0)
    from donewhen.integrations.hook.main import main as whole

    whole(words, b"".join(read))


def concerns(client: str, raw: bytes, env: Mapping[str, str]) -> bool:
    """Whether the event may be one of a session that is gated, or was."""
    if env.get("DONEWHEN_LAUNCHED"):
        return True
    folders, sessions = {_here(), *_values(raw, b'"cwd"')}, {*_values(raw, b'"session_id"')}
    if len(folders) + len(sessions) > _MOST:
        return True
    state = state_folder(env)
    named = {session_folder(state, client, one) for one in sessions if "\0" not in one}
    places = {os.path.normpath(one) for one in folders if one.startswith("/") and "\0" not in one}
    if any(os.path.lexists(f"{one}/{SESSION}") for one in named):
        return True
    return any(is_armed(state, f"{state}/sessions/?", one) for one in places or {"/"})


def _read(pieces: list[bytes]) -> bool:
    """Whether the input ended; somebody else waits for more of it."""
    size = 0
    try:
        while size <= LONGEST:
            if not select.select([0], [], [], _PATIENCE)[0]:
                return False
            piece = os.read(0, 1 << 20)
            if not piece:
                return True
            pieces.append(piece)
            size += len(piece)
    except (OSError, ValueError):
        return False
    return True


def _values(raw: bytes, name: bytes) -> Iterator[str]:
    at = raw.find(name)
    while at >= 0:
        rest = raw[at + len(name) : at + len(name) + 20_000].lstrip(_BLANK)
        value = rest[1:].lstrip(_BLANK)
        if rest[:1] == b":" and value[:1] == b'"':
            yield _text(value)
        at = raw.find(name, at + 1)


def _text(value: bytes) -> str:
    """What stands between quotes at the beginning."""
    end = value.find(b'"', 1)
    if end < 0:
        return ""
    if b"\\" not in value[:end]:
        return value[1:end].decode(errors="replace")
    import json

    try:
        found, _ = json.JSONDecoder().raw_decode(value.decode(errors="replace"))
    except ValueError:
        return ""
    return found.encode("utf-8", "replace").decode() if isinstance(found, str) else ""


def _here() -> str:
    try:
        return os.getcwd()  # noqa: PTH109 - no path objects on this way
    except OSError:
        return ""
