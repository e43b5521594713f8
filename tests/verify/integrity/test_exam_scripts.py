"""Scripts that judge the work without holding tests."""

from donewhen.verify.integrity.exam_scripts import (
    Started,
    asks,
    drops_judging,
    is_exam_script,
    is_subject,
    judges,
    started,
)
from tests.tables import table_test

SMOKE = 'import sys\nfrom count import words\nif words("a b") != 2:\n    sys.exit("wrong")\n'


@table_test(
    ("command", "run"),
    [
        ("python3 smoke.py", Started("smoke.py", False, False)),
        ("python3 -B ./smoke.py --fast", Started("smoke.py", True, False)),
        ("bash -e ci/check.sh", Started("ci/check.sh", False, False)),
        ("./run-it", Started("run-it", False, False)),
        ("python3 -m unittest", None),
        ("bash -c 'echo'", None),
        ("make check", None),
        ("/usr/bin/env x", None),
        ("node", None),
    ],
)
def test_the_file_that_a_command_runs(command, run):
    assert started(command.split(), "", False) == run


@table_test(
    ("text", "can"),
    [
        ("sys.exit('no')", True),
        ("sys.exit(1 if bad else 0)", True),
        ("raise SystemExit(bad)", True),
        ("process.exit(1)", True),
        ("process.exitCode = bad", True),
        ("  exit 1", True),
        ("exit $bad", True),
        ("sys.exit(0)", False),
        ("sys.exit()", False),
        ("process.exit()", False),
        ("exit 0", False),
        ("print('exit')", False),
    ],
)
def test_an_end_by_its_own_will(text, can):
    assert judges(text) is can


@table_test(
    ("path", "how", "goal", "is_exam"),
    [
        ("smoke.py", {}, "words() counts wrongly", True),
        ("smoke.py", {}, "words() counts wrongly; smoke.py tries it", True),
        ("smoke.py", {}, "words() counts wrongly, smoke.py must pass", True),
        ("smoke.py", {}, "smoke.py should also try empty texts", False),
        ("smoke.py", {}, "rewrite smoke.py with two cases", False),
        ("smoke.py", {"operands": True}, "words() counts wrongly", False),
        ("trial.py", {}, "words() counts wrongly", True),
        ("trial.py", {"nested": True}, "words() counts wrongly", False),
        ("trial.py", {"operands": True}, "words() counts wrongly", False),
    ],
)
def test_which_scripts_are_the_exams(path, how, goal, is_exam):
    run = Started(path, how.get("operands", False), how.get("nested", False))
    weaker = SMOKE.replace('sys.exit("wrong")', "print('wrong')")
    assert is_exam_script(run, SMOKE, weaker, goal, ("count.py", path)) is is_exam


def test_a_script_that_looks_at_no_other_code_is_the_product():
    run = Started("validate.py", False, False)
    assert not is_exam_script(run, SMOKE, SMOKE + "#\n", "plus signs are fine", ("validate.py", "other.py"))


RUNNER = 'for name in ${ONLY:-add sub}; do\n  bash cases/$name.sh || { echo "FAIL $name"; exit 1; }\ndone\n'


@table_test(("path", "operands"), [("all.sh", False), ("suite.sh", False)])
def test_a_runner_that_tells_failures_is_the_exams_whatever_changed_in_it(path, operands):
    run = Started(path, operands, False)
    shorter = RUNNER.replace("add sub", "add")
    assert is_exam_script(run, RUNNER, shorter, f"bash {path} must pass", ("cases/add.sh", "cases/sub.sh"))


@table_test(
    ("path", "text", "asking"),
    [
        ("cases/a.sh", 'test "$(sh low.sh A)" = a\n', True),
        ("cases/a.sh", '[ "$x" = a ]\n', True),
        ("cases/a.sh", "! grep -q x out\n", True),
        ("cases/a.sh", "echo test it\n", False),
        ("cases/a.py", "test x\n", False),
    ],
)
def test_a_case_that_ends_with_a_question(path, text, asking):
    assert asks(path, text) is asking


def test_a_line_that_decides_is_missed():
    assert drops_judging(SMOKE, SMOKE.replace("    sys.exit", "    print"))
    assert not drops_judging(SMOKE, SMOKE + "print('more')\n")


@table_test(
    ("goal", "about"),
    [
        ("fix report.py", True),
        ("report.py prints too much", True),
        ("report.py: one decimal place", True),
        ("修复 report.py", True),
        ("totals are wrong (python3 report.py)", False),
        ("make report.py pass", False),
        ("totals are wrong; report.py must pass", False),
    ],
)
def test_whether_a_goal_is_about_the_script(goal, about):
    assert is_subject("report.py", goal) is about
