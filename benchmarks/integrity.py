"""What reading points at in a large change."""

import os
import subprocess
import tempfile
import time
from pathlib import Path

from benchmarks.measure import Figure

HOW = (
    "a repository of 300 files (Python and JavaScript, source and tests in turn, 100 to 200 lines), every one changed; "
    "what reading points at, on the two trees, each round with a state of its own, against `git diff`"
)
_ROUNDS = 5
_FILES = 300
_GIT = ("git", "-c", "user.name=bench", "-c", "user.email=bench@example.org")


def figures() -> list[Figure]:
    with tempfile.TemporaryDirectory() as name:
        project = Path(name) / "project"
        _write(project, 0)
        for words in (("init", "-q"), ("add", "-A"), ("commit", "-q", "-m", "begin")):
            subprocess.run([*_GIT, *words], cwd=project, check=True)
        _write(project, 1)
        times = sorted(_time(project, Path(name) / str(number)) for number in range(_ROUNDS))
        diff = _diff(project)
    taken = times[len(times) // 2]
    return [
        Figure(
            "reading of a 300-file change",
            taken,
            "s",
            "≤ 2 s",
            taken <= 2,
            f"{taken / diff:.0f} × `git diff` of it ({diff * 1000:.0f} ms)",
        ),
    ]


def _time(project: Path, folder: Path) -> float:
    from donewhen.verify.change import Means, Wanted, look_round
    from donewhen.verify.inspecting import GitTree
    from donewhen.verify.suspicions import find_suspicions

    env = {
        "PATH": os.environ["PATH"],
        "HOME": str(folder / "home"),
        "DONEWHEN_STATE_DIR": str(folder / "state"),
        "DONEWHEN_CACHE_DIR": str(folder / "cache"),
        "DONEWHEN_CONFIG_DIR": str(folder / "config"),
    }
    means, wanted = Means(project, env), Wanted()
    looked = look_round(wanted, means)
    began = time.perf_counter()
    prints, change = looked.fingerprints, looked.change
    base, now = GitTree(prints, prints.tree(change.base.commit)), GitTree(prints, change.fingerprint.tree)
    found = find_suspicions(base, now, change.changed)
    assert not found, found[:3]
    return time.perf_counter() - began


def _diff(project: Path) -> float:
    began = time.perf_counter()
    subprocess.run([*_GIT, "diff"], cwd=project, check=True, capture_output=True)
    return time.perf_counter() - began


def _write(project: Path, round: int) -> None:
    makers = (_python, _python_test, _script, _script_test)
    for number in range(_FILES):
        path, text = makers[number % 4](number // 4, round)
        file = project / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)


def _python(number: int, round: int) -> tuple[str, str]:
    one = "def rule_{n}(value, limit={l}):\n    total = 0\n    for part in value:\n        if part > limit:\n            total += part * {m}\n    return total\n\n\n"
    return f"shop/part_{number}.py", "".join(one.format(n=n, l=n, m=round + 2) for n in range(20))


def _python_test(number: int, round: int) -> tuple[str, str]:
    head = f"import unittest\n\nfrom shop import part_{number}\n\n\nclass Rules(unittest.TestCase):\n"
    one = "    def test_rule_{n}(self):\n        got = part_{p}.rule_{n}([1, {n}, 3])\n        self.assertEqual(got >= 0, True)\n        self.assertIsInstance(got, int)\n\n"
    extra = (
        f"    def test_empty(self):\n        self.assertEqual(part_{number}.rule_1([]), 0)\n" if round else ""
    )
    return f"tests/test_part_{number}.py", head + "".join(
        one.format(n=n, p=number) for n in range(20)
    ) + extra


def _script(number: int, round: int) -> tuple[str, str]:
    one = "export function rule{n}(value, limit = {n}) {{\n  let total = 0;\n  for (const part of value) {{\n    if (part > limit) total += part * {m};\n  }}\n  return total;\n}}\n\n"
    return f"web/part{number}.js", "".join(one.format(n=n, m=round + 2) for n in range(20))


def _script_test(number: int, round: int) -> tuple[str, str]:
    head = f'import test from "node:test";\nimport assert from "node:assert/strict";\nimport * as part from "./part{number}.js";\n\n'
    one = 'test("rule {n}", () => {{\n  const got = part.rule{n}([1, {n}, 3]);\n  assert.equal(got >= 0, true);\n  assert.ok(Number.isInteger(got));\n}});\n\n'
    extra = 'test("empty", () => {\n  assert.equal(part.rule1([]), 0);\n});\n' if round else ""
    return f"web/part{number}.test.js", head + "".join(one.format(n=n) for n in range(20)) + extra
