"""Merging: the accepted tree becomes a commit on the run's branch. Nothing goes back to work from here.

What is shipped is the very tree that was accepted: it is compared once more, scanned for secrets, shown to
the hooks, and committed as it is. Only then does the decision stand in the ledger.
"""

from donewhen.core.events import facts, run
from donewhen.core.events.run import State
from donewhen.core.gate import Accepted
from donewhen.core.texts import say
from donewhen.run.engine.controls import safe_point
from donewhen.run.engine.live import Run
from donewhen.run.engine.model import Stopped
from donewhen.run.engine.refusing import results_of
from donewhen.run.engine.validating import attempt_again
from donewhen.run.shipping.before import change_for_hooks, pre_ship
from donewhen.run.shipping.commit import ship
from donewhen.run.shipping.message import message_of


async def merge(live: Run) -> State:
    if live.shipped is None:  # else a process that is gone had come that far
        await _accept(live)
    await live.hook_once("after_accept", summary=live.state.answer, branch=live.room.site.branch)
    return "done"


async def _accept(live: Run) -> None:
    promise = live.state.promise
    safe_point(live)
    judged = live.attempt if live.state.promise == promise else None  # a human changed it just now
    attempt = judged or await attempt_again(live)
    if not isinstance(attempt.decision, Accepted):
        raise Stopped("escalated", "pre-ship", say("resume.no_longer_proven", live.language))
    if not live.state.promise.answer_only:
        await _ship(live, attempt.decision)
    live.ledger.append(_decided(live, attempt.decision))


async def _ship(live: Run, accepted: Accepted) -> None:
    site, config = live.room.site, live.terms.config
    issues = pre_ship(site, accepted.fingerprint, config)
    said = tuple(say(issue.key, live.language, **issue.values) for issue in issues)
    live.ledger.append(facts.CheckpointJudged("pre-ship", not said, live.ledger.trace(), said))
    if said:
        raise Stopped("escalated", "pre-ship", said[0])
    files, diff = change_for_hooks(site, accepted.fingerprint)
    verdict = await live.hook("before_commit", files=list(files), diff=diff, by="harness")
    if verdict.blocked:
        raise Stopped("escalated", "before_commit", f"{verdict.by}: {verdict.blocked}")
    message = message_of(live.state.promise.objective, live.state.answer)
    key = live.ledger.trace()
    live.ledger.append(facts.EffectIntended(key, "branch", site.branch))
    patterns = config.guardrails.secret_patterns
    live.shipped = ship(
        site, live.ledger.run_id, accepted.fingerprint, message, live.terms.means.env, patterns
    )
    live.ledger.append(facts.EffectDone(key, True, live.shipped.commit))


def _decided(live: Run, accepted: Accepted) -> run.Decided:
    findings = accepted.findings
    total = len(findings.commands)
    answer_only = live.state.promise.answer_only
    key = "engine.answer_only" if answer_only else "engine.accepted"
    return run.Decided(
        "accepted",
        "accepted",
        summary=say(key, live.language, count=total, branch=live.room.site.branch),
        fingerprint=accepted.fingerprint,
        details=accepted.proofs[:200],
        results=results_of(findings, live.language),
    )
