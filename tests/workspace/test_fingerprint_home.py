"""The folder of the harness: private, shared by processes, and mended when it is torn."""

import json
import multiprocessing
import os
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from donewhen.core.errors import SetupError
from donewhen.workspace.fingerprint.keeping import tidy
from donewhen.workspace.fingerprint.own import Own
from tests.workspace.git_ground import Ground


@pytest.fixture
def ground(tmp_path: Path) -> Ground:
    return Ground(tmp_path)


def test_the_home_is_private(ground: Ground):
    ground.fingerprints().take()
    assert stat.S_IMODE(ground.home.stat().st_mode) == 0o700


def test_what_is_kept_is_used_by_the_next_process(ground: Ground):
    first = ground.fingerprints().take()
    index = (ground.home / "index").stat().st_ino
    os.utime(ground.root / "src/app.py")
    assert ground.fingerprints().take() == first
    ground.write("src/app.py", "answer = 42\n")
    assert ground.fingerprints().take() != first
    assert (ground.home / "index").stat().st_ino != index


DAMAGES = {
    "empty index": lambda home: (home / "index").write_bytes(b""),
    "torn index": lambda home: (home / "index").write_bytes((home / "index").read_bytes()[:90]),
    "flipped bit": lambda home: (home / "index").write_bytes(
        (home / "index").read_bytes().replace(b"src/app.py", b"src/apq.py")
    ),
    "no index": lambda home: (home / "index").unlink(),
    "stale lock": lambda home: (home / "index.lock").write_bytes(b"x"),
    "stale copy": lambda home: (home / "index.work-1").write_bytes(b"x"),
    "memory": lambda home: (home / "memory.json").write_bytes(b"{"),
    "strange memory": lambda home: (home / "memory.json").write_text(json.dumps({"form": 1, "odd": 3})),
    "answers": lambda home: (home / "answers.json").write_bytes(b"\xff"),
    "no list of tracked files": lambda home: (home / "tracked").unlink(),
    "no HEAD": lambda home: (home / "git/HEAD").unlink(),
    "no settings": lambda home: (home / "git/config").write_bytes(b"[core"),
    "no alternates": lambda home: (home / "git/objects/info/alternates").unlink(),
}


@pytest.mark.parametrize("name", DAMAGES)
def test_a_damaged_home_is_made_again(ground: Ground, name: str):
    ground.write("kept.log")
    ground.git("add", "-f", "kept.log")
    ground.write("src/app.py", "answer = 42\n")
    fingerprints = ground.fingerprints()
    before = fingerprints.take()
    fingerprints.keep("start", before.tree)
    DAMAGES[name](ground.home)
    again = ground.fingerprints()
    assert again.take() == before
    assert again.kept() == {"start": before.tree}
    again.lay(before.tree, ground.base / "harness/room")


def test_damage_while_it_is_open_is_noticed(ground: Ground):
    fingerprints = ground.fingerprints()
    before = fingerprints.take()
    (ground.home / "index").write_bytes(b"DIRC nonsense")
    assert fingerprints.take() == before


def test_a_broken_checkpoint_is_not_lost_silently(ground: Ground):
    fingerprints = ground.fingerprints()
    fingerprints.keep("start", fingerprints.take().tree)
    (ground.home / "git/refs/checkpoints/start").write_bytes(b"")
    with pytest.raises(SetupError, match="checkpoints"):
        ground.fingerprints().kept()


def test_checkpoints_have_names(ground: Ground):
    fingerprints = ground.fingerprints()
    tree = fingerprints.take().tree
    fingerprints.keep("run-1/7", tree)
    fingerprints.keep("run-1/8", fingerprints.tree(""))
    assert fingerprints.kept() == {"run-1/7": tree, "run-1/8": fingerprints.tree("")}
    with pytest.raises(SetupError):
        fingerprints.keep("../../HEAD", tree)


def _take_often(ground: Ground, number: int) -> None:
    fingerprints = ground.fingerprints()
    for round in range(6):
        ground.write(f"mine{number}.txt", f"{round}\n")
        tree = fingerprints.take().tree
        assert fingerprints.content(tree, f"mine{number}.txt") == f"{round}\n".encode()


def test_two_processes_share_a_home(ground: Ground):
    context = multiprocessing.get_context("fork")
    workers = [context.Process(target=_take_often, args=(ground, number)) for number in range(3)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(100)
    assert [worker.exitcode for worker in workers] == [0, 0, 0]
    assert ground.fingerprints().take().tree == ground.fresh()


@pytest.mark.parametrize("pause", [0.0, 0.004, 0.012, 0.03, 0.06])
def test_a_process_that_is_killed_leaves_nothing_in_the_way(ground: Ground, pause: float):
    code = (
        "import os, pathlib, sys\n"
        "from donewhen.workspace.fingerprint.fingerprints import Fingerprints\n"
        "from donewhen.workspace.git.repository import find_repository\n"
        "root, home = map(pathlib.Path, sys.argv[1:])\n"
        "fingerprints = Fingerprints(find_repository(root, dict(os.environ)), home)\n"
        "fingerprints.take()\n"
        "print('going', flush=True)\n"
        "for number in range(100000):\n"
        "    (root / f'file{number % 7}.txt').write_text(str(number))\n"
        "    fingerprints.take()\n"
    )
    command = [sys.executable, "-c", code, str(ground.root), str(ground.home)]
    with subprocess.Popen(command, env=ground.env, stdout=subprocess.PIPE) as busy:
        assert busy.stdout is not None and busy.stdout.readline() == b"going\n"
        with pytest.raises(subprocess.TimeoutExpired):
            busy.wait(pause)
        busy.send_signal(signal.SIGKILL)
    assert ground.fingerprints().take().tree == ground.fresh()


def test_a_checkpoint_outlives_what_the_user_throws_away(ground: Ground):
    ground.write("src/app.py", "answer = 42\n")
    ground.git("add", "src/app.py")
    fingerprints = ground.fingerprints()
    fingerprints.keep("start", fingerprints.take().tree)
    ground.git("reset", "-q", "--hard")
    ground.git("gc", "-q", "--prune=now")
    assert fingerprints.restore(fingerprints.kept()["start"]) == {"src/app.py": "modified"}
    assert (ground.root / "src/app.py").read_text() == "answer = 42\n"


@pytest.mark.runs
def test_old_objects_that_nobody_needs_go(ground: Ground):
    fingerprints = ground.fingerprints()
    ground.write("mine.py", "kept\n")
    fingerprints.keep("start", fingerprints.take().tree)
    for number in range(5):
        ground.write("mine.py", f"{number}\n")
        ground.write("large.bin", os.urandom(1000) + bytes(65 * 1024 * 1024) if number < 2 else b"small")
        last = fingerprints.take()
    objects = [file for file in fingerprints.objects.rglob("*") if file.is_file()]
    assert any(file.suffix == ".pack" for file in objects)
    for file in objects:
        os.utime(file, (1, 1))
    own = Own(ground.home, "sha1", ground.env)
    tidy(own, ground.root, ground.home / "index", most=10**6, largest=10**12)
    assert all(file.exists() for file in objects)
    tidy(own, ground.root, ground.home / "index", most=-1, largest=10**12)
    left = [file for file in objects if file.exists()]
    assert len(left) < len(objects) and not any(file.suffix == ".pack" for file in left)
    again = ground.fingerprints()
    assert again.take() == last
    assert set(again.changed(ground.head(), last.tree)) == {"large.bin", "mine.py"}
    again.lay(last.tree, ground.base / "harness/room")
    again.restore(again.kept()["start"])
    assert (ground.root / "mine.py").read_text() == "kept\n"
