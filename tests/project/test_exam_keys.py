"""What of the base goes back for its exam: manifests by key, tests inside product files, thresholds."""

import json
import tomllib
from datetime import date

from donewhen.commands import parse
from donewhen.core.accept import read_accept
from donewhen.project.exam_keys import (
    Lowered,
    exam_differs,
    lowered,
    rest_differs,
    splice,
    without_thresholds,
)
from donewhen.verify.exam_regions import product_text, with_base_regions
from donewhen.verify.inspecting import named_by
from tests.tables import table_test


@table_test(
    ("command", "named"),
    [
        ("python3 -m unittest", set()),
        ("python3 -m unittest discover -s tests", set()),
        ("pytest tests", set()),
        ("python3 -m unittest tests.test_new", {"tests/test_new.py"}),
        ("python3 -m unittest tests.test_new.Case.test_one", {"tests/test_new.py"}),
        ("pytest tests/test_new.py", {"tests/test_new.py"}),
        ("pytest ./tests/test_new.py::Case::test_one", {"tests/test_new.py"}),
        ("cd web && node --test unit/a.test.js", {"web/unit/a.test.js"}),
        ("npx mocha web/unit/a.test", {"web/unit/a.test.js"}),
    ],
)
def test_files_that_a_command_names(command, named):
    entries = read_accept(command, parse)
    assert named_by(entries, (), ["tests/test_new.py", "web/unit/a.test.js", "tests/__init__.py"]) == named


def test_what_stands_behind_a_command_names_files_too():
    entries = read_accept("make test", parse)
    assert named_by(entries, ["python3 tests/test_new.py -v"], ["tests/test_new.py"]) == {"tests/test_new.py"}


def test_a_package_gets_the_exam_of_the_base_and_keeps_the_rest():
    base = {"scripts": {"test": "jest", "old": "x"}, "jest": {"bail": 1}, "dependencies": {"a": "1"}}
    now = {
        "scripts": {"test": "jest --passWithNoTests", "pretest": "cp good bad", "build": "tsc"},
        "mocha": {"spec": "none"},
        "dependencies": {"a": "2", "b": "1"},
        "type": "module",
    }
    found = splice("web/package.json", json.dumps(base).encode(), json.dumps(now).encode())
    assert found is not None
    assert json.loads(found) == {
        "scripts": {"test": "jest", "build": "tsc"},
        "jest": {"bail": 1},
        "dependencies": {"a": "2", "b": "1"},
        "type": "module",
    }


PYPROJECT = """\
[project]
name = "x"
dependencies = [
  "one",
]

[tool.pytest.ini_options]
addopts = "-q"
description = \"\"\"
[tool.ruff]
\"\"\"

[tool.coverage.report]
fail_under = 90

[tool.ruff]
line-length = 100
"""


def test_a_pyproject_gets_the_exam_of_the_base_and_keeps_the_rest():
    now = (
        PYPROJECT.replace('"one",', '"one", "two",')
        .replace("90", "10")
        .replace("-q", "--co")
        .replace("100", "80")
    )
    found = splice("pyproject.toml", PYPROJECT.encode(), now.encode())
    assert found is not None
    wanted = tomllib.loads(PYPROJECT.replace('"one",', '"one", "two",').replace("100", "80"))
    assert tomllib.loads(found.decode()) == wanted


def test_tables_in_one_line_are_read_too():
    base = b"tool = {pytest = {}, ruff = {a = 1}}\ntool2 = 1"
    now = b'tool = {ruff = {a = 2}, pytest = {x = 1}}\n[project]\n"odd name" = {x = [1979-05-27, 0.5, true]}'
    found = splice("pyproject.toml", base, now)
    assert found is not None
    assert tomllib.loads(found.decode()) == {
        "tool": {"ruff": {"a": 2}, "pytest": {}},
        "project": {"odd name": {"x": [date(1979, 5, 27), 0.5, True]}},
    }


