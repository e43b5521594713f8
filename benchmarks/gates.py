"""All quality gates of a change at once, against the slowest of them alone; and again, from what was kept."""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.measure import Figure

HOW = (
    "a project of 120 Python modules with types and tests, 100 of them changed, ruff and mypy configured; "
    "`donewhen verify` with one gate promised and the rest switched off, each in turn, then with all of them; "
    "every call with a state and cache of its own, medians of 3 interleaved rounds; then once more with the same "
    "state. What the gates cost the second time is told apart from the rest of the command: a verification without "
    "gates, first and second, is taken away from both"
)
GATES = ("types", "lint", "complexity", "security", "coverage")
_ROUNDS = 3
_MODULES, _CHANGED = 120, 100
_GIT = ("git", "-c", "user.name=bench", "-c", "user.email=bench@example.org")
_PROJECT = '[tool.mypy]\nfiles = ["shop"]\nstrict = true\n\n[tool.ruff.lint]\nselect = ["E", "F", "S", "B"]\n'


def figures() -> list[Figure]:
    with tempfile.TemporaryDirectory() as name:
        project = _project(Path(name) / "project")
        single: dict[str, list[float]] = {gate: [] for gate in GATES}
        together: list[float] = []
        again: list[float] = []
        bare: list[float] = []
        bare_again: list[float] = []
        for number in range(_ROUNDS):
            for gate in GATES:
                single[gate].append(_verify(project, Path(name) / f"{gate}{number}", gate))
            folder = Path(name) / f"all{number}"
            together.append(_verify(project, folder, *GATES))
            again.append(_verify(project, folder, *GATES))
            bare.append(_verify(project, Path(name) / f"none{number}"))
            bare_again.append(_verify(project, Path(name) / f"none{number}"))
    alone = {gate: statistics.median(times) for gate, times in single.items()}
    slowest = max(alone, key=lambda gate: alone[gate])
    whole, warm = statistics.median(together), statistics.median(again)
    cold_gates = whole - statistics.median(bare)
    warm_gates = max(0.0, warm - statistics.median(bare_again))
    limit = 1.3 * alone[slowest] + 1
    told = ", ".join(f"{gate} {seconds:.1f} s" for gate, seconds in alone.items())
    return [
        Figure(
            "all gates of a 100-file change",
            whole,
            "s",
            f"≤ 1.3 × the slowest + 1 s = {limit:.1f} s",
            whole <= limit,
            f"{whole / alone[slowest]:.2f} × {slowest} alone; alone: {told}",
        ),
        Figure(
            "the gates again, from what was kept",
            100 * warm_gates / cold_gates,
            "% of the first",
            "≤ 10 %",
            warm_gates <= 0.1 * cold_gates,
            f"{warm_gates:.2f} s of {cold_gates:.1f} s; the whole command {warm:.2f} s of {whole:.1f} s",
        ),
    ]


def _verify(project: Path, folder: Path, *gates: str) -> float:
    folder.mkdir(exist_ok=True)
    promise = folder / "promise.json"
    checks = [{"kind": "quality_gate", "target": gate} for gate in gates]
    test = f"{sys.executable} -m unittest discover -q"
    text = {"objective": "measure", "acceptance": [{"id": "c1", "description": "gates pass"}]}
    promise.write_text(json.dumps({**text, "accept": [test], "checks": checks}))
    env = {
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "HOME": str(folder),
        "DONEWHEN_STATE_DIR": str(folder / "state"),
        "DONEWHEN_CACHE_DIR": str(folder / "cache"),
        "DONEWHEN_CONFIG_DIR": str(folder / "config"),
    }
    words = ["verify", "--json", "--promise", str(promise), "--set", "verification.quality.enabled=false"]
    began = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-m", "donewhen", *words], cwd=project, env=env, capture_output=True, check=False
    )
    taken = time.perf_counter() - began
    told = {gate["gate"]: gate["verdict"] for gate in json.loads(done.stdout)["gates"]}
    assert all(told.get(gate) == "passed" for gate in gates), (told, done.stderr[-500:])
    return taken


def _project(folder: Path) -> Path:
    for number in range(_MODULES):
        _module(folder, number, 2)
    (folder / "shop" / "__init__.py").touch()
    (folder / "tests" / "__init__.py").touch()
    (folder / "pyproject.toml").write_text(_PROJECT)
    for words in (("init", "-q", "-b", "main"), ("add", "-A"), ("commit", "-q", "-m", "begin")):
        subprocess.run([*_GIT, *words], cwd=folder, check=True)
    for number in range(_CHANGED):
        _module(folder, number, 3)
    return folder


def _module(folder: Path, number: int, factor: int) -> None:
    one = (
        "def rule_{n}(values: list[int], limit: int = {n}) -> int:\n"
        "    total = 0\n    for part in values:\n        if part > limit:\n"
        "            total += part * {factor}\n    return total\n\n\n"
    )
    code = "".join(one.format(n=n, factor=factor if n == 0 else 2) for n in range(12))
    test = "".join(
        f"    def test_rule_{n}(self) -> None:\n"
        f"        self.assertGreaterEqual(part_{number}.rule_{n}([1, 50, 99]), 0)\n\n"
        for n in range(12)
    )
    head = f"import unittest\n\nfrom shop import part_{number}\n\n\nclass Rules(unittest.TestCase):\n"
    for path, text in ((f"shop/part_{number}.py", code), (f"tests/test_part_{number}.py", head + test)):
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text.rstrip("\n") + "\n")
