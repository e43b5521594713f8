"""Work that would not be shipped, and exams that pass only once: for real, in the user's folder and in rooms."""

import base64
import hashlib
import os
import subprocess

from donewhen.verify.hidden_work import leftovers
from donewhen.verify.ignored import asides, began_ns
from donewhen.verify.installed import altered
from donewhen.workspace.git.repository import find_repository
from tests.projects import everything, git
from tests.tables import table_test
from tests.verify.exam_support import Desk, Sat, write

UNITTEST = "python3 -m unittest"
TEST = """\
import unittest

from cart import total


class Total(unittest.TestCase):
    def test_adds_up(self):
        self.assertEqual(total([1, 2]), 3)
"""
CODE = "from rates import RATE\n\n\ndef total(prices):\n    return RATE * sum(prices)\n"
PLAIN = "def total(prices):\n    return sum(prices)\n"
PROJECT = {"cart.py": "", "test_cart.py": TEST, ".gitignore": "rates.py\n*.state\n__pycache__/\nlocal/\n"}


def rules(found) -> list[tuple[str, str, str]]:
    return [(each.rule, each.file, each.policy) for each in found]


def asked(desk: Desk, **how):
    async def act(sat: Sat):
        assert sat.green
        return await leftovers(sat.proper)

    return desk.do(act, **how)


def commands(desk: Desk) -> int:
    return sum(event.type == "command_started" for event in desk.events)


def test_an_ignored_module_that_the_tests_need_is_hidden_work(tmp_path):
    desk = Desk(tmp_path, PROJECT, UNITTEST)
    write(desk.root, {"cart.py": CODE, "rates.py": "RATE = 1\n", "notes.state": "unrelated\n"})
    before = everything(desk.root)
    (finding,) = asked(desk)
    assert (finding.rule, finding.file, finding.policy) == ("hidden-work", "rates.py", "ask")
    assert "notes.state" not in str(finding.message.values)
    after = everything(desk.root)
    assert {name for name in after if "__pycache__" not in name} == {
        name for name in before if "__pycache__" not in name
    }


def test_what_the_user_had_before_the_base_is_his_environment(tmp_path):
    desk = Desk(tmp_path, {**PROJECT, "rates.py": "RATE = 1\n"}, UNITTEST)
    write(desk.root, {"cart.py": CODE, "new.state": "x\n"})
    assert asked(desk) == ()


def test_only_what_is_younger_than_the_base_costs_another_sitting(tmp_path):
    desk = Desk(tmp_path, {**PROJECT, "rates.py": "RATE = 1\n"}, UNITTEST)
    write(desk.root, {"cart.py": CODE})
    assert asked(desk) == ()
    assert commands(desk) == 1


def test_a_set_back_time_does_not_make_a_file_old(tmp_path):
    desk = Desk(tmp_path, PROJECT, UNITTEST)
    write(desk.root, {"cart.py": CODE, "rates.py": "RATE = 1\n"})
    os.utime(desk.root / "rates.py", (1, 1))
    assert rules(asked(desk)) == [("hidden-work", "rates.py", "ask")]


def test_leftovers_that_nobody_needs_are_fine(tmp_path):
    desk = Desk(tmp_path, PROJECT, UNITTEST)
    write(desk.root, {"cart.py": PLAIN, "x.state": "x\n", "local/deep/y": "y\n"})
    assert asked(desk) == ()
    assert commands(desk) == 2
    assert asked(desk) == ()
    assert commands(desk) == 0  # both results are known


def test_a_file_that_the_tests_make_themselves_is_fine(tmp_path):
    test = "from pathlib import Path\nPath('rates.py').write_text('RATE = 1\\n')\n" + TEST
    desk = Desk(tmp_path, {**PROJECT, "test_cart.py": test}, UNITTEST)
    write(desk.root, {"cart.py": CODE, "rates.py": "RATE = 1\n"})
    assert asked(desk) == ()


def test_what_the_repositorys_own_exclude_file_hides_counts_too(tmp_path):
    desk = Desk(tmp_path, {**PROJECT, ".gitignore": "__pycache__/\n"}, UNITTEST)
    (desk.root / ".git/info").mkdir(exist_ok=True)
    (desk.root / ".git/info/exclude").write_text("rates.py\n")
    write(desk.root, {"cart.py": CODE, "rates.py": "RATE = 1\n"})
    assert rules(asked(desk)) == [("hidden-work", "rates.py", "ask")]


