"""The project's own formatter: chosen by its files, found in its environment, confined, and never a reason to stop."""

import json
from pathlib import Path

import pytest

from donewhen.core.hooking import PASSED
from donewhen.hooks.built_in.formatters import chosen
from tests.hooks.ground import Ground
from tests.tables import table_test

pytestmark = pytest.mark.walls

# A formatter that upper-cases the file named last.
UPPER = '#!/bin/sh\nfor file; do :; done\ntr a-z A-Z <"$file" >"$file.new" && cat "$file.new" >"$file" && rm "$file.new"\n'


def program(path: Path, text: str = UPPER) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)


def lay(root: Path, *files: str) -> None:
    """Files as `name` or `name=content`; programs are those in a folder of programs."""
    for each in files:
        name, _, text = each.partition("=")
        if "bin/" in name:
            program(root / name)
            continue
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)


RUFF, BLACK = "pyproject.toml=[tool.ruff]\n", "pyproject.toml=[tool.black]\n"
BOTH = "pyproject.toml=[tool.ruff]\n[tool.black]\n"
FORMAT = "pyproject.toml=[tool.ruff.format]\n[tool.black]\n"


@table_test(
    ("files", "path", "name"),
    [
        ((RUFF, ".venv/bin/ruff"), "a.py", "ruff"),
        ((BLACK, "venv/bin/black"), "a.py", "black"),
        ((BOTH, ".venv/bin/ruff", ".venv/bin/black"), "a.py", "black"),
        ((FORMAT, ".venv/bin/ruff", ".venv/bin/black"), "a.py", "ruff"),
        (("ruff.toml=", ".venv/bin/ruff"), "deep/er/a.pyi", "ruff"),
        (("sub/ruff.toml=", ".venv/bin/ruff"), "sub/a.py", "ruff"),
        (("sub/ruff.toml=", ".venv/bin/ruff"), "a.py", None),
        ((RUFF,), "a.py", None),
        ((".venv/bin/ruff",), "a.py", None),
        (("pyproject.toml=[tool.ruff", ".venv/bin/ruff"), "a.py", None),
        (("pyproject.toml=tool = 5", ".venv/bin/ruff"), "a.py", None),
        (("pyproject.toml=" + "a=" + "[" * 5000, ".venv/bin/ruff"), "a.py", None),
        ((RUFF, ".venv/bin/ruff"), "a.txt", None),
        ((".prettierrc=", "node_modules/.bin/prettier"), "src/a.ts", "prettier"),
        (('package.json={"prettier": {}}', "node_modules/.bin/prettier"), "a.md", "prettier"),
        (("package.json={}", "node_modules/.bin/prettier"), "a.md", None),
        (("package.json=" + "[" * 100_000, "node_modules/.bin/prettier"), "a.md", None),
        (("go.mod=", "tools/bin/gofmt"), "a.go", "gofmt"),
        (("tools/bin/gofmt",), "a.go", None),
        (('Cargo.toml=[package]\nedition = "2021"\n', "tools/bin/rustfmt"), "src/a.rs", "rustfmt"),
    ],
)
def test_the_projects_files_choose_and_its_environment_provides(tmp_path: Path, files, path, name):
    lay(tmp_path, *files)
    found = chosen(tmp_path, path, str(tmp_path / "tools/bin"))
    assert (found.name if found else None) == name
    assert found is None or found.program.startswith(str(tmp_path))


@table_test(("edition", "words"), [("2021", ("--edition", "2021")), ("--config=x", ()), ("", ())])
def test_rust_is_formatted_for_the_edition_that_the_package_names(tmp_path: Path, edition, words):
    lay(tmp_path, f"Cargo.toml=[package]\nedition = {json.dumps(edition)}\n", "bin/rustfmt")
    found = chosen(tmp_path, "a.rs", str(tmp_path / "bin"))
    assert found is not None and found.arguments == ("--quiet", *words)


@pytest.fixture
def formatting(ground: Ground) -> Ground:
    ground.user(enabled=["format-on-write"])
    lay(ground.workspace, RUFF, ".venv/bin/ruff")
    return ground


@pytest.mark.parametrize("name", ["a.py", "-x.py", "with space\nand line.py", "deep/a.py", "$(touch x).py"])
def test_a_written_file_is_formatted_and_the_agent_is_told(formatting: Ground, name):
    lay(formatting.workspace, f"{name}=abc\n")
    verdict = formatting.call("after_tool", tool="write_file", files=[name])
    assert (formatting.workspace / name).read_text() == "ABC\n"
    assert not verdict.blocked and "ruff has reformatted" in verdict.notes[0]
    assert "\n" not in verdict.notes[0] and not (formatting.workspace / "x").exists()


def test_a_file_that_stays_as_it_is_is_not_worth_a_word(formatting: Ground):
    lay(formatting.workspace, "a.py=ABC\n")
    assert formatting.call("after_tool", tool="write_file", files=["a.py"]) == PASSED


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("#!/bin/sh\necho 'cannot parse a.py' >&2; exit 2\n", "cannot parse a.py"),
        ("#!/no/such/interpreter\n", "can't be run"),
        ("#!/bin/sh\nexit 3\n", "exit 3"),
    ],
)
def test_a_formatter_that_fails_is_a_note(formatting: Ground, text, said):
    program(formatting.workspace / ".venv/bin/ruff", text)
    lay(formatting.workspace, "a.py=abc\n")
    verdict = formatting.call("after_tool", tool="write_file", files=["a.py"])
    assert not verdict.blocked and said in verdict.notes[0]


@pytest.mark.parametrize(
    "path", ["../outside.py", "/etc/passwd.py", "link.py", "folder/b.py", "gone.py", "a\0.py", ".", ""]
)
def test_only_files_of_the_workspace_are_touched(formatting: Ground, path):
    outside = formatting.workspace.parent / "outside.py"
    outside.write_text("abc\n")
    (formatting.workspace / "link.py").symlink_to(outside)
    (formatting.home / "b.py").write_text("abc\n")
    (formatting.workspace / "folder").symlink_to(formatting.home)
    assert formatting.call("after_tool", files=[path]) == PASSED
    assert outside.read_text() == "abc\n" == (formatting.home / "b.py").read_text()


@pytest.mark.parametrize("data", [{}, {"files": None}, {"files": "a.py"}, {"files": [1, None]}])
def test_calls_that_write_nothing_cost_nothing(formatting: Ground, data):
    lay(formatting.workspace, "a.py=abc\n")
    assert formatting.call("after_tool", tool="read_file", **data) == PASSED
    assert (formatting.workspace / "a.py").read_text() == "abc\n"


def test_a_formatter_that_the_agent_wrote_does_not_reach_outside(formatting: Ground):
    from donewhen.workspace.sandbox.support import probe

    if not probe().bubblewrap:
        pytest.skip("no bubblewrap on this machine")
    mark = formatting.home / "owned"
    program(formatting.workspace / ".venv/bin/ruff", f"#!/bin/sh\ntouch {mark}\n")
    lay(formatting.workspace, "a.py=abc\n")
    formatting.call("after_tool", files=["a.py"])
    assert not mark.exists() and list(formatting.home.iterdir()) == []


def test_a_project_that_is_not_trusted_cannot_turn_it_on(ground: Ground):
    ground.user()
    lay(ground.workspace, RUFF, ".venv/bin/ruff", "a.py=abc\n")
    ground.project(trusted=False, enabled=["format-on-write"])
    assert ground.call("after_tool", files=["a.py"]) == PASSED
    assert (ground.workspace / "a.py").read_text() == "abc\n"
