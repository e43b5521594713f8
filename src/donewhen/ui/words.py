"""The language of this process, and texts in it.

Chosen before commands are built: DONEWHEN_LANGUAGE, else `language` in the user's file, else the locale. Help
must be fast, so the user's file is searched for that one line here; the config room reads it in full, and
what it finds (also a flag) counts from then on.
"""

import os
import re
from functools import cache

from donewhen.core.texts import Language, language_of, say

_LINE = re.compile(rb"^language\s*:\s*[\"']?(en|zh)\b", re.MULTILINE)
_chosen: list[Language] = []


def language() -> Language:
    return _chosen[-1] if _chosen else _first()


def use(name: str) -> None:
    """Speak the configured language from now on; `auto` leaves it as it is."""
    if name != "auto":
        _chosen.append(language_of(name))


def t(key: str, /, **values: object) -> str:
    return say(key, language(), **values)


@cache
def _first() -> Language:
    env = os.environ
    locale = env.get("LC_ALL") or env.get("LC_MESSAGES") or env.get("LANG")
    return language_of(env.get("DONEWHEN_LANGUAGE"), _from_user_file(), locale)


def _from_user_file() -> str:
    from donewhen.config.paths import user_file
    from donewhen.core.errors import DonewhenError

    try:
        path = user_file(os.environ)
        if not path.is_file():  # a pipe would let even --help wait
            return ""
        with path.open("rb") as file:
            found = _LINE.search(file.read(65536))
    except (OSError, DonewhenError):
        return ""
    return found[1].decode() if found else ""
