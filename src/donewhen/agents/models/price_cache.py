"""Prices that were found once, in a small file of the user's cache folder.

It is only a shortcut: whatever is odd about the file, its content, its owner or its rights, is reason enough
to look in the table again. Nobody but its owner may have been able to write it.
"""

import contextlib
import json
from pathlib import Path
from typing import Any

from donewhen.config.files import read_own, write_whole
from donewhen.core.budget import MOST, Price

_NAME = "prices.json"
_LARGEST = 262_144
_MOST_ENTRIES = 500


class PriceCache:
    def __init__(self, folder: Path, version: str) -> None:
        self._path = folder / _NAME
        self._version = version
        self._found = _entries(_read(self._path), version)

    def __contains__(self, name: str) -> bool:
        return name in self._found

    def __getitem__(self, name: str) -> Price | None:
        """None: the table has no price for it."""
        return self._found[name]

    def keep(self, name: str, price: Price | None) -> None:
        """For the next process; a file that can't be written is no trouble."""
        if len(self._found) >= _MOST_ENTRIES:
            self._found.clear()
        self._found[name] = price
        data = {"version": self._version, "prices": self._found}
        with contextlib.suppress(OSError):
            write_whole(self._path, json.dumps(data).encode())


def _read(path: Path) -> Any:
    try:
        return json.loads(read_own(path, _LARGEST) or b"")
    except (ValueError, RecursionError):
        return None


def _entries(data: Any, version: str) -> dict[str, Price | None]:
    if type(data) is not dict or data.get("version") != version or type(data.get("prices")) is not dict:
        return {}
    found: dict[str, Price | None] = {}
    for name, parts in data["prices"].items():
        if parts is None:
            found[name] = None
        elif _is_price(parts):
            found[name] = Price(*parts)
    return found


def _is_price(parts: Any) -> bool:
    if type(parts) is not list or len(parts) != len(Price._fields):
        return False
    return all(type(part) is int and 0 <= part <= MOST for part in parts)
