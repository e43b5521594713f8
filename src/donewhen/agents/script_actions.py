"""What the keys of a step ask for, one entry each: a table, so that a new kind of step is a new line.

A value has been found to be of the right shape before it comes here (`script_values`); what a tool makes of
it is the tool's business. Nothing is run.
"""

import json
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from donewhen.agents.script_model import Sort
from donewhen.core.agent import ToolRequest
from donewhen.core.codec import freeze
from donewhen.core.completion import KEY

Call = tuple[str, Mapping[str, Any]]


class Action(NamedTuple):
    """How one key is read: the shape of its value, and the calls or the text that come of it."""

    shape: str  # a name in `script_values.SHAPES`
    sort: Sort
    calls: Callable[[Any], list[Call]] | None = None
    text: Callable[[str], str] | None = None


def signal(text: str) -> str:
    """The text with the completion object in it; one that brings an object of its own is left as it is."""
    if KEY in text:
        return text
    claim = json.dumps({KEY: {"completed": True, "summary": text}}, ensure_ascii=False)
    return f"{text}\n\n{claim}"


def _edits(path: str, old: str, new: str) -> Mapping[str, Any]:
    return {"path": path, "edits": [{"old": old, "new": new}]}


def requests(calls: list[Call]) -> tuple[ToolRequest, ...]:
    """Ids are unique in a turn, and the same in every run."""
    return tuple(
        ToolRequest(f"call-{number}", tool, freeze(dict(args)))
        for number, (tool, args) in enumerate(calls, start=1)
    )


ACTIONS: Mapping[str, Action] = {
    "bash": Action("text", "work", lambda text: [("run_command", {"command": text})]),
    "tool": Action("call", "work", lambda call: [call]),
    "calls": Action("calls", "work", lambda calls: calls),
    "edit": Action("edit", "work", lambda edit: [("edit_file", _edits(**edit))]),
    "write": Action("write", "work", lambda write: [("write_file", write)]),
    "plan": Action("plan", "plan", lambda plan: [("plan_update", plan)]),
    "done": Action("text", "claim", lambda text: [("complete", {"summary": text})]),
    "signal": Action("text", "claim", None, signal),
}
