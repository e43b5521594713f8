"""The base's tests on the new code: for real, in private rooms, with what the user has beside his tree."""

import shutil
import subprocess
import sys

import pytest

from donewhen.core.integrity.model import Rerun
from donewhen.run.verifying.base_exam import attributed, base_exam, base_exam_pair
from tests.projects import everything
from tests.run.exam_support import Desk, Sat, git, write
from tests.tables import table_test

UNITTEST = "python3 -m unittest"
BROKEN = "def total(prices):\n    return 0\n"
FIXED = "def total(prices):\n    return sum(prices)\n"
STRICT = """\
import unittest

from cart import total


class Total(unittest.TestCase):
    def test_adds_up(self):
        self.assertEqual(total([1, 2]), 3)

    def test_empty(self):
        self.assertEqual(total([]), 0)
"""
WEAK = STRICT.replace("total([1, 2]), 3", "total([1, 2]), 0")
PROJECT = {"cart.py": BROKEN, "tests/__init__.py": "", "tests/test_cart.py": STRICT}


def pair(desk: Desk, *configs: str, **how):
    async def act(sat: Sat):
        assert sat.green
        return await base_exam_pair(sat.proper, sat.back(*configs, **how))

    return desk.do(act)


def test_a_changed_test_whose_base_passes_on_the_new_code_gained_nothing(tmp_path):
    desk = Desk(tmp_path, PROJECT, UNITTEST)
    write(desk.root, {"cart.py": FIXED, "tests/test_cart.py": STRICT.replace("[1, 2]), 3", "[2, 2]), 4")})
    found = pair(desk)
    assert found == (Rerun(True, 2), None)


def test_a_test_that_was_changed_instead_of_satisfied_failed_at_the_base_too(tmp_path):
    desk = Desk(tmp_path, PROJECT, UNITTEST)
    write(desk.root, {"tests/test_cart.py": WEAK})
    again, start = pair(desk)
    assert (again.green, again.executed, again.why) == (False, 2, None)
    assert any("test_adds_up" in name for name in again.failed)
    assert start is not None
    assert start.failed == again.failed


def test_a_behaviour_that_changed_passed_at_the_base(tmp_path):
    desk = Desk(tmp_path, {**PROJECT, "cart.py": FIXED}, UNITTEST)
    write(desk.root, {"cart.py": "def total(prices):\n    return 0\n", "tests/test_cart.py": WEAK})
    again, start = pair(desk)
    assert not again.green
    assert start == Rerun(True, 2)


def test_what_the_goal_permits_stays_as_the_change_has_it(tmp_path):
    desk = Desk(tmp_path, {**PROJECT, "tests/test_more.py": STRICT}, UNITTEST)
    write(desk.root, {"cart.py": FIXED, "tests/test_cart.py": STRICT + "# said\n"})
    (desk.root / "tests/test_more.py").unlink()
    assert pair(desk, kept=("tests/test_more.py",))[0] == Rerun(True, 2)
    assert pair(desk)[0] == Rerun(True, 4)  # the deleted one is back


def test_new_tests_go_away_and_shims_do(tmp_path):
    desk = Desk(tmp_path, PROJECT, UNITTEST)
    hook = "import unittest\nunittest.TestCase.assertEqual = lambda *a: None\n"
    write(desk.root, {"tests/__init__.py": hook, "unittest_extra.py": ""})
    again, start = pair(desk, removed=("unittest_extra.py",))
    assert not again.green
    assert start is not None
    assert not start.green


def test_a_new_test_file_that_a_command_names_stays(tmp_path):
    desk = Desk(tmp_path, {"cart.py": BROKEN, "tests/__init__.py": ""}, f"{UNITTEST} tests.test_cart")
    write(desk.root, {"cart.py": FIXED, "tests/test_cart.py": STRICT})
    again, start = pair(desk)
    assert again.why is not None  # nothing else is there to be put back
    assert start is None


def test_a_base_without_tests_says_nothing(tmp_path):
    desk = Desk(tmp_path, {"cart.py": BROKEN, "tests/__init__.py": ""}, UNITTEST)
    write(desk.root, {"cart.py": FIXED, "tests/test_cart.py": STRICT})
    again, start = pair(desk)
    assert again.why is not None
    assert start is None


def test_a_target_that_the_base_has_not_is_left_out(tmp_path):
    make = f"test:\n\t{UNITTEST}\n"
    desk = Desk(tmp_path, {**PROJECT, "cart.py": FIXED, "Makefile": make}, "make check", "make test")
    write(desk.root, {"Makefile": make + "check:\n\tpython3 -m compileall -q cart.py\n"})
    assert pair(desk)[0] == Rerun(True, 2)


