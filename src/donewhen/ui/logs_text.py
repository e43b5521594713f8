"""Events as people read them, one line each: number, time, turn, what happened, the important fact first.

A table of what each type shows; a type without an entry is shown field by field, so that nothing in a ledger
is ever hidden. Everything that an agent wrote is cut and made harmless.
"""

import json
import re
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import Any, NamedTuple

from donewhen.core.codec import thaw, to_json
from donewhen.core.elsewhere import as_hoped, purpose_of
from donewhen.core.events import Event
from donewhen.core.ids import seconds
from donewhen.ui.causes import said_cause, said_reason
from donewhen.ui.elsewhere import on_tree, went
from donewhen.ui.output import fit, one_line, pad, paint, room
from donewhen.ui.runs_text import money, size, state_word, todo_word
from donewhen.ui.words import t

_LONGEST = 2000  # characters of one text that are looked at
_PLAIN = 200  # columns of a line where the output is no terminal
_LEAST = 40
_ARGUMENTS = ("command", "path", "pattern", "summary", "question")

_OUTCOMES = ("blocked", "changed", "failed", "noted", "passed")  # of hooks
_CHECKPOINTS = ("pre-plan", "pre-act", "post-act", "pre-delegate", "pre-verify", "pre-ship")
_ACTORS = ("agent", "api", "feedback", "goal", "harness", "hook", "human", "llm", "note", "other", "reminder")
_TREE = "fingerprint"  # judges nothing: it only says which tree is looked at
_TAG = re.compile(r"\s*</?[A-Za-z][\w-]{0,80}>\s*")
_WORDS = frozenset((*_ACTORS, *_OUTCOMES, *_CHECKPOINTS))
Values = dict[str, object]


class Told(NamedTuple):
    """What a line says: its sign and colour, and the values of its text."""

    sign: str
    colour: str
    values: Values
    routine: bool = False  # nothing that anybody waits for
    output: bool = False  # there is more than the line shows
    key: str = ""  # of the text, where it is not the one of its type


def event_json(event: Event) -> str:
    """One line of `show --events` and `logs --json`."""
    line = {**event._asdict(), "body": to_json(event.body)}
    return json.dumps(thaw(line), ensure_ascii=True, separators=(",", ":"))


def is_routine(event: Event) -> bool:
    return _told(event).routine


def event_line(event: Event, turn: int, *, whole: bool = False, masked: bool = False) -> str:
    """The line of an event; `whole` lets it be as long as it is, `masked` is what could not have failed."""
    told = _told(event)
    told = told._replace(sign="◐", colour="yellow") if masked else told
    head = f"{event.seq:>5}  {clock(event.at)}  {turn or '–':>3}  "
    text = t(told.key or f"seeing.log_{event.type}", **told.values) if told.values else _generic(event)
    more = f"  {t('seeing.whole_output', seq=event.seq)}" if told.output else ""
    left = room(len(head) + len(more) + 2, _LEAST) or _PLAIN
    said = fit(one_line(text), None if whole else left)
    styles = ("dim",) if told.routine else (told.colour,) if told.colour else ()
    return f"{paint(head, 'dim')}{paint(f'{pad(told.sign, 1)} {said}', *styles)}{paint(more, 'dim')}"


def clock(at: str) -> str:
    """The moment by the clock of this machine; an altered one as it is."""
    try:
        return f"{datetime.fromtimestamp(seconds(at)):%m-%d %H:%M:%S}"
    except (ValueError, OverflowError, OSError):
        return fit(one_line(at[:40]), 14)


def _told(event: Event) -> Told:
    tell = _TELL.get(event.type)
    return tell(event.body) if tell else Told("·", "", {})


def _generic(event: Event) -> str:
    fields = to_json(event.body)
    said = (f"{name} {_cut(value)}" for name, value in fields.items() if value not in ("", None))
    return " · ".join([event.type, *said])


