"""A tool is found in the project's environments first, then on the PATH, then in ours; never in the tree."""

import sys
from pathlib import Path

import pytest

from donewhen.core.texts import say
from donewhen.project.tools import Missing, Tool, at_least, find, python_of
from tests.tables import table_test
from tests.verify.quality.gate_projects import laid, node_modules, program, scope_of, virtual_environment


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    return folder


def found(*arguments, **more) -> Tool:
    tool = find(*arguments, **more)
    assert isinstance(tool, Tool), tool
    return tool


def test_the_projects_environment_comes_before_ours(root):
    place = virtual_environment(root / ".venv", ruff="0.9.1")
    assert found("ruff", scope_of(root), "lint") == Tool("ruff", (str(place / "ruff"),), "0.9.1", "project")


def test_a_folder_that_the_project_was_set_up_with_comes_before_all(root, tmp_path):
    virtual_environment(root / ".venv", ruff="0.9.1")
    other = virtual_environment(tmp_path / "other", ruff="0.8.0")
    tool = found("ruff", scope_of(root, path=(str(other),)), "lint")
    assert (tool.argv, tool.version) == ((str(other / "ruff"),), "0.8.0")


def test_without_one_of_its_own_ours_is_started_without_the_tree_on_its_path(root):
    laid(root, {"ruff.py": "raise SystemExit(9)"})
    tool = found("ruff", scope_of(root), "lint")
    assert (tool.argv, tool.origin) == ((sys.executable, "-P", "-m", "ruff"), "ours")
    assert tool.version


def test_a_file_of_the_tree_that_is_called_like_a_tool_is_none(root):
    program(root / "eslint")
    program(root / "bin/eslint")
    program(root / ".venv/bin/eslint")  # a folder that no tool has marked as an environment
    env = {"PATH": f"{root}:{root}/bin:.:bin"}
    assert isinstance(find("eslint", scope_of(root, env=env), "lint"), Missing)


def test_the_nearest_node_modules_is_asked_first_and_none_outside_of_the_project(root):
    node_modules(root.parent, eslint="8.1.0")
    assert isinstance(find("eslint", scope_of(root), "lint"), Missing)
    middle = node_modules(root, eslint="9.0.0")
    assert found("eslint", scope_of(root), "lint").argv == (str(middle / "eslint"),)
    inner = node_modules(root / "packages/ui", eslint="9.2.0")
    assert found("eslint", scope_of(root), "lint", "packages/ui").argv == (str(inner / "eslint"),)
    assert found("eslint", scope_of(root), "lint", "packages/ui").version == "9.2.0"


def test_what_the_path_has_comes_before_ours_unless_it_may_be_a_shim(root, tmp_path):
    place = virtual_environment(tmp_path / "active", ruff="0.9.1")
    tool = found("ruff", scope_of(root, env={"PATH": str(place)}), "lint")
    assert (tool.argv, tool.origin) == ((str(place / "ruff"),), "path")
    shim = program(tmp_path / "shims/ruff")
    assert found("ruff", scope_of(root, env={"PATH": str(shim.parent)}), "lint").origin == "ours"


def test_ours_is_no_answer_where_the_gate_must_pass(root):
    for name in ("ruff", "lizard"):
        missing = find(name, scope_of(root)._replace(required=True), "lint")
        assert isinstance(missing, Missing)
        assert missing.install == f"python -m pip install {name}"


PINS = {
    "uv.lock": '[[package]]\nname = "ruff"\nversion = "0.5.1"\n',
    "Pipfile.lock": '{"develop": {"ruff": {"hashes": ["sha256:a"], "version": "==0.5.1"}}}',
    "dev-requirements.txt": "pytest\nruff==0.5.1  # lint\n",
    "requirements/lint.txt": "ruff[x] == 0.5.1\n",
    "pyproject.toml": '[dependency-groups]\ndev = ["pytest", "ruff==0.5.1"]\n',
    "tox.ini": "[testenv:lint]\ndeps = ruff==0.5.1\n",
    ".pre-commit-config.yaml": "repos:\n- repo: https://example.org/ruff-pre-commit\n  rev: v0.5.1\n",
}


@table_test("name", sorted(PINS))
def test_a_tool_at_another_version_than_the_project_pins_is_not_called_the_projects(tmp_path, name):
    virtual_environment(tmp_path / ".venv", ruff="0.9.1")
    laid(tmp_path, {name: PINS[name]})
    tool = found("ruff", scope_of(tmp_path), "lint")
    assert (tool.pinned, tool.called("en")) == ("0.5.1", "ruff 0.9.1, not the project's 0.5.1")
    laid(tmp_path, {name: PINS[name].replace("0.5.1", "0.9.1")})
    assert found("ruff", scope_of(tmp_path), "lint").called("en") == "ruff 0.9.1"