def test_a_weakened_command_is_put_back(tmp_path):
    make = "test:\n\tpython3 -m unittest\n"
    desk = Desk(tmp_path, {**PROJECT, "Makefile": make}, "make test")
    write(desk.root, {"Makefile": "test:\n\tpython3 -m unittest tests.test_cart.Total.test_empty\n"})
    again = pair(desk)[0]
    assert (again.green, again.executed) == (False, 2)


def test_nothing_of_the_users_folder_changes(tmp_path):
    desk = Desk(tmp_path, {**PROJECT, ".gitignore": "__pycache__/\n"}, UNITTEST)
    write(desk.root, {"tests/test_cart.py": WEAK})
    seen = []

    async def act(sat: Sat):
        seen.append(everything(desk.root))
        await base_exam_pair(sat.proper, sat.back())
        seen.append(everything(desk.root))

    desk.do(act)
    assert seen[0] == seen[1]


def test_greens_are_used_again_and_never_speak_for_the_change(tmp_path):
    desk = Desk(tmp_path, PROJECT, UNITTEST)
    write(desk.root, {"cart.py": FIXED, "tests/test_cart.py": STRICT + "\n# more\n"})

    async def act(sat: Sat):
        await base_exam(sat.proper, sat.back())
        return sat.proper.looked.change.fingerprint

    desk.do(act)
    ran = [event.body for event in desk.events if event.type == "command_started"]
    now = desk.do(act)
    again = [event.body for event in desk.events if event.type == "command_started"]
    assert (len(ran), len(again)) == (2, 0)
    ended = [event.body for event in desk.events if event.type == "command_ended"]
    assert {body.by for body in ended} == {"harness"}
    others = [tree for body in ended for tree in (body.before, *body.on) if tree != now.relevant]
    assert others
    assert all(tree.startswith("base-tests:") for tree in others)


def test_what_the_user_had_before_is_there_in_the_room(tmp_path):
    """An ignored setting that the tests read is the user's environment."""
    code = "from pathlib import Path\n\nRATE = int(Path('local.cfg').read_text())\n"
    files = {
        ".gitignore": "local.cfg\n__pycache__/\n",
        "local.cfg": "2\n",
        "cart.py": code + "def total(prices):\n    return 0\n",
        "tests/__init__.py": "",
        "tests/test_cart.py": STRICT.replace("2]), 3", "2]), 6"),
    }
    desk = Desk(tmp_path, files, UNITTEST)
    write(desk.root, {"cart.py": code + "def total(prices):\n    return RATE * sum(prices)\n"})
    write(desk.root, {"tests/test_cart.py": files["tests/test_cart.py"] + "# said\n"})
    assert pair(desk)[0] == Rerun(True, 2)


@pytest.mark.runs
@pytest.mark.skipif(not shutil.which("node"), reason="needs node")
def test_installed_packages_are_lent_to_the_room(tmp_path):
    test = "const test = require('node:test');\nconst assert = require('node:assert');\n"
    test += "const { add } = require('..');\ntest('adds', () => assert.strictEqual(add(1, 2), 3));\n"
    files = {
        ".gitignore": "node_modules/\n",
        "package.json": '{"name": "p", "version": "1.0.0", "main": "index.js", "dependencies": {"plus": "1"},'
        ' "scripts": {"test": "node --test"}}',
        "index.js": "exports.add = () => 0;\n",
        "test/add.test.js": test,
        "node_modules/plus/package.json": '{"name": "plus", "version": "1.0.0", "main": "i.js"}',
        "node_modules/plus/i.js": "module.exports = (a, b) => a + b;\n",
        "node_modules/@s/minus/package.json": '{"name": "@s/minus", "version": "1.0.0"}',
        "node_modules/@s/minus/index.js": "module.exports = (a, b) => a - b;\n",
    }
    desk = Desk(tmp_path, files, "npm test")
    good = "require('@s/minus');\nexports.add = (a, b) => require('plus')(a, b);\n"
    write(desk.root, {"index.js": good, "test/add.test.js": test + "// more\n"})
    found = pair(desk)
    assert found == (Rerun(True, 1), None)
    write(desk.root, {"index.js": "exports.add = () => 4;\n", "test/add.test.js": test.replace("3)", "4)")})
    again, start = pair(desk)
    assert (again.green, again.why) == (False, None)
    assert [name.rpartition(" ")[2] for name in again.failed] == ["adds"]
    assert start is not None
    assert not start.green


