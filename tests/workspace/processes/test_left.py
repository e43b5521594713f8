"""What a command leaves running: kept under a handle where that is wanted, gone with whoever keeps it."""

import asyncio
import os

import pytest

from donewhen.workspace.processes.background import Background
from donewhen.workspace.processes.command import Command, Finished
from donewhen.workspace.processes.running import run
from donewhen.workspace.sandbox.plan import Plan
from tests.workspace.places import Place

pytestmark = pytest.mark.walls

LOCK = "exec 9>lock; flock 9; "
WALLS = ("none", "bubblewrap", "landlock")


class Reports(list):
    def __call__(self, handle: str, finished: Finished) -> None:
        self.append((handle, finished.exit, finished.killed, finished.rest))


@pytest.fixture(params=WALLS)
def walls(place: Place, request: pytest.FixtureRequest) -> Plan:
    return Plan() if request.param == "none" else place.walls(request.param)


def kept(place: Place, text: str, **more: object) -> Command:
    return place.command(text, keep_left=True, **more)


async def in_front(background: Background, command: Command) -> Finished:
    done = await background.foreground(command, 600)
    assert isinstance(done, Finished)
    return done


def test_the_result_comes_while_what_was_left_lives_on(place, walls):
    reports = Reports()
    os.mkfifo(place.workspace / "go")

    async def main() -> None:
        async with Background(reports) as background:
            text = LOCK + "(read -r _ <go; echo late) & echo up; exit 3"
            done = await in_front(background, kept(place, text, plan=walls))
            assert (done.exit, done.output.text, done.failure, done.left_behind) == (3, "up\n", None, 0)
            assert (done.left_running >= 1, done.handle, done.rest) == (True, "b1", False)
            assert background.alive() == ("b1",) and not place.is_free() and reports == []
            assert background.status("b1").finished == done and background.status("b1").alive
            await asyncio.to_thread((place.workspace / "go").write_text, "\n")
            status = await background.wait("b1")
            assert (status.alive, status.output.text) == (False, "up\nlate\n")
            assert background.alive() == ()

    asyncio.run(main())
    assert reports == [("b1", 3, False, True)]
    assert place.is_free()


@pytest.mark.parametrize("end", ["kill", "close"])
def test_what_was_left_goes_when_it_is_told_to(place, walls, end):
    reports = Reports()

    async def main() -> None:
        async with Background(reports) as background:
            text = LOCK + "setsid sleep 1000 >/dev/null 2>&1 & trap '' TERM; sleep 1000 &"
            done = await in_front(background, kept(place, text, plan=walls, grace=0.2))
            assert (done.exit, done.left_running) == (0, 2)
            if end == "kill":
                status = await background.kill(done.handle)
                assert status.finished is not None and status.finished.killed and not status.alive
                assert place.is_free()

    asyncio.run(main())
    assert reports == [("b1", None, True, True)]
    assert place.is_free()


def test_a_command_that_leaves_nothing_needs_no_handle(place, walls):
    async def main() -> None:
        async with Background(Reports()) as background:
            done = await in_front(background, kept(place, "echo hello > >(cat; echo late)", plan=walls))
            assert (done.output.text, done.left_running, done.handle) == ("hello\nlate\n", 0, "")
            assert background.handles() == background.alive() == ()

    asyncio.run(main())


def test_in_the_background_the_result_and_the_rest_are_reported_apart(place):
    reports = Reports()
    os.mkfifo(place.workspace / "go")

    async def main() -> None:
        async with Background(reports) as background:
            handle = background.start(kept(place, "read -r _ <go & exit 4", timeout=600))
            status = await background.wait(handle)
            assert status.finished is not None
            assert (status.finished.exit, status.finished.left_running, status.alive) == (4, 1, True)
            assert (status.finished.handle, reports) == (handle, [(handle, 4, False, False)])
            await asyncio.to_thread((place.workspace / "go").write_text, "\n")
            assert not (await background.wait(handle)).alive

    asyncio.run(main())
    assert reports == [("b1", 4, False, False), ("b1", 4, False, True)]


@pytest.mark.runs
def test_time_runs_for_the_command_and_not_for_what_it_leaves(place):
    async def main() -> None:
        async with Background(Reports()) as background:
            done = await in_front(background, kept(place, LOCK + "sleep 1000 & sleep 1000", timeout=0.3))
            assert (done.timed_out, done.left_running, background.alive()) == (True, 0, ())
            assert place.is_free()
            done = await in_front(background, kept(place, "sleep 1000 &", timeout=1))
            status = await background.wait(done.handle, 1.2)
            assert status.alive and not (status.finished and status.finished.timed_out)

    asyncio.run(main())


def test_nobody_keeps_what_a_single_run_leaves(place):
    done = asyncio.run(run(kept(place, LOCK + "sleep 1000 & echo up", grace=0.1)))
    assert (done.exit, done.left_running, done.handle) == (0, 0, "")
    assert done.left_behind >= 1 and place.is_free()


def test_a_loop_that_just_ends_takes_what_was_left_with_it(place):
    async def main() -> None:
        done = await in_front(Background(Reports()), kept(place, LOCK + "setsid sleep 1000 &"))
        assert done.left_running == 1
        raise RuntimeError("without closing")

    with pytest.raises(RuntimeError):
        asyncio.run(main())
    assert place.is_free()


def test_output_of_what_was_left_is_read_by_offset(place):
    os.mkfifo(place.workspace / "go")

    async def main() -> None:
        async with Background(Reports()) as background:
            done = await in_front(background, kept(place, "(read -r _ <go; echo two) & echo one"))
            first = background.read(done.handle, 0)
            assert first.text == "one\n"
            await asyncio.to_thread((place.workspace / "go").write_text, "\n")
            await background.wait(done.handle)
            assert background.read(done.handle, first.next).text == "two\n"

    asyncio.run(main())
