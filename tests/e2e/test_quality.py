"""Quality gates as a user of `verify` meets them: what each finds, what counts as new, what blocks, what is kept."""

import json
import shlex
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.helpers import Cli, Result
from tests.projects import git, repository, write

TESTS = ("--accept", f"{shlex.quote(sys.executable)} -m unittest -q")  # an interpreter that has coverage.py
SHELL = ("--accept", "sh check.sh")
CHECK = "test -f notes.txt\n"
ALL = ("types", "lint", "complexity", "security", "coverage")
SINS = """\
import json
import subprocess


def title(user: str) -> int:
    return user


def call(word):
    return subprocess.call(word, shell=True)


def knotted(a):
""" + "".join(f"    if a == {n}:\n        return {n}\n" for n in range(10))
TEST = """\
import unittest

import {name}


class {name}Test(unittest.TestCase):
    def test_title(self):
        self.assertEqual({name}.title("a"), "a")
"""
OLD = {"old.py": SINS, "test_old.py": TEST.replace("{name}", "old"), ".gitignore": "__pycache__\n"}
NEW = {"new.py": SINS, "test_new.py": TEST.replace("{name}", "new")}
MOVED = {"old.py": f"# some words\n# that move it all\n{SINS}"}
PLANTED: dict[str, tuple[str, tuple[int, ...], str]] = {  # gate: rule, lines, category
    "types": ("return-value", (6,), "quality"),
    "lint": ("F401", (1,), "style"),
    "complexity": ("complexity", (13,), "quality"),
    "security": ("S602", (10,), "security"),
    "coverage": ("uncovered", (10, 14), "quality"),
}
MEASURED = {"name": "coverage", "required": False}
LISTED: Sequence[str | Mapping[str, object]] = (
    MEASURED,
    {"name": "lint", "absolute": True},
    "types",
    {"name": "complexity", "absolute": True, "required": False},
)
TOOLS = str(Path(sys.executable).parent)  # ruff and mypy; on the PATH they are the user's own
KEY = "ghp_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"


def gates(done: Result) -> dict[str, dict[str, Any]]:
    assert done.out.startswith("{"), done.out + done.err
    return {each["gate"]: each for each in done.json["gates"]}


def told(done: Result, gate: str) -> list[dict[str, Any]]:
    return [each for each in done.json["feedback"] if each["details"] == gate]


def places(done: Result, gate: str) -> set[tuple[str, int]]:
    found = [each["location"] for each in told(done, gate)]
    return {(place["file"], place["line"]) for place in found if place}


def listing(entries: Sequence[str | Mapping[str, object]]) -> tuple[str, str]:
    return ("--set", f"verification.quality.gates={json.dumps(list(entries))}")


class Shared:
    """A repository that tests only ask, and its answers; each question is asked once."""

    def __init__(self, folder: Path, files: Mapping[str, str], change: Mapping[str, str]) -> None:
        self.cli = Cli(folder)
        self.cli.env["PATH"] = f"{TOOLS}:{self.cli.env['PATH']}"
        self.folder = repository(self.cli.folder, files)
        write(self.folder, change)
        self._said: dict[tuple[str, ...], Result] = {}

    def __call__(self, *words: str) -> Result:
        if words not in self._said:
            self._said[words] = self.cli("verify", *TESTS, "--json", *listing([MEASURED]), *words)
        return self._said[words]


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> Shared:
    return Shared(tmp_path_factory.mktemp("planted"), OLD, {**NEW, **MOVED})


@pytest.fixture(scope="module")
def configured(tmp_path_factory: pytest.TempPathFactory) -> Shared:
    settings = "[tool.ruff]\n[tool.mypy]\n[tool.coverage.report]\nfail_under = 50\n"
    return Shared(tmp_path_factory.mktemp("configured"), {**OLD, "pyproject.toml": settings}, NEW)


