"""The gate round the real agents of others: a scripted model stops when it likes, and may stop when it may."""

import pytest

from tests.clients.world import World

pytestmark = [pytest.mark.clients, pytest.mark.timeout(600)]
FIX = "sed -i.old 's/ + 1//' cart.py && rm cart.py.old"
TOUCH = "sed -i.old 's/sum(prices)/sum(prices) + 1/' cart.py && rm cart.py.old && echo '# sums' >> cart.py"


def test_who_stops_early_is_told_why_and_let_go_when_the_proof_is_there(world: World) -> None:
    run = world.client.run
    world.gate()
    with world.fake([run(TOUCH), "The cart adds up.", run(FIX), "Now it does."]) as fake:
        ran = world.play(fake)
    assert ran.exit == 0, ran
    assert (len(ran.asked), ran.left) == (4, 0), ran
    assert "This session is gated" in ran.told[0]  # the promise comes before the work
    assert "python -m unittest" in ran.told[0]
    assert "Not done yet" in ran.told[2]  # what is missing, and the end of what it printed
    assert "- python -m unittest: its own summary reports 1 failed" in ran.told[2]
    assert "AssertionError: 4 != 3" in ran.told[2]
    assert "Not done yet" not in ran.told[3]
    (only,) = world.runs()
    assert (only["agent"], only["state"], only["status"]) == (world.client.name, "done", "accepted")
    assert [each["status"] for each in world.of_type("decided")] == ["continue", "accepted"]
    assert "accepted" in world("show", "last").out


def test_what_the_prompt_asks_for_is_to_be_proven_too_and_is_the_users_word(world: World) -> None:
    prompt = "Make the cart add up. `python3 -m unittest test_cart` and `python3 cart.py` must pass."
    world.gate()
    with world.fake([world.client.run("echo '# sums' >> cart.py"), "It does."], then="repeat-last") as fake:
        ran = world.play(fake, prompt)
    assert ran.exit == 0, ran
    assert len(ran.asked) == 2, ran
    assert [each["text"] for each in world.of_type("agent_told")] == [prompt]
    (decided,) = world.of_type("decided")
    proven = {each["target"] for each in decided["results"] if each["passed"]}
    assert proven >= {"python -m unittest", "python3 -m unittest test_cart", "python3 cart.py"}


def test_who_never_mends_it_is_let_go_after_the_bound_and_not_accepted(world: World) -> None:
    world.gate()
    with world.fake([world.client.run(TOUCH), "It is done, believe me."], then="repeat-last") as fake:
        ran = world.play(fake)
    assert ran.exit == 0, ran
    blocked = [told for told in ran.told if "Not done yet" in told]
    assert 1 <= len(blocked) <= 20
    assert len(ran.asked) == 2 + len(blocked), ran
    (only,) = world.runs()
    assert (only["state"], only["stop_reason"]) == ("fail", "accept_continue_exhausted")
    assert "accepted" not in [each["status"] for each in world.of_type("decided")]


def test_who_changes_nothing_is_let_go_and_that_is_not_acceptance(world: World) -> None:
    world.gate()
    with world.fake(["The cart is fine as it is."], then="repeat-last") as fake:
        ran = world.play(fake, "What does the cart do?")
    assert ran.exit == 0, ran
    assert len(ran.asked) == 1, ran
    assert world.of_type("decided") == []
    assert world.runs()[0]["status"] != "accepted"


def test_in_a_folder_that_is_not_armed_nothing_happens(world: World) -> None:
    world.gate(arm=False)
    with world.fake([world.client.run(TOUCH), "Done."], then="repeat-last") as fake:
        ran = world.play(fake)
    assert ran.exit == 0, ran
    assert len(ran.asked) == 2, ran
    assert "donewhen" not in "\n".join(ran.told).replace(str(world.folder), "")
    assert world.runs() == []
    assert not list(world.home.glob(".local/state/donewhen/sessions/*"))


def test_two_sessions_at_once_are_gated_each_by_itself(world: World) -> None:
    run = world.client.run
    world.gate()
    rest = ("Done.", run(FIX), "Now it is.")
    with (
        world.fake([run("echo 1 > one.txt"), *rest], then="repeat-last") as one,
        world.fake([run("echo 2 > two.txt"), *rest], then="repeat-last") as two,
        world.started(one) as first,
        world.started(two) as second,
    ):
        ran = [world.ended(first, one), world.ended(second, two)]
    assert [each.exit for each in ran] == [0, 0], "\n".join(map(str, ran))
    runs = world.runs()
    assert [each["status"] for each in runs] == ["accepted", "accepted"]
    assert len({each["run"] for each in runs}) == 2
    for each in runs:
        called = str(world.of_type("tool_called", each["run"]))
        assert ("one.txt" in called) != ("two.txt" in called)  # none has the calls of the other
