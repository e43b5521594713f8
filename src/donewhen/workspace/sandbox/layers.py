"""Where what is written to caches goes, and which variables say so. Pure.

A set-up writes layers that are kept for the next one. An exam is *lent* the caches: it reads the layers of
the set-up that was made for it, or else the user's own, and writes a layer that is dropped after it. Nothing
that an exam wrote is ever read by a set-up or by another exam.
"""

from typing import NamedTuple

from donewhen.workspace.sandbox.caches import GRADLE, laid, moved, setting
from donewhen.workspace.sandbox.confinement import Cache, Confinement

_GRADLE_READ = "GRADLE_RO_DEP_CACHE"


class Lent(NamedTuple):
    """A folder that its tool must write: it gets one of links to what is in `source`."""

    source: str
    seen_as: str
    folder: str


def overlaid(wish: Confinement, overlays: bool) -> tuple[Cache, ...]:
    """The caches that get a layer to be written; without overlays it would cover what an exam must read."""
    return tuple(cache for cache in wish.caches if cache.exists and (overlays or not wish.lent))


def variables(wish: Confinement, *, mounts: bool, overlays: bool = False) -> dict[str, str]:
    """What moves each cache to where it may be written or read; `mounts`: something can be laid over it."""
    groups: dict[str, list[Cache]] = {}
    for cache in wish.caches:
        groups.setdefault(cache.variable, []).append(cache)
    env: dict[str, str] = {}
    for variable, caches in groups.items():
        env |= setting(variable, _place(wish, caches, mounts, overlays))
    lent = gradle(wish, mounts, overlays)
    return env | ({GRADLE: lent.folder, _GRADLE_READ: f"{lent.seen_as}/caches"} if lent else {})


def gradle(wish: Confinement, mounts: bool, overlays: bool) -> Lent | None:
    """What an exam's Gradle is lent: it locks what it reads, so its home can't be one that is only read."""
    cache = next((cache for cache in wish.caches if cache.variable == GRADLE), None)
    if cache is None or not wish.lent or (cache.exists and overlays and cache.filled != "moved"):
        return None
    own = f"{moved(wish.layer)}/{GRADLE}"
    if cache.filled == "moved":
        given = f"{moved(wish.lender)}/{GRADLE}"
        return Lent(given, given, own)
    if not cache.exists:
        return None
    source = f"{laid(wish.lender, cache.path)}/new" if cache.filled and mounts else cache.path
    return Lent(source, cache.path, own)


def _place(wish: Confinement, caches: list[Cache], mounts: bool, overlays: bool) -> str:
    """The value of the variable that these caches share; empty when it needs none."""
    variable = caches[0].variable
    there = next((cache for cache in caches if cache.exists), None)
    stays = (there.path if there.named else "") if there else None
    if wish.lent and caches[0].needed:
        if any(cache.filled == "moved" for cache in caches):
            return f"{moved(wish.lender)}/{variable}"
        if stays is not None:
            return stays
    elif mounts and stays is not None and (overlays or not wish.lent):
        return stays
    return f"{moved(wish.layer)}/{variable}"
