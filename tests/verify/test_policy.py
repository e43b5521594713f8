"""Which commands the harness runs, for whom, and how long it waits."""

from hypothesis import given
from hypothesis import strategies as st

from donewhen.commands import parse
from donewhen.config.sections_verify import Execution
from donewhen.core.accept import Accept, read_accept
from donewhen.core.texts import say
from donewhen.guard import Ground, Guard
from donewhen.verify.exam.policy import judge, time_again, timeout_again, timeout_for
from tests.tables import table_test

GUARD = Guard(Ground("/w", "/w", "/home/u"))


def entry(text):
    return read_accept(text, parse)[0]


def rule(text, given="user", **execution):
    found = judge(entry(text), GUARD, Execution(**execution), given)
    return (found.rule, found.kind) if found else None


@table_test(
    "text",
    [
        "pytest",
        "python -m pytest -q",
        "npm test",
        "go test ./...",
        "cargo test",
        "make test",
        "tox",
        "uv run pytest",
        "./gradlew test",
        "timeout 60 pytest",
        "PYTHONPATH=src pytest",
        "cd packages/api && npm test",
        "bash -c 'pytest && ruff check'",
    ],
)
@table_test("given", ["user", "project", "agent"])
def test_ordinary_exams_run_whoever_gives_them(text, given):
    assert rule(text, given) is None


@table_test(
    "text",
    [
        "rm -rf build",
        "/bin/rm x",
        "sudo pytest",
        "curl http://localhost/health",
        "env A=1 rm x",
        "timeout 5 nice -n 5 curl x",
        "bash -c 'pytest && rm x'",
        "bash -c 'if pytest; then wget x; fi'",
        "bash -c 'echo $(curl x)'",
        "busybox rm x",
        "xargs rm",
        "find . -exec rm x ;",
    ],
)
@table_test("given", ["user", "project"])
def test_denied_programs_are_found_behind_wrappers(text, given):
    words = text.split() if text.startswith("find") else None
    one = Accept("k", text, tuple(words)) if words else entry(text)
    found = judge(one, GUARD, Execution(), given)
    assert found is not None and (found.rule, found.kind) == ("denied_commands", "denied")


@table_test(
    ("text", "allowed", "runs"),
    [
        ("go test ./...", ("go test",), True),
        ("go vet", ("go test",), True),
        ("/usr/bin/go test", ("go",), True),
        ("pytest", ("go", "pytest"), True),
        ("python3.11 -m pytest", ("python",), True),
        ("python -m pytest", ("pytest",), True),
        ("env A=1 timeout 9 pytest", ("pytest",), True),
        ("env A=1 timeout 9 pytest", ("env", "timeout"), False),
        ("bash -c 'pytest && make'", ("pytest",), False),
        ("bash run.sh", ("bash",), True),
        ("bash run.sh", ("pytest",), False),
        ("npm test", ("pytest",), False),
        ("pytest-evil", ("pytest",), False),
        ("sudo pytest", ("pytest", "sudo"), False),
    ],
)
def test_where_programs_are_listed_only_those_run(text, allowed, runs):
    assert (rule(text, allowed_commands=allowed) is None) is runs


def test_what_the_guard_denies_is_refused_to_everybody():
    text = "git push --force origin main"
    assert {rule(text, given) for given in ("user", "project", "agent")} == {
        ("force-push-protected", "denied")
    }


def test_what_the_guard_would_ask_runs_only_for_the_user_himself():
    assert rule("git push origin main") is None
    assert rule("git push origin main", "project") == rule("git push origin main", "agent")
    found = judge(entry("git push origin main"), GUARD, Execution(), "project")
    assert found is not None and found.kind == "ask"
    for language in ("en", "zh"):
        said = say(found.reason.key, language, **found.reason.values)
        assert "--accept 'git push origin main'" in said


def test_variables_of_the_command_are_judged_with_it():
    assert rule("pytest", "project") is None
    for text in ("LD_PRELOAD=/tmp/x.so pytest", "BASH_ENV=/tmp/x make test"):
        assert rule(text, "project") is not None


def test_the_folder_of_the_command_counts():
    inside = Accept("k", "x", ("rm", "x"), cwd="sub")
    outside = Accept("k", "x", ("touch", "../x"), cwd="")
    guard = GUARD
    assert judge(inside, guard, Execution(denied_commands=()), "project") is None
    assert judge(outside, guard, Execution(), "project") is not None
    assert judge(outside._replace(cwd="sub"), guard, Execution(), "project") is None


@table_test(
    ("text", "seconds"),
    [
        ("pytest", 300.0),
        ("make test", 300.0),
        ("npm run build", 300.0),
        ("cargo build --release", 300.0),
        ("go build ./...", 300.0),
        ("python -m build", 300.0),
        ("env A=1 make", 300.0),
        ("./mvnw -B package", 300.0),
        ("mypy .", 300.0),
        ("ruff check", 120.0),
        ("true", 120.0),
        ("npm run lint", 120.0),
        ("python check.py", 120.0),
    ],
)
def test_tests_and_builds_may_take_longer(text, seconds):
    assert timeout_for(entry(text), Execution()) == seconds


def test_a_longer_time_for_everything_holds_for_tests_too():
    assert timeout_for(entry("pytest"), Execution(timeout=900.0)) == 900.0


@table_test(
    ("text", "took", "seconds"),
    [
        ("pytest", None, 300.0),
        ("pytest", 0.0, 30.0),
        ("pytest", 2.9, 30.0),
        ("pytest", 9.0, 90.0),
        ("pytest", 200.0, 300.0),
        ("cargo test", 0.5, 120.0),
        ("cargo test", 20.0, 200.0),
        ("python check.py", 1.0, 30.0),
        ("python check.py", 100.0, 120.0),
    ],
)
def test_what_passed_quickly_is_not_waited_for_as_long_when_it_runs_again(text, took, seconds):
    assert timeout_again(entry(text), Execution(), took) == seconds


@given(st.floats(0, 1e6), st.floats(1, 1e5))
def test_the_time_for_one_more_run_is_never_above_the_usual_nor_above_the_time_for_all(took, limit):
    one = timeout_again(entry("pytest"), Execution(test_timeout=limit), took)
    assert one <= timeout_for(entry("pytest"), Execution(test_timeout=limit))
    assert one <= time_again(took)
