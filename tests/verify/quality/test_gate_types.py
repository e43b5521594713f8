"""What the gate `types` wants run: the project's own checker as the project runs it, else an installed mypy as advice."""

import json
import sys
from pathlib import Path

import pytest

from donewhen.verify.quality.gates import GATES
from tests.tables import table_test
from tests.verify.quality.gate_projects import (
    INSTALLED,
    kept,
    laid,
    node_modules,
    only,
    program,
    ran,
    scope_of,
    virtual_environment,
    why,
)

TYPES = GATES["types"]
WRONG = "def f() -> int:\n    return 'a'\n"


@table_test(
    ("file", "text"),
    [
        ("mypy.ini", "[mypy]\nfiles = src\n"),
        (".mypy.ini", "[mypy]\npackages = a\n"),
        ("setup.cfg", "[mypy]\nfiles = src\n"),
        ("pyproject.toml", "[tool.mypy]\nfiles = ['src']\n"),
    ],
)
def test_a_configuration_that_names_what_is_checked_is_run_as_a_whole(tmp_path, file, text):
    scope = scope_of(laid(tmp_path, {file: text, "src/a.py": WRONG}), "src/a.py")
    planned = TYPES.plan(scope)
    ask = only(planned)
    assert planned.configured
    assert ask.whole
    assert "src/a.py" not in ask.argv
    assert dict(ask.env) == {"MYPY_CACHE_DIR": str(kept(scope) / "types/mypy")}


def test_a_configuration_that_names_nothing_is_asked_about_the_changed_source(tmp_path):
    laid(
        tmp_path, {"pyproject.toml": "[tool.mypy]\nstrict = true\n", "a.py": WRONG, "tests/test_a.py": WRONG}
    )
    ask = only(TYPES.plan(scope_of(tmp_path, "a.py", "tests/test_a.py")))
    assert ask.argv[-2:] == ("--", "a.py")
    assert not ask.whole


def test_an_empty_section_configures_too(tmp_path):
    laid(tmp_path, {"pyproject.toml": "[tool.mypy]\n", "a.py": WRONG})
    assert TYPES.plan(scope_of(tmp_path, "a.py")).configured


def test_the_nearest_configuration_decides_and_its_folder_is_where_the_checker_runs(tmp_path):
    laid(tmp_path, {"mypy.ini": "[mypy]\n", "lib/pyproject.toml": "[tool.mypy]\n", "lib/pkg/a.py": WRONG})
    ask = only(TYPES.plan(scope_of(tmp_path, "lib/pkg/a.py")))
    assert (ask.cwd, ask.argv[-1]) == ("lib", "pkg/a.py")


@table_test(
    ("files", "tool"),
    [
        ({"pyrightconfig.json": "// mine\n{}"}, "pyright"),
        ({"pyproject.toml": "[tool.pyright]\nstrict = []\n"}, "pyright"),
        ({"pyproject.toml": "[tool.ty]\n"}, "ty"),
        ({"pyproject.toml": "[tool.mypy]\n[tool.pyright]\n"}, "mypy"),
    ],
)
def test_the_projects_own_choice_of_checker_is_taken(tmp_path, files, tool):
    virtual_environment(tmp_path / ".venv", pyright="1.1.400", ty="0.0.1", mypy="1.15.0")
    ask = only(TYPES.plan(scope_of(laid(tmp_path, {**files, "-a.py": WRONG}), "-a.py")))
    assert (ask.tool.name, ask.argv[-1]) == (tool, "./-a.py")


def test_a_checker_that_is_configured_but_missing_is_told(tmp_path):
    laid(tmp_path, {"pyrightconfig.json": "{}", "a.py": WRONG})
    planned = TYPES.plan(scope_of(tmp_path, "a.py"))
    assert planned.configured
    assert planned.asks == ()
    assert planned.missing[0].install == "python -m pip install pyright"


@table_test(("config", "env"), [("[tool.mypy]\n", {}), ("", INSTALLED)])
def test_a_checker_from_elsewhere_is_told_where_the_projects_libraries_are(tmp_path, config, env):
    python = virtual_environment(tmp_path / ".venv") / "python"
    python.parent.mkdir()
    python.symlink_to(sys.executable)
    root = laid(tmp_path, {"pyproject.toml": config, "a.py": WRONG})
    ask = only(TYPES.plan(scope_of(root, "a.py", env=env)))
    assert ask.argv[ask.argv.index("--python-executable") + 1] == str(python)


