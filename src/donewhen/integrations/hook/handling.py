"""What is done at each kind of event. Every function here returns the answer or raises; nothing is caught."""

import json
import time
from collections.abc import Callable

from donewhen.core.errors import SetupError
from donewhen.core.texts import say
from donewhen.integrations.hook import dialects
from donewhen.integrations.hook.course import Course, Ending
from donewhen.integrations.hook.payload import Payload
from donewhen.integrations.hook.places import (
    CLIENT_PROCESS,
    CONFIG,
    LOG,
    ONLY_READS,
    SESSION,
    is_armed,
    session_folder,
    state_folder,
)

_PATIENCE = 0.2  # seconds that the first session of a folder waits for its promise


def handled(course: Course, payload: Payload) -> Ending:
    """The answer to one event; nothing where nobody armed the folder."""
    if payload.internal:
        return Ending(0)
    course.repeated = payload.data.get("stop_hook_active") is True
    state = state_folder(course.env)
    course.folder = session_folder(state, course.client, payload.session)
    if course.env.get("DONEWHEN_LAUNCHED"):
        from donewhen.integrations.hook.launched import guarded, launched

        run = launched(course, payload, state)
        if run is not None:
            return guarded(course, payload, state, run)
    if course.kind == "prompt" and _is_open(course):
        from donewhen.integrations.hook.typed import typed

        said = typed(course, payload)
        if said:
            return _answered(dialects.block(said))
    if not is_armed(state, course.folder, payload.folder):
        return Ending(0)
    if course.env.get(CLIENT_PROCESS):
        from donewhen.integrations.hook.gaps import record_gap

        record_gap(course, payload, state)
        if course.kind in ("start", "prompt"):
            from donewhen.integrations.hook.ancestry import note_client

            note_client(course.env, course.client)
    if course.kind != "after-tool":
        from donewhen.integrations.hook.detached import await_calls

        await_calls(course.folder)
    return _HANDLERS[course.kind](course, payload)


def _answered(answer: dialects.Answer, err: str = "") -> Ending:
    return Ending(0, json.dumps(answer, ensure_ascii=True) if answer else "", err)


def _open(course: Course, payload: Payload) -> None:
    """A session that has not begun yet begins now: a client need not say that it starts."""
    from donewhen.integrations.hook.failures import reset
    from donewhen.integrations.hook.worker import ask

    if not _is_open(course):
        ask(course, payload, "open")
        reset(course.folder)


def _is_open(course: Course) -> bool:
    from os.path import lexists

    return lexists(f"{course.folder}/{SESSION}")


def _before_tool(course: Course, payload: Payload) -> Ending:
    from donewhen.integrations.hook.looks import before_call, begin_look
    from donewhen.integrations.hook.sessions import config_of, read_session

    _open(course, payload)
    session, config = read_session(course), config_of(course, payload)
    writes = payload.text("tool_name") not in ONLY_READS
    looking = begin_look(session.root, course.env) if writes else None  # while the guard is loaded
    from donewhen.integrations.hook.judging import Where, guard_of, judged
    from donewhen.integrations.hook.once import RULES, is_answered, note_question

    guard = guard_of(config, Where(session.root, payload.folder, session.since), course.env)
    tool = payload.text("tool_name")
    if not tool or "\0" in tool:
        from donewhen.integrations.hook.payload import refused

        raise refused("input_field", field="tool_name")
    decision = judged(guard, course.client, tool, payload.data.get("tool_input", {}))
    if decision.action != "deny" and writes:
        before_call(course.folder, looking, payload, course.env)
    if decision.action == "allow":
        return Ending(0)
    if decision.rule in RULES:
        if is_answered(course.folder, decision):
            return Ending(0)
        note_question(course.folder, payload.text("tool_use_id"), decision)
    from donewhen.integrations.hook.refusing import refusal

    return _answered(refusal(course, payload, session.run, config, decision))


def _after_tool(course: Course, payload: Payload) -> Ending:
    """Nobody waits for what comes of a call, but the next event of the session."""
    from donewhen.integrations.hook.detached import detach
    from donewhen.integrations.hook.looks import after_call, begin_look, children_of

    children = children_of(course.env)
    if detach(course):
        return Ending(0)
    from donewhen.integrations.hook.sessions import config_of, read_session

    _open(course, payload)
    session = read_session(course)
    writes = payload.text("tool_name") not in ONLY_READS
    looking = begin_look(session.root, course.env) if writes else None  # while the ledger is loaded
    from donewhen.integrations.hook.ledger import append_patiently, open_ledger, returned
    from donewhen.integrations.hook.once import note_ran

    note_ran(course.folder, payload.text("tool_use_id"))
    config = config_of(course, payload)
    changed: tuple[str, ...] | None = ()
    if writes:
        changed = after_call(course.folder, looking, payload, children)
    end = time.monotonic() + course.left - 1.0
    append_patiently(
        lambda: open_ledger(config.store, config.heads, course.env, config.secret_names, 1.0),
        session.run,
        lambda redactor: returned(payload, redactor, session.root, changed),
        end,
    )
    return Ending(0)


