"""Honest work on packages of other people: with no change, and with a new function and its test, nothing blocks.

Nothing is configured beyond what their authors published. A checker that they configure and that is not
installed stops nobody; where `--gate` asks for it, the gate says which command brings it, and passes with it.
"""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.helpers import Cli, Result
from tests.projects import git
from tests.third_party.honest import HONEST, Work
from tests.third_party.packages import NODE, PYTHON, javascript_package, python_package

pytestmark = [pytest.mark.gates, pytest.mark.timeout(900)]


def blocking(result: Result) -> dict[str, Any]:
    return {gate["gate"]: gate for gate in result.json["gates"] if gate["blocks"]}


def unchanged_is_accepted(cli: Cli, root: Path) -> None:
    clean = cli("verify", "--json", cwd=root)
    assert (clean.exit, blocking(clean)) == (0, {}), clean.out[-3000:] + clean.err[-2000:]
    assert [each for each in clean.json["feedback"] if each["status"] in ("fail", "warning")] == []


def work_is_accepted(cli: Cli, root: Path, work: Work, path: str, named: Sequence[str]) -> None:
    work.do(root)
    before = git(root, "status", "--porcelain", "--ignored")
    done = cli("verify", "--json", *named, cwd=root, PATH=path)
    assert (done.exit, blocking(done)) == (0, {}), done.out[-3000:] + done.err[-2000:]
    states = {gate["gate"]: gate["verdict"] for gate in done.json["gates"]}
    assert {states[name] for name in ("complexity", "secrets")} == {"passed"}
    assert "could_not_run" not in states.values(), done.json["gates"]
    assert [each for each in done.json["feedback"] if each["status"] in ("fail", "warning")] == []
    assert git(root, "status", "--porcelain", "--ignored") == before
    again = cli("verify", "--json", *named, cwd=root, PATH=path)
    assert again.exit == 0
    ran = [gate["gate"] for gate in done.json["gates"] if gate["duration_ms"] and gate["verdict"] == "passed"]
    kept = [gate["gate"] for gate in again.json["gates"] if gate["cached"]]
    assert ran
    assert set(ran) <= set(kept)


def brought(folder: Path, *packages: str) -> str:
    """A folder of programs with these tools, apart from the project and from us."""
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    words = [str(folder / "bin" / "python"), "-m", "pip", "install", "--quiet", *packages]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"can't be fetched: {done.stderr.strip().splitlines()[-1:]}")
    return str(folder / "bin")


def judge(cli: Cli, folder: Path, root: Path, work: Work) -> None:
    unchanged_is_accepted(cli, root)
    path = cli.env["PATH"]
    named = [word for gate in work.tools for word in ("--gate", gate)]
    if work.tools:
        work.do(root)
        assert cli("verify", "--json", cwd=root).exit == 0
        without = cli("verify", "--json", *named, cwd=root)
        assert without.exit == 5, without.out[-3000:]
        wanted = {name: f"python -m pip install {tool}" for name, tool in work.tools.items()}
        assert {name: gate["install"] for name, gate in blocking(without).items()} == wanted
        git(root, "checkout", "-q", ".")
        path = f"{brought(folder / 'tools', *work.tools.values())}:{path}"
    work_is_accepted(cli, root, work, path, named)


@pytest.mark.parametrize("package", PYTHON, ids=lambda package: package.name)
def test_honest_work_on_a_python_package_passes_every_gate(cli: Cli, tmp_path, package):
    judge(cli, tmp_path, python_package(cli, tmp_path / "archive", package), HONEST[package.name])


@pytest.mark.parametrize("package", NODE, ids=lambda package: package.name)
def test_honest_work_on_a_javascript_package_passes_every_gate(cli: Cli, tmp_path, package):
    judge(cli, tmp_path, javascript_package(cli, tmp_path / "archive", package), HONEST[package.name])
