"""Merging: the accepted tree becomes a commit on the run's branch, and goes on from there as configured.

What is shipped is the very tree that was accepted: it is compared once more, scanned for secrets, shown to
the hooks, and committed as it is. Merged into the target branch it may become another tree, which is proven
first. Only then does the decision stand in the ledger. Nothing goes back to work from here.
"""

import shlex
from typing import TYPE_CHECKING

from donewhen.core.errors import SetupError, UserError
from donewhen.core.events import facts, run
from donewhen.core.events.run import State
from donewhen.core.gate import Accepted
from donewhen.core.texts import Phrase, say
from donewhen.run.engine.controls import safe_point
from donewhen.run.engine.live import Run
from donewhen.run.engine.model import Stopped
from donewhen.run.engine.refusing import results_of
from donewhen.run.engine.validating import attempt_again
from donewhen.run.shipping.before import change_for_hooks, pre_ship
from donewhen.run.shipping.commit import Shipped, ship
from donewhen.run.shipping.message import message_of

if TYPE_CHECKING:
    from donewhen.run.engine.merging_target import Landed

_STAYS = frozenset(("forge.unpushed_secret", "forge.unpushed_many"))  # nobody is told how to push it anyway


async def merge(live: Run) -> State:
    if live.shipped is None:  # else a process that is gone had come that far
        await _accept(live)
    if live.shipped is not None and live.terms.config.ship.mode == "pr":
        await _open(live, live.shipped)
    await live.hook_once("after_accept", summary=live.state.answer, branch=live.room.site.branch)
    return "done"


async def _accept(live: Run) -> None:
    promise = live.state.promise
    safe_point(live)
    judged = live.attempt if live.state.promise == promise else None  # a human changed it just now
    attempt = judged or await attempt_again(live)
    if not isinstance(attempt.decision, Accepted):
        raise Stopped("escalated", "pre-ship", say("resume.no_longer_proven", live.language))
    landed = None
    if not live.state.promise.answer_only:
        live.shipped = await _ship(live, attempt.decision)
        landed = await _land(live, live.shipped)
    live.ledger.append(_decided(live, attempt.decision, landed))


async def _land(live: Run, shipped: Shipped) -> "Landed | None":
    """What became of the target branch; None where nothing is merged."""
    if live.terms.config.ship.mode != "merge":
        return None
    from donewhen.run.engine.merging_target import land

    landed = await land(live, shipped)
    if landed.commit:
        live.shipped = shipped._replace(tree=landed.tree, into=landed.target, merged=landed.commit)
    return landed


async def _open(live: Run, shipped: Shipped) -> None:
    """A pull request for what is accepted; without one the branch is there all the same, and it is said."""
    from donewhen.run.engine.handing import open_accepted

    try:
        live.pull = (await open_accepted(live)).url
    except (SetupError, UserError, Stopped) as error:
        why = error.detail if isinstance(error, Stopped) else Phrase(error.key, error.values)
        told = why.key if isinstance(why, Phrase) else ""
        values: dict[str, object] = {"why": why, "branch": shipped.branch}
        if told in _STAYS:
            live.warn(Phrase("shipping_target.no_pull_request_kept", values))
            return
        commands = _by_hand(live, shipped, told == "forge.no_remote_set")
        values["command"] = " && ".join(commands)
        live.warn(Phrase("shipping_target.no_pull_request", values), commands)


def _by_hand(live: Run, shipped: Shipped, no_remote: bool) -> tuple[str, ...]:
    remote = shlex.quote(live.terms.config.ship.remote)
    push = f"git push {remote} {shlex.quote(shipped.branch)}"
    return (f"git remote add {remote} URL", push) if no_remote else (push,)


async def _ship(live: Run, accepted: Accepted) -> Shipped:
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
    env = live.terms.means.env
    shipped = ship(site, live.ledger.run_id, accepted.fingerprint, message, env, patterns)
    live.ledger.append(facts.EffectDone(key, True, shipped.commit))
    return shipped


def _decided(live: Run, accepted: Accepted, landed: "Landed | None") -> run.Decided:
    findings = accepted.findings
    key = "engine.answer_only" if live.state.promise.answer_only else "engine.accepted"
    if landed is not None and landed.commit:
        key = f"shipping_target.{landed.how}"
    values = {"branch": live.room.site.branch, "target": landed.target if landed else ""}
    return run.Decided(
        "accepted",
        "accepted",
        summary=say(key, live.language, count=len(findings.commands), **values),
        fingerprint=(landed.tree if landed else "") or accepted.fingerprint,
        details=accepted.proofs[:200],
        results=results_of(findings, live.language),
    )
