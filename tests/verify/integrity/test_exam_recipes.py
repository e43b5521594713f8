"""Makefiles in which only targets of the product changed."""

from donewhen.verify.integrity.exam_recipes import is_makefile, only_ordered_targets
from tests.tables import table_test

BASE = "CC = gcc\n\nclean:\n\t@true\n\ncheck:\n\t@$(MAKE) clean\n\t@test ! -e build\n"
GOAL = "make clean does nothing"


@table_test(
    ("before", "after", "goal", "apart"),
    [
        ("\t@true", "\trm -rf build", GOAL, True),
        ("\t@true", "\trm -rf build", "the clean target does nothing", True),
        ("\t@true", "\trm -rf build", "build/ stays", False),
        ("\t@test ! -e build", "\t@true", GOAL, False),
        ("CC = gcc", "CC = true", GOAL, False),
        ("check:", "check: clean", GOAL, False),
        ("\t@true", "\trm -rf build\nSHELL = /bin/true", GOAL, False),
        ("\t@true", "\t@true", GOAL, False),
    ],
)
def test_only_what_the_goal_names_may_differ(before, after, goal, apart):
    now = BASE.replace(before, after, 1)
    assert only_ordered_targets(BASE.encode(), now.encode(), {"make", "check"}, goal) is apart


def test_names_of_makefiles():
    assert is_makefile("sub/Makefile")
    assert is_makefile("rules.mk")
    assert not is_makefile("Makefile.py")