def test_an_exam_that_the_base_does_not_speak_of_goes():
    found = splice("pyproject.toml", b"[project]\nname = 'x'\n", PYPROJECT.encode())
    assert found is not None
    assert b"pytest" not in found
    assert b"line-length" in found


def test_a_setup_cfg_too():
    base = b"[metadata]\nname = x\n\n[tool:pytest]\naddopts = -q\n"
    now = b"[metadata]\nname = x\nversion = 2\n\n[tool:pytest]\naddopts = -k nothing\n"
    found = splice("setup.cfg", base, now)
    assert found == b"[metadata]\nname = x\nversion = 2\n\n[tool:pytest]\naddopts = -q\n\n"


TOX = b"[tox]\nenvlist = py3\n\n[testenv]\ndeps =\n  one\n  two\ncommands =\n  pytest {posargs}\n"
CARGO = b"""[package]
name = "x"

[dependencies]
serde = "1"

[[test]]
name = "all"
path = "tests/all.rs"
"""
MAKEFILE = b"""VERSION = 1
ARGS = -q
all: build

build:
\tpython build.py $(VERSION)

.PHONY: test
test: build
\tpytest $(ARGS)

\techo done
"""


def test_dependencies_of_tox_are_environment():
    now = TOX.replace(b"  two", b"  three").replace(b"pytest {posargs}", b"pytest --collect-only")
    assert splice("tox.ini", TOX, now) == b"".join((
        b"[testenv]\ndeps = \n\tone\n\tthree\ncommands = \n\tpytest {posargs}\n\n",
        b"[tox]\nenvlist = py3\n\n",
    ))  # fmt: skip
    assert not exam_differs("tox.ini", TOX, TOX.replace(b"  two", b"  three"))
    assert exam_differs("tox.ini", TOX, now)


def test_targets_of_cargo_that_test_are_exam():
    now = CARGO.replace(b'serde = "1"', b'serde = "2"').replace(b"tests/all.rs", b"tests/none.rs")
    now += b'\n[[test]]\nname = "more"\n\n[features]\na = []\n'
    found = splice("Cargo.toml", CARGO, now)
    assert found is not None
    assert (b'serde = "2"' in found, b"tests/all.rs" in found, b"more" in found, b"[features]" in found) == (
        True, True, False, True,
    )  # fmt: skip


def test_targets_of_a_makefile_that_test_are_exam():
    now = MAKEFILE.replace(b"build.py", b"make.py").replace(b"VERSION = 1", b"VERSION = 2")
    assert splice("Makefile", MAKEFILE, now) == now
    bent = (
        now.replace(b"ARGS = -q", b"ARGS = -k nothing")
        + b"test: patch\npatch:\n\tcp a b\nSHELL = /bin/true\n"
    )
    found = splice("Makefile", MAKEFILE, bent)
    assert found is not None
    text = found.decode()
    assert ("make.py" in text, "VERSION = 2" in text, "ARGS = -q" in text, "patch:" in text) == (True,) * 4
    assert ("test: patch" in text, "SHELL" in text, "nothing" in text) == (False,) * 3
    assert splice("Makefile", b"ifdef CI\ntest:\n\tpytest\nendif\n", b"test:\n\ttrue\n") is None


@table_test(
    ("path", "base", "now", "exam", "rest"),
    [
        ("package.json", b'{"scripts": {"build": "a"}}', b'{"scripts": {"build": "b"}}', False, True),
        ("package.json", b'{"scripts": {"test": "a"}}', b'{"scripts":{"test":"a"}}', False, False),
        ("package.json", b'{"scripts": {"test": "a"}}', b'{"scripts": {"test": "b"}}', True, False),
        (
            "package.json",
            b'{"devDependencies": {"jest": "1"}}',
            b'{"devDependencies": {"jest": "2"}}',
            False,
            True,
        ),
        ("pom.xml", b"<artifactId>junit</artifactId>", b"<artifactId>junit5</artifactId>", False, True),
        ("pom.xml", b"", b"<skipTests>true</skipTests>", True, True),
        ("go.mod", b"require a/toml-test v1", b"require a/toml-test v2", False, True),
        ("pyproject.toml", b"= broken", b"", True, True),
    ],
)
def test_which_side_of_a_manifest_differs(path, base, now, exam, rest):
    assert (exam_differs(path, base, now), rest_differs(path, base, now)) == (exam, rest)


