"""Red and green are compared within one era; only a foreign hand begins a new one."""

from donewhen.run.engine.eras import Eras


def test_what_a_test_itself_leaves_begins_no_era():
    eras = Eras()
    first = eras.begin("empty")
    eras.end("counter=1")  # the test wrote a counter
    assert eras.begin("counter=1") == first
    eras.end("counter=2")
    assert eras.now == first


def test_an_install_between_two_runs_begins_one():
    eras = Eras()
    red = eras.begin("empty")
    eras.end("empty")
    green = eras.begin("node_modules")  # somebody put it there
    assert green != red
    assert eras.now == green
