"""A prepared environment that somebody wrote into is not used again as it is."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from donewhen.workspace.setup.model import Setup, Step
from tests.workspace.test_setup_preparing import Machine

FILL = (
    "mkdir -p .venv/lib/__pycache__ node_modules/jest node_modules/.bin .build/checkouts"
    " && echo honest | tee .venv/lib/run.py .venv/lib/__pycache__/run.pyc node_modules/jest/index.js"
    " > .build/checkouts/a && ln -s ../jest/index.js node_modules/.bin/jest && echo 1 > made.lock"
)
PROVIDES = (".venv", "node_modules", ".build", "made.lock")
SETUP = Setup("x", "", (Step(("sh", "-c", FILL), "lock"),), ("lock",), PROVIDES, again=())


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def same_size_and_time(path: Path) -> None:
    before = path.stat()
    path.write_text("patchd\n")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def replaced_by_a_link(path: Path) -> None:
    shutil.copytree(path, path.with_name("elsewhere"))
    shutil.rmtree(path)
    path.symlink_to("elsewhere")


def overwritten(path: Path) -> None:
    path.unlink(missing_ok=True)
    path.write_text("#!/bin/sh\nexit 0\n")


@pytest.mark.parametrize(
    ("name", "attack"),
    [
        (".venv/lib/run.py", same_size_and_time),
        (".venv/lib/run.py", Path.unlink),
        (".venv/lib/run.pyc", overwritten),
        (".venv/sitecustomize.py", overwritten),
        ("node_modules/.bin/jest", overwritten),
        ("node_modules/jest/index.js", same_size_and_time),
        ("node_modules", replaced_by_a_link),
        ("node_modules/new", Path.mkdir),
        (".build/checkouts/a", same_size_and_time),
        ("made.lock", overwritten),
    ],
)
def test_what_an_exam_wrote_is_noticed_and_laid_anew(
    machine: Machine, name: str, attack: Callable[[Path], None]
) -> None:
    room = machine.room()
    machine.prepare(room, SETUP)
    attack(room / name)
    again = machine.prepare(room, SETUP)
    assert [note.key for note in again.notes] == ["setup.altered"]
    assert name in str(again.notes[0].values["paths"])
    assert machine.ran == [FILL], "from the kept copy"
    assert not (room / "node_modules").is_symlink()
    assert (room / "node_modules/.bin/jest").read_text() == "honest\n"
    assert (room / ".venv/lib/run.py").read_text() == "honest\n"
    assert not (room / ".venv/sitecustomize.py").exists()
    assert machine.prepare(room, SETUP).notes == ()


@pytest.mark.parametrize(
    "name",
    [
        "node_modules/.cache/babel/x.json",
        "node_modules/.vite/deps/x.js",
        "packages/a/node_modules/.vite-temp/x.mjs",
        ".venv/lib/__pycache__/run.pyc",
        ".venv/lib/__pycache__/other.pyc",
        ".venv/more/__pycache__/x.pyc",
        ".venv/.lock",
    ],
)
def test_what_tools_leave_goes_and_the_rest_stays(machine: Machine, name: str) -> None:
    setup = SETUP._replace(
        steps=(Step(("sh", "-c", f"{FILL} && mkdir -p .venv/more packages/a/node_modules"), "lock"),),
        provides=(*PROVIDES, "packages/a/node_modules"),
    )
    room = machine.room()
    machine.prepare(room, setup)
    before = (room / ".venv/lib/run.py").stat().st_ino
    for _ in range(2):
        (room / name).parent.mkdir(parents=True, exist_ok=True)
        (room / name).write_text("left")
        assert machine.prepare(room, setup).notes == ()
        assert not (room / name).exists()
    assert (room / ".venv/lib/run.py").stat().st_ino == before
    assert len(machine.ran) == 1


def test_what_a_tool_builds_beside_what_it_fetched_stays(machine: Machine) -> None:
    room = machine.room()
    machine.prepare(room, SETUP)
    (room / ".build/debug").mkdir()
    assert machine.prepare(room, SETUP).notes == ()
    assert (room / ".build/debug").is_dir()


def test_nothing_that_a_command_can_write_makes_a_patched_room_whole(machine: Machine) -> None:
    room = machine.room()
    machine.prepare(room, SETUP)
    before = {path: path.read_bytes() for path in room.rglob("*") if path.is_file() and path.name[0] == "."}
    same_size_and_time(room / ".venv/lib/run.py")
    for path, data in before.items():
        path.write_bytes(data)
    machine.prepare(room, SETUP)
    assert (room / ".venv/lib/run.py").read_text() == "honest\n"


@pytest.mark.parametrize("attack", [overwritten, Path.unlink])
def test_a_kept_copy_that_differs_is_made_anew(machine: Machine, attack: Callable[[Path], None]) -> None:
    machine.prepare(machine.room(), SETUP)
    (copy,) = (machine.base / "cache").glob("*/0/lib/run.py")
    attack(copy)
    other = machine.room("other")
    machine.prepare(other, SETUP)
    assert machine.ran == [FILL, FILL]
    assert (other / ".venv/lib/run.py").read_text() == "honest\n"
    machine.prepare(machine.room("third"), SETUP)
    assert machine.ran == [FILL, FILL]


def test_marks_of_rooms_that_are_gone_go_too(machine: Machine) -> None:
    for number in range(3):
        room = machine.room(f"room{number}")
        machine.prepare(room, SETUP)
        shutil.rmtree(room)
    machine.prepare(machine.room("last"), SETUP)
    assert len(list((machine.base / "cache/done").iterdir())) == 1


def test_odd_names_are_sealed_as_well(machine: Machine) -> None:
    odd = os.fsencode(machine.base / "room/deps") + b"/a\n\tb \xff"
    room = machine.room()
    setup = SETUP._replace(steps=(Step(("mkdir", "deps"), "lock"),), provides=("deps",))
    fill = setup._replace(
        steps=(Step(("sh", "-c", "mkdir deps && touch deps/\"$(printf 'a\\n\\tb \\377')\""), "lock"),)
    )
    machine.prepare(room, fill)
    assert Path(os.fsdecode(odd)).exists()
    assert machine.prepare(room, fill).notes == ()
    Path(os.fsdecode(odd)).write_text("x")
    assert [note.key for note in machine.prepare(room, fill).notes] == ["setup.altered"]
