"""The workspace as a tree, looked at only when something may have changed it.

The state after a call is the state before the next one, unless a background process lives. What the gate
sees is always taken anew.
"""

from collections.abc import Callable, Mapping

from donewhen.core.paths import Exempt
from donewhen.core.view import Change, View
from donewhen.run.shipping.site import Site, present
from donewhen.store.crashing import crash_point
from donewhen.workspace.fingerprint.files import files_of
from donewhen.workspace.fingerprint.model import Fingerprint


class Tree:
    def __init__(self, site: Site, exempt: Exempt, alive: Callable[[], bool]) -> None:
        self._site = site
        self._exempt = exempt
        self._alive = alive
        self._known: Fingerprint | None = None
        self.last: Fingerprint | None = None  # that was ever seen
        self._kept = site.base_tree  # the last checkpoint
        self._since: tuple[str, dict[str, Change]] = (site.base_tree, {})  # a tree, and what it changes

    def spoil(self) -> None:
        """Something may have written: the next look is a real one."""
        self._known = None

    @property
    def sure(self) -> Fingerprint | None:
        """The fingerprint, if it is known without looking."""
        return None if self._alive() else self._known

    def now(self) -> Fingerprint:
        known = self.sure
        if known is None:
            present(self._site)
            known = self._known = self.last = self._site.fingerprints.take()
        return known

    def changed(self, before: str, after: str) -> dict[str, Change]:
        return self._site.fingerprints.changed(before, after) if before != after else {}

    def since_base(self) -> Mapping[str, Change]:
        tree = self.now().tree
        if self._since[0] != tree:
            self._since = (tree, self.changed(self._site.base_tree, tree))
        changed = self._since[1]
        return {path: kind for path, kind in changed.items() if not self._exempt.match(path)}

    def known_view(self) -> View:
        """As far as it is known without looking again."""
        now = self.now()
        return View(now.tree, now.relevant, files_of(self._site.folder), self.since_base())

    def view(self) -> View:
        """As the gate sees it: taken now, whatever was known."""
        self.spoil()
        return self.known_view()

    def checkpoint(self, name: str) -> str:
        """Keep the tree as it is, to come back to; its id."""
        tree = self.now().tree
        self._site.fingerprints.keep(name, tree)
        self._kept = tree
        return tree

    def rollback(self, tree: str) -> Mapping[str, Change]:
        """Make the workspace what it was at a checkpoint; what that changed."""
        self.spoil()
        changed = self._site.fingerprints.restore(tree)
        crash_point("rolled back")
        return changed

    def lines_changed(self) -> int:
        """Lines that differ from the last checkpoint."""
        return self._site.fingerprints.lines_changed(self._kept, self.now().tree)

    def branch(self) -> str:
        """What HEAD of the workspace names now; empty when that can't be told."""
        try:
            head = (self._site.repository.git_dir / "HEAD").read_bytes()[:1000]
        except OSError:
            return ""
        return head.decode(errors="replace").strip().removeprefix("ref: refs/heads/")

    def beside(self) -> str:
        """What lies beside the tree, as a digest."""
        return self._site.fingerprints.beside()
