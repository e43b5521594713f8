"""A call that was over before the run was interrupted, as the ledger tells it: enough to draw its meaning."""

from pathlib import Path

from donewhen.core.left import Made
from donewhen.core.versions import READING_TOOLS
from donewhen.run.engine.calls import Unreadable
from donewhen.run.engine.executor import Done
from donewhen.tools.model import ToolResult
from donewhen.workspace.processes.command import Finished, Output


def done_of(made: Made) -> Done:
    told, request = made.told, made.request
    path = request.args.get("path") if request.tool in READING_TOOLS else None
    metadata = {"path": path, "empty": not told.output} if isinstance(path, str) else {}
    result = ToolResult(
        told.ok, told.output, "", told.error_class, metadata=metadata, finished=_finished(made)
    )
    seen = (*((made.ended,) if made.ended else ()), *made.changed)
    return Done(Unreadable(made.key, request, result), result, seen)


def _finished(made: Made) -> Finished | None:
    ended = made.ended
    if ended is None:
        return None
    output = Output("", ended.tail, 0, len(ended.tail), Path(), 0)
    return Finished(ended.exit, output, ended.duration_ms)
