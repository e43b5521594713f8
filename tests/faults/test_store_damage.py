"""What a crash of the machine can leave of the store's file: a torn last write, a page of nonsense.

The first is as if it had not been written, the second is found and refused: nothing damaged is used silently.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from donewhen.core.errors import DonewhenError
from donewhen.core.events import run
from donewhen.store.audit import audit
from donewhen.store.sqlite import SqliteStore
from tests.faults.scenes import Scene
from tests.helpers import RUN

pytestmark = pytest.mark.faults
WRITE = """
import os, sys
from pathlib import Path
from donewhen.core.events import run
from donewhen.store.sqlite import SqliteStore
store = SqliteStore(Path(sys.argv[1]))
store.append(sys.argv[2], run.RunStarted("torn"))
for number in range(20):
    store.append(sys.argv[2], run.Noted(str(number)))
os.kill(os.getpid(), 9)
"""


@pytest.mark.parametrize("cut", [1, 7, 100, 2000, 4120, 9000])
def test_a_torn_last_write_is_as_if_it_had_not_been(tmp_path: Path, cut: int):
    path = tmp_path / "donewhen.db"
    subprocess.run([sys.executable, "-c", WRITE, str(path), RUN], check=False)
    wal = path.with_name("donewhen.db-wal")
    os.truncate(wal, wal.stat().st_size - cut)
    with SqliteStore(path) as store:
        numbers = [event.body.text for event in store.read(RUN) if event.type == "noted"]
        assert numbers == [str(number) for number in range(len(numbers))]
        assert audit(store, RUN).ok
        store.append(RUN, run.Noted("after"))
        assert audit(store, RUN).ok
    assert 16 <= len(numbers) < 20


def test_a_page_of_nonsense_is_refused(tmp_path: Path):
    whole = tmp_path / "whole.db"
    with SqliteStore(whole) as store:
        store.append(RUN, run.RunStarted("kept"), *[run.Noted("x" * 500)] * 200)
    pages = whole.stat().st_size // 4096
    told = 0
    for page in range(1, pages):
        path = tmp_path / f"{page}.db"
        shutil.copyfile(whole, path)
        with path.open("r+b") as file:
            file.seek(page * 4096)
            file.write(os.urandom(4096))
        told += _refused(path)
        path.unlink()
    assert told > pages // 2  # pages of indexes that nothing reads, and free ones, may be anything


def _refused(path: Path) -> bool:
    """Whether the damage is told; what is read without a word must be what was written."""
    try:
        with SqliteStore(path) as store:
            if audit(store, RUN).findings:
                return True
            texts = [event.body.text for event in store.read(RUN) if event.type == "noted"]
    except DonewhenError as error:
        assert error.key.startswith(("store.", "audit.", "chain.")), error
        return True
    assert texts == ["x" * 500] * 200
    return False


def test_a_run_whose_store_is_damaged_is_refused_and_not_gone_on_with(tmp_path: Path):
    scene = Scene(tmp_path)
    process = scene.under_way()
    process.kill()
    process.communicate()
    with SqliteStore(scene.stage.state / "donewhen.db"):
        pass  # closing it brings all into the one file
    path = scene.stage.state / "donewhen.db"
    kept = path.read_bytes()
    path.write_bytes(kept[:4096] + os.urandom(len(kept) - 4096))
    done = scene.resumed("-q")
    assert (done.exit, "Traceback" in done.err) == (5, False), done
    assert done.err.count("\n") == 1
    path.write_bytes(kept)
    for ending in ("-wal", "-shm"):
        path.with_name(path.name + ending).unlink(missing_ok=True)
    assert scene.same(scene.resumed())
