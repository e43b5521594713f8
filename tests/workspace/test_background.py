"""Commands in the background: looked at, waited for, killed, reported, never left."""

import asyncio
import os

import pytest

from donewhen.core.errors import AgentError
from donewhen.workspace.processes.background import Background, Status
from donewhen.workspace.processes.command import Finished

LOCK = "exec 9>lock; flock 9; "


class Reports(list):
    def __call__(self, handle: str, finished: Finished) -> None:
        self.append((handle, finished.exit, finished.killed, finished.timed_out))


def test_a_result_is_reported_though_nobody_asks(place):
    reports = Reports()

    async def main() -> None:
        async with Background(reports) as background:
            handle = background.start(place.command("echo hi; exit 4"))
            status = await background.wait(handle)
            assert not status.running and status.finished is not None
            assert (status.finished.exit, status.output.text) == (4, "hi\n")

    asyncio.run(main())
    assert reports == [("b1", 4, False, False)]


def test_output_is_there_while_it_runs_and_by_offset(place):
    os.mkfifo(place.workspace / "go")

    async def main() -> None:
        async with Background(Reports()) as background:
            handle = background.start(place.command("echo one; echo -n half; read -r _ <go; echo; echo two"))
            while not (status := await background.wait(handle, 0.02)).output.text.endswith("half"):
                assert status.running
            first = background.read(handle, 0)
            assert first.text == "one\n"
            await asyncio.to_thread((place.workspace / "go").write_text, "\n")
            status = await background.wait(handle)
            assert status.output.text == "one\nhalf\ntwo\n"
            assert background.read(handle, first.next).text == "half\ntwo\n"

    asyncio.run(main())


def test_killing_reports_and_leaves_nothing(place):
    reports = Reports()

    async def main() -> None:
        async with Background(reports) as background:
            handle = background.start(place.command(LOCK + "echo up; setsid sleep 1000 & wait"))
            while not (await background.wait(handle, 0.02)).output.text:
                pass
            status = await background.kill(handle)
            assert status.finished is not None and status.finished.killed
            assert (await background.kill(handle)) == status
            assert background.handles() == (handle,)

    asyncio.run(main())
    assert reports == [("b1", None, True, False)]
    assert place.is_free()


def test_closing_kills_all_and_reports_all(place):
    reports = Reports()

    async def main() -> None:
        async with Background(reports) as background:
            for n in range(3):
                handle = background.start(place.command(f"exec 9>lock{n}; flock 9; echo up; sleep 1000"))
                while not (await background.wait(handle, 0.02)).output.text:
                    pass

    asyncio.run(main())
    assert sorted(reports) == [(f"b{n}", None, True, False) for n in (1, 2, 3)]
    assert all(place.is_free(f"lock{n}") for n in range(3))


def test_a_cancelled_loop_leaves_nothing(place):
    os.mkfifo(place.workspace / "ready")
    reports = Reports()

    async def main() -> None:
        background = Background(reports)
        background.start(place.command(LOCK + "trap '' TERM; echo >ready; while :; do sleep 0.1; done"))
        await asyncio.to_thread((place.workspace / "ready").read_text)
        raise RuntimeError("the loop ends without closing")

    with pytest.raises(RuntimeError):
        asyncio.run(main())
    assert place.is_free()
    assert reports == [("b1", None, True, False)]


def test_a_short_foreground_command_just_ends(place):
    async def main() -> None:
        async with Background(Reports()) as background:
            done = await background.foreground(place.command("echo quick"), 60)
            assert isinstance(done, Finished) and done.output.text == "quick\n"
            assert background.handles() == ()

    asyncio.run(main())


def test_a_long_foreground_command_moves_to_the_background_untouched(place):
    os.mkfifo(place.workspace / "go")
    reports = Reports()

    async def main() -> None:
        async with Background(reports) as background:
            moved = await background.foreground(place.command("echo a; read -r _ <go; echo b"), 0.3)
            assert isinstance(moved, Status) and moved.running
            await asyncio.to_thread((place.workspace / "go").write_text, "\n")
            assert (await background.wait(moved.handle)).output.text == "a\nb\n"

    asyncio.run(main())
    assert reports == [("b1", 0, False, False)]


def test_a_time_limit_holds_in_front_and_behind(place):
    reports = Reports()

    async def main() -> None:
        async with Background(reports) as background:
            done = await background.foreground(place.command("sleep 1000", timeout=0.1), 60)
            assert isinstance(done, Finished) and done.timed_out
            moved = await background.foreground(place.command("sleep 1000", timeout=0.3), 0.1)
            assert isinstance(moved, Status)
            assert (await background.wait(moved.handle)).finished is not None

    asyncio.run(main())
    assert reports == [("b1", None, False, True)]


def test_an_unknown_handle_is_told_to_the_agent(place):
    async def main() -> None:
        async with Background(Reports()) as background:
            with pytest.raises(AgentError, match="no background command b9"):
                background.status("b9")

    asyncio.run(main())


def test_a_loop_that_ends_at_once_leaves_nothing(place):
    reports = Reports()

    async def main() -> None:
        Background(reports).start(place.command(LOCK + "sleep 1000"))
        raise RuntimeError("before its watcher took a step")

    with pytest.raises(RuntimeError):
        asyncio.run(main())
    assert reports == [("b1", None, True, False)]
    assert place.is_free()


def test_a_cancelled_watcher_still_has_a_status(place):
    async def main() -> None:
        background = Background(Reports())
        handle = background.start(place.command("sleep 1000"))
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.wait(others)
        status = background.status(handle)
        assert status.finished is not None and status.finished.killed

    asyncio.run(main())


def test_closing_ends_what_is_in_front_too_and_starts_nothing_more(place):
    os.mkfifo(place.workspace / "ready")

    async def main() -> None:
        background = Background(Reports())
        command = place.command(LOCK + "echo >ready; sleep 1000")
        front = asyncio.create_task(background.foreground(command, 600))
        await asyncio.to_thread((place.workspace / "ready").read_text)
        await background.close()
        done = await front
        assert isinstance(done, Finished) and done.killed
        for again in (background.foreground(command, 1), asyncio.to_thread(background.start, command)):
            with pytest.raises(AgentError, match="the run is over"):
                await again
        assert background.handles() == ()

    asyncio.run(main())
    assert place.is_free()
