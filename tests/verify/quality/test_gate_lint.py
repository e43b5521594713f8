"""What the gate `lint` wants run: the linters that the project configures, else an installed ruff."""

import pytest

from donewhen.core.quality.model import Unreadable
from donewhen.verify.quality.gates import GATES, MOST_BYTES
from donewhen.verify.quality.tool_output import reader_of
from tests.tables import table_test
from tests.verify.quality.gate_projects import (
    INSTALLED,
    laid,
    node_modules,
    only,
    program,
    ran,
    scope_of,
    virtual_environment,
    why,
)

LINT = GATES["lint"]
UNUSED = "import os\n"


@table_test("name", ["a.py", "-a.py", "@a.py", "with space.py", "line\nbreak.py", "~a.py"])
def test_an_installed_ruff_finds_what_is_wrong_under_any_name_and_writes_nothing(tmp_path, name):
    root = laid(tmp_path / "p", {name: UNUSED, "clean.py": "X = 1\n"})
    scope = scope_of(root, name, "clean.py", env=INSTALLED)
    planned = LINT.plan(scope)
    assert not planned.configured
    assert [(each.file, each.line, each.rule) for each in ran(only(planned), scope)] == [(name, 1, "F401")]
    clean = scope_of(root, "clean.py", env=INSTALLED)
    assert ran(only(LINT.plan(clean)), clean) == ()


@table_test(
    "files", [{"ruff.toml": ""}, {".ruff.toml": ""}, {"pyproject.toml": "[tool.ruff]\nline-length = 90\n"}]
)
def test_a_project_that_configures_ruff_gets_its_own_rules(tmp_path, files):
    laid(tmp_path, {**files, "pkg/a.py": UNUSED})
    planned = LINT.plan(scope_of(tmp_path, "pkg/a.py"))
    assert planned.configured
    assert "--isolated" not in only(planned).argv


def test_a_setting_that_mends_or_hides_does_not_touch_the_tree(tmp_path):
    root = laid(tmp_path / "p", {"ruff.toml": "fix = true\nfix-only = true\n", "a.py": UNUSED})
    scope = scope_of(root, "a.py")
    assert [each.rule for each in ran(only(LINT.plan(scope)), scope)] == ["F401"]
    assert (root / "a.py").read_text() == UNUSED


def test_the_syntax_of_newer_pythons_is_no_complaint(tmp_path):
    root = laid(tmp_path / "p", {"a.py": "type X = int\n\n\ndef f[T](x: T) -> T:\n    return x\n"})
    scope = scope_of(root, "a.py", env=INSTALLED)
    assert ran(only(LINT.plan(scope)), scope) == ()


@table_test(
    ("files", "tool", "ends"),
    [
        ({".flake8": "[flake8]\n"}, "flake8", {0, 1}),
        ({"tox.ini": "[flake8]\nmax-line-length = 9\n"}, "flake8", {0, 1}),
        ({".pylintrc": "[MAIN]\n"}, "pylint", set(range(0, 32, 2))),
        ({"pyproject.toml": "[tool.pylint.main]\njobs = 1\n"}, "pylint", set(range(0, 32, 2))),
    ],
)
def test_another_linter_is_taken_where_it_is_the_projects(tmp_path, files, tool, ends):
    virtual_environment(tmp_path / ".venv", flake8="7.0.0", pylint="3.0.0")
    planned = LINT.plan(scope_of(laid(tmp_path, {**files, "a.py": UNUSED}), "a.py"))
    ask = only(planned)
    assert (planned.configured, ask.tool.name, ask.argv[-2:], ask.ok) == (True, tool, ("--", "a.py"), ends)


def test_a_linter_of_the_project_that_is_missing_is_told_instead_of_replaced(tmp_path):
    planned = LINT.plan(scope_of(laid(tmp_path, {".flake8": "", "a.py": UNUSED}), "a.py"))
    assert planned.asks == ()
    assert [each.install for each in planned.missing] == ["python -m pip install flake8"]


def test_eslint_runs_where_the_nearest_flat_configuration_is(tmp_path):
    node_modules(tmp_path, eslint="9.1.0")
    laid(tmp_path, {"web/eslint.config.mjs": "", "web/src/-a.ts": "", "web/b.js": "", "other/c.js": ""})
    planned = LINT.plan(scope_of(tmp_path, "other/c.js", "web/b.js", "web/src/-a.ts"))
    ask = only(planned)
    assert planned.configured
    assert (ask.cwd, ask.argv[-4:]) == ("web", ("--no-warn-ignored", "--", "b.js", "src/-a.ts"))
    assert "--cache" not in ask.argv
    assert dict(ask.env) == {"ESLINT_USE_FLAT_CONFIG": "true"}


@table_test("files", [{".eslintrc.json": "{}"}, {"package.json": '{"eslintConfig": {}}'}])
def test_the_older_kind_of_configuration_counts_from_the_outermost(tmp_path, files):
    node_modules(tmp_path, eslint="8.57.0")
    laid(tmp_path, {**files, "pkg/.eslintrc.yml": "", "pkg/a.js": ""})
    ask = only(LINT.plan(scope_of(tmp_path, "pkg/a.js")))
    assert (ask.cwd, ask.argv[-2:]) == ("", ("--", "pkg/a.js"))
    assert "--no-warn-ignored" not in ask.argv