@pytest.mark.skipif(not shutil.which("node"), reason="needs node")
def test_scripts_of_a_package_go_back_and_its_dependencies_stay(tmp_path):
    test = "const test = require('node:test');\nconst assert = require('node:assert');\n"
    test += "test('adds', () => assert.strictEqual(require('..').add(1, 2), 3));\n"
    package = '{"name": "p", "version": "1.0.0", "main": "%s", "scripts": {"test": "%s"}}'
    files = {
        "package.json": package % ("index.js", "node --test"),
        "index.js": "exports.add = () => 0;\n",
        "test/add.test.js": test,
        "test/ok.test.js": "require('node:test')('ok', () => {});\n",
    }
    desk = Desk(tmp_path, files, "npm test")
    write(desk.root, {"package.json": package % ("lib.js", "node --test test/ok.test.js")})
    (desk.root / "index.js").rename(desk.root / "lib.js")

    async def act(sat: Sat):
        back = sat.back("package.json")
        assert b'"main": "lib.js"' in back.written["package.json"]
        assert b'"node --test"' in back.written["package.json"]
        return await base_exam(sat.proper, back)

    found = desk.do(act)
    assert (found.green, found.executed) == (False, 2)


def test_a_project_that_is_installed_from_the_users_folder_is_examined_in_the_room(tmp_path):
    """An editable install leads to the user's sources; the room must import its own, or say that it can't."""
    files = {
        ".gitignore": ".venv/\n__pycache__/\n",
        "pyproject.toml": '[project]\nname = "cartx"\nversion = "1"\n',
        "src/cartx/__init__.py": BROKEN,
        "tests/test_cart.py": STRICT.replace("from cart", "from cartx"),
    }
    desk = Desk(tmp_path, files, ".venv/bin/python -m unittest discover -s tests")
    venv = desk.root / ".venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(venv)], check=True, timeout=60)
    (site,) = venv.glob("lib/python*/site-packages")
    (site / "cartx.pth").write_text(f"{desk.root}/src\n")
    weak = files["tests/test_cart.py"].replace("2]), 3", "2]), 0")
    write(desk.root, {"tests/test_cart.py": weak})
    again, start = pair(desk)
    assert (again.green, again.why, again.executed) == (False, None, 2)
    assert start is not None
    write(desk.root, {"src/cartx/__init__.py": FIXED, "tests/test_cart.py": weak.replace("2]), 0", "2]), 3")})
    write(desk.root, {"tests/test_cart.py": weak.replace("2]), 0", "1]), 2")})
    assert pair(desk)[0] == Rerun(True, 2)


def test_a_room_that_can_not_host_the_exam_is_said_not_believed(tmp_path):
    """Tests that need the very folder they were written for fail in any other."""
    here = "import os, unittest\nclass Here(unittest.TestCase):\n    def test_here(self):\n"
    where = str(tmp_path / "project")
    text = f"{here}        self.assertEqual(os.getcwd(), {where!r})\n"
    desk = Desk(tmp_path, {**PROJECT, "cart.py": FIXED, "tests/test_here.py": text}, UNITTEST)
    write(desk.root, {"tests/test_here.py": text + "# said\n", "cart.py": FIXED + "# said\n"})
    again, start = pair(desk)
    assert again.why is not None
    assert again.why.key == "baseexam.no_room"
    assert start is None


@table_test(
    ("found", "control", "left"),
    [
        (Rerun(False, 3, ("a", "b")), Rerun(True, 3), Rerun(False, 3, ("a", "b"))),
        (Rerun(False, 3, ("a", "b")), Rerun(False, 3, ("b",)), Rerun(False, 3, ("a",))),
    ],
)
def test_only_failures_that_the_change_has_not_itself_count(found, control, left):
    assert attributed(found, control) == left


@pytest.mark.runs
@table_test("clean_room", [True, False])
def test_an_exam_that_needs_a_set_up_is_sat_again_in_a_room_with_the_same(tmp_path, clean_room):
    """What the set-up makes is there for the tests of the base as well."""
    tool = "import os; [os.makedirs(x) for x in ('.venv/bin', 'node_modules/.bin')]"
    tool += "; open('.venv/rate', 'w').write('1')"
    code = "from pathlib import Path\nRATE = int(Path('.venv/rate').read_text())\n"
    files = {**PROJECT, "cart.py": code + BROKEN, ".gitignore": ".venv/\nnode_modules/\n"}
    setting = f'workspace.setup=[["python3", "-c", "{tool}"]]'
    desk = Desk(tmp_path, files, UNITTEST, settings=(setting,))
    write(desk.root, {"cart.py": code + FIXED, "tests/test_cart.py": STRICT + "# said\n"})
    git(desk.root, "commit", "-qam", "more")

    async def act(sat: Sat):
        assert sat.green
        assert not sat.proper.in_place
        return await base_exam_pair(sat.proper, sat.back())

    assert desk.do(act, clean_room=clean_room, base="HEAD~1") == (Rerun(True, 2), None)
    assert not (desk.root / ".venv").exists()
    write(desk.root, {"cart.py": code + BROKEN, "tests/test_cart.py": WEAK})
    git(desk.root, "commit", "-qam", "weaker")
    again, start = desk.do(act, clean_room=clean_room, base="HEAD~2")
    assert (again.green, again.executed) == (False, 2)
    assert start is not None
    assert start.failed == again.failed
