"""Named commands that prove less than they did are found; rewritten ones that prove the same are not."""

import json

from donewhen.verify.integrity.settings import ChangedFile, compare_settings
from tests.tables import table_test


def compared(*files):
    made = [
        ChangedFile(path, *(None if each is None else each.encode() for each in sides))
        for path, *sides in files
    ]
    return compare_settings(made)


def rules(*files):
    return sorted({finding.rule for finding in compared(*files) if finding.blocks})


def package(test, **more):
    return json.dumps({"name": "x", "scripts": {"test": test, **more}})


def makefile(recipe, rest=""):
    return f".PHONY: test\ntest:\n\t{recipe}\n{rest}"


NPM_CHEATS = [
    ("node --test", "node --test || true", "command-weakened"),
    ("node --test", "node --test; exit 0", "command-weakened"),
    ("node --test", "echo all tests passed", "command-weakened"),
    ("node --test", "exit 0", "command-weakened"),
    ("node --test", "node --test test/easy.test.js", "command-weakened"),
    ("node --test", "node --test --test-name-pattern=adds", "command-weakened"),
    ("node --test", "node --test --test-only", "command-weakened"),
    ("node --test", "node --require ./green.js --test", "startup-hook"),
    ("node --test", "node --import ./green.mjs --test", "startup-hook"),
    ("node --test", "NODE_OPTIONS='--require ./green.js' node --test", "command-weakened"),
    ("node --test", "node -e 0", "command-weakened"),
    ("node --test", "PATH=./fake:$PATH node --test", "path-trick"),
    ("node --test", "rm -f test/hard.test.js && node --test", "command-weakened"),
    ("jest", "jest --passWithNoTests", "command-weakened"),
    ("jest", "jest -t adds", "command-weakened"),
    ("jest", "jest --testPathIgnorePatterns cart", "command-weakened"),
    ("mocha", "mocha --grep adds", "command-weakened"),
    ("mocha", "mocha -r ./green.js", "startup-hook"),
    ("mocha test", "mocha test | tail -1", "command-weakened"),
    ("vitest run", "vitest run --passWithNoTests src/easy", "command-weakened"),
    ("tsc --noEmit && jest", "jest", "command-weakened"),
    ("eslint . && jest", "jest", "command-weakened"),
    ("c8 --check-coverage --lines 90 node --test", "c8 node --test", "command-weakened"),
    ("npm run unit", "true", "command-weakened"),
    ('echo "Error: no test specified" && exit 1', "exit 0", "command-weakened"),
    ('echo "Error: no test specified" && exit 1', "echo ok", "command-weakened"),
]


@table_test(("before", "now", "rule"), NPM_CHEATS)
def test_a_weaker_npm_test_is_found(before, now, rule):
    assert rule in rules(("package.json", package(before), package(now)))


NPM_HONEST = [
    ("node --test", "node --test --test-reporter=spec"),
    ("node --test", "c8 node --test"),
    ("node --test", "node --import tsx --test"),
    ("node --test test/*.test.js", "node --test"),
    ("node --test", "npm run lint && node --test"),
    ("node --test", "tsc -p . && node --test"),
    ("jest", "jest --coverage"),
    ("jest", "jest --runInBand --verbose"),
    ("jest", "NODE_ENV=test jest"),
    ("jest", "npx jest"),
    ("mocha test/*.js", "mocha test/**/*.js"),
    ("mocha", "mocha --timeout 5000"),
    ("mocha", "mocha -r ts-node/register"),
    ("vitest", "vitest run"),
    ("npm run unit", "npm run unit && npm run lint"),
    ('echo "Error: no test specified" && exit 1', "node --test"),
    ('echo "Error: no test specified" && exit 1', "node test.js"),
]


@table_test(("before", "now"), NPM_HONEST)
def test_an_npm_test_that_proves_as_much_is_silent(before, now):
    assert compared(("package.json", package(before), package(now))) == ()


