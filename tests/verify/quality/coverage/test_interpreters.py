"""Which Python a command runs on, and whether coverage.py is there, told without running anything."""

from collections.abc import Sequence
from pathlib import Path

from donewhen.core.accept import Accept
from donewhen.verify.quality.coverage.measure import Job, find_program, python_for
from donewhen.verify.quality.model import Scope
from tests.tables import table_test


def chosen(argv: Sequence[str], path: Sequence[str], folder: Path) -> Path | None:
    return python_for(Job(Accept("t", "t", tuple(argv)), Scope(folder, (), tuple(path)), folder))


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
    assert chosen([str(python)], [], tmp_path) == (python if there else None)


def test_an_environment_may_share_what_the_system_has(tmp_path):
    environment(tmp_path / "system", coverage=True)
    home = f"home = {tmp_path}/system/bin\n"
    one = environment(tmp_path / "one", coverage=False, settings=home)
    assert chosen([str(one)], [], tmp_path) is None
    shared = f"{home}include-system-site-packages = true\n"
    two = environment(tmp_path / "two", coverage=False, settings=shared)
    assert chosen([str(two)], [], tmp_path) == two


def test_the_interpreter_of_the_command_comes_first(tmp_path):
    path = []
    for name in ("a", "b"):
        environment(tmp_path / name, coverage=True)
        path.append(f"{tmp_path}/{name}/bin")
    program(tmp_path / "b/bin/pytest", f"#!{tmp_path}/b/bin/python\n")
    assert chosen(["pytest"], path, tmp_path) == tmp_path / "b/bin/python"
    assert chosen(["make", "test"], path, tmp_path) == tmp_path / "a/bin/python"
    assert chosen([f"{tmp_path}/b/bin/python", "-m", "pytest"], path, tmp_path) == tmp_path / "b/bin/python"
    assert chosen(["b/bin/python", "x.py"], path, tmp_path) == tmp_path / "b/bin/python"


def test_one_that_has_coverage_is_preferred_and_none_is_none(tmp_path):
    environment(tmp_path / "a", coverage=False)
    shim = program(tmp_path / "shims/python", "#!/bin/sh\n")
    path = [f"{tmp_path}/a/bin", "relative", "", f"{tmp_path}/shims"]
    assert chosen(["python"], path[:3], tmp_path) is None
    program(tmp_path / "shims/python3", "#!/bin/sh\n")
    assert chosen(["python"], path, tmp_path) == shim.with_name("python3")
    assert chosen([], [], tmp_path) is None


def test_programs_are_looked_up_in_absolute_folders_only(tmp_path, monkeypatch):
    program(tmp_path / "tool", "x")
    program(tmp_path / "python", "x")
    monkeypatch.chdir(tmp_path)
    assert chosen(["tool"], ["", ".", "relative"], tmp_path) is None
    assert find_program("tool", [str(tmp_path)]) == tmp_path / "tool"
    assert find_program("a/tool", [str(tmp_path)]) is None
