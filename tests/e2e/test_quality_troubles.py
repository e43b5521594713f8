"""Gates whose tool does not do its work: told with cause and next step, in the way where required, never a pass."""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import pytest

from tests.helpers import Cli, Result
from tests.projects import repository, write

SHELL = ("--accept", "sh check.sh")
SETTINGS = "[tool.mypy]\n[tool.ruff]\n[tool.bandit]\n"
SOURCE = "def twice(a):\n    return 2 * a\n"
CHANGED = "def twice(a):\n    return a + a\n"
FILES = {
    "calc.py": SOURCE,
    "check.sh": "test -f check.sh\n",
    "pyproject.toml": SETTINGS,
    ".gitignore": ".venv\nstarts\nlcov.info\n",
}
GATES = "verification.quality.gates"


def without(*programs: str) -> str:
    """The PATH as it is, but for folders that hold one of these."""
    folders = os.environ["PATH"].split(os.pathsep)
    return os.pathsep.join(
        each for each in folders if not any(Path(each, name).exists() for name in programs)
    )


def fake(project: Path, name: str, script: str, version: str = "") -> None:
    """A tool that an installer put into the project's own environment."""
    place = project / ".venv" / "bin" / name
    write(project, {".venv/pyvenv.cfg": "home = /nowhere\n", f".venv/bin/{name}": f"#!/bin/sh\n{script}\n"})
    place.chmod(0o755)
    write(project, {f".venv/lib/python3.11/site-packages/{name}-{version or '9.9'}.dist-info/RECORD": ""})


def gates(done: Result) -> dict[str, dict[str, Any]]:
    assert done.out.startswith("{"), done.out + done.err
    return {each["gate"]: each for each in done.json["gates"]}


def told(done: Result, gate: str) -> list[dict[str, Any]]:
    return [each for each in done.json["feedback"] if each["details"] == gate]


class Fakes(NamedTuple):
    mypy: str
    ruff: str
    version: str = ""  # of mypy
    words: tuple[str, ...] = ()


CASES: Mapping[str, Fakes] = {
    "loud": Fakes("echo boom >&2; exit 70", "echo '[{\"code'; exit 1"),
    "mute": Fakes("exit 1", "exit 0"),
    "old": Fakes(
        "exit 0",
        "sleep 60",
        "0.910",
        ("--set", f"{GATES}=[{{name: lint, timeout: 1}}]"),
    ),
}
REQUIRED = tuple(word for gate in ("types", "lint", "security") for word in ("--gate", gate))
SAID = [  # case, gate, what its reason must name
    ("loud", "types", ("mypy", "exit 70", "boom")),
    ("loud", "lint", ("ruff", "no JSON")),
    ("mute", "types", ("mypy", "exit 1")),
    ("mute", "lint", ("ruff", "printed nothing")),
    ("old", "types", ("mypy 0.910", ".venv/bin/mypy", "1.0 or later", "pip install --upgrade 'mypy>=1.0'")),
    ("old", "lint", ("ruff", "1 s", "timeout")),
    ("loud", "security", ("bandit", "not installed", "python -m pip install bandit")),
]


class TestTheProjectsTools:
    @pytest.fixture(scope="class")
    @classmethod
    def asked(cls, tmp_path_factory: pytest.TempPathFactory) -> "Asking":
        return Asking(tmp_path_factory)

    @pytest.mark.runs
    @pytest.mark.parametrize(("case", "gate", "words"), SAID)
    def test_that_do_not_work_are_told_with_the_cause(self, asked: "Asking", case, gate, words):
        found = gates(asked(case))[gate]
        assert (found["verdict"], found["required"], found["new"]) == ("could_not_run", True, 0)
        assert [word for word in words if word not in found["reason"]] == [], found["reason"]

    @pytest.mark.runs
    @pytest.mark.parametrize("case", CASES)
    def test_that_are_required_and_do_not_work_are_the_machines_fault(self, asked: "Asking", case):
        done = asked(case)
        assert done.exit == 5
        assert done.json["decision"]["status"] != "accepted"
        for gate in ("types", "lint", "security"):
            assert [each["status"] for each in told(done, gate)] == ["fail"]

    def test_that_are_not_installed_come_with_one_command(self, asked: "Asking"):
        found = gates(asked("loud"))["security"]
        assert found["install"] == "python -m pip install bandit"
        assert found["reason"].count(found["install"]) == 1

    def test_that_nobody_requires_are_skipped_and_said_to_be(self, asked: "Asking"):
        done = asked("loud", required=False)
        assert done.exit == 0, done.out
        verdicts = [gates(done)[name]["verdict"] for name in ("types", "lint", "security")]
        assert verdicts == ["could_not_run", "could_not_run", "skipped"]
        for gate in ("types", "lint", "security"):
            assert [each["status"] for each in told(done, gate)] == ["skipped"]

    def test_are_asked_about_the_base_too(self, cli: Cli):
        """Ours would not complain there, and an old complaint would be told as new."""
        project = repository(cli.folder, {**FILES, "pyproject.toml": "[tool.ruff]\n"})
        write(project, {"calc.py": CHANGED})
        fake(project, "ruff", complaint(1), "0.17.0")
        found = gates(cli("verify", *SHELL, "--json"))["lint"]
        assert (found["tool"], found["verdict"], found["old"]) == ("ruff 0.17.0", "passed", 1)

    @pytest.mark.runs
    def test_that_fail_on_the_base_alone_are_held_against_the_lines_that_changed(self, cli: Cli):
        project = repository(cli.folder, {**FILES, "pyproject.toml": "[tool.ruff]\n"})
        write(project, {"calc.py": CHANGED})
        fake(project, "ruff", f"grep -q '2 . a' calc.py && exit 70\n{complaint(1, 2)}", "0.17.0")
        done = cli("verify", *SHELL, "--json", "--gate", "lint")
        assert done.exit == 1
        assert [each["location"]["line"] for each in told(done, "lint")] == [2]
        assert "on the base ruff ended with exit 70" in gates(done)["lint"]["reason"]


