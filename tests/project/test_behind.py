"""What stands behind a command's name, and commands that by themselves prove nothing."""

import json

from donewhen.project.behind import self_masked
from tests.tables import table_test
from tests.verify.looking import entry, look, reason


def test_a_chain_through_three_files(tmp_path):
    files = {
        "Makefile": "test:\n\tnpm test\n",
        "package.json": json.dumps({"scripts": {"test": "./ci/test.sh"}}),
        "ci/test.sh": "#!/bin/sh\npytest\necho done\n",
    }
    found = look(tmp_path, "make test", **files)
    assert "ci/test.sh" in reason(found)
    assert [line.source for line in found.lines] == [
        "Makefile test",
        "package.json scripts.test",
        "ci/test.sh",
    ]


@table_test(
    "command",
    [
        "pytest --collect-only",
        "npm test -- --passWithNoTests",
        "make -n test",
        "make -i test",
        'bash -c "pytest || true"',
        "MAKEFLAGS=-i make test",
        "true",
        "echo ok",
        ":",
        "jest -u",
        "pytest --help",
        "go test -list . ./...",
    ],
)
def test_a_declared_command_that_can_prove_nothing(command):
    assert self_masked(entry(command)) is not None


@table_test(
    "command",
    [
        "pytest",
        "pytest --exitfirst -q",
        "python -c pass",
        "test -f dist/index.js",
        "./check.sh",
        "npm test",
        "make test",
        "cargo test --workspace",
        "go test -race ./...",
        "ruff check .",
        "mypy --strict src",
        "npm run build --if-present",
        "bash -c 'pytest && mypy .'",
        "tox -e py311",
        "git diff --exit-code",
        "grep -q TODO src/a.py",
        "false",
    ],
)
def test_a_declared_command_that_can_fail(command):
    assert self_masked(entry(command)) is None


def test_nothing_is_run(tmp_path):
    found = look(
        tmp_path,
        "make test",
        Makefile="X := $(shell touch ran)\nY != touch ran\ntest:\n\t$(shell touch ran) pytest\n",
    )
    assert found.trouble is None
    assert not (tmp_path / "ran").exists()


def test_large_and_odd_files_are_borne(tmp_path):
    assert look(tmp_path, "make test", Makefile="A = $(A)$(A)\ntest:\n\tpytest $(A)\n").trouble is None
    assert look(tmp_path, "make test", Makefile="test:\n" + "\tpytest\n" * 5000).trouble is None
    assert look(tmp_path, "./t.sh", **{"t.sh": "#!/bin/sh\n" + "if " * 5000}).trouble is None


def test_texts_beyond_measure_are_unknown(tmp_path):
    for opened, closed in (("( ", " )"), ("{ ", "; }")):
        deep = opened * 200 + "pytest" + closed * 200 + "; true"
        assert look(tmp_path, "./t.sh", **{"t.sh": f"#!/bin/sh\n{deep}\n"}).trouble is None
        tmp_path.joinpath("t.sh").unlink()
    loops = "for a in 1 2 3 4 5 6 7 8 9; do\n" * 6 + "ls\n" + "done\n" * 6
    assert look(tmp_path, "./t.sh", **{"t.sh": f"#!/bin/sh\n{loops}"}).trouble is None
    many = "\n".join(f"pytest tests/t{n} || exit 1" for n in range(300))
    assert look(tmp_path, "./t.sh", **{"t.sh": f"#!/bin/sh\n{many}\n"}).trouble is None


def test_names_from_files_are_harmless_when_shown(tmp_path):
    scripts = {"test": "run-s 'x*'", "x\x1b[31m": "jest || true"}
    found = look(tmp_path, "npm test", **{"package.json": json.dumps({"scripts": scripts})})
    assert "\x1b" not in reason(found)
    assert all("\x1b" not in line.source for line in found.lines)
