"""`kill -9` while events are appended: nothing acknowledged is lost and the chain holds.

A child process appends in batches and acknowledges each batch on a pipe after the store did. The parent
reads a random number of acknowledgements, kills, and looks at what is in the file. No clock is involved:
the child runs on while the parent decides, so the kill hits anywhere in the next transactions.
"""

import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from donewhen.core.events import run
from donewhen.store.audit import audit
from donewhen.store.owner import this_process
from donewhen.store.sqlite import SqliteStore
from tests.helpers import RUN

KILLS = 500  # of writers, which are cheap: what shortens the campaign of whole runs does not shorten these
CHILD = """
import os, sys
from pathlib import Path
from donewhen.core.events import run
from donewhen.store.owner import this_process
from donewhen.store.sqlite import SqliteStore
path, name, size, first = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
store = SqliteStore(path)
lease = store.lease(name, this_process(), 600)
number = first
while True:
    if size % 5 == 0:
        store.post(name, run.Noted(str(number)), lease=lease)
        number += 1
    bodies = [run.Noted(str(number + n)) for n in range(size)]
    if size % 3 == 0:
        bodies.append(run.CostReserved(str(number), 1))
    if size % 4 == 0:
        bodies.append(run.Decided("continue"))
    store.append(name, *bodies, lease=lease)
    number += size
    os.write(1, b"%d\\n" % (number - 1))
"""


def kill_once(path: Path, rng: random.Random, first: int) -> int:
    """Start a writer, kill it after some acknowledgements, and return the last number it acknowledged."""
    size = rng.randint(1, 12)
    child = subprocess.Popen(
        [sys.executable, "-c", CHILD, str(path), RUN, str(size), str(first)], stdout=subprocess.PIPE
    )
    assert child.stdout
    acknowledged = first - 1
    for _ in range(rng.randint(1, 6)):
        acknowledged = int(child.stdout.readline())
    child.send_signal(signal.SIGKILL)
    rest = child.stdout.read().split(b"\n")  # what was acknowledged before the kill but not yet read
    child.wait()
    child.stdout.close()
    return int(rest[-2]) if len(rest) > 1 else acknowledged


def hold(path: Path, kills: int, seed: int) -> tuple[int, int]:
    """Kill `kills` writers one after another; (events in the file, acknowledged events not in it)."""
    lost = 0
    rng = random.Random(seed)
    with SqliteStore(path) as store:
        store.append(RUN, run.RunStarted("survive"))
    last = -1
    for _ in range(kills):
        acknowledged = kill_once(path, rng, last + 1)
        with SqliteStore(path) as store:
            numbers = [int(event.body.text) for event in store.read(RUN) if event.type == "noted"]
            assert numbers == list(range(len(numbers))), "a hole or a doubled event"
            lost += max(0, acknowledged + 1 - len(numbers))
            assert audit(store, RUN).ok
            lease = store.lease(RUN, this_process(), 1)  # the dead writer's lease is free at once
            store.release(lease)
            last = numbers[-1]
    return last + 1, lost


def test_a_few_kills_lose_nothing(tmp_path: Path):
    assert hold(tmp_path / "s.db", 4, seed=1)[1] == 0


@pytest.mark.faults
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("seed", range(10))
def test_hundreds_of_kills_lose_nothing(tmp_path: Path, seed: int, record_property):
    kept, lost = hold(tmp_path / "s.db", KILLS // 10, seed=100 + seed)
    record_property("kills", KILLS // 10)
    record_property("events kept", kept)
    record_property("acknowledged events lost", lost)
    assert lost == 0
