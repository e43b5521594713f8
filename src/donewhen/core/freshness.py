"""Which trees a command's result speaks for.

It proves the tree it started on. Files that it wrote itself (coverage data, snapshots) don't age its
result, unless one of them is source: a test that rewrites what it tested has proven nothing about that.
"""

from collections.abc import Iterable

from donewhen.core.paths import is_source


def trees_proven(
    before: str, after: str, wrote: Iterable[str], extensions: tuple[str, ...] = ()
) -> tuple[str, ...]:
    """Fingerprints, up to paths that can't matter, on which the result holds."""
    if not after or after == before or any(is_source(path, extensions) for path in wrote):
        return (before,)
    return before, after