@table_test(
    ("name", "text"),
    [
        ("package-lock.json", '{"packages": {"node_modules/eslint": {\n  "version": "8.57.0"}}}'),
        ("pnpm-lock.yaml", "packages:\n\n  eslint@8.57.0:\n    resolution: {}\n"),
        ("yarn.lock", 'eslint@^8.0.0:\n  version "8.57.0"\n'),
        ("package.json", '{"devDependencies": {"eslint": "8.57.0"}}'),
    ],
)
def test_what_a_node_project_pins_is_read_from_its_lock(tmp_path, name, text):
    node_modules(tmp_path, eslint="9.0.0")
    laid(tmp_path, {name: text})
    assert found("eslint", scope_of(tmp_path), "lint").pinned == "8.57.0"


@table_test("text", ["ruff>=0.5.1\n", "ruff==0.5.*\n", "my-ruff==0.5.1\n", "ruff\n"])
def test_a_range_is_no_pin(tmp_path, text):
    virtual_environment(tmp_path / ".venv", ruff="0.9.1")
    laid(tmp_path, {"requirements.txt": text})
    assert found("ruff", scope_of(tmp_path), "lint").pinned == ""


def test_ours_says_whose_it_is(root):
    tool = found("ruff", scope_of(root), "lint")
    assert tool.called("en") == f"donewhen's own ruff {tool.version}, not the project's"
    laid(root, {"requirements.txt": "ruff==0.5.1\n"})
    assert found("ruff", scope_of(root), "lint").called("en").endswith(", not the project's 0.5.1")


def test_what_only_the_path_has_is_taken_from_there(root, tmp_path):
    place = program(tmp_path / "bin/go")
    tool = found("go", scope_of(root, env={"PATH": f"{tmp_path}/none:{tmp_path}/bin"}), "types")
    assert tool == Tool("go", (str(place),), "", "path")


def test_a_linked_program_is_as_old_as_the_package_that_it_belongs_to(root, tmp_path):
    real = node_modules(tmp_path / "lib", eslint="9.9.9").parent / "eslint/bin/eslint.js"
    program(real)
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/eslint").symlink_to(real)
    assert found("eslint", scope_of(root, env={"PATH": str(tmp_path / "bin")}), "lint").version == "9.9.9"


def test_a_missing_tool_says_how_to_get_it(root):
    missing = find("eslint", scope_of(root), "lint")
    assert isinstance(missing, Missing)
    assert missing.install == "npm install --save-dev eslint"
    assert say(missing.why.key, "en", **missing.why.values).endswith("`npm install --save-dev eslint`")
    assert "eslint" in say(missing.why.key, "zh", **missing.why.values)


def test_a_tool_of_the_project_that_is_too_old_is_not_replaced_behind_its_back(root):
    virtual_environment(root / ".venv", ruff="0.0.292")
    missing = find("ruff", scope_of(root), "lint")
    assert isinstance(missing, Missing)
    assert missing.install == "python -m pip install --upgrade 'ruff>=0.1'"
    assert "ruff 0.0.292 at " in say(missing.why.key, **missing.why.values)


def test_what_we_chose_ourselves_gives_way_when_it_is_too_old(root):
    virtual_environment(root / ".venv", lizard="1.10")
    assert found("lizard", scope_of(root), "complexity").origin == "ours"


def test_an_environment_that_lies_about_its_version_does_no_harm(root):
    node_modules(root, eslint="9.0.0")
    laid(root, {"node_modules/eslint/package.json": "[" * 100_000})
    assert found("eslint", scope_of(root), "lint").version == ""


def test_the_interpreter_is_that_of_the_projects_environment(root):
    assert python_of(scope_of(root)) == ""
    place = virtual_environment(root / "venv")
    place.mkdir()
    (place / "python").symlink_to(sys.executable)
    assert python_of(scope_of(root)) == str(place / "python")
    assert python_of(scope_of(root, "venv/pyvenv.cfg")) == ""


def test_a_script_in_the_interpreters_place_is_none(root):
    program(virtual_environment(root / ".venv") / "python")
    assert python_of(scope_of(root)) == ""


@table_test(
    ("version", "least", "enough"),
    [
        ("0.1.0", "0.1", True),
        ("0.0.292", "0.1", False),
        ("1.11.0rc1", "1.11", True),
        ("v9.0.0", "8", True),
        ("1.9", "1.17", False),
        ("unknown", "1", False),
        ("", "", True),
        ("1" * 50, "1", True),
    ],
)
def test_versions_are_compared_by_their_numbers(version, least, enough):
    assert at_least(version, least) is enough


def test_an_environment_that_the_change_touches_is_not_asked(root):
    virtual_environment(root / ".venv", ruff="0.9.1")
    assert found("ruff", scope_of(root, "a.py"), "lint").origin == "project"
    assert found("ruff", scope_of(root, "a.py", ".venv/bin/ruff"), "lint").origin == "ours"


def test_what_the_project_calls_like_a_program_of_the_system_is_none(root):
    virtual_environment(root / ".venv", go="1.22", make="4.0")
    node_modules(root, go="1.0.0")
    assert isinstance(find("go", scope_of(root), "types"), Missing)
    assert isinstance(find("make", scope_of(root), "build"), Missing)


def test_a_package_may_bring_a_package_manager(root):
    place = node_modules(root, pnpm="9.0.0")
    assert found("pnpm", scope_of(root), "build").argv == (str(place / "pnpm"),)
