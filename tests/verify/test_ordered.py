"""Tests that were ordered with a fix, sat on the code that there was before it."""

from donewhen.core.texts import Phrase
from donewhen.verify.exam_run import Rerun
from donewhen.verify.ordered import green_on_old_code, more_were_run, ordered_tests
from tests.tables import table_test
from tests.verify.exam_support import Desk, Sat

GOAL = "slug() should replace blanks by dashes. Please write tests in tests/test_slug.py."
UNITTEST = "python3 -m unittest"
HEAD = "import unittest\n\nfrom slug import slug\n\n\nclass T(unittest.TestCase):\n"
OLD = (
    HEAD.replace("class T", "class Old") + "    def test_o(self):\n        self.assertEqual(slug('A'), 'a')\n"
)
RED = "    def test_r(self):\n        self.assertEqual(slug('A b'), 'a-b')\n"
GREEN = "    def test_g(self):\n        self.assertEqual(slug('AB'), 'ab')\n"
BASE = {
    "slug.py": "def slug(s):\n    return s.lower()\n",
    "tests/__init__.py": "",
    ".gitignore": "__pycache__/\n",
}
FIXED = "def slug(s):\n    return s.lower().replace(' ', '-')\n"


def found(desk: Desk, goal: str = GOAL) -> list[str]:
    async def act(sat: Sat):
        assert sat.green
        return (*ordered_tests(sat.proper, goal), *await green_on_old_code(sat.proper, goal))

    return [each.message.key for each in desk.do(act)]


@table_test("old", [{}, {"tests/test_old.py": OLD}])
def test_tests_that_the_old_code_passes_too_do_not_show_the_fix(tmp_path, old):
    desk = Desk(tmp_path, {**BASE, **old}, UNITTEST)
    desk.write(**{"slug.py": FIXED, "tests/test_slug.py": HEAD + GREEN})
    assert found(desk) == ["ordered.old_code_passes"]
    assert found(desk, "Add tests for slug()") == []


def test_one_test_that_is_red_without_the_fix_is_enough(tmp_path):
    desk = Desk(tmp_path, BASE, UNITTEST)
    desk.write(**{"slug.py": FIXED, "tests/test_slug.py": HEAD + GREEN + RED})
    assert found(desk) == []


def test_an_exam_that_does_not_run_the_new_tests_says_nothing_of_them(tmp_path):
    desk = Desk(tmp_path, {**BASE, "tests/test_old.py": OLD}, "python3 -m unittest tests.test_old")
    desk.write(**{"slug.py": FIXED, "tests/test_slug.py": HEAD + GREEN})
    assert found(desk) == []


def test_a_bug_that_the_exam_showed_before_needs_no_other_red(tmp_path):
    shown = OLD + RED
    desk = Desk(tmp_path, {**BASE, "tests/test_old.py": shown}, UNITTEST)
    desk.write(**{"slug.py": FIXED, "tests/test_slug.py": HEAD + GREEN})
    assert found(desk) == []


@table_test(
    ("before", "after", "more"),
    [
        (Rerun(True, 2), Rerun(True, 3), True),
        (Rerun(True, 3), Rerun(True, 3), False),
        (Rerun(True), Rerun(True, 3), False),
        (Rerun(True, 3), Rerun(True), False),
        (Rerun(False), Rerun(True, 1), True),
        (Rerun(False, 0), Rerun(True, 1), True),
        (Rerun(False, 1, ("a",)), Rerun(True, 2), False),
        (Rerun(False, 0, why=Phrase("baseexam.nothing_to_sit")), Rerun(True, 2), True),
        (Rerun(False, why=Phrase("baseexam.no_room")), Rerun(True, 2), False),
    ],
)
def test_new_tests_were_run_only_where_that_is_counted(before, after, more):
    assert more_were_run(before, after) is more