def complaint(*lines: int) -> str:
    """What a linter prints that has something against these lines, whatever they say."""
    rows = [
        {"code": "X1", "message": "bad", "filename": "calc.py", "location": {"row": line, "column": 1}}
        for line in lines
    ]
    return f"echo '{json.dumps(rows)}'; exit 1"


class Asking:
    """Each case in a repository of its own, each question once."""

    def __init__(self, folders: pytest.TempPathFactory) -> None:
        self._folders = folders
        self._clis: dict[str, Cli] = {}
        self._said: dict[tuple[str, bool], Result] = {}

    def __call__(self, case: str, *, required: bool = True) -> Result:
        key = (case, required)
        if key not in self._said:
            more = (*CASES[case].words, *REQUIRED) if required else ()
            self._said[key] = self._cli(case)("verify", *SHELL, "--json", *more, PATH=without("bandit"))
        return self._said[key]

    def _cli(self, case: str) -> Cli:
        if case not in self._clis:
            cli = self._clis[case] = Cli(self._folders.mktemp(case))
            write(repository(cli.folder, FILES), {"calc.py": CHANGED})
            fake(cli.folder, "mypy", CASES[case].mypy, CASES[case].version)
            fake(cli.folder, "ruff", CASES[case].ruff)
        return self._clis[case]


PATTERN = "^(?P<file>[^:]+):(?P<line>[0-9]+): (?P<message>.+)$"
OWN_SCRIPTS = {
    "mute": "exit 1\n",
    "nonsense": "echo '{oops'\n",
    "deep": "head -c 300000 /dev/zero | tr '\\0' '['\n",
    "entity": 'echo \'<!DOCTYPE a [<!ENTITY b "c">]><testsuite><testcase name="&b;"/></testsuite>\'\n',
    "killed": "kill -9 $$\n",
    "hung": "sleep 60\n",
}
OWN_GATES = [
    {"name": "mute", "command": ["sh", "mute.sh"], "parser": "regex", "pattern": PATTERN},
    {"name": "nonsense", "command": ["sh", "nonsense.sh"], "parser": "json"},
    {"name": "deep", "command": ["sh", "deep.sh"], "parser": "sarif"},
    {"name": "entity", "command": ["sh", "entity.sh"], "parser": "junit"},
    {"name": "killed", "command": ["sh", "killed.sh"], "parser": "json"},
    {"name": "gone", "command": ["no-such-checker", "--all"], "parser": "json"},
    {"name": "hung", "command": ["sh", "hung.sh"], "timeout": 1, "required": False},
]


class TestOwnCommands:
    @pytest.fixture(scope="class")
    @classmethod
    def asked(cls, tmp_path_factory: pytest.TempPathFactory) -> Result:
        cli = Cli(tmp_path_factory.mktemp("own"))
        files = {f"{name}.sh": text for name, text in OWN_SCRIPTS.items()}
        write(repository(cli.folder, {**files, "check.sh": FILES["check.sh"]}), {"notes.txt": "one\n"})
        return cli("verify", *SHELL, "--json", "--set", f"{GATES}={json.dumps(OWN_GATES)}")

    @pytest.mark.runs
    @pytest.mark.parametrize(
        ("gate", "words"),
        [
            ("mute", ("sh mute.sh", "exit 1", "regex")),
            ("nonsense", ("no JSON", "{oops", "sh nonsense.sh")),
            ("deep", ("sh deep.sh",)),
            ("entity", ("sh entity.sh",)),
            ("killed", ("137",)),
            ("gone", ("no-such-checker", "not found")),
            ("hung", ("1 s", "timeout")),
        ],
    )
    def test_that_do_not_work_are_told_with_the_cause(self, asked: Result, gate, words):
        found = gates(asked)[gate]
        assert (found["verdict"], found["new"]) == ("could_not_run", 0)
        assert [word for word in words if word not in found["reason"]] == [], found["reason"]
        assert "/desk/" not in found["reason"]  # where we keep what it printed is nobody's business

    def test_block_only_where_they_are_required(self, asked: Result):
        assert asked.exit == 5
        assert [told(asked, gate)[0]["status"] for gate in ("mute", "gone", "hung")] == [
            "fail",
            "fail",
            "skipped",
        ]

    @pytest.mark.runs
    def test_are_asked_again_when_they_did_not_work(self, cli: Cli):
        mark = cli.folder.parent / "mark"
        script = f"test -f '{mark}' || {{ touch '{mark}'; exit 3; }}\necho '[]'\n"
        files = {"own.sh": script, "check.sh": FILES["check.sh"]}
        write(repository(cli.folder, files), {"notes.txt": "one\n"})
        gate = f"{GATES}=[{{name: own, command: [sh, own.sh], parser: json}}]"
        own = ("--set", gate, "--set", "sandbox.mode=off")
        assert cli("verify", *SHELL, "--json", *own).exit == 5
        done = cli("verify", *SHELL, "--json", *own)
        assert (done.exit, gates(done)["own"]["verdict"]) == (0, "passed")


