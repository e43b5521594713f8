"""The gate at a stop of another agent: the exam, or why none is needed; one process at a time.

The verdict is in the ledger before anybody hears of it. An exam that was cut short decides nothing: its lock
is freed by the kernel, and the next stop begins anew.
"""

from typing import TYPE_CHECKING, Literal, NamedTuple

from donewhen.core.errors import DonewhenError, InvariantBroken, SetupError
from donewhen.core.events import Body, facts, run
from donewhen.core.shown import one_name
from donewhen.core.texts import Phrase, say
from donewhen.integrations.hook.ledger import EVERYTHING
from donewhen.integrations.hook.places import CONFIG
from donewhen.integrations.sessions.asking import Demand, demand_of, digest, means_of, wanted_of
from donewhen.integrations.sessions.elsewhere import Place, not_here, place_of
from donewhen.integrations.sessions.folder import EXAM
from donewhen.integrations.sessions.human_line import Told, accepted_line, first_failing, human_line
from donewhen.integrations.sessions.last_message import Waits, claims_work, waits_for_user
from donewhen.integrations.sessions.model import Verdict
from donewhen.integrations.sessions.opening import Live
from donewhen.integrations.sessions.past import GAP, Past, past_of
from donewhen.integrations.sessions.recorded import started_with
from donewhen.integrations.sessions.refusing import Refusal, refuse
from donewhen.integrations.sessions.results import RESULT
from donewhen.integrations.sessions.settings import changed_settings
from donewhen.integrations.sessions.starting import NO_REPOSITORY
from donewhen.integrations.sessions.telling import found, owed
from donewhen.integrations.sessions.work import base_tree, keep_base, with_unreported
from donewhen.store import Opened
from donewhen.workspace.fingerprint.ignoring import KEPT_RULES, ignored_from
from donewhen.workspace.git.repository import Repository

if TYPE_CHECKING:
    from donewhen.verify.change import Change, Means
    from donewhen.verify.pipeline import Verification
    from donewhen.verify.record import Record


class _Asked(NamedTuple):
    """What a result speaks for."""

    tree: str
    asked: str  # digest of what has to be proven
    said: str  # and of all that the user said


class Said(NamedTuple):
    """What the client tells of the stop."""

    reply: str = ""  # the agent's last message
    mode: str = ""  # of permissions


def stop(live: Live, subagent: str = "", folder: str = "", said: Said = Said()) -> Verdict:  # noqa: B008
    """Whether the agent may stop; one that did something waits for an exam that is running.

    `folder`: where the client stands.
    """
    if live.folder.is_held(EXAM) and not subagent:
        with live.ledger() as opened:
            known = past_of(opened.store.read(live.session.run))
        if _is_idle(known):  # the exam is of an earlier prompt, which the user interrupted
            return _unchanged(live, known, said)
    with live.folder.held(EXAM):
        past = with_unreported(live, _past(live))
        if past.gap:
            return _noted(live, past, "let_go")
        if live.altered:
            return _altered(live, past)
        try:
            ignored = ignored_from(live.folder.read(KEPT_RULES))
            place = place_of(live.session, folder, live.env, ignored, base_tree(live, past))
        except SetupError as error:
            if error.key not in NO_REPOSITORY:
                raise
            if not past.called_now and not past.edited_now:
                return _noted(live, past, "nothing_changed")
            return _unprovable(live, past, "not_repository", error, subagent)
        if subagent and _is_quiet(live, past, subagent, place.tree):
            return Verdict("allow", "subagent", live.say("subagent"))
        settings = changed_settings(live.folder, live.env)
        if settings:
            return _settings(live, past, place.tree, settings, subagent)
        return _judge(live, past, place, said, subagent)


def _judge(live: Live, past: Past, place: Place, said: Said, subagent: str) -> Verdict:
    """What the agent's own work comes to: no exam where there is none, a verdict that stands, or an exam."""
    demand = demand_of(past)
    here = str(place.repository.root) == live.session.root
    mine = bool(past.edited_now) or _is_asked_now(past, demand) or (past.called_now and not here)
    if not mine and not past.called_now:
        return _idle(live, past, place, said)
    beside = () if subagent else _beside(live, past, place)
    if not mine and not beside:
        return _idle(live, past, place, said)
    if beside:
        return _first(live, past, Refusal(beside, beside, place.tree, "work-elsewhere"), "")
    if not demand.texts and not past.amended.accept and (place.documents or not place.changed):
        if past.accepted and past.judged_tree == place.tree:
            return _noted(live, past, "accepted")
        return _noted(live, past, "documents" if place.documents else "nothing_changed")
    what = demand.texts, sorted(past.amended.dropped), past.amended[1:], live.folder.read(CONFIG)
    asked = _Asked(place.tree, digest(*what), digest(past.prompts))
    known = _known(live, past, asked, subagent)
    if known is not None:
        return known
    waits = waits_for_user(said.reply, past.prompt, said.mode)
    return _examined(live, past, asked, place, subagent, waits, said.reply)


