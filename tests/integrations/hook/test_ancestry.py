"""The commands of the human below the process of a gated client: refused, unless he typed them to it."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from donewhen.integrations.install.lines import command_of
from tests.integrations.hook.samples import event

DONEWHEN = str(Path(sys.executable).with_name("donewhen"))
# A client that calls its hooks as the installed lines say, and then does what its agent wants.
CLIENT = """
import json, subprocess, sys
asked = json.load(sys.stdin)
for line, payload in asked["hooks"]:
    done = subprocess.run(["sh", "-c", line], input=json.dumps(payload).encode(), capture_output=True)
    print(json.dumps([done.returncode, done.stdout.decode(), done.stderr.decode()]))
for words in asked["commands"]:
    done = subprocess.run(words, capture_output=True)
    print(json.dumps([done.returncode, done.stdout.decode(), done.stderr.decode()]))
"""
HUMAN = (
    ["pause"], ["off"], ["on"], ["amend", "last", "--drop", "x"], ["confirm"], ["deny", "q-1"],
    ["approve", "x"], ["trust"], ["disarm"], ["uninstall", "claude"], ["-q", "off"],
    ["verify", "--permit", "tests/x.py"], ["verify", "--confirmed=q-1"], ["run", "x", "--permit", "y"],
)  # fmt: skip


def client(place, name, hooks, commands):
    """What a client of this name gets from its hooks and commands."""
    program = place.home / name
    if not program.exists():
        program.symlink_to(sys.executable)
    given = {"hooks": hooks, "commands": commands}
    env = {**place.env, "PYTHONHOME": sys.base_prefix, "PATH": os.environ["PATH"]}
    done = subprocess.run(
        [str(program), "-c", CLIENT],
        input=json.dumps(given).encode(),
        capture_output=True,
        cwd=place.repo,
        env=env,
        check=True,
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.fixture
def prompted(place):
    place.arm()
    place.session()
    place.tell({"prompt": {"say": {"context": ""}}})
    return [
        [
            command_of("claude", "UserPromptSubmit", DONEWHEN),
            event("claude", "prompt", place.repo, prompt="x"),
        ]
    ]


def _run(*words):
    return [sys.executable, "-m", "donewhen", *words]


def test_they_are_refused_below_a_gated_client_however_deep(place, prompted):
    commands = [_run(*words) for words in HUMAN]
    hook, *found = client(place, "claude", prompted, commands)
    assert hook == [0, "", ""]
    for words, (code, out, err) in zip(HUMAN, found, strict=True):
        assert (code, out) == (2, ""), words
        assert "is for the human" in err, words
    deep = ["sh", "-c", f"sh -c '{sys.executable} -m donewhen off; true'; {sys.executable} -m donewhen off"]
    assert client(place, "claude", prompted, [deep])[1][0] == 2
    assert not (place.state / "paused").exists()


def test_looking_is_not(place, prompted):
    commands = [_run("guard", "rules"), _run("off", "--help")]
    assert [each[0] for each in client(place, "claude", prompted, commands)[1:]] == [0, 0]


def test_beside_the_client_they_work(place, prompted):
    client(place, "claude", prompted, [])
    done = subprocess.run(_run("off"), cwd=place.repo, env=place.env, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr


def test_who_tries_a_hook_in_a_shell_is_no_client(place, prompted):
    assert client(place, "bash", prompted, [_run("off")])[1][0] == 0


def test_typed_as_a_prompt_it_is_the_human(place, prompted):
    typed = event("claude", "prompt", place.repo, prompt="/donewhen off")
    hooks = [*prompted, [command_of("claude", "UserPromptSubmit", DONEWHEN), typed]]
    _, answer, again = client(place, "claude", hooks, [_run("on")])
    assert "not gated" in json.loads(answer[1])["reason"]
    assert again[0] == 2
    assert list((place.state / "typed").iterdir()) == []
