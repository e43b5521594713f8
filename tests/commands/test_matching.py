"""One verdict with one reason; the modes of a check; the key of a command."""

from hypothesis import given
from hypothesis import strategies as st

from donewhen.commands import parse
from donewhen.commands.matching import key, match, matches
from donewhen.core.matches import Match
from donewhen.core.texts import say
from tests.tables import table_test


def verdict(declared: str, executed: str, root: str | None = None) -> Match:
    return match(parse(declared), parse(executed), root)


def test_a_proof_is_said():
    assert verdict("npm test", "npm test && echo ok") == Match(
        True, False, True, False, "commands.proves", {"declared": "npm test"}
    )


@table_test(
    ("executed", "reason", "sentence"),
    [
        ("npm test | tail", "commands.masked", "`npm test` is run, but the line can return 0 when it fails"),
        ("exit 0; npm test", "commands.not_reached", "never run there"),
        ("echo npm test", "commands.printed", "only printed or quoted"),
        ("ssh ci npm test", "commands.elsewhere", "another machine"),
        ("cd .. && npm test", "commands.outside", "outside the workspace"),
        ("PATH=/x npm test", "commands.answered", "another program may answer"),
        ("npm() { :; }; npm test", "commands.function", "a function of the line answers"),
        ("git stash; npm test", "commands.changed", "changes files before"),
        ("npm run build", "commands.other", "does not run `npm test`"),
        ("if then", "commands.unreadable", "can't be read"),
        ("npm test -- src/a.test.ts", "tools.narrower", "less than was declared"),
        ("", "commands.other", "does not run `npm test`"),
    ],
)
def test_the_reason_is_one_sentence(executed, reason, sentence):
    found = verdict("npm test", executed)
    assert (found.match, found.reason) == (False, reason)
    for language in ("en", "zh"):
        said = say(found.reason, language, **found.values)
        assert said
        assert "\n" not in said
    assert sentence in say(found.reason, "en", **found.values)


def test_a_declared_line_that_cant_be_read_says_so():
    assert verdict("if then", "npm test").reason == "commands.declared_unreadable"


@table_test(
    ("executed", "narrower"),
    [
        ("npm test -- src/a.test.ts", True),
        ("npm test -- -t one | tail", False),
        ("npm run build", False),
        ("npm test", False),
        ("npm test | tail", False),
        ("ssh ci npm test -- src/a.test.ts", False),
        ("exit 0; npm test -- src/a.test.ts", False),
    ],
)
def test_a_part_of_the_check_is_told_from_another_command(executed, narrower):
    assert verdict("npm test", executed).narrower is narrower


@table_test(
    ("declared", "executed", "expected"),
    [
        ("npm ci && npm test", "npm ci && npm test", (True, False, True)),
        ("npm ci && npm test", "npm ci && npm run lint && npm test", (True, False, True)),
        ("npm ci && npm test", "set -e; npm ci; npm test; echo done", (True, False, True)),
        ("npm ci && npm test", "npm ci; npm test", (False, True, True)),
        ("npm ci && npm test", "npm test", (False, False, False)),
        ("npm ci && npm test", "npm ci", (False, False, False)),
        ("npm ci && npm test", "npm test && npm ci", (False, False, False)),
        ("cd app && npm test", "npm test", (True, False, True)),
        ("cd app && npm test", "cd app && npm test", (True, False, True)),
        ("cd /srv/a && npm test", "cd /srv/a && npm test", (True, False, True)),
        ("cd /srv/a && npm test", "cd /srv/b && npm test", (False, False, False)),
        ("npm test | tee out.log", "npm test", (True, False, True)),
        ("npm test | tee out.log", "npm test | tee out.log", (False, True, True)),
        ("npm test 2>&1 | tail -20", "npm test", (True, False, True)),
        ("npm run build && test -f dist/app.js", "npm run build", (False, False, False)),
        ("npm run build && test -f dist/app.js", "npm run build && test -f dist/app.js", (True, False, True)),
        ("bash -c 'npm test'", "npm test", (True, False, True)),
        ("timeout 60 npm test", "npm test", (True, False, True)),
        ("PYTHONPATH=src pytest", "PYTHONPATH=src pytest", (True, False, True)),
        ("PYTHONPATH=src pytest", "export PYTHONPATH=src; pytest", (True, False, True)),
        ("PYTHONPATH=src pytest", "PYTHONPATH=fake pytest", (False, False, False)),
        ("pytest", "PYTHONPATH=src pytest", (False, False, False)),
        ("cp a.json b.json && npm test", "cp a.json b.json && npm test", (True, False, True)),
        (
            "cp a.json b.json && npm test",
            "cp a.json b.json && rm -r tests && npm test",
            (False, False, False),
        ),
        ("ssh ci npm test", "ssh ci npm test", (True, False, True)),
        ("docker compose run --rm api pytest", "docker compose run --rm api pytest", (True, False, True)),
        ("docker compose run --rm api pytest", "pytest", (False, False, False)),
        ("./check.sh --all", "./check.sh --all", (True, False, True)),
        ("./check.sh --all", "./check.sh --some", (False, False, False)),
        ("test -f a.txt", "test -f a.txt", (True, False, True)),
        ("", "npm test", (False, False, False)),
        ("# nothing", "npm test", (False, False, False)),
    ],
)
def test_every_part_of_a_declared_line_must_be_proven(declared, executed, expected):
    found = verdict(declared, executed)
    assert (found.match, found.masked, found.same_check) == expected


