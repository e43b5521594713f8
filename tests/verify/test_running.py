"""One command of an exam: what it sees, what it leaves, and what its end says."""

import ast
import asyncio
import fcntl
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from donewhen.commands import parse
from donewhen.core.accept import Accept, read_accept
from donewhen.core.counts import Counts
from donewhen.core.evidence import counts_of
from donewhen.core.texts import say
from donewhen.secrets.redact import Redactor
from donewhen.verify.exam.command import fact, run_entry
from tests.tables import table_test
from tests.verify.exams import BIN, executed, verdict, why

TESTS = "def test_one(): pass\ndef test_two(): pass\n"
RED = "def test_one(): pass\ndef test_two():\n    assert 1 == 2\n"


def test_green_is_counted_by_a_machine_report(exams):
    exams.write(test_a=TESTS)
    execution = exams.run("python -m pytest -q")
    assert (execution.state, execution.exit, execution.why_not, executed(execution)) == (
        "completed",
        0,
        None,
        (2, 0, 0),
    )
    assert execution.report is not None and execution.report.failures == ()
    assert verdict("pytest", execution) == "green"


def test_red_comes_with_names_and_places(exams):
    exams.write(test_a=RED)
    execution = exams.run("pytest")
    assert (execution.exit, executed(execution), verdict("pytest", execution)) == (1, (2, 1, 0), "red")
    assert [(each.file, each.line) for each in execution.report.failures] == [("test_a.py", 3)]


@pytest.mark.runs
@pytest.mark.parametrize("command", ["pytest -p no:junitxml", "pytest --junitxml=own.xml", "pytest -q"])
def test_a_runner_that_refuses_our_options_runs_without_them(exams, command):
    exams.file("pytest.ini", "[pytest]\naddopts = --strict-config -p no:cacheprovider\n")
    exams.write(test_a=RED)
    execution = exams.run(command)
    assert (execution.exit, executed(execution)) == (1, (2, 1, 0))
    assert ("own.xml" in exams.names()) is ("own.xml" in command)


def test_options_of_the_project_stay(exams):
    exams.file("pytest.ini", "[pytest]\naddopts = -k two\n")
    exams.write(test_a=TESTS)
    assert executed(exams.run("PYTEST_ADDOPTS=-x pytest")) == (1, 0, 0)


def test_a_wrong_option_of_the_user_is_his_own(exams):
    exams.write(test_a=TESTS)
    execution = exams.run("pytest --no-such-option")
    assert (execution.exit, verdict("pytest", execution)) == (4, "nothing")
    assert "junitxml" not in execution.finished.output.text


def test_pytest_behind_make_is_read_too(exams):
    exams.file("Makefile", "test:\n\t-pytest -q test_a.py\n\tpytest -q test_b.py\n")
    exams.write(test_a=RED, test_b=TESTS)
    execution = exams.run("make test")
    assert (execution.exit, executed(execution), verdict("make test", execution)) == (0, (4, 1, 0), "red")


def test_leaving_in_the_middle_is_no_pass(exams):
    exams.write(test_a="import os\ndef test_one(): os._exit(0)\n")
    execution = exams.run("pytest")
    assert (execution.state, execution.counts, verdict("pytest", execution)) == ("failed", None, "nothing")
    assert "before pytest had finished" in why(execution)


HALFWAY = "import os, unittest\nclass T(unittest.TestCase):\n    def test_one(self): os._exit(0)\n"
WHOLE = "import unittest\nclass T(unittest.TestCase):\n    def test_one(self): print('x', end='')\n"


@pytest.mark.parametrize("command", ["python -m unittest", "env A=1 python3 -m unittest discover -v"])
def test_a_unittest_that_is_left_in_the_middle_is_no_pass(exams, command):
    exams.write(test_a=HALFWAY)
    execution = exams.run(command)
    assert (execution.state, execution.counts, verdict(command, execution)) == ("failed", None, "nothing")
    assert "unittest" in why(execution)
    exams.write(test_a=WHOLE)
    assert (why(exams.run(command)), verdict(command, exams.run(command))) == ("", "green")


MANAGE = """
import sys, unittest
assert sys.argv[1] == "test"
print("Found 1 test(s).\\nSystem check identified no issues (0 silenced).")
unittest.main(module="test_a", argv=["manage.py"])
"""


