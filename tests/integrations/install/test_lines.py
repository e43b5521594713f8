"""The installed line as a client runs it: donewhen's own answers pass, its absence stops nobody."""

import json
import os
import subprocess
from pathlib import Path

from donewhen.integrations.install.clients import CLIENTS
from donewhen.integrations.install.lines import command_of, gone
from tests.tables import table_test

HOOKED = [name for name in CLIENTS if name != "opencode"]
SHELLS = ["sh", "bash"]


class Client:
    """A process that runs the lines, each with a shell of its own, as clients do."""

    def __init__(self, folder: Path, script: str | None) -> None:
        self.folder = folder
        self.program = folder / "it's here" / "donewhen"
        if script is not None:
            self.program.parent.mkdir()
            self.program.write_text(script)
            self.program.chmod(0o755)

    def __call__(
        self, event: str, name: str = "claude", shell: str = "sh", **env: str
    ) -> "subprocess.CompletedProcess[str]":
        line = command_of(name, event, str(self.program))
        given = {"PATH": os.environ["PATH"], "HOME": str(self.folder), **env}
        return subprocess.run([shell, "-c", line], capture_output=True, text=True, check=False, env=given)

    @property
    def notes(self) -> list[Path]:
        return sorted((self.folder / ".local/state/donewhen/hook-gaps").glob("*"))


@table_test("code", [0, 2])
@table_test("shell", SHELLS)
def test_an_answer_passes_as_it_is(tmp_path, shell, code):
    client = Client(tmp_path, f"#!/bin/sh\necho out; echo err >&2; exit {code}\n")
    done = client("Stop", shell=shell)
    assert (done.returncode, done.stdout, done.stderr) == (code, "out\n", "err\n")
    assert client.notes == []


@table_test(
    "script",
    [
        None,
        "#!/no/such/interpreter\n",
        "#!/bin/sh\nexit 1\n",
        "#!/bin/sh\nexit 3\n",
        "#!/bin/sh\nkill -9 $$\n",
        "\x7fELF broken",
    ],
)
@table_test("shell", SHELLS)
def test_a_program_that_is_gone_or_broken_allows_and_says_so_once(tmp_path, script, shell):
    client = Client(tmp_path, script)
    first, *rest = [client(event, shell=shell) for event in CLIENTS["claude"].events]
    told = gone("claude")
    assert first.returncode == 0
    assert json.loads(first.stdout) == {"systemMessage": told}
    assert told in first.stderr
    assert [(each.returncode, each.stdout, told in each.stderr) for each in rest] == [(0, "", False)] * len(
        rest
    )
    assert [note.name for note in client.notes] == [str(os.getpid())]


@table_test("name", HOOKED)
def test_every_client_hears_its_own_name(tmp_path, name):
    done = Client(tmp_path, None)(CLIENTS[name].events[0], name)
    assert f"donewhen uninstall {name}" in json.loads(done.stdout)["systemMessage"]


def test_a_note_that_can_not_be_kept_stops_nobody(tmp_path):
    done = Client(tmp_path, None)("PreToolUse", DONEWHEN_STATE_DIR="/proc/nowhere")
    assert done.returncode == 0
    assert "systemMessage" in done.stdout
