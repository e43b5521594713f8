"""What the engine says to forges: the pull request of an accepted run, the draft of a hand-over.

A run has one pull request. The draft of a hand-over lies on a branch of its own at the remote, on which each
later state is a commit that follows the one before; nothing is ever forced. When the run is accepted later,
that same pull request gets the accepted tree and is marked as ready.
"""

import asyncio
from typing import NamedTuple

from donewhen.core.errors import SetupError, UserError
from donewhen.core.events import Body, run
from donewhen.core.pull_request import Account, accepted_body, draft_body, key_of, title
from donewhen.core.texts import Phrase, say
from donewhen.run.engine.handing_account import account_of
from donewhen.run.engine.live import Run
from donewhen.run.engine.recording import keep_record
from donewhen.run.shipping.commit import tree_of
from donewhen.run.shipping.committing import Made, make_commit
from donewhen.run.shipping.forge.choosing import NoDoor, choose
from donewhen.run.shipping.forge.model import Door, Opened, Pull, Wanted
from donewhen.run.shipping.forge.opening import Pushed, open_once, push_once
from donewhen.run.shipping.forge.pushing import Remote, Seen, addresses_of, check_branch, had_by, look
from donewhen.run.shipping.leaks import baseline, leaks
from donewhen.run.shipping.message import trailer
from donewhen.run.shipping.naming import shown
from donewhen.run.shipping.outgoing import Outgoing, Rules, TooMuch, look_through, places
from donewhen.run.shipping.target import is_named
from donewhen.workspace.git.repository import Repository, find_repository
from donewhen.workspace.rooms.results import builds_on


class _Way(NamedTuple):
    remote: Remote
    door: Door

    @property
    def user(self) -> Repository:
        return self.remote.user


class _Head(NamedTuple):
    """The branch of a pull request: what goes there, and what is there already."""

    branch: str
    commit: str
    base: str
    known: str = ""
    pulls: tuple[Pull, ...] = ()


def handover_branch(run_id: str) -> str:
    return f"donewhen/{run_id}-handover"


async def open_accepted(live: Run) -> Opened:
    """The pull request of an accepted run, once its decision stands; doing it twice finds the first.

    SetupError or UserError when there is none: the accepted branch is there all the same.
    """
    if live.shipped is None:
        raise SetupError("forge.nothing")
    live.record = keep_record(live) or live.record
    way = await _way(live)
    if isinstance(way, NoDoor):
        raise SetupError(way.why.key, **way.why.values)
    head = await _accepted_head(live, way, live.shipped.branch, live.shipped.commit)
    opened = await _opened(live, way, head, draft=False)
    live.ledger.post(run.Noted(say(f"forge.{opened.how}", live.language, url=opened.url), "info"))
    return opened


async def hand_over(live: Run, name: str = "", said: str = "") -> Opened | Phrase:
    """A draft of what a run has made so far, or why there is none. The work is kept before this is asked.

    `name` and `said`: a title and a summary of the agent's own.
    """
    try:
        way = await _way(live)
        if isinstance(way, NoDoor):
            return way.why
        head = await _draft_head(live, way)
        opened = await _opened(live, way, head, draft=True, words=(name, said))
    except (SetupError, UserError) as error:
        return Phrase(error.key, error.values)
    live.ledger.post(run.Noted(say("forge.draft", live.language, url=opened.url), "info"))
    return opened


async def _way(live: Run) -> _Way | NoDoor:
    terms = live.terms
    ship = terms.config.ship
    if ship.forge == "none":
        return NoDoor(Phrase("forge.switched_off"))
    if terms.wish.in_place or (live.has_room and live.room.site.kind == "in_place"):
        return NoDoor(Phrase("forge.in_place"))
    user = find_repository(terms.user.root, terms.user.env)
    remote = Remote(user, ship.remote, terms.means.env)
    door = await choose(ship, await addresses_of(remote), user.root, terms.means.env)
    return door if isinstance(door, NoDoor) else _Way(remote, door)


async def _accepted_head(live: Run, way: _Way, branch: str, commit: str) -> _Head:
    """The run's own branch; that of its draft where a hand-over opened one which is still open."""
    drafted = handover_branch(live.ledger.run_id)
    seen = await look(way.remote, _target(live), branch, drafted)
    base = _base(live, way, seen)
    tip = seen.heads.get(drafted, "")
    pulls = await way.door.find(drafted) if tip else ()
    ours = tuple(pull for pull in pulls if key_of(pull.body).partition(":")[0] == live.ledger.run_id)
    if not ours:
        known = seen.heads.get(branch, "")
        there = await way.door.find(branch) if known else ()
        return _Head(branch, commit, base, known, there)
    if not _is_ours(way.user, tip, live.ledger.run_id):
        raise SetupError("forge.foreign", branch=drafted, remote=way.remote.name)
    if builds_on(way.user, commit, tip) and tree_of(way.user, tip) == tree_of(way.user, commit):
        return _Head(drafted, tip, base, tip, ours)
    text = f"donewhen: run {live.ledger.run_id} is accepted\n\n{trailer(live.ledger.run_id)}\n"
    made = Made(tree_of(way.user, commit), (tip, commit), text)
    return _Head(drafted, _commit(live, way.user, made), base, tip, ours)


