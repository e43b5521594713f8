"""Summaries of runners whose last one replaces those before it."""

from collections.abc import Callable, Iterable, Sequence

from donewhen.core.counts import Counts


def collect(
    lines: Iterable[str], read: Callable[[str], Counts | None], cumulative: Sequence[str]
) -> list[Counts]:
    """The summaries that `read` finds; a cumulative runner's last one replaces those before it."""
    parts: list[Counts] = []
    for line in lines:
        counts = read(line)
        if counts and counts.runner in cumulative:
            parts = [part for part in parts if part.runner != counts.runner]
        if counts:
            parts.append(counts)
    return parts
