"""Start-up: whole processes, bytecode compiled, against an interpreter that does nothing."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from benchmarks.measure import Figure, at_most, interleaved

HOW = "whole processes with the environment's own interpreter, bytecode compiled, medians of 15 interleaved rounds"


def figures() -> list[Figure]:
    script = str(Path(sys.executable).parent / "donewhen")
    with tempfile.TemporaryDirectory() as folder:
        env = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
        env |= {"DONEWHEN_STATE_DIR": folder, "DONEWHEN_CONFIG_DIR": folder}

        def run(*words: str) -> None:
            subprocess.run(
                words, env=env, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True
            )

        cases: dict[str, Callable[[], None]] = {
            "python": lambda: run(sys.executable, "-c", "pass"),
            "import": lambda: run(sys.executable, "-c", "import donewhen"),
            "help": lambda: run(script, "--help"),
            "list": lambda: run(script, "list"),
        }
        for case in cases.values():
            case()
        times = {name: seconds * 1000 for name, seconds in interleaved(cases, 15).items()}
    floor = times["python"]
    return [
        Figure("bare interpreter", floor, "ms"),
        at_most("`import donewhen`, over the bare interpreter", times["import"] - floor, "ms", 100),
        at_most("`donewhen --help`", times["help"], "ms", 150, f"{times['help'] / floor:.1f} × bare"),
        Figure(
            "`donewhen list`, empty store, configuration read",
            times["list"],
            "ms",
            ratio=f"{times['list'] / floor:.1f} × bare",
        ),
    ]
