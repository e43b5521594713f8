"""`kill -9` in the middle of opening a workspace, at every call of git, before and after it.

The child runs with a `git` of the test's first in its PATH that counts its calls and, at the given one, kills
its parent. No clock is involved: each case stops at one known point. With `on`, git goes on after its parent
died, as it would in life.
"""

import json
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from donewhen.workspace.rooms.workspaces import open_workspace
from tests.workspace.rooms_scene import RUN, Scene, contents, names_in

pytestmark = pytest.mark.faults

SHIM = """#!/bin/sh
count=$(( $(cat "{folder}/count" 2>/dev/null || echo 0) + 1 ))
echo $count > "{folder}/count"
if [ $count -eq {at} ] && [ {when} = before ]; then kill -9 $PPID; exit 1; fi
if [ $count -eq {at} ] && [ {when} = on ]; then kill -9 $PPID; fi
if [ $count -eq {at} ] && [ {when} = after ]; then "{git}" "$@"; kill -9 $PPID; exit 1; fi
exec "{git}" "$@"
"""
OPEN = """
import json, os, sys
from pathlib import Path
from donewhen.workspace.git.repository import find_repository
from donewhen.workspace.rooms.places import places
from donewhen.workspace.rooms.workspaces import open_workspace
root, kind, shim, env = Path(sys.argv[1]), sys.argv[2], sys.argv[3], json.loads(sys.argv[4])
found = find_repository(root, env)
where = places(found, env)
found = found._replace(env=env | {"PATH": shim + ":" + env["PATH"]})
open_workspace(found, sys.argv[5], found.head, where, kind)
os.write(1, b"opened")
"""


def open_and_kill(scene: Scene, kind: str, at: int, when: str) -> bool:
    """Whether the child was killed at the call; False when it had no so many."""
    folder = scene.base / f"shim-{at}-{when}"
    folder.mkdir()
    shim = folder / "git"
    shim.write_text(SHIM.format(folder=folder, at=at, when=when, git=shutil.which("git")))
    shim.chmod(0o755)
    words = [str(scene.root), kind, str(folder), json.dumps(scene.env), RUN]
    child = subprocess.run([sys.executable, "-c", OPEN, *words], capture_output=True, check=False)
    if child.returncode == -signal.SIGKILL:
        return True
    assert child.stdout == b"opened", child.stderr.decode()
    return False


@pytest.mark.parametrize("when", ["before", "after", "on"])
@pytest.mark.parametrize("kind", ["clone", "worktree"])
def test_a_workspace_is_whole_or_made_again_wherever_the_kill_came(tmp_path, kind, when, record_property):
    scene = Scene(tmp_path)
    scene.dirty()
    scene.git("stash", "-q", "-u")
    clean, kills = contents(scene.root), 0
    for at in range(1, 100):
        (tmp_path / str(at)).mkdir()
        scene.env["DONEWHEN_CACHE_DIR"] = str(tmp_path / str(at))
        before = scene.state()
        if not open_and_kill(scene, kind, at, when):
            break
        kills += 1
        found = open_workspace(scene.repository, RUN, "HEAD", scene.places, kind)
        assert contents(found.folder) == {name: data for name, data in clean.items() if "ignored" not in name}
        assert scene.git("status", "--porcelain", cwd=found.folder) == ""
        assert scene.git("fsck", "--strict", "--no-dangling", cwd=found.folder) == ""
        if kind == "clone":
            assert scene.state() == before
        else:
            scene.git("worktree", "remove", "--force", str(found.folder))
            scene.git("branch", "-q", "-D", found.branch)
            assert scene.state() == before
        if when != "on":  # else git may still be at work in what was put away
            left = names_in(found.folder.parent)
            assert set(left) <= {RUN, f"{RUN}.json"}, left
    assert kills >= 5
    record_property("openings killed", kills)


def test_two_processes_that_open_the_same_run_at_once_get_the_same_workspace(tmp_path):
    scene = Scene(tmp_path)
    words = [str(scene.root), "clone", "/nowhere", json.dumps(scene.env), RUN]
    children = [
        subprocess.Popen([sys.executable, "-c", OPEN, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        for _ in range(4)
    ]
    for child in children:
        out, err = child.communicate()
        assert (out, err) == (b"opened", b"")
    folder = Path(scene.places.runs)
    assert names_in(folder) == [RUN, f"{RUN}.json"]
    assert contents(folder / RUN) == contents(scene.root)
