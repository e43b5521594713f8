"""The last look before a result is shipped: is it still what was accepted, and may it go there?

Nothing is changed. What speaks against it is returned; an empty answer lets it pass.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from donewhen.core.texts import Phrase
from donewhen.guard.branches import protected
from donewhen.run.shipping.history import own_objects
from donewhen.run.shipping.leaks import leaks
from donewhen.run.shipping.naming import shown
from donewhen.run.shipping.site import Site, present
from donewhen.workspace.rooms.nested import counterpart, nested_in
from donewhen.workspace.rooms.results import lending

if TYPE_CHECKING:
    from donewhen.config import Config


class ToCommit(NamedTuple):
    """What hooks are told of a commit."""

    files: tuple[str, ...]
    diff: str


def pre_ship(site: Site, tree: str, config: "Config") -> tuple[Phrase, ...]:
    """Why `tree` must not be shipped from this site as it is now."""
    present(site)
    return tuple(_issues(site, tree, config))


def _issues(site: Site, tree: str, config: "Config") -> Iterator[Phrase]:
    rails = config.guardrails
    now = site.fingerprints.take().tree
    if now != tree:
        changed = sorted(site.fingerprints.changed(tree, now))
        yield Phrase("shipping.moved_on", {"number": len(changed), "names": shown(changed)})
    found = leaks(site.fingerprints, site.base_tree, tree, rails.secret_patterns)
    if found:
        yield Phrase("shipping.secret", {"names": shown(found)})
    if protected(site.branch, rails.protected_branches):
        yield Phrase("shipping.protected", {"branch": site.branch})
    for path in _nested_only_here(site, tree):
        yield Phrase("shipping.nested_only_here", {"path": shown((path,))})


def _nested_only_here(site: Site, tree: str) -> Iterator[str]:
    """Repositories inside whose new commit the user does not have: the result could not be checked out."""
    if site.workspace is None or tree == site.base_tree:
        return
    git = site.user.git()._replace(more={"GIT_ALTERNATE_OBJECT_DIRECTORIES": lending(own_objects(site))})
    for path, commit in set(nested_in(git, tree)) - set(nested_in(git, site.base_tree)):
        inner = counterpart(site.user, path)
        if inner is None or not inner.commit(commit):
            yield path


def change_for_hooks(site: Site, tree: str) -> ToCommit:
    """The files of the change and its text, for hooks at `before_commit`."""
    files = tuple(sorted(site.fingerprints.changed(site.base_tree, tree)))
    return ToCommit(files, site.fingerprints.diff(site.base_tree, tree, context=3) if files else "")
