"""What a gate said about a tree, kept so that nobody asks twice: by gate, settings, tree and environment.

Only a gate that did its work is kept; one that could not run is tried again. What can't be read again is
found again.
"""

import json
from contextlib import suppress
from pathlib import Path

from donewhen import __version__
from donewhen.config.files import read_regular, write_whole
from donewhen.core.codec import dumps
from donewhen.core.errors import DonewhenError
from donewhen.core.quality.model import GateResult, Violation
from donewhen.store.results import forget_old
from donewhen.verify.record import digest

_FORM = 3  # of what is kept; results of another form are not used again
_LARGEST = 8 * 1024 * 1024


def key_of(*told: object) -> str:
    return digest((_FORM, __version__, *told))


class Kept:
    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def read(self, key: str) -> GateResult | None:
        try:
            found = read_regular(self._path(key), key, largest=_LARGEST, follow=False)
            data = json.loads(found.data) if found else {}
            if data.get("key") != key:
                return None
            result = GateResult(**data["result"])
            violations = tuple(Violation(**each) for each in data["result"]["violations"])
            return result._replace(violations=violations, numbers=dict(result.numbers), cached=True)
        except (DonewhenError, OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
            return None

    def write(self, key: str, result: GateResult) -> None:
        if result.verdict not in ("passed", "failed") or result.why is not None:
            return
        violations = [each._asdict() for each in result.violations]
        kept = result._asdict() | {"violations": violations, "numbers": dict(result.numbers)}
        text = dumps({"key": key, "result": kept}).encode(errors="backslashreplace")
        with suppress(OSError):  # what can't be kept is found again
            if len(text) <= _LARGEST:
                write_whole(self._path(key), text)

    def sweep(self, now: float | None = None) -> int:
        """Forget what nobody wrote for a month; how many went."""
        return forget_old(self._folder, "*/*.json", now)

    def _path(self, key: str) -> Path:
        return self._folder / key[:2] / f"{key}.json"
