"""`kill -9` of a `verify` that has just put a mutant of the product into a room of its own."""

import os
import shutil
import signal
import subprocess
import sys
import time

import pytest

from tests.e2e.test_strength import JAVASCRIPT, LOOSE, NODE_TEST, asked
from tests.helpers import Cli
from tests.projects import git, repository, write

pytestmark = pytest.mark.faults
GATES = False  # they have tests of their own
ASKED = ("verify", "--accept", "npm test", "--json")


@pytest.mark.skipif(not shutil.which("npm"), reason="needs npm")
def test_no_mutant_outlives_the_verify_that_was_killed(cli: Cli):
    files = {"cart.mjs": JAVASCRIPT, "cart.test.mjs": NODE_TEST}
    project = repository(cli.folder, files | {"package.json": '{"scripts": {"test": "node --test"}}\n'})
    write(project, {"cart.test.mjs": LOOSE})
    before = git(project, "status", "--porcelain"), git(project, "diff")
    process = subprocess.Popen(
        [sys.executable, "-m", "donewhen", *ASKED],
        cwd=project,
        env=cli.env,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    while not mutants(cli):
        assert process.poll() is None, "it ended before a mutant was seen"
        time.sleep(0.005)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    assert (git(project, "status", "--porcelain"), git(project, "diff")) == before
    assert (project / "cart.mjs").read_text() == JAVASCRIPT
    done = cli(*ASKED)
    assert (done.exit, asked(done)) == (4, ["adds up"]), done.out
    assert mutants(cli) == []


def mutants(cli: Cli) -> list[str]:
    """What a room has in the place of the product."""
    rooms = cli.state.parent.glob("cache/*/rooms/*/cart.mjs")
    texts = [path.read_text() for path in rooms]
    return [text for text in texts if text and text != JAVASCRIPT]
