"""A path under two names: the real client takes one of them, and the guard has judged both."""

import json

from donewhen.testing import Call
from tests.clients.world import World

ONLY = ("opencode",)


def test_a_second_name_for_the_path_hides_nothing(world: World) -> None:
    world.gate()
    own = world.repo / ".donewhen" / "hidden.yml"
    write = Call("write", {"file_path": "ok.py", "filePath": str(own), "content": "x: 1\n"})
    with world.fake([write, "I could not."], then="repeat-last") as fake:
        ran = world.play(fake)
    assert ran.exit == 0, ran
    assert not own.exists()
    assert "own-state" in json.dumps(world.of_type("denied"))
