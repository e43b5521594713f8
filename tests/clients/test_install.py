"""Install and uninstall round a real client: its files come back byte for byte, and it works as before."""

import json

import pytest

from tests.clients.test_gate import TOUCH
from tests.clients.world import World

pytestmark = [pytest.mark.clients, pytest.mark.timeout(600)]


def test_uninstall_leaves_the_clients_files_as_they_were(world: World) -> None:
    before = world.files()
    world.gate()
    ours = {name for name, data in world.files().items() if b"donewhen" in data}
    assert ours
    with world.fake([world.client.run(TOUCH), "Done."], then="repeat-last") as fake:
        gated = world.play(fake)
    assert len(gated.asked) > 2, gated
    done = world("uninstall", world.client.name, "--user")
    assert done.exit == 0, done
    after = world.files()
    names = ours | before.keys()  # beside them, a client makes files of its own when it is started
    assert {name: after.get(name) for name in names} == {name: before.get(name) for name in names}
    with world.fake([world.client.run(TOUCH), "Done."], then="repeat-last") as fake:
        free = world.play(fake)
    assert (free.exit, len(free.asked)) == (0, 2), free


def test_a_second_install_changes_nothing(world: World) -> None:
    world.gate()
    before = world.files()
    done = world("install", world.client.name, "--user", "--json")
    assert done.exit == 0, done
    assert json.loads(done.out)["status"] == "already"
    assert world.files() == before


def test_doctor_says_that_the_client_is_gated(world: World) -> None:
    world.gate()
    done = world("doctor")
    assert world.client.name in done.out, done
    assert "Traceback" not in done.err
