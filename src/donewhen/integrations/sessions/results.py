"""The note of a session's last exam, and its verdict where nobody waited for it any more."""

from typing import Any

from donewhen.integrations.sessions.model import Verdict
from donewhen.integrations.sessions.opening import Live

RESULT = "exam.json"


def delivered(live: Live) -> None:
    """The verdict was heard: the next stop gets an exam of its own, unless this one was a pass."""
    known = live.folder.read(RESULT)
    if isinstance(known, dict) and not known.get("delivered"):
        live.folder.write(RESULT, {**known, "delivered": True})


def late_verdict(live: Live) -> Verdict:
    """What an exam came to that took longer than its stop waited; empty where there is nothing to say.

    Of a tree that was changed during the exam nothing is known.
    """
    known: Any = live.folder.read(RESULT)
    if not isinstance(known, dict) or known.get("delivered") is not False or known.get("subagent"):
        return Verdict("allow", "unchanged")
    delivered(live)
    if known.get("moved"):
        return Verdict("allow", "unchanged")
    text = "" if known.get("kind") == "accepted" else str(known.get("text", ""))
    return Verdict("allow", "unchanged", text, str(known.get("human", "")))
