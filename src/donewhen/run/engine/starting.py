"""From a wish to a run: everything that can be wrong with the wish is told before anything is written."""

import os
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from donewhen import __version__
from donewhen.commands import parse
from donewhen.config import Config, Loaded, load_config
from donewhen.config.paths import state_folder
from donewhen.config.secret_names import secret_names
from donewhen.core.agent import Agent
from donewhen.core.budget import MILLION
from donewhen.core.codec import freeze
from donewhen.core.errors import DonewhenError, SetupError, UserError
from donewhen.core.events import Body, facts, run
from donewhen.core.ids import run_id as new_run_id
from donewhen.core.promise import promise_id
from donewhen.core.promise_data import sources_of, write_promise
from donewhen.core.texts import Language, say
from donewhen.core.todos import to_data
from donewhen.core.transcript import Transcript
from donewhen.hooks.hooks import Hooks
from donewhen.intake.planning import Planned, make_plan, profile_for
from donewhen.run.approvals import Approvals
from donewhen.run.approvals import Terms as AskTerms
from donewhen.run.engine.beating import TTL, beating
from donewhen.run.engine.driver import drive
from donewhen.run.engine.environment import without_own_environment
from donewhen.run.engine.heeding import heeding
from donewhen.run.engine.ledger import Heard, Ledger, Watcher, shared
from donewhen.run.engine.live import Run
from donewhen.run.engine.model import Outcome, People, Terms, Wish
from donewhen.run.engine.pausing import Pausing
from donewhen.run.engine.state import RunState
from donewhen.run.shipping.naming import own_branch
from donewhen.run.shipping.site import check_wish
from donewhen.run.shipping.target import find_target
from donewhen.secrets.redact import Redactor
from donewhen.store import Opened, open_store, store_path
from donewhen.store.owner import this_process
from donewhen.verify.acceptance_record import signing_by
from donewhen.verify.change import Base, Means, Rules, refuse_unknown, rules_for
from donewhen.workspace.fingerprint.fingerprints import Fingerprints
from donewhen.workspace.git.repository import Repository, find_repository
from donewhen.workspace.rooms.caching import using
from donewhen.workspace.rooms.places import Places, outside, places

_SOFT = "soft-deny"


async def run_goal(wish: Wish, means: Means, people: People) -> Outcome:
    """A whole run, from the goal to its end."""
    terms = terms_of(wish, means._replace(env=without_own_environment(means.env)))
    for note in terms.rules.notes:  # whose words hold decides the rest
        terms.means.progress(note)
    agent = wish.agent(terms.config)
    env = terms.means.env
    redactor = Redactor.from_environment(means.env, secret_names(terms.config))
    url, root = terms.config.store.url, terms.user.root
    with (
        using(terms.places),
        open_store(url, state=state_folder(env), folder=root, redactor=redactor) as opened,
    ):
        ledger = begin(terms, opened, agent, people.watch, people.heard)
        live = Run(terms, ledger, agent, approvals_of(terms, ledger, people))
        live.stop = people.stop
        try:
            async with beating(ledger), heeding(live):
                await drive(live)
            return _outcome(live)
        finally:
            if ledger.lease is not None:
                opened.store.release(ledger.lease)


def _outcome(live: Run) -> Outcome:
    from donewhen.run.engine.outcome import outcome_of

    return outcome_of(live)