def test_what_the_users_global_rules_hide_counts_too(tmp_path):
    desk = Desk(tmp_path, {**PROJECT, ".gitignore": "__pycache__/\n"}, UNITTEST)
    rules_of_user = tmp_path / "home/.config/git"
    rules_of_user.mkdir(parents=True)
    (rules_of_user / "ignore").write_text("rates.py\n")
    write(desk.root, {"cart.py": CODE, "rates.py": "RATE = 1\n"})
    assert rules(asked(desk)) == [("hidden-work", "rates.py", "ask")]


def test_a_test_file_that_is_ignored_is_hidden_work_when_it_is_the_only_one(tmp_path):
    desk = Desk(tmp_path, {"cart.py": PLAIN, ".gitignore": "test_*.py\n__pycache__/\n"}, UNITTEST)
    write(desk.root, {"test_cart.py": TEST, "cart.py": PLAIN + "# said\n"})
    assert rules(asked(desk)) == [("hidden-work", "test_cart.py", "ask")]


def test_caches_dependencies_and_builds_are_no_leftovers(tmp_path):
    ignored = (
        ".pytest_cache/\nnode_modules/\n.venv/\ndist/\n*.egg-info/\n.coverage\n__pycache__/\n*.pyc\ndata/\n"
    )
    desk = Desk(tmp_path, {".gitignore": ignored, "package.json": "{}", "a.py": ""}, UNITTEST)
    write(
        desk.root,
        {
            ".pytest_cache/v/x": "",
            "node_modules/p/index.js": "",
            "web/node_modules/p/index.js": "",
            ".venv/pyvenv.cfg": "",
            "dist/a.js": "",
            "sub/dist/answers.js": "",
            "p.egg-info/PKG-INFO": "",
            ".coverage": "",
            "__pycache__/a.cpython-311.pyc": "",
            "__pycache__/gone.cpython-311.pyc": "",
            "planted.pyc": "",
            "data/one": "",
        },
    )
    found = asides(find_repository(desk.root, desk.env), tmp_path / "none")
    assert {each.path: each.sort for each in found} == {
        ".pytest_cache": "cache",
        "node_modules": "lent",
        "web/node_modules": "lent",
        ".venv": "lent",
        "dist": "made",
        "sub/dist/answers.js": "file",
        "p.egg-info": "cache",
        ".coverage": "cache",
        "__pycache__/a.cpython-311.pyc": "cache",
        "__pycache__/gone.cpython-311.pyc": "file",
        "planted.pyc": "file",
        "data/one": "file",
    }


NODE = {
    ".gitignore": "node_modules/\n",
    "package.json": '{"name": "p", "version": "1.0.0", "dependencies": {"check": "1", "@s/in": "1"}}',
    "node_modules/check/package.json": '{"name": "check", "version": "1.0.0"}',
    "node_modules/check/index.js": "module.exports = 1;\n",
    "node_modules/check/node_modules/deep/package.json": "{}",
    "node_modules/check/node_modules/deep/index.js": "",
    "node_modules/@s/in/package.json": "{}",
    "node_modules/@s/in/index.js": "",
    "node_modules/.cache/x.js": "",
}


@table_test(
    ("files", "edited"),
    [
        ({}, []),
        ({"node_modules/check/index.js": "module.exports = 2;\n"}, ["node_modules/check/index.js"]),
        ({"node_modules/check/lib/new.js": ""}, ["node_modules/check/lib/new.js"]),
        ({"node_modules/@s/in/index.js": "1"}, ["node_modules/@s/in/index.js"]),
        (
            {"node_modules/check/node_modules/deep/index.js": "1"},
            ["node_modules/check/node_modules/deep/index.js"],
        ),
        ({"node_modules/.cache/x.js": "1", "node_modules/.package-lock.json": "{}"}, []),
        ({"node_modules/fresh/package.json": "{}", "node_modules/fresh/index.js": ""}, []),
        (
            {"node_modules/check/package.json": "{ }", "node_modules/check/index.js": "2"},
            [],
        ),  # installed anew
        ({"node_modules/check/index.js": "2", "patches/check.patch": ""}, []),
        ({"node_modules/check/README.md": "2"}, []),
    ],
)
def test_an_installed_package_that_was_edited_is_found(tmp_path, files, edited):
    desk = Desk(tmp_path, NODE, UNITTEST)
    repository = find_repository(desk.root, desk.env)
    write(desk.root, files)
    began = began_ns(repository, repository.head)
    found = altered(desk.root, [desk.root / "node_modules"], began)
    assert [str(path.relative_to(desk.root)) for path in found] == edited