def _cut(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(thaw(value), ensure_ascii=False)
    return one_line(text[:_LONGEST])


def _last(text: str) -> str:
    """The last line that says something: what a program ends with is what it found; tags only wrap it."""
    found = text[-_LONGEST:].splitlines()
    lines = [line for line in found if line.strip("-= \t") and not _TAG.fullmatch(line)]
    return one_line(lines[-1]) if lines else ""


def _after(text: str, mark: str = "") -> str:
    """A part of a sentence that may be missing."""
    return f"{mark or t('models_found.colon')}{_cut(text)}" if text else ""


def _word(name: str) -> str:
    """A name of the ledger in the reader's language; in English, and where there is none, as it is."""
    return t(f"seeing.word_{name}") if name in _WORDS else _cut(name)


def _seconds(milliseconds: int) -> str:
    return f"{milliseconds / 1000:.1f}s"


def _started(body: Any) -> Told:
    values = {"goal": _cut(body.goal), "agent": _cut(body.agent), "base": body.base[:12]}
    return Told("▸", "bold", {**values, "budget": money(body.budget_micros)})


def _state(body: Any) -> Told:
    colour = {"done": "green", "fail": "red", "paused": "yellow"}.get(body.state, "cyan")
    values = {"state": state_word(body.state), "was": state_word(body.was)}
    return Told("▸", colour, {**values, "reason": _after(said_reason(body.reason))})


def _note(body: Any) -> Told:
    sign, colour = {"warning": ("!", "yellow"), "error": ("✗", "red")}.get(body.level, ("·", ""))
    return Told(sign, colour, {"text": _cut(body.text)}, body.level in ("debug", "info"))


def _decided(body: Any) -> Told:
    if body.status == "accepted":
        return Told("✓", "green", {"summary": _cut(body.summary)}, key="seeing.log_accepted")
    if body.status == "continue":
        detail = next((each for each in body.details if each != body.summary), "")
        values: Values = {"summary": _cut(body.summary), "detail": _after(detail)}
        return Told("✗", "yellow", values, key="seeing.log_refused")
    parts = (body.stop_reason or body.status, said_cause(body.cause))
    named = " · ".join(_cut(each) for each in parts if each)
    return Told("✗", "red", {"reason": named, "summary": _after(body.summary)})


def _ended(body: Any) -> Told:
    good = body.exit == 0 or as_hoped(body)
    sign, colour = ("✓", "green") if good else ("…", "") if body.state == "running" else ("✗", "red")
    values: Values = {
        "exit": "–" if body.exit is None else body.exit,
        "command": on_tree(_cut(body.command), body.before),
        "went": went(body),
        "by": _word(body.by),
        "seconds": _seconds(body.duration_ms),
        "last": _after(_last(body.tail), " · "),
    }
    if purpose_of(body.before) and not good:
        sign, colour = "·", ""  # no failure of the change
    output = bool(body.output) and _cut_off(body.tail)
    if body.of_run:
        values |= {"run": _cut(body.of_run)}
        return Told(sign, colour, values, output=output, key="seeing.log_used_again")
    return Told(sign, colour, values, output=output)


def _cut_off(tail: str) -> bool:
    """Whether a line can't show all of an output."""
    return not tail or len([line for line in tail[:_LONGEST].splitlines() if line.strip()]) > 1


def _called(body: Any) -> Told:
    args: Mapping[str, Any] = body.args
    shown = next((args[name] for name in _ARGUMENTS if args.get(name)), thaw(args) or "")
    return Told(
        "$" if body.tool == "run_command" else "→", "", {"tool": _cut(body.tool), "what": _cut(shown)}
    )


def _returned(body: Any) -> Told:
    said = _last(body.output) if body.ok else _cut(body.output) or body.error_class
    sign, colour = ("·", "") if body.ok else ("✗", "red")
    values: Values = {"tool": _cut(body.tool), "said": _after(said)}
    return Told(sign, colour, values, routine=body.ok, output=len(body.output) > _LONGEST)


def _denied(body: Any) -> Told:
    what = body.command or body.target or body.tool
    return Told("✗", "red", {"rule": _cut(body.rule), "what": _cut(what), "reason": _after(body.reason)})


def _verified(body: Any) -> Told:
    if body.verifier == _TREE and body.verdict == "skipped":
        tree = {"tree": _cut(body.scope)[:12]}
        return Told("·", "", {**tree}, routine=True, key="seeing.log_tree")
    sign, colour = {"passed": ("✓", "green"), "failed": ("✗", "red")}.get(body.verdict, ("·", ""))
    values = {"verifier": _cut(body.verifier), "scope": _cut(body.scope), "verdict": body.verdict}
    why = body.details.get("why", "")
    return Told(sign, colour, {**values, "why": _after(str(why))}, routine=body.verdict == "skipped")


def _reviewed(body: Any) -> Told:
    sign, colour = {"pass": ("✓", "green"), "fail": ("✗", "red")}.get(body.overall, ("!", "yellow"))
    verdicts = ", ".join(f"{name} {verdict}" for name, verdict in body.verdicts.items())
    values = {"judge": _cut(body.judge), "overall": body.overall, "round": body.round}
    return Told(
        sign, colour, {**values, "cost": f"{body.micros / 1e6:.4f}", "why": _after(verdicts or body.why)}
    )


def _hook(body: Any) -> Told:
    fine = body.outcome == "passed"
    values = {"hook": _cut(body.hook), "point": _cut(body.point), "outcome": _word(body.outcome)}
    return Told(
        "·" if fine else "!", "" if fine else "yellow", {**values, "reason": _after(body.reason)}, fine
    )


def _judged(body: Any) -> Told:
    word = t("seeing.allowed" if body.allowed else "seeing.not_allowed")
    values: Values = {
        "checkpoint": _word(body.checkpoint),
        "word": word,
        "issue": _after("; ".join(body.issues)),
    }
    return Told("·" if body.allowed else "✗", "" if body.allowed else "red", values, body.allowed)


def _stepped(body: Any) -> Told:
    said = body.text or body.thinking
    return Told("“" if said else "·", "", {"calls": body.calls, "said": _after(said)}, routine=not said)


def _plain(sign: str, *names: str, colour: str = "", routine: bool = False) -> Callable[[Any], Told]:
    """A line that needs nothing but some fields as they are."""

    def tell(body: Any) -> Told:
        return Told(sign, colour, {name: _cut(getattr(body, name)) for name in names}, routine)

    return tell


def _changed(body: Any) -> Told:
    return Told(
        "~", "", {"change": body.change, "path": _cut(body.path), "origin": _after(body.origin, " ← ")}
    )


def _booked(body: Any) -> Told:
    values = {"kind": _word(body.kind), "money": money(body.micros), "model": _after(body.model, " · ")}
    return Told("·", "", {**values, "tokens_in": body.tokens_in, "tokens_out": body.tokens_out}, routine=True)


def _reserved(body: Any) -> Told:
    values = {"money": money(body.micros), "tokens": body.tokens, "model": _after(body.model, " · ")}
    return Told("·", "", {**values}, routine=True)


def _amended(body: Any) -> Told:
    return Told("▸", "bold", {"by": _cut(body.by), "reason": _after(body.reason)})


def _promised(body: Any) -> Told:
    return Told("▸", "", {"id": _cut(body.id), "objective": _cut(body.promise.get("objective", ""))})


def _todo(body: Any) -> Told:
    todo = body.todo
    values = {
        "id": _cut(body.id),
        "status": todo_word(todo),
        "content": _cut(todo.get("content", "")),
    }
    return Told("☐", "", {**values})


def _planned(body: Any) -> Told:
    values: Values = {"checks": len(body.checks), "refused": _after("; ".join(body.refused), " · ✗ ")}
    return Told("▸", "", values)


def _withdrawn(body: Any) -> Told:
    return Told("↺", "yellow", {"todos": len(body.todos), "checks": len(body.checks)})


def _asked(body: Any) -> Told:
    return Told("?", "yellow", {"ask": _cut(body.ask), "question": _cut(body.question)})


def _answered(body: Any) -> Told:
    word = t("seeing.allowed" if body.allowed else "seeing.not_allowed")
    values = {"ask": _cut(body.ask), "word": word, "by": body.by, "text": _after(body.text)}
    return Told("✓" if body.allowed else "✗", "", {**values, "scope": body.scope})


def _kept(body: Any) -> Told:
    return Told(
        "·", "", {"digest": body.digest[:12], "size": size(body.size), "name": _cut(body.name)}, routine=True
    )


def _done(body: Any) -> Told:
    word = t("seeing.effect_ok" if body.ok else "seeing.effect_failed")
    return Told("✓" if body.ok else "✗", "", {"word": word, "reference": _after(body.reference)})


def _checkpointed(body: Any) -> Told:
    key = "" if body.turn else "seeing.log_begun"
    return Told("·", "", {"turn": body.turn}, routine=True, key=key)


def _interrupted(body: Any) -> Told:
    word = t("seeing.undone" if body.undone else "seeing.not_undone")
    return Told("!", "yellow", {"key": _cut(body.key), "tool": _cut(body.tool), "word": word})


def _audited(body: Any) -> Told:
    failed = body.found == "ci_failed"
    word = t("stats.ci_failed" if failed else "stats.ci_passed")
    values = {"word": word, "commit": _cut(body.commit)[:12] or "–", "by": _cut(body.by) or "–"}
    colour = "red" if failed else "green"
    return Told("✗" if failed else "✓", colour, {**values, "note": _after(body.note)})


_TELL: Mapping[str, Callable[[Any], Told]] = {
    "run_started": _started,
    "promise_set": _promised,
    "promise_amended": _amended,
    "workspace_opened": _plain("·", "path", "branch", "kind"),
    "state_changed": _state,
    "turn_started": _plain("·", "turn", routine=True),
    "todo_changed": _todo,
    "plan_revised": _planned,
    "plan_withdrawn": _withdrawn,
    "mode_changed": _plain("·", "mode", "reason"),
    "cost_reserved": _reserved,
    "cost_booked": _booked,
    "correction_made": _plain("↻", "attempt", "result", "cause", colour="yellow"),
    "artifact_kept": _kept,
    "noted": _note,
    "checkpointed": _checkpointed,
    "resumed": _plain("▸", "turn", "state", "by", colour="bold"),
    "closed": lambda body: Told("·", "", {"state": state_word(body.state)}, routine=True),
    "decided": _decided,
    "context_compressed": _plain("·", "raw", "sent", "exchanges"),
    "acceptance_audited": _audited,
    "command_started": lambda body: Told(
        "·", "", {"command": on_tree(_cut(body.command), body.before), "by": _word(body.by)}, routine=True
    ),
    "command_ended": _ended,
    "file_changed": _changed,
    "file_confirmed": _plain("·", "path", "by", routine=True),
    "tool_called": _called,
    "call_begun": _plain("·", "key", routine=True),
    "call_interrupted": _interrupted,
    "tool_returned": _returned,
    "denied": _denied,
    "verified": _verified,
    "reviewed": _reviewed,
    "checkpoint_judged": _judged,
    "asked": _asked,
    "answered": _answered,
    "effect_intended": _plain("·", "effect", "target", routine=True),
    "effect_done": _done,
    "candidate_kept": _plain("“", "text"),
    "agent_stepped": _stepped,
    "agent_told": lambda body: Told("«", "", {"kind": _word(body.kind), "text": _cut(body.text)}),
    "hook_called": _hook,
    "rolled_back": _plain("↩", "reason", colour="yellow"),
}


class Lines:
    """Which events are wanted, and the turn that each belongs to."""

    def __init__(self, types: Iterable[str] = (), since: int = 0, *, quiet: bool = False) -> None:
        self._types = frozenset(types)
        self._since = since
        self._quiet = quiet
        self.turn = 0

    def take(self, event: Event) -> int | None:
        """The turn of an event that is to be shown; None for any other."""
        if event.type == "turn_started":
            self.turn = event.body.turn
        shown = event.seq > self._since and (not self._types or event.type in self._types)
        return self.turn if shown and not (self._quiet and is_routine(event)) else None
