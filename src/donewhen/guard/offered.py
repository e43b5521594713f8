"""What installed packages offer to us: rules, tools.

Every question of `importlib.metadata` reads the lists of all packages anew, so they are read once for a
search path. A package that is installed while we run is found by the next process.
"""

import sys
from functools import lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


def offered(group: str) -> "tuple[EntryPoint, ...]":
    return tuple(_all(tuple(sys.path)).select(group=group))


@lru_cache(maxsize=1)
def _all(path: tuple[str, ...]) -> Any:
    """One of two types, by the version of Python; both can select."""
    from importlib.metadata import entry_points

    return entry_points()
