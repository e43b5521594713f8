"""The end of a run: one stop reason with its cause, what is kept, who is told, and what can be done next.

A hand-over leaves the run paused: its state, its workspace and its branch stay, and a human can let it go on.
Work that was not accepted is kept as a commit before any folder goes.
"""

import contextlib
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Literal

from donewhen.core.codec import Json
from donewhen.core.correction import HandOver, Limits, looped
from donewhen.core.errors import DonewhenError, SetupError
from donewhen.core.events import Body, run
from donewhen.core.events.run import State
from donewhen.core.feedback import reasons
from donewhen.core.gate import examine
from donewhen.core.reasons import StopReason, explain, name_of_cause, status
from donewhen.core.texts import Phrase, say
from donewhen.run.engine.announcing import tell_people
from donewhen.run.engine.live import Run
from donewhen.run.engine.model import Stopped
from donewhen.run.engine.refusing import NO_REVIEW, pending_of, results_of, told_findings
from donewhen.run.shipping.leaving import leave, rescue

if TYPE_CHECKING:
    from donewhen.run.shipping.forge.model import Opened

_PAUSES: frozenset[StopReason] = frozenset({"escalated", "todo_waiting_external"})
_NO_REPLY = "models.failed_"
_SHOWN = 50
_NO_FORGE = frozenset(
    f"forge.{name}"
    for name in (
        "switched_off",
        "no_remote_set",
        "unknown_forge",
        "no_host",
        "no_login",
        "nothing",
        "in_place",
    )
)
Action = Literal["create_pr", "notify", "pause"]


async def end(live: Run, stopped: Stopped) -> None:
    """Write down why the run is over, keep its work, tell people.

    The decision stands before anybody hears of it: a process that dies then leaves only the telling to do.
    """
    reason, cause = _handed_over(live, stopped)
    await _put_to_rest(live)
    live.ledger.append(
        *_judged(live, stopped.refused, reason, cause), _decided(live, reason, cause, stopped.detail)
    )
    await conclude(live, reason, cause)


async def conclude(live: Run, reason: StopReason, cause: str) -> None:
    """What follows a decision to end; all of it can be done again by a later process."""
    live.changed_paths = changed_paths(live)
    kept = _rescued(live)
    if reason == "escalated":
        await _escalate(live, cause)
    state: State = "paused" if _pauses(live, reason, cause) else "fail"
    live.move(state, f"{reason}: {cause}" if cause else reason)
    if state == "fail":
        await fail_hook(live, kept)
        if not live.terms.wish.keep:
            _leave(live)


def _judged(live: Run, refused: run.Decided | None, reason: StopReason, cause: str) -> Iterator[Body]:
    """What stands before the end in its transaction: the refusal that led to it, and a hand-over."""
    if refused is not None:
        yield refused
    if reason == "escalated":
        yield run.CorrectionMade(max(1, live.state.corrections.attempts), "escalated", cause)


def _handed_over(live: Run, stopped: Stopped) -> tuple[StopReason, str]:
    """The reason and its cause; a loop is handed over where the configuration says so."""
    section = live.terms.config.correction
    limits = Limits(section.max_retries, section.max_total_attempts, section.escalate_on)
    if stopped.reason == "deadlock" and live.terms.config.loop.on_deadlock == "fail":
        return stopped.reason, stopped.cause
    following = looped(stopped.reason, live.state.corrections.attempts, limits)
    if isinstance(following, HandOver):
        return "escalated", following.cause
    return stopped.reason, stopped.cause


def _pauses(live: Run, reason: StopReason, cause: str) -> bool:
    if reason == "fatal_error":  # a key, an account or a network can be mended, and the work goes on
        return cause.startswith(_NO_REPLY)
    if reason == "verification_execution_error":  # likewise, where only the reviewer is missing
        return cause == NO_REVIEW
    if reason == "budget_exceeded":
        return not live.terms.config.budget.stop_on_exhausted
    return reason in _PAUSES and live.state.position.state != "merging"


async def _escalate(live: Run, cause: str) -> None:
    """Hand the run over: as configured, else what is possible; the ledger says which it was."""
    action: Action = live.terms.config.correction.escalate_action
    opened = await _drafted(live) if action == "create_pr" else None
    live.pull = url = "" if opened is None or isinstance(opened, Phrase) else opened.url
    told = False
    if action in ("create_pr", "notify"):
        about = {**_about(live), **({"pull_request": url} if url else {})}
        told = await tell_people(live.terms, live.ledger, "escalation", cause, about)
    how = "create_pr" if url else "notify" if told else "pause"
    if isinstance(opened, Phrase):
        _tell_instead(live, opened, how)
    await live.hook_once("on_escalate", cause=cause, how=how, pull_request=url)


