"""Control groups: used again when nobody stayed in them, and none left in the end."""

import asyncio
import os
import sys
from pathlib import Path

import pytest

from donewhen.workspace.processes.command import Limits
from donewhen.workspace.processes.groups import Pool
from donewhen.workspace.processes.running import run
from donewhen.workspace.sandbox.plan import Plan
from donewhen.workspace.sandbox.support import probe

pytestmark = pytest.mark.walls

MANY = """
import os, signal
for _ in range(20):
    if os.fork() == 0:
        signal.pause()
"""


@pytest.fixture
def parents() -> dict[str, str]:
    found = dict(probe().groups)
    if "pids" not in found:
        pytest.skip("no control group can be made here")
    return found


def test_an_empty_group_is_used_again_with_new_bounds(parents):
    pool = Pool()
    first = pool.take(parents, Limits(processes=10))
    second = pool.take(parents, Limits(processes=10))
    assert first.folders and first != second
    pool.give_back(first)
    again = pool.take(parents, Limits(processes=20))
    assert again == first
    assert (again.folders[0] / "pids.max").read_text() == "23\n"
    for each in (again, second):
        pool.give_back(each)
    pool.close()
    assert not any(folder.exists() for each in (first, second) for folder in each.folders)


def test_a_group_that_somebody_removed_is_not_missed(parents):
    pool = Pool()
    taken = pool.take(parents, Limits())
    taken.folders[0].rmdir()
    pool.give_back(taken)
    other = pool.take(parents, Limits(processes=30))
    assert (other.folders[0] / "pids.max").read_text() == "33\n"
    pool.give_back(other)
    pool.close()


@pytest.mark.parametrize("walls", ["none", "bubblewrap", "landlock"])
def test_commands_are_in_their_group(place, parents, walls):
    plan = (Plan() if walls == "none" else place.walls(walls))._replace(groups=tuple(parents.items()))
    words = (os.path.realpath(sys.executable), "-c", MANY)  # behind walls a temporary folder is not seen
    done = place.run("", text=None, argv=words, plan=plan, limits=Limits(processes=4), grace=0)
    assert "BlockingIOError" in done.output.text and done.exit == 1


def test_none_stays_after_the_loop(place, parents):
    async def main() -> list[str]:
        plan = Plan(groups=tuple(parents.items()))
        for _ in range(3):
            assert (await run(place.command("true", plan=plan))).exit == 0
        return [folder.name for folder in Path(parents["pids"]).glob(f"donewhen-{os.getpid()}-*")]

    assert len(asyncio.run(main())) == 1
    assert not list(Path(parents["pids"]).glob(f"donewhen-{os.getpid()}-*"))
