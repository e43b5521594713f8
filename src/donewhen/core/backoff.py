"""How long a tool may take: each time-out of the same call doubles its time, anything else clears it.

A scan of the workspace is known by its folder, so that another search word does not lose what was learnt. The
executor says that a call timed out; no word in an output does. Nothing here waits or looks at a clock.
"""

import posixpath
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from donewhen.core.repeat import Call, Turn, fingerprint

SHORTEST_SCAN = 60.0
LONGEST = 160.0  # what doubling can reach; a longer configured time stays as it is
MOST_KEYS = 256
_MOST_DOUBLINGS = 16  # of the smallest time that is worth a name
_FOLDER_NAMES = ("path", "folder", "directory", "dir", "root", "cwd")


class Backoff(NamedTuple):
    """How often each call timed out in a row; the one that did so last comes last."""

    doublings: Mapping[str, int] = MappingProxyType({})


def key_of(tool: str, args: Mapping[str, Any], *, scans: bool = False) -> str:
    """Equal for equal calls, whatever the order of the arguments; for a scan, tool and folder alone."""
    return fingerprint(Turn((Call(tool, ["scan", _folder(args)] if scans else ["call", args]),)))


def timeout_for(
    backoff: Backoff, tool: str, args: Mapping[str, Any], default: float, *, scans: bool = False
) -> float:
    """Seconds that the next call may take."""
    first = max(default, SHORTEST_SCAN) if scans else default
    doublings = backoff.doublings.get(key_of(tool, args, scans=scans), 0)
    return max(first, min(LONGEST, first * (1 << doublings)))


def noted(backoff: Backoff, key: str, *, timed_out: bool) -> Backoff:
    """After a call: what timed out is remembered, every other result clears it."""
    if not timed_out and key not in backoff.doublings:
        return backoff
    kept = {name: count for name, count in backoff.doublings.items() if name != key}
    if timed_out:
        kept[key] = min(_MOST_DOUBLINGS, backoff.doublings.get(key, 0) + 1)
    oldest = list(kept)[: max(0, len(kept) - MOST_KEYS)]
    for name in oldest:
        del kept[name]
    return Backoff(MappingProxyType(kept))


def _folder(args: Mapping[str, Any]) -> str:
    """The folder that a scan looks through, by the usual names of that argument; else the workspace."""
    for name in _FOLDER_NAMES:
        given = args.get(name)
        if isinstance(given, str) and given.strip():
            return posixpath.normpath(given.strip())
    return "."
