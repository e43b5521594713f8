"""What a run adds to the rules: its scope, the files its promise depends on, what is left of its budget.

Text only. A folder stands for what is in it: a glob that means all of a folder means the folder too, and who
deletes or replaces a folder changes everything below. What only the disk can tell (where a link leads, which
names a star takes) is worked out in `reach`; what a command may or may not touch is left to the run's check
of the tree.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import Literal, NamedTuple

from donewhen.core.paths import Exempt, Scope
from donewhen.guard.globs import matches

_EXEMPT = Exempt()
_SOMETHING = "\ufffd"  # a name that no glob spells out
_WILD = frozenset("*?[")
Names = tuple[str, ...]


class Spot(NamedTuple):
    """A place in the workspace that an action changes; the path is from its root, empty for the root."""

    path: str
    kind: Literal[
        "one",  # what is there itself
        "whole",  # with all that is below
        "made",  # an empty folder comes to be
        "below",  # something in this folder; `name` is what is known of its first component
    ]
    name: str = ""


class Bounds(NamedTuple):
    allowed_scope: tuple[str, ...] = ()  # globs; empty: the whole workspace
    disallowed_scope: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()  # globs of files that the promise names as its own tests
    budget_left: int | None = None  # micro-dollars; None: nothing limits
    budget_floor: int = 0

    @property
    def scoped(self) -> bool:
        return bool(self.allowed_scope or self.disallowed_scope)

    def outside_scope(self, spot: Spot) -> bool:
        """May this run not change it?"""
        return _hits(self.disallowed_scope, spot) or _misses(self.allowed_scope, spot)

    def keeps(self, spot: Spot) -> bool:
        return _hits(self.kept, spot)

    @property
    def exhausted(self) -> bool:
        return self.budget_left is not None and self.budget_left < self.budget_floor


UNBOUND = Bounds()


def loose(globs: tuple[str, ...]) -> bool:
    """Does one of them mean files wherever they lie?"""
    return any(not names for names in _leads(globs))


def _hits(globs: tuple[str, ...], spot: Spot) -> bool:
    """Does it change what these globs mean?"""
    if not globs:
        return False
    scope, names = _scope(globs), _names(spot.path)
    if names and (scope.match(_within(spot.path)) or (spot.kind != "below" and scope.match(spot.path))):
        return True
    under = [lead[len(names) :] for lead in _leads(globs) if lead[: len(names)] == names]
    if spot.kind == "whole":
        return any(under)
    return bool(spot.name) and any(rest and matches(spot.name, rest[0]) for rest in under)


def _misses(globs: tuple[str, ...], spot: Spot) -> bool:
    """Does it change what these globs do not mean?"""
    if not globs:
        return False
    scope, names, inner = _scope(globs), _names(spot.path), _within(spot.path)
    if spot.kind != "below" and (scope.match(spot.path) or _EXEMPT.match(spot.path)):
        return False
    if scope.match(inner) or _EXEMPT.match(inner):
        return spot.kind == "whole" and _takes_along(globs, names)
    if spot.kind in ("made", "below"):
        return not any(_one_way(lead, names) for lead in _leads(globs))
    return True


def _takes_along(globs: tuple[str, ...], names: Names) -> bool:
    """Is something below that the globs take out again?"""
    excepted = tuple(glob.strip()[1:] for glob in globs if glob.strip().startswith("!"))
    return any(len(lead) > len(names) and lead[: len(names)] == names for lead in _leads(excepted))


def _one_way(one: Names, other: Names) -> bool:
    return all(a == b for a, b in zip(one, other, strict=False))


def _within(path: str) -> str:
    return f"{path}/{_SOMETHING}" if path else _SOMETHING


def _names(path: str) -> Names:
    return tuple(path.split("/")) if path else ()


@lru_cache(maxsize=64)
def _leads(globs: tuple[str, ...]) -> tuple[Names, ...]:
    return tuple(_lead(glob.strip()) for glob in globs if not glob.strip().startswith(("!", "#")))


def _lead(glob: str) -> Names:
    """The names that all it means begins with; none where it may be at any depth."""
    body = glob.removeprefix("./").rstrip("/")
    if "/" not in body and not _WILD.isdisjoint(body):
        return ()
    return tuple(_spelt_out(body))


def _spelt_out(body: str) -> Iterator[str]:
    for name in body.split("/"):
        if not _WILD.isdisjoint(name) or "\\" in name:
            return
        if name and name != ".":
            yield name


@lru_cache(maxsize=64)
def _scope(globs: tuple[str, ...]) -> Scope:
    return Scope(globs)
