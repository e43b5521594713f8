"""A run as people follow it and as `--json` tells it: one line a step, then a summary with the next command.

Everything that an agent wrote is made harmless before it is shown.
"""

import sys
import time
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from donewhen import __version__
from donewhen.core.codec import dumps, thaw, to_json
from donewhen.core.events import Body, facts, run, type_of
from donewhen.core.reasons import REASONS, next_step
from donewhen.core.texts import Phrase, say
from donewhen.ui.output import fit, one_line, paint, print_line, room
from donewhen.ui.progress import Progress
from donewhen.ui.words import language, t

if TYPE_CHECKING:
    from donewhen.run.engine.model import Outcome

_SHOWN = 12
_STATES = {"executing": "cyan", "validating": "cyan", "merging": "cyan", "done": "green", "fail": "red"}


class RunView:
    """Hears every event; a context, because a moving line has to be wiped at the end."""

    def __init__(self, *, quiet: bool, verbose: bool, events: bool) -> None:
        self.progress = Progress(quiet=quiet)
        self._quiet = quiet
        self._verbose = verbose
        self._events = events
        self._began = time.monotonic()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.progress.__exit__(kind, error, trace)

    def saw(self, body: Body) -> None:
        if self._events:
            print_line(dumps({"type": type_of(body), **thaw(to_json(body))}))
            sys.stdout.flush()
            return
        tell = _LINES.get(type(body))
        line = tell(body) if tell and not self._quiet else ""
        if line:
            self.progress.wipe()
            print_line(line)
            sys.stdout.flush()


def _state(body: run.StateChanged) -> str:
    mark = paint(f"▸ {t(f'run.state_{body.state}')}", _STATES.get(body.state, "bold"), "bold")
    return "" if body.state in ("parsing", "planning") else f"{mark}{_because(body.reason)}"


def _because(reason: str) -> str:
    return f"  {one_line(reason)}" if reason and not reason.startswith("answered") else ""


def _called(body: facts.ToolCalled) -> str:
    args = body.args
    shown = args.get("command") or args.get("path") or args.get("summary") or args.get("pattern") or ""
    mark = "$" if body.tool == "run_command" else f"{body.tool}"
    return f"  {paint(mark, 'bold')} {_short(str(shown))}".rstrip()


def _returned(body: facts.ToolReturned) -> str:
    if body.ok:
        return ""
    lines = [line for line in body.output.splitlines() if line.strip()]
    last = lines[-1] if lines else body.error_class
    if body.error_class in ("denied", "blocked"):
        last = lines[0] if lines else last
    return f"    {paint('✗', 'red')} {_short(last)}"


def _decided(body: run.Decided) -> str:
    if body.status != "continue":
        return ""
    head = paint(f"  ✗ {t('run.refused')}", "yellow")
    return "\n".join([head, *(f"    - {_short(text)}" for text in body.details[:_SHOWN])])


def _claimed(body: facts.CandidateKept) -> str:
    return f"  {paint('“', 'bold')}{_short(body.text)}{paint('”', 'bold')}" if body.signal else ""


def _ended(body: facts.CommandEnded) -> str:
    if body.by != "harness":
        return ""
    mark = paint("✓", "green") if body.exit == 0 else paint("✗", "red")
    return f"  {mark} {t('run.exam', command=_short(body.command))}"


def _rolled_back(body: facts.RolledBack) -> str:
    return f"  {paint('↩', 'yellow')} {t('run.rolled_back', reason=_short(body.reason))}"


def _opened(body: run.WorkspaceOpened) -> str:
    return f"{t('run.workspace', path=one_line(body.path), branch=one_line(body.branch))}"


def _warned(body: run.Noted) -> str:
    return f"  {paint('!', 'yellow')} {_short(body.text)}" if body.level in ("warning", "error") else ""


_LINES: Mapping[type, Callable[[Any], str]] = {
    run.StateChanged: _state,
    run.WorkspaceOpened: _opened,
    run.Decided: _decided,
    run.Noted: _warned,
    facts.ToolCalled: _called,
    facts.ToolReturned: _returned,
    facts.CandidateKept: _claimed,
    facts.CommandEnded: _ended,
    facts.RolledBack: _rolled_back,
}


def _short(text: str) -> str:
    return fit(one_line(text), room(8) or 160)


