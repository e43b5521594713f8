"""One process at a time owns a folder; the system lets go of it when that process ends."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from donewhen.core.errors import SetupError
from donewhen.workspace.rooms.lease import lease, lease_file

HOLD = """
import os, sys
from pathlib import Path
from donewhen.workspace.rooms.lease import lease
with lease(Path(sys.argv[1])):
    os.write(1, b"mine\\n")
    sys.stdin.read()
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "room").mkdir()
    return tmp_path / "room"


def hold(folder: Path) -> subprocess.Popen[bytes]:
    child = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert child.stdout and child.stdout.readline() == b"mine\n"
    return child


def test_a_second_process_hears_who_holds_it(folder):
    with hold(folder) as child:
        with pytest.raises(SetupError) as refused, lease(folder):
            pass
        assert f"process {child.pid} " in str(refused.value)
        assert " UTC)" in str(refused.value)
        child.communicate()
    with lease(folder):
        pass


def test_it_dies_with_its_process(folder):
    with hold(folder) as child:
        child.send_signal(signal.SIGKILL)
        assert child.wait() == -signal.SIGKILL
        with lease(folder):
            pass


def test_one_waits_for_it_if_asked(folder):
    with hold(folder) as child:
        assert child.stdin
        child.stdin.close()  # it lets go some time from now
        with lease(folder, wait=60):
            pass


def test_the_same_process_does_not_get_it_twice(folder):
    with lease(folder), pytest.raises(SetupError, match=str(os.getpid())), lease(folder):
        pass


def test_the_file_goes_with_the_folder_and_stays_otherwise(folder):
    with lease(folder):
        pass
    assert lease_file(folder).exists()
    with lease(folder):
        folder.rmdir()
    assert not lease_file(folder).exists()


def test_a_planted_link_is_not_followed(folder, tmp_path):
    target = tmp_path / "precious"
    target.write_text("precious")
    lease_file(folder).symlink_to(target)
    with pytest.raises(SetupError), lease(folder):
        pass
    assert target.read_text() == "precious"


def test_a_file_with_nonsense_in_it_still_gives_a_sentence(folder):
    with lease(folder):
        lease_file(folder).write_bytes(b"\xff\xfe" * 200)
        with pytest.raises(SetupError, match=r"process \?"), lease(folder):
            pass
