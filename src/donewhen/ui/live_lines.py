"""What happened, one line a step, for people who follow a run: plain lines, and the log above a live view.

A table from the kind of event to its line; most kinds have none. Everything that an agent wrote is made
harmless before it is shown.
"""

from collections.abc import Callable, Mapping
from typing import Any

from donewhen.core.elsewhere import as_hoped
from donewhen.core.events import Body, facts, run
from donewhen.run.panel import PanelFold, shown_argument
from donewhen.ui.causes import said_reason
from donewhen.ui.elsewhere import on_tree, went
from donewhen.ui.output import fit, fit_end, one_line, paint, room, width, wrap
from donewhen.ui.runs_text import lasted
from donewhen.ui.words import t

_SHOWN = 12
_LONGEST = 2000  # characters of one text that are looked at
_CLAIM, _CLIENT = "complete", "client"
_STATES = {"executing": "cyan", "validating": "cyan", "merging": "cyan", "done": "green", "fail": "red"}


class Lines:
    """A line a step for a log that only grows; empty where there is nothing to say."""

    def __init__(self) -> None:
        self._running: set[str] = set()  # commands of the harness
        self._told: set[str] = set()  # whose earlier results were told since the last decision
        self._said_no: str | None = None  # why a human said no
        self._refused = False  # and that is what the next result says
        self._client = ""  # the call of an agent of others that is under way

    def line(self, body: Body) -> str:
        known = _STATEFUL.get(type(body))
        line = known(self, body) if known else None
        if line is not None:
            return line
        tell = _LINES.get(type(body))
        return tell(body) if tell else ""

    def _begins(self, body: facts.CommandStarted) -> str | None:
        self._running.add(body.key)
        return None

    def _ends(self, body: facts.CommandEnded) -> str | None:
        """What nobody began here is a result of earlier: told once for each command."""
        if body.by != "harness" or (body.key in self._running and not body.of_run):
            self._running.discard(body.key)
            return None
        command = on_tree(body.command, body.before)
        if command in self._told:
            return ""
        self._told.add(command)
        mark = paint("✓", "green") if body.exit == 0 else "·"
        key = "run.used_again" if body.of_run else "run.used_again_here"
        return f"  {mark} {t(key, command=_short(command), run=_one(body.of_run))}"

    def _decides(self, body: run.Decided) -> str | None:
        self._told.clear()
        return None

    def _answers(self, body: facts.Answered) -> str | None:
        self._said_no = body.text if body.by == "human" and not body.allowed else None
        return None

    def _denies(self, body: facts.Denied) -> str | None:
        why, self._said_no = self._said_no, None
        if self._client and body.tool != _CLIENT:
            return f"    {paint('✗', 'red')} {_named(body.tool)} {_short(body.reason)}"
        if why is None:
            return None
        self._refused = True
        note = f": {_one(why)}" if why else ""
        return f"    {paint('✗', 'red')} {_short(t('run.said_no', note=note))}"

    def _calls_out(self, body: facts.ToolCalled) -> str | None:
        self._client = body.key if body.tool == _CLIENT else self._client
        return None

    def _hears(self, body: facts.ToolReturned) -> str | None:
        self._client = "" if body.key == self._client else self._client
        refused, self._refused = self._refused, False
        return "" if refused and body.error_class == "denied" else None


_STATEFUL: Mapping[type, Callable[[Lines, Any], str | None]] = {
    run.Decided: Lines._decides,
    facts.CommandStarted: Lines._begins,
    facts.CommandEnded: Lines._ends,
    facts.Answered: Lines._answers,
    facts.Denied: Lines._denies,
    facts.ToolCalled: Lines._calls_out,
    facts.ToolReturned: Lines._hears,
}


class Steps(Lines):
    """Lines above a live view: a call is told when it is over, with how it went and how long it took."""

    def __init__(self) -> None:
        super().__init__()
        self._calls: dict[str, facts.ToolCalled] = {}
        self._exits: dict[str, int | None] = {}
        self._masked: dict[str, str] = {}

    def masked(self, key: str, reason: str) -> None:
        """A command ended well that could not have failed: its call must not look like a proof."""
        self._masked[key] = reason

    def line(self, body: Body) -> str:
        if isinstance(body, facts.ToolCalled):
            self._calls[body.key] = body
            self._calls_out(body)
            return ""
        if isinstance(body, facts.CommandEnded) and body.by != "harness":
            self._exits[body.key] = body.exit
            return ""
        if isinstance(body, facts.ToolReturned):
            return self._finished(body)
        if isinstance(body, facts.CallInterrupted):
            self._calls.pop(body.key, None)
        return super().line(body)

    def _finished(self, body: facts.ToolReturned) -> str:
        called = self._calls.pop(body.key, None)
        code, masked = self._exits.pop(body.key, None), self._masked.pop(body.key, "")
        if body.tool == _CLAIM and body.ok:
            return ""  # the claim itself is told
        good = body.ok and not code
        mark = paint("◐", "yellow") if masked else paint("✓", "green") if good else paint("✗", "red")
        about = shown_argument(called) if called else ""
        took = f"  {lasted(body.duration_ms / 1000)}" if body.duration_ms >= 100 else ""
        ended = f"  {t('live.exit', code=code)}" if code else ""
        text = fit(_one(about), room(12 + len(body.tool) + len(took) + len(ended)) or 160)
        line = f"  {mark} {_named(body.tool)} {text}".rstrip() + paint(took + ended, "dim")
        why = f"    {paint('◐', 'yellow')} {_short(t('live.masked', reason=masked))}" if masked else ""
        told = "" if self._hears(body) == "" else _returned(body)
        return "\n".join(part for part in (line, why, told) if part)


