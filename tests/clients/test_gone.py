"""A donewhen that is gone or broken, under the real agents of others: nobody is stopped, and one message says so."""

import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

import pytest

import donewhen
from tests.clients.world import World

pytestmark = [pytest.mark.clients, pytest.mark.timeout(600)]
FIX = "sed -i.old 's/ + 1//' cart.py && rm cart.py.old"
TOLD = "donewhen could not start"


class Installed:
    """An installation of its own: a virtual environment with a donewhen that can be taken away."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "installed"
        venv.create(self.folder, symlinks=True)
        self.bin = self.folder / "bin"
        (site,) = self.folder.glob("lib/python3*/site-packages")
        self.package = site / "donewhen"
        shutil.copytree(
            Path(donewhen.__file__).parent, self.package, ignore=shutil.ignore_patterns("__pycache__")
        )
        own = next(Path(sys.prefix).resolve().glob("lib/python3*/site-packages"))
        (site / "libraries.pth").write_text(f"{own}\n")
        self.program = self.bin / "donewhen"
        self.program.write_text(f"#!{self.bin / 'python'}\nfrom donewhen.__main__ import main\nmain()\n")
        self.program.chmod(0o755)

    def break_(self, how: str) -> None:
        match how:
            case "uninstalled":  # as `pip uninstall` leaves it
                self.program.unlink()
                shutil.rmtree(self.package)
            case "folder":
                shutil.rmtree(self.folder)
            case "python":
                for name in self.bin.glob("python*"):
                    name.unlink()
                (self.bin / "python").write_text(
                    "#!/bin/sh\necho 'Fatal Python error: init_fs_encoding' >&2\nexit 1\n"
                )
                (self.bin / "python").chmod(0o755)
            case "module":  # a part of the package only: the hook starts, and what it needs is not there
                (self.package / "integrations/hook/handling.py").unlink()
            case "library":  # the hook is whole, what its worker loads is not
                (self.package / "config/__init__.py").write_text("import no_such_library\n")


def install(world: World) -> Installed:
    """For the client of this world, whose folder is armed."""
    made = Installed(world.folder)
    world.env["PATH"] = f"{made.bin}{os.pathsep}{world.env['PATH']}"
    for words in (["install", world.client.name, "--user"], ["arm"]):
        subprocess.run([made.program, *words], cwd=world.repo, env=world.env, check=True, capture_output=True)
    return made


@pytest.fixture
def installed(world: World) -> Installed:
    return install(world)


@pytest.mark.parametrize("how", ["uninstalled", "folder", "python", "module", "library"])
def test_prompts_tools_and_stops_go_on_and_one_message_says_so(
    world: World, installed: Installed, how: str
) -> None:
    installed.break_(how)
    with world.fake([world.client.run(FIX), "It adds up."]) as fake:
        ran = world.play(fake)
    assert ran.exit == 0, ran
    assert (len(ran.asked), ran.left) == (2, 0), ran
    assert "+ 1" not in (world.repo / "cart.py").read_text()
    assert TOLD not in "\n".join(ran.told), ran  # the agent has nothing to do with it
    (note,) = (world.home / ".local/state/donewhen/hook-gaps").iterdir()
    assert note.read_text().startswith(f"{world.client.name} ")


def test_a_session_with_a_gap_is_never_accepted(world: World, installed: Installed) -> None:
    """donewhen is away for the first tool call of the agent, and back for the rest."""
    names = (installed.program, installed.program.with_name("away"))
    for script, (here, there) in {"away.sh": names, "back.sh": names[::-1]}.items():
        (world.repo / script).write_text(f"mv {here} {there}\n")
    work = [world.client.run(command) for command in ("sh away.sh", "sh back.sh", FIX)]
    with world.fake([*work, "Done."]) as fake:
        ran = world.play(fake)
    assert ran.exit == 0, ran
    assert "+ 1" not in (world.repo / "cart.py").read_text(), ran.told
    (only,) = world.runs()
    assert only["status"] != "accepted"
    assert world.of_type("decided") == []
    assert "can't be accepted" in world("logs", "last").out
