"""Small projects under git for tests: real repositories, real runners, nothing to install."""

import atexit
import os
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from tests.folders import fast_root

_ENV = {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "Ann",
    "GIT_AUTHOR_EMAIL": "ann@example.org",
    "GIT_COMMITTER_NAME": "Ann",
    "GIT_COMMITTER_EMAIL": "ann@example.org",
    "GIT_AUTHOR_DATE": "2026-01-02T03:04:05Z",
    "GIT_COMMITTER_DATE": "2026-01-02T03:04:05Z",
}

CART = """\
def total(prices):
    return sum(prices)
"""
CART_TEST = """\
import unittest

from cart import total


class Total(unittest.TestCase):
    def test_adds_up(self):
        self.assertEqual(total([1, 2]), 3)
"""
UNITTEST = {"cart.py": CART, "test_cart.py": CART_TEST}
BUG = CART.replace("sum(prices)", "sum(prices) + 1")
TESTS = "python3 -m unittest"


def git(folder: Path, *words: str, **env: str) -> str:
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    done = subprocess.run(
        ["git", *words], cwd=folder, env={**kept, **_ENV, **env}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"git {' '.join(words)}: {done.stderr}"
    return done.stdout.rstrip("\n")


def write(folder: Path, files: Mapping[str, str]) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def repository(folder: Path, files: Mapping[str, str] = UNITTEST, branch: str = "main") -> Path:
    """A repository with one commit of these files: the first of its kind is made, the others are copies."""
    folder.mkdir(parents=True, exist_ok=True)
    if any(folder.iterdir()):
        return _made(folder, files, branch)
    write(folder, files)  # first: a commit is younger than the files in it
    shutil.copytree(_template(tuple(files.items()), branch), folder / ".git", copy_function=shutil.copy)
    git(folder, "update-index", "-q", "--refresh")
    return folder


@cache
def _template(files: tuple[tuple[str, str], ...], branch: str) -> Path:
    folder = Path(tempfile.mkdtemp(prefix="donewhen-template-", dir=fast_root()))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return _made(folder, dict(files), branch) / ".git"


def _made(folder: Path, files: Mapping[str, str], branch: str) -> Path:
    write(folder, files)
    git(folder, "init", "-q", "-b", branch)
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "begin")
    return folder


def everything(folder: Path) -> dict[str, bytes | str]:
    """Every file below a folder with its content, the repository's own included: to see that nothing changed."""
    found: dict[str, bytes | str] = {}
    for path in sorted(folder.rglob("*")):
        name = str(path.relative_to(folder))
        if path.is_symlink():
            found[name] = f"-> {path.readlink()}"
        elif path.is_file():
            found[name] = path.read_bytes()
        else:
            found[name] = "folder"
    return found
