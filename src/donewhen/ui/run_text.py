"""A run as it ended, for people and for `--json`: proofs, what changed, cost, and what to type next.

Everything that an agent wrote is made harmless before it is shown.
"""

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from donewhen import __version__
from donewhen.core.codec import thaw
from donewhen.core.reasons import REASONS, next_step
from donewhen.core.summary import ENDED
from donewhen.core.texts import Phrase, say
from donewhen.ui.causes import said_cause
from donewhen.ui.live_ending import Ending
from donewhen.ui.output import fit_end, one_line, paint, print_line, room, width, wrap
from donewhen.ui.proof_text import proof_line, proof_name
from donewhen.ui.runs_text import held, lasted, money
from donewhen.ui.words import language, t

if TYPE_CHECKING:
    from donewhen.core.findings import Feedback
    from donewhen.run.board import Proof
    from donewhen.run.engine.model import Outcome

_SHOWN = 12
_FINDINGS = 3
_LOUD = ("semantic.", "ticking.", "clients.not_enforceable")  # rooms of texts that are never left out
_INTERRUPTED = 130
_NOT_YET = ("gate.not_run", "gate.only_by_agent", "live.not_looked")


def print_outcome(outcome: "Outcome", ending: Ending, *, verbose: bool, quiet: bool) -> None:
    accepted = outcome.decision["status"] == "accepted"
    if not quiet:
        print_line()
    _print(_headline(outcome))
    if not quiet or not accepted:
        _print_proofs(outcome, ending.proofs)
    if not accepted:
        for text in _details(outcome)[:_SHOWN]:
            _print(f"  - {one_line(text)}", "    ")
    if quiet:
        return
    _print_change(outcome, ending)
    _print_place(outcome)
    _print_scenarios(outcome)
    for note in outcome.notes:
        if verbose or _is_loud(note):
            _print(t("verify.note", text=one_line(_said(note))))
    if ending.asked.models:
        _print(t("run.models", models=", ".join(map(one_line, ending.asked.models))))
    _print(t("run.cost", **_cost(outcome, ending)))
    _print_next(outcome, ending)


def _is_loud(note: Phrase | str) -> bool:
    """Who reviewed the work or that nobody did, what to do with a change, and what no budget holds."""
    return isinstance(note, Phrase) and note.key.startswith(_LOUD)


def _headline(outcome: "Outcome") -> str:
    decision = outcome.decision
    if decision["status"] == "accepted":
        return paint(f"✓ {t('verify.accepted')}", "green", "bold") + f" · {one_line(decision['summary'])}"
    if _rests(outcome):
        return paint(f"‖ {t('run.paused')}", "yellow", "bold") + f" · {one_line(_waits_for(outcome))}"
    word = decision["stop_reason"] or outcome.state
    mark, colour = ("‖", "yellow") if outcome.state == "paused" else ("✗", "red")
    why = one_line(outcome.error.say(language()) if outcome.error else decision["summary"])
    cause = one_line(said_cause(str(decision["cause"])))
    named = f" ({cause})" if cause and cause not in why else ""
    return paint(f"{mark} {word}{named}", colour, "bold") + f" · {why}"


def _rests(outcome: "Outcome") -> bool:
    """Whether it was put aside, and not decided: what an earlier decision said is no reason for that."""
    stopped = outcome.exit_code == _INTERRUPTED or not outcome.decision["stop_reason"]
    return outcome.state == "paused" and stopped


def _waits_for(outcome: "Outcome") -> str:
    if outcome.error:
        return outcome.error.say(language())
    return t("run.paused_interrupted" if outcome.exit_code == _INTERRUPTED else "run.paused_nobody")


def _details(outcome: "Outcome") -> list[str]:
    """What is missing beyond what the lines of the proofs say; of a failing proof what was found."""
    results = outcome.decision["results"]
    shown = {f"{each[name]}: {each['reason']}" for each in results for name in ("target", "kind", "id")}
    shown |= {outcome.error.say(language())} if outcome.error else set()
    more = [str(text) for text in outcome.decision["details"] if text not in shown]
    found = [_found(each) for each in outcome.feedback if each.status == "fail"]
    return [*more, *found[:_FINDINGS]]


def _found(each: "Feedback") -> str:
    place = f"{each.file}:{each.line}" if each.line else each.file
    return f"{place}: {each.message}" if place else each.message


def _print(text: str, indent: str = "  ") -> None:
    for line in wrap(text, indent):
        print_line(line)


def _print_proofs(outcome: "Outcome", proofs: "Iterable[Proof]") -> None:
    """As the decision has them; the board knows more, where a view kept one."""
    board = {(proof.kind, proof.id): proof for proof in proofs}
    for result in outcome.decision["results"]:
        known = board.pop((result["kind"], result["id"]), None)
        status = "passed" if result["passed"] else known.status if known else _unproven(result["reason"])
        own = proof_name(str(result["kind"]), str(result["target"]), str(result["id"]))
        print_line(proof_line(status, known.label if known else own, str(result["reason"])))
    for proof in board.values():
        print_line(proof_line(proof.status, proof.label, proof.reason))