class TestFindings:
    @pytest.mark.runs
    @pytest.mark.parametrize("gate", ALL)
    def test_every_gate_finds_what_was_planted_for_it_with_file_and_line(self, planted: Shared, gate):
        done = planted()
        rule, lines, category = PLANTED[gate]
        found = [each for each in told(done, gate) if each["rule"] == rule]
        where = [(each["location"]["file"], each["location"]["line"]) for each in found]
        assert where == [("new.py", line) for line in lines]
        assert found[0]["category"] == category
        assert gates(done)[gate]["verdict"] == "failed"

    @pytest.mark.runs
    @pytest.mark.parametrize("gate", ALL)
    def test_the_equal_sins_of_the_base_are_not_told_though_their_lines_moved(self, planted: Shared, gate):
        done = planted()
        assert {file for file, _ in places(done, gate)} == {"new.py"}
        if gate != "coverage":
            assert gates(done)[gate]["old"] > 0

    def test_what_nobody_asked_for_warns_and_does_not_block(self, planted: Shared):
        done = planted()
        assert done.exit == 0, done.out
        found = gates(done)
        assert [found[gate]["required"] for gate in ALL] == [False] * len(ALL)
        assert {each["status"] for gate in ALL for each in told(done, gate)} == {"warning"}
        assert (found["secrets"]["required"], found["secrets"]["verdict"]) == (True, "passed")

    def test_on_a_harmless_change_of_the_same_base_nothing_is_found(self, cli: Cli):
        repository(cli.folder, OLD)
        write(cli.folder, MOVED)
        cli.env["PATH"] = f"{TOOLS}:{cli.env['PATH']}"
        done = cli("verify", *TESTS, "--json", *listing([MEASURED]))
        assert done.exit == 0, done.out + done.err
        assert {name: gate["new"] for name, gate in gates(done).items() if gate["new"]} == {}
        assert {gates(done)[gate]["verdict"] for gate in (*ALL, "secrets")} == {"passed"}

    def test_nothing_is_measured_that_nobody_asked_for(self, cli: Cli):
        repository(cli.folder, OLD)
        write(cli.folder, MOVED)
        assert "coverage" not in gates(cli("verify", *TESTS, "--json"))

    def test_without_any_change_there_is_nothing_for_a_gate(self, cli: Cli):
        repository(cli.folder, {"check.sh": CHECK, "notes.txt": "one\n"})
        done = cli("verify", *SHELL, "--json")
        assert (done.exit, done.json["gates"]) == (0, [])


class TestRequired:
    @pytest.mark.runs
    def test_what_the_configuration_lists_must_pass_unless_it_says_otherwise(self, planted: Shared):
        done = planted(*listing(LISTED))
        found = gates(done)
        assert done.exit == 1
        assert [found[gate]["blocks"] for gate in ("lint", "types")] == [True, True]
        assert [found[gate]["blocks"] for gate in ("complexity", "security", "coverage")] == [False] * 3
        assert {each["status"] for each in told(done, "types")} == {"fail"}
        assert done.json["decision"]["status"] == "failed"
        owed = {each["target"] for each in done.json["decision"]["results"] if each["kind"] == "quality_gate"}
        assert owed == {"lint", "types", "secrets"}

    @pytest.mark.runs
    def test_what_the_project_configures_itself_says_what_runs_and_requires_nothing(self, configured: Shared):
        done = configured()
        found = gates(done)
        assert done.exit == 0, done.out
        assert [found[gate]["required"] for gate in ALL] == [False] * len(ALL)
        assert [found[gate]["verdict"] for gate in ("lint", "types", "coverage")] == ["failed"] * 3
        assert ("new.py", 6) in places(done, "types")

    def test_what_an_option_names_must_pass(self, configured: Shared):
        done = configured("--gate", "lint", "--gate", "type-check")
        blocking = {name for name, gate in gates(done).items() if gate["blocks"]}
        assert (done.exit, blocking) == (1, {"lint", "types"})

    @pytest.mark.runs
    def test_a_profile_that_somebody_chose_requires_its_stages(self, configured: Shared):
        for words in (("--profile", "refactor"), ("--set", "verification.profile=refactor")):
            done = configured(*words)
            required = {name for name, gate in gates(done).items() if gate["required"]}
            assert (done.exit, required) == (1, {"lint", "types", "secrets"})

    def test_the_projects_build_advises_until_somebody_requires_it(self, cli: Cli):
        make = "test:\n\ttest -f calc.py\nbuild:\n\tgrep -q 1 calc.py\n"
        repository(cli.folder, {"calc.py": "X = 1\n", "Makefile": make})
        write(cli.folder, {"calc.py": "X = 2\n"})
        for words, end in (((), 0), (("--gate", "build"), 1)):
            done = cli("verify", "--accept", "make test", "--json", *words)
            found = gates(done)["build"]
            assert (done.exit, found["verdict"], found["blocks"]) == (end, "failed", bool(end))

    def test_a_gate_that_nobody_knows_is_a_usage_error(self, cli: Cli):
        repository(cli.folder, {"check.sh": CHECK})
        done = cli("verify", *SHELL, "--gate", "lnt")
        assert done.exit == 2
        assert "did you mean: lint" in done.err

    def test_absolute_tells_old_ones_too(self, planted: Shared):
        done = planted(*listing(LISTED))
        for gate in ("lint", "complexity"):
            assert {file for file, _ in places(done, gate)} == {"new.py", "old.py"}
            assert gates(done)[gate]["old"] == 0
        assert ("old.py", PLANTED["complexity"][1][0] + 2) in places(done, "complexity")
        assert {file for file, _ in places(done, "types")} == {"new.py"}

    @pytest.mark.runs
    def test_thresholds_come_from_the_configuration(self, planted: Shared):
        numbers = "verification.quality.thresholds={complexity: 11, coverage: 20}"
        found = gates(planted("--set", numbers))
        assert (found["complexity"]["verdict"], found["coverage"]["verdict"]) == ("passed", "passed")
        assert found["lint"]["verdict"] == "failed"
        assert 20 < found["coverage"]["numbers"]["changed"] < 80

    def test_all_gates_can_be_turned_off_but_not_secrets(self, planted: Shared):
        found = gates(planted("--set", "verification.quality.enabled=false"))
        assert found.keys().isdisjoint(ALL)
        assert found["secrets"]["verdict"] == "passed"