def _is_asked_now(past: Past, demand: Demand) -> bool:
    """Whether what the user said last, or amended, has to be proven although no file was changed for it."""
    if past.amended.accept:
        return not past.examined
    return bool(demand.texts) and demand.texts[-1] == past.prompt


def _idle(live: Live, past: Past, place: Place, said: Said) -> Verdict:
    """The agent changed nothing since the user spoke: no exam, no block, no wait."""
    if past.accepted and past.judged_tree == place.tree:
        return _noted(live, past, "accepted")
    return _unchanged(live, past, said)


def _is_idle(past: Past) -> bool:
    return not (past.called_now or past.edited_now or past.amended.accept or demand_of(past).texts)


def _unchanged(live: Live, past: Past, said: Said) -> Verdict:
    noted = _noted(live, past, "nothing_changed")
    if not claims_work(said.reply):
        return noted
    return noted._replace(human=human_line(Told("unverified"), live.language))


def record_gap(live: Live) -> None:
    """Events of this session were missed: no stop of it is examined or accepted any more."""
    with live.ledger() as opened:
        if not past_of(opened.store.read(live.session.run)).gap:
            missed = facts.HookCalled("donewhen", "session", "failed", GAP)
            opened.store.append(live.session.run, missed, run.Noted(live.say("gap"), "warning"))


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


_NOTES = {
    "nothing_changed": "nothing_changed",
    "accepted": "still_proven",
    "let_go": "gap",
    "unchanged": "unchanged",
    "documents": "documents",
}


def _noted(
    live: Live, past: Past, kind: Literal["nothing_changed", "documents", "accepted", "let_go", "unchanged"]
) -> Verdict:
    """Let go without a decision: nothing was judged, so nothing is said to be accepted now."""
    text = live.say(_NOTES[kind])
    bodies: list[Body] = [run.Noted(text)]
    if kind == "accepted" and past.state != "done":
        bodies.append(run.StateChanged(past.state, "done", text))
    with live.ledger() as opened:
        opened.store.append(live.session.run, *bodies)
    return Verdict("allow", kind, text)


def _known(live: Live, past: Past, asked: _Asked, subagent: str) -> Verdict | None:
    """A pass on this tree stands; a refusal that nobody heard of is told now, and counts once. A tree that
    was refused is examined again only after the agent did something, for it may have been no file."""
    known = live.folder.read(RESULT)
    if not isinstance(known, dict) or known.get("tree") != asked.tree or known.get("asked") != asked.asked:
        return None
    if known.get("kind") == "accepted" and past.accepted and past.judged_tree == asked.tree:
        return _noted(live, past, "accepted")
    unheard = known.get("delivered") is False and known.get("said") == asked.said
    if known.get("kind") not in ("blocked", "let_go", "not_finished"):
        return None
    if not unheard:
        if past.may_have_acted or known.get("subagent") or subagent:
            return None
        if known.get("said") != asked.said or past.state == "fail":
            return _noted(live, past, "unchanged")
        details = tuple(map(str, known.get("details", ()))) or (live.say("unchanged"),)
        return refuse(live, past, Refusal(details, tree=asked.tree, cause="unchanged", again=True), "")
    allowed = known["kind"] != "blocked"
    if allowed and past.state != "fail":
        return None  # the ledger knows of no such decision
    text, human = str(known.get("text", "")), str(known.get("human", ""))
    return Verdict("allow" if allowed else "block", known["kind"], text, human)


def _examined(
    live: Live, past: Past, asked: _Asked, place: Place, subagent: str, waits: Waits, reply: str
) -> Verdict:
    # the whole exam: a stop that needs none loads none of it
    from donewhen.intake.change import NOTHING
    from donewhen.integrations.sessions.recording import SessionRecord
    from donewhen.integrations.sessions.stoppable import run_stoppable
    from donewhen.verify.pipeline import verify_change

    before = live.folder.read(RESULT)
    heard = isinstance(before, dict) and (before.get("tree"), before.get("asked")) == asked[:2]
    again = heard and before.get("subagent") == subagent and bool(before.get("delivered"))
    again = again and before.get("said") == asked.said
    wanted = wanted_of(live.folder, live.session, place.base, demand_of(past))
    apart = str(place.repository.root) != live.session.root  # where no look was taken
    wanted = wanted._replace(mine=None if apart or EVERYTHING in past.edited else past.edited)
    means = means_of(str(place.repository.root), live.env, live.language)

    def begin(opened: Opened, repository: Repository, change: "Change", profile: str) -> "Record":
        return SessionRecord(opened, live.session.run, past, wanted.mine)

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
    if done.judgement.accepted and not apart:
        keep_base(live, place.repository, done.change.fingerprint.tree)
    verdict = _judged(live, past, done, subagent, again=again, waits=waits)
    verdict = _with_receipt(live, verdict, reply, done, means)
    tree = done.change.fingerprint.tree
    result = {
        **asked._replace(tree=tree)._asdict(),
        **verdict._asdict(),
        "details": list(done.decided["details"]),
        "subagent": subagent,
        "delivered": False,
        "moved": tree != asked.tree,
    }
    live.folder.write(RESULT, result)
    return verdict