def test_a_newer_eslint_is_told_of_the_older_kind(tmp_path):
    node_modules(tmp_path, eslint="9.1.0")
    ask = only(LINT.plan(scope_of(laid(tmp_path, {".eslintrc": "{}", "a.js": ""}), "a.js")))
    assert dict(ask.env) == {"ESLINT_USE_FLAT_CONFIG": "false"}


def test_javascript_without_a_configuration_is_not_linted(tmp_path):
    node_modules(tmp_path, eslint="9.1.0")
    planned = LINT.plan(scope_of(laid(tmp_path, {"a.js": ""}), "a.js"))
    assert why(planned) == "gates.no_linter"


@table_test(("text", "flag"), [('version: "2"\n', "--output.json.path"), ("run: {}\n", "--out-format")])
def test_golangci_is_asked_in_the_words_of_its_version(tmp_path, text, flag):
    program(tmp_path / "bin/golangci-lint")
    root = laid(tmp_path / "p", {".golangci.yml": text, "m/go.mod": "", "m/-x/a.go": "", "m/b.go": ""})
    planned = LINT.plan(scope_of(root, "m/-x/a.go", "m/b.go", env={"PATH": str(tmp_path / "bin")}))
    ask = only(planned)
    assert planned.configured
    assert (ask.cwd, ask.argv[-2:], flag in ask.argv) == ("m", (".", "./-x"), True)


@table_test(
    ("files", "asked"),
    [
        ({"Cargo.toml": ""}, False),
        ({"Cargo.toml": '[lints.clippy]\nall = "warn"\n'}, True),
        ({"Cargo.toml": "", "clippy.toml": ""}, True),
    ],
)
def test_clippy_is_asked_where_the_project_has_it(tmp_path, files, asked):
    for name in ("cargo", "cargo-clippy"):
        program(tmp_path / "bin" / name)
    root = laid(tmp_path / "p", {**files, "src/lib.rs": ""})
    planned = LINT.plan(scope_of(root, "src/lib.rs", env={"PATH": str(tmp_path / "bin")}))
    assert [ask.argv[1] for ask in planned.asks] == (["clippy"] if asked else [])


def test_beside_a_configured_linter_one_for_another_language_only_advises(tmp_path):
    root = laid(tmp_path / "p", {"eslint.config.js": "", "a.js": "", "a.py": UNUSED})
    node_modules(root, eslint="9.1.0")
    scope = scope_of(root, "a.js", "a.py", env=INSTALLED)
    [ruff, _] = LINT.plan(scope).asks
    assert [each.severity for each in ran(ruff, scope)] == ["warning"]
    must = LINT.plan(scope._replace(required=True, env={}))
    assert ([ask.tool.name for ask in must.asks], must.missing) == (["eslint"], ())


def test_a_project_that_neither_configures_nor_installed_a_linter_is_not_linted(tmp_path):
    scope = scope_of(laid(tmp_path, {"a.py": UNUSED}), "a.py")
    assert why(LINT.plan(scope)) == "gates.no_linter"


def test_where_it_must_pass_ours_is_no_answer(tmp_path):
    scope = scope_of(laid(tmp_path, {"a.py": UNUSED}), "a.py")._replace(required=True)
    planned = LINT.plan(scope)
    assert ([each.install for each in planned.missing], planned.asks) == (["python -m pip install ruff"], ())


def test_many_files_are_asked_about_in_portions_that_fit(tmp_path):
    names = [f"{'n' * 180}{number:05}.py" for number in range(1200)]
    laid(tmp_path, dict.fromkeys(names, ""))
    asks = LINT.plan(scope_of(tmp_path, *names, env=INSTALLED)).asks
    assert len(asks) == 3
    assert [name for ask in asks for name in ask.argv[ask.argv.index("--") + 1 :]] == names
    assert all(sum(len(word) + 1 for word in ask.argv) <= MOST_BYTES for ask in asks)
    assert sum(ask.files for ask in asks) == 1200


def test_links_vendored_and_missing_files_are_left_out(tmp_path):
    laid(tmp_path, {"a.py": "", "vendor/b.py": UNUSED})
    (tmp_path / "link.py").symlink_to("/etc/hostname")
    ask = only(LINT.plan(scope_of(tmp_path, "a.py", "gone.py", "link.py", "vendor/b.py", env=INSTALLED)))
    assert ask.argv[-2:] == ("--", "a.py")


@table_test(
    ("tool", "text", "found"),
    [
        ("flake8", "./a.py:1:5: E501 line too long\n", [("a.py", 1, 5, "E501", "error")]),
        (
            "pylint",
            "************* Module a\na b.py:2:0: C0114 (missing-module-docstring) Missing\n"
            "a b.py:3:4: E0602 (undefined-variable) Undefined\n",
            [("a b.py", 2, 1, "C0114", "warning"), ("a b.py", 3, 5, "E0602", "error")],
        ),
        (
            "ty",
            "a.py:2:12: error[invalid-return-type] expected `int`\nFound 1 diagnostic\n",
            [("a.py", 2, 12, "invalid-return-type", "error")],
        ),
        ("ty", "All checks passed!\n", []),
        ("flake8", "", []),
    ],
)
def test_lines_of_tools_are_read(tool, text, found):
    seen = reader_of(tool)(text, "/p")
    assert [(each.file, each.line, each.column, each.rule, each.severity) for each in seen] == found


@table_test("tool", ["flake8", "pylint", "ty"])
def test_a_line_that_nobody_knows_is_not_taken_for_silence(tool):
    with pytest.raises(Unreadable):
        reader_of(tool)("Traceback (most recent call last):\n", "/p")
