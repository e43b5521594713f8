"""Which tests an exam's command ran and what they came to, kept beside its result under the same key.

A result that is used again must still tell its tests, or a scenario proven yesterday would be open today. One
list for each key, the last one; a file that can't be read is none, and the command runs again.
"""

import json
import zlib
from collections.abc import Sequence
from pathlib import Path

from donewhen.config.files import read_regular, write_whole
from donewhen.core.errors import DonewhenError
from donewhen.core.scenarios import MOST_CASES, Case, read_case
from donewhen.store.results import forget_old

VERSION = 2
_LARGEST = 8 * 1024 * 1024  # bytes of a file
_LARGEST_TEXT = 64 * 1024 * 1024  # bytes of what is packed in it


class CaseStore:
    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def read(self, key: str) -> tuple[Case, ...] | None:
        """The tests of the last run under this key; None where nobody kept them."""
        try:
            found = read_regular(self._path(key), key, largest=_LARGEST, follow=False)
            if found is None:
                return None
            unpacked = zlib.decompressobj().decompress(found.data, _LARGEST_TEXT)
            data = json.loads(unpacked)
            if not isinstance(data, dict) or data.get("version") != VERSION or data.get("key") != key:
                return None
            return tuple(read_case(row) for row in data["cases"])
        except (DonewhenError, OSError, ValueError, KeyError, TypeError, RecursionError, zlib.error):
            return None

    def write(self, key: str, cases: Sequence[Case]) -> None:
        """Keep these instead of what was kept; what is too large to be kept is forgotten."""
        data = {"version": VERSION, "key": key, "cases": [list(case) for case in cases[:MOST_CASES]]}
        packed = zlib.compress(json.dumps(data, ensure_ascii=True, separators=(",", ":")).encode(), 6)
        if len(packed) <= _LARGEST:
            write_whole(self._path(key), packed)
        else:
            self._path(key).unlink(missing_ok=True)

    def sweep(self, now: float | None = None) -> int:
        """Forget what was not written for a month; how many went."""
        return forget_old(self._folder, "*/*.cases", now)

    def _path(self, key: str) -> Path:
        return self._folder / key[:2] / f"{key}.cases"
