"""Folders that a tool can write and that hold what another one has, made of links. Nothing is copied.

Gradle locks what it reads, so it can't use a home that is only read; dependencies it takes from such a one by
a variable of its own. Go reads its build cache and adds to it, and without one it compiles everything.
"""

import os
from contextlib import suppress
from pathlib import Path

from donewhen.workspace.sandbox.caches import GO, moved
from donewhen.workspace.sandbox.confinement import Confinement
from donewhen.workspace.sandbox.layers import Lent

_GRADLE_OWN = frozenset(("caches", "daemon", "native", "notifications", "workers", ".tmp"))
_COVERED = "gradle.properties"  # holds credentials, and one that can't be read stops Gradle
_GRADLE_REAL = ("wrapper", "dists")  # the way to the distributions, each of which lies two folders deeper
_DISTRIBUTION = 4
_MOST = 200
_MOST_BUILT = 40_000  # files of a build cache, the last used ones


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


def lend_go(wish: Confinement, project: Path) -> None:
    """A build cache with links to the files of the user's, or of the set-up's, for a project of Go."""
    cache = next((each for each in wish.caches if each.variable == GO), None)
    if cache is None or not wish.lent or not (project / "go.mod").is_file():
        return
    source = f"{moved(wish.lender)}/{GO}" if cache.filled == "moved" else cache.path
    with suppress(OSError):
        parts = [each.name for each in os.scandir(source) if len(each.name) == 2 and each.is_dir()]
        files = [(part, file) for part in parts for file in os.scandir(f"{source}/{part}")]
        if len(files) > _MOST_BUILT:
            files.sort(key=lambda each: each[1].stat().st_mtime, reverse=True)
        own = Path(moved(wish.layer), GO)
        for part in parts:
            (own / part).mkdir(parents=True, exist_ok=True, mode=0o700)
        for part, file in files[:_MOST_BUILT]:
            if file.is_file(follow_symlinks=False):
                (own / part / file.name).symlink_to(file.path)
