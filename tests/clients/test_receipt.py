"""A receipt about a real session of each client, from the log that it wrote itself; nothing is installed or armed."""

import json

import pytest

from donewhen.testing import Answer
from tests.clients.world import World

pytestmark = [pytest.mark.clients, pytest.mark.timeout(600)]
SAID = "I created `docs/usage.md` and `note.txt`. All tests pass."


def test_what_the_client_said_last_beside_what_is(world: World) -> None:
    write = world.client.run("echo hi > note.txt && sed -i 's/sum(prices)/sum(prices) + 1/' cart.py")
    with world.fake([write, Answer(SAID)]) as fake:
        ran = world.play(fake)
    assert ran.exit == 0, ran
    done = world("receipt", "--json")
    assert done.exit == 1, done
    found = json.loads(done.out)
    assert found["client"] == world.client.name
    assert [(line["mark"], line["claim"]) for line in found["claims"]] == [
        ("✗", "docs/usage.md was made"),
        ("✓", "note.txt was made"),
        ("✗", "tests pass"),
    ]


def test_the_last_prompt_of_several_counts(world: World) -> None:
    for said in (SAID, "What shall I do next?"):
        with world.fake([Answer(said)]) as fake:
            ran = world.play(fake)
        assert ran.exit == 0, ran
    done = world("receipt", "--json")
    assert (done.exit, json.loads(done.out)["claims"]) == (0, [])
