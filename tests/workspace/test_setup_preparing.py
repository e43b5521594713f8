"""Set-ups carried out: once, whole or not at all, kept for other rooms, and told when they fail."""

import asyncio
import os
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from donewhen.core.errors import SetupError
from donewhen.workspace.processes.command import Command, Finished
from donewhen.workspace.processes.running import run
from donewhen.workspace.setup import kept
from donewhen.workspace.setup.model import Prepared, Setup, Step
from donewhen.workspace.setup.preparing import prepare
from donewhen.workspace.setup.python import python_setup


class Machine:
    """Rooms with a cache beside them; every command that a set-up runs is written down."""

    def __init__(self, base: Path) -> None:
        self.base = base
        self.env = {"PATH": os.environ["PATH"], "HOME": str(base)}
        self.ran: list[str] = []

    def room(self, name: str = "room", **files: str) -> Path:
        room = self.base / name
        room.mkdir(exist_ok=True)
        for file, text in {"lock": "1", **files}.items():
            (room / file.replace("__", ".")).write_text(text)
        return room

    async def run(self, step: Step, folder: Path, env: Mapping[str, str]) -> Finished:
        self.ran.append(step.argv[-1])
        command = Command(folder=folder, outputs=self.base / "outputs", argv=step.argv, env=env, timeout=60)
        return await run(command)

    def prepare(self, room: Path, *setups: Setup) -> Prepared:
        return asyncio.run(prepare(setups, room, self.base / "cache", self.env, self.run))


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def shell(line: str, **more: object) -> Step:
    return Step(("sh", "-c", line), "lock")._replace(**more)  # type: ignore[arg-type]


FILL = "mkdir -p deps/bin && cat lock > deps/lock"


def filling(*steps: Step, **more: object) -> Setup:
    return Setup("x", "", steps or (shell(FILL),), ("lock",), ("deps",), ("deps/bin",))._replace(**more)  # type: ignore[arg-type]


def test_a_room_is_set_up_once(machine):
    room = machine.room()
    first = machine.prepare(room, filling())
    assert (first.kind, first.path, first.sources) == ("own", (str(room / "deps/bin"),), ("lock",))
    assert machine.prepare(room, filling()) == first
    assert machine.ran == [FILL]


def test_other_inputs_are_another_set_up(machine):
    room = machine.room()
    first = machine.prepare(room, filling())
    (room / "lock").write_text("2")
    second = machine.prepare(room, filling())
    assert machine.ran == [FILL, FILL]
    assert (room / "deps/lock").read_text() == "2"
    assert first.path == second.path


def test_another_room_starts_from_a_copy(machine):
    machine.prepare(machine.room(), filling())
    other = machine.room("other")
    machine.prepare(other, filling())
    assert machine.ran == [FILL]
    (other / "deps/lock").write_text("spoilt by an exam")
    third = machine.room("third")
    machine.prepare(third, filling())
    assert (third / "deps/lock").read_text() == "1"
    assert (third / "deps/lock").stat().st_nlink == 1


def test_steps_that_fill_the_tree_itself_are_run_again_for_a_copy(machine):
    found = filling(shell(FILL), again=(shell("echo built > built"),))
    machine.prepare(machine.room(), found)
    other = machine.room("other")
    machine.prepare(other, found)
    assert machine.ran == [FILL, "echo built > built"]
    assert (other / "built").exists()


def test_a_set_up_that_was_cut_short_is_made_again(machine):
    room = machine.room()
    with pytest.raises(SetupError):
        machine.prepare(room, filling(shell("mkdir -p deps && echo half > deps/half"), shell("exit 3")))
    machine.prepare(room, filling())
    assert not (room / "deps/half").exists()
    assert (room / "deps/lock").exists()


def test_what_was_removed_from_a_room_is_brought_back(machine):
    room = machine.room()
    machine.prepare(room, filling())
    shutil.rmtree(room / "deps")
    machine.prepare(room, filling())
    assert (room / "deps/lock").exists()


def test_a_failure_names_the_step_its_last_words_and_the_way_out(machine):
    step = shell("echo no compiler found; exit 4")
    with pytest.raises(SetupError) as caught:
        machine.prepare(machine.room(), filling(step))
    said = str(caught.value)
    assert all(word in said for word in ("exit code 4", "no compiler found", "workspace.setup", "(lock)"))
    assert caught.value.say("zh")


