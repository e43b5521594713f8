"""What a run starts from: HEAD, or a snapshot of the working tree as a commit of its own.

A snapshot is made beside the user's index and stash, from tracked and untracked files; ignored ones are never
in it. What a run starts without is said, so that nobody looks for it in the result.
"""

from typing import NamedTuple

from donewhen.core.errors import SetupError
from donewhen.core.texts import Phrase
from donewhen.run.shipping.committing import Made, make_commit
from donewhen.run.shipping.leaks import leaks
from donewhen.run.shipping.naming import shown
from donewhen.run.shipping.pins import pin
from donewhen.workspace.fingerprint.fingerprints import Fingerprints
from donewhen.workspace.git.repository import Repository
from donewhen.workspace.rooms.places import Places
from donewhen.workspace.rooms.results import admit

TAKEN_ALONG = "shipping.snapshot_secret"  # the note that must not be missed


class Start(NamedTuple):
    base: str  # a commit
    left_out: int = 0  # changed paths of the user's working tree that the base lacks
    notes: tuple[Phrase, ...] = ()


def start_from(
    user: Repository, run_id: str, places: Places, fingerprints: Fingerprints, *, with_changes: bool
) -> Start:
    """The commit to start from, made and pinned if need be."""
    if not with_changes:
        return _from_head(user, fingerprints)
    tree = fingerprints.take().tree
    if user.head and tree == fingerprints.tree(user.head):
        return Start(user.head)
    parents = (user.head,) if user.head else ()
    text = f"donewhen: the working tree when run {run_id} started\n\nDonewhen-Run: {run_id}\n"
    lent = (fingerprints.objects,)
    commit = make_commit(user, Made(tree, parents, text), lent, user.env)
    admit(user, commit, lent, parents, places.scratch / f"{run_id}.pack")
    pin(user, run_id, "base", commit)
    return Start(commit, notes=_seen(user, fingerprints, tree))


def _from_head(user: Repository, fingerprints: Fingerprints) -> Start:
    if not user.head:
        raise SetupError("rooms.no_commits", folder=user.root)
    try:
        tree = fingerprints.take().tree
        same = tree == fingerprints.tree(user.head)
        changed = [] if same else sorted(fingerprints.changed(user.head, tree))
    except SetupError as error:
        # a file that nobody can read hinders nobody who works elsewhere; in place the checkpoint tells it
        note = Phrase("shipping.unlooked", {"why": Phrase(error.key, error.values)})
        return Start(user.head, notes=(note,))
    if not changed:
        return Start(user.head)
    values = {"number": len(changed), "names": shown(changed)}
    return Start(user.head, len(changed), (Phrase("shipping.left_out", values),))


def _seen(user: Repository, fingerprints: Fingerprints, tree: str) -> tuple[Phrase, ...]:
    """The user may ship what looks like a secret; it must not happen unseen."""
    before = fingerprints.tree(user.head)
    found = leaks(fingerprints, before, tree)
    return (Phrase(TAKEN_ALONG, {"names": shown(found)}),) if found else ()