def _with_receipt(live: Live, verdict: Verdict, reply: str, done: "Verification", means: "Means") -> Verdict:
    """What the agent said beside what is: what is not so in the line, all of it on the page."""
    from donewhen.integrations.receipt.logs import Message
    from donewhen.integrations.receipt.receipt import stop_receipt

    message = Message(reply, live.session.client, folder=live.session.root, since=live.session.since)
    lines = stop_receipt(message, done.judgement.commands, means).lines
    if not lines:
        return verdict
    page = "; ".join(f"{line.mark} {line.claim} ({line.evidence})" for line in lines)
    with live.ledger() as opened:
        opened.store.append(live.session.run, run.Noted(say("receipt.page", live.language, lines=page)))
    wrong = ", ".join(line.claim for line in lines if line.state == "fails")
    beside = say("receipt.not_so", live.language, claims=wrong) if wrong else ""
    return verdict._replace(human=f"{verdict.human}{beside}".removeprefix(" · "))


def _judged(
    live: Live, past: Past, done: "Verification", subagent: str, *, again: bool, waits: Waits
) -> Verdict:
    decided = done.decided
    if done.judgement.accepted:
        return Verdict("allow", "accepted", str(decided["summary"]), accepted_line(done, live.language))
    refusal = Refusal(
        tuple(decided["details"]) or (str(decided["summary"]),),
        tree=done.change.fingerprint.tree,
        cause=done.judgement.stop_reason,
        results=tuple(decided["results"]),
        more=tuple(found(done, live.language)),
        judging=True,
        question=done.judgement.needs_word,
        again=again,
        waits=waits,
        failing=first_failing(done),
        elsewhere=done.red_elsewhere,
    )
    return refuse(live, past, refusal, subagent)


def _unprovable(
    live: Live,
    past: Past,
    kind: Literal["not_repository", "nothing_to_prove"],
    error: DonewhenError,
    subagent: str,
) -> Verdict:
    """Told to the main agent alone; once, unless it took away what there was."""
    if subagent:
        return Verdict("allow", "subagent", live.say("subagent"))
    from donewhen.integrations.sessions.composing import untold

    gone = kind == "not_repository" and bool(live.session.tree)
    why = Phrase("sessions.repository_gone", {"path": live.session.root}) if gone else untold(error)
    text = say(why.key, live.language, **why.values)
    refusal = Refusal((text,), cause=kind, once=not gone, unjudged=True)
    if gone:
        return _first(live, past, refusal, "")._replace(kind=kind)
    return refuse(live, past, refusal, "")._replace(kind=kind)


def _settings(live: Live, past: Past, tree: str, paths: tuple[str, ...], subagent: str) -> Verdict:
    """Nothing is proven while the client's settings are not what they were: all of it stays open."""
    details = tuple(live.say("settings_changed", path=path) for path in paths)
    more = (live.say("settings_first"),)
    return _first(live, past, Refusal(details, paths, tree, "client-settings", more=more), subagent)


def _altered(live: Live, past: Past) -> Verdict:
    """Told once: the ledger holds, and the note is written anew from it."""
    verdict = _first(
        live, past, Refusal((live.say("altered", path=live.folder.note),), cause="session-note"), ""
    )
    live.folder.keep(live.session)
    return verdict


def _beside(live: Live, past: Past, place: Place) -> tuple[str, ...]:
    with live.ledger() as opened:
        start = started_with(opened, live.session.run)
    found = not_here(place, live.session, start, past.proven, live.env)
    return tuple(say(each.key, live.language, **each.values) for each in found)


def _first(live: Live, past: Past, why: Refusal, subagent: str) -> Verdict:
    """What must be put right before anything is tried: all proofs stay open."""
    named = why.pending or why.details
    pending = tuple(one_name(each, 120) for each in (*named, *owed(past.promise)))
    return refuse(live, past, why._replace(pending=pending), subagent)
