"""What of a change is the exam's, and what the base exam says of it, as a user of `verify` meets it."""

import re
import shutil
import tempfile
from pathlib import Path

import pytest

from tests.helpers import Cli, Result
from tests.projects import git, repository, write

GATES = False  # they have tests of their own
CODE = "def total(prices):\n    return sum(prices)\n"
BROKEN = CODE.replace("sum(prices)", "sum(prices) + 1")
TEST = """\
import unittest

from cart import total


class Total(unittest.TestCase):
    def test_adds_up(self):
        self.assertEqual(total([1, 2]), 3)
"""
UNITTEST = "python3 -m unittest -q"
DOCTEST = f'{CODE.partition(chr(10))[0]}\n    """The sum.\n\n    >>> total([1, 2])\n    3\n    """\n    return sum(prices)\n'
JUDGE = "from cart import total\n\nassert total([1, 2]) == 3\n"
COVERED = "[tool.coverage.report]\nfail_under = 90\nshow_missing = true\n"
DATA = TEST.replace("import unittest", "import json\nimport unittest").replace(
    "3)", "json.load(open('rates/sums.json'))['sum'])"
)
CASES = {
    "only layout and comments of a test differ": (
        {"cart.py": CODE, "test_cart.py": TEST},
        {"cart.py": CODE + "\n# fast\n", "test_cart.py": TEST.replace("([1, 2]), 3", "([1,2]),\n  3") + "# seen\n"},
        [UNITTEST], 0, [],
    ),
    "a doctest is rewritten with the code": (
        {"cart.py": DOCTEST, "other.py": "import cart\n"},
        {"cart.py": DOCTEST.replace("sum(prices)", "sum(prices) + 1").replace("3\n", "4\n")},
        ["python3 -m doctest cart.py"], 4, ["base-command"],
    ),
    "prose around a doctest is rewritten": (
        {"cart.py": DOCTEST, "other.py": "import cart\n"},
        {"cart.py": DOCTEST.replace("The sum.", "All of them.")},
        ["python3 -m doctest cart.py"], 0, [],
    ),
    "a script that judges is hollowed out": (
        {"cart.py": CODE, "judge.py": JUDGE},
        {"cart.py": BROKEN, "judge.py": "from cart import total\n\nassert total([1, 2])\n"},
        ["python3 judge.py"], 4, ["base-command"],
    ),
    "a script behind a target is hollowed out": (
        {"cart.py": CODE, "judge.sh": "python3 -c 'import cart; assert cart.total([1]) == 1'\n", "Makefile": "test:\n\tsh judge.sh\n"},
        {"cart.py": BROKEN, "judge.sh": "python3 -c 'import cart; assert cart.total([1])'\n"},
        ["make test"], 4, ["base-command"],
    ),
    "the target itself is": (
        {"cart.py": CODE, "Makefile": "all:\n\techo 1\n\ntest:\n\tpython3 -c 'import cart; assert cart.total([1]) == 1'\n"},
        {"cart.py": BROKEN, "Makefile": "all:\n\techo 2\n\ntest:\n\tpython3 -c 'import cart; assert cart.total([1])'\n"},
        ["make test"], 4, ["base-command"],
    ),
    "a program of the product is named by a command": (
        {"cart.py": CODE, "test_cart.py": TEST},
        {"cart.py": CODE.replace("prices", "all_prices")},
        [UNITTEST, "python3 cart.py"], 0, [],
    ),
    "a threshold is lowered": (
        {"cart.py": CODE, "test_cart.py": TEST, "pyproject.toml": COVERED},
        {"cart.py": CODE + "\n", "pyproject.toml": COVERED.replace("90", "50")},
        [UNITTEST], 4, ["threshold-lowered"],
    ),
    "a coverage setting is cleaned up": (
        {"cart.py": CODE, "test_cart.py": TEST, "pyproject.toml": COVERED},
        {"cart.py": CODE + "\n", "pyproject.toml": COVERED.replace("show_missing = true\n", "")},
        [UNITTEST], 0, [],
    ),
    "data that only the configuration gives to the exam": (
        {"cart.py": CODE, "test_cart.py": DATA, "rates/sums.json": '{"sum": 3}'},
        {"cart.py": BROKEN, "rates/sums.json": '{"sum": 4}'},
        [UNITTEST, "--set", "evidence.exam=[rates/]"], 4, ["broken-test"],
    ),
    "a test inside the shipped package that no runner collects": (
        {"shop/__init__.py": "", "shop/test_client.py": CODE, "tests/__init__.py": "",
         "tests/test_cart.py": TEST.replace("cart", "shop.test_client"), "pytest.ini": "[pytest]\ntestpaths = tests\n"},
        {"shop/test_client.py": CODE.replace("return", "x = 1\n    return")},
        ["python3 -m unittest discover -q -s tests -t ."], 0, [],
    ),
}  # fmt: skip