async def _draft_head(live: Run, way: _Way) -> _Head:
    """What is not accepted, as one commit after the base or the draft before; no history of an agent's."""
    work = live.shipped.commit if live.shipped else live.rescued
    if not work or not live.has_room:
        raise SetupError("forge.nothing")
    site, run_id = live.room.site, live.ledger.run_id
    tree = tree_of(way.user, work)
    found = leaks(site.fingerprints, site.base_tree, tree, live.terms.config.guardrails.secret_patterns)
    if found:
        raise SetupError("forge.secret", names=shown(found))
    if tree == site.base_tree:
        raise SetupError("forge.nothing")
    branch = handover_branch(run_id)
    seen = await look(way.remote, _target(live), branch)
    base, tip = _base(live, way, seen), seen.heads.get(branch, "")
    if tip and not _is_ours(way.user, tip, run_id):
        raise SetupError("forge.foreign", branch=branch, remote=way.remote.name)
    pulls = await way.door.find(branch) if tip else ()
    if tip and tree_of(way.user, tip) == tree:
        return _Head(branch, tip, base, tip, pulls)
    text = f"donewhen: work of run {run_id}, which is not accepted\n\n{trailer(run_id)}\n"
    commit = _commit(live, way.user, Made(tree, (tip or site.base,), text))
    return _Head(branch, commit, base, tip, pulls)


def _commit(live: Run, user: Repository, made: Made) -> str:
    return make_commit(user, made, (user.objects,), live.terms.means.env)


def _is_ours(user: Repository, commit: str, run_id: str) -> bool:
    """Whether a commit at the remote is one that this run pushed: we know it, and it says so."""
    if not user.commit(commit):
        return False
    said = user.git().run("rev-list", "--no-walk", "--format=%B", commit).decode(errors="replace")
    return trailer(run_id) in said.splitlines()


def _target(live: Run) -> str:
    return live.terms.config.project.target_branch


def _base(live: Run, way: _Way, seen: Seen) -> str:
    """The branch that it should go to: the configured one, else the remote's own main branch."""
    target = _target(live)
    if target in seen.heads:
        return target
    if is_named(live.terms.rules.loaded) or not seen.default:
        raise SetupError("forge.no_base", base=target, remote=way.remote.name)
    return seen.default


async def _opened(
    live: Run, way: _Way, head: _Head, *, draft: bool, words: tuple[str, str] = ("", "")
) -> Opened:
    """Hooks are asked before anything leaves the machine; then the push, then the pull request."""
    patterns = live.terms.config.guardrails.protected_branches
    check_branch(way.user, head.branch, patterns)
    if head.branch == head.base:
        raise SetupError("forge.same_branch", branch=head.branch)
    key = live.ledger.trace()
    ours = next((pull for pull in head.pulls if key_of(pull.body).startswith(f"{live.ledger.run_id}:")), None)
    account = account_of(live, key_of(ours.body) if ours else key, head.branch, head.base, accepted=not draft)
    account = account._replace(tree=tree_of(way.user, head.commit), summary=words[1] or account.summary)
    wanted = _wanted(live, account, draft=draft)
    if words[0].strip():
        wanted = wanted._replace(title=live.ledger.opened.redactor.text(" ".join(words[0].split())))
    await _all_clean(live, way, head)
    await _ask_hooks(live, wanted)

    def write(body: Body) -> None:
        live.ledger.append(body)

    await push_once(way.remote, Pushed(head.commit, head.branch, head.known, patterns), key, write)
    return await open_once(way.door, wanted, key, write, there=head.pulls)


async def _all_clean(live: Run, way: _Way, head: _Head) -> None:
    """SetupError when anything that the remote lacks of what goes there looks like a secret."""
    if head.known == head.commit:
        return
    site, remote = live.room.site, way.remote
    outgoing = Outgoing(way.user, head.commit, await had_by(remote))
    rules = Rules(baseline(site.fingerprints, site.base_tree), live.terms.config.guardrails.secret_patterns)
    found = await asyncio.to_thread(look_through, outgoing, rules)
    if isinstance(found, TooMuch):
        raise SetupError("forge.unpushed_many", remote=remote.name, number=found.commits)
    if found is not None:
        names = places(found, live.language)
        raise SetupError("forge.unpushed_secret", remote=remote.name, commit=found.commit[:12], names=names)


def _wanted(live: Run, account: Account, *, draft: bool) -> Wanted:
    clean = live.ledger.opened.redactor.text
    body = (draft_body if draft else accepted_body)(account, live.language)
    return Wanted(clean(title(account, live.language)), clean(body), account.branch, account.base, draft)


async def _ask_hooks(live: Run, wanted: Wanted) -> None:
    """A block stops the pull request, not the branch that the work is on."""
    verdict = await live.hook(
        "before_pr",
        title=wanted.title,
        description=wanted.body,
        head=wanted.head,
        base=wanted.base,
        draft=wanted.draft,
    )
    if verdict.blocked:
        raise SetupError("forge.blocked", hook=verdict.by, reason=verdict.blocked, branch=wanted.head)
