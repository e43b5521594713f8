"""What sets a project up anew: what changes what is installed, and nothing else."""

import os
from pathlib import Path

from donewhen.workspace.setup.detect import setups_for
from donewhen.workspace.setup.preparing import setup_digest
from tests.tables import table_test

PYPROJECT = '[build-system]\nrequires = ["setuptools"]\n[project]\nname = "shop"\ndependencies = ["a"]\n'
PACKAGE = '{"name": "shop", "devDependencies": {"jest": "1"}, "scripts": {"test": "jest"}}'
PYTHON = {"pyproject.toml": PYPROJECT, "shop/__init__.py": "", "tests/test_shop.py": "def test_a(): ...\n"}
CFG = "[metadata]\nname = shop\n[options]\ninstall_requires = a\n"
PIP = ("python", "-m", "pytest")
NPM = ("npm", "test")


def name(folder: Path, files: dict[str, str], command: tuple[str, ...]) -> str:
    for file, text in files.items():
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / file).write_text(text)
    (setup,) = setups_for(folder, [command], os.environ)
    return setup_digest(setup, folder, os.environ)


def test_the_spelling_of_the_command_and_a_conftest_change_nothing(tmp_path):
    before = name(tmp_path, PYTHON, PIP)
    assert name(tmp_path, {"conftest.py": "", "test_more.py": "", "tasks.py": ""}, ("pytest",)) == before
    assert name(tmp_path, {"tests/__init__.py": ""}, ("pytest", "-x", "tests")) == before


@table_test(
    ("files", "change"),
    [
        (PYTHON, {"pyproject.toml": PYPROJECT + "# a comment\n[tool.ruff]\nline-length = 100\n"}),
        (PYTHON, {"pyproject.toml": PYPROJECT + '[tool.pytest.ini_options]\naddopts = "-q"\n'}),
        (PYTHON, {"pyproject.toml": PYPROJECT + "[tool.coverage.run]\nbranch = true\n[tool.mypy]\n"}),
        ({"setup.cfg": CFG}, {"setup.cfg": CFG + "[flake8]\nmax-line-length = 100\n[mypy-shop.*]\nx = 1\n"}),
        (
            {"setup.cfg": CFG},
            {"setup.cfg": CFG + "[coverage:run]\nbranch = 1\n[tool:pytest]\naddopts = -q\n"},
        ),
        ({"setup.py": "setup()", "setup.cfg": "[flake8]\nx = 1\n"}, {"setup.cfg": "[flake8]\nx = 2\n"}),
    ],
)
def test_settings_of_other_tools_do_not_set_up_python_anew(tmp_path, files, change):
    assert name(tmp_path, files, PIP) == name(tmp_path, change, PIP)


@table_test(
    ("files", "change"),
    [
        (PYTHON, {"pyproject.toml": PYPROJECT.replace('"a"', '"b"')}),
        (PYTHON, {"pyproject.toml": PYPROJECT.replace('"setuptools"', '"setuptools>60"')}),
        (PYTHON, {"pyproject.toml": PYPROJECT + '[dependency-groups]\ntest = ["c"]\n'}),
        (PYTHON, {"pyproject.toml": PYPROJECT + '[tool.setuptools]\npackages = ["shop"]\n'}),
        (PYTHON, {"pyproject.toml": PYPROJECT + "[tool.never-heard-of]\nx = 1\n"}),
        (PYTHON, {"pyproject.toml": PYPROJECT + "[tool.ruff\n"}),
        (PYTHON, {"more/__init__.py": ""}),
        (PYTHON, {"tests/test_more.py": "import hypothesis\n"}),
        ({"setup.cfg": CFG}, {"setup.cfg": CFG.replace("= a", "= b")}),
        ({"setup.py": "setup()"}, {"setup.py": "setup(name='x')"}),
        (
            {"requirements.txt": "-r needs.txt\n", "needs.txt": "a\n", "test_a.py": ""},
            {"needs.txt": "b\n"},
        ),
    ],
)
def test_what_decides_what_is_installed_sets_up_python_anew(tmp_path, files, change):
    assert name(tmp_path, files, PIP) != name(tmp_path, change, PIP)


@table_test(
    ("text", "same"),
    [
        (PACKAGE.replace('"test": "jest"', '"test": "jest --ci", "lint": "eslint ."'), True),
        (PACKAGE.replace('"name"', '"jest": {"verbose": true}, "description": "a shop", "name"'), True),
        (PACKAGE.replace('"jest": "1"', '"jest": "2"'), False),
        (PACKAGE.replace('"name"', '"overrides": {"b": "1"}, "name"'), False),
        (PACKAGE.replace('"test"', '"postinstall": "node build", "test"'), False),
    ],
)
def test_only_what_npm_installs_sets_up_javascript_anew(tmp_path, text, same):
    before = name(tmp_path, {"package.json": PACKAGE}, NPM)
    assert (name(tmp_path, {"package.json": text}, NPM) == before) is same


def test_a_script_at_install_may_use_every_part_of_the_manifest(tmp_path):
    text = PACKAGE.replace('"test"', '"prepare": "npm run build", "build": "x", "test"')
    before = name(tmp_path, {"package.json": text}, NPM)
    assert name(tmp_path, {"package.json": text.replace('"x"', '"y"')}, NPM) != before


def test_a_python_in_the_folder_that_one_stands_in_has_no_say(tmp_path, monkeypatch):
    before = name(tmp_path, PYTHON, PIP)
    other = tmp_path / "elsewhere"
    (other / ".venv/bin").mkdir(parents=True)
    (other / ".venv/bin/python").write_text("#!/bin/sh\n")
    (other / ".venv/bin/python").chmod(0o755)
    monkeypatch.chdir(other)
    assert name(tmp_path, {}, PIP) == before
