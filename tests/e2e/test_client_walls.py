"""`donewhen run --agent CLIENT` says what holds the client and what does not; required walls show its program."""

import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from donewhen.core.events import run
from donewhen.workspace.sandbox.support import probe
from tests.clients_support import FIX, Fake, claude
from tests.folders import usable
from tests.helpers import Cli, Result
from tests.projects import CART, TESTS
from tests.runs import QUICK, bodies, broken_cart

pytestmark = pytest.mark.walls

GATES = False
WALLS = ("--set", "sandbox.mode=required")
walled = pytest.mark.skipif(
    not (probe().bubblewrap and usable(Path("/tmp"))),
    reason="only bubblewrap covers the folder for temporary files, and programs must start there",
)


@pytest.fixture
def home() -> Iterator[Path]:
    """A home below a folder that the walls cover."""
    with tempfile.TemporaryDirectory(prefix="donewhen-test-", dir="/tmp") as folder:
        yield Path(folder)


def program(path: Path, runner: str = "/bin/sh") -> Path:
    """A client that mends the cart and says so, in the words of Claude Code."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!{runner}\ncat >cart.py <<'END'\n{CART}END\ncat <<'END'\n{claude()}\nEND\n")
    path.chmod(0o755)
    return path


def link(path: Path, target: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.symlink_to(target)
    return path


def worked(cli: Cli, home: Path, folder: Path, *more: str) -> Result:
    words = ("run", "Fix the cart", "--accept", TESTS, "--agent", "claude", *more, *QUICK)
    return cli(*words, HOME=str(home), PATH=f"{folder}:{cli.env['PATH']}")


def plain(home: Path) -> Path:
    return program(home / ".local/bin/claude")


def versions(home: Path) -> Path:
    program(home / ".local/share/claude/versions/2.1.3")
    return link(home / ".local/bin/claude", f"{home}/.local/share/claude/versions/2.1.3")


def npm(home: Path) -> Path:
    program(home / "npm/lib/node_modules/@anthropic-ai/claude-code/bin/cli.sh", "/usr/bin/env own-runner")
    link(home / "npm/bin/own-runner", "/bin/sh")
    return link(home / "npm/bin/claude", "../lib/node_modules/@anthropic-ai/claude-code/bin/cli.sh")


def linked_folder(home: Path) -> Path:
    program(home / "tools-2/claude")
    return link(home / "tools", "tools-2") / "claude"


def in_home(home: Path) -> Path:
    program(home / "opt/claude/run.sh")
    return link(home / "claude", "opt/claude/run.sh")


@walled
@pytest.mark.parametrize("made", [plain, versions, npm, linked_folder, in_home])
def test_required_walls_show_the_program_wherever_it_was_installed(
    cli: Cli, home: Path, made: Callable[[Path], Path]
):
    broken_cart(cli)
    done = worked(cli, home, made(home).parent, "--json", *WALLS)
    assert (done.exit, done.json["sandbox"]) == (0, "bubblewrap"), done.err


@walled
def test_walls_show_no_more_of_a_home_than_the_program(cli: Cli, home: Path):
    broken_cart(cli)
    (home / "private").write_text("of the user")
    (home / "bin").mkdir()
    client = program(home / "bin/claude")
    client.write_text(
        client.read_text().replace("\ncat >", f"\ncp {home}/private seen.txt\ntouch {home}/bin/x\ncat >", 1)
    )
    done = worked(cli, home, client.parent, "--json", *WALLS)
    assert (done.exit, done.json["changed"]) == (0, ["cart.py"]), done.err
    assert [each.name for each in client.parent.iterdir()] == ["claude"]


@walled
def test_a_program_that_the_walls_hide_is_told_at_once(cli: Cli):
    broken_cart(cli)
    client = program(cli.config / "claude")  # beside the user's settings, which no agent sees
    done = worked(cli, cli.folder.parent, client.parent, "--json", *WALLS)
    decision = done.json["decision"]
    assert (done.exit, decision["stop_reason"]) == (5, "fatal_error")
    assert str(client) in decision["summary"] and "inside the sandbox" in decision["summary"]
    noted = [each.text for each in bodies(cli, done.json["run"]) if isinstance(each, run.Noted)]
    assert not any("cost" in text for text in noted)


def test_what_does_not_hold_a_client_is_said_first_and_last(cli: Cli):
    broken_cart(cli)
    fake = Fake(cli, "claude")
    fake.plan({**FIX, "print": claude()})
    done = worked(cli, Path(os.environ["HOME"]), fake.folder)
    assert done.exit == 0, done.err
    shown = " ".join((done.out + done.err).split())
    first, _, last = shown.partition("accepted")
    for text in ("claude works outside of the sandbox", "the budget is not enforceable while claude works"):
        assert text in first
    assert "the budget is not enforceable while claude works" in last
    assert "sandbox: claude works outside of it" in last


@pytest.mark.runs
def test_of_a_program_that_never_started_no_cost_is_told(cli: Cli):
    broken_cart(cli)
    client = program(cli.folder.parent / "bin/claude", f"{sys.executable}-not-there")
    done = worked(cli, cli.folder.parent, client.parent, "--json")
    noted = [each.text for each in bodies(cli, done.json["run"]) if isinstance(each, run.Noted)]
    assert done.exit == 5
    assert not any("cost" in text for text in noted)


@pytest.mark.runs
def test_of_a_program_without_tokens_none_are_said_to_be_booked(cli: Cli):
    broken_cart(cli)
    fake = Fake(cli, "worker")
    fake.plan(FIX)
    done = fake.run("command:worker", *QUICK)
    noted = [each.text for each in bodies(cli, done.json["run"]) if isinstance(each, run.Noted)]
    assert done.exit == 0, done.err
    assert "what worker costs is not known, so nothing is booked for it and no budget ends it" in noted
    assert "Fix the cart" in fake.calls[0]["stdin"]
