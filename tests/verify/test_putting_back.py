"""Which paths go back to the base, and how files that are both exam and product are put together."""

import json

from donewhen.core.accept import read_accept
from donewhen.shell import parse
from donewhen.verify.composing import PutBack, named_by, with_merged
from donewhen.verify.merging import merged
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
    found = merged("web/package.json", json.dumps(base).encode(), json.dumps(now).encode())
    assert found is not None
    assert json.loads(found) == {
        "scripts": {"test": "jest", "old": "x", "build": "tsc"},
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
    found = merged("pyproject.toml", PYPROJECT.encode(), now.encode())
    assert found is not None
    text = found.decode()
    assert '"one", "two",' in text
    assert "fail_under = 90" in text
    assert 'addopts = "-q"' in text
    assert "line-length = 80" in text


def test_an_exam_that_the_base_does_not_speak_of_goes():
    found = merged("pyproject.toml", b"[project]\nname = 'x'\n", PYPROJECT.encode())
    assert found is not None
    assert b"pytest" not in found
    assert b"line-length" in found


def test_a_setup_cfg_too():
    base = b"[metadata]\nname = x\n\n[tool:pytest]\naddopts = -q\n"
    now = b"[metadata]\nname = x\nversion = 2\n\n[tool:pytest]\naddopts = -k nothing\n"
    found = merged("setup.cfg", base, now)
    assert found == b"[metadata]\nname = x\nversion = 2\n\n[tool:pytest]\naddopts = -q\n"


@table_test(
    ("path", "base", "now"),
    [
        ("Cargo.toml", b"", b""),
        ("package.json", b"{", b"{}"),
        ("package.json", b"[]", b"{}"),
        ("package.json", b'{"scripts": 1}', b"{}"),
        ("package.json", b"\xff", b"{}"),
        ("package.json", b"[" * 100_000, b"{}"),
        ("pyproject.toml", b"= broken", b""),
        ("pyproject.toml", b'tool.pytest.ini_options.addopts = "-q"', b'[project]\nname = "x"'),
        ("setup.cfg", b"no section", b"[a]\nb = 1"),
    ],
)
def test_what_can_not_be_told_apart_goes_back_whole(path, base, now):
    assert merged(path, base, now) is None
    found = with_merged([path, "tests/a.py"], lambda _: base, lambda _: now)
    assert found == PutBack((path, "tests/a.py"))


def test_a_file_that_only_one_side_has_goes_back_whole():
    found = with_merged(["package.json"], lambda _: None, lambda _: b"{}")
    assert found == PutBack(("package.json",))
    assert not PutBack()
