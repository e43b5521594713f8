"""A disk with an end to its patience: one decision may look at so many names, then folders are not known.

A line may hold thousands of globs, each of which would take every name of a large folder.
"""

from donewhen.guard.ground import Disk

MOST_NAMES = 50_000  # handed out for one decision


class Patient:
    def __init__(self, disk: Disk) -> None:
        self._disk = disk
        self._left = MOST_NAMES
        self.text = disk.text
        self.real = disk.real
        self.tracked = disk.tracked
        self.repository = disk.repository
        self.untouched = disk.untouched
        self.git = disk.git

    def names(self, folder: str) -> tuple[str, ...] | None:
        if self._left <= 0:
            return None
        found = self._disk.names(folder)
        self._left -= len(found or ()) + 1
        return found
