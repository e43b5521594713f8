"""Packages of other people, as their authors publish them: unpacked, put under git, and judged unconfigured.

Each must be found right (`init` names the test command), pass as it is, fail with a planted bug, and get no
pass from a command that hides its status. What was tried is listed in docs/tried.md.
"""

import shutil
import subprocess
import sys
import tarfile
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.helpers import Cli
from tests.projects import git

pytestmark = [pytest.mark.third_party, pytest.mark.timeout(900)]


class Package(NamedTuple):
    name: str
    version: str
    command: str  # that `init` must find
    file: str
    right: str  # a line of it …
    wrong: str  # … and the bug


PYTHON = (
    Package(
        "itsdangerous",
        "2.2.0",
        "pytest",
        "src/itsdangerous/encoding.py",
        "        s = s.encode(encoding, errors)",
        "        s = s.encode(encoding, errors) + b'!'",
    ),
    Package(
        "cachetools",
        "8.0.0",
        "python -m unittest discover -s tests -t .",
        "src/cachetools/__init__.py",
        "            key = next(iter(self.__order))",
        "            key = list(self.__order)[-1]",
    ),
    Package(
        "webencodings",
        "0.6.1",
        "pytest",
        "webencodings/__init__.py",
        "    name = LABELS.get(label)",
        "    name = LABELS.get(label.replace('-', ''))",
    ),
    Package("h11", "0.16.0", "pytest", "h11/_util.py", '        s = s.encode("ascii")', "        s = b''"),
    Package(
        "inflection",
        "0.5.1",
        "pytest",
        "inflection/__init__.py",
        "        return string[0].lower() + camelize(string)[1:]",
        "        return string",
    ),
)
NODE = (
    Package("xtend", "4.0.2", "npm test", "immutable.js", "target[key] = source[key]", "target[key] = i"),
    Package("left-pad", "1.3.0", "npm test", "index.js", "if (len <= 0)", "if (len <= 1)"),
)


def unpacked(cli: Cli, archive: Path) -> Path:
    with tarfile.open(archive) as tar:
        tar.extractall(cli.folder, filter="data")
    (root,) = (entry for entry in cli.folder.iterdir() if entry.is_dir())
    git(root, "init", "-q", "-b", "main")
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "as published")
    return root


def fetched(folder: Path, *words: str) -> Path:
    folder.mkdir()
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"can't be fetched: {done.stderr.strip().splitlines()[-1:]}")
    return next(path for path in folder.iterdir() if path.name.endswith((".tar.gz", ".tgz")))


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
    pip = (sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", ":all:")
    archive = fetched(tmp_path / "archive", *pip, f"{package.name}=={package.version}")
    judge(cli, package, unpacked(cli, archive))


@pytest.mark.parametrize("package", NODE, ids=lambda package: package.name)
def test_a_javascript_package(cli: Cli, tmp_path, package):
    if not shutil.which("npm"):
        pytest.skip("npm is not installed")
    archive = fetched(tmp_path / "archive", "npm", "pack", "--silent", f"{package.name}@{package.version}")
    judge(cli, package, unpacked(cli, archive))