def _start(course: Course, payload: Payload) -> Ending:
    from donewhen.integrations.hook.failures import Late, reset
    from donewhen.integrations.hook.gaps import take_past_gaps
    from donewhen.integrations.hook.promises import last_promise, note_told
    from donewhen.integrations.hook.worker import ask, let_work, text_of

    text = "" if _is_open(course) else last_promise(state_folder(course.env), payload.folder)
    if text:
        note_told(course.folder, text)
        let_work(course, payload, "open")
    else:
        try:
            within = 0.0 if course.seconds else _PATIENCE  # a deadline that somebody gave is waited for
            text = text_of(course, "open", ask(course, payload, "open", within=within), "context")
        except Late:  # it is told with the first prompt
            note_told(course.folder, "-")
    reset(course.folder)
    answer = dialects.context(course.client, "start", text)
    count = take_past_gaps(state_folder(course.env))
    if not count:
        return _answered(answer)
    said = say("hooked.past_gaps", course.language, count=count)
    return _answered({**answer, "systemMessage": said}, err=said)


def _prompt(course: Course, payload: Payload) -> Ending:
    from donewhen.integrations.hook.worker import ask, text_of

    if course.client == "gemini":  # over ACP it tells of no tool call: what changes from now on is its work
        _open(course, payload)
        from donewhen.integrations.hook.looks import PROMPT, keep, look_at
        from donewhen.integrations.hook.sessions import read_session

        look = look_at(read_session(course).root, course.env)
        if look is not None:
            keep(course.folder, PROMPT, look)
    said = ask(course, payload, "prompt")
    text, human = (text_of(course, "prompt", said, name) for name in ("context", "human"))
    answer = dialects.context(course.client, "prompt", text)
    return _answered({**answer, **dialects.to_human(course.client, human)})


def _stop(course: Course, payload: Payload) -> Ending:
    from donewhen.integrations.hook.compiled import STOP_LIMIT, read_compiled
    from donewhen.integrations.hook.failures import Late, reset
    from donewhen.integrations.hook.worker import ask

    subagent = "" if course.kind == "stop" else payload.text("agent_id") or "?"
    _open(course, payload)
    config = read_compiled(f"{course.folder}/{CONFIG}", course.env)
    course.limit(config.stop_limit if config else STOP_LIMIT)
    try:
        answer = ask(course, payload, "stop", subagent=subagent)
    except Late:
        if course.kind != "stop":
            raise
        reset(course.folder)
        line = say("sessions.line_examining", course.language, seconds=round(course.deadline))
        return _answered(dialects.to_human(course.client, line))
    ending = _decided(course, "stop", answer)
    if course.kind == "stop":
        reset(course.folder)
    return ending


def _config(course: Course, payload: Payload) -> Ending:
    from donewhen.integrations.hook.worker import ask

    _open(course, payload)
    return _decided(course, "config", ask(course, payload, "config"))


def _end(course: Course, payload: Payload) -> Ending:
    from donewhen.integrations.hook.worker import ask

    if _is_open(course):
        ask(course, payload, "end")
    return Ending(0)


def _decided(course: Course, verb: str, data: dict[str, object]) -> Ending:
    answer, text, human = data.get("answer"), data.get("text", ""), data.get("human", "")
    texts = isinstance(text, str) and isinstance(human, str)
    if answer not in ("allow", "block") or not texts or (answer == "block" and not text):
        raise SetupError("hooked.worker_answer", verb=verb, log=f"{course.folder}/{LOG}")
    said = dialects.block(str(text)) if answer == "block" else dialects.ALLOW
    return _answered({**said, **dialects.to_human(course.client, str(human))})


_HANDLERS: dict[str, Callable[[Course, Payload], Ending]] = {
    "before-tool": _before_tool,
    "after-tool": _after_tool,
    "start": _start,
    "prompt": _prompt,
    "stop": _stop,
    "subagent-stop": _stop,
    "config": _config,
    "end": _end,
}