def test_an_absolute_folder_needs_the_workspaces_path():
    assert not verdict("npm test", "cd /srv/shop && npm test").match
    assert verdict("npm test", "cd /srv/shop && npm test", "/srv/shop").match
    assert not verdict("npm test", "cd /srv/other && npm test", "/srv/shop").match


@table_test(
    ("executed", "expected"),
    [
        (r"cd /d C:\shop && npm test", True),
        ("cd app && npm test", True),
        ("npm test > nul 2>&1", True),
        ("call npm test", True),
        ("npm test & echo done", False),
        ("npm test || echo failed", False),
        (r"cd ..\other && npm test", False),
    ],
)
def test_lines_of_cmd_are_understood(executed, expected):
    assert match(parse("npm test", "cmd"), parse(executed, "cmd")).match is expected


@table_test(
    ("mode", "target", "executed", "expected"),
    [
        ("argv", "pytest", "python -m pytest -q", (True, False)),
        ("argv", "pytest", "pytest tests/unit", (False, False)),
        ("exact", "pytest -q", "  pytest   -q ", (True, False)),
        ("exact", "pytest -q", "pytest", (False, False)),
        ("exact", "pytest", "pytest -q", (False, False)),
        ("exact", "pytest | tail", "pytest | tail", (False, True)),
        ("exact", "npm test -- --passWithNoTests", "npm test -- --passWithNoTests", (True, False)),
        ("exact", "if then", "if then", (False, False)),
        ("prefix", "pytest", "pytest tests/unit -k one", (True, False)),
        ("prefix", "pytest", "python -m pytest tests/unit", (True, False)),
        ("prefix", "pytest tests", "pytest tests/unit", (False, False)),
        ("prefix", "pytest", "pytest-watch", (False, False)),
        ("prefix", "pytest", "pytest tests/unit | tail", (False, True)),
        ("prefix", "pytest", "pytest tests/unit || true", (False, True)),
        ("prefix", "npm test", "npm test -- --passWithNoTests", (False, True)),
        ("prefix", "pytest", "pytest --collect-only", (False, False)),
        ("prefix", "pytest", "cd .. && pytest tests", (False, False)),
        ("prefix", "pytest", "git stash && pytest tests", (False, False)),
        ("prefix", "./check.sh", "./check.sh --fast", (True, False)),
        ("prefix", "pytest", "if then", (False, False)),
    ],
)
def test_the_modes_of_a_check(mode, target, executed, expected):
    found = matches(target, parse(target), executed, parse(executed), mode)
    assert (found.match, found.masked) == expected


@table_test(
    ("text", "expected"),
    [
        ("npm test", "npm test"),
        ("cd app && CI=1 npm test 2>&1 | tail", "npm test"),
        ("yarn test", "npm test"),
        ("python -m pytest", "pytest"),
        ("timeout 60 npx playwright test", "npm run test:e2e"),
        ("npm ci && npm test", "npm ci && npm test"),
        ("./check.sh 'a b'", "./check.sh 'a b'"),
        ("", ""),
        ("if then", ""),
    ],
)
def test_the_key_is_the_normalised_command(text, expected):
    assert key(parse(text)) == expected


WORDS = st.sampled_from(
    [
        "npm",
        "test",
        "run",
        "pytest",
        "-q",
        "tests",
        "go",
        "./...",
        "make",
        "cargo",
        "&&",
        ";",
        "|",
        "tail",
        "python",
        "-m",
        "npx",
        "vitest",
        "--",
        "'a b'",
        "$X",
        "CI=1",
        "cd",
        "app",
        "env",
        "timeout",
        "5",
        "-k",
    ]
)


@given(st.lists(WORDS, min_size=1, max_size=8))
def test_the_key_of_a_key_is_itself(words):
    once = key(parse(" ".join(words)))
    assert key(parse(once)) == once


PROGRAMS = WORDS.filter(lambda word: word not in ("test", "tail"))  # `test x` can't fail


@given(
    st.lists(PROGRAMS, min_size=1, max_size=6),
    st.sampled_from(["{} || true", "{}; true", "{} | tail", "{} &"]),
)
def test_a_hidden_status_is_never_a_proof(words, shape):
    declared = " ".join(words)
    executed = shape.format(f"( {declared}\n)")
    assert not verdict(declared, executed).match
