"""Packages of other people, as their authors publish them: unpacked, put under git, and judged unconfigured.

Each must be found right (`init` names the test command), pass as it is, fail with a planted bug, and get no
pass from a command that hides its status. What was tried is listed in docs/tried.md.
"""

from pathlib import Path

import pytest

from tests.helpers import Cli
from tests.projects import git
from tests.third_party.packages import NODE, PYTHON, Package, javascript_package, python_package

pytestmark = [pytest.mark.third_party, pytest.mark.timeout(900)]


def judge(cli: Cli, package: Package, root: Path) -> None:
    found = cli("init", "--dry-run", "--json", cwd=root).json
    lines = [test["command"] for test in found["survey"]["tests"]]
    assert lines == [package.command]
    clean = cli("verify", "--json", cwd=root)
    assert clean.exit == 0, clean.out[-3000:] + clean.err[-2000:]
    (command,) = clean.json["commands"]
    assert (command["command"], command["status"]) == (package.command, "passed")
    assert git(root, "status", "--porcelain") == ""
    again = cli("verify", "--json", cwd=root)
    assert (again.exit, again.json["commands"][0]["way"]) == (0, "cached")
    masked = cli("verify", "--accept", f'sh -c "{package.command} || true"', cwd=root)
    assert masked.exit == 1
    source = root / package.file
    assert package.right in source.read_text()
    source.write_text(source.read_text().replace(package.right, package.wrong))
    bug = cli("verify", "--json", cwd=root)
    assert bug.exit == 1, bug.out[-3000:] + bug.err[-2000:]
    assert bug.json["decision"]["stop_reason"] == "verification_failed"
    assert git(root, "status", "--porcelain") == f" M {package.file}"


@pytest.mark.parametrize("package", PYTHON, ids=lambda package: package.name)
def test_a_python_package(cli: Cli, tmp_path, package):
    judge(cli, package, python_package(cli, tmp_path / "archive", package))


@pytest.mark.parametrize("package", NODE, ids=lambda package: package.name)
def test_a_javascript_package(cli: Cli, tmp_path, package):
    judge(cli, package, javascript_package(cli, tmp_path / "archive", package))