def test_an_edited_python_package_and_a_planted_start_are_found(tmp_path):
    site = ".venv/lib/python3.11/site-packages"
    good = "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(b"x = 1\n").digest()).rstrip(b"=").decode()
    record = f"one/__init__.py,{good},6\none/same.py,{good},6\none.pth,,\none-1.dist-info/RECORD,,\n"
    files = {
        ".gitignore": ".venv/\n",
        ".venv/pyvenv.cfg": "",
        f"{site}/one/__init__.py": "x = 1\n",
        f"{site}/one-1.dist-info/RECORD": record,
    }
    desk = Desk(tmp_path, files, UNITTEST)
    repository = find_repository(desk.root, desk.env)
    began = began_ns(repository, repository.head)
    folders = [desk.root / ".venv"]
    assert altered(desk.root, folders, began) == []
    write(
        desk.root,
        {
            f"{site}/one/__init__.py": "x = 2\n",
            f"{site}/one/same.py": "x = 1\n",
            f"{site}/one.pth": "import one\n",
            f"{site}/sitecustomize.py": "",
            f"{site}/plant.pth": "import os\n",
            f"{site}/path.pth": "/somewhere\n",
            f"{site}/one/__pycache__/x.py": "",
        },
    )
    found = {path.name for path in altered(desk.root, folders, began)}
    assert found == {"__init__.py", "sitecustomize.py", "plant.pth"}


def test_what_starts_with_every_python_of_the_user_is_found_when_it_is_new(tmp_path):
    desk = Desk(tmp_path, {**PROJECT, "cart.py": PLAIN}, UNITTEST)
    home = tmp_path / "home"
    write(home, {".local/lib/python3.11/site-packages/usercustomize.py": "x = 1\n"})
    (finding,) = asked(desk)
    assert (finding.rule, finding.blocks) == ("startup-hook", True)


def test_many_and_odd_ignored_names_are_listed_within_a_bound(tmp_path):
    desk = Desk(tmp_path, {**PROJECT}, UNITTEST)
    for number in range(30):
        write(desk.root, {f"local/new\nline {number}": "x"})
    (desk.root / os.fsdecode(b"local/\xff")).write_text("x")
    os.mkfifo(desk.root / "local/pipe")
    (desk.root / "local/loop").symlink_to(".")
    found = asides(find_repository(desk.root, desk.env), tmp_path / "none")
    assert len(found) == 33
    assert len(asides(find_repository(desk.root, desk.env), tmp_path / "none", most=5)) == 5


def test_a_stash_that_was_made_since_the_base_is_told_and_does_not_block(tmp_path):
    desk = Desk(tmp_path, {**PROJECT, "cart.py": PLAIN}, UNITTEST)
    write(desk.root, {"cart.py": PLAIN + "# aside\n"})
    git(desk.root, "stash", "push", "-q", "-m", "put aside")
    (finding,) = asked(desk)
    assert (finding.rule, finding.policy, finding.blocks) == ("hidden-work", "warn", False)
    assert finding.message.values["entry"] == "stash@{0}"
    assert "put aside" in str(finding.message.values["about"])


def test_a_stash_from_before_the_base_is_the_users(tmp_path):
    desk = Desk(tmp_path, {**PROJECT, "cart.py": PLAIN}, UNITTEST)
    write(desk.root, {"cart.py": PLAIN + "# aside\n"})
    git(desk.root, "stash", "push", "-q")
    write(desk.root, {"more.py": ""})
    git(desk.root, "add", "-A")
    git(desk.root, "commit", "-q", "-m", "later")
    assert asked(desk) == ()


STATEFUL = """\
import unittest
from pathlib import Path


class Once(unittest.TestCase):
    def test_once(self):
        flag = Path("seen.state")
        again = flag.exists()
        flag.write_text("seen")
        self.assertFalse(again)
"""
COUNTED = """\
import unittest
from pathlib import Path


class Logs(unittest.TestCase):
    def test_logs(self):
        with Path("run.state").open("a") as log:
            log.write("ran\\n")
        self.assertTrue(True + 0)
"""


def test_nothing_is_left_running_and_nothing_of_ours_lies_in_the_folder(tmp_path):
    desk = Desk(tmp_path, PROJECT, UNITTEST)
    write(desk.root, {"cart.py": CODE, "rates.py": "RATE = 1\n"})
    asked(desk)
    listed = subprocess.run(["git", "status", "--porcelain"], cwd=desk.root, capture_output=True, check=True)
    assert listed.stdout == b" M cart.py\n"
    rooms = list((tmp_path / "cache").glob("*/rooms/again/rates.py"))
    assert rooms == []