def terms_of(wish: Wish, means: Means) -> Terms:
    """What the run is held to; UserError or SetupError when it can't be begun."""
    began = time.monotonic()
    user = find_repository(means.folder, means.env)
    if not user.head:
        raise SetupError("rooms.no_commits", commit="", folder=user.root)
    now = load_config(means.folder, env=means.env, flags=means.settings)
    moved = now.config.tools.git.worktree_base
    where = places(user, means.env, Path(moved) if moved else None)
    rules = _rules(user, where, means)
    mapped = [each.say(means.language) for each in now.notes if each.key == "config.note_inside"]
    rules = rules._replace(notes=(*mapped, *rules.notes))
    for check in _checks(rules.loaded, user, means.env):
        check()
    planned = make_plan(
        wish.request,
        means.folder,
        parse,
        promise_id=promise_id(time.time_ns() // 1_000_000, os.urandom(2)),
        open_spec_path=rules.config.project.open_spec_path or "",
        language=means.language,
        tests=profile_for(rules.loaded).tests,
    )
    refuse_unknown(planned.plan.promise, rules.config)
    planned = _permitted(planned, wish)
    _agreed(planned, wish, means)
    wish = wish._replace(change=_change(planned, user))
    if wish.in_place and rules.config.ship.mode == "pr" and not wish.request.answer_only:
        raise UserError("forge.in_place_refused", folder=user.root)
    run_id = new_run_id(time.time(), os.urandom(3))
    wish = wish._replace(branch=wish.branch or own_branch(planned.plan.promise.objective, run_id))
    check_wish(
        user,
        run_id,
        where,
        rules.config,
        in_place=wish.in_place,
        with_changes=wish.with_changes,
        branch=wish.branch,
    )
    terms = Terms(run_id, wish, means, rules, planned, user, where, began)
    return terms._replace(target=_target(terms))


def _target(terms: Terms) -> str:
    """The branch that the result is merged into, if it is; UserError when it could not be."""
    if terms.config.ship.mode != "merge" or terms.wish.request.answer_only:
        return ""
    found = find_target(terms.user, terms.rules.loaded, terms.wish.branch)
    if found.note is not None:
        terms.means.progress(found.note)
    return found.name


def _rules(user: Repository, where: Places, means: Means) -> Rules:
    """The configuration of the base: an edit that is not committed has no say in a run."""
    now = load_config(means.folder, env=means.env, flags=means.settings)
    plain = Fingerprints(user, where.home)
    return rules_for(now, plain, Base(user.head, "HEAD"), user, means.env, means.settings)


def refusals(loaded: Loaded, folder: Path, env: Mapping[str, str]) -> Iterator[DonewhenError]:
    """What a run in this folder would be refused for by its configuration, all of it; nothing is begun."""
    checks: list[Callable[[], object]] = [lambda: _rules_hold(loaded)]
    with suppress(DonewhenError):  # elsewhere there are no runs, and nothing they need
        checks += _checks(loaded, find_repository(folder, env), env)
    for check in checks:
        try:
            check()
        except DonewhenError as error:
            yield error


def _checks(loaded: Loaded, user: Repository, env: Mapping[str, str]) -> Iterator[Callable[[], object]]:
    """What the configuration names and a run needs, each with the error that says why it can't be had."""
    config = loaded.config
    moved, store = config.tools.git.worktree_base, config.store.url
    if moved:
        yield lambda: outside(Path(moved), user)
    yield lambda: store_path(store, state_folder(env), user.root)
    yield lambda: signing_by(config)
    yield lambda: Hooks(
        loaded, env=env, workspace=user.root, run_id="", record=lambda _: None, redactor=Redactor()
    )
    yield lambda: _reviewer_there(config, env)
    if config.ship.mode == "merge":
        yield lambda: find_target(user, loaded)
    if config.sandbox.mode == "required" or config.sandbox.network == "registries":
        yield lambda: _walls_there(config, user, env)


def _rules_hold(loaded: Loaded) -> None:
    from donewhen.guard.configured import rules_of  # all of the guard, which the start does without

    rules_of(loaded)


def _walls_there(config: Config, user: Repository, env: Mapping[str, str]) -> None:
    from donewhen.workspace.sandbox.confinement import confine
    from donewhen.workspace.sandbox.plan import plan
    from donewhen.workspace.sandbox.support import probe

    wish, scratch = config.sandbox, state_folder(env) / "scratch"
    plan(confine(user.root, scratch, env, mode=wish.mode, network=wish.network, temp=wish.temp), probe())


def _change(planned: Planned, user: Repository) -> str:
    """Where the OpenSpec change lies in the repository; empty where there is none in it."""
    folder = Path(planned.plan.change)
    root = user.root.resolve()
    inside = bool(planned.plan.change) and folder.is_relative_to(root) and folder != root
    return folder.relative_to(root).as_posix() if inside else ""


def _reviewer_there(config: Config, env: Mapping[str, str]) -> None:
    """A model that is named for reviews and can't be asked is told before anything is begun."""
    semantic = config.verification.semantic
    if semantic.enabled and not semantic.command and (semantic.model or config.tools.llm.roles.review):
        from donewhen.agents.models.judging import choose_reviewer

        choose_reviewer(config, env)


def _permitted(planned: Planned, wish: Wish) -> Planned:
    plan = planned.plan
    permits = tuple(dict.fromkeys((*plan.promise.permits, *wish.request.permits)))
    return planned._replace(plan=plan._replace(promise=plan.promise._replace(permits=permits)))


def _agreed(planned: Planned, wish: Wish, means: Means) -> None:
    """What is odd about a promise needs a human's yes."""
    soft = [issue.phrase for issue in planned.plan.issues if issue.severity == _SOFT]
    if soft and not wish.yes:
        first = say(soft[0].key, means.language, **soft[0].values)
        raise UserError("engine.needs_yes", issue=first, count=len(soft))


def begin(terms: Terms, opened: Opened, agent: Agent, watch: Watcher, heard: Heard | None = None) -> Ledger:
    """The ledger of a new run, with its first event in it and its lease held."""
    state = RunState(terms.config, parse, transcript_for(agent, terms.means.language))
    ledger = Ledger(opened, terms.run_id, state, watch, heard)
    budget = terms.config.budget.total
    ledger.append(
        run.RunStarted(
            terms.planned.plan.promise.objective,
            repo=str(terms.user.root),
            base=terms.user.head,
            agent=agent.name,
            profile=terms.config.verification.profile,
            budget_micros=round(budget * MILLION),
            config=freeze(_configured(terms)),
            donewhen=__version__,
            metadata=asked_for(terms),
        ),
        *_promised(terms),
    )
    ledger.lease = opened.store.lease(terms.run_id, this_process(), ttl=TTL)
    if terms.wish.yes:
        for issue in terms.planned.plan.issues:
            if issue.severity == _SOFT:
                said = say(issue.phrase.key, "en", **issue.phrase.values)
                ledger.post(run.Noted(f"--yes: {said}", "warning"))
    return ledger


def transcript_for(agent: Agent, language: Language) -> Transcript | None:
    """Kept where somebody reads it."""
    return Transcript(say("resume.undone", language)) if agent.talks else None


def _promised(terms: Terms) -> tuple[Body, ...]:
    """With the first event: a run that has begun has a promise, whatever becomes of its process."""
    plan = terms.planned.plan
    issues = [f"{each.severity}: {say(each.phrase.key, 'en', **each.phrase.values)}" for each in plan.issues]
    return (
        run.PromiseSet(
            plan.promise.id, freeze(write_promise(plan.promise)), freeze(sources_of(plan.promise))
        ),
        facts.CheckpointJudged("pre-plan", True, f"{terms.run_id}:2", tuple(issues)),
        *(run.TodoChanged(todo.id, freeze(to_data(todo))) for todo in plan.todos),
    )


def _configured(terms: Terms) -> dict[str, Any]:
    """Where the configuration came from, and what was given on the command line."""
    return {"files": list(terms.rules.loaded.files), "settings": list(terms.means.settings)}


def asked_for(terms: Terms) -> dict[str, str]:
    """How the run was asked for, as far as a later process has to know it."""
    wish = terms.wish
    words = {
        "folder": str(terms.means.folder),
        "promise": wish.request.promise,
        "change": wish.change,
        "script": wish.script,
        "model": wish.model(),
        "branch": wish.branch,
        "target": terms.target,
        "record": wish.record,
        "on_ask": wish.on_ask,
        "in_place": str(wish.in_place).lower(),
        "with_changes": str(wish.with_changes).lower(),
        "approve_plan": str(wish.approve_plan).lower(),
        "keep": str(wish.keep).lower(),
        "all": str(wish.everything).lower(),
    }
    return {name: value for name, value in words.items() if value not in ("", "false")}


def approvals_of(terms: Terms, ledger: Ledger, people: People) -> Approvals:
    section, env = terms.config.approvals, terms.means.env

    def keep(rule: Mapping[str, Any]) -> bool:
        from donewhen.config.user_rules import add_rule

        return add_rule(rule, env=env)

    return Approvals(
        shared(ledger),
        terms.run_id,
        Pausing(people, terms, ledger),
        lease=ledger.lease,
        terms=AskTerms(section.timeout, section.on_timeout, terms.means.language),
        keep=keep,
    )
