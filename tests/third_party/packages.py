"""Packages of other people that several tests judge, and how each is fetched and put under git."""

import shutil
import subprocess
import sys
import tarfile
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.helpers import Cli
from tests.projects import git


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


def _unpacked(cli: Cli, archive: Path) -> Path:
    with tarfile.open(archive) as tar:
        tar.extractall(cli.folder, filter="data")
    (root,) = (entry for entry in cli.folder.iterdir() if entry.is_dir())
    git(root, "init", "-q", "-b", "main")
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "as published")
    return root


def _fetched(folder: Path, *words: str) -> Path:
    folder.mkdir()
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"can't be fetched: {done.stderr.strip().splitlines()[-1:]}")
    return next(path for path in folder.iterdir() if path.name.endswith((".tar.gz", ".tgz")))


def python_package(cli: Cli, folder: Path, package: Package) -> Path:
    pip = (sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", ":all:")
    return _unpacked(cli, _fetched(folder, *pip, f"{package.name}=={package.version}"))


def javascript_package(cli: Cli, folder: Path, package: Package) -> Path:
    if not shutil.which("npm"):
        pytest.skip("npm is not installed")
    return _unpacked(cli, _fetched(folder, "npm", "pack", "--silent", f"{package.name}@{package.version}"))
