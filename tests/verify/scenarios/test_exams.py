"""Real runs: which tests a machine report names, whatever the runner, and that nothing is disturbed."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from donewhen.core.scenarios import prove
from donewhen.verify.exam.model import Execution
from donewhen.verify.scenario_links import find_links
from donewhen.verify.scenario_proofs import prove_scenarios
from tests.verify.exams import Exams

UNITTEST = """\
import os
import unittest
from unittest import mock


def total(*numbers):
    return sum(numbers) + len(os.sep) - 1


def kept(function):
    return function


class Base(unittest.TestCase):
    @kept
    def test_adds(self):
        # scenario: cart/total/adds
        self.assertEqual(total(1, 1), 2)

    def test_parts(self):
        for n in (1, 2):
            with self.subTest(n=n):
                self.assertEqual(total(n), 1)  # scenario: cart/total/parts

    @unittest.skip("later")
    def test_later(self):
        self.fail()

    @unittest.expectedFailure
    def test_wrong(self):
        self.assertEqual(total(1), 2)

    def test_breaks(self):
        raise ValueError

    @mock.patch("os.open", side_effect=OSError)
    def test_patched(self, _):
        self.assertTrue(total(1))


if __name__ == "__main__":
    unittest.main()
"""
OUTCOMES = {
    "test_adds": {"passed"},
    "test_parts": {"failed"},
    "test_later": {"skipped"},
    "test_wrong": {"xfailed"},
    "test_breaks": {"failed"},
    "test_patched": {"passed"},
}
NODE = """\
const { test, describe, it } = require("node:test");
const assert = require("node:assert");
describe("cart", () => {
  it("adds", () => {
    // scenario: cart/total/adds
    assert.equal(total(1, 1), 2);
  });
  it("is wrong", () => {
    // scenario: cart/total/wrong
    assert.equal(total(1, 1), 3);
  });
});
function total(a, b) { return a + b; }
"""


def outcomes(execution: Execution) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for case in execution.cases:
        found.setdefault(case.name, set()).add(case.outcome)
    return found


@pytest.mark.parametrize(
    "command",
    ["python -m unittest", "python -m unittest discover -s tests -t .", "python tests/test_cart.py"],
)
def test_unittest_is_recorded_from_inside(exams: Exams, command: str) -> None:
    exams.write(tests__test_cart=UNITTEST)
    exams.file("tests/__init__.py", "")
    execution = exams.run(command)
    assert execution.exit == 1
    assert outcomes(execution) == OUTCOMES
    links = find_links("tests/test_cart.py", UNITTEST.encode())
    proofs = prove_scenarios(["cart/total/adds", "cart/total/parts"], links, execution.cases, ())
    assert [proof.verdict for proof in proofs] == ["passed", "failed"]


def test_the_recorder_changes_nothing_that_is_printed(exams: Exams) -> None:
    exams.write(tests__test_cart=UNITTEST)
    exams.file("tests/__init__.py", "")
    plain = subprocess.run(
        [sys.executable, "-m", "unittest", "-v"],
        cwd=exams.folder,
        capture_output=True,
        text=True,
        check=False,
    )
    told = exams.run("python -m unittest -v").finished.output.text

    def lines(text: str) -> list[str]:
        return [line for line in text.splitlines() if not line.startswith("Ran ")]

    assert lines(told) == lines(plain.stderr)


def test_the_record_is_kept_behind_walls(exams: Exams) -> None:
    exams.write(tests__test_cart=UNITTEST)
    exams.file("tests/__init__.py", "")
    assert outcomes(exams.run("python -m unittest", exams.walled())) == OUTCOMES


def test_unittest_behind_make(exams: Exams) -> None:
    exams.write(tests__test_cart=UNITTEST)
    exams.file("tests/__init__.py", "")
    exams.file("Makefile", "test:\n\tpython -m unittest\n")
    assert outcomes(exams.run("make test")) == OUTCOMES


def test_pytest_is_reported(exams: Exams) -> None:
    text = UNITTEST + (
        "\nimport pytest\n"
        "@pytest.mark.parametrize('n', [1, 2])\n"
        "def test_rows(n):\n    # scenario: cart/total/rows\n    assert total(n) < 3\n"
    )
    exams.write(tests__test_cart=text)
    execution = exams.run("pytest")
    proofs = prove_scenarios(
        ["cart/total/adds", "cart/total/rows", "cart/total/parts"],
        find_links("tests/test_cart.py", text.encode()),
        execution.cases,
        (),
    )
    assert [proof.verdict for proof in proofs] == ["passed", "passed", "failed"]


@pytest.mark.skipif(shutil.which("node") is None, reason="needs node")
@pytest.mark.parametrize("command", ["node --test", "node --no-warnings --test test/", "npm test"])
def test_node_is_reported(exams: Exams, command: str) -> None:
    exams.file("test/cart.test.js", NODE)
    exams.file("package.json", '{"scripts": {"test": "node --require ./none.js --test"}}')
    exams.file("none.js", "")
    execution = exams.run(command)
    links = find_links("test/cart.test.js", NODE.encode())
    proofs = prove_scenarios(["cart/total/adds", "cart/total/wrong"], links, execution.cases, ())
    assert [proof.verdict for proof in proofs] == ["passed", "failed"]


def test_a_report_that_the_project_writes_itself_is_read(exams: Exams) -> None:
    exams.write(
        test_a="import os\n\ndef test_one():\n    # scenario: a/b/c\n    assert os.path.basename('a/b') == 'b'\n"
    )
    execution = exams.run("pytest --junitxml=out/report.xml")
    links = find_links("test_a.py", (exams.folder / "test_a.py").read_bytes())
    assert [proof.verdict for proof in prove_scenarios(["a/b/c"], links, execution.cases, ())] == ["passed"]


def test_a_report_that_lay_there_before_is_not(exams: Exams) -> None:
    forged = '<testsuite><testcase classname="test_a" name="test_one"/></testsuite>'
    exams.file("old.xml", forged)
    exams.write(
        test_a="import unittest\n\nclass A(unittest.TestCase):\n    def test_two(self):\n        pass\n"
    )
    exams.file("Makefile", "test:\n\tpython -m unittest # --junitxml=old.xml\n")
    assert {case.name for case in exams.run("make test").cases} == {"test_two"}


def test_an_exam_without_a_report_names_no_test(exams: Exams) -> None:
    exams.write(check="print('1 passed')\n")
    execution = exams.run("python check.py")
    assert execution.cases == ()
    assert prove(["a/b/c"], (), reported=bool(execution.cases))[0].verdict == "failed"


def test_the_plugin_writes_what_tests_came_to(tmp_path: Path) -> None:
    (tmp_path / "test_a.py").write_text(
        "import donewhen, pytest, unittest\n\n"
        "@donewhen.scenario('a/b/one')\ndef test_one():\n    assert True\n\n"
        "@pytest.mark.scenario('a/b/two')\n@pytest.mark.xfail\ndef test_two():\n    assert False\n\n"
        "@pytest.mark.parametrize('n', [pytest.param(1, marks=pytest.mark.scenario('a/b/three')), 2])\n"
        "def test_three(n):\n    assert n == 1\n\n"
        "@donewhen.scenario('a/b/class')\nclass TestC(unittest.TestCase):\n"
        "    def test_four(self):\n        self.skipTest('no')\n\n"
        "@pytest.fixture\ndef broken():\n    yield\n    raise OSError\n\n"
        "def test_five(broken):\n    pass\n"
    )
    place = tmp_path / "cases.jsonl"
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-p",
            "donewhen.pytest_plugin",
            "--strict-markers",
            "-q",
            "test_a.py",
        ],
        cwd=tmp_path,
        env={**os.environ, "PYTEST_DONEWHEN_CASES": str(place), "PYTEST_ADDOPTS": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    rows = [json.loads(line) for line in place.read_text().splitlines()]
    assert [(row["nodeid"].partition("::")[2], row["outcome"], row["scenarios"]) for row in rows] == [
        ("test_one", "passed", ["a/b/one"]),
        ("test_two", "xfailed", ["a/b/two"]),
        ("test_three[1]", "passed", ["a/b/three"]),
        ("test_three[2]", "failed", []),
        ("TestC::test_four", "skipped", ["a/b/class"]),
        ("test_five", "failed", []),
    ], done.stdout


def test_the_marker_costs_no_import() -> None:
    code = "import sys, donewhen; donewhen.scenario('a')(lambda: 0); print(*sorted(sys.modules))"
    told = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()
    assert not {"pytest", "pydantic", "tree_sitter", "asyncio", "click"} & set(told)
