"""Every test here runs with each real client that is installed, in a world of its own."""

from pathlib import Path

import pytest

from tests.clients.known import CLIENTS
from tests.clients.world import World


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A module's `ONLY` names the clients it is about; otherwise all."""
    if "world" in metafunc.fixturenames:
        names = getattr(metafunc.module, "ONLY", tuple(CLIENTS))
        metafunc.parametrize("world", names, indirect=True)


@pytest.fixture
def world(tmp_path: Path, request: pytest.FixtureRequest) -> World:
    client = CLIENTS[request.param]
    if client.missing:
        pytest.skip(client.missing)
    return World(tmp_path, client)
