"""The message of a shipped commit: the goal as its subject, the summary below, two trailers of ours.

Pure. Goal and summary are hostile text: bounded, redacted, without control characters and without lines that
could be read as our trailers.
"""

import re

from donewhen.core.lazy import lazy
from donewhen.secrets.redact import Redactor

RUN = "Donewhen-Run"
TREE = "Donewhen-Tree"
FORGED = lazy(r"^[ \t]*donewhen-[a-z]+[ \t]*:", re.IGNORECASE | re.MULTILINE)
CONTROLS = lazy("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
_SUBJECT = 72
_LONGEST = 8000
_NOTHING = "Work of a donewhen run"


def message_of(goal: str, summary: str = "") -> str:
    """What a commit says of its work, without trailers."""
    lines = [line.strip() for line in _clean(goal).splitlines() if line.strip()]
    subject = lines[0] if lines else _NOTHING
    if len(subject) > _SUBJECT:
        subject = subject[: _SUBJECT - 1].rstrip() + "…"
    body = _clean(summary).strip()
    return f"{subject}\n\n{body}".rstrip() + "\n"


def signed_off(message: str, run_id: str, tree: str) -> str:
    """The message with our trailers; it is made safe again, whoever wrote it."""
    subject, _, body = message.partition("\n")
    return f"{message_of(subject, body)}\n{trailer(run_id)}\n{TREE}: {tree}\n"


def trailer(run_id: str) -> str:
    return f"{RUN}: {run_id}"


def _clean(text: str) -> str:
    bounded = text[:_LONGEST].replace("\r\n", "\n").replace("\r", "\n")
    plain = Redactor().text(CONTROLS.sub("", bounded))
    return "\n".join(line.rstrip() for line in plain.split("\n") if not FORGED.match(line))
