"""What a turn meant: is it a claim, does it repeat itself, is it time to lead, and what is to be said?"""

from collections.abc import Sequence

from donewhen.core import course as courses
from donewhen.core import mode
from donewhen.core.agent import Step
from donewhen.core.completion import kind_of_reply, read_reply
from donewhen.core.events import facts, run
from donewhen.core.repeat import Call as Repeated
from donewhen.core.repeat import Turn
from donewhen.core.rounds_seen import Failure, Seen, round_of
from donewhen.core.texts import Phrase, say
from donewhen.core.todos import OPEN
from donewhen.core.versions import READING_TOOLS
from donewhen.run.engine.calls import Call
from donewhen.run.engine.commands import acceptance_note
from donewhen.run.engine.executor import Done
from donewhen.run.engine.live import Run
from donewhen.run.engine.model import Stopped

_CLAIM = "complete"


def heard(live: Run, step: Step, done: Sequence[Done]) -> str | None:
    """The claim of a turn that says it is done; None for any other. Limits that it reaches are raised."""
    live.results = tuple(each.returned for each in done)
    claim = _claim(step, done)
    if step.calls:
        live.state.course = courses.reply(live.state.course, "tools", live.state.limits)
        _confirm(live, done)
        tell_acceptance(live, done)
        if claim is None:
            _repeats(live, done)
        _lead(live, done)
    elif claim is None:
        _missed(live, step)
    if live.state.course.end:
        raise Stopped(live.state.course.end.stop_reason)
    return claim


def _claim(step: Step, done: Sequence[Done]) -> str | None:
    for each in done:
        if each.call.request.tool == _CLAIM and each.result.ok:
            return str(each.call.request.args.get("summary") or step.text)
    if step.calls:
        return None
    reply = read_reply(step.text)
    return reply.answer if reply.signal else None


def _missed(live: Run, step: Step) -> None:
    """An answer with neither call nor signal: kept as a candidate, and the agent is reminded."""
    if step.finish == "length":
        live.tell_phrase("reminder", "engine.go_on")
        return
    live.ledger.post(facts.CandidateKept(step.text))
    kind = kind_of_reply(step.text, thinking=bool(step.thinking))
    live.state.course = courses.reply(live.state.course, kind, live.state.limits)
    if live.state.course.reminded:
        key = "thinking_only" if kind == "thinking" else "no_signal"
        left = live.state.limits.missing - live.state.course.misses.missing
        live.tell_phrase("reminder", f"engine.{key}", left=left + 1)


def _repeats(live: Run, done: Sequence[Done]) -> None:
    calls = tuple(
        Repeated(
            each.call.request.tool,
            each.call.request.args,
            each.returned.output,
            not each.result.ok,
            each.result.error_class,
        )
        for each in done
    )
    turn = Turn(calls, _subgoal(live))
    live.state.course = courses.turn(live.state.course, turn, live.state.promise, live.state.limits)
    if live.state.course.reminded:
        live.tell_phrase("reminder", "repeat.reminder")


def _subgoal(live: Run) -> str:
    """The open todos, and the tree: while one of them moves, equal turns are not the same step."""
    entries = live.state.todos.entries.values()
    todos = [f"{todo.id}:{todo.status}" for todo in entries if todo.status in OPEN]
    known = live.room.tree.last
    return ";".join((*todos, known.relevant if known else ""))


def _confirm(live: Run, done: Sequence[Done]) -> None:
    """Reading a file back confirms what was written to it."""
    for each in done:
        path = each.result.metadata.get("path")
        told = each.call.request.tool in READING_TOOLS and each.result.ok and isinstance(path, str)
        if told and not each.result.metadata.get("empty"):
            version = live.state.evidence.versions.of(str(path)).written
            live.ledger.post(facts.FileConfirmed(str(path), version))


def tell_acceptance(live: Run, done: Sequence[Done] = ()) -> None:
    """The system notes after commands of the exam ended, in this turn or in the background."""
    for ended in (*(each.ended for each in done), *live.room.commands.take_ended()):
        if ended is not None and ended.environment:  # only what is declared has one
            exam = live.state.exam(live.room.tree.known_view())
            live.tell("note", acceptance_note(exam, ended, live.language))


def _lead(live: Run, done: Sequence[Done]) -> None:
    """Free or forced: what the round showed moves the mode; in forced mode too many tries bring a hint."""
    written = tuple(dict.fromkeys(path for each in done for path in each.written))
    seen = Seen(
        tuple(each.call.request.tool for each in done),
        tuple(
            Failure(each.call.request.tool, each.result.error_class) for each in done if not each.result.ok
        ),
        written,
        live.room.tree.lines_changed() if written else 0,
        live.room.tree.branch() if any(map(_may_switch, done)) else "",
        live.state.todos,
        live.taken_up,
    )
    live.taken_up = False
    before = live.mode
    live.mode = mode.advance(before, round_of(seen, live.room.own_branch), live.settings)
    if live.mode.mode != before.mode:
        live.ledger.post(run.ModeChanged(live.mode.mode, live.mode.reason or ""))
        live.tell_phrase("note", f"engine.mode_{live.mode.mode}", reason=live.mode.reason or "")
    if live.mode.mode == "forced" and any(each.ended and each.ended.environment for each in done):
        live.room.tree.checkpoint(f"{live.ledger.run_id}/cycle")  # each cycle of edit and test
    if written and not live.state.todos.entries and not live.reminded:
        live.reminded = True
        live.tell_phrase("note", "engine.plan_first")
    _hints(live, done)


def out_of_step(live: Run, call: Call) -> Phrase | None:
    """Why a call may not be made in forced mode, which binds only an agent that is led."""
    if live.mode.mode != "forced" or not live.agent.follows_mode:
        return None
    paths = call.changes(str(live.room.site.folder))
    return mode.out_of_step(live.state.todos, [path for path in paths if not live.state.exempt.match(path)])


def _may_switch(done: Done) -> bool:
    """Whether another branch may be checked out since."""
    return done.result.finished is not None and not (isinstance(done.call, Call) and done.call.reads_only)


def _hints(live: Run, done: Sequence[Done]) -> None:
    hints: list[Phrase] = []
    for each in done:
        if each.written:
            live.efforts, more = mode.edited(live.efforts, each.written)
            hints += more
        finished = each.result.finished
        if finished is not None and finished.exit is not None:
            command = str(each.call.request.args.get("command", ""))
            live.efforts, more = mode.ran(live.efforts, command, passed=finished.exit == 0)
            hints += more
    if live.mode.mode == "forced":
        for hint in hints:
            live.tell("note", say(hint.key, live.language, **hint.values))
