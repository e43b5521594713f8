"""What our hook refuses to a client that a run started: told while the client works, and once for each call."""

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

from donewhen.core.events import facts
from tests.clients_support import FIX, Fake, claude
from tests.helpers import Cli
from tests.projects import TESTS
from tests.runs import QUICK, bodies, broken_cart

GATES = False
HOOK = shlex.join([sys.executable, "-m", "donewhen", "hook", "claude", "PreToolUse"])


def asks(folder: Path, call: str, command: str) -> str:
    """Words of a shell that ask the hook about a command as the client does, in the folder it works in."""
    payload = {"session_id": "s", "hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_use_id": call}
    file = folder / f"{call}.json"
    file.write_text(json.dumps(payload | {"tool_input": {"command": command}}))
    return f"{HOOK} <{file}"


def test_a_call_that_two_hooks_refuse_is_told_once_and_while_the_client_works(cli: Cli):
    broken_cart(cli)
    fake = Fake(cli, "claude")
    go_on = fake.folder / "go-on"
    os.mkfifo(go_on)
    first = asks(fake.folder, "toolu_1", "git push --force origin main")
    second = asks(fake.folder, "toolu_2", "git push --force origin main")
    fake.plan(
        {**FIX, "shell": f"{first} & {first}; wait; timeout 100 cat {go_on}; {second}", "print": claude()}
    )
    words = ["run", "Fix the cart", "--accept", TESTS, "--agent", "claude", *QUICK]
    env = cli.env | {"PATH": fake.path, "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(
        [sys.executable, "-m", "donewhen", *words], cwd=cli.folder, env=env, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout
        shown = [next(line for line in process.stdout if "donewhen refuses this" in line)]
        assert process.poll() is None
        go_on.write_text("on")
        shown += [line for line in process.stdout if "donewhen refuses this" in line]
    assert process.returncode == 0
    assert [line.split()[:2] for line in shown] == [["✗", "Bash"]] * 2
    run_id = cli("list", "--json").json["runs"][0]["run"]
    denied = [each for each in bodies(cli, run_id) if isinstance(each, facts.Denied)]
    assert [each.tool for each in denied] == ["Bash", "Bash"]
    assert not list((cli.state / "launched").iterdir())