LCOV = "TN:\nSF:{file}\nDA:3,1\nLF:1\nLH:1\nend_of_record\n"
GO = {
    "main.go": "package main\n\nfunc main() {}\n",
    "check.sh": FILES["check.sh"],
    ".gitignore": "lcov.info\n",
}
GO_CHANGED = {"main.go": 'package main\n\nfunc main() { println("a") }\n'}


class TestCoverageOfAnotherTree:
    def asked(self, cli: Cli, check: str, committed: Mapping[str, str] = MappingProxyType({})) -> Result:
        project = repository(cli.folder, {**GO, "check.sh": check, **committed})
        write(project, GO_CHANGED)
        return cli("verify", *SHELL, "--json", "--set", f"{GATES}=[coverage]")

    @pytest.mark.runs
    def test_a_report_that_is_older_than_the_tests_is_refused(self, cli: Cli):
        old = {"lcov.info": LCOV.format(file="main.go"), ".gitignore": ""}
        done = self.asked(cli, FILES["check.sh"], old)
        found = gates(done)["coverage"]
        assert (done.exit, found["verdict"], found["required"]) == (5, "could_not_run", True)
        assert "lcov.info is older than the test run" in found["reason"]

    @pytest.mark.runs
    def test_a_report_about_other_files_is_no_pass(self, cli: Cli):
        others = ("/elsewhere/main.go", "other.go", "../main.go")
        text = "".join(LCOV.format(file=file) for file in others).replace("\n", "\\n")
        done = self.asked(cli, f"printf '{text}' >lcov.info\ntest -f check.sh\n")
        assert done.exit in (1, 5)
        assert gates(done)["coverage"]["blocks"]

    @pytest.mark.runs
    def test_the_tests_own_report_of_this_tree_counts(self, cli: Cli):
        text = LCOV.format(file="main.go").replace("\n", "\\n")
        done = self.asked(cli, f"printf '{text}' >lcov.info\ntest -f check.sh\n")
        assert (done.exit, gates(done)["coverage"]["verdict"]) == (0, "passed"), done.out

    @pytest.mark.runs
    def test_red_tests_say_nothing_about_coverage(self, cli: Cli):
        done = self.asked(cli, "test -f no-such-file\n")
        assert (done.exit, gates(done)["coverage"]["verdict"]) == (1, "skipped")


@pytest.mark.parametrize(
    ("setting", "words"),
    [
        ("thresholds.coverage=180", ("thresholds.coverage", "at most 100")),
        ("thresholds.coverage=-1", ("thresholds.coverage", "at least 0")),
        ("thresholds.complexity=0", ("thresholds.complexity", "at least 1")),
        ("gates=[lnt]", ("gates", "lnt", "did you mean: lint")),
        ("gates=[{name: own, parser: json}]", ("own", "command")),
        ("gates=[{name: own, command: [sh, own.sh], parser: regex}]", ("own", "pattern")),
        ("gates=[{name: own, command: [sh, own.sh], parser: xml}]", ("gates[own].parser", "must be one of")),
    ],
)
def test_a_setting_that_means_nothing_is_a_usage_error(cli: Cli, setting, words):
    repository(cli.folder, {"check.sh": FILES["check.sh"]})
    done = cli("verify", *SHELL, "--set", f"verification.quality.{setting}")
    assert (done.exit, done.out) == (2, "")
    assert [word for word in words if word not in done.err] == [], done.err


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("    thresholds:\n      coverage: 101\n", "config.yml:4"),
        ("    gates:\n      - lint\n      - tpyes\n", "config.yml:5"),
    ],
)
def test_a_wrong_setting_in_a_file_is_told_with_its_line(cli: Cli, text, place):
    settings = f"verification:\n  quality:\n{text}"
    repository(cli.folder, {"check.sh": FILES["check.sh"], ".donewhen/config.yml": settings})
    done = cli("verify", *SHELL)
    assert done.exit == 2
    assert place in done.err