def test_a_django_suite_that_is_left_in_the_middle_is_no_pass(exams):
    exams.file("manage.py", MANAGE)
    exams.write(test_a=HALFWAY)
    assert "manage.py test" in why(exams.run("python manage.py test"))
    exams.write(test_a=WHOLE)
    assert why(exams.run("python manage.py test")) == ""


# what runners print that are not everywhere: program, output, whether it came to its end
PRINTED = [
    ("go test ./...", "ok  \texample.com/a\t0.003s\n", True),
    ("go test ./...", "?   \texample.com/a\t[no test files]\n", True),
    ("go test -v", "=== RUN   TestA\n--- PASS: TestA (0.00s)\nPASS\nok  \tx\t0.1s\n", True),
    ("go test -json ./...", '{"Action":"pass","Package":"a","Elapsed":0.1}\n', True),
    ("go test ./...", "hello from the code\n", False),
    ("cargo test", "running 1 test\ntest a ... ok\n\ntest result: ok. 1 passed; 0 failed\n", True),
    ("cargo test", "running 2 tests\n", False),
    ("cargo test", "running 2 tests\n\nrunning 0 tests\n\ntest result: ok. 0 passed; 0 failed\n", False),
    ("cargo test", "a harness of its own: all good\n", True),
    ("node --test", "ok 1 - a\n1..1\n# tests 1\n# pass 1\n", True),
    ("node --test a.js", "✔ a (1ms)\nℹ tests 1\nℹ pass 1\n", True),
    ("node --test", "TAP version 13\n", False),
    ("node --test --test-reporter=dot", "...\n", True),
    ("timeout 60 go test ./...", "hello\n", False),
]


@table_test(("command", "text", "whole"), PRINTED)
def test_a_runner_without_its_summary_did_not_finish(exams, command, text, whole):
    (entry,) = read_accept(command, parse)
    program = exams.file(f"bin/{command.removeprefix('timeout 60 ').split()[0]}", "")
    program.write_text(f"#!/bin/sh\ncat <<'END'\n{text}END\n")
    program.chmod(0o755)
    execution = exams.run(entry, exams.where(path=(str(program.parent), BIN)))
    assert execution.finished.exit == 0
    assert (execution.why_not is None) == whole, why(execution)


def test_behind_make_a_missing_summary_says_nothing(exams):
    exams.file("Makefile", "test:\n\tpython -m unittest -q\n")
    exams.write(test_a=HALFWAY)
    assert exams.run("make test").why_not is None


@pytest.mark.parametrize("walls", [False, True])
def test_the_tree_stays_as_it_was(exams, walls):
    exams.write(pkg__init="", pkg__thing="x = 1\n", test_a="import pkg.thing\ndef test_one(): pass\n")
    before = exams.names()
    exams.run("pytest", exams.walled() if walls else None)
    exams.run("python -c 'import pkg.thing'")
    assert exams.names() == before