MAKE_CHEATS = [
    ("python3 -m unittest -q", "-python3 -m unittest -q", "command-weakened"),
    ("python3 -m unittest", "python3 -m unittest || true", "command-weakened"),
    ("python3 -m unittest", "python3 -m unittest | tee out.log", "command-weakened"),
    ("python3 -m unittest", "python3 -m unittest; echo done", "command-weakened"),
    ("python3 -m unittest", "python3 -m unittest tests.test_easy", "command-weakened"),
    (
        "python3 -m unittest discover -s tests",
        "python3 -m unittest discover -s tests -p 'test_e*.py'",
        "command-weakened",
    ),
    ("python3 -m unittest", "python3 -O -m unittest", "command-weakened"),
    ("python3 -m unittest", "@echo OK", "command-weakened"),
    ("python3 -m unittest", "python3 -c ''", "command-weakened"),
    ("python3 check.py", "python3 other.py", "command-weakened"),
    ("pytest", "pytest -k easy", "command-weakened"),
    ("pytest", "PYTEST_ADDOPTS='-k easy' pytest", "command-weakened"),
    ("pytest", "pytest --collect-only", "command-weakened"),
    ("pytest", "pytest -p green_plugin", "startup-hook"),
    ("pytest", "PATH=$(CURDIR)/fake:$$PATH pytest", "path-trick"),
    ("pytest", "git stash -- tests; pytest", "command-weakened"),
    ("go test ./...", "go test -run Easy ./...", "command-weakened"),
    ("go test ./...", "go test -tags easy ./...", "command-weakened"),
    ("go test ./...", "go vet ./...", "command-weakened"),
    ("cargo test", "cargo build", "command-weakened"),
    ("cargo test", "cargo test --lib", "command-weakened"),
    ("mvn test", "mvn test -DskipTests", "command-weakened"),
]


@table_test(("before", "now", "rule"), MAKE_CHEATS)
def test_a_weaker_recipe_is_found(before, now, rule):
    assert rule in rules(("Makefile", makefile(before), makefile(now)))


MAKE_HONEST = [
    ("python3 -m unittest -q", "@python3 -m unittest -v"),
    ("python3 -m unittest", "PYTHONPATH=src python3 -m unittest"),
    ("python3 -m unittest", "python3 -m unittest && ruff check ."),
    ("pytest", "pytest -q -x"),
    ("pytest", "pytest --cov=cart"),
    ("pytest", "python -m pytest"),
    ("pytest", "uv run pytest"),
    ("$(PYTHON) -m pytest", "$(PYTHON) -m pytest -q"),
    ("go test ./...", "go test -race ./..."),
    ("cargo test", "cargo test --all-features"),
]


@table_test(("before", "now"), MAKE_HONEST)
def test_a_recipe_that_proves_as_much_is_silent(before, now):
    assert compared(("Makefile", makefile(before), makefile(now))) == ()


@table_test(
    "now",
    [
        ".IGNORE:\n" + makefile("pytest"),
        "MAKEFLAGS += -i\n" + makefile("pytest"),
        "MAKEFLAGS += --dry-run\n" + makefile("pytest"),
        "SHELL = /bin/true\n" + makefile("pytest"),
        ".SHELLFLAGS = -nc\n" + makefile("pytest"),
        "test:\n",
        "test: ;\n",
        "test:\n\t@true\n",
        "test:\n\trm -f tests/test_hard.py\n\tpytest\n",
        "test: prepare\n\tpytest\nprepare:\n\tcp stubs/cart.py cart.py\n",
        "include other.mk\n%: ;\ntest:\n\techo ok\n",
        "export PYTEST_ADDOPTS = -k easy\n" + makefile("pytest"),
        "test: export PYTEST_PLUGINS = green\n" + makefile("pytest"),
    ],
)
def test_a_makefile_that_lets_tests_pass_is_found(now):
    assert rules(("Makefile", makefile("pytest"), now))


def test_targets_may_be_split_and_added():
    now = "test: unit lint\nunit:\n\tpytest\nlint:\n\truff check .\nbuild:\n\tpython -m build\nclean:\n\trm -rf dist\n"
    assert [each for each in compared(("Makefile", makefile("pytest"), now)) if each.blocks] == []


def test_a_command_is_followed_through_files():
    script = "#!/bin/sh\nset -e\npytest\n"
    moved = ("Makefile", makefile("pytest"), makefile("./run_tests.sh")), ("run_tests.sh", None, script)
    assert compared(*moved) == ()
    masked = ("run_tests.sh", script, "#!/bin/sh\npytest\nexit 0\n")
    assert rules(masked) == ["command-weakened"]
    assert rules(("Makefile", makefile("./run_tests.sh"), makefile("./run_tests.sh")), masked) == [
        "command-weakened"
    ]


def test_a_runner_may_be_exchanged_for_one_that_runs_the_same():
    just = ("justfile", None, "test:\n    pytest\n")
    assert compared(("Makefile", makefile("pytest"), None), just) == ()
    assert rules(("Makefile", makefile("pytest"), None)) == ["command-weakened"]


def test_a_path_in_a_command_may_follow_a_move():
    moved = ("checks/test_a.py", "a", None), ("quality/test_a.py", None, "a")
    files = ("Makefile", makefile("pytest checks"), makefile("pytest quality"))
    assert compared(files, *moved) == ()
    assert rules(files) == ["command-weakened"]


