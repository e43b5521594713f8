"""Full and read-only disks, for real: a small file system of its own in a private namespace.

Each case: the command ends with exit 5 (or 2), one sentence, and what was there before is still there whole.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from donewhen.core.events import run
from donewhen.store.artifacts import Artifacts
from donewhen.store.audit import audit
from donewhen.store.memory import MemoryStore
from donewhen.store.sqlite import SqliteStore
from donewhen.store.transfer import export_lines
from tests.helpers import RUN

pytestmark = pytest.mark.faults

FULL = 'mount -t tmpfs -o size="$1",mode=700 tmpfs "$2" && cp -a "$3/." "$2/" && shift 3 && "$@"; code=$?; cp -a "$AFTER_FROM/." "$AFTER_TO/"; exit $code'
READ_ONLY = 'mount --bind "$2" "$2" && mount -o remount,bind,ro "$2" && shift 3 && exec "$@"'


@pytest.fixture(autouse=True)
def namespaces() -> None:
    unshare = shutil.which("unshare")
    if not unshare or subprocess.run([unshare, "-Urm", "true"], capture_output=True, check=False).returncode:
        pytest.skip("needs `unshare -Urm` (user and mount namespaces)")


class Disk:
    """A folder that a command sees as a small or read-only file system."""

    def __init__(self, folder: Path) -> None:
        self.mount, self.before, self.after = (folder / name for name in ("disk", "before", "after"))
        for each in (self.mount, self.before, self.after):
            each.mkdir()

    def run(self, script: str, size: str, *words: str) -> subprocess.CompletedProcess[str]:
        env = os.environ | {
            "DONEWHEN_STATE_DIR": str(self.mount / "state"),
            "DONEWHEN_CONFIG_DIR": str(self.mount / "config"),
            "AFTER_FROM": str(self.mount),
            "AFTER_TO": str(self.after),
            "LANG": "C.UTF-8",
        }
        command = ["unshare", "-Urm", "sh", "-c", script, "sh", size, str(self.mount), str(self.before)]
        python = [sys.executable, "-m", "donewhen"]
        return subprocess.run(
            [*command, *python, *words], capture_output=True, text=True, env=env, cwd=self.mount, check=False
        )


@pytest.fixture
def disk(tmp_path: Path) -> Disk:
    return Disk(tmp_path)


def parcel(path: Path, run_id: str, events: int) -> Path:
    store = MemoryStore()
    store.append(run_id, run.RunStarted("big"), *[run.Noted("x" * 1000)] * events)
    path.write_bytes(
        b"".join(line.encode() + b"\n" for line in export_lines(store, Artifacts(path.parent), run_id))
    )
    return path


def keep_a_run(state: Path) -> None:
    with SqliteStore(state / "donewhen.db") as store:
        store.append(RUN, run.RunStarted("kept"), run.Decided("accepted"))


def test_an_import_onto_a_full_disk_leaves_the_store_as_it_was(disk: Disk, tmp_path: Path):
    keep_a_run(disk.before / "state")
    big = parcel(tmp_path / "big.jsonl", "r-20261115043751-ffffff", 2000)
    done = disk.run(FULL, "600k", "import", str(big))
    assert done.returncode == 5, done
    assert done.stderr.count("\n") == 1
    assert "no space is left" in done.stderr
    with SqliteStore(disk.after / "state" / "donewhen.db") as store:
        assert [row.goal for row in store.runs()] == ["kept"]
        assert audit(store, RUN).ok
        store.append(RUN, run.Noted("space again"))


def test_a_store_that_can_not_even_be_made_says_so(disk: Disk, tmp_path: Path):
    (disk.before / "filler").write_bytes(b"x" * 60_000)
    done = disk.run(FULL, "64k", "import", str(parcel(tmp_path / "p.jsonl", RUN, 1)))
    assert done.returncode == 5, done
    assert done.stderr.count("\n") == 1


def test_an_export_onto_a_full_disk_leaves_no_part(disk: Disk):
    with SqliteStore(disk.before / "state" / "donewhen.db") as store:
        store.append(RUN, run.RunStarted("big"), *[run.Noted("x" * 1000)] * 300)
    done = disk.run(FULL, "700k", "export", RUN, "-o", str(disk.mount / "out.jsonl"))
    assert done.returncode == 5, done
    assert "can't be written" in done.stderr
    assert [path.name for path in disk.after.iterdir()] == ["state"]


def test_a_migration_on_a_full_disk_leaves_the_original(disk: Disk):
    text = "verification: {enabled: true}\n" + "# a long comment\n" * 2000
    (disk.before / "config").mkdir()
    (disk.before / "config" / "config.yml").write_text(text)
    (disk.before / "filler").write_bytes(b"x" * 20_000)
    done = disk.run(FULL, "64k", "config", "migrate", str(disk.mount / "config" / "config.yml"))
    assert done.returncode == 5, done
    assert (disk.after / "config" / "config.yml").read_text() == text


def test_a_migration_on_a_read_only_disk_says_so(disk: Disk):
    text = "verification: {enabled: true}\n"
    (disk.mount / "config.yml").write_text(text)
    done = disk.run(READ_ONLY, "", "config", "migrate", str(disk.mount / "config.yml"))
    assert done.returncode == 5, done
    assert "is as it was" in done.stderr
    assert [path.name for path in disk.mount.iterdir()] == ["config.yml"]


def test_a_read_only_store_can_not_be_written(disk: Disk, tmp_path: Path):
    keep_a_run(disk.mount / "state")
    small = parcel(tmp_path / "p.jsonl", "r-20261115043751-ffffff", 1)
    done = disk.run(READ_ONLY, "", "import", str(small))
    assert done.returncode == 5, done
    assert done.stderr.count("\n") == 1
    assert "can't be" in done.stderr
    with SqliteStore(disk.mount / "state" / "donewhen.db") as store:
        assert [row.goal for row in store.runs()] == ["kept"]


def test_a_read_only_store_can_be_read(disk: Disk):
    keep_a_run(disk.mount / "state")
    for words in (["list", "-q"], ["audit", RUN, "-q"], ["show", RUN]):
        done = disk.run(READ_ONLY, "", *words)
        assert (done.returncode, done.stderr) == (0, ""), done


def test_a_read_only_home_is_no_trouble_for_reading_nothing(disk: Disk):
    done = disk.run(READ_ONLY, "", "list", "--json")
    assert done.returncode == 0, done
    assert '"runs": []' in done.stdout
