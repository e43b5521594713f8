"""A Python environment that is there already: used where it has the runner and no copy from elsewhere."""

import json
import os
import subprocess
import sys
from pathlib import Path

from donewhen.workspace.setup.detect import at_hand, setups_for
from donewhen.workspace.setup.makers import run_at_hand
from donewhen.workspace.setup.python import python_at_hand
from tests.tables import table_test

PYTEST = (("pytest",),)
UNITTEST = (("python", "-m", "unittest"),)
FLAT = '[build-system]\nrequires = []\n[project]\nname = "shop"\ndependencies = []\n'
NEEDY = FLAT.replace("dependencies = []", 'dependencies = ["click>=8"]')


def project(folder: Path, text: str = FLAT, source: str = "shop/__init__.py") -> Path:
    (folder / source).parent.mkdir(parents=True)
    (folder / source).write_text("")
    (folder / "pyproject.toml").write_text(text)
    return folder


def environment(folder: Path, *names: str, editable: Path | None = None) -> Path:
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    site = next((folder / "lib").glob("python*")) / "site-packages"
    for name in names:
        (site / f"{name}-1.0.dist-info").mkdir()
        (site / f"{name}-1.0.dist-info/METADATA").write_text(f"Name: {name}\nVersion: 1.0\n")
        if name == "shop" and editable:
            url = {"url": editable.as_uri(), "dir_info": {"editable": True}}
            (site / "shop-1.0.dist-info/direct_url.json").write_text(json.dumps(url))
    for script in set(names) & {"pytest"}:
        (folder / "bin" / script).write_text("#!/bin/sh\n")
        (folder / "bin" / script).chmod(0o755)
    return folder


def whole_at_hand(folder: Path, commands, env: dict[str, str]):
    return python_at_hand(folder, commands, env, whole=True)


def path(*folders: Path) -> dict[str, str]:
    return {"PATH": os.pathsep.join([*map(str, folders), "/usr/bin", "/bin"])}


@table_test("name", [".venv", "venv", "env"])
def test_an_environment_in_the_project_is_used(tmp_path, name):
    folder = project(tmp_path / "p")
    environment(folder / name, "pytest", "shop", editable=folder)
    found = python_at_hand(folder, PYTEST, path())
    assert found is not None
    assert (found.path, found.source) == ((str(folder / name / "bin"),), name)


@table_test(
    ("text", "source", "installed"),
    [
        (FLAT, "shop/__init__.py", ()),  # no runner
        (FLAT, "shop/__init__.py", ("pytest",)),  # nothing leads to its sources
        (FLAT, "shop/__init__.py", ("pytest", "shop")),  # a copy from elsewhere would be tested
        (NEEDY, "shop/__init__.py", ("pytest",)),  # a dependency is missing
        (FLAT, "src/shop/__init__.py", ("pytest",)),  # nothing leads to its sources
        (FLAT, "src/shop/__init__.py", ("pytest", "shop")),  # a copy from elsewhere would be tested
    ],
)
def test_an_environment_that_lacks_something_is_not_whole(tmp_path, text, source, installed):
    folder = project(tmp_path / "p", text, source)
    environment(folder / ".venv", *installed)
    assert whole_at_hand(folder, PYTEST, path()) is None


@table_test(
    ("text", "source", "installed", "used"),
    [
        (NEEDY, "shop/__init__.py", ("pytest",), True),  # a dependency is missing
        (FLAT, "src/shop/__init__.py", ("pytest",), True),  # nothing leads to its sources
        (NEEDY, "shop/__init__.py", ("click",), False),  # no runner
        (FLAT, "src/shop/__init__.py", ("pytest", "shop"), False),  # a copy from elsewhere would be tested
    ],
)
def test_an_environment_with_the_runner_is_used_as_it_is(tmp_path, text, source, installed, used):
    folder = project(tmp_path / "p", text, source)
    environment(folder / ".venv", *installed)
    assert (python_at_hand(folder, PYTEST, path()) is not None) is used
    other = project(tmp_path / "q", text, source)
    active = {**path(), "VIRTUAL_ENV": str(environment(tmp_path / "active", *installed))}
    assert (python_at_hand(other, PYTEST, active) is not None) is used