async def _drafted(live: Run) -> "Opened | Phrase":
    from donewhen.run.engine.handing import hand_over  # all that speaks with forges loads when one is asked

    return await hand_over(live)


def _tell_instead(live: Run, why: Phrase, how: str) -> None:
    """That no draft was opened is said aloud where one was asked for or could have been."""
    asked_for = live.terms.rules.loaded.names("correction", "escalate_action")
    loud = asked_for or why.key not in _NO_FORGE
    over = how == "pause" and live.state.position.state == "merging"
    instead = Phrase(f"forge.instead_{'over' if over else how}", {"run": live.ledger.run_id})
    said = Phrase("forge.instead", {"why": why, "how": instead})
    if loud:
        live.warn(said)
    else:
        live.ledger.post(run.Noted(say(said.key, live.language, **said.values), "info"))


def _about(live: Run) -> Mapping[str, Json]:
    branch = live.room.site.branch if live.has_room else ""
    return {"branch": branch, "resume": f"donewhen resume {live.ledger.run_id}"}


async def announce(live: Run) -> None:
    """An accepted run is told too, where somebody wants to hear of it; no trouble with that changes it."""
    try:
        await tell_people(live.terms, live.ledger, "completion", "accepted", _about(live))
    except Exception as error:  # whatever it is: the work is accepted and where it belongs
        why = say("engine.not_announced", live.language, why=str(error) or type(error).__name__)
        live.ledger.post(run.Noted(why, "warning"))


async def _put_to_rest(live: Run) -> None:
    if live.has_room:
        await live.room.background.close()
        live.room.tree.spoil()


def _decided(live: Run, reason: StopReason, cause: str, detail: str) -> run.Decided:
    said = explain(reason, live.language, detail=detail or name_of_cause(cause, live.language))
    if not live.has_room:
        return run.Decided(status(reason), reason, cause, said)
    last, tree = live.attempt, ""
    details: tuple[str, ...] = ()
    pending: tuple[str, ...] = ()
    results: tuple[Mapping[str, Json], ...] = ()
    with contextlib.suppress(DonewhenError):  # the workspace may be gone: the reason stands without it
        tree = live.room.tree.now().tree
        findings = last.decision.findings if last else examine(live.exam())
        owed = reasons(told_findings(last) if last else findings)
        details = tuple(dict.fromkeys(say(each.key, live.language, **each.values) for each in owed))[:_SHOWN]
        results, pending = results_of(findings, live.language), pending_of(findings)
    details = details or ((detail,) if detail else ())
    return run.Decided(status(reason), reason, cause, said, tree, details, results, pending)


def changed_paths(live: Run) -> tuple[str, ...]:
    """What differs from the base, while the workspace is still there to ask."""
    if not live.has_room or live.room.tree.last is None:
        return ()
    site = live.room.site
    try:
        return tuple(sorted(site.fingerprints.changed(site.base_tree, live.room.tree.last.tree)))
    except DonewhenError:
        return ()


def _rescued(live: Run) -> str:
    """Uncommitted work as a commit in the user's repository; empty when there is none."""
    if not live.has_room or live.shipped is not None:
        return ""
    try:
        kept = rescue(live.room.site, live.ledger.run_id, live.last_tree, live.terms.means.env)
    except SetupError as error:
        live.ledger.post(run.Noted(error.say(live.language), "error"))
        return ""
    if kept:
        live.ledger.post(run.Noted(say("engine.rescued", live.language, commit=kept[:12]), "info"))
    live.rescued = kept
    return kept


def _leave(live: Run) -> None:
    """The workspace goes when nothing is lost with it; why it stays is told."""
    if not live.has_room or live.left:
        return
    try:
        left = leave(live.room.site)
    except SetupError as error:
        live.ledger.post(run.Noted(error.say(live.language), "warning"))
        return
    reasons_kept = getattr(left, "reasons", ())
    for why in reasons_kept if live.room.site.workspace else ():
        live.ledger.post(run.Noted(say(why.key, live.language, **why.values), "info"))


async def fail_hook(live: Run, work: str = "") -> None:
    decided = live.state.decided
    reason, cause = (decided.stop_reason, decided.cause) if decided else ("", "")
    await live.hook_once("on_fail", reason=reason, cause=cause, work=work)


def leave_shipped(live: Run) -> None:
    _leave(live)
