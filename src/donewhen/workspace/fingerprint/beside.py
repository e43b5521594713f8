"""What lies beside the tree that would be shipped: ignored and temporary files, as one digest.

It is no part of the fingerprint: proof is about what ships. But a command that ran in place may have used
such a file (a generated module, a local setting), so a result is used again only while nobody touched them
since. Names, sizes and times are enough, and a command can't set back the time of a change. What belongs to
tools and has marks of its own (installed packages, caches) is left out.
"""

import hashlib
import os
import stat
from collections.abc import Iterator
from pathlib import Path

from donewhen.core.paths import STATE_FOLDERS, TEMPORARY_FOLDERS
from donewhen.workspace.fingerprint.own import Own
from donewhen.workspace.git.runner import names

_TOOLS = STATE_FOLDERS | {".tox", ".nox", ".hypothesis", ".gradle", ".idea", ".vscode", ".cache", ".eggs"}
_ENDINGS = (".pyc", ".pyo")
_MOST = 20_000


def beside(own: Own, root: Path, index: Path) -> str:
    """Changes when any such file does; the same while none does."""
    words = ("ls-files", "-o", "-i", "-z", "--exclude-standard", "--directory")
    ignored = names(own.reading(root, index).attempt(*words).out)
    temporary = [name.rstrip("/") for name in TEMPORARY_FOLDERS]
    whole = hashlib.sha256()
    seen = 0
    for path, facts in _all(root, sorted({*(path.rstrip("/") for path in ignored), *temporary})):
        whole.update(os.fsencode(path) + b"\0")
        whole.update(f"{facts.st_mode} {facts.st_size} {facts.st_mtime_ns} {facts.st_ctime_ns}\n".encode())
        seen += 1
        if seen >= _MOST:
            break
    return whole.hexdigest()[:32] if seen else ""


def _all(root: Path, paths: list[str]) -> Iterator[tuple[str, os.stat_result]]:
    waiting = list(reversed(paths))
    while waiting:
        path = waiting.pop()
        name = path.rpartition("/")[2]
        if name in _TOOLS or name.endswith(_ENDINGS):
            continue
        try:
            facts = os.lstat(root / path)
            if not stat.S_ISDIR(facts.st_mode):
                yield path, facts
            elif not (root / path / "pyvenv.cfg").is_file():
                inside = (f"{path}/{entry.name}" for entry in (root / path).iterdir())
                waiting += sorted(inside, reverse=True)
        except OSError:
            continue  # gone meanwhile, or closed to us and so to the command
