"""Models taken out: what the harness and its client add to a turn, against a bare loop and against others."""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
import venv
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.loops.ours import environment
from benchmarks.measure import Figure, at_most

HOW = (
    "an endpoint in a process of its own answers at once with one read-only command a turn (whole run path, sandbox "
    "off, streaming, ledger and budget on); a gap is the time from an answer to the next request as the endpoint sees "
    "it, the command included; processor time is that of the whole process tree from the second turn on, by a control "
    "group; medians of interleaved rounds"
)
_ROUNDS = int(os.environ.get("DONEWHEN_BENCH_ROUNDS", "5"))
_TURNS = 205
_MANY = (20, 20)  # runs at once, turns of each
_HERE = Path(__file__).parent
_KINDS = {"bare": "donewhen", "ours": "donewhen", "pydantic_loop": "bash", "mini": "text"}


class Taken(NamedTuple):
    early: float  # ms, turns 2 to 20
    late: float  # ms, turns 181 to 200
    cpu: float  # ms a turn
    peak: float  # MB


def figures() -> list[Figure]:
    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:
        base = Path(folder)
        root = _repository(base)
        rounds: dict[str, list[Taken]] = {"bare": [], "ours": []}
        many: dict[str, list[float]] = {"bare": [], "ours": []}
        for number in range(_ROUNDS):
            for name in rounds:
                home = base / f"{name}-{number}"
                rounds[name].append(_play(name, root, home))
                many[name].append(_play(name, root, home / "many", runs=_MANY[0], turns=_MANY[1]).cpu)
        starts = [_cold(root, base / f"cold-{number}") for number in range(_ROUNDS * 2)]
        found = [*_ratios(rounds, many), *_alone(rounds["ours"], starts)]
        return [*found, *_others(base, root)]


def _ratios(rounds: dict[str, list[Taken]], many: dict[str, list[float]]) -> Iterator[Figure]:
    bare, ours = _middle(rounds["bare"]), _middle(rounds["ours"])
    for name, mine, floor in (("20", ours.early, bare.early), ("200", ours.late, bare.late)):
        said = f"{mine:.1f} ms, bare {floor:.1f} ms"
        yield at_most(f"a turn with a model at turn {name}, to the bare loop", mine / floor, "×", 2.0, said)
    growth = statistics.median(each.late / each.early for each in rounds["ours"])
    floor = statistics.median(each.late / each.early for each in rounds["bare"])
    yield Figure("turn 200 to turn 20", growth, "×", ratio=f"bare {floor:.2f} ×")
    said = f"{ours.cpu:.1f} ms a turn, bare {bare.cpu:.1f} ms"
    yield Figure("processor time of one run, to the bare loop", ours.cpu / bare.cpu, "×", ratio=said)
    mine, floor = statistics.median(many["ours"]), statistics.median(many["bare"])
    said = f"{mine:.1f} ms a turn, bare {floor:.1f} ms"
    yield at_most(
        f"processor time of {_MANY[0]} runs at once, to the bare loop", mine / floor, "×", 2.5, said
    )


def _alone(ours: list[Taken], starts: list[float]) -> Iterator[Figure]:
    spread = f"{min(starts):.2f}–{max(starts):.2f} s over {len(starts)} starts"
    yield at_most("`donewhen run` to its first request", statistics.median(starts), "s", 0.5, spread)
    peaks = [each.peak for each in ours]
    yield at_most("peak memory of a run of 200 turns", statistics.median(peaks), "MB", 80.0)


def _middle(taken: list[Taken]) -> Taken:
    return Taken(*(statistics.median(column) for column in zip(*taken, strict=True)))


def _others(base: Path, root: Path) -> Iterator[Figure]:
    """Side by side, once: who is not there is said."""
    for name, title, python in (
        ("pydantic_loop", "pydantic-ai", sys.executable),
        ("mini", "mini-swe-agent", _installed(base, "mini-swe-agent")),
    ):
        try:
            taken = _play(name, root, base / name, python=python)
        except (OSError, ValueError, subprocess.SubprocessError):
            yield Figure(f"{title}: not measured, for it could not be run here", 0.0, "ms")
            continue
        said = f"turn 200: {taken.late:.1f} ms, {taken.cpu:.1f} ms processor a turn, {taken.peak:.0f} MB"
        yield Figure(f"{title}: a turn at turn 20", taken.early, "ms", ratio=said)


def _installed(base: Path, package: str) -> str:
    """An interpreter that has the package, in an environment of its own; empty when it can't be had."""
    folder = base / package
    venv.create(folder, with_pip=True)
    python = str(folder / "bin" / "python")
    done = subprocess.run([python, "-m", "pip", "install", "-q", package], capture_output=True, check=False)
    return python if done.returncode == 0 else ""


def _play(
    name: str, root: Path, home: Path, *, runs: int = 1, turns: int = _TURNS, python: str = sys.executable
) -> Taken:
    home.mkdir(parents=True)
    here = [str(_HERE / "loops" / "mini.py")] if name == "mini" else ["-m", f"benchmarks.loops.{name}"]
    with _endpoint(_KINDS[name], turns, runs) as url:
        words = [python, *here, url, str(turns), str(runs), str(root), str(home)]
        done = subprocess.run(
            words, cwd=_HERE.parent, capture_output=True, text=True, check=True, timeout=900
        )
        gaps = _told(url)["gaps"]
    told = json.loads(done.stdout.splitlines()[-1])
    late = statistics.median(gaps[180:200]) if len(gaps) >= 200 else 0.0
    return Taken(statistics.median(gaps[1:19]), late, told["cpu"] * 1000 / (runs * (turns - 2)), told["peak"])


def _cold(root: Path, home: Path) -> float:
    """Seconds from the start of a process to its first request."""
    home.mkdir()
    with _endpoint("donewhen", 1, 2) as url:  # a second one never asks: nobody is answered
        env = environment(str(home)) | {"OPENAI_BASE_URL": f"{url}/v1"}
        words = [
            str(Path(sys.executable).parent / "donewhen"),
            "-q",
            "run",
            "Fix f7.txt",
            "--accept",
            "make test",
        ]
        began = time.time()
        words += ["--model", "openai:gpt-5-mini", "--yes"]
        with subprocess.Popen(words, cwd=root, env=env, stdout=-3, stderr=-3) as process:
            while (first := _told(url)["asked"]) is None and process.poll() is None:
                time.sleep(0.005)
            process.kill()
    if first is None:
        raise ValueError("it ended before it asked")
    return float(first) - began


@contextmanager
def _endpoint(kind: str, turns: int, runs: int) -> Iterator[str]:
    words = [sys.executable, "-m", "benchmarks.loops.server", kind, str(turns), str(runs)]
    with subprocess.Popen(words, cwd=_HERE.parent, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield f"http://127.0.0.1:{process.stdout.readline().strip()}"
        finally:
            process.kill()


def _told(url: str) -> dict[str, Any]:
    with urllib.request.urlopen(f"{url}/gaps", timeout=30) as answer:
        told: dict[str, Any] = json.load(answer)
    return told


def _repository(base: Path) -> Path:
    root = base / "repo"
    root.mkdir()
    for number in range(100):
        (root / f"f{number}.txt").write_text(f"{number}\n")
    (root / "Makefile").write_text("test:\n\tgrep -q 7 f7.txt\n")
    for words in (("init", "-q", "-b", "main"), ("add", "-A"), ("commit", "-q", "-m", "begin")):
        subprocess.run(["git", *words], cwd=root, env=environment(str(base)), check=True)
    return root