OURS = {"base-command", "base-not-run", "broken-test", "threshold-lowered", "exam-settings", "exam-inside"}


def kinds(done: Result) -> list[str]:
    return [each["kind"] for each in done.json["questions"] if each["kind"] in OURS]


@pytest.mark.runs
@pytest.mark.parametrize("name", CASES)
def test_the_exam_side(cli: Cli, name: str):
    before, after, words, exit, asked = CASES[name]
    project = repository(cli.folder, before)
    write(project, after)
    accept = [word for each in words if not each.startswith("--") for word in ("--accept", each)]
    if "--set" in words:
        accept = ["--accept", words[0], *words[1:]]
    done = cli("verify", *accept, "--json")
    assert (done.exit, kinds(done)) == (exit, asked), (
        done.json["questions"],
        done.json["decision"]["details"],
    )


@pytest.mark.runs
def test_the_question_about_a_command_names_the_tests_that_its_output_names(cli: Cli):
    judge = "import sys\nfrom cart import total\n\nright = total([1, 2]) == 3\n"
    judge += "print('ok' if right else 'not ok', '1 - adds up')\nprint('# done')\nsys.exit(not right)\n"
    project = repository(cli.folder, {"cart.py": CODE, "judge.py": judge})
    write(project, {"cart.py": BROKEN, "judge.py": judge.replace("== 3", "!= 5")})
    (question,) = cli("verify", "--accept", "python3 judge.py", "--json").json["questions"]
    assert question["message"].endswith(": adds up")


@pytest.mark.runs
def test_where_the_output_names_none_the_question_names_the_tests_that_the_change_alters(cli: Cli):
    runner = "import sys\n\nimport test_cart\n\ntry:\n    test_cart.test_sum()\nexcept Exception:\n    sys.exit(1)\n"
    test = "from cart import total\n\n\ndef test_sum():\n    assert total([1, 2]) == 3\n"
    project = repository(cli.folder, {"cart.py": CODE, "test_cart.py": test, "run.py": runner})
    write(project, {"cart.py": BROKEN, "test_cart.py": test.replace("== 3", "== 4")})
    alone = ("--set", "evidence.known_tests=off", "--json")
    (question,) = cli("verify", "--accept", "python3 run.py", *alone).json["questions"]
    assert question["message"].endswith("; the change alters test_sum")


@pytest.fixture
def project(cli: Cli) -> Path:
    return repository(cli.folder, {"cart.py": CODE, "test_cart.py": TEST})


@pytest.mark.runs
def test_an_exam_of_more_than_ten_minutes_leaves_the_base_out_and_asks(cli: Cli, project: Path):
    write(project, {"test_cart.py": MORE})
    assert cli("verify", "--accept", UNITTEST).exit == 0
    for path in (cli.state / "results").rglob("*"):
        if path.is_file() and b"duration_ms" in path.read_bytes():
            path.write_text(re.sub(r'"duration_ms":\s*\d+', '"duration_ms":700000', path.read_text()))
    shutil.rmtree(cli.state / "verdicts")  # else the first one stands
    done = cli("verify", "--accept", UNITTEST, "--json")
    assert (done.exit, kinds(done)) == (4, ["base-not-run"])
    assert cli("verify", "--accept", UNITTEST, "--set", "evidence.base_exam=always").exit == 0


MORE = TEST + "\n    def test_none(self):\n        self.assertEqual(total([]), 0)\n"


def _no_ancestor(project: Path) -> list[str]:
    git(project, "checkout", "-q", "--orphan", "other")
    write(project, {"cart.py": CODE + "\n", "test_cart.py": MORE})
    git(project, "add", "-A")
    git(project, "commit", "-qm", "another beginning")
    return ["--base", "main"]


def _shallow(project: Path) -> list[str]:
    write(project, {"test_cart.py": MORE})
    git(project, "commit", "-qam", "more")
    git(project, "config", "uploadpack.allowFilter", "true")
    head = git(project, "rev-parse", "HEAD")
    (project / ".git" / "shallow").write_text(head + "\n")
    git(project, "reflog", "expire", "--expire=now", "--all")
    git(project, "gc", "-q", "--prune=now")
    return ["--base", "HEAD~1"]


def _shallow_from_the_base(project: Path) -> list[str]:
    write(project, {"other.py": "x = 1\n"})
    git(project, "add", "-A")
    git(project, "commit", "-qm", "other")
    base = git(project, "rev-parse", "HEAD")
    write(project, {"test_cart.py": MORE})
    git(project, "commit", "-qam", "more")
    (project / ".git" / "shallow").write_text(base + "\n")
    git(project, "reflog", "expire", "--expire=now", "--all")
    git(project, "gc", "-q", "--prune=now")
    return ["--base", "HEAD~1"]


def _submodule(project: Path) -> list[str]:
    other = repository(project.parent / "other", {"a.py": "x = 1\n", "test_a.py": "# none\n"})
    git(project, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(other), "vendor/other")
    git(project, "commit", "-qm", "a submodule")
    write(project, {"test_cart.py": MORE})
    return ["--base", "HEAD~1"]