class TestOurOwnTools:
    """Nobody installed a linter, neither for the project nor on the PATH."""

    @pytest.fixture(scope="class")
    @classmethod
    def bare(cls, tmp_path_factory: pytest.TempPathFactory) -> Cli:
        cli = Cli(tmp_path_factory.mktemp("bare"))
        write(repository(cli.folder, {"check.sh": CHECK, "notes.txt": "one\n"}), {"a.py": "import os\n"})
        return cli

    def test_check_nothing_that_the_project_did_not_choose(self, bare: Cli):
        assert {"lint", "types"}.isdisjoint(gates(bare("verify", *SHELL, "--json")))

    def test_advise_where_the_project_configures_them_and_say_whose_they_are(self, cli: Cli):
        files = {"check.sh": CHECK, "notes.txt": "one\n", "ruff.toml": ""}
        write(repository(cli.folder, files), {"a.py": "import os\n"})
        done = cli("verify", *SHELL, "--json")
        (found,) = told(done, "lint")
        assert (done.exit, found["status"]) == (0, "warning")
        assert gates(done)["lint"]["tool"].startswith("donewhen's own ruff ")
        assert found["message"].endswith(f"(by {gates(done)['lint']['tool']})")

    def test_are_no_answer_where_the_gate_must_pass(self, bare: Cli):
        done = bare("verify", *SHELL, "--json", "--gate", "lint")
        found = gates(done)["lint"]
        assert (done.exit, found["verdict"], found["blocks"]) == (5, "could_not_run", True)
        assert found["install"] == "python -m pip install ruff"


class TestSecrets:
    @pytest.fixture
    def notes(self, cli: Cli) -> Path:
        return repository(cli.folder, {"check.sh": CHECK, "notes.txt": f"one\ntoken {KEY}\n"})

    def test_a_new_one_fails_with_its_place_and_is_never_repeated(self, cli: Cli, notes):
        write(notes, {"notes.txt": f"zero\none\ntoken {KEY}\n", "more.txt": f"a\nb\ntoken {KEY}\n"})
        done = cli("verify", *SHELL, "--json")
        assert done.exit == 1
        assert places(done, "secrets") == {("more.txt", 3)}  # the old one only moved
        assert told(done, "secrets")[0]["status"] == "fail"
        assert KEY not in done.out
        assert KEY not in cli("show", "last", "--json").out

    def test_they_can_not_be_turned_off(self, cli: Cli, notes):
        write(notes, {"more.txt": f"token {KEY}\n"})
        off = ("enabled=false", "gates=[{name: secrets, required: false}]")
        words = [word for each in off for word in ("--set", f"verification.quality.{each}")]
        done = cli("verify", *SHELL, "--json", *words)
        assert (done.exit, gates(done)["secrets"]["blocks"]) == (1, True)


