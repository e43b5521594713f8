"""A client of others at work in the user's own folder, and one that somebody stops in the middle of it."""

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from donewhen.core.events import run
from tests.clients_support import FIX, Fake, claude
from tests.helpers import Cli
from tests.projects import CART, TESTS, git
from tests.runs import QUICK, bodies, broken_cart

GATES = False


class Held:
    """A run whose client has begun to write and does not come to an end."""

    def __init__(self, cli: Cli, *more: str) -> None:
        self.cli, self.fake = cli, Fake(cli, "claude")
        seen, orphan = (self.fake.folder / name for name in ("seen", "orphan"))
        start = f"(setsid sh -c 'echo $$ >{orphan}; exec sleep 1000' &)"
        wait = f"while [ ! -s {orphan} ]; do sleep 0.02; done"
        hang = (
            f"echo half > half.txt; {start}; {wait}; echo $$ > {seen}.tmp; mv {seen}.tmp {seen}; sleep 1000"
        )
        self.fake.plan({"shell": hang}, {**FIX, "shell": "rm -f half.txt", "print": claude()})
        words = ["run", "Fix the cart", "--accept", TESTS, "--agent", "claude", "--json", *QUICK, *more]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "donewhen", *words],
            cwd=cli.folder,
            env=cli.env | {"PATH": self.fake.path},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        while not seen.exists():
            assert self.process.poll() is None, self.process.communicate()
            time.sleep(0.02)
        self.pids = [seen.read_text().strip(), orphan.read_text().strip()]

    @property
    def run(self) -> str:
        return str(self.cli("list", "--json").json["runs"][0]["run"])

    def end(self) -> int:
        self.process.communicate()
        assert not [pid for pid in self.pids if Path(f"/proc/{pid}").exists()]
        return self.process.returncode


def launched(cli: Cli) -> list[str]:
    """What the hook of a client that a run started is told; nothing when no such client is at work."""
    return sorted(path.name for path in (cli.state / "launched").iterdir())


def test_in_place_the_users_own_folder_is_where_it_works(cli: Cli):
    user = broken_cart(cli)
    head = git(user, "rev-parse", "HEAD")
    fake = Fake(cli, "claude")
    fake.plan({"print": claude("All tests pass.")}, {**FIX, "print": claude()})
    done = fake.run("claude", "--in-place", *QUICK)
    assert (done.exit, done.json["decision"]["stop_reason"]) == (0, "accepted"), done.err
    assert {call["cwd"] for call in fake.calls} == {str(user)}
    assert (user / "cart.py").read_text() == CART
    assert git(user, "show", f"{done.json['branch']}:cart.py") == CART.rstrip()
    assert git(user, "rev-parse", "HEAD") == head
    assert launched(cli) == []


@pytest.mark.runs
def test_in_place_a_commit_of_its_own_is_no_way_round_the_gate(cli: Cli):
    """Without walls it can write the repository; what it did there is judged all the same."""
    user = broken_cart(cli)
    fake = Fake(cli, "claude")
    fake.plan({"shell": "git commit -q --allow-empty -m mine", "print": claude()})
    done = fake.run("claude", "--in-place", *QUICK)
    assert done.exit != 0
    assert done.json["decision"]["stop_reason"] != "accepted"
    assert git(user, "branch", "--list", "donewhen/*") == ""


@pytest.mark.runs
@pytest.mark.parametrize("more", [(), ("--in-place",)], ids=["clone", "in place"])
def test_an_interrupt_ends_the_client_and_a_resume_calls_it_again(cli: Cli, more: tuple[str, ...]):
    broken_cart(cli)
    held = Held(cli, *more)
    held.process.send_signal(signal.SIGINT)
    assert held.process.stderr
    said = held.process.stderr.readline()
    assert b"press Ctrl-C again" in said
    held.process.send_signal(signal.SIGINT)
    assert held.end() == 130
    assert cli("show", held.run, "--json").json["state"] == "paused"
    assert launched(cli) == []
    done = cli("resume", held.run, "--json", PATH=held.fake.path)
    assert (done.exit, done.json["state"]) == (0, "done"), done.err
    assert len(held.fake.calls) == 2
    assert launched(cli) == []


@pytest.mark.runs
@pytest.mark.parametrize("more", [(), ("--in-place",)], ids=["clone", "in place"])
def test_an_abort_from_elsewhere_ends_the_client(cli: Cli, more: tuple[str, ...]):
    user = broken_cart(cli)
    held = Held(cli, *more)
    run_id = held.run
    assert cli("abort", run_id).exit == 0
    assert held.end() == 130
    decided = [each for each in bodies(cli, run_id) if isinstance(each, run.Decided)]
    assert decided[-1].stop_reason == "user_interrupt"
    assert len(held.fake.calls) == 1
    assert launched(cli) == []
    if more:
        assert (user / "half.txt").exists()
    assert git(user, "show", f"refs/donewhen/{run_id}/work:half.txt") == "half"
