"""The change of a run as the stages of a verification look at it.

The promise is narrowed to what an exam can tell: todos, answers, confirmations and facts of the ledger are
judged by the gate with the run's own evidence, before and after.
"""

from donewhen.commands import parse
from donewhen.config import Config
from donewhen.core.accept import Accept, read_accept
from donewhen.core.checks import Check
from donewhen.core.promise import DONE_BY_DEFAULT, Promise
from donewhen.intake.change import Judged
from donewhen.intake.planning import profile_for
from donewhen.intake.verifiers import verifiers_of
from donewhen.run.engine.live import Run
from donewhen.run.engine.model import Terms
from donewhen.run.shipping.site import Site
from donewhen.verify.change import Base, Looked, Wanted, known_tests, look, project_at
from donewhen.workspace.git.repository import find_repository
from donewhen.workspace.rooms.places import Places

_NEEDS_THE_RUN = frozenset(("output_only", "tool_fact"))


def wanted_of(terms: Terms) -> Wanted:
    wish = terms.wish
    return Wanted(
        wish.request,
        everything=wish.everything,
        apart=not wish.in_place,
        driven=True,
        beside=(str(terms.user.root),),
    )


def looked_at(live: Run, site: Site) -> Looked:
    """The workspace as it is now, against the base of the run."""
    terms = live.terms
    repository = find_repository(site.folder, terms.means.env)
    change = look(repository, site.fingerprints, Base(site.base, "base"), live.state.exempt)
    promise = for_exam(live.state.promise, live.state.checks, terms.config)
    plan = terms.planned.plan._replace(promise=promise, todos=())
    entries = entries_of(promise)
    judged = Judged(plan, entries, given_by_user(terms, entries))
    applied = profile_for(terms.rules.loaded, change.changed)
    return Looked(
        repository,
        places_of(terms.places, site),
        site.fingerprints,
        terms.rules,
        change,
        judged,
        applied,
        live.state.exempt,
        (),
        known=known_tests(
            project_at(site.folder, terms.means.env), entries, repository.root, terms.rules.config, applied
        ),
    )


def places_of(places: Places, site: Site) -> Places:
    """The places of the user's repository, with the fingerprints of this workspace."""
    return places._replace(home=site.workspace.home) if site.workspace else places


def entries_of(promise: Promise) -> tuple[Accept, ...]:
    """Every command that the harness runs, once; acceptance commands first."""
    found = list(promise.accept)
    for check in promise.checks:
        if check.kind == "command_success":
            found += read_accept(check.target, parse, check.source or check.name)
    return tuple({entry.identity: entry for entry in reversed(found)}.values())[::-1]


def for_exam(promise: Promise, planned: tuple[Check, ...], config: Config) -> Promise:
    asked = (*promise.checks, *planned)
    checks = tuple(each for each in asked if each.kind not in _NEEDS_THE_RUN or _is_verified(each, config))
    criteria = tuple(each._replace(evidence_required=()) for each in promise.acceptance)
    return promise._replace(
        checks=checks, acceptance=criteria, required_evidence=(), done_when=DONE_BY_DEFAULT
    )


def _is_verified(check: Check, config: Config) -> bool:
    """Whether the harness asks that verifier itself; others are tools of the agent."""
    return check.kind == "tool_fact" and check.verifier in verifiers_of(config)


def given_by_user(terms: Terms, entries: tuple[Accept, ...]) -> frozenset[object]:
    """Those that the user gave himself: only they may run what the guard would ask about."""
    request = terms.wish.request
    own = tuple(name for name in ("--accept", request.promise) if name)
    return frozenset(entry.identity for entry in entries if entry.source.startswith(own))
