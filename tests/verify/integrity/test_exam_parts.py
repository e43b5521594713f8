"""Files that hold product and exam, of which only the product changed."""

from donewhen.verify.integrity.exam_parts import only_named_parts
from tests.tables import table_test

BASE = """\
import sys


def on_duty(names, week):
    return names[week]


def check(ok):
    if not ok:
        sys.exit(1)


def self_test():
    assert on_duty(["a"], 0) == "a"
    check(on_duty(["a", "b"], 3) == "b")


if "--self-test" in sys.argv:
    self_test()
"""
FIXED = BASE.replace("names[week]", "names[week % len(names)]")
GOAL = "on_duty breaks after the last name: weeks should wrap around"


@table_test(
    "now",
    [
        FIXED,
        FIXED.replace("import sys\n", '"""Duties."""\nimport math\nimport sys\n'),
        FIXED.replace("def check", "def _wrapped(week):\n    return week\n\n\ndef check"),
    ],
)
def test_the_function_that_the_goal_names_may_change(now):
    assert only_named_parts("duties.py", BASE.encode(), now.encode(), GOAL)


OTHERS = {
    "the exam asks for less": FIXED.replace('    assert on_duty(["a"], 0) == "a"\n', ""),
    "a check no longer fails": FIXED.replace("sys.exit(1)", "pass"),
    "a check is replaced below": FIXED.replace('if "--self', 'check = print\nif "--self'),
    "a check is defined twice": FIXED.replace('if "--self', 'def check(ok):\n    pass\n\n\nif "--self'),
    "a builtin is hidden": FIXED.replace("def check", "def len(x):\n    return 2\n\n\ndef check"),
    "an import hides a name": FIXED.replace("import sys\n", "import sys\nimport os as self_test\n"),
    "an import hides whatever it likes": FIXED.replace("import sys\n", "import sys\nfrom os import *\n"),
    "the exam is not called": FIXED.replace("    self_test()\n", "    pass\n"),
    "the product ends the exam": FIXED.replace(
        "    return names", "    if not names: raise SystemExit\n    return names"
    ),
    "nothing of it changed": BASE + "# more\n",
    "it is no Python": FIXED + "def (",
}


@table_test("now", OTHERS.values(), ids=OTHERS)
def test_everything_else_goes_back(now):
    assert not only_named_parts("duties.py", BASE.encode(), now.encode(), GOAL)


def test_what_the_goal_does_not_name_goes_back():
    assert not only_named_parts("duties.py", BASE.encode(), FIXED.encode(), "make the self-test pass")
    assert not only_named_parts("duties.js", BASE.encode(), FIXED.encode(), GOAL)
