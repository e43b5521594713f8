"""The server of ready supervisors: used again, replaced when it dies, never in the way, gone in the end."""

import asyncio
import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from donewhen.workspace.processes.command import Finished
from donewhen.workspace.processes.loops import shared
from donewhen.workspace.processes.running import run
from donewhen.workspace.sandbox.plan import Plan
from tests.workspace.places import Place

pytestmark = pytest.mark.walls

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="there is a server on Linux alone")
LOCK = "exec 9>lock; flock 9; "


def server_of(place: Place) -> int:
    server = shared().server_for(place.command("true"))
    assert server is not None
    return server.pid


def children(pid: int) -> list[int]:
    with suppress(FileNotFoundError, ProcessLookupError):  # gone meanwhile
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    return []


def waiting(server: int) -> list[int]:
    """What the server has forked ahead: the supervisor, and the process that will become the command."""
    ahead = children(server)
    return (
        [*ahead, *children(ahead[0])] if len(ahead) == 1 else []
    )  # one that has done its work may be leaving


def gone(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()[0] in (b"Z", b"X")
    except FileNotFoundError:
        return True


async def until(seen: object, *, tries: int = 500) -> None:
    """Wait in small steps for something that another process does."""
    for _ in range(tries):
        if callable(seen) and seen():
            return
        await asyncio.sleep(0.01)
    raise AssertionError("it did not happen")


def test_one_server_serves_all_commands_of_a_loop(place):
    async def main() -> set[int]:
        pids = set()
        for _ in range(3):
            assert (await run(place.command("true"))).exit == 0
            pids.add(server_of(place))
        return pids

    (pid,) = asyncio.run(main())
    assert gone(pid)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSTOP], ids=["killed", "stopped"])
@pytest.mark.parametrize("whom", ["server", "supervisor", "command", "all"])
def test_a_command_runs_whatever_was_done_to_the_server(place, number, whom):
    async def main() -> list[Finished]:
        await run(place.command("true"))
        server = server_of(place)
        await until(lambda: len(waiting(server)) == 2)
        supervisor, command = waiting(server)
        each = {"server": [server], "supervisor": [supervisor], "command": [command]}
        pids = each.get(whom, [server, supervisor, command])
        for pid in pids:
            os.kill(pid, number)
        if number == signal.SIGKILL:  # a supervisor that dies later takes a command with it that runs
            await until(lambda: all(map(gone, pids)))
        return [await run(place.command(f"echo {n}")) for n in range(3)]

    done = asyncio.run(main())
    assert [(each.exit, each.output.text) for each in done] == [(0, "0\n"), (0, "1\n"), (0, "2\n")]


def test_a_command_goes_on_when_its_server_dies(place):
    os.mkfifo(place.workspace / "ready")
    os.mkfifo(place.workspace / "go")

    async def main() -> Finished:
        task = asyncio.create_task(run(place.command("echo >ready; read -r _ <go; echo on; exit 5")))
        await asyncio.to_thread((place.workspace / "ready").read_text)
        os.kill(server_of(place), signal.SIGKILL)
        await asyncio.to_thread((place.workspace / "go").write_text, "\n")
        return await task

    done = asyncio.run(main())
    assert (done.exit, done.output.text, done.failure) == (5, "on\n", None)


def test_a_command_can_not_reach_the_server_by_its_files(place):
    """Its streams, and what the listing itself opens: nothing of the server's or the supervisor's."""

    async def main() -> str:
        done = await run(place.command("", text=None, argv=("ls", "-l", "/proc/self/fd")))
        return done.output.text

    shown = asyncio.run(main())
    assert "socket:" not in shown and len([line for line in shown.splitlines() if "->" in line]) == 4


def test_the_server_is_not_traceable(place):
    async def main() -> list[int]:
        server = server_of(place)
        await until(lambda: len(waiting(server)) == 2)
        return [Path(f"/proc/{pid}/environ").stat().st_uid for pid in (server, *waiting(server))]

    if os.geteuid() == 0:
        pytest.skip("root may trace everything")
    assert set(asyncio.run(main())) == {0}


CHILD = """
import asyncio, sys
from pathlib import Path
from donewhen.workspace.processes.command import Command
from donewhen.workspace.processes.loops import shared
from donewhen.workspace.processes.running import run
async def main():
    folder = Path(sys.argv[1])
    command = Command(folder, folder / "outputs", text=sys.argv[2], env={"PATH": "/usr/bin:/bin"})
    print(shared().server_for(command).pid, flush=True)
    await run(command)
asyncio.run(main())
"""