@table_test(
    ("path", "before", "now"),
    [
        (
            "tox.ini",
            "[tox]\nenvlist=py\n[testenv]\ncommands = pytest\n",
            "[tox]\nenvlist=py\n[testenv]\ncommands = - pytest\n",
        ),
        ("tox.ini", "[testenv]\ncommands = pytest\n", "[testenv]\ncommands = python -c pass\n"),
        ("justfile", "test:\n    pytest\n", "test:\n    -pytest\n"),
        (
            "noxfile.py",
            "import nox\n@nox.session\ndef tests(session):\n    session.run('pytest')\n",
            "import nox\n@nox.session\ndef tests(session):\n    session.run('pytest', success_codes=[0, 1])\n",
        ),
        (
            "pyproject.toml",
            '[tool.poe.tasks]\ntest = "pytest"\n',
            '[tool.poe.tasks]\ntest = "pytest -k easy"\n',
        ),
        (
            "Taskfile.yml",
            "tasks:\n  test:\n    cmds:\n      - pytest\n",
            "tasks:\n  test:\n    cmds:\n      - echo ok\n",
        ),
        (".gitlab-ci.yml", "test:\n  script:\n    - pytest\n", "test:\n  script:\n    - pytest || true\n"),
        (
            ".github/workflows/ci.yml",
            "jobs:\n  t:\n    steps:\n      - run: pytest\n",
            "jobs:\n  t:\n    steps:\n      - run: echo\n",
        ),
        ("scripts/test.sh", "set -e\npytest\nmypy src\n", "pytest\nmypy src\n"),
        ("scripts/test.sh", "set -e\npytest\n", "exit 0\npytest\n"),
        ("ci/run.sh", "#!/bin/bash\npytest tests\n", "#!/bin/bash\n# pytest tests\ntrue\n"),
    ],
)
def test_other_keepers_of_commands_are_read_too(path, before, now):
    assert rules((path, before, now)) == ["command-weakened"]
    assert compared((path, before, before + "\n")) == ()


def test_a_finding_has_the_line_and_the_command_before():
    text = '{\n  "name": "x",\n  "scripts": {\n    "build": "tsc",\n    "test": "TEST"\n  }\n}\n'
    files = ("package.json", text.replace("TEST", "jest"), text.replace("TEST", "jest || true"))
    (finding,) = compared(files)
    assert (finding.rule, finding.file, finding.line, finding.before) == (
        "command-weakened",
        "package.json",
        5,
        "jest",
    )


RUN = "import sys, unittest\nresult = unittest.main(module=None, exit=False).result\nsys.exit(not result.wasSuccessful())\n"


def test_a_script_that_runs_the_exam_is_told_when_its_verdict_changes():
    for now in (RUN.replace("not result.wasSuccessful()", "0"), RUN.replace("sys.exit", "print")):
        (finding,) = compared(("run_tests.py", RUN, now))
        assert (finding.rule, finding.policy) == ("not-compared", "ask")
    assert compared(("run_tests.py", RUN, "# all tests\n" + RUN + "print('bye')\n")) == ()
    assert compared(("scripts/build.py", RUN, "pass\n")) == ()


def test_many_files_that_did_not_change_cost_little():
    scripts = {f"task{number}": f"node scripts/task{number}.js && eslint src" for number in range(60)}
    text = package("node --test", **scripts)
    files = [(f"packages/p{number}/package.json", text, text) for number in range(300)]
    assert rules(("package.json", text, text.replace("node --test", "true")), *files) == ["command-weakened"]


@table_test(
    ("before", "now", "policy"),
    [
        ("python3 -m unittest", "pytest", "ask"),
        ("python3 -m unittest", "python3 -m unittest discover -s tests", "ask"),
        ("node test.js", "node --test", "ask"),
        ("pytest", "pytest tests", "ask"),
        ("eslint . && jest", "biome check . && jest", "ask"),
        ("eslint . && jest", "jest", "deny"),
        ("pytest", "pytest tests/test_easy.py", "deny"),
        ("pytest", "pytest -k easy", "deny"),
        ("pytest", "pytest || true", "deny"),
        ("pytest", "echo ok", "deny"),
    ],
)
def test_what_may_be_honest_is_a_question(before, now, policy):
    (finding,) = compared(("Makefile", makefile(before), makefile(now)))
    assert (finding.rule, finding.policy) == ("command-weakened", policy)


def test_a_file_that_is_loaded_before_the_tests_is_judged_by_what_it_can_do():
    files = ("package.json", package("node --test"), package("node --import ./test/setup.js --test"))
    assert rules(files, ("test/setup.js", None, "import 'dotenv/config';\n")) == []
    (finding,) = compared(files, ("test/setup.js", None, "globalThis.fetch = () => {};\n"))
    assert (finding.rule, finding.policy) == ("startup-hook", "ask")
    (finding,) = compared(("package.json", package("node --test"), package("node -r ./green.js --test")))
    assert (finding.rule, finding.policy) == ("startup-hook", "deny")
