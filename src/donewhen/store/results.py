"""What the harness's own commands came to, kept between runs so that an unchanged tree is not tested twice.

Keyed by command, tree and environment; every result that says something is kept, a red beside a green,
because both on one tree are flaky however often one asks. It lies in the user's state folder, which no
command of a run can reach. A file that can't be read is no result: the command runs again.
"""

import json
import time
from collections.abc import Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from donewhen.config.files import read_regular, write_whole
from donewhen.core.codec import dumps, from_json, to_json
from donewhen.core.errors import DonewhenError
from donewhen.core.events.facts import CommandEnded

VERSION = 1
MOST = 32  # runs of one command on one tree
KEPT_SECONDS = 30 * 86_400.0
_LARGEST = 4 * 1024 * 1024


class Stored(NamedTuple):
    ended: CommandEnded
    run_id: str
    at: float  # seconds since the epoch
    before: str = ""  # what lay beside the tree when it began …
    after: str = ""  # … and when it ended


class Results:
    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def read(self, key: str) -> tuple[Stored, ...]:
        """Earlier results, oldest first."""
        try:
            found = read_regular(self._path(key), key, largest=_LARGEST, follow=False)
            data = json.loads(found.data) if found else None
            if not isinstance(data, dict) or data.get("version") != VERSION or data.get("key") != key:
                return ()
            return tuple(
                Stored(
                    from_json(CommandEnded, each["ended"]),
                    str(each["run"]),
                    float(each["at"]),
                    str(each["before"]),
                    str(each["after"]),
                )
                for each in data["runs"]
            )
        except (DonewhenError, OSError, ValueError, KeyError, TypeError, RecursionError):
            return ()

    def add(self, key: str, *results: Stored) -> None:
        runs = [
            {
                "ended": to_json(each.ended),
                "run": each.run_id,
                "at": each.at,
                "before": each.before,
                "after": each.after,
            }
            for each in (*self.read(key), *results)[-MOST:]
        ]
        write_whole(self._path(key), dumps({"version": VERSION, "key": key, "runs": runs}).encode())

    def sweep(self, now: float | None = None) -> int:
        """Forget what was not added to for a month; how many went."""
        return forget_old(self._folder, "*/*.json", now)

    def _path(self, key: str) -> Path:
        return self._folder / key[:2] / f"{key}.json"


def forget_old(folder: Path, pattern: str, now: float | None = None) -> int:
    """Remove the files that nobody wrote for a month; how many went."""
    oldest = (time.time() if now is None else now) - KEPT_SECONDS
    gone = 0
    with suppress(FileNotFoundError):
        for path in folder.glob(pattern):
            with suppress(OSError):
                if path.stat().st_mtime < oldest:
                    path.unlink()
                    gone += 1
    return gone


def result_key(*parts: object) -> str:
    """The name of a command on a tree in an environment."""
    return sha256(json.dumps(parts, ensure_ascii=True).encode(errors="surrogatepass")).hexdigest()


def stored(ended: CommandEnded, run_id: str, before: str = "", after: str = "") -> Stored:
    return Stored(ended, run_id, time.time(), before, after)


def unbroken(results: Sequence[Stored], now: str) -> tuple[Stored, ...]:
    """The last results between which, and since which, nobody but the commands touched what lies beside."""
    kept: list[Stored] = []
    for each in reversed(results):
        if each.after != now:
            break
        kept.append(each)
        now = each.before
    return tuple(reversed(kept))
