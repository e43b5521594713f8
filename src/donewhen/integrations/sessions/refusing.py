"""A stop that is not accepted: blocked with the reasons, or allowed because blocking leads nowhere."""

from collections.abc import Mapping
from typing import NamedTuple

from donewhen.core.base_tests import Elsewhere
from donewhen.core.codec import Json
from donewhen.core.events import Body, facts, run
from donewhen.core.reasons import StopReason, status
from donewhen.core.shown import one_name
from donewhen.core.stopping import MOST, ONCE, Limits, after, answer
from donewhen.integrations.sessions.human_line import Told, human_line
from donewhen.integrations.sessions.keeping import loaded_for
from donewhen.integrations.sessions.last_message import Waits
from donewhen.integrations.sessions.model import Kind, Verdict
from donewhen.integrations.sessions.opening import Live
from donewhen.integrations.sessions.past import SUBAGENT, Past
from donewhen.integrations.sessions.telling import let_go, refusal, remember

_EXAM = "exam"
_IN_A_ROW = 2  # blocks of different trees in a row without fewer open proofs


class Refusal(NamedTuple):
    details: tuple[str, ...]  # a sentence for everything that is missing
    pending: tuple[str, ...] = ()  # names of it, where they are others
    tree: str = ""
    cause: str = ""
    results: tuple[Mapping[str, Json], ...] = ()
    more: tuple[str, ...] = ()  # lines that tell more about it
    once: bool = False  # nothing that the agent is asked to repair again and again
    unjudged: bool = False  # nothing could be tried, so nothing speaks against the work
    judging: bool = False  # an exam ran: the ledger says so already
    question: bool = False  # only a human's word is missing: no agent is held up for it
    again: bool = False  # this very tree was refused before: no tree is blocked twice
    waits: Waits = ""  # the agent waits for its user, and claims nothing
    failing: str = ""  # the first test that fails
    elsewhere: Elsewhere = ""  # it fails just so without the agent's work

    @property
    def stops_nobody(self) -> bool:
        """Whether no agent is held up for it."""
        return bool(self.question or self.again or self.waits) or self.elsewhere in ("before", "others")


def refuse(live: Live, past: Past, why: Refusal, subagent: str) -> Verdict:
    """One more stop that is not accepted. A sub-agent is told once, which counts for nobody else."""
    pending = why.pending or tuple(one_name(text, 120) for text in why.details)
    stops = after(past.stops, len(pending))
    blocks = not why.stops_nobody and (bool(subagent) or answer(stops, _limits(live, why)) == "block")
    cause = f"{SUBAGENT}{subagent}" if subagent else why.cause
    begins: tuple[Body, ...] = () if why.judging else (run.StateChanged(past.state, "validating"),)
    if why.unjudged:
        why = why._replace(results=(_untried(why),))
        begins = (*begins, facts.Verified("exam", _EXAM, "could_not_run", details={"reason": why.cause}))
    refused = run.Decided(
        "continue",
        cause=cause,
        summary=why.details[0],
        fingerprint=why.tree,
        details=why.details,
        results=why.results,
        pending=pending,
    )
    if blocks:
        text = refusal(why.details, live.language, more=why.more)
        follows: tuple[Body, ...] = (
            run.CorrectionMade(stops.refused, "retried"),
            run.StateChanged("validating", "executing"),
        )
    else:
        key = _allowed_key(why)
        plain = why.details[0] if why.once else live.say(key)
        text = plain if why.question or why.waits else let_go(plain, live.language)
        reason: StopReason = "verification_config_missing" if why.once else "accept_continue_exhausted"
        if why.question:
            reason = "escalated"
        ended = refused._replace(status=status(reason), stop_reason=reason, summary=plain)
        follows = (ended, run.StateChanged("validating", "fail"))
    with live.ledger() as opened:
        opened.store.append(live.session.run, *begins, refused, *follows)
        text = opened.redactor.text(text)
    remember(live.folder, text)
    kind: Kind = "blocked" if blocks else "not_finished" if why.waits and not why.question else "let_go"
    elsewhere = "" if blocks or why.waits else _LINES.get(why.elsewhere, "")
    told = Told(
        "question" if why.question else "unprovable" if why.once else elsewhere or kind,
        len(pending),
        why.failing or one_name(why.details[0], 120),
        stops.refused if blocks else max(1, stops.refused - 1),
    )
    return Verdict("block" if blocks else "allow", kind, text, human_line(told, live.language))


_LINES = {"before": "before", "declared": "before", "others": "others"}


def _allowed_key(why: Refusal) -> str:
    """Why the stop is allowed although nothing is accepted."""
    if why.question:
        return "needs_word"
    if why.waits:
        return "not_finished"
    return f"red_{_LINES[why.elsewhere]}" if why.elsewhere else "let_go_row"


def _untried(why: Refusal) -> Mapping[str, Json]:
    reason = why.details[0]
    return {
        "id": _EXAM,
        "kind": "command_success",
        "target": _EXAM,
        "passed": False,
        "reason": reason,
        "evidence": "",
    }


def _limits(live: Live, why: Refusal) -> Limits:
    if why.once or why.elsewhere == "declared":
        return Limits(ONCE)
    runtime = loaded_for(live.folder, live.session.root, live.env).config.runtime
    return Limits(min(_IN_A_ROW, runtime.max_accept_continues), MOST)