SARIF: dict[str, Any] = {
    "version": "2.1.0",
    "runs": [
        {
            "tool": {"driver": {"name": "words"}},
            "results": [
                {
                    "ruleId": "said",
                    "level": "error",
                    "message": {"text": "sarif says no"},
                    "locations": [
                        {
                            "physicalLocation": {
                                "artifactLocation": {"uri": "notes.txt"},
                                "region": {"startLine": 2},
                            }
                        }
                    ],
                }
            ],
        }
    ],
}
JUNIT = (
    '<testsuite name="words" tests="1" failures="1"><testcase classname="notes" name="said" file="notes.txt"'
    ' line="2"><failure message="junit says no">no</failure></testcase></testsuite>'
)
JSON = [{"file": "notes.txt", "line": 2, "rule": "said", "message": "json says no"}]
PATTERN = r"^(?P<file>[^:]+):(?P<line>[0-9]+): (?P<message>.+)$"
PRINTED = {
    "json": json.dumps(JSON),
    "sarif": json.dumps(SARIF),
    "junit": JUNIT,
    "regex": "notes.txt:2: regex says no",
}


def own(parser: str, required: bool) -> dict[str, object]:
    """A gate that complains as long as the notes have a second line."""
    entry: dict[str, object] = {
        "name": f"own-{parser}",
        "command": ["sh", "own.sh", parser],
        "parser": parser,
        "required": required,
    }
    return entry | ({"pattern": PATTERN} if parser == "regex" else {})


OWN = [own("json", True), own("sarif", False), own("junit", True), own("regex", False)]
BARE = {"name": "own-bare", "command": ["sh", "own.sh", "bare"], "required": False}
SCRIPT = """\
test "$(wc -l <notes.txt)" -gt 1 || { cat said/clean-"$1"; exit 0; }
cat said/"$1"
exit 1
"""
CLEAN = {
    "json": "[]",
    "sarif": json.dumps({**SARIF, "runs": [{**SARIF["runs"][0], "results": []}]}),
    "junit": '<testsuite name="words" tests="1"><testcase classname="notes" name="said"/></testsuite>',
    "regex": "all is well",
    "bare": "all is well",
}
OWN_FILES = {
    "own.sh": SCRIPT,
    "check.sh": CHECK,
    "notes.txt": "one\n",
    "said/bare": "bare says no\n",
    **{f"said/{parser}": f"{text}\n" for parser, text in PRINTED.items()},
    **{f"said/clean-{parser}": f"{text}\n" for parser, text in CLEAN.items()},
}


