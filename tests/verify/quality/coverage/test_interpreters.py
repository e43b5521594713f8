"""Which Python a command runs on, and whether coverage.py is there, told without running anything."""

from pathlib import Path

from donewhen.verify.quality.coverage.python import (
    find_program,
    has_packages,
    python_for,
)
from tests.tables import table_test


def environment(folder: Path, *, coverage: bool, settings: str = "home = /nowhere/bin\n") -> Path:
    library = folder / "lib/python3.12/site-packages"
    library.mkdir(parents=True)
    if coverage:
        (library / "coverage").mkdir()
        (library / "coverage/__init__.py").touch()
    (folder / "pyvenv.cfg").write_text(settings)
    return program(folder / "bin/python", "\x7fELF")


def program(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)
    return path


@table_test("there", [True, False])
def test_an_environment_says_what_it_holds(tmp_path, there):
    python = environment(tmp_path, coverage=there)
    assert python_for([str(python)], [], tmp_path) == (python if there else None)


def test_an_environment_may_share_what_the_system_has(tmp_path):
    environment(tmp_path / "system", coverage=True)
    home = f"home = {tmp_path}/system/bin\n"
    one = environment(tmp_path / "one", coverage=False, settings=home)
    assert python_for([str(one)], [], tmp_path) is None
    shared = f"{home}include-system-site-packages = true\n"
    two = environment(tmp_path / "two", coverage=False, settings=shared)
    assert python_for([str(two)], [], tmp_path) == two


def test_the_interpreter_of_the_command_comes_first(tmp_path):
    path = []
    for name in ("a", "b"):
        environment(tmp_path / name, coverage=True)
        path.append(f"{tmp_path}/{name}/bin")
    program(tmp_path / "b/bin/pytest", f"#!{tmp_path}/b/bin/python\n")
    assert python_for(["pytest"], path, tmp_path) == tmp_path / "b/bin/python"
    assert python_for(["make", "test"], path, tmp_path) == tmp_path / "a/bin/python"
    assert (
        python_for([f"{tmp_path}/b/bin/python", "-m", "pytest"], path, tmp_path) == tmp_path / "b/bin/python"
    )
    assert python_for(["b/bin/python", "x.py"], path, tmp_path) == tmp_path / "b/bin/python"


@table_test(
    ("names", "has"), [((), False), (("pip-25.1", "setuptools-80"), False), (("pip-25.1", "pipx-1"), True)]
)
def test_what_every_environment_has_is_nothing_that_was_installed(tmp_path, names, has):
    python = environment(tmp_path / "a", coverage=False)
    for name in names:
        (tmp_path / f"a/lib/python3.12/site-packages/{name}.dist-info").mkdir()
    assert has_packages(python) is has
    assert has_packages(program(tmp_path / "shims/python", "#!/bin/sh\n")) is None


def test_one_that_has_coverage_is_preferred_and_none_is_none(tmp_path):
    environment(tmp_path / "a", coverage=False)
    shim = program(tmp_path / "shims/python", "#!/bin/sh\n")
    path = [f"{tmp_path}/a/bin", "relative", "", f"{tmp_path}/shims"]
    assert python_for(["python"], path[:3], tmp_path) is None
    program(tmp_path / "shims/python3", "#!/bin/sh\n")
    assert python_for(["python"], path, tmp_path) == shim.with_name("python3")
    assert python_for([], [], tmp_path) is None


def test_programs_are_looked_up_in_absolute_folders_only(tmp_path, monkeypatch):
    program(tmp_path / "tool", "x")
    monkeypatch.chdir(tmp_path)
    assert find_program("tool", ["", ".", "relative"]) is None
    assert find_program("tool", [str(tmp_path)]) == tmp_path / "tool"
    assert find_program("a/tool", [str(tmp_path)]) is None