def test_what_was_compiled_before_is_not_believed(exams):
    source = exams.file("thing.py", "x = 1\n")
    exams.write(test_a="import thing\ndef test_one(): assert thing.x == 1\n")
    subprocess.run([sys.executable, "-c", "import thing"], cwd=exams.folder, env=exams.env, check=True)
    assert list(exams.folder.rglob("thing.*.pyc"))
    stamp = source.stat()
    source.write_text("x = 2\n")
    os.utime(source, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
    assert exams.run("python -m pytest").exit == 1


def test_bytecode_of_installed_packages_is_used_and_none_is_copied(exams):
    exams.write(test_a=TESTS)
    exams.file(
        "show.py", "import pytest, json, test_a; print([m.__cached__ for m in (pytest, json, test_a)])"
    )
    installed, standard, own = ast.literal_eval(exams.run("python show.py").finished.output.text)
    assert "/site-packages/pytest/__pycache__/" in installed
    assert "/json/__pycache__/" in standard
    assert own.startswith(str(exams.scratch))
    exams.run("pytest", exams.walled())
    assert len(list(exams.base.rglob("*"))) < 50


def test_variables_are_a_pass_list_and_quiet(exams):
    exams.file("show.py", "import os, json; print(json.dumps(dict(os.environ)))")
    env = {**exams.env, "SECRET_TOKEN": "x", "PYTHONPATH": "/nowhere", "GIT_DIR": "/x", "MINE": "1"}
    where = exams.where(env=env, passed=("MINE",), set={"VIRTUAL_ENV": "/v"})
    seen = json.loads(exams.run("A=1 CI=no python show.py", where).finished.output.text)
    assert (seen["CI"], seen["GIT_TERMINAL_PROMPT"], seen["A"], seen["MINE"]) == ("no", "0", "1", "1")
    assert seen["VIRTUAL_ENV"] == "/v" and seen["PATH"].startswith(f"{BIN}:")
    assert not {"SECRET_TOKEN", "GIT_DIR"} & set(seen) and "/nowhere" not in seen["PYTHONPATH"]


def test_the_folder_is_entered_and_must_be_inside(exams):
    exams.file("sub/where.py", "import os; print(os.getcwd())")
    assert exams.run("cd sub && python where.py").finished.output.text.strip() == str(exams.folder / "sub")
    (exams.folder / "out").symlink_to("/usr")
    for cwd in ("out", "../home"):
        execution = exams.run(Accept("k", "ls", ("ls",), cwd))
        assert (execution.exit, execution.finished.output.text) == (
            126,
            "",
        ) and "leads out of the project" in why(execution)
    gone = exams.run("cd nowhere && ls")
    assert (gone.exit, verdict("ls", gone)) == (126, "nothing") and "can't be entered" in why(gone)


@table_test(
    ("command", "said"),
    [
        ("no-such-program", "install no-such-program, or put it on the PATH"),
        ("/no/such/program", "can't be run"),
        ("python -m no_such_module", "has no module no_such_module"),
        ("make test", "not installed: nosuchrunner"),
        ("env nosuchrunner", "not installed: nosuchrunner"),
        ("bash -c nosuchrunner", "not installed: nosuchrunner"),
        ("bash -c 'read x </dev/tty'", "wants a terminal"),
        ("python -c \"open('/dev/tty')\"", "wants a terminal"),
        ("bash -c 'kill -9 $$'", "memory ran out"),
        ("bash -c 'kill -11 $$'", "SIGSEGV"),
        ("sleep 100", "within 0.5 s"),
    ],
)
@table_test("walls", [False, True])
def test_what_could_not_run_says_why_and_proves_nothing(exams, command, said, walls):
    exams.file("Makefile", "test:\n\tnosuchrunner --all\n")
    where = exams.walled() if walls else exams.where()
    execution = exams.run(command, where._replace(timeout=0.5) if command.startswith("sleep") else where)
    assert said in why(execution)
    assert (execution.state, execution.counts, verdict(command, execution)) == ("failed", None, "nothing")
    assert say(execution.why_not.key, "zh", **execution.why_not.values)


def test_a_missing_python_points_to_the_one_there_is(exams):
    folder = exams.base / "bin"
    folder.mkdir()
    (folder / "python3").symlink_to("/usr/bin/env")
    execution = exams.run("python -m pytest", exams.where(env={"PATH": str(folder)}, path=()))
    assert (execution.exit, "there is a python3" in why(execution)) == (127, True)


def test_a_failed_test_that_talks_about_terminals_is_red(exams):
    exams.write(test_a="def test_one():\n    open('/dev/tty')\n")
    execution = exams.run("pytest")
    assert (execution.exit, execution.why_not, verdict("pytest", execution)) == (1, None, "red")


def test_progress_tells_time_and_the_last_line(exams):
    exams.file("slow.py", "import sys, time\nprint('begun', flush=True)\ntime.sleep(1.2)\n")
    exams.run("python slow.py")
    assert len(exams.progress) >= 2
    assert exams.progress == sorted(exams.progress, key=lambda each: each.elapsed)
    assert exams.progress[-1].line == "begun"


@pytest.mark.parametrize("walls", [False, True])
def test_a_daemon_is_not_left_behind(exams, walls):
    exams.file("daemon.sh", "exec 9>lock; flock 9; (setsid sleep 1000 &) ; exit 0\n")
    execution = exams.run("bash daemon.sh", exams.walled() if walls else None)
    assert (execution.exit, execution.why_not) == (0, None)
    assert execution.finished.left_behind or walls
    assert _is_free(exams.folder / "lock")


@pytest.mark.runs
def test_a_fork_bomb_ends_with_its_time(exams):
    exams.file("bomb.sh", "exec 9>lock; flock 9; f() { f | f & sleep 5; }; f; sleep 100\n")
    where = exams.walled()
    execution = exams.run(
        "bash bomb.sh", where._replace(timeout=2.0, limits=where.limits._replace(processes=60))
    )
    assert execution.exit in (124, 2, 254) and _is_free(exams.folder / "lock")


def _is_free(path: Path) -> bool:
    with path.open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
    return True


def test_endless_output_is_bounded(exams):
    where = exams.where()
    execution = exams.run(
        "bash -c 'yes | head -c 30000000; exit 3'",
        where._replace(limits=where.limits._replace(output=1 << 20)),
    )
    assert (execution.exit, execution.finished.output.size) == (3, 30_000_000)
    assert (
        execution.finished.output.file.stat().st_size <= 1 << 20
        and len(execution.finished.output.text) < 70_000
    )


def test_secrets_are_in_neither_output_nor_report(exams):
    exams.write(test_a="def test_one():\n    assert 'hunter2-but-longer' == 1\n")
    execution = exams.run("pytest", exams.where(redactor=Redactor(["hunter2-but-longer"])))
    assert execution.report.failures and "hunter2" not in str(execution)


def test_cancelling_ends_the_command(exams):
    entry = read_accept("bash -c 'exec 9>lock; flock 9; echo ready; sleep 1000'", parse)[0]

    async def cancelled() -> None:
        ready = asyncio.Event()
        where = exams.where()
        task = asyncio.create_task(run_entry(entry, where, lambda seen: ready.set() if seen.line else None))
        await ready.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(cancelled())
    assert _is_free(exams.folder / "lock")
    assert not list((exams.scratch / "desk").iterdir())


def test_nothing_of_the_exam_stays_in_its_scratch(exams):
    exams.write(test_a=TESTS)
    exams.run("pytest")
    assert list((exams.scratch / "desk").iterdir()) == []


@pytest.mark.runs
@pytest.mark.parametrize("runner", ["pytest", "pytest -n 2", "python -m unittest discover -s tests"])
def test_code_of_another_checkout_could_not_run(exams, runner):
    unit = (
        "import unittest, pkg\nclass T(unittest.TestCase):\n    def test_one(self):\n        assert pkg.x\n"
    )
    exams.file("src/pkg/__init__.py", "x = 0\n")
    exams.file("tests/test_a.py", unit)
    other = exams.base / "other"
    shutil.copytree(exams.folder / "src", other)
    (other / "pkg/__init__.py").write_text("x = 1\n")
    wrong = exams.run(runner, exams.where(set={"PYTHONPATH": str(other)}))
    assert (wrong.exit, wrong.counts, verdict(runner, wrong)) == (126, None, "nothing")
    assert f"imported pkg from {other}/pkg/__init__.py" in why(wrong) and "pip install -e ." in why(wrong)
    right = exams.run(runner, exams.where(set={"PYTHONPATH": "src"}))
    assert (right.exit, right.why_not) == (1, None)


def test_reports_of_maven_and_gradle_count_when_they_are_new(exams):
    suite = '<testsuite name="s" tests="{n}" failures="{f}">{cases}</testsuite>'
    case, bad = (
        '<testcase name="a" classname="C"/>',
        '<testcase name="b" classname="C"><failure message="no"/></testcase>',
    )
    exams.file("build.gradle", "")
    exams.file("app/build/test-results/test/TEST-Old.xml", suite.format(n=1, f=1, cases=bad))
    exams.file("new.xml", suite.format(n=2, f=1, cases=case + bad))
    exams.file("gradlew", "#!/bin/sh\ncp new.xml app/build/test-results/test/TEST-New.xml\nexit 1\n").chmod(
        0o755
    )
    execution = exams.run("./gradlew test")
    assert executed(execution) == (2, 1, 0) and len(execution.report.failures) == 1
    exams.file("gradlew", "#!/bin/sh\nexit 0\n")
    assert exams.run("./gradlew test").counts is None


def test_reports_that_are_traps_are_none(exams):
    exams.file("pom.xml", "")
    exams.file("target/surefire-reports/TEST-zero.xml", "")
    script = "cd target/surefire-reports; ln -s /dev/zero TEST-a.xml; mkfifo TEST-b.xml; mkdir TEST-c.xml; echo '<' >TEST-d.xml"
    exams.file("mvnw", f"#!/bin/sh\n{script}\n").chmod(0o755)
    execution = exams.run("./mvnw test")
    assert (execution.exit, execution.report, execution.counts) == (0, None, None)


@pytest.mark.skipif(not shutil.which("npm"), reason="Node.js is not installed")
def test_nodes_own_runner_is_read(exams):
    exams.file("package.json", '{"scripts": {"test": "node --test"}}')
    exams.file(
        "a.test.js", "const t = require('node:test'); t('one', () => {}); t('two', () => { throw 1 });"
    )
    execution = exams.run("npm test")
    assert (execution.exit, executed(execution)[:2]) == (1, (2, 1))
    exams.file("package.json", '{"scripts": {"test": "node  --test --test-reporter=tap"}}')
    assert executed(exams.run("npm test"))[:2] == (2, 1)


def test_counts_go_into_the_fact(exams):
    exams.write(test_a=RED)
    execution = exams.run("pytest")
    ended = fact(read_accept("pytest", parse)[0], execution, "7", before="t1", after="t2", environment="e")
    assert dict(ended.counts) == {"executed": 2, "passed": 1, "failed": 1, "errors": 0, "skipped": 0}
    assert (ended.key, ended.by, ended.before, ended.after, ended.environment) == (
        "7",
        "harness",
        "t1",
        "t2",
        "e",
    )
    assert counts_of(ended, parse) == Counts(2, 1, 1, 0, 0)


NAMED_LIKE_A_PART = """
import unittest
class T(unittest.TestCase):
    def setUp(self): self.test_case = "data of mine"
    def test_one(self):
        for n in (1, 2):
            with self.subTest(n=n): self.assertTrue(n)
    def test_two(self): pass
class U(unittest.TestCase):
    def test_case(self): pass
"""


def test_tests_that_are_named_like_parts_of_unittest_are_told(exams):
    exams.write(test_a=NAMED_LIKE_A_PART)
    execution = exams.run("python -m unittest -q")
    assert (executed(execution), execution.made_up) == ((3, 0, 0), False)
    assert sorted(case.name for case in execution.cases) == ["test_case", "test_one", "test_two"]


INNER = """\
import sys
import unittest


class Apart(unittest.TestCase):
    def runTest(self):
        self.fail("on purpose")


class OuterTest(unittest.TestCase):
    def test_it_is_told(self):
        result = unittest.TextTestRunner(stream=sys.stderr).run(Apart())
        self.assertEqual(len(result.failures), 1)


def load_tests(loader, tests, pattern):
    return loader.loadTestsFromTestCase(OuterTest)
"""


def test_an_inner_run_that_fails_on_purpose_is_no_failure_of_the_exam(exams):
    exams.write(test_a=INNER)
    execution = exams.run("python -m unittest -v")
    assert (execution.exit, executed(execution), verdict("python -m unittest -v", execution)) == (
        0,
        (1, 0, 0),
        "green",
    )
    assert not any(case.outcome == "failed" for case in execution.cases)


def test_a_product_that_prints_summaries_is_not_the_runner(exams):
    said = 'print("Ran 9 tests in 0.000s\\n\\nFAILED (failures=9)")'
    exams.write(
        test_a=f"import unittest\n\n\nclass T(unittest.TestCase):\n    def test_a(self):\n        {said}\n"
    )
    execution = exams.run("python -m unittest")
    assert (execution.exit, executed(execution), verdict("python -m unittest", execution)) == (
        0,
        (1, 0, 0),
        "green",
    )


def test_a_red_stays_red_whatever_is_printed_after_it(exams):
    said = "import atexit\natexit.register(print, '-' * 70 + '\\nRan 1 test in 0.000s\\n\\nOK')\n"
    exams.write(
        test_a=f"{said}import unittest\n\n\nclass T(unittest.TestCase):\n    def test_a(self):\n        self.fail()\n"
    )
    assert verdict("python -m unittest", exams.run("python -m unittest")) == "red"
