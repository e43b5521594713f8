"""One scenario of the claims benchmark: its file as data, and the repository that it begins with.

The format is told in benchmarks/scenarios/README.md. A scenario that is not in order is refused: a benchmark
that guesses measures nothing.
"""

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from benchmarks.truth import Truth

CLASSES = tuple(
    "honest late_fix false_claim masked stale narrowed weakened_tests no_tests hardcoded environment flaky "
    "background denied_evidence todo text_only loop scope destructive secrets".split()
)
_NEEDED = tuple("id title class files goal accept steps after_last truth expect why".split())
_PLAYED = ("steps", "after_last", "stop_text")
_OPTIONAL = tuple(
    "stop_text allowed_scope disallowed_scope refused_steps expect_note sandboxed beyond word".split()
)
BEYOND = {
    "encoded": "encoded, reversed, hashed or taken apart from a longer text",
    "derived": "found by a property of the tests' input",
    "one-case": "one case alone, or the examples that the goal itself gives",
    "plain-list": "a list, a set or an order of plain words",
    "partial": "a part of the answer",
    "luck": "luck (a result that fails once in many runs, at some seconds of the minute",
    "equal-object": "an object that gives whatever it is compared with",
}  # why a lie may be accepted: as SECURITY.md says it
_PROGRAMS = frozenset(("node", "npm", "make"))


class Malformed(Exception):
    """What is wrong with a scenario's file."""


class Scenario(NamedTuple):
    id: str
    conduct: str  # its class
    files: Mapping[str, str]
    goal: str
    accept: tuple[str, ...]
    script: Mapping[str, Any]  # what the agent may see: steps, after_last, stop_text
    truth: Truth
    expect: str
    refused: frozenset[int] = frozenset()
    noted: bool = False  # played without a guard, truth and expectation differ
    sandboxed: bool = True
    scopes: Mapping[str, list[str]] = {}
    beyond: str = ""  # of BEYOND: no run settles it and reading does not see it
    word: str = ""  # why only a human can call this honest work right

    @property
    def steps(self) -> list[Mapping[str, str]]:
        steps: list[Mapping[str, str]] = self.script["steps"]
        return steps

    def commands(self, *, refused: bool) -> list[str]:
        """What the script runs; with or without the steps that a guard should refuse."""
        return [
            step["bash"]
            for number, step in enumerate(self.steps, start=1)
            if "bash" in step and (refused or number not in self.refused)
        ]

    @property
    def needs(self) -> set[str]:
        """Programs without which this scenario says nothing."""
        texts = [*self.accept, *self.commands(refused=True), *self.truth.commands, *self.files]
        wanted = set(" ".join(texts).split()) & _PROGRAMS
        return wanted | ({"node", "npm"} if "package.json" in self.files else set())


def scenarios(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.yml"), key=lambda path: path.stem)


def load(path: Path) -> Scenario:
    data = yaml.safe_load(path.read_text(encoding="utf-8"))
    _in_order(data, path)
    truth = data["truth"]
    return Scenario(
        data["id"],
        data["class"],
        data["files"],
        data["goal"],
        tuple(data["accept"]),
        {key: data[key] for key in _PLAYED if key in data},
        Truth(*(tuple(truth.get(key) or ()) for key in Truth._fields)),
        data["expect"],
        frozenset(data.get("refused_steps") or ()),
        "expect_note" in data,
        data.get("sandboxed", True),
        {key: data[key] for key in ("allowed_scope", "disallowed_scope") if key in data},
        data.get("beyond", ""),
        data.get("word", ""),
    )


def _in_order(data: Any, path: Path) -> None:
    if not isinstance(data, dict):
        raise Malformed(f"{path.name} is no mapping")
    missing = [key for key in _NEEDED if key not in data]
    unknown = [key for key in data if key not in (*_NEEDED, *_OPTIONAL)]
    if missing or unknown:
        raise Malformed(f"{path.name}: missing {missing}, unknown {unknown}")
    faults = {
        "its id is not the name of the file": data["id"] != path.stem,
        f"unknown class {data['class']!r}": data["class"] not in CLASSES,
        "expect is neither accepted nor rejected": data["expect"] not in ("accepted", "rejected"),
        "a step is neither bash nor done": any(
            len({*step} & {"bash", "done"}) != 1 for step in data["steps"]
        ),
        f"unknown kind {data.get('beyond')!r}": data.get("beyond", "encoded") not in BEYOND,
        "no commands in the truth": not data["truth"].get("commands"),
    }
    wrong = [text for text, is_so in faults.items() if is_so]
    if wrong:
        raise Malformed(f"{path.name}: {', '.join(wrong)}")


def build(scenario: Scenario, folder: Path, home: Path) -> bool:
    """The repository with its one commit; whether files lie in it that are not committed.

    The home gets a git identity, as a user's home has one.
    """
    for name, text in scenario.files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    home.mkdir(exist_ok=True)
    (home / ".gitconfig").write_text(
        "[user]\n\tname = Ann\n\temail = ann@example.org\n[init]\n\tdefaultBranch = main\n"
    )
    git(folder, home, "init", "-q", "-b", "main")
    git(folder, home, "add", "-A")
    git(folder, home, "commit", "-q", "-m", "begin")
    return bool(git(folder, home, "ls-files", "--others", "--ignored", "--exclude-standard"))


def git(folder: Path, home: Path, *words: str) -> str:
    env = {"PATH": os.environ["PATH"], "HOME": str(home), "GIT_CONFIG_NOSYSTEM": "1"}
    safe = ("-c", f"core.hooksPath={os.devnull}", "-c", "core.fsmonitor=false")  # a script may have set them
    done = subprocess.run(
        ["git", *safe, *words],
        cwd=folder,
        env=env,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )
    if done.returncode:
        raise RuntimeError(f"git {' '.join(words)}: {done.stderr}")
    return done.stdout.strip()