def write(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


TEST = {"tests/test_shop.py": "import shop\n"}
IN_PACKAGE = {**TEST, "tests/__init__.py": ""}
ROOT_NAMED = {"pytest.ini": "[pytest]\npythonpath = . tools\n"}
IMPORTLIB = {**TEST, "conftest.py": "", "pytest.ini": "[pytest]\naddopts = --import-mode=importlib\n"}
MODULE = (("python", "-m", "pytest"),)


@table_test(
    ("files", "commands", "there"),
    [
        (TEST, PYTEST, False),
        (TEST, MODULE, True),
        (TEST, (*MODULE, *PYTEST), False),
        ({**TEST, "conftest.py": ""}, PYTEST, True),
        (IMPORTLIB, PYTEST, False),
        (IN_PACKAGE, PYTEST, True),
        ({**IN_PACKAGE, "tests/unit/test_a.py": ""}, PYTEST, False),
        ({**TEST, **ROOT_NAMED}, PYTEST, True),
        ({**TEST, "src/x.py": "", **ROOT_NAMED}, PYTEST, False),
        ({**TEST, "src/x.py": "", "pytest.ini": "[pytest]\npythonpath = src\n"}, PYTEST, True),
        ({**TEST, "src/x.py": ""}, MODULE, False),
        ({"run.py": "", "tests/run.py": ""}, (("python", "run.py"),), True),
        ({"run.py": "", "tests/run.py": ""}, (("python", "tests/run.py"),), False),
        ({**TEST, "Makefile": "test:\n\tpytest\n"}, (("make", "test"),), False),
    ],
)
def test_without_the_project_in_it_the_commands_must_lead_to_the_sources(tmp_path, files, commands, there):
    folder = write(project(tmp_path / "p", NEEDY), files)
    environment(folder / ".venv", "pytest", "click")
    assert (whole_at_hand(folder, commands, path()) is not None) is there
    other = write(project(tmp_path / "q", NEEDY), files)
    environment(other / ".venv", "pytest")
    assert whole_at_hand(other, commands, path()) is None, "a dependency is missing"


@table_test(
    ("files", "installed", "there"),
    [
        ({"requirements.txt": "flask>=2\n"}, ("pytest", "flask"), True),
        ({"requirements.txt": "flask>=2\n"}, ("pytest",), False),
        ({"requirements.txt": "flask>=2\n"}, ("flask",), False),
        ({"requirements.txt": "-r needs/base.txt\n", "needs/base.txt": "flask\n"}, ("pytest",), False),
        ({"requirements.txt": "-c pins.txt\n", "pins.txt": "flask==2\n"}, ("pytest",), True),
        ({"requirements.txt": "pywin32 ; sys_platform == 'win32'\n"}, ("pytest",), True),
        ({"Pipfile": '[packages]\nflask = "*"\n'}, ("pytest",), False),
        ({"pyproject.toml": "[tool.ruff]\n"}, ("pytest",), True),
        ({"setup.cfg": "[metadata]\nname = shop\n"}, ("pytest",), False),
    ],
)
def test_a_project_that_is_never_installed_needs_what_it_lists(tmp_path, files, installed, there):
    folder = write(tmp_path / "p", {"shop.py": "", **TEST, **files})
    environment(folder / ".venv", *installed)
    assert (whole_at_hand(folder, PYTEST, path()) is not None) is there


@table_test("setup", ["setup(name='shop')", "from names import NAME\nsetup(name=NAME)"])
def test_a_link_of_setup_py_develop_counts_also_when_the_name_is_computed(tmp_path, setup):
    folder = write(tmp_path / "p", {"setup.py": setup, "src/shop.py": "", **TEST})
    site = next((environment(folder / ".venv", "pytest") / "lib").glob("python*")) / "site-packages"
    assert whole_at_hand(folder, PYTEST, path()) is None
    (site / "shop.egg-link").write_text(f"{folder}/src\n../")
    assert whole_at_hand(folder, PYTEST, path()) is not None
    (site / "shop.egg-link").write_text(f"{tmp_path}/q\n.")
    assert whole_at_hand(folder, PYTEST, path()) is None


def test_a_path_file_that_leads_to_the_sources_counts(tmp_path):
    folder = project(tmp_path / "p", FLAT, "src/shop/__init__.py")
    site = next((environment(folder / ".venv", "pytest") / "lib").glob("python*")) / "site-packages"
    (site / "own.pth").write_text("import os\n/no/such/folder\n")
    assert whole_at_hand(folder, PYTEST, path()) is None
    (site / "own.pth").write_text(f"{folder}/src\n")
    assert whole_at_hand(folder, PYTEST, path()) is not None


def test_a_script_that_poses_as_the_projects_interpreter_is_neither_started_nor_believed(tmp_path):
    folder = project(tmp_path / "p")
    environment(folder / ".venv", "pytest", "shop", editable=folder)
    assert python_at_hand(folder, PYTEST, path()) is not None
    (folder / ".venv/bin/python").unlink()
    (folder / ".venv/bin/python").write_text(f"#!/bin/sh\ntouch {tmp_path}/started\n")
    (folder / ".venv/bin/python").chmod(0o755)
    assert python_at_hand(folder, PYTEST, path()) is None
    assert not (tmp_path / "started").exists()


def test_the_active_environment_counts_when_the_project_is_installed_from_here(tmp_path):
    folder = project(tmp_path / "p", NEEDY, "src/shop/__init__.py")
    here = environment(tmp_path / "here", "pytest", "shop", editable=folder)
    found = python_at_hand(folder, PYTEST, {**path(), "VIRTUAL_ENV": str(here)})
    assert found is not None
    assert found.source == "VIRTUAL_ENV"
    elsewhere = environment(tmp_path / "elsewhere", "pytest", "shop", editable=tmp_path / "q")
    assert python_at_hand(folder, PYTEST, {**path(), "VIRTUAL_ENV": str(elsewhere)}) is None


def test_the_environment_of_the_harness_does_not_count_for_its_runner(tmp_path):
    folder = project(tmp_path / "p")
    env = {**path(Path(sys.prefix) / "bin"), "VIRTUAL_ENV": sys.prefix}
    assert python_at_hand(folder, PYTEST, env) is None


def test_tests_of_the_standard_library_need_only_python(tmp_path):
    folder = project(tmp_path / "p")
    tools = environment(tmp_path / "tools")
    found = python_at_hand(folder, UNITTEST, path(tools / "bin"))
    assert found is not None
    assert found.path == ()
    assert python_at_hand(project(tmp_path / "q", NEEDY), UNITTEST, path(tools / "bin")) is None
    empty = tmp_path / "empty"
    empty.mkdir()
    assert python_at_hand(folder, UNITTEST, {"PATH": str(empty)}) is None


@table_test(
    ("files", "commands"),
    [
        ({"shop.py": "", "test_shop.py": "import unittest, shop\n"}, UNITTEST),
        ({"src/shop.py": "", "tests/test_shop.py": "import unittest\n"}, UNITTEST),  # nothing to install
        ({"shop.py": "", "run.py": "import shop\n"}, (("python", "run.py"),)),
        ({"shop.py": "", "check": "#!/usr/bin/env python\n", "setup.cfg": "[flake8]\n"}, (("./check",),)),
        (
            {
                "pyproject.toml": FLAT + '[project.optional-dependencies]\ndev = ["ruff"]\n',
                "requirements-dev.txt": "black\n",
                "shop/__init__.py": "",
                "tests/test_shop.py": "import unittest\nfrom shop import core\n",
            },
            UNITTEST,
        ),
        (
            {
                "pyproject.toml": FLAT,
                "src/shop/__init__.py": "",
                "src/shop/tests/test_a.py": "import unittest\n",
            },
            (("python", "-m", "unittest", "discover", "-s", "src/shop/tests", "-t", "src"),),
        ),
    ],
)
def test_commands_that_need_nothing_need_no_room(tmp_path, files, commands):
    folder = write(tmp_path / "p", files)
    tools = environment(tmp_path / "tools")
    found = at_hand(folder, commands, path(tools / "bin"))
    assert found is not None
    ours = {**path(Path(sys.prefix) / "bin"), "VIRTUAL_ENV": sys.prefix}
    assert at_hand(folder, commands, ours) is not None


def test_tests_that_import_what_only_an_extra_brings_need_a_room(tmp_path):
    text = FLAT + '[project.optional-dependencies]\ndev = ["responses-x"]\n'
    folder = write(project(tmp_path / "p", text), {"tests/test_a.py": "import unittest, responses_x\n"})
    tools = environment(tmp_path / "tools")
    assert whole_at_hand(folder, UNITTEST, path(tools / "bin")) is None


def test_tools_with_environments_of_their_own_need_only_themselves(tmp_path):
    folder = project(tmp_path / "p", NEEDY)
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/tox").write_text("#!/bin/sh\n")
    (tmp_path / "bin/tox").chmod(0o755)
    assert python_at_hand(folder, [("tox",)], path(tmp_path / "bin")) is not None
    assert python_at_hand(folder, [("nox",)], path(tmp_path / "bin")) is None


def test_over_all_languages(tmp_path):
    folder = project(tmp_path / "p")
    environment(folder / ".venv", "pytest", "shop", editable=folder)
    both = [("pytest",), ("npm", "test")]
    (folder / "package.json").write_text('{"devDependencies": {"a": "1"}, "scripts": {"test": "a"}}')
    assert [setup.language for setup in setups_for(folder, both, path())] == ["python", "javascript"]
    assert at_hand(folder, both, path()) is None
    found = at_hand(folder, PYTEST, path())
    assert found is not None
    assert found.language == "python"


def test_a_folder_below_the_root_keeps_its_place(tmp_path):
    folder = project(tmp_path / "api")
    (found,) = setups_for(folder, PYTEST, path(), below="api")
    assert (found.folder, found.inputs, found.provides, found.path) == (
        "api",
        ("api/pyproject.toml",),
        ("api/.venv",),
        ("api/.venv/bin",),
    )


@table_test(
    ("command", "plain"),
    [
        ("uv run pytest -q", "pytest -q"),
        ("poetry run pytest", "pytest"),
        ("pdm run python -m pytest", "python -m pytest"),
        ("pytest", "pytest"),
        ("uv run --extra dev pytest", "uv run --extra dev pytest"),  # not for sure the same
        ("uv sync", "uv sync"),
        ("tox", "tox"),
        ("make test", "make test"),
    ],
)
def test_known_tests_are_run_by_the_environment_at_hand(tmp_path, command, plain):
    folder = project(tmp_path / "p")
    environment(folder / ".venv", "pytest", "shop", editable=folder)
    assert run_at_hand(folder, command.split(), path()) == tuple(plain.split())


def test_sources_that_are_not_installed_are_found_by_the_module(tmp_path):
    folder = project(tmp_path / "p")
    environment(folder / ".venv", "pytest")
    assert run_at_hand(folder, ("uv", "run", "pytest"), path()) == ("python", "-m", "pytest")
    assert run_at_hand(project(tmp_path / "q"), ("uv", "run", "pytest"), path()) == ("uv", "run", "pytest")


def test_the_active_environment_that_has_all_that_is_declared_is_used(tmp_path):
    folder = project(tmp_path / "p", NEEDY)
    active = environment(tmp_path / "active", "pytest", "click")
    env = {**path(), "VIRTUAL_ENV": str(active)}
    assert run_at_hand(folder, ("uv", "run", "pytest"), env) == ("python", "-m", "pytest")
    environment(tmp_path / "lean", "pytest")
    lean = {**path(), "VIRTUAL_ENV": str(tmp_path / "lean")}
    assert run_at_hand(folder, ("uv", "run", "pytest"), lean) == ("pytest",)


def test_a_runner_among_the_packages_is_started_there(tmp_path):
    (tmp_path / "package.json").write_text('{"devDependencies": {"vitest": "1"}}')
    command = ("npx", "vitest", "run")
    tools = path(tmp_path / "tools")
    assert run_at_hand(tmp_path, command, tools) == command
    runner = tmp_path / "node_modules/.bin/vitest"
    runner.parent.mkdir(parents=True)
    runner.write_text("#!/bin/sh\n")
    runner.chmod(0o755)
    (tmp_path / "node_modules/vitest").mkdir()
    assert run_at_hand(tmp_path, command, tools) == ("node_modules/.bin/vitest", "run")
