"""The accepted commit goes into the target branch: forward, or merged with what that has become meanwhile.

A merge is another tree than the one that was accepted, so it is proven again before anything moves; red or in
conflict it is handed over, and the run's branch keeps the work. Looking, proving and moving begin anew when
somebody else moves the target meanwhile. A process that dies in between leaves its intent behind.
"""

import asyncio
import os
import shlex
from typing import Literal, NamedTuple

from donewhen.core.errors import SetupError
from donewhen.core.events import facts, run
from donewhen.core.texts import Phrase, say
from donewhen.run.engine.live import Run
from donewhen.run.engine.merging_exam import Merged, prove
from donewhen.run.engine.model import Stopped
from donewhen.run.shipping.commit import Shipped, tree_of
from donewhen.run.shipping.committing import Made, make_commit
from donewhen.run.shipping.leaks import baseline
from donewhen.run.shipping.merged import Merge, merge_message, merge_trees
from donewhen.run.shipping.naming import shown
from donewhen.run.shipping.outgoing import Outgoing, Rules, TooMuch, look_through, places
from donewhen.run.shipping.target import alias_of, find_target, is_closed, tip_of_target
from donewhen.run.shipping.target_moving import (
    Move,
    MovedMeanwhile,
    finish,
    forget_move,
    hindrance,
    move_target,
    moved_before,
)
from donewhen.run.shipping.target_seats import Step
from donewhen.store.crashing import crash_point
from donewhen.workspace.git.repository import Repository, find_repository
from donewhen.workspace.rooms.results import admit, builds_on, lending

EFFECT = "merge"
_MOST_TRIES = 5

How = Literal["forward", "merge", "there", "left"]


class Landed(NamedTuple):
    """What became of the target."""

    how: How
    target: str
    commit: str = ""  # that it is at now; empty when it was not moved
    tree: str = ""


class _Landing(NamedTuple):
    """What is on its way, and to where."""

    live: Run
    user: Repository
    shipped: Shipped
    target: str

    def stop(self, cause: str, key: str, **values: object) -> Stopped:
        told = {"target": self.target, "branch": self.shipped.branch, **values}
        forget_move(self.user, self.live.ledger.run_id)
        kept = say("shipping_target.over", self.live.language, branch=self.shipped.branch)
        self.live.ledger.post(run.Noted(kept, "info", self.by_hand(key)))
        return Stopped("escalated", cause, say(f"shipping_target.{key}", self.live.language, **told))

    def by_hand(self, key: str) -> tuple[str, ...]:
        """What a human types now that the run is over."""
        branch, target = shlex.quote(self.shipped.branch), shlex.quote(self.target)
        if key == "gone":
            return (f"git branch {target} {branch}",)
        if key == "moved_again":
            return (f"git checkout {target}", f"git merge {branch}")
        if key == "unrelated":
            return (f"git checkout {branch}",)
        return (f"git checkout {branch}", f"git merge {target}", f"donewhen verify --base {target}")

    def move(self, step: Step) -> Move:
        return Move(self.user, self.live.ledger.run_id, self.target, step, self.live.room.site.scratch)


async def land(live: Run, shipped: Shipped) -> Landed:
    """Bring the shipped commit into the target branch; Stopped when that can't be proven or done."""
    target = live.terms.target or find_target(live.terms.user, live.terms.rules.loaded, shipped.branch).name
    for _ in range(_MOST_TRIES):
        user = find_repository(live.room.site.user.root, live.terms.user.env)
        landing = _Landing(live, user, shipped, target)
        try:
            return _before(landing) or await _land(landing)
        except MovedMeanwhile:
            continue
        except SetupError as error:
            raise landing.stop("not_merged", "not_moved", why=Phrase(error.key, error.values)) from None
    raise landing.stop("target_moved", "moved_again", times=_MOST_TRIES)


def _before(landing: _Landing) -> Landed | None:
    """What a process that is gone has moved already; files that it left behind follow now."""
    live = landing.live
    step = moved_before(landing.user, live.ledger.run_id, landing.target)
    if step is None:
        return None
    left_behind = finish(landing.move(step))
    if left_behind is not None:
        live.warn(left_behind)
    key = live.ledger.trace()
    live.ledger.append(
        facts.EffectIntended(key, EFFECT, landing.target), facts.EffectDone(key, True, step.new)
    )
    return _landed(landing, step.new)


async def _land(landing: _Landing) -> Landed:
    live, user, shipped, target = landing
    tip = tip_of_target(user, target)
    if not tip:
        raise landing.stop("target_gone", "gone")
    if is_closed(target, live.terms.config):
        raise landing.stop("protected", "protected", branch=target)
    if builds_on(user, shipped.commit, tip):
        live.ledger.post(run.Noted(say("shipping_target.there", live.language, target=target), "info"))
        return Landed("there", target)
    other = alias_of(user, target)
    if other:
        raise landing.stop("target_alias", "alias_now", other=other)
    merged = _merged(landing, tip)
    await _all_clean(landing, merged)
    lent = lending((live.room.site.fingerprints.objects,))
    why = hindrance(landing.move(Step(tip, merged.commit))._replace(lent=lent))
    if why is not None:
        return _left(landing, tip, why)
    if not _began_there(landing, tip):
        await _prove(landing, merged)
    return _move(landing, merged)