def _merge(project: Path) -> list[str]:
    git(project, "checkout", "-qb", "side")
    write(project, {"test_cart.py": MORE})
    git(project, "commit", "-qam", "side")
    git(project, "checkout", "-q", "main")
    write(project, {"other.py": "x = 1\n"})
    git(project, "add", "-A")
    git(project, "commit", "-qm", "other")
    git(project, "merge", "-q", "--no-edit", "side")
    return ["--base", "HEAD^2"]


def _no_base_exam(project: Path) -> list[str]:
    write(
        project, {"test_cart.py": "import nowhere_to_be_found\n" + TEST, "run.sh": "python3 -m unittest -q\n"}
    )
    git(project, "add", "-A")
    git(project, "commit", "-qm", "broken")
    write(project, {"test_cart.py": MORE})
    return ["--base", "HEAD"]


def _hanging(project: Path) -> list[str]:
    hanging = TEST.replace(
        "        self.assert", "        while total([]) != 1:\n            pass\n        self.assert"
    )
    write(project, {"test_cart.py": hanging})
    git(project, "commit", "-qam", "it hangs")
    write(project, {"test_cart.py": MORE})
    return ["--base", "HEAD", "--set", "verification.execution.test_timeout=2"]


def _network(project: Path) -> list[str]:
    asking = "import socket\nimport unittest\n\n\nclass Net(unittest.TestCase):\n    def test_net(self):\n"
    asking += "        socket.create_connection(('192.0.2.1', 9), timeout=0.2)\n"
    write(project, {"test_net.py": asking})
    git(project, "add", "-A")
    git(project, "commit", "-qm", "network")
    write(project, {"test_net.py": asking.replace("0.2", "0.3").replace("Net(", "Network(")})
    return ["--base", "HEAD"]


@pytest.mark.runs
@pytest.mark.parametrize(
    ("prepare", "exits", "said"),
    [
        (_no_ancestor, (0,), "accepted"),
        (_shallow, (2,), "HEAD~1"),
        (_shallow_from_the_base, (0,), "accepted"),
        (_submodule, (0,), "accepted"),
        (_merge, (0,), "accepted"),
        (_no_base_exam, (4,), "fails on the new code, or can't run"),
        (_hanging, (4,), "q-"),
        (_network, (1,), "test_net"),
    ],
)
def test_odd_bases_end_in_a_sentence_and_leave_nothing_behind(cli: Cli, project: Path, prepare, exits, said):
    words = prepare(project)
    before = git(project, "status", "--porcelain", "--ignored", "--ignore-submodules=none")
    temporary = set(Path(tempfile.gettempdir()).glob("donewhen-base-*"))
    done = cli("verify", "--accept", UNITTEST, *words)
    assert done.exit in exits, done.out + done.err
    assert said in done.out + done.err, done.out + done.err
    assert "Traceback" not in done.err
    assert git(project, "status", "--porcelain", "--ignored", "--ignore-submodules=none") == before
    assert git(project, "worktree", "list").count("\n") == 0
    assert set(Path(tempfile.gettempdir()).glob("donewhen-base-*")) == temporary


@pytest.mark.runs
def test_lines_that_no_test_executed_are_counted_where_the_exam_brings_a_report(cli: Cli):
    report = "SF:cart.py\\nDA:1,1\\nDA:2,1\\nDA:5,1\\nDA:6,0\\nend_of_record\\n"
    recipe = f"test:\n\t{UNITTEST}\n\tprintf '{report}' > lcov.info\n"
    files = {"cart.py": CODE, "test_cart.py": TEST, "Makefile": recipe, ".gitignore": "lcov.info\n"}
    project = repository(cli.folder, files)
    write(project, {"cart.py": CODE + "\n\ndef tax(price):\n    return price * 0.2\n"})
    done = cli("verify", "--accept", "make test")
    assert (done.exit, "no test executed 1 of 2 changed lines: cart.py:6" in done.out) == (0, True), done.out


@pytest.mark.runs
def test_settings_by_which_the_runner_finds_the_tests_for_the_first_time_ask_nothing(cli: Cli):
    """Before them the command ran no test, so there is nothing that the base's settings could say."""
    recipe = "test:\n\tpython3 -m unittest discover -q{}\n"
    project = repository(cli.folder, {"cart.py": CODE, "checks.py": TEST, "Makefile": recipe.format("")})
    write(project, {"cart.py": CODE + "\n\nTAX = 0.2\n", "Makefile": recipe.format(" -p checks.py")})
    assert cli("verify", "--accept", "make test").exit == 0
    write(project, {"checks.py": TEST.replace("3)", "4)"), "cart.py": BROKEN})
    done = cli("verify", "--accept", "make test", "--json")
    assert (done.exit, kinds(done)) == (4, ["base-command"])