def _print_scenarios(outcome: "Outcome") -> None:
    """Each scenario with the tests that name it, and the event that says what became of them."""
    if not outcome.scenarios:
        return
    passed = sum(each.verdict == "passed" for each in outcome.scenarios)
    print_line(t("run.scenarios", passed=passed, count=len(outcome.scenarios)))
    for each in outcome.scenarios[:_SHOWN]:
        tests = ", ".join(map(one_line, each.tests[:_FINDINGS])) or t("run.no_test")
        mark = "✓" if each.verdict == "passed" else "✗"
        _print(f"  {mark} {one_line(each.id)} → {tests} ({t('run.event', seq=each.seq)})", "    ")


def _unproven(reason: object) -> str:
    """What nobody looked at yet is pending; what was looked at and is not there has failed."""
    return "pending" if reason in {t(key) for key in _NOT_YET} else "failed"


def _print_change(outcome: "Outcome", ending: Ending) -> None:
    """Files with lines added and removed; their names alone where nothing is left to compare."""
    from donewhen.ui.diff_text import stat_lines

    if not outcome.changed:
        return
    files = ending.files(outcome, os.environ)
    if not files:
        shown = ", ".join(map(one_line, outcome.changed[:_SHOWN]))
        more = f" … ({len(outcome.changed)})" if len(outcome.changed) > _SHOWN else ""
        print_line(t("run.changed", files=shown + more))
        return
    print_line(t("live.changed_files", count=len(files)))
    for line in stat_lines(files[:_SHOWN]):
        print_line(f"  {line}")
    if len(files) > _SHOWN:
        print_line(f"  … {t('live.more', told=len(files) - _SHOWN)}")


def _print_place(outcome: "Outcome") -> None:
    if outcome.branch:
        print_line(t("run.branch", branch=outcome.branch, commit=outcome.commit[:12]))
    if outcome.target:
        print_line(t("shipping_target.shown", target=outcome.target, commit=outcome.merged[:12]))
    if outcome.pull:
        print_line(t("shipping_target.shown_pull", url=one_line(outcome.pull)))
    for warning in outcome.warnings:
        _print(paint(one_line(_said(warning)), "yellow"))
    if outcome.record:
        print_line(t("run.record", path=outcome.record))
    if outcome.work:
        _print(t("run.work", commit=outcome.work[:12]))
    if outcome.workspace:
        columns = room(width(t("run.kept", path="")))
        print_line(t("run.kept", path=fit_end(one_line(outcome.workspace), columns)))


def _print_next(outcome: "Outcome", ending: Ending) -> None:
    first, *more = ending.next_commands(outcome)
    print_line(paint(t("run.next", step=first), "bold"))
    for command in more:
        print_line(paint(" " * width(t("run.next", step="")) + command, "bold"))
    reason = outcome.decision["stop_reason"]
    if _rests(outcome) or outcome.error or reason not in REASONS or reason == "accepted":
        return
    if outcome.state == "paused":
        print_line(f"  {t('live.next_report', run=outcome.run_id)}")
    over = outcome.state in ENDED
    _print(f"  {next_step(reason, language(), outcome.decision['cause'] or '', over=over)}")


def _cost(outcome: "Outcome", ending: Ending) -> dict[str, Any]:
    return {
        "run": outcome.run_id,
        "turns": outcome.turns,
        "calls": outcome.tool_calls,
        "attempts": outcome.attempts,
        "money": money(outcome.cost_micros) + held(ending.asked.held_micros),
        "budget": money(outcome.budget_micros or 0),
        "time": lasted(outcome.duration),
        "sandbox": _sandbox(outcome),
    }


def _sandbox(outcome: "Outcome") -> str:
    """The walls round the agent; one of others may work outside of those that the exam has."""
    for note in outcome.notes:
        if isinstance(note, Phrase) and note.key == "clients.no_walls":
            return t("clients.outside", **note.values)
    return outcome.sandbox if outcome.sandbox not in ("", "none") else t("run.not_confined")


def _said(text: Phrase | str) -> str:
    return text if isinstance(text, str) else say(text.key, language(), **text.values)


def outcome_data(outcome: "Outcome", ending: Ending) -> dict[str, Any]:
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
            "held": ending.asked.held_micros / 1_000_000,
        },
        "models": list(ending.asked.models),
        "branch": outcome.branch or None,
        "commit": outcome.commit or None,
        "target": outcome.target or None,
        "merged": outcome.merged or None,
        "pull_request": outcome.pull or None,
        "record": str(outcome.record) if outcome.record else None,
        "workspace": str(outcome.workspace) if outcome.workspace else None,
        "work": outcome.work or None,
        "changed": list(outcome.changed),
        "scenarios": [
            {"id": each.id, "verdict": each.verdict, "tests": list(each.tests), "event": each.seq}
            for each in outcome.scenarios
        ],
        "sandbox": outcome.sandbox or None,
        "turns": outcome.turns,
        "warnings": [_said(warning) for warning in outcome.warnings],
        "notes": [_said(note) for note in outcome.notes],
        "next": ending.next_command(outcome),
    }
