"""The gate at a stop of another agent: the exam, or why none is needed; one process at a time.

The verdict is in the ledger before anybody hears of it. An exam that was cut short decides nothing: its lock
is freed by the kernel, and the next stop begins anew.
"""

from pathlib import Path
from typing import Literal, NamedTuple

from donewhen.core.errors import DonewhenError, InvariantBroken, SetupError
from donewhen.core.events import Body, run
from donewhen.integrations.sessions.asking import adding, digest, means_of, wanted_of
from donewhen.integrations.sessions.compiling import NOTE as COMPILED
from donewhen.integrations.sessions.composing import NOTHING, tree_of, untold
from donewhen.integrations.sessions.model import Verdict
from donewhen.integrations.sessions.opening import NO_REPOSITORY, Live
from donewhen.integrations.sessions.past import Past, past_of
from donewhen.integrations.sessions.recording import SessionRecord
from donewhen.integrations.sessions.refusing import Refusal, refuse
from donewhen.integrations.sessions.settings import changed_settings
from donewhen.integrations.sessions.stoppable import run_stoppable
from donewhen.integrations.sessions.telling import found, owed
from donewhen.run.verifying.change import Change
from donewhen.run.verifying.recording import Record
from donewhen.run.verifying.verifying import Verification, verify_change
from donewhen.store import Opened
from donewhen.workspace.git.repository import Repository, find_repository

_RESULT = "exam.json"


class _Asked(NamedTuple):
    """What a result speaks for."""

    tree: str
    asked: str  # digest of what has to be proven
    said: str  # and of all that the user said


def stop(live: Live, subagent: str = "") -> Verdict:
    """Whether the agent may stop; waits for an exam that is running."""
    with live.folder.held("exam.lock"):
        past = _past(live)
        try:
            tree = tree_of(find_repository(_root(live), live.env), live.env)
        except SetupError as error:
            if error.key not in NO_REPOSITORY:
                raise
            return _unprovable(live, past, "not_repository", error, subagent)
        if subagent and _is_quiet(live, past, subagent, tree):
            return Verdict("allow", "subagent", live.say("subagent"))
        settings, prompts = changed_settings(live.folder, live.env), adding(past.prompts)
        if settings:
            return _settings(live, past, tree, settings, subagent)
        if live.session.tree == tree and not prompts and not past.amended.accept:
            return _noted(live, past, "nothing_changed")
        what = digest(prompts, sorted(past.amended.dropped), past.amended[1:], live.folder.read(COMPILED))
        asked = _Asked(tree, what, digest(past.prompts))
        return _known(live, past, asked) or _examined(live, past, asked, subagent)


def delivered(live: Live) -> None:
    """The verdict was heard: the next stop gets an exam of its own, unless this one was a pass."""
    known = live.folder.read(_RESULT)
    if isinstance(known, dict) and not known.get("delivered"):
        live.folder.write(_RESULT, {**known, "delivered": True})


def _past(live: Live) -> Past:
    with live.ledger() as opened:
        past = past_of(opened.store.read(live.session.run))
        if past.state != "validating":
            return past
        interrupted = run.StateChanged("validating", "executing", live.say("interrupted"))
        opened.store.append(live.session.run, interrupted)
    return past._replace(state="executing")


def _is_quiet(live: Live, past: Past, subagent: str, tree: str) -> bool:
    """Whether there is nothing to say to a sub-agent; the main agent is judged in any case."""
    before = past.judged_tree or live.session.tree
    return subagent not in past.writers or subagent in past.told_agents or tree == before


def _noted(live: Live, past: Past, kind: Literal["nothing_changed", "accepted"]) -> Verdict:
    """Let go without a decision: nothing was judged, so nothing is said to be accepted now."""
    text = live.say("nothing_changed" if kind == "nothing_changed" else "still_proven")
    bodies: list[Body] = [run.Noted(text)]
    if kind == "accepted" and past.state != "done":
        bodies.append(run.StateChanged(past.state, "done", text))
    with live.ledger() as opened:
        opened.store.append(live.session.run, *bodies)
    return Verdict("allow", kind, text)


def _known(live: Live, past: Past, asked: _Asked) -> Verdict | None:
    """A pass on this tree stands; a refusal that nobody heard of is told now, and counts once."""
    known = live.folder.read(_RESULT)
    if not isinstance(known, dict) or known.get("tree") != asked.tree or known.get("asked") != asked.asked:
        return None
    if known.get("kind") == "accepted" and past.accepted and past.judged_tree == asked.tree:
        return _noted(live, past, "accepted")
    unheard = known.get("delivered") is False and known.get("said") == asked.said
    if not unheard or known.get("kind") not in ("blocked", "let_go"):
        return None
    let_go = known["kind"] == "let_go"
    return Verdict("allow" if let_go else "block", known["kind"], str(known.get("text", "")))


def _examined(live: Live, past: Past, asked: _Asked, subagent: str) -> Verdict:
    wanted = wanted_of(live.folder, live.session, past.prompts, past.amended)
    means = means_of(live.session.root, live.env, live.language)

    def begin(opened: Opened, repository: Repository, change: Change, profile: str) -> Record:
        return SessionRecord(opened, live.session.run, past.state, past.promise_id, past.promise)

    try:
        done = run_stoppable(verify_change(wanted, means, begin))
    except InvariantBroken:
        raise
    except DonewhenError as error:
        if error.key.startswith("store."):
            raise
        if error.key in NO_REPOSITORY or error.key.startswith(NOTHING):
            return _unprovable(live, past, "nothing_to_prove", error, subagent)
        why = live.say("could_not_judge", why=error.say(live.language))
        return refuse(live, past, Refusal((why,), tree=asked.tree, cause=error.key, unjudged=True), subagent)
    verdict = _judged(live, past, done, subagent)
    tree = done.change.fingerprint.tree
    result = {**asked._replace(tree=tree)._asdict(), **verdict._asdict(), "delivered": False}
    live.folder.write(_RESULT, result)
    return verdict


def _judged(live: Live, past: Past, done: Verification, subagent: str) -> Verdict:
    decided = done.decided
    if done.judgement.accepted:
        return Verdict("allow", "accepted", str(decided["summary"]))
    refusal = Refusal(
        tuple(decided["details"]) or (str(decided["summary"]),),
        tree=done.change.fingerprint.tree,
        cause=done.judgement.stop_reason,
        results=tuple(decided["results"]),
        more=tuple(found(done, live.language)),
        judging=True,
    )
    return refuse(live, past, refusal, subagent)


def _unprovable(
    live: Live,
    past: Past,
    kind: Literal["not_repository", "nothing_to_prove"],
    error: DonewhenError,
    subagent: str,
) -> Verdict:
    """Told to the main agent alone, once."""
    if subagent:
        return Verdict("allow", "subagent", live.say("subagent"))
    why = untold(error)
    text = live.say(why.key.removeprefix("sessions."), **why.values)
    return refuse(live, past, Refusal((text,), cause=kind, once=True, unjudged=True), "")._replace(kind=kind)


def _settings(live: Live, past: Past, tree: str, paths: tuple[str, ...], subagent: str) -> Verdict:
    """Nothing is proven while the client's settings are not what they were: all of it stays open."""
    details = tuple(live.say("settings_changed", path=path) for path in paths)
    pending = (*paths, *owed(past.promise))
    more = (live.say("settings_first"),)
    return refuse(live, past, Refusal(details, pending, tree, "client-settings", more=more), subagent)


def _root(live: Live) -> Path:
    return Path(live.session.root)
