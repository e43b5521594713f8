"""The plugins of this repository, installed and removed by the clients' own commands."""

import json
import os
import subprocess
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.clients.known import ROOT
from tests.clients.test_gate import FIX, TOUCH
from tests.clients.world import LONGEST, World

pytestmark = [pytest.mark.clients, pytest.mark.timeout(600)]
ID = "donewhen@donewhen"


class Plugin(NamedTuple):
    install: tuple[tuple[str, ...], ...]
    remove: tuple[tuple[str, ...], ...]
    more: tuple[str, ...] = ()  # words of a session


# OpenCode has no command that takes a plugin out again: `donewhen uninstall` does.
PLUGINS = {
    "claude": Plugin(
        (("plugin", "marketplace", "add", str(ROOT)), ("plugin", "install", ID)),
        (("plugin", "uninstall", ID), ("plugin", "marketplace", "remove", "donewhen")),
    ),
    "codex": Plugin(
        (("plugin", "marketplace", "add", str(ROOT)), ("plugin", "add", ID)),
        (("plugin", "remove", ID), ("plugin", "marketplace", "remove", "donewhen")),
        ("--dangerously-bypass-hook-trust",),  # a user reviews them at the next start
    ),
    "gemini": Plugin(
        (("extensions", "install", str(ROOT / "plugins" / "gemini"), "--consent"),),
        (("extensions", "uninstall", "donewhen"),),
    ),
    "opencode": Plugin((("plugin", str(ROOT / "plugins" / "opencode"), "--global"),), ()),
}


@pytest.fixture
def plugged(world: World) -> World:
    config = world.home / ".codex" / "config.toml"
    if config.exists():
        config.write_text(config.read_text().replace("plugins = false", "plugins = true"))
    for words in PLUGINS[world.client.name].install:
        ask(world, *words)
    assert world("arm").exit == 0
    return world


def ask(world: World, *words: str) -> str:
    """The client's own command; whatever it asks is answered with yes."""
    with world.fake([]) as fake:
        env = {**world.env, **world.client.env(fake, world.home)}
    done = subprocess.run(
        [str(world.client.program), *words],
        input="y\ny\n",
        capture_output=True,
        text=True,
        env=env,
        cwd=world.repo,
        timeout=LONGEST,
        check=False,
    )
    assert done.returncode == 0, (words, done.stdout, done.stderr)
    return done.stdout


def active(world: World) -> list[str]:
    """Files of the client that still name us, but for its own copies and records of the past."""
    skipped = (
        "/cache/",
        "/backups/",
        "/history/",
        "/tmp/",
        "/projects/",
        "/sessions/",
        ".log",
        "/file-history/",
    )
    found = world.files().items()
    return [
        name
        for name, data in found
        if b"donewhen" in data.replace(os.fsencode(world.folder), b"")
        and not any(one in name for one in skipped)
    ]


def test_one_step_gates_and_leaves_nothing(plugged: World) -> None:
    world, plugin = plugged, PLUGINS[plugged.client.name]
    run = world.client.run
    with world.fake([run(TOUCH), "The cart adds up.", run(FIX), "Now it does."]) as fake:
        ran = world.play(fake, "Make the cart add up.", *plugin.more)
    assert (ran.exit, len(ran.asked), ran.left) == (0, 4, 0), ran
    assert "Not done yet" in ran.told[2]
    (only,) = world.runs()
    assert (only["agent"], only["status"]) == (world.client.name, "accepted")
    for words in plugin.remove:
        ask(world, *words)
    if not plugin.remove:
        assert world("uninstall", world.client.name).exit == 0
    assert not [
        name for name in active(world) if "settings" in name or "config" in name or "opencode.json" in name
    ]
    with world.fake([run(TOUCH), "Done."], then="repeat-last") as fake:
        free = world.play(fake, "Make the cart add up.", *plugin.more)
    assert (free.exit, len(free.asked)) == (0, 2), free


def test_doctor_and_install_know_of_it(plugged: World) -> None:
    name = plugged.client.name
    said = plugged("doctor").out
    assert "not gated" not in next(line for line in said.splitlines() if name in line), said
    again = plugged("install", name)
    if name == "opencode":  # one entry takes the other's place
        assert again.exit == 0, again
        assert json.loads((plugged.home / ".config/opencode/opencode.json").read_text())["plugin"][1:] == []
    else:
        assert again.exit == 2, again
        assert "plugin" in again.err


def test_without_donewhen_nobody_is_stopped(plugged: World) -> None:
    """The plugin calls the donewhen of the PATH; where none is, it says so and lets everything be."""
    world, plugin = plugged, PLUGINS[plugged.client.name]
    bare = [each for each in world.env["PATH"].split(os.pathsep) if not (Path(each) / "donewhen").exists()]
    world.env["PATH"] = os.pathsep.join(bare)
    with world.fake([world.client.run(TOUCH), "Done."], then="repeat-last") as fake:
        ran = world.play(fake, "Make the cart add up.", *plugin.more)
    assert (ran.exit, len(ran.asked)) == (0, 2), ran
    (note,) = world.home.glob(".local/state/donewhen/hook-gaps/*")
    assert note.read_text().startswith(world.client.name)
