"""`donewhen fake-model`: an endpoint from the command line."""

import json
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from donewhen.testing import FakeModel
from tests.helpers import Cli
from tests.testing.asking import client

GATES = False  # they have tests of their own
PAGE = Path(__file__).parents[2] / "docs" / "fake-model.md"
ASKED: dict[str, Any] = {"model": "m", "messages": [{"role": "user", "content": "hi"}]}


@contextmanager
def playing(cli: Cli, *words: str) -> Iterator[tuple[subprocess.Popen[str], dict[str, Any]]]:
    """The command while it runs, and the object that it prints when it is ready."""
    process = subprocess.Popen(
        [sys.executable, "-m", "donewhen", "fake-model", *words, "--json"],
        cwd=cli.folder,
        env=cli.env,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout
        text = ""
        for line in process.stdout:
            text += line
            if line == "}\n":
                break
        yield process, json.loads(text)
    finally:
        process.kill()
        process.communicate()


def written(cli: Cli, text: str) -> str:
    (cli.folder / "script.yml").write_text(text)
    return "script.yml"


def test_it_plays_until_it_is_stopped(cli: Cli):
    script = written(cli, "- hello\n- {fault: 503}\n- never\n")
    with playing(cli, script, "--key", "sk-right", "--log", "log.jsonl") as (process, told):
        url = told["urls"]["openai"] + "/chat/completions"
        keys = ("sk-right", "sk-wrong", "sk-right")
        found = [
            client().post(url, json=ASKED, headers={"authorization": f"Bearer {key}"}).status_code
            for key in keys
        ]
        process.send_signal(signal.SIGINT)
        _, err = process.communicate()
    assert (found, process.returncode) == ([200, 401, 503], 0)
    assert "POST /v1/chat/completions · 401 · refused: key" in err
    assert "3 requests" in err
    assert "1 answers not played" in err
    log = cli.folder / "log.jsonl"
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    assert [line["status"] for line in lines] == found
    assert [line["body"] for line in lines] == [ASKED] * 3
    assert log.stat().st_mode & 0o777 == 0o600
    assert "sk-" not in log.read_text() + err
    assert "export OPENAI_API_KEY=sk-right" in told["use"]["donewhen"]
    assert told["use"]["gemini"][1] == "export GEMINI_API_KEY=sk-right"


def test_sigterm_ends_it_too(cli: Cli):
    with playing(cli, written(cli, "- hello\n")) as (process, _):
        process.terminate()
        process.communicate()
    assert process.returncode == 0


def test_it_says_how_to_use_it(cli: Cli):
    with playing(cli, written(cli, "answers: [hello]\nmodels: ['my model']\n")) as (_, told):
        urls, use = told["urls"], told["use"]
    assert urls["openai"] == f"http://127.0.0.1:{told['port']}/v1"
    assert "export DONEWHEN_TOOLS__LLM__MODEL='my model'" in use["donewhen"]
    assert f"export ANTHROPIC_BASE_URL={urls['anthropic']}" in use["claude"]
    assert "wire_api=responses" in use["codex"][-1]
    variables: Any = dict(_variable(line) for line in use["donewhen"])
    shown = cli("config", "show", "--json", **variables)
    values = shown.json["values"]
    assert values["tools.llm.base_url"]["origin"].startswith("environment")
    assert values["tools.llm.model"]["value"] == "my model"


def test_it_tells_opencode_its_provider_without_a_file(cli: Cli):
    with playing(cli, written(cli, "answers: [hello]\nmodels: ['my model']\n")) as (_, told):
        key, line = told["use"]["opencode"]
        url = told["urls"]["openai"]
    assert key == "export OPENAI_API_KEY=fake"
    (word,) = shlex.split(line.removeprefix("export "))
    settings = json.loads(word.removeprefix("OPENCODE_CONFIG_CONTENT="))
    assert settings["model"] == "fake/my model"
    assert settings["provider"]["fake"]["options"] == {"baseURL": url, "apiKey": "{env:OPENAI_API_KEY}"}


def test_what_is_asked_without_tools_can_be_answered_aside(cli: Cli):
    tool = {"type": "function", "function": {"name": "look", "parameters": {"type": "object"}}}
    with playing(cli, written(cli, "- one\n- two\n"), "--aside", "A title") as (_, told):
        url = told["urls"]["openai"] + "/chat/completions"
        asked = [ASKED | {"tools": [tool]}, ASKED, ASKED | {"tools": [tool]}]
        said = [client().post(url, json=each).json()["choices"][0]["message"]["content"] for each in asked]
    assert said == ["one", "A title", "two"]


def _variable(line: str) -> tuple[str, str]:
    name, _, value = line.removeprefix("export ").partition("=")
    return name, value.strip("'")


def test_the_example_of_the_page_plays(cli: Cli):
    (text,) = re.findall(r"```yaml\n(.*?)```", PAGE.read_text(), re.DOTALL)
    asked = ASKED | {"messages": [{"role": "user", "content": "Fix the discount."}]}
    with playing(cli, written(cli, text)) as (_, told):
        url = told["urls"]["openai"] + "/chat/completions"
        found = [client().post(url, json=asked) for _ in range(5)]
    assert [each.status_code for each in found] == [429, 200, 200, 200, 200]
    names = [each.json()["choices"][0]["message"]["tool_calls"][0]["function"]["name"] for each in found[1:]]
    assert names == ["run_command", "edit_file", "complete", "complete"]


def test_the_python_example_of_the_page_runs(cli: Cli):
    (code,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL)
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=cli.folder
    )
    assert done.stdout.endswith("[] [] 3 0\n")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("answers:\n  - hi\n  - txet: hi\n", "script.yml:3 has the key `txet`"),
        ("- hi\n- text: hi\n  fault:\n    kind: flood\n", "script.yml:4: `kind` is `flood`"),
        ("- hi\n- text: 7\n", "script.yml:2: `text` must be a text"),
        ("- hi\n- [\n", "script.yml:3"),
        ("", "script.yml:1 is not a script"),
        ("{}", "script.yml:1 is not a script"),
    ],
)
def test_a_bad_script_is_one_sentence_with_its_line(cli: Cli, text: str, sentence: str):
    done = cli("fake-model", written(cli, text))
    assert (done.exit, done.out) == (2, "")
    assert sentence in done.err
    assert done.err.count("\n") == 1


def test_what_can_not_be_had_is_told(cli: Cli):
    missing = cli("fake-model", "nothing.yml")
    assert (missing.exit, missing.err.count("\n")) == (2, 1)
    assert "there is no script nothing.yml" in missing.err
    script = written(cli, "- hello\n")
    with FakeModel(["hello"]) as fake:
        taken = cli("fake-model", script, "--port", str(fake.port))
    assert taken.exit == 5
    assert f"can't listen at 127.0.0.1:{fake.port}" in taken.err
    unwritten = cli("fake-model", script, "--log", "no/such/folder/log")
    assert unwritten.exit == 2
    assert "can't write the log" in unwritten.err