@pytest.mark.runs
@table_test(("own", "severity"), [(False, "warning"), (True, "error")])
def test_a_library_is_missing_only_for_a_checker_that_sees_what_is_installed(tmp_path, own, severity):
    root = laid(
        tmp_path / "p", {"a.py": "import nowhere\n\nx: int = 'a'\n", "pyproject.toml": "[tool.mypy]\n"}
    )
    if own:
        python = virtual_environment(root / ".venv") / "python"
        python.parent.mkdir()
        python.symlink_to(sys.executable)
    scope = scope_of(root, "a.py")
    found = {each.rule: each.severity for each in ran(only(TYPES.plan(scope)), scope)}
    assert found == {"import-not-found": severity, "assignment": "error"}


@table_test("config", ["", "[tool.mypy]\n"])
def test_a_file_that_mypy_can_not_parse_is_a_finding(tmp_path, config):
    root = laid(tmp_path / "p", {"a.py": "def f(:\n", "pyproject.toml": config})
    scope = scope_of(root, "a.py", env=INSTALLED)
    found = ran(only(TYPES.plan(scope)), scope)
    assert {(each.file, each.rule) for each in found} == {("a.py", "syntax")}


def test_sections_of_the_configuration_that_nothing_uses_are_no_trouble(tmp_path):
    config = "[mypy]\nwarn_unused_configs = True\n[mypy-legacy.*]\nignore_errors = True\n"
    scope = scope_of(laid(tmp_path / "p", {"setup.cfg": config, "a.py": WRONG}), "a.py")
    assert [each.rule for each in ran(only(TYPES.plan(scope)), scope)] == ["return-value"]


def test_without_a_configuration_an_installed_mypy_finds_the_error_and_writes_nothing(tmp_path):
    root = laid(tmp_path / "p", {"a.py": WRONG, "b.py": "import nowhere\n\nx: int = 1\n"})
    scope = scope_of(root, "a.py", "b.py", env=INSTALLED)
    planned = TYPES.plan(scope)
    assert not planned.configured
    found = ran(only(planned), scope)
    assert [(each.file, each.line, each.rule) for each in found] == [("a.py", 2, "return-value")]
    clean = scope_of(root, "b.py", env=INSTALLED)
    assert ran(only(TYPES.plan(clean)), clean) == ()


def test_a_project_that_neither_configures_nor_installed_a_checker_is_not_checked(tmp_path):
    scope = scope_of(laid(tmp_path, {"a.py": WRONG}), "a.py")
    assert why(TYPES.plan(scope)) == "gates.no_types"
    must = TYPES.plan(scope._replace(required=True))
    assert [each.install for each in must.missing] == ["python -m pip install mypy"]


def test_typescript_is_checked_with_its_nearest_configuration(tmp_path):
    node_modules(tmp_path, tsc="5.4.0")
    laid(tmp_path, {"tsconfig.json": "{}", "web/tsconfig.json": "{ /* c */ }", "web/a.ts": "", "b.ts": ""})
    asks = TYPES.plan(scope_of(tmp_path, "b.ts", "web/a.ts")).asks
    assert [ask.argv[1:3] for ask in asks] == [("-p", "./tsconfig.json"), ("-p", "./web/tsconfig.json")]
    assert all(ask.whole and ("--noEmit" in ask.argv) and ask.ok == {0, 1, 2} for ask in asks)
    assert all(ask.argv[-2:] == ("--incremental", "false") for ask in asks)


def test_a_composite_project_is_checked_without_its_build_file(tmp_path):
    node_modules(tmp_path, tsc="5.4.0")
    base = '{"compilerOptions": {"composite": true,}, }'
    laid(tmp_path, {"base.json": base, "tsconfig.json": '{"extends": "./base"}', "a.ts": ""})
    ask = only(TYPES.plan(scope_of(tmp_path, "a.ts")))
    assert ask.argv[-6:] == ("--incremental", "false", "--composite", "false", "--declaration", "true")


def test_of_several_configurations_those_that_hold_the_file_are_checked(tmp_path):
    node_modules(tmp_path, tsc="5.4.0")
    laid(
        tmp_path,
        {
            "tsconfig.json": '{"files": [], "references": [{"path": "./tsconfig.app.json"}, {"path": "./tool"}]}',
            "tsconfig.app.json": '{"include": ["src"]}',
            "tool/tsconfig.json": '{"include": ["*.ts"]}',
            "src/deep/a.ts": "",
            "tool/b.ts": "",
        },
    )
    [app] = TYPES.plan(scope_of(tmp_path, "src/deep/a.ts")).asks
    [tool] = TYPES.plan(scope_of(tmp_path, "tool/b.ts")).asks
    assert (app.argv[2], tool.argv[2]) == ("./tsconfig.app.json", "./tool/tsconfig.json")


