"""The exam of what the target branch would become: the whole verification, in a room that holds the merge.

Nothing of the workspace is read. The change is compared with the target as it is now, so what others did
there since the run began is theirs. What was found stands in the ledger under the merged tree. The review
is not asked once more: its word is about the change itself.
"""

from typing import NamedTuple

from donewhen.core.events import facts
from donewhen.core.texts import Phrase, say
from donewhen.intake.change import Judged
from donewhen.intake.planning import profile_for
from donewhen.run.engine.live import Run
from donewhen.run.engine.looking import entries_of, for_exam, given_by_user, places_of, wanted_of
from donewhen.verify.change import Base, Change, Looked
from donewhen.verify.decision import blockers_of, judge, open_proofs, promised
from donewhen.verify.pipeline import ExamSession, examine_change
from donewhen.verify.review import NAME as REVIEW
from donewhen.workspace.fingerprint.model import Fingerprint
from donewhen.workspace.git.repository import Repository, find_repository
from donewhen.workspace.rooms.rooms import clean_room

VERIFIER = "merge"
_SHOWN = 3


class Merged(NamedTuple):
    """A commit that the target branch could be moved to."""

    target: str  # the branch
    tip: str  # where it is
    commit: str
    tree: str


class Proven(NamedTuple):
    accepted: bool
    red: bool = False  # something was seen to fail; else it could not be tried
    why: str = ""


async def prove(live: Run, merged: Merged) -> Proven:
    """Exam, gates and integrity on the merged tree."""
    terms, site = live.terms, live.room.site
    live.progress(Phrase("shipping_target.proving", {"target": merged.target}))
    places = places_of(terms.places, site)
    args = (site.repository, site.fingerprints, merged.tree, places, merged.commit)
    with clean_room(*args) as room:
        looked = promised(
            _looked(live, merged, find_repository(room.folder, terms.means.env)), terms.means, None
        )
        wanted = wanted_of(terms)._replace(clean_room=True)
        blockers = blockers_of(looked)
        path, skip = live.ledger.opened.path, bool(blockers)
        caller = ExamSession(wanted, terms.means, path, live.ledger, skip=skip, purse=live.purse)
        staged = await examine_change(caller, looked)
        judged = judge(staged.exam.after, staged.exam.commands, staged.facts)
    accepted = judged.accepted and not blockers
    owed = (*blockers, *staged.owed, *open_proofs(judged))
    said = dict.fromkeys(say(each.key, live.language, **each.values) for each in owed)
    live.ledger.post(
        *staged.facts,
        facts.Verified(VERIFIER, merged.target, "passed" if accepted else "failed", merged.tree),
    )
    red = bool(blockers) or judged.stop_reason in ("verification_failed", "integrity_violation")
    return Proven(accepted, red, "; ".join(list(said)[:_SHOWN]))


def _looked(live: Run, merged: Merged, room: Repository) -> Looked:
    terms, site = live.terms, live.room.site
    exempt = live.state.exempt
    changed = site.fingerprints.changed(site.fingerprints.tree(merged.tip), merged.tree)
    change = Change(
        Base(merged.tip, merged.target),
        Fingerprint(merged.tree, merged.tree),
        {path: kind for path, kind in changed.items() if not exempt.match(path)},
    )
    promise = for_exam(live.state.promise, live.state.checks, terms.config)
    own = tuple(each for each in promise.checks if (each.kind, each.target) != ("quality_gate", REVIEW))
    plan = terms.planned.plan._replace(promise=promise._replace(checks=own), todos=())
    entries = entries_of(promise)
    applied = profile_for(terms.rules.loaded, change.changed)
    judged = Judged(plan, entries, given_by_user(terms, entries))
    places = places_of(terms.places, site)
    return Looked(room, places, site.fingerprints, terms.rules, change, judged, applied, exempt, ())
