"""One name for an environment: changed by what is installed, not by where or when it is looked at."""

from pathlib import Path

from donewhen.workspace.setup.digest import environment_digest
from tests.tables import table_test

ENV = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"}


def project(folder: Path) -> Path:
    (folder / "bin").mkdir(parents=True)
    (folder / "package-lock.json").write_text("{}")
    (folder / ".venv/bin").mkdir(parents=True)
    (folder / ".venv/pyvenv.cfg").write_text("")
    (folder / ".venv/lib/python3.11/site-packages/a-1.0.dist-info").mkdir(parents=True)
    (folder / ".venv/bin/pytest").write_text(f"#!{folder}/.venv/bin/python")
    return folder


def digest(folder: Path, **more: str) -> str:
    return environment_digest(folder, [f"{folder}/.venv/bin", f"{folder}/bin"], {**ENV, **more})


def install(folder: Path) -> None:
    (folder / ".venv/lib/python3.11/site-packages/b-2.dist-info").mkdir()


def lock(folder: Path) -> None:
    (folder / "package-lock.json").write_text("{ }")


def marker(folder: Path) -> None:
    (folder / "node_modules").mkdir()
    (folder / "node_modules/.package-lock.json").write_text("{}")


def tool(folder: Path) -> None:
    (folder / "bin/node").write_text("another")


def script(folder: Path) -> None:
    (folder / ".venv/bin/pytest").write_text("#!/bin/sh\necho 1 passed\n")


@table_test("change", [install, lock, marker, tool, script])
def test_what_is_installed_changes_it(tmp_path, change):
    folder = project(tmp_path / "a")
    before = digest(folder)
    change(folder)
    assert digest(folder) != before


def test_variables_change_it_unless_they_say_nothing_about_the_environment(tmp_path):
    folder = project(tmp_path / "a")
    plain = digest(folder)
    assert digest(folder, FEATURE="on") not in (plain, digest(folder, FEATURE="off"))
    assert digest(folder, TERM="xterm", COLUMNS="80", PWD="/x") == plain
    assert "secret-value" not in digest(folder, TOKEN="secret-value")


def test_sources_and_the_place_do_not_change_it(tmp_path):
    folder = project(tmp_path / "a")
    plain = digest(folder)
    (folder / "shop.py").write_text("x = 1")
    assert digest(folder) == plain
    assert digest(project(tmp_path / "another place")) == plain


def test_odd_files_are_survived(tmp_path):
    folder = project(tmp_path / "a")
    (folder / "go.mod").mkdir()
    (folder / "Cargo.toml").symlink_to(folder / "Cargo.toml")
    assert digest(folder)
    assert environment_digest(tmp_path / "none", ["/none\n/bin"], {"PATH": ""})
