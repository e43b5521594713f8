"""Killed at any of its writes, an install or uninstall loses nothing, and a rerun repairs."""

import subprocess
import sys
from pathlib import Path

import pytest

from donewhen.integrations.install.clients import CLIENTS, Scope
from donewhen.integrations.install.installing import Ground, install, place_of, uninstall
from tests.tables import table_test

# Plays one command and dies just before the n-th change of a name on disk.
DYING = """
import os, sys
from pathlib import Path
from donewhen.integrations.install.installing import Ground, install, uninstall

verb, client, state, home, left = sys.argv[1:6]
left = int(left)

def dying(change):
    def changed(*args, **kwargs):
        global left
        left -= 1
        if left == 0:
            os._exit(9)
        return change(*args, **kwargs)
    return changed

for name in ("replace", "unlink", "rmdir", "mkdir"):
    setattr(Path, name, dying(getattr(Path, name)))
ground = Ground(Path(state), {"HOME": home, "PATH": ""}, Path(home))
{"install": install, "uninstall": uninstall}[verb](client, "user", ground)
"""
DATA = b'{\n  "model": "x"\n}\n'
USER: Scope = "user"


def files(home: Path) -> dict[str, bytes]:
    return {str(path.relative_to(home)): path.read_bytes() for path in home.rglob("*") if path.is_file()}


@pytest.mark.runs
@table_test("verb", ["install", "uninstall"])
@table_test("existed", [True, False], ids=["a file", "no file"])
@table_test("client", ["claude", "opencode"])
def test_killed_anywhere_nothing_is_lost(tmp_path: Path, client: str, existed: bool, verb: str):
    kills = 0
    for number in range(1, 40):
        home, state = tmp_path / f"home{number}", tmp_path / f"state{number}"
        home.mkdir()
        ground = Ground(state, {"HOME": str(home), "PATH": ""}, home)
        file = place_of(client, USER, ground)
        if existed:
            file.parent.mkdir(parents=True)
            file.write_bytes(DATA)
        before = files(home)
        if verb == "uninstall":
            install(client, USER, ground)
        words = [sys.executable, "-c", DYING, verb, client, str(state), str(home), str(number)]
        done = subprocess.run(words, capture_output=True, check=False)
        assert done.returncode in (0, 9), done.stderr.decode()
        assert not existed or file.read_bytes() == DATA or b"donewhen" in file.read_bytes()
        kills += done.returncode == 9
        if verb == "install":
            install(client, USER, ground)
            assert len(file.read_bytes()) > len(CLIENTS[client].events)
        uninstall(client, USER, ground)
        assert files(home) == before
        if done.returncode == 0:
            break
    assert kills >= 3
