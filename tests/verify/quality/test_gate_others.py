"""Complexity and build: what they want run; and that the table of gates is whole."""

from donewhen.core.quality.newness import too_complex
from donewhen.project.folder import Folder, upward
from donewhen.project.languages import words
from donewhen.verify.quality.gates import BUILD, GATES
from tests.tables import table_test
from tests.verify.quality.gate_projects import laid, only, program, ran, scope_of, why

COMPLEXITY = GATES["complexity"]


def branches(count: int) -> str:
    return "def f(x):\n" + "".join(
        f"    if x == {number}:\n        return {number}\n" for number in range(count)
    )


def test_every_gate_is_found_under_its_name():
    assert {name: gate.name for name, gate in GATES.items()} == {name: name for name in GATES}
    assert set(GATES) == {"complexity", "types", "security", "lint"}


def test_lizard_lists_the_functions_of_the_changed_files(tmp_path):
    root = laid(
        tmp_path / "p", {"-a.py": branches(12), "b.js": "function g(a) { return a ? 1 : 2 }\n", "c.md": ""}
    )
    scope = scope_of(root, "-a.py", "b.js", "c.md")
    planned = COMPLEXITY.plan(scope)
    assert not planned.configured
    found = ran(only(planned), scope)
    assert sorted((each.file, each.value) for each in found) == [("-a.py", 13.0), ("b.js", 2.0)]
    assert [each.file for each in too_complex(found, (), 10)] == ["-a.py"]
    assert too_complex(found, found, 10) == ()


def test_a_list_of_forgiven_functions_in_the_tree_changes_nothing(tmp_path):
    root = laid(tmp_path / "p", {"a.py": branches(30), "whitelizard.txt": "a.py:f\n"})
    scope = scope_of(root, "a.py")
    assert [each.value for each in ran(only(COMPLEXITY.plan(scope)), scope)] == [31.0]


def test_a_change_without_source_has_nothing_to_measure(tmp_path):
    planned = COMPLEXITY.plan(scope_of(laid(tmp_path, {"a.md": ""}), "a.md"))
    assert why(planned) == "gates.no_files"


@table_test(
    ("files", "words_"),
    [
        ({"package.json": '{"scripts": {"build": "tsc"}}'}, ("npm", "run", "build")),
        ({"package.json": '{"scripts": {"build": "x"}}', "yarn.lock": ""}, ("yarn", "run", "build")),
        (
            {"package.json": '{"scripts": {"build": "x"}, "packageManager": "pnpm@9.0.0"}'},
            ("pnpm", "run", "build"),
        ),
        ({"Makefile": "all: build\n\nbuild: a.o\n\tcc a.o\n"}, ("make", "build")),
    ],
)
def test_the_build_is_the_one_that_the_project_names(tmp_path, files, words_):
    for name in ("npm", "yarn", "pnpm", "make"):
        program(tmp_path / "bin" / name)
    scope = scope_of(laid(tmp_path / "p", files), "a.js", env={"PATH": str(tmp_path / "bin")})
    ask = only(BUILD.plan(scope))
    assert (ask.tool.name, *ask.argv[1:]) == words_
    assert (1 in ask.ok, 127 in ask.ok, ask.whole, ask.read("error!", "/")) == (True, False, True, ())


@table_test(
    "files",
    [{}, {"package.json": '{"scripts": {"test": "x"}}'}, {"Makefile": "build := x\nrebuild:\n\ttrue\n"}],
)
def test_a_project_that_names_no_build_has_none(tmp_path, files):
    planned = BUILD.plan(scope_of(laid(tmp_path, files), "a.js"))
    assert why(planned) == "gates.no_build"


@table_test(
    ("name", "text", "data"),
    [
        ("a.json", '// c\n{"a": "//no", /* x */ "b": [1, 2,],}', {"a": "//no", "b": [1, 2]}),
        ("a.json", '{"a": "\\"/* no */,}"}', {"a": '"/* no */,}'}),
        ("a.json", "/*" * 100_000, {}),
        ("a.json", '"' + '\\"' * 100_000, {}),
        ("a.json", "[" * 100_000, {}),
        ("a.toml", "a = [1,", {}),
        ("a.toml", "x = " + "[" * 20_000, {}),
        ("a.ini", "[s]\nk = %(v)s\n", {"s": {"k": "%(v)s"}}),
        ("a.ini", "no section", {}),
        ("a.cfg", "\0", {}),
    ],
)
def test_files_of_a_project_are_read_with_care(tmp_path, name, text, data):
    assert Folder(laid(tmp_path, {name: text})).table(name) == data


def test_a_link_out_of_the_tree_is_not_read(tmp_path):
    laid(tmp_path, {"outside.toml": "[tool.mypy]\n", "p/a.py": ""})
    (tmp_path / "p/pyproject.toml").symlink_to(tmp_path / "outside.toml")
    assert Folder(tmp_path / "p").table("pyproject.toml") == {}


def test_folders_are_walked_from_the_inside():
    assert list(upward("a/b/c.py")) == ["a/b", "a", ""]
    assert list(upward("c.py")) == [""]
    assert (words("a, b c"), words(["a", 3]), words(None)) == (("a", "b", "c"), ("a",), ())
