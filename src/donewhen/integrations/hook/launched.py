"""A client that a run of ours started: its tools are guarded as the run's own, and it may stop.

The run judges what the client leaves behind when it has ended. What holds was written by the run, into our
own state folder, for its own workspace alone: a variable by itself opens nothing.
"""

import json
import os
import re
from contextlib import suppress
from typing import Any

from donewhen.core.texts import say
from donewhen.integrations.hook import dialects
from donewhen.integrations.hook.compiled import Compiled, read_object
from donewhen.integrations.hook.course import Course, Ending
from donewhen.integrations.hook.payload import Payload

VARIABLE = "DONEWHEN_LAUNCHED"
_RUN = re.compile(r"[A-Za-z0-9-]{1,64}\Z")
_LARGEST = 256 * 1024  # bytes of refusals
_LONGEST = 2000


def launched(course: Course, payload: Payload, state: str) -> dict[str, Any] | None:
    """What the run wrote; None for a client that no run started, or that stands elsewhere."""
    run = course.env.get(VARIABLE, "")
    data = read_object(f"{state}/launched/{run}.json") if _RUN.match(run) else None
    if data is None or data.get("version") != 1 or not isinstance(data.get("root"), str):
        return None
    inside = f"{os.path.realpath(payload.folder)}/".startswith(f"{data['root']}/")
    return data if inside else None


def guarded(course: Course, payload: Payload, state: str, data: dict[str, Any]) -> Ending:
    course.language = "zh" if data.get("language") == "zh" else "en"
    if course.kind == "config":
        return _answered(dialects.block(say("clients.settings_kept", course.language)))
    if course.kind != "before-tool":
        return Ending(0)
    from donewhen.integrations.hook.judging import Where, guard_of, judged, reason_of

    config = Compiled(data["guard"], data["bounds"], (), course.language, "", "")
    own = data.get("in_place") is True
    guard = guard_of(config, Where(data["root"], payload.folder), course.env, checkout=own)
    tool = payload.text("tool_name")
    decision = judged(guard, course.client, tool, payload.data.get("tool_input", {}))
    if decision.action == "allow" and tool:
        return Ending(0)
    key = "hooked.needs_human" if decision.action == "ask" else "hooked.denied"
    reason = reason_of(decision, course.language, key)
    told = {"tool": tool[:200], "rule": decision.rule, "reason": reason[:_LONGEST]}
    told["call"] = payload.text("tool_use_id", 200)
    _tell(f"{state}/launched/{course.env[VARIABLE]}.denied", told)
    return _answered(dialects.deny(course.client, reason))


def _tell(path: str, told: dict[str, str]) -> None:
    """The run reads it while the client works, and writes it to its ledger; the refusal holds anyway."""
    line = json.dumps(told) + "\n"
    flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
    with suppress(OSError):
        handle = os.open(path, flags, 0o600)
        try:
            if os.fstat(handle).st_size < _LARGEST:
                os.write(handle, line.encode())
        finally:
            os.close(handle)


def _answered(answer: dialects.Answer) -> Ending:
    return Ending(0, json.dumps(answer, ensure_ascii=True))