def print_outcome(outcome: "Outcome", *, verbose: bool, quiet: bool) -> None:
    decision = outcome.decision
    accepted = decision["status"] == "accepted"
    print_line()
    print_line(_headline(outcome))
    if not quiet or not accepted:
        _print_proofs(outcome)
    if not accepted:
        for text in decision["details"][:_SHOWN]:
            print_line(f"  - {one_line(text)}")
    if quiet:
        return
    _print_place(outcome)
    for note in outcome.notes if verbose else ():
        print_line(t("verify.note", text=one_line(_said(note))))
    print_line(t("run.cost", **_cost(outcome)))
    print_line(paint(t("run.next", step=_next(outcome)), "bold"))


def _headline(outcome: "Outcome") -> str:
    decision = outcome.decision
    if decision["status"] == "accepted":
        return paint(f"✓ {t('verify.accepted')}", "green", "bold") + f" · {one_line(decision['summary'])}"
    word = decision["stop_reason"] or outcome.state
    cause = f" ({decision['cause']})" if decision["cause"] else ""
    colour = "yellow" if outcome.exit_code == 4 else "red"
    why = outcome.error.say(language()) if outcome.error else decision["summary"]
    return paint(f"✗ {word}{cause}", colour, "bold") + f" · {one_line(why)}"


def _print_proofs(outcome: "Outcome") -> None:
    for result in outcome.decision["results"]:
        mark = paint("✓", "green") if result["passed"] else paint("✗", "red")
        name = result["target"] or result["id"]
        print_line(f"  {mark} {result['kind']}  {_short(str(name))}  {_short(result['reason'])}".rstrip())


def _print_place(outcome: "Outcome") -> None:
    if outcome.changed:
        shown = ", ".join(map(one_line, outcome.changed[:_SHOWN]))
        more = f" … ({len(outcome.changed)})" if len(outcome.changed) > _SHOWN else ""
        print_line(t("run.changed", files=shown + more))
    if outcome.branch:
        print_line(t("run.branch", branch=outcome.branch, commit=outcome.commit[:12]))
    if outcome.record:
        print_line(t("run.record", path=outcome.record))
    if outcome.work:
        print_line(t("run.work", commit=outcome.work[:12]))
    if outcome.workspace:
        print_line(t("run.kept", path=outcome.workspace))


def _cost(outcome: "Outcome") -> dict[str, Any]:
    return {
        "run": outcome.run_id,
        "turns": outcome.turns,
        "calls": outcome.tool_calls,
        "attempts": outcome.attempts,
        "money": f"{outcome.cost_micros / 1_000_000:.2f}",
        "budget": f"{(outcome.budget_micros or 0) / 1_000_000:.2f}",
        "seconds": f"{outcome.duration:.1f}",
        "sandbox": outcome.sandbox if outcome.sandbox not in ("", "none") else t("run.not_confined"),
    }


def _next(outcome: "Outcome") -> str:
    reason = outcome.decision["stop_reason"]
    if reason == "accepted" and outcome.branch:
        return t("run.next_merge", branch=outcome.branch)
    if reason in REASONS:
        return next_step(reason, language())
    return t("run.next_show", run=outcome.run_id)


def _said(text: Phrase | str) -> str:
    return text if isinstance(text, str) else say(text.key, language(), **text.values)


def outcome_data(outcome: "Outcome") -> dict[str, Any]:
    """What `--json` prints."""
    budget = outcome.budget_micros
    used = round(100 * outcome.cost_micros / budget, 1) if budget else None
    return {
        "donewhen": __version__,
        "run": outcome.run_id,
        "state": outcome.state,
        "decision": thaw(outcome.decision),
        "verification": {"feedback": [each.to_data() for each in outcome.feedback]},
        "metrics": {
            "duration": outcome.duration,
            "cost": outcome.cost_micros / 1_000_000,
            "attempts": outcome.attempts,
            "turns": outcome.turns,
            "tool_calls": outcome.tool_calls,
            "budget_used": used,
        },
        "branch": outcome.branch or None,
        "commit": outcome.commit or None,
        "record": str(outcome.record) if outcome.record else None,
        "workspace": str(outcome.workspace) if outcome.workspace else None,
        "work": outcome.work or None,
        "changed": list(outcome.changed),
        "sandbox": outcome.sandbox or None,
        "turns": outcome.turns,
        "notes": [_said(note) for note in outcome.notes],
    }
