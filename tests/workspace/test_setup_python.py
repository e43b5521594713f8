"""How a Python project is set up: decided from its files alone."""

from pathlib import Path

from donewhen.workspace.setup.model import Setup
from donewhen.workspace.setup.python import python_setup
from donewhen.workspace.setup.python_versions import satisfies
from tests.tables import table_test

PYTEST = (("pytest",),)
BUILD = '[build-system]\nrequires = ["hatchling"]\nbuild-backend = "hatchling.build"\n'
PROJECT = BUILD + '[project]\nname = "shop"\nversion = "1"\n'


def write(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


def setup(folder: Path, files: dict[str, str], commands=PYTEST) -> Setup:
    found = python_setup(write(folder, files), commands)
    assert found is not None
    return found


def wishes(found: Setup) -> list[str]:
    """What pip is asked for, after its options."""
    argv = found.steps[-1].argv
    return list(argv[argv.index("--use-pep517") + 1 :])


def test_a_package_gets_an_environment_of_its_own(tmp_path):
    found = setup(tmp_path, {"pyproject.toml": PROJECT})
    assert found.steps[0].argv[1:] == ("-m", "venv", "--clear", ".venv")
    assert wishes(found) == ["-e", ".", "pytest"]
    assert (found.provides, found.path, found.inputs) == ((".venv",), (".venv/bin",), ("pyproject.toml",))
    assert found.steps[0].argv[0].startswith("/")


@table_test(
    ("files", "wanted"),
    [
        (
            {"pyproject.toml": PROJECT + '[project.optional-dependencies]\ntest = ["x"]\ndev = ["y"]\n'},
            ["-e", ".[test]", "pytest"],
        ),
        (
            {"pyproject.toml": PROJECT + '[project.optional-dependencies]\ndev = ["y"]\ndocs = ["z"]\n'},
            ["-e", ".[dev]", "pytest"],
        ),
        (
            {
                "pyproject.toml": PROJECT
                + '[dependency-groups]\ntests = [{include-group = "base"}, "b>=2"]\nbase = ["a", {include-group = "tests"}]\ndev = ["c"]\n'
            },
            ["-e", ".", "pytest", "a", "b>=2"],
        ),
        (
            {"setup.py": "from setuptools import setup\nneeds = ['a', 'b']\nsetup(name='shop', tests_require=needs)"},
            ["-e", ".", "pytest", "a", "b"],
        ),
        (
            {"setup.cfg": "[metadata]\nname = shop\n[options.extras_require]\ntesting =\n    a\n    b\n"},
            ["-e", ".[testing]", "pytest"],
        ),
        (
            {"setup.py": "setup()", "requirements/test.txt": "a\n", "requirements-dev.txt": "b\n"},
            ["-e", ".", "pytest", "-r", "requirements/test.txt"],
        ),
        (
            {"setup.py": "setup()", "requirements_dev.txt": "b\n"},
            ["-e", ".", "pytest", "-r", "requirements_dev.txt"],
        ),
        (
            {
                "setup.py": "setup()",
                "tox.ini": "[testenv]\ndeps =\n    a>1\n    -r{toxinidir}/more.txt\n    py38: b\n    {[x]y}\n    -e .\n    -r../out.txt\n",
                "more.txt": "c\n",
            },
            ["-e", ".", "pytest", "a>1", "b", "-r", "more.txt"],
        ),
        (
            {"pyproject.toml": PROJECT + '[tool.hatch.envs.default]\ndependencies = ["a"]\n'},
            ["-e", ".", "pytest", "a"],
        ),
        (
            {
                "pyproject.toml": '[build-system]\n[tool.poetry]\nname = "shop"\n[tool.poetry.group.test.dependencies]\na = "^2.1"\nb = "*"\nc = {version = "~3.0"}\npython = "^3.8"\n'
            },
            ["-e", ".", "pytest", "a>=2.1", "b", "c>=3.0"],
        ),
        (
            {
                "pyproject.toml": PROJECT + '[project.optional-dependencies]\ntest = ["x"]\ncli = ["y"]\ndocs = ["z"]\n',
                "noxfile.py": "session.install('.[cli,test]')\nsession.install('-e', '.[docs]')\n",
            },
            ["-e", ".[test,cli]", "pytest"],
        ),
        ({"Pipfile": '[dev-packages]\na = "==1"\n', "test_a.py": ""}, ["pytest", "a==1"]),
        ({"requirements.txt": "a\n", "test_a.py": "import pytest\n"}, ["-r", "requirements.txt", "pytest"]),
        (
            {"pyproject.toml": PROJECT + '[tool.pytest.ini_options]\naddopts = "--cov=shop -n auto -p no:x"\ntimeout = 5\nasyncio_mode = "auto"\nrequired_plugins = "pytest-foo>=1"\n'},
            ["-e", ".", "pytest", "pytest-cov", "pytest-xdist", "pytest-timeout", "pytest-asyncio", "pytest-foo>=1"],
        ),
        (
            {
                "setup.py": "setup()",
                "tests/test_a.py": "import os, freezegun.api as f\nfrom hypothesis import given\nimport mock\nimport shop\ndef test_a(mocker): ...\n",
                "tests/mock.py": "",
            },
            ["-e", ".", "pytest", "freezegun", "hypothesis", "pytest-mock"],
        ),
        (
            {
                "pyproject.toml": PROJECT + '[project.optional-dependencies]\ncli = ["click>=5"]\n',
                "tests/test_a.py": "import click\n",
            },
            ["-e", ".", "pytest", "click>=5"],
        ),
    ],
)  # fmt: skip
def test_what_the_tests_need_is_found_where_projects_say_it(tmp_path, files, wanted):
    assert wishes(setup(tmp_path, files)) == wanted


def test_when_all_at_once_fails_less_is_tried_and_the_rest_alone(tmp_path):
    extras = '[project.optional-dependencies]\ntest = ["x"]\n[dependency-groups]\ntest = ["y"]\n'
    step = setup(tmp_path, {"pyproject.toml": PROJECT + extras}).steps[1]
    tails = [" ".join(argv[argv.index("--use-pep517") + 1 :]) for argv in (step.argv, *step.instead)]
    assert tails == ["-e .[test] pytest y", "-e .[test] pytest", "-e . pytest"]
    assert [argv[-1] for argv in step.rest] == ["y", ".[test]"]


def test_options_and_addresses_of_a_repository_do_not_become_options_of_pip(tmp_path):
    entries = '["--index-url=http://evil", "-r /etc/passwd", "a @ file:///x", "../b", "good ; python_version > \'3\'"]'
    text = PROJECT + f"[dependency-groups]\ntest = {entries}\n"
    assert wishes(setup(tmp_path, {"pyproject.toml": text})) == [
        "-e",
        ".",
        "pytest",
        "good ; python_version > '3'",
    ]


def test_tests_that_need_nothing_get_a_bare_environment(tmp_path):
    found = setup(
        tmp_path, {"shop.py": "", "test_shop.py": "import unittest\n"}, [("python", "-m", "unittest")]
    )
    assert [step.argv[1:] for step in found.steps] == [("-m", "venv", "--clear", "--without-pip", ".venv")]


def test_a_version_from_git_is_told_to_the_build(tmp_path):
    text = PROJECT.replace('["hatchling"]', '["hatchling", "hatch-vcs"]')
    files = {"pyproject.toml": text, "PKG-INFO": "Metadata-Version: 2.1\nName: shop\nVersion: 2.3.4\n\nx"}
    found = setup(tmp_path / "a", files)
    assert found.steps[-1].env == {"SETUPTOOLS_SCM_PRETEND_VERSION": "2.3.4"}
    assert found.again[0].argv[-3:] == ("--no-deps", "-e", ".")
    tagged = {
        "pyproject.toml": text,
        ".git/packed-refs": "1 refs/tags/v1.10.0\n2 refs/tags/v1.9\n3 refs/tags/x\n",
    }
    assert setup(tmp_path / "b", tagged).steps[-1].env == {"SETUPTOOLS_SCM_PRETEND_VERSION": "1.10.0"}
    none = setup(tmp_path / "c", {"pyproject.toml": text})
    assert none.steps[-1].env == {"SETUPTOOLS_SCM_PRETEND_VERSION": "0.1.dev0"}


def test_the_sources_of_an_extension_are_inputs(tmp_path):
    files = {"setup.py": "setup(ext_modules=[Extension('a', ['src/a.c'])])", "src/a.c": "", "src/a.h": ""}
    found = setup(tmp_path, files)
    assert set(found.inputs) == {"setup.py", "src/a.c", "src/a.h"}
    assert found.again


def test_files_that_requirement_files_and_the_build_include_are_inputs(tmp_path):
    files = {
        "pyproject.toml": PROJECT + '[tool.setuptools.dynamic]\ndependencies = {file = ["needs/run.in"]}\n',
        "needs/run.in": "a\n",
        "requirements/test.txt": "-r base.txt\n-c ../pins.txt\n-r ../../out.txt\n-r test.txt\n",
        "requirements/base.txt": "b\n",
        "pins.txt": "b==1\n",
    }
    assert sorted(setup(tmp_path, files).inputs) == sorted(files)


def test_a_locked_project_is_installed_by_its_tool_when_that_is_there(tmp_path):
    write(tmp_path, {"pyproject.toml": PROJECT, "uv.lock": "", "bin/uv": "#!/bin/sh\n"})
    (tmp_path / "bin/uv").chmod(0o755)
    found = python_setup(tmp_path, [("uv", "run", "pytest")], {"PATH": str(tmp_path / "bin")})
    assert found is not None
    assert found.steps[0].argv == ("uv", "sync", "--frozen")
    assert found.inputs[0] == "uv.lock"
    without = python_setup(tmp_path, [("uv", "run", "pytest")], {"PATH": "/usr/bin:/bin"})
    assert without is not None
    assert wishes(without) == ["-e", ".", "uv", "pytest"]


def test_commands_of_other_languages_need_no_python(tmp_path):
    write(tmp_path, {"pyproject.toml": PROJECT})
    assert python_setup(tmp_path, [("npm", "test")]) is None
    assert python_setup(tmp_path / "none", [("make", "test")]) is None
    assert python_setup(tmp_path, [("make", "test")]) is not None


def test_what_make_runs_is_looked_for_in_its_file(tmp_path):
    files = {"setup.py": "setup()", "Makefile": "test:\n\tpython -m pytest tests\n"}
    assert wishes(setup(tmp_path, files, [("make", "test")])) == ["-e", ".", "pytest"]


@table_test(
    "files",
    [
        {"pyproject.toml": "a = " + "[" * 20_000},
        {"pyproject.toml": PROJECT + ".".join("a" * 100_000) + " = 1\n"},
        {
            "pyproject.toml": PROJECT
            + "["
            + ".".join("a" * 300)
            + "]\n"
            + "".join(f"a{n}=1\n" for n in range(40_000))
        },
        {"pyproject.toml": PROJECT + f"a = {{{'b.' * 1000}b = 1}}\n" * 200},
        {"setup.cfg": "[metadata]\nname = a\n" + " x\n" * 150_000},
        {"pyproject.toml": '[project]\nname = 5\ndependencies = "x"\noptional-dependencies = 3\n'},
        {"pyproject.toml": 'project = 1\ntool = 2\nbuild-system = "x"\ndependency-groups = [1]\n'},
        {"setup.py": "setup(" * 5_000},
        {"setup.py": "setup(extras_require={**x, 'test': [y]}, install_requires=read())"},
        {"setup.cfg": "\x00[metadata\nname\n = =\n"},
        {"tox.ini": "[testenv]\ndeps = " + "{" * 10_000},
    ],
)
def test_broken_files_still_give_a_set_up(tmp_path, files):
    assert setup(tmp_path, {"requirements.txt": "", **files}).steps


@table_test(
    ("wanted", "fits"),
    [
        ("", True), (">=3.8", True), (">=3.12", False), (">=3.8,<3.12", True), (">=3.8, <3.11", False),
        ("~=3.10", True), ("~=3.11.4", True), ("~=3.10.2", False), ("==3.11.*", True), ("!=3.11.*", False),
        ("^3.8", True), ("^2.7", False), ("~3.11", True), ("~3.10", False), (">3.11", True), ("<=3.11", True),
        ("^2.7 || ^3.9", True), ("nonsense", True), (">=2.7, !=3.0.*, !=3.1.*", True), ("==3", True),
    ],
)  # fmt: skip
def test_which_python_fits(wanted, fits):
    assert satisfies((3, 11, 7), wanted) is fits


def test_a_table_with_many_plain_keys_is_no_attack(tmp_path):
    entries = ", ".join(f'"package-{n}>=1.{n}.0"' for n in range(150))
    found = setup(tmp_path, {"pyproject.toml": PROJECT + f"[dependency-groups]\ntest = [{entries}]\n"})
    assert "package-149>=1.149.0" in wishes(found)
