"""How each client names its events, and the exact answers that it takes.

Not one key more than a client knows: one of them ignores a whole answer for a key that it does not know.
"""

from collections.abc import Mapping
from typing import Any

KINDS = ("before-tool", "after-tool", "prompt", "start", "stop", "subagent-stop", "config", "end")
CLOSED = frozenset(("before-tool", "stop", "config", "prompt", ""))  # where our own failure must be a refusal

_CLAUDE = {
    "PreToolUse": "before-tool",
    "PostToolUse": "after-tool",
    "PostToolUseFailure": "after-tool",
    "UserPromptSubmit": "prompt",
    "SessionStart": "start",
    "Stop": "stop",
    "SubagentStop": "subagent-stop",
    "ConfigChange": "config",
    "SessionEnd": "end",
}
_GEMINI = {
    "BeforeTool": "before-tool",
    "AfterTool": "after-tool",
    "BeforeAgent": "prompt",
    "SessionStart": "start",
    "AfterAgent": "stop",
    "SessionEnd": "end",
}
EVENTS: Mapping[str, Mapping[str, str]] = {
    "claude": _CLAUDE,
    "codex": _CLAUDE,
    "gemini": _GEMINI,
    "opencode": _CLAUDE,
}
Answer = dict[str, Any]
ALLOW: Answer = {}


def kind_of(client: str, event: str) -> str:
    """Our word for a client's event; empty for one that is not ours to answer."""
    return EVENTS[client].get(event, "")


def event_of(client: str, kind: str) -> str:
    """The client's word for one of our kinds."""
    return next((event for event, mine in EVENTS[client].items() if mine == kind), kind)


def block(reason: str) -> Answer:
    return {"decision": "block", "reason": reason}


def to_human(client: str, text: str) -> Answer:
    """A line that the client shows to its user; its agent does not read it."""
    return {"systemMessage": text} if text else ALLOW


def deny(client: str, reason: str) -> Answer:
    if client == "gemini":
        return {"decision": "deny", "reason": reason}
    return _permission("deny", reason)


def ask(client: str, reason: str) -> Answer:
    """For clients alone that can ask their user."""
    if client == "gemini":
        return {"decision": "ask", "reason": reason, "systemMessage": reason}
    return _permission("ask", reason)


def context(client: str, kind: str, text: str) -> Answer:
    event = event_of(client, kind)
    return {"hookSpecificOutput": {"hookEventName": event, "additionalContext": text}} if text else ALLOW


def _permission(decision: str, reason: str) -> Answer:
    said = {
        "hookEventName": "PreToolUse",
        "permissionDecision": decision,
        "permissionDecisionReason": reason,
    }
    return {"hookSpecificOutput": said}