@table_test(
    ("path", "base", "now"),
    [
        ("pom.xml", b"", b""),
        ("package.json", b"{", b"{}"),
        ("package.json", b"[]", b"{}"),
        ("package.json", b'{"scripts": 1}', b"{}"),
        ("package.json", b"\xff", b"{}"),
        ("package.json", b"[" * 100_000, b"{}"),
        ("pyproject.toml", b"= broken", b""),
        ("setup.cfg", b"no section", b"[a]\nb = 1"),
        ("pyproject.toml", b"[tool.hatch.envs.a.scripts]\nt = 'x'", b"[tool]\nhatch = 'x'"),
    ],
)
def test_what_can_not_be_told_apart(path, base, now):
    assert splice(path, base, now) is None


RUST = b"""fn a() -> i32 { 1 }

#[cfg(test)]
mod tests {
    #[test]
    fn t() { assert_eq!(super::a(), 1); }
}
"""
DOCTEST = b'''def a():
    """One.

    >>> a()
    1
    """
    return 1
'''
VITEST = b"export const a = () => 1\nif (import.meta.vitest) {\n  it(() => expect(a()).toBe(1))\n}\n"


@table_test(
    ("path", "base", "changes"),
    [
        (
            "src/a.rs",
            RUST,
            [(b"-> i32 { 1", b"-> i32 { 2"), (b"assert_eq!(super::a(), 1)", b"assert!(true)")],
        ),
        ("a.py", DOCTEST, [(b"return 1", b"return 2"), (b"    1\n", b"    2\n")]),
        ("a.ts", VITEST, [(b"() => 1", b"() => 2"), (b"toBe(1)", b"toBeTruthy()")]),
    ],
)
def test_tests_inside_product_files_go_back(path, base, changes):
    code, tests = changes
    both = base.replace(*code).replace(*tests)
    found = with_base_regions(path, base, both)
    assert found is not None
    assert found.split() == base.replace(*code).split()
    assert with_base_regions(path, base, base.replace(*code)) == base.replace(*code)
    assert product_text(path, base) == product_text(path, base.replace(*tests))


def test_tests_of_what_is_gone_can_not_be_put_back():
    assert with_base_regions("a.py", DOCTEST, b"def b():\n    return 1\n") is None
    assert (
        with_base_regions(
            "a.rs", b"mod m {\n" + RUST + b"}\n", b"mod m {\n" + RUST.replace(b"1)", b"2)") + b"}\n"
        )
        is None
    )


@table_test(
    ("base", "now", "found"),
    [
        ("fail_under = 90", "fail_under = 80.5", [Lowered("fail_under", 90, 80.5)]),
        ("addopts = --cov-fail-under=90", "[tool.coverage.report]\nfail_under = 90", []),
        ("addopts = --cov-fail-under=90", "", [Lowered("fail_under", 90, None)]),
        ('"coverageThreshold": {"global": {"lines": 90, "branches": 80}}', '"coverageThreshold": {"global": {"lines": 95}}',
         [Lowered("branches", 80, None)]),
        ("c8 --check-coverage --lines 90 mocha", "c8 --check-coverage --lines 100 mocha", []),
        ("lines: 90", "lines: 10", []),
        ("fail_under = 90", "fail_under = 100", []),
    ],
)  # fmt: skip
def test_thresholds_are_compared_as_numbers(base, now, found):
    assert list(lowered([base], [now])) == found


def test_thresholds_are_switched_off():
    text = "pytest --cov-fail-under=90 -q\nc8 --lines 80.5 x\nlines = 3"
    assert without_thresholds(text) == "pytest --cov-fail-under=0 -q\nc8 --lines 0 x\nlines = 0"
    assert without_thresholds("lines = 3") == "lines = 3"
