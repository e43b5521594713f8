"""Folders that a build seems to have made: built for real, or written by hand."""

import os
import shutil

import pytest

from donewhen.verify.hidden_work import leftovers
from donewhen.verify.unbuilt import builds
from tests.tables import table_test
from tests.verify.exam_support import Desk, Sat, write

UNITTEST = "python3 -m unittest"
TEST = """\
import sys
import unittest

sys.path.insert(0, "dist")
from cart import total


class Total(unittest.TestCase):
    def test_adds_up(self):
        self.assertEqual(total([1, 2]), 3)
"""
GOOD = "def total(prices):\n    return sum(prices)\n"
BAD = "def total(prices):\n    return 0\n"
MAKEFILE = "build:\n\tmkdir -p dist\n\tcp lib/cart.py dist/cart.py\n"
BASE = {"lib/cart.py": BAD, "test_cart.py": TEST, ".gitignore": "dist/\n__pycache__/\n"}


def found(desk: Desk) -> list[tuple[str, str, str]]:
    async def act(sat: Sat):
        assert sat.green
        return await leftovers(sat.proper)

    return [(each.rule, each.file, each.policy) for each in desk.do(act)]


HIDDEN = [("hidden-work", "dist", "ask")]


@pytest.mark.skipif(not shutil.which("make"), reason="needs make")
@table_test(
    ("source", "expected"),
    [(GOOD, []), (BAD + "# seen to\n", HIDDEN)],
    ids=["the build makes it", "by hand"],
)
def test_what_the_projects_own_build_makes_is_fine(tmp_path, source, expected):
    desk = Desk(tmp_path, {**BASE, "Makefile": MAKEFILE}, UNITTEST)
    write(desk.root, {"lib/cart.py": source, "dist/cart.py": GOOD})
    assert found(desk) == expected


@table_test(
    ("more", "expected"),
    [
        ({"package.json": "{}"}, HIDDEN),
        ({"pyproject.toml": ""}, []),
        ({"package.json": "{}", "tsconfig.json": "{}"}, []),
        ({"package.json": '{"scripts": {"assets": "node copy.js dist"}}'}, []),
    ],
)
def test_without_a_build_it_is_hidden_work_and_with_an_unknown_one_believed(tmp_path, more, expected):
    desk = Desk(tmp_path, {**BASE, **more}, UNITTEST)
    write(desk.root, {"lib/cart.py": BAD + "# seen to\n", "dist/cart.py": GOOD})
    assert found(desk) == expected


def test_an_exam_that_does_not_need_it_or_makes_it_is_fine(tmp_path):
    making = (
        "import os, shutil\nos.makedirs('dist', exist_ok=True)\nshutil.copy('lib/cart.py', 'dist/cart.py')\n"
    )
    desk = Desk(tmp_path, {**BASE, "package.json": "{}", "test_cart.py": making + TEST}, UNITTEST)
    write(desk.root, {"lib/cart.py": GOOD, "dist/cart.py": GOOD})
    assert found(desk) == []


def test_what_was_built_before_the_base_is_the_environment(tmp_path):
    desk = Desk(tmp_path, {**BASE, "package.json": "{}", "dist/cart.py": GOOD}, UNITTEST)
    write(desk.root, {"lib/cart.py": GOOD})
    assert found(desk) == []


def test_a_set_back_time_does_not_make_it_old(tmp_path):
    desk = Desk(tmp_path, {**BASE, "package.json": "{}"}, UNITTEST)
    write(desk.root, {"lib/cart.py": BAD + "# seen to\n", "dist/cart.py": GOOD})
    os.utime(desk.root / "dist/cart.py", (1, 1))
    assert found(desk) == HIDDEN


@table_test(
    ("files", "argv"),
    [
        (
            {"package.json": '{"scripts": {"build": "x", "compile": "y"}}'},
            ("npm", "run", "--silent", "build"),
        ),
        ({"package.json": '{"scripts": {"compile:js": "y"}}'}, ("npm", "run", "--silent", "compile:js")),
        ({"package.json": "[[", "Makefile": "all: x\n"}, ("make", "all")),
        ({"Makefile": "build := 1\n", "package.json": "{}"}, ()),
        ({"Makefile": "clean:\n\trm -rf dist\n"}, None),
        ({"go.mod": ""}, None),
    ],
)
def test_how_a_project_builds(tmp_path, files, argv):
    write(tmp_path, files)
    found = builds(tmp_path, "dist")
    assert (found[0].argv if found else found) == argv


@table_test(
    ("makefile", "path", "argv"),
    [
        ("build/words.txt: words.csv\n\tcp $< $@\n", "build", ("make", "build/words.txt")),
        ("./build/a build/b : x\n\tcp $< $@\n", "build", ("make", "build/a", "build/b")),
        ("all: build/a\nbuild/a: x\n\tcp $< $@\n", "build", ("make", "all", "build/a")),
        ("web/build/a: x\n\tcp $< $@\n", "web/build", ("make", "web/build/a")),
    ],
)
def test_a_rule_for_something_inside_the_folder_builds_it(tmp_path, makefile, path, argv):
    write(tmp_path, {"Makefile": makefile})
    (tmp_path / path).mkdir(parents=True)
    (entry,) = builds(tmp_path, path) or ()
    assert (entry.argv, entry.cwd) == (argv, "")


@table_test(
    "makefile", ["build/%.o: %.c\n\tcc -o $@ $<\n", "\tbuild/a: x\n", "# build/a: x\n", "build/a := x\n"]
)
def test_what_names_no_target_in_the_folder_is_no_way_to_build_it(tmp_path, makefile):
    write(tmp_path, {"Makefile": makefile})
    assert builds(tmp_path, "build") is None


WORDS = (
    ".PHONY: test\ntest: build/words.txt\n\tgrep -qx zebra build/words.txt\n\nbuild/words.txt: words.csv\n"
)
WORDS += "\tmkdir -p build\n\ttr , '\\n' < words.csv > $@\n"


def test_a_build_that_make_makes_again_is_no_hidden_work(tmp_path):
    base = {"Makefile": WORDS, "words.csv": "ant;zebra\n", ".gitignore": "build/\n"}
    desk = Desk(tmp_path, base, "make test", "grep -qx ant build/words.txt")
    desk.write(**{"words.csv": "ant,zebra\n", "build/words.txt": "ant\nzebra\n"})
    assert found(desk) == []
