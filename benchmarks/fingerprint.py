"""Fingerprints: what one costs beside `git status`, on 10,000 files."""

import itertools
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from benchmarks.measure import Figure, at_most, interleaved
from donewhen.workspace.fingerprint.fingerprints import Fingerprints
from donewhen.workspace.git.repository import find_repository

HOW = (
    "10,000 files in 200 folders, all committed; `git status --porcelain` as a user calls it against a fingerprint with "
    "a kept index, medians of interleaved rounds: 25 with nothing changed, 25 with one file written before each call "
    "(one for status, one for the fingerprint), 5 cold ones with an empty home"
)
FILES, FOLDERS = 10_000, 200
ROUNDS, COLD_ROUNDS = 25, 5


def figures() -> list[Figure]:
    base = Path(tempfile.mkdtemp(prefix="donewhen-bench-", dir="/var/tmp"))
    try:
        root = _repository(base)
        env = {"PATH": os.environ["PATH"], "HOME": str(base)}
        found = find_repository(root, env)
        kept = Fingerprints(found, base / "home")
        for _ in range(4):
            kept.take()
            _age(root)
        unchanged = interleaved({"status": _status(root), "ours": kept.take}, ROUNDS)
        changed = interleaved(
            {"status": _after_change(root, _status(root)), "ours": _after_change(root, kept.take)}, ROUNDS
        )
        cold = interleaved(
            {
                "status": _status(root),
                "ours": lambda: _cold(base, lambda home: Fingerprints(found, home).take()),
            },
            COLD_ROUNDS,
        )
        room = interleaved({"status": _status(root), "ours": lambda: _lay(kept, base)}, COLD_ROUNDS)
    finally:
        shutil.rmtree(base)
    return [
        _against("unchanged", unchanged, 2),
        _against("one file changed", changed, 3),
        _against("cold: empty home, every file read", cold),
        _against("an unchanged tree laid again in a room", room),
    ]


def _against(name: str, times: dict[str, float], limit: float | None = None) -> Figure:
    ratio = times["ours"] / times["status"]
    note = f"{times['ours'] * 1000:.0f} ms; git status {times['status'] * 1000:.0f} ms"
    if limit is None:
        return Figure(f"fingerprint, {name}", ratio, "× git status", ratio=note)
    return at_most(f"fingerprint, {name}", ratio, "× git status", limit, note)


def _repository(base: Path) -> Path:
    root = base / "work"
    for number in range(FILES):
        folder = root / f"package{number % FOLDERS // 20}" / f"module{number % FOLDERS}"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"file_{number}.py").write_text(f"value = {number}\n" * (number % 60 + 1))
    for words in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "first"]):
        author = [
            "-c",
            "gc.auto=0",
            "-c",
            "maintenance.auto=false",
            "-c",
            "user.name=somebody",
            "-c",
            "user.email=somebody@example.com",
        ]
        subprocess.run(["git", *author, *words], cwd=root, check=True)
    _age(root)
    return root


def _age(root: Path) -> None:
    """Let the second pass in which files were written: in a tree that somebody works in most are older."""
    written = max(file.stat().st_ctime for file in (root / ".git/index", root / "package0/module0/file_0.py"))
    while time.time() < written + 2.1:
        time.sleep(0.05)


def _status(root: Path) -> Callable[[], object]:
    return lambda: subprocess.run(["git", "status", "--porcelain"], cwd=root, check=True, capture_output=True)


_numbers = itertools.count()


def _after_change(root: Path, case: Callable[[], object]) -> Callable[[], object]:
    file = root / "package0/module0/file_0.py"

    def once() -> None:
        file.write_text(f"value = {next(_numbers)}\n")
        case()

    return once


def _cold(base: Path, take: Callable[[Path], object]) -> None:
    home = base / f"home-{next(_numbers)}"
    take(home)
    shutil.rmtree(home)


def _lay(kept: Fingerprints, base: Path) -> None:
    kept.lay(kept.take().tree, base / "room")