def _merged(landing: _Landing, tip: str) -> Merged:
    """The commit that the target would be moved to; objects of a new one are in our own folder."""
    live, user, shipped, target = landing
    if builds_on(user, tip, shipped.commit):
        return Merged(target, tip, shipped.commit, shipped.tree)
    site = live.room.site
    own = site.fingerprints.objects
    aside = site.scratch / "merge"
    found = merge_trees(Merge(user, tip, shipped.commit, own, aside))
    if found.conflicts:
        raise landing.stop("merge_conflict", "conflict", names=shown(found.conflicts))
    if not found.tree:
        raise landing.stop("merge_conflict", "unrelated")
    text = merge_message(live.state.promise.objective, shipped.branch, live.ledger.run_id, found.tree)
    made = Made(found.tree, (tip, shipped.commit), text)
    commit = make_commit(user, made, (own,), live.terms.means.env)
    return Merged(target, tip, commit, found.tree)


def _began_there(landing: _Landing, tip: str) -> bool:
    """Whether the target is where the run began: what was accepted is what it becomes."""
    live, user = landing.live, landing.user
    base = live.room.site.base
    snapshot = live.terms.wish.with_changes and user.commit(f"{base}^1") == tip
    return tip == base or snapshot


async def _all_clean(landing: _Landing, merged: Merged) -> None:
    """Stopped when any commit that the target lacks holds what looks like a secret."""
    live, site = landing.live, landing.live.room.site
    lent = lending((site.fingerprints.objects,))
    known = baseline(site.fingerprints, site.base_tree)
    rules = Rules(known, live.terms.config.guardrails.secret_patterns)
    outgoing = Outgoing(landing.user, merged.commit, (merged.tip,), lent)
    found = await asyncio.to_thread(look_through, outgoing, rules)
    if isinstance(found, TooMuch):
        raise landing.stop("merge_unproven", "unscanned", number=found.commits)
    if found is not None:
        names = places(found, live.language)
        raise landing.stop("merge_secret", "secret", names=names, commit=found.commit[:12])


async def _prove(landing: _Landing, merged: Merged) -> None:
    """Stopped unless exam, integrity and hooks let the merged tree pass."""
    live = landing.live
    fingerprints = live.room.site.fingerprints
    before = fingerprints.tree(merged.tip)
    files = sorted(fingerprints.changed(before, merged.tree))
    diff = fingerprints.diff(before, merged.tree, context=3) if files else ""
    verdict = await live.hook("before_commit", files=files, diff=diff, by="harness")
    if verdict.blocked:
        raise landing.stop("before_commit", "not_moved", why=f"{verdict.by}: {verdict.blocked}")
    proven = await prove(live, merged)
    crash_point("merge proven")
    if not proven.accepted:
        raise landing.stop("merge_red" if proven.red else "merge_unproven", "red", why=proven.why)


def _move(landing: _Landing, merged: Merged) -> Landed:
    live, site = landing.live, landing.live.room.site
    if merged.commit != landing.shipped.commit:
        known = (merged.tip, landing.shipped.commit)
        aside = site.scratch.with_name(f"{site.run_id}.pack")
        admit(landing.user, merged.commit, (site.fingerprints.objects,), known, aside)
        crash_point("merge brought")
    key = live.ledger.trace()
    live.ledger.append(facts.EffectIntended(key, EFFECT, landing.target))
    try:
        why = move_target(landing.move(Step(merged.tip, merged.commit)))
    except MovedMeanwhile:
        live.ledger.append(facts.EffectDone(key, False))
        raise
    if why is not None:
        live.ledger.append(facts.EffectDone(key, False))
        return _left(landing, merged.tip, why)
    live.ledger.append(facts.EffectDone(key, True, merged.commit))
    return _landed(landing, merged.commit)


def _landed(landing: _Landing, commit: str) -> Landed:
    how: How = "forward" if commit == landing.shipped.commit else "merge"
    return Landed(how, landing.target, commit, tree_of(landing.user, commit))


def _left(landing: _Landing, tip: str, why: Phrase) -> Landed:
    """The target can't be moved without loss: the work is accepted on its branch, and everybody is told."""
    live, user, shipped, target = landing
    forward = builds_on(user, tip, shipped.commit)
    folder = os.path.realpath(str(why.values.get("folder", user.root)))
    there = "" if folder == os.path.realpath(user.root) else f" -C {shlex.quote(folder)}"
    command = f"git{there} merge {'--ff-only ' if forward else ''}{shlex.quote(shipped.branch)}"
    site = live.room.site
    if forward and site.kind == "in_place" and folder == os.path.realpath(site.folder):
        command = f"git reset {shlex.quote(shipped.branch)}"  # the files are there already
    key = "left" if forward and _began_there(landing, tip) else "left_verify"
    values = {"why": why, "branch": shipped.branch, "target": target, "command": command}
    live.warn(Phrase(f"shipping_target.{key}", values), (command,))
    return Landed("left", target)