def test_a_configuration_that_refers_to_others_is_checked_from_sources_through_one_of_ours(tmp_path):
    root = laid(tmp_path / "p", {"lib/tsconfig.json": '{"references": [{"path": "../src"}]}', "lib/a.ts": ""})
    laid(root, {"src/tsconfig.json": "{}", "node_modules/@types/node/index.d.ts": ""})
    node_modules(root, tsc="5.4.0")
    scope = scope_of(root, "lib/a.ts")
    ours = Path(only(TYPES.plan(scope)).argv[2])
    assert ours.is_relative_to(kept(scope))
    told = json.loads(ours.read_text())
    assert told["extends"] == str(root / "lib/tsconfig.json")
    assert told["references"] == []
    assert told["include"] == [f"{root}/lib/**/*"]
    assert told["compilerOptions"]["typeRoots"] == [str(root / "node_modules/@types")]


@table_test(
    ("config", "planned"),
    [(None, False), ("{}", False), ('{"compilerOptions": {"checkJs": true}}', True)],
)
def test_plain_javascript_has_types_only_where_they_are_asked_for(tmp_path, config, planned):
    node_modules(tmp_path, tsc="5.4.0")
    laid(tmp_path, {"a.js": "", **({"tsconfig.json": config} if config else {})})
    assert bool(TYPES.plan(scope_of(tmp_path, "a.js")).asks) is planned


def test_typescript_without_tsc_says_so(tmp_path):
    planned = TYPES.plan(scope_of(laid(tmp_path, {"tsconfig.json": "{}", "a.ts": ""}), "a.ts"))
    assert planned.configured
    assert [each.install for each in planned.missing] == ["npm install --save-dev typescript"]


def test_a_tree_without_the_changed_file_is_asked_as_widely(tmp_path):
    node_modules(tmp_path, tsc="5.4.0")
    laid(tmp_path, {"mypy.ini": "[mypy]\nfiles = .\n", "tsconfig.json": "{}"})
    asks = TYPES.plan(scope_of(tmp_path, "new.py", "new.ts")).asks
    assert [(ask.tool.name, ask.whole) for ask in asks] == [("mypy", True), ("tsc", True)]
    (tmp_path / "mypy.ini").write_text("[mypy]\n")
    assert [ask.tool.name for ask in TYPES.plan(scope_of(tmp_path, "new.py", "new.ts")).asks] == ["tsc"]


def test_go_and_rust_are_asked_where_their_modules_are(tmp_path):
    for name in ("go", "cargo"):
        program(tmp_path / "bin" / name)
    root = laid(tmp_path / "p", {"svc/go.mod": "module a", "svc/x/a.go": "", "core/Cargo.toml": ""})
    laid(root, {"core/src/lib.rs": "", "Cargo.lock": "", "loose.go": ""})
    scope = scope_of(root, "svc/x/a.go", "core/src/lib.rs", "loose.go", env={"PATH": str(tmp_path / "bin")})
    go, rust = TYPES.plan(scope).asks
    assert (go.cwd, go.argv[1:], go.stream) == ("svc", ("vet", "./..."), "both")
    assert dict(go.env) == {"GOCACHE": str(kept(scope) / "types/go-build")}
    assert (rust.cwd, rust.argv[-1], rust.ok) == ("core", "--locked", frozenset((0, 101)))
    assert rust.env["CARGO_TARGET_DIR"] == str(kept(scope) / "types/cargo")


def test_a_change_without_typed_source_has_nothing_to_do(tmp_path):
    planned = TYPES.plan(scope_of(laid(tmp_path, {"a.md": ""}), "a.md"))
    assert why(planned) == "gates.no_types"


@table_test("text", ["{" * 50_000, '{"references": 3}', '{"references": [3, {"path": 5}]}', '"' * 999])
def test_a_broken_configuration_is_left_to_the_tool_to_complain_about(tmp_path, text):
    node_modules(tmp_path, tsc="5.4.0")
    ask = only(TYPES.plan(scope_of(laid(tmp_path, {"tsconfig.json": text, "a.ts": ""}), "a.ts")))
    assert ask.argv[1:3] == ("-p", "./tsconfig.json")