class TestOwnGates:
    @pytest.fixture(scope="class")
    @classmethod
    def asked(cls, tmp_path_factory: pytest.TempPathFactory) -> Result:
        cli = Cli(tmp_path_factory.mktemp("own"))
        write(repository(cli.folder, OWN_FILES), {"notes.txt": "one\ntwo\n"})
        return cli("verify", *SHELL, "--json", *listing([*OWN, BARE]))

    @pytest.mark.parametrize("parser", PRINTED)
    def test_every_parser_gives_place_and_words(self, asked: Result, parser):
        (found,) = told(asked, f"own-{parser}")
        assert found["location"] == {"file": "notes.txt", "line": 2}
        assert found["message"] == f"{parser} says no"

    def test_without_a_parser_the_exit_code_speaks(self, asked: Result):
        (found,) = told(asked, "own-bare")
        assert found["status"] == "warning"
        assert "exit 1" in found["message"]
        assert "bare says no" in found["message"]

    def test_required_ones_block_and_others_warn(self, asked: Result):
        blocking = {name for name, gate in gates(asked).items() if gate["blocks"]}
        assert (asked.exit, blocking) == (1, {"own-json", "own-junit"})
        assert [told(asked, f"own-{parser}")[0]["status"] for parser in PRINTED] == [
            "fail",
            "warning",
            "fail",
            "warning",
        ]

    @pytest.mark.runs
    def test_a_required_command_without_a_parser_is_part_of_the_exam(self, cli: Cli):
        write(repository(cli.folder, OWN_FILES), {"notes.txt": "one\ntwo\n"})
        done = cli("verify", *SHELL, "--json", *listing([{**BARE, "required": True}]))
        assert done.exit == 1
        assert {each["command"]: each["status"] for each in done.json["commands"]} == {
            "sh check.sh": "passed",
            "sh own.sh bare": "failed",
        }

    @pytest.mark.runs
    def test_what_they_said_of_the_base_is_old(self, cli: Cli):
        two = {**OWN_FILES, "notes.txt": "one\ntwo\n"}
        write(repository(cli.folder, two), {"notes.txt": "one\ntwo\nthree\n"})
        done = cli("verify", *SHELL, "--json", *listing([OWN[0], BARE]))
        assert done.exit == 0, done.out
        assert [
            (gates(done)[name]["new"], gates(done)[name]["old"]) for name in ("own-json", "own-bare")
        ] == [
            (0, 1),
            (0, 1),
        ]

    @pytest.mark.runs
    def test_a_projects_gates_run_only_where_it_is_trusted(self, cli: Cli):
        text = "verification:\n  quality:\n    gates:\n      - name: own-json\n"
        text += "        command: [sh, own.sh, json]\n        parser: json\n"
        project = repository(cli.folder, {**OWN_FILES, ".donewhen/config.yml": text})
        write(project, {"notes.txt": "one\ntwo\n"})
        done = cli("verify", *SHELL, "--json")
        assert "own-json" not in gates(done)
        assert cli("trust").exit == 0
        done = cli("verify", *SHELL, "--json")
        assert (done.exit, gates(done)["own-json"]["blocks"]) == (1, True)


class TestTheSecondTime:
    @pytest.mark.runs
    def test_no_tool_is_started_again_for_the_same_tree_and_settings(self, cli: Cli):
        starts = cli.folder.parent / "starts"
        script = f"echo \"$1\" >>'{starts}'\n{SCRIPT}"
        project = repository(cli.folder, {**OWN_FILES, "own.sh": script})
        write(project, {"notes.txt": "one\ntwo\n"})
        asked = ("verify", *SHELL, "--json", "--set", "sandbox.mode=off", *listing(OWN[:1]))
        assert gates(cli(*asked))["own-json"]["cached"] is False
        once = starts.read_text()
        again = cli(*asked)
        assert (again.exit, gates(again)["own-json"]["cached"]) == (1, True)
        assert told(again, "own-json")[0]["message"] == "json says no"
        assert starts.read_text() == once
        assert gates(cli(*asked, "--no-cache"))["own-json"]["cached"] is False
        assert starts.read_text() == once * 2
        longer = listing([{**OWN[0], "timeout": 50}])
        assert gates(cli("verify", *SHELL, "--json", *longer))["own-json"]["cached"] is False
        write(project, {"notes.txt": "one\n", "other.txt": "two\n"})
        last = cli(*asked)
        assert (last.exit, gates(last)["own-json"]["verdict"]) == (0, "passed")
        assert gates(last)["own-json"]["cached"] is False

    def test_all_gates_of_a_python_change_say_cached(self, planted: Shared):
        first = planted()
        again = planted("-q")  # another question to us, the same to the gates
        assert {gates(first)[gate]["cached"] for gate in ALL} == {False}
        assert {gates(again)[gate]["cached"] for gate in ALL} == {True}
        assert again.json["feedback"] == first.json["feedback"]
        assert again.exit == first.exit

    @pytest.mark.runs
    def test_another_base_is_another_question(self, cli: Cli):
        project = repository(cli.folder, OWN_FILES)
        write(project, {"notes.txt": "one\ntwo\n"})
        git(project, "checkout", "-q", "-b", "work")
        asked = ("verify", *SHELL, "--json", *listing(OWN[:1]))
        assert gates(cli(*asked))["own-json"]["new"] == 1
        git(project, "commit", "-q", "-a", "-m", "two")
        write(project, {"other.txt": "three\n"})
        assert gates(cli(*asked, "--base", "HEAD"))["own-json"]["old"] == 1