@pytest.mark.parametrize("stopped", [False, True], ids=["", "stopped"])
def test_killing_donewhen_kills_the_server_too(place, stopped):
    os.mkfifo(place.workspace / "ready")
    text = LOCK + "setsid sleep 1000 & echo >ready; sleep 1000"
    words = [sys.executable, "-c", CHILD, str(place.workspace), text]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        server = int(child.stdout.readline())
        (place.workspace / "ready").read_text()
        if stopped:
            os.kill(server, signal.SIGSTOP)
        child.send_signal(signal.SIGKILL)
    subprocess.run(["flock", str(place.workspace / "lock"), "true"], check=True)
    asyncio.run(until(lambda: gone(server)))


def test_a_loop_that_was_only_closed_is_cleared_by_the_next(place):
    loop = asyncio.new_event_loop()

    async def main() -> int:
        await run(place.command("true"))
        return server_of(place)

    first = loop.run_until_complete(main())
    loop.close()
    assert not gone(first)
    asyncio.run(main())
    assert gone(first)


def test_many_at_once_each_have_their_own(place):
    """All wait until the last one is there, so none can have the supervisor of another."""
    wait = "cat; echo $PPID; : >there$PPID; until (( $(ls | grep -c there) == 20 )); do sleep 0.01; done"

    async def main() -> list[str]:
        runs = [run(place.command(wait, stdin=b"%d " % n)) for n in range(20)]
        return [done.output.text for done in await asyncio.gather(*runs)]

    said = [text.split() for text in asyncio.run(main())]
    assert [int(number) for number, _ in said] == list(range(20))
    assert len({parent for _, parent in said}) == 20


def test_walls_of_landlock_come_from_the_server_too(place):
    plan = place.walls("landlock", network="none")

    async def main() -> list[Finished]:
        texts = ("echo x >../outside/file", "echo y >inside", "cat ../home/.netrc")
        return [await run(place.command(text, plan=plan)) for text in texts]

    denied, allowed, hidden = asyncio.run(main())
    assert (denied.exit, allowed.exit, hidden.exit) == (1, 0, 1)
    assert not (place.outside / "file").exists() and (place.workspace / "inside").exists()


def test_large_orders_fit(place):
    big = {"BIG": "x" * 100_000, **{f"V{n}": "y" * 50_000 for n in range(10)}}
    done = place.run("echo ${#BIG} ${#V9}", env={**place.env, **big}, plan=Plan())
    assert done.output.text == "100000 50000\n"


def test_a_supervisor_that_is_stopped_on_its_way_out_does_not_stay(place):
    async def main() -> int:
        supervisor = int((await run(place.command("echo $PPID"))).output.text)
        with suppress(ProcessLookupError):
            os.kill(supervisor, signal.SIGSTOP)
        return supervisor

    for _ in range(5):
        supervisor = asyncio.run(main())
        asyncio.run(until(lambda pid=supervisor: gone(pid)))


def test_short_commands_one_after_the_other_have_the_same_supervisor(place):
    async def main() -> set[str]:
        return {(await run(place.command("echo $PPID"))).output.text for _ in range(5)}

    assert len(asyncio.run(main())) < 5  # one that a busy machine made long is relieved


def test_a_supervisor_whose_command_left_something_serves_no_other(place):
    async def main() -> tuple[Finished, Finished]:
        first = await run(place.command("setsid sleep 1000 & echo $PPID"))
        return first, await run(place.command("echo $PPID"))

    first, second = asyncio.run(main())
    assert (first.exit, second.exit) == (0, 0) and first.left_behind == 1
    assert first.output.text != second.output.text


def test_one_that_waits_behind_a_long_command_is_not_kept_waiting_for_its_end(place):
    async def main() -> tuple[Finished, Finished]:
        os.mkfifo(place.workspace / "go")
        first = asyncio.create_task(run(place.command("read -r _ <go; echo first")))
        second = await run(place.command("echo >go; echo second"))
        return await first, second

    assert [done.output.text for done in asyncio.run(main())] == ["first\n", "second\n"]


def test_what_one_command_sets_for_itself_the_next_one_does_not_have(place):
    async def main() -> list[str]:
        texts = (
            "cd / && ulimit -n 17 && trap '' TERM && export LEFT=1; umask 077",
            "pwd; ulimit -n; umask; echo $LEFT",
        )
        before = await run(place.command(texts[1]))
        await run(place.command(texts[0]))
        return [before.output.text, (await run(place.command(texts[1]))).output.text]

    before, after = asyncio.run(main())
    assert before == after


def test_a_command_is_the_first_to_go_when_memory_is_short_and_its_supervisor_is_not(place):
    text = "cat /proc/self/oom_score_adj; cat /proc/$PPID/oom_score_adj"
    own, above = asyncio.run(run(place.command(text))).output.text.split()
    assert (own, above) == ("500", Path("/proc/self/oom_score_adj").read_text().strip())


def test_an_empty_input_is_no_file(place):
    """Programs that search their input when it is a file, and else their folder, search the folder."""
    text = "[ -f /dev/stdin ] && echo file; [ -p /dev/stdin ] && echo pipe; cat; echo over"
    assert asyncio.run(run(place.command(text))).output.text == "over\n"
