"""What a run adds to the rules: its scope, the files its promise depends on, what is left of its budget."""

from functools import lru_cache
from typing import NamedTuple

from donewhen.core.paths import Exempt, Scope

_EXEMPT = Exempt()


class Bounds(NamedTuple):
    allowed_scope: tuple[str, ...] = ()  # globs; empty: the whole workspace
    disallowed_scope: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()  # globs of files that the promise names as its own tests
    budget_left: int | None = None  # micro-dollars; None: nothing limits
    budget_floor: int = 0

    def outside_scope(self, path: str) -> bool:
        """A path from the workspace's root that this run may not write."""
        if self.disallowed_scope and _scope(self.disallowed_scope).match(path):
            return True
        return bool(self.allowed_scope) and not (
            _scope(self.allowed_scope).match(path) or _EXEMPT.match(path)
        )

    def keeps(self, path: str) -> bool:
        return bool(self.kept) and _scope(self.kept).match(path)

    @property
    def exhausted(self) -> bool:
        return self.budget_left is not None and self.budget_left < self.budget_floor


UNBOUND = Bounds()


@lru_cache(maxsize=64)
def _scope(globs: tuple[str, ...]) -> Scope:
    return Scope(globs)
