"""Turns: what the harness adds to one command of an agent, against a bare loop that starts bash itself."""

import asyncio
import os
import statistics
import subprocess
import tempfile
import time
from itertools import pairwise
from pathlib import Path

from benchmarks.measure import Figure, at_most
from donewhen.agents.script_model import Script, Turn
from donewhen.agents.scripted import Scripted
from donewhen.core.agent import Step, ToolRequest
from donewhen.core.events import Body
from donewhen.core.events.run import TurnStarted
from donewhen.intake.request import Request
from donewhen.run.approvals_askers import Nobody
from donewhen.run.engine.model import People, Wish
from donewhen.run.engine.starting import run_goal
from donewhen.verify.change import Means
from donewhen.workspace.fingerprint.fingerprints import Fingerprints
from donewhen.workspace.git.repository import find_repository

HOW = (
    "a scripted agent with one command a turn, 220 turns, the whole `run` path in one process (guard, hooks, ledger, "
    "evidence), against a bare loop of `bash -c` with the same commands; medians of turns 21 to 200; a repository of "
    "1,000 files; time inside git is measured apart, by taking the fingerprints of the same edits alone"
)
TURNS = 220
_FIRST, _LAST = 20, 200
_FILES = 1000
_LIMITS = ("loop.max_turns=1000", "loop.max_tool_calls=5000", "budget.total=10")


def figures() -> list[Figure]:
    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:
        base = Path(folder)
        root = _repository(base / "repo")
        reading, writing = _texts("cat f7.txt # {n}"), _texts("echo {n} > f{n}.txt")
        off = ("sandbox.mode=off",)
        bare_read, bare_write = _bare(root, reading), _bare(root, writing)
        subprocess.run(["git", "checkout", "-q", "."], cwd=root, env=_env(base), check=True)
        read = _turns(base / "a", root, reading, off)
        write = _turns(base / "b", root, writing, off)
        confined = _turns(base / "c", root, writing, ())
        git = _git(base, root)
    return [
        _row("read-only command, sandbox off", read, bare_read, 3.0),
        _row("writing command, sandbox off", write, bare_write, 30.0, f"git {git:.1f} ms of it"),
        _row(
            "writing command, sandboxed",
            confined,
            bare_write,
            None,
            f"{_middle(confined) - _middle(write):.1f} ms more",
        ),
        _growth("read-only", read),
        _growth("writing", write),
    ]


def _row(name: str, taken: list[float], bare: list[float], most: float | None, note: str = "") -> Figure:
    ours, floor = _middle(taken), _middle(bare)
    said = f"a turn {ours:.1f} ms, bare {floor:.1f} ms" + (f"; {note}" if note else "")
    title = f"{name}: over the bare loop"
    if most is None:
        return Figure(title, ours - floor, "ms", ratio=said)
    return at_most(title, ours - floor, "ms", most, said)


def _growth(name: str, taken: list[float]) -> Figure:
    early, late = statistics.median(taken[10:30]), statistics.median(taken[190:210])
    return at_most(f"{name}: turn 200 to turn 20", late / early, "×", 1.05, "medians of 20 turns around each")


def _middle(taken: list[float]) -> float:
    return statistics.median(taken[_FIRST:_LAST])


def _texts(form: str) -> list[str]:
    return [form.format(n=number) for number in range(TURNS)]


def _bare(root: Path, texts: list[str]) -> list[float]:
    taken = []
    for text in texts:
        began = time.perf_counter()
        words = ["bash", "--noprofile", "--norc", "-c", text]
        subprocess.run(words, cwd=root, capture_output=True, stdin=subprocess.DEVNULL, check=True)
        taken.append((time.perf_counter() - began) * 1000)
    return taken


def _turns(base: Path, root: Path, texts: list[str], settings: tuple[str, ...]) -> list[float]:
    """Milliseconds of each turn, from its start to the start of the next."""
    starts: list[float] = []

    def watch(body: Body) -> None:
        if isinstance(body, TurnStarted):
            starts.append(time.perf_counter())

    calls = [
        Turn(Step(calls=(ToolRequest("1", "run_command", {"command": text}),)), "work") for text in texts
    ]
    script = Script(tuple(calls), "stop", Step("over"))
    request = Request("measure", accept=("python3 -m unittest",))
    wish = Wish(request, lambda _: Scripted(script))
    means = Means(root, _env(base), (*_LIMITS, *settings))
    asyncio.run(run_goal(wish, means, People(Nobody(), watch)))
    return [(after - before) * 1000 for before, after in pairwise(starts)]


def _git(base: Path, root: Path) -> float:
    """Milliseconds for what a writing turn asks of git: the fingerprint after an edit, and what it changed."""
    repository = find_repository(root, _env(base))
    fingerprints = Fingerprints(repository, base / "fingerprints")
    before = fingerprints.take().tree
    taken = []
    for number in range(60):
        (root / f"f{number}.txt").write_text(f"again {number}\n")
        began = time.perf_counter()
        after = fingerprints.take().tree
        fingerprints.changed(before, after)
        taken.append((time.perf_counter() - began) * 1000)
        before = after
    return statistics.median(taken)


def _env(base: Path) -> dict[str, str]:
    folders = {f"DONEWHEN_{name}_DIR": str(base / name.lower()) for name in ("STATE", "CACHE", "CONFIG")}
    identity = {f"GIT_{who}_{what}": "bench" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    return {"PATH": os.environ["PATH"], "HOME": str(base), **identity, **folders}


def _repository(root: Path) -> Path:
    root.mkdir(parents=True)
    for number in range(_FILES):
        (root / f"f{number}.txt").write_text(f"{number}\n")
    for words in (("init", "-q", "-b", "main"), ("add", "-A"), ("commit", "-q", "-m", "begin")):
        subprocess.run(["git", *words], cwd=root, env=_env(root.parent), check=True)
    return root
