"""Does an input that can't be read concern us? Only where somebody armed a folder that it may be about.

The words for session and folder are looked for in the bytes as they are, at any depth: more of them can only
arm. Where none is found, the folder that we were started in decides.
"""

import json
import os
import re

from donewhen.integrations.hook.course import Course
from donewhen.integrations.hook.places import is_armed, session_folder, state_folder

_WORDS = re.compile(rb'"(session_id|cwd)"\s{0,64}:\s{0,64}("(?:[^"\\]|\\.){1,20000}")', re.DOTALL)
_MOST = 200


def concerns(course: Course, raw: bytes) -> bool:
    if course.env.get("DONEWHEN_LAUNCHED"):
        return True
    folders: set[str] = {_here()}
    sessions: set[str] = set()
    for found in _WORDS.finditer(raw):
        (folders if found[1] == b"cwd" else sessions).add(_text(found[2]))
        if len(folders) + len(sessions) > _MOST:
            return True
    state = state_folder(course.env)
    named = {session_folder(state, course.client, one) for one in sessions if "\0" not in one}
    places = {os.path.normpath(one) for one in folders if one.startswith("/") and "\0" not in one}
    return any(
        is_armed(state, name, one) for name in named or {f"{state}/sessions/?"} for one in places or {"/"}
    )


def _text(quoted: bytes) -> str:
    try:
        found = json.loads(quoted.decode("utf-8", "replace"))
    except ValueError:
        return ""
    return found.encode("utf-8", "replace").decode() if isinstance(found, str) else ""


def _here() -> str:
    try:
        return os.getcwd()  # noqa: PTH109 - no path objects on this way
    except OSError:
        return ""
