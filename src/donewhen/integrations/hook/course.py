"""One call of the hook, from its arguments to its answer: what is known of it so far.

A failure can come at any moment, and what to say then depends on how far the call has come; so this one
thing changes as it goes. Everything else here is a value.
"""

import time
from collections.abc import Mapping
from typing import NamedTuple

from donewhen.core.errors import UserError
from donewhen.core.texts import Language, language_of
from donewhen.integrations.hook.dialects import KINDS, kind_of
from donewhen.integrations.hook.places import CLIENTS

STOPS = ("stop", "subagent-stop")
LONGEST_DEADLINE = 24 * 3600.0


class Ending(NamedTuple):
    code: int
    out: str = ""  # nothing where there is nothing to say: some clients show whatever a hook prints
    err: str = ""


class Course:
    """The call as it stands."""

    def __init__(self, env: Mapping[str, str]) -> None:
        self.env = env
        self.began = time.monotonic()
        self.client = ""
        self.kind = ""  # empty: not known yet, so a failure is a refusal
        self.seconds = 0.0  # that it may take; 0: by its kind
        self.folder = ""  # of the session
        self.repeated = False  # the client says that a stop was refused before
        locale = env.get("LC_ALL") or env.get("LC_MESSAGES") or env.get("LANG")
        self.language: Language = language_of(env.get("DONEWHEN_LANGUAGE"), locale)

    @property
    def deadline(self) -> float:
        return self.seconds or (540.0 if self.kind in STOPS else 25.0)

    def limit(self, seconds: float) -> None:
        """No more than so many seconds, from its beginning."""
        self.seconds = min(self.deadline, seconds)

    @property
    def left(self) -> float:
        """Seconds until the deadline."""
        return self.began + self.deadline - time.monotonic()


def arguments(course: Course, words: list[str]) -> None:
    """CLIENT [EVENT] [--deadline SECONDS]; the event by the client's name for it or by ours."""
    words = list(words)
    if "--deadline" in words:
        at = words.index("--deadline")
        course.seconds = _seconds(words[at + 1 : at + 2], words)
        del words[at : at + 2]
    if not words or len(words) > 2 or words[0] not in CLIENTS:
        raise _unknown(words)
    course.client = words[0]
    if len(words) == 2:
        course.kind = words[1] if words[1] in KINDS else kind_of(words[0], words[1])


def _seconds(value: list[str], words: list[str]) -> float:
    try:
        seconds = float(value[0])
    except (ValueError, IndexError):
        raise _unknown(words) from None
    if not 0 < seconds <= LONGEST_DEADLINE:
        raise _unknown(words)
    return seconds


def _unknown(words: list[str]) -> UserError:
    shown = " ".join(words)[:200]
    return UserError("hooked.bad_words", words=ascii(shown))
