"""`donewhen verify` again on an unchanged tree, against the first time: the share that is left."""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.measure import Figure

_TEST = """\
import unittest


class Work(unittest.TestCase):
    def test_it(self):
        self.assertEqual(sum(number % 7 for number in range(2_500_000)) > 0, True)
"""
HOW = (
    "a project of 24 unittest files that compute for some seconds in all; `donewhen verify --accept` twice, each pair "
    "with a state and cache of its own"
)
_FILES = 24
_ROUNDS = 5
_GIT = ("git", "-c", "user.name=bench", "-c", "user.email=bench@example.org")


def figures() -> list[Figure]:
    with tempfile.TemporaryDirectory() as name:
        project = Path(name) / "project"
        project.mkdir()
        for number in range(_FILES):
            (project / f"test_{number}.py").write_text(_TEST)
        for words in (("init", "-q"), ("add", "-A"), ("commit", "-q", "-m", "begin")):
            subprocess.run([*_GIT, *words], cwd=project, check=True)
        shares = sorted(_share(project, Path(name) / str(number)) for number in range(_ROUNDS))
    share, first = shares[len(shares) // 2]
    return [
        Figure(
            "second verify of an unchanged tree",
            share * 100,
            "% of the first",
            "< 15 %",
            share < 0.15,
            f"median of {_ROUNDS} pairs; the first takes {first:.1f} s",
        )
    ]


def _share(project: Path, folder: Path) -> tuple[float, float]:
    env = {
        "PATH": os.environ["PATH"],
        "HOME": os.environ["HOME"],
        "DONEWHEN_STATE_DIR": str(folder / "state"),
        "DONEWHEN_CACHE_DIR": str(folder / "cache"),
        "DONEWHEN_CONFIG_DIR": str(folder / "config"),
    }
    times = []
    for _ in range(2):
        began = time.perf_counter()
        words = [sys.executable, "-m", "donewhen", "verify", "-q", "--accept", "python3 -m unittest"]
        subprocess.run(words, cwd=project, env=env, check=True, capture_output=True)
        times.append(time.perf_counter() - began)
    return times[1] / times[0], times[0]