def _named(tool: str) -> str:
    return paint("$" if tool == "run_command" else _one(tool), "bold")


def _state(body: run.StateChanged) -> str:
    mark = paint(f"▸ {t(f'run.state_{body.state}')}", _STATES.get(body.state, "bold"), "bold")
    return "" if body.state in ("parsing", "planning") else f"{mark}{_because(body.reason)}"


def _because(reason: str) -> str:
    """Why a state was entered; that a question was answered, or the key of a sentence, says nothing."""
    said = "" if reason.startswith("answered") else said_reason(reason)
    return f"  {_short(said)}" if said else ""


def _called(body: facts.ToolCalled) -> str:
    if body.tool == _CLAIM:
        return ""  # the claim itself is told
    return f"  {_named(body.tool)} {_short(shown_argument(body))}".rstrip()


def _returned(body: facts.ToolReturned) -> str:
    if body.ok:
        return ""
    lines = [line for line in body.output[-_LONGEST:].splitlines() if line.strip()]
    last = lines[-1] if lines else body.error_class
    if body.error_class in ("denied", "blocked"):
        last = next((line for line in body.output[:_LONGEST].splitlines() if line.strip()), last)
    return f"    {paint('✗', 'red')} {_short(last)}"


def _decided(body: run.Decided) -> str:
    if body.status != "continue":
        return ""
    head = paint(f"  ✗ {t('run.refused')}", "yellow")
    return "\n".join([head, *(f"    - {_short(text)}" for text in body.details[:_SHOWN])])


def _claimed(body: facts.CandidateKept) -> str:
    if not body.signal:
        return f"  “{_short(body.text)}” {paint(t('run.no_signal'), 'dim')}" if body.text.strip() else ""
    return f"  {paint('“', 'bold')}{_short(body.text)}{paint('”', 'bold')}"


def _ended(body: facts.CommandEnded) -> str:
    if body.by != "harness":
        return ""
    good, elsewhere = body.exit == 0 or as_hoped(body), went(body)
    mark = paint("✓", "green") if good else "·" if elsewhere else paint("✗", "red")
    taken = width(elsewhere) + width(on_tree("", body.before))
    command = on_tree(fit(_one(body.command), room(8 + taken) or 160), body.before)
    return f"  {mark} {t('run.exam', command=command, went=elsewhere)}"


def _rolled_back(body: facts.RolledBack) -> str:
    return f"  {paint('↩', 'yellow')} {t('run.rolled_back', reason=_short(body.reason))}"


def _opened(body: run.WorkspaceOpened) -> str:
    branch = one_line(body.branch)
    taken = width(t("run.workspace", path="", branch=branch))
    return t("run.workspace", path=fit_end(one_line(body.path), room(taken, 12)), branch=branch)


def _warned(body: run.Noted) -> str:
    """Whole: the end of a warning is what to do about it."""
    if body.level not in ("warning", "error"):
        return ""
    return "\n".join(wrap(f"  {paint('!', 'yellow')} {_one(body.text)}", "    "))


def _resumed(body: run.Resumed) -> str:
    return paint(f"▸ {t('live.resumed', turn=body.turn)}", "cyan", "bold")


def _interrupted(body: facts.CallInterrupted) -> str:
    key = "live.undone" if body.undone else "live.interrupted"
    return f"  {paint('↩', 'yellow')} {t(key, tool=_one(body.tool))}"


_LINES: Mapping[type, Callable[[Any], str]] = {
    run.StateChanged: _state,
    run.WorkspaceOpened: _opened,
    run.Decided: _decided,
    run.Noted: _warned,
    run.Resumed: _resumed,
    facts.ToolCalled: _called,
    facts.ToolReturned: _returned,
    facts.CallInterrupted: _interrupted,
    facts.CandidateKept: _claimed,
    facts.CommandEnded: _ended,
    facts.RolledBack: _rolled_back,
}


def _one(text: str) -> str:
    return one_line(text[:_LONGEST])


def _short(text: str) -> str:
    return fit(_one(text), room(8) or 160)


def note_masked(steps: Steps, fold: PanelFold, body: Body) -> None:
    """A command that the fold has just heard of may have run a check so that it could not fail."""
    if isinstance(body, facts.CommandEnded) and body.by == "agent":
        for proof in fold.panel.proofs:
            if proof.status == "masked" and fold.seq in proof.evidence:
                steps.masked(body.key, proof.reason)
