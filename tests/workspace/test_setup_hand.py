"""A Python environment that is there already: used only when it would test this very folder."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from donewhen.workspace.setup.detect import at_hand, setups_for
from donewhen.workspace.setup.python import python_at_hand

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


def path(*folders: Path) -> dict[str, str]:
    return {"PATH": os.pathsep.join([*map(str, folders), "/usr/bin", "/bin"])}


@pytest.mark.parametrize("name", [".venv", "venv", "env"])
def test_an_environment_in_the_project_is_used(tmp_path, name):
    folder = project(tmp_path / "p")
    environment(folder / name, "pytest")
    found = python_at_hand(folder, PYTEST, path())
    assert found is not None
    assert (found.path, found.source) == ((str(folder / name / "bin"),), name)


@pytest.mark.parametrize(
    ("text", "source", "installed"),
    [
        (FLAT, "shop/__init__.py", ()),  # no runner
        (NEEDY, "shop/__init__.py", ("pytest",)),  # a dependency is missing
        (FLAT, "src/shop/__init__.py", ("pytest",)),  # nothing leads to its sources
        (FLAT, "src/shop/__init__.py", ("pytest", "shop")),  # a copy from elsewhere would be tested
    ],
)
def test_an_environment_that_lacks_something_is_not_at_hand(tmp_path, text, source, installed):
    folder = project(tmp_path / "p", text, source)
    environment(folder / ".venv", *installed)
    assert python_at_hand(folder, PYTEST, path()) is None


def test_a_program_in_the_project_is_never_started_to_ask(tmp_path):
    folder = project(tmp_path / "p")
    environment(folder / ".venv", "pytest")
    (folder / ".venv/bin/python").unlink()
    (folder / ".venv/bin/python").write_text(f"#!/bin/sh\ntouch {tmp_path}/started\n")
    (folder / ".venv/bin/python").chmod(0o755)
    assert python_at_hand(folder, PYTEST, path()) is not None
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


def test_tools_with_environments_of_their_own_need_only_themselves(tmp_path):
    folder = project(tmp_path / "p", NEEDY)
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/tox").write_text("#!/bin/sh\n")
    (tmp_path / "bin/tox").chmod(0o755)
    assert python_at_hand(folder, [("tox",)], path(tmp_path / "bin")) is not None
    assert python_at_hand(folder, [("nox",)], path(tmp_path / "bin")) is None


def test_over_all_languages(tmp_path):
    folder = project(tmp_path / "p")
    environment(folder / ".venv", "pytest")
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
