"""The action and the hook: well formed, and no input of a pull request can become part of a script."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.pythons import plain_python
from tests.tables import table_test

ROOT = Path(__file__).parents[3]
ACTION: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text())
INSTALL, VERIFY = ACTION["runs"]["steps"]

# A program in donewhen's place that tells which words it got, and leaves the reports that it was asked for.
STANDS_IN = """#!{python}
import json, pathlib, sys
pathlib.Path({told!r}).write_text(json.dumps(sys.argv[1:]))
for word in sys.argv[1:]:
    if word.startswith("--output="):
        pathlib.Path(word.split("=", 2)[2]).write_text("report")
sys.exit(1)
"""


class Step:
    """The script of the step that verifies, as a runner starts it."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.told = folder, folder / "told.json"
        self.outputs = folder / "outputs"
        program = folder / "donewhen-venv" / "bin" / "donewhen"
        program.parent.mkdir(parents=True)
        program.write_text(STANDS_IN.format(python=plain_python(), told=str(self.told)))
        program.chmod(0o755)
        subprocess.run(["git", "init", "--quiet", str(folder / "work")], check=True)

    def __call__(self, env: dict[str, str] | None = None, **inputs: str) -> tuple[int, list[str]]:
        given = {name: str(entry["default"]) for name, entry in ACTION["inputs"].items()} | inputs
        variables = {
            key: given[value.removeprefix("${{ inputs.").removesuffix(" }}")]
            for key, value in VERIFY["env"].items()
        }
        runner = {
            "RUNNER_TEMP": str(self.folder),
            "GITHUB_OUTPUT": str(self.outputs),
            "PATH": os.environ["PATH"],
        }
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", VERIFY["run"]],
            cwd=self.folder / "work",
            env=runner | variables | (env or {}),
            check=False,
            capture_output=True,
            timeout=60,
        )
        return done.returncode, json.loads(self.told.read_text())


@pytest.fixture
def step(tmp_path: Path) -> Step:
    return Step(tmp_path)


def test_no_script_holds_an_expression():
    for each in ACTION["runs"]["steps"]:
        assert "${{" not in each["run"]
        assert each["shell"] == "bash"


def test_every_input_is_described_and_used_once():
    used = [value for each in (INSTALL, VERIFY) for value in each["env"].values()]
    assert sorted(used) == sorted(f"${{{{ inputs.{name} }}}}" for name in ACTION["inputs"])
    assert all(entry["description"] for entry in ACTION["inputs"].values())


def test_no_action_of_others_is_run():
    assert all("uses" not in each for each in ACTION["runs"]["steps"])


def test_without_inputs_the_projects_own_tests_are_asked_for(step):
    assert step() == (1, ["verify", "--format=github"])
    assert step.outputs.read_text() == "exit-code=1\n"


@pytest.mark.parametrize(
    ("inputs", "words"),
    [
        ({"accept": "npm test\n\nnpm run build\n"}, ["--accept=npm test", "--accept=npm run build"]),
        ({"args": "--clean-room\n--permit\ndocs/**"}, ["--clean-room", "--permit", "docs/**"]),
        ({"base": "main"}, ["--base=main"]),
        ({"base": "0" * 40}, []),
        ({"promise": "a b.yml", "goal": "two\nlines"}, ["--goal=two\nlines", "--promise=a b.yml"]),
    ],
)
def test_inputs_become_words(step, inputs, words):
    assert step(**inputs) == (1, ["verify", "--format=github", *words])


def test_a_pull_request_is_compared_with_its_target(step):
    _, words = step({"GITHUB_BASE_REF": "release/1"})
    assert words[2:] == ["--base=refs/remotes/origin/release/1"]


@table_test("name", ["accept", "base", "goal", "promise", "format"])
@table_test(
    "text",
    [
        "$(touch planted)",
        "`touch planted`",
        '"; touch planted; "',
        "'; touch planted #",
        "* ~ $HOME",
        "--help",
    ],
)
def test_hostile_inputs_stay_one_word(step, name, text):
    _, words = step(**{name: text})
    assert f"--{name}={text}" in words
    assert not list(step.folder.rglob("planted"))


def test_reports_that_were_written_are_outputs(step):
    step(sarif="r.sarif", junit="r.xml")
    assert step.outputs.read_text().splitlines() == ["exit-code=1", "sarif=r.sarif", "junit=r.xml"]


def test_a_name_with_a_line_end_makes_no_further_output(step):
    step(sarif="r.sarif\nexit-code=0")
    assert step.outputs.read_text() == "exit-code=1\n"


@table_test("version", ["-r x", "1.0; rm", "1.0 --pre", "@x"])
def test_a_version_that_is_none_is_refused_before_anything_is_installed(tmp_path, version):
    env = {"RUNNER_TEMP": str(tmp_path), "GITHUB_ACTION_PATH": "/nowhere", "PATH": os.environ["PATH"]}
    given = {"DW_PYTHON": sys.executable, "DW_VERSION": version, "DW_INSTALL": ""}
    done = subprocess.run(["bash", "-c", INSTALL["run"]], env=env | given, check=False, capture_output=True)
    assert done.returncode == 2
    assert b"no version number" in done.stdout
    assert list(tmp_path.iterdir()) == []


def test_the_hook_looks_at_the_whole_change():
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    assert (hook["id"], hook["entry"], hook["language"]) == ("donewhen-verify", "donewhen verify", "python")
    assert (hook["pass_filenames"], hook["always_run"]) == (False, True)
    assert hook["stages"] == ["pre-commit", "pre-push"]


@table_test("page", ["ci.md", "feedback.md"])
def test_examples_in_the_documents_are_well_formed(page):
    text = (ROOT / "docs" / page).read_text()
    blocks = re.findall(r"```(yaml|json)\n(.*?)```", text, re.DOTALL)
    assert blocks
    for kind, block in blocks:
        assert (json.loads if kind == "json" else yaml.safe_load)(block)


def test_the_documents_name_every_input_of_the_action():
    text = (ROOT / "docs" / "ci.md").read_text()
    for name in ACTION["inputs"]:
        assert f"`{name}`" in text, name
