"""Secrets in the work tree that git leaves alone until an option says otherwise (`add -f`, `clean -x`).

Only a disk can tell; without one nothing is said. Bounded: in a large tree the upper folders are looked at.
"""

from collections.abc import Iterator

from donewhen.guard.programs.git.frame import Frame
from donewhen.guard.secret_paths import secret

_MOST = 2000  # names that are looked at
_SKIPPED = frozenset((".git", "node_modules", ".venv", "__pycache__"))  # large, and not the user's own work


def secrets_below(frame: Frame, folder: str) -> Iterator[str]:
    """Paths in this folder and below, the upper ones first."""
    ground = frame.call.ground
    if not frame.inside(folder):
        return
    waiting, seen = [folder], 0
    for place in waiting:
        names = ground.disk.names(place) or ()
        seen += len(names)
        if seen > _MOST:
            return
        for name in sorted(set(names) - _SKIPPED):
            path = f"{place}/{name}"
            if secret(path, ground):
                yield path
            elif ground.disk.real(path) == path:  # links lead elsewhere, and may lead round in circles
                waiting.append(path)
