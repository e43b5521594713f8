"""What is judged: a working tree against its base, or with `--clean-room` the commit alone.

Only looked at, never written. The base is the commit that the change began from: the user's word, else where
the branch left the one it will go to.
"""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from donewhen.config.files import read_regular
from donewhen.core.errors import DonewhenError, UserError
from donewhen.core.paths import Exempt
from donewhen.core.texts import Phrase
from donewhen.core.view import Change as Kind
from donewhen.workspace.fingerprint.fingerprints import Fingerprints
from donewhen.workspace.fingerprint.indexfile import BadIndex, whole
from donewhen.workspace.fingerprint.model import Fingerprint
from donewhen.workspace.git.repository import Repository
from donewhen.workspace.git.runner import names

_SMALL = 128 * 1024  # bytes
_USUAL = ("main", "master")


class Base(NamedTuple):
    commit: str  # empty: before the first commit
    name: str  # how people call it: a branch, the word that was given


class Change(NamedTuple):
    base: Base
    fingerprint: Fingerprint
    changed: Mapping[str, Kind]  # since the base; exempt paths left out
    uncommitted: int = 0  # of them not in HEAD
    conflicts: tuple[str, ...] = ()  # files that a merge left unresolved
    notes: tuple[Phrase, ...] = ()


def find_base(repository: Repository, wanted: str, target: str) -> Base:
    """The base that was asked for, or the one that the branch itself tells."""
    if wanted:
        commit = repository.commit(wanted)
        if not commit:
            raise UserError("verify.no_base", base=wanted)
        return Base(repository.merge_base(commit, repository.head or commit) or commit, wanted)
    if not repository.head:
        return Base("", "")
    for name in _goals(repository, target):
        if name == repository.branch:
            return Base(repository.head, "HEAD")
        commit = repository.commit(name)
        base = repository.merge_base(commit, repository.head) if commit else ""
        if base:
            return Base(base, name)
    return Base(repository.head, "HEAD")


def _goals(repository: Repository, target: str) -> Iterator[str]:
    """Where the branch may go to, best first; its own copy elsewhere tells only what was not pushed yet."""
    follows = repository.upstream()
    if follows and follows.partition("/")[2] != repository.branch:
        yield follows
    for name in dict.fromkeys((target, *_USUAL)):
        yield name
        yield f"origin/{name}"
    if follows:
        yield follows


def look(repository: Repository, fingerprints: Fingerprints, base: Base, exempt: Exempt) -> Change:
    """The working tree as it is."""
    now = fingerprints.take()
    head = fingerprints.tree(repository.head)
    changed = fingerprints.changed(fingerprints.tree(base.commit), now.tree)
    loose = fingerprints.changed(head, now.tree) if head != now.tree else {}
    return Change(
        base,
        now,
        {path: kind for path, kind in changed.items() if not exempt.match(path)},
        len(loose),
        _conflicts(repository),
        _about(repository, now),
    )


def look_at_commit(repository: Repository, fingerprints: Fingerprints, base: Base, exempt: Exempt) -> Change:
    """The commit, as if nothing else were there; what is not in it is counted and told."""
    if not repository.head:
        raise UserError("verify.no_commit")
    now = fingerprints.take()
    tree = fingerprints.tree(repository.head)
    changed = fingerprints.changed(fingerprints.tree(base.commit), tree)
    loose = fingerprints.changed(tree, now.tree) if tree != now.tree else {}
    key = "verify.one_not_included" if len(loose) == 1 else "verify.not_included"
    notes = (Phrase(key, {"count": len(loose)}),) if loose else ()
    return Change(
        base,
        Fingerprint(tree, tree),
        {path: kind for path, kind in changed.items() if not exempt.match(path)},
        notes=notes,
    )


def _conflicts(repository: Repository) -> tuple[str, ...]:
    if _is_settled(repository):
        return ()
    listed = repository.git().run("ls-files", "--unmerged", "-z", "--full-name")
    return tuple(dict.fromkeys(line.partition("\t")[2] for line in names(listed)))


def _is_settled(repository: Repository) -> bool:
    """Whether an index is small and holds files alone; of any other, git is asked."""
    try:
        found = read_regular(repository.git_dir / "index", "index", largest=_SMALL, follow=False)
        return found is not None and bool(whole(found.data, repository.format))
    except (BadIndex, DonewhenError):
        return False


def _about(repository: Repository, now: Fingerprint) -> tuple[Phrase, ...]:
    busy = (Phrase("verify.busy", {"what": repository.busy}),) if repository.busy else ()
    sparse = (Phrase("verify.sparse", {"count": now.absent}),) if now.absent else ()
    return (*busy, *sparse, *now.notes)
