"""A home for Gradle that it can write and that holds what another one has, made of links.

Gradle locks what it reads, so it can't use a home that is only read; dependencies it takes from such a one by
a variable of its own. Nothing is copied, and what its source may hold beside is not looked at.
"""

import os
from contextlib import suppress
from pathlib import Path

from donewhen.workspace.sandbox.layers import Lent

_GRADLE_OWN = frozenset(("caches", "daemon", "native", "notifications", "workers", ".tmp"))
_COVERED = "gradle.properties"  # holds credentials, and one that can't be read stops Gradle
_GRADLE_REAL = ("wrapper", "dists")  # the way to the distributions, each of which lies two folders deeper
_DISTRIBUTION = 4
_MOST = 200


def lend_gradle(lent: Lent) -> None:
    """A home for Gradle with links to what it reads; distributions in folders where it can put its locks."""

    def lay(folder: str, way: tuple[str, ...]) -> None:
        made = Path(lent.folder, *way)
        made.mkdir(parents=True, exist_ok=True, mode=0o700)
        for entry in sorted(os.scandir(folder), key=lambda each: each.name)[:_MOST]:
            inner = (*way, entry.name)
            if not way and entry.name in (*_GRADLE_OWN, _COVERED):
                continue
            on_the_way = inner[: len(_GRADLE_REAL)] == _GRADLE_REAL[: len(inner)]
            if on_the_way and len(inner) <= _DISTRIBUTION and entry.is_dir(follow_symlinks=False):
                lay(entry.path, inner)
            elif not entry.name.endswith(".lck"):
                (made / entry.name).symlink_to(os.path.join(lent.seen_as, *inner))  # noqa: PTH118

    with suppress(OSError):
        lay(lent.source, ())