def test_less_is_tried_when_all_fails_and_the_rest_alone(machine):
    step = shell(
        "exit 1",
        instead=(("no-such-program", "x"), ("sh", "-c", "exit 2"), ("sh", "-c", FILL)),
        rest=(("sh", "-c", "echo more > more"), ("sh", "-c", "exit 5")),
    )
    room = machine.room()
    found = machine.prepare(room, filling(step))
    assert machine.ran == ["exit 1", "exit 2", FILL, "echo more > more", "exit 5"]
    assert [note.key for note in found.notes] == ["setup.simpler", "setup.optional_failed"]
    assert machine.prepare(room, filling(step)).notes == found.notes


def test_the_failure_of_an_optional_step_is_a_note(machine):
    found = machine.prepare(machine.room(), filling(shell(FILL), shell("exit 9", optional=True)))
    assert [note.key for note in found.notes] == ["setup.optional_failed"]


def test_a_set_up_that_fills_no_folder_is_marked_as_well(machine):
    setup = Setup("x", "", (shell("true"),), ("lock",))
    room = machine.room()
    machine.prepare(room, setup)
    machine.prepare(room, setup)
    assert machine.ran == ["true"]


def test_steps_see_what_the_set_up_provides_and_the_variables_of_the_step(machine):
    tool = "mkdir -p deps/bin && printf '#!/bin/sh\\necho $WORD > said' > deps/bin/tool && chmod +x deps/bin/tool"
    room = machine.room()
    machine.prepare(room, filling(shell(tool), Step(("tool",), "lock", env={"WORD": "hello"})))
    assert (room / "said").read_text() == "hello\n"


def test_two_at_once_set_up_once(machine):
    rooms = [machine.room("one"), machine.room("two")]

    async def both() -> None:
        await asyncio.gather(
            *(prepare([filling()], room, machine.base / "cache", machine.env, machine.run) for room in rooms)
        )

    asyncio.run(both())
    assert machine.ran == [FILL]
    assert all((room / "deps/lock").exists() for room in rooms)


def test_links_in_the_place_of_a_provided_folder_are_not_followed(machine):
    room = machine.room()
    outside = machine.base / "outside"
    outside.mkdir()
    (outside / "keep").write_text("")
    (room / "deps").symlink_to(outside)
    machine.prepare(room, filling())
    assert (outside / "keep").exists()
    assert not (room / "deps").is_symlink()


def test_the_oldest_copies_go(machine, tmp_path):
    room = machine.room()
    machine.prepare(room, filling())
    for number in range(kept.MOST + 3):
        kept.keep(tmp_path / "cache", f"copy{number}", room, ["deps"])
        os.utime(tmp_path / f"cache/copy{number}", (number + 1e9, number + 1e9))
    kept.keep(tmp_path / "cache", "last", room, ["deps"])
    assert kept.find(tmp_path / "cache", "copy0") is None
    assert kept.find(tmp_path / "cache", "last") is not None


def test_a_copied_python_environment_works_in_its_new_place(machine, tmp_path):
    files = {"shop__py": "", "test_shop__py": "import unittest\n"}
    room = machine.room("a", **files)
    setup = python_setup(room, [("python", "-m", "unittest")])
    assert setup is not None
    (machine.base / "unused").mkdir()
    machine.prepare(room, setup)
    site = next((room / ".venv/lib").glob("python*")) / "site-packages"
    name = site.relative_to(room)
    script = f"#!{room}/.venv/bin/python\nimport sys, shop; print(sys.prefix, shop.__file__)\n"
    (room / ".venv/bin/tool").write_text(script)
    (room / ".venv/bin/tool").chmod(0o755)
    (site / "shop.pth").write_text(f"{room}\n")
    kept.keep(machine.base / "cache", "copy", room, [".venv"])
    other = machine.room("b" * 150, **files)
    copy = kept.find(machine.base / "cache", "copy")
    assert copy is not None
    kept.bring(copy, other, [".venv"])
    assert (other / name / "shop.pth").read_text() == f"{other}\n"
    shutil.rmtree(room)
    said = subprocess.run(
        [other / ".venv/bin/tool"], capture_output=True, text=True, check=True, cwd="/"
    ).stdout
    assert said.split() == [str(other / ".venv"), str(other / "shop.py")]
