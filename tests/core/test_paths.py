"""Paths of a workspace: inside or not, exempt, source, meant by a pattern."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from donewhen.core.errors import UserError
from donewhen.core.paths import Exempt, Patterns, Scope, is_ours, is_source, relative
from tests.tables import table_test


@table_test(
    ("path", "expected"),
    [
        ("a/b", "a/b"), ("./a//b/", "a/b"), ("a/../b", "b"), ("a/./b", "a/b"), (".", "."), ("文档/设计.md", "文档/设计.md"),
        ("a b.txt", "a b.txt"), ("..a/b", "..a/b"), ("~a", "~a"), ("a/..", "."),
        ("", None), ("  ", None), ("/etc/passwd", None), ("//a", None), ("..", None), ("../a", None), ("a/../../b", None),
        ("a\0b", None), ("~", None), ("~/.bashrc", None), ("C:\\x", None), ("c:/x", None), ("\\\\host\\x", None), ("a" * 5000, None),
    ],
)  # fmt: skip
def test_a_path_is_inside_the_workspace_or_none(path, expected):
    assert relative(path) == expected


@table_test(
    "path",
    [
        ".scratch/a.py", "a/.temp/b.ts", "tmp/data.json", "./tmp/x", "src/foo.tmp", "out.tmp", "src/app.ts.bak", "a/b.py~",
        "node_modules/x.js", "a/node_modules/x/y.js", ".git/config", "pkg/__pycache__/a.pyc", ".venv/lib/a.py", ".venv",
        ".donewhen/config.yml", ".pytest_cache/v", ".mypy_cache/x", ".ruff_cache/x",
    ],
)  # fmt: skip
def test_these_are_exempt(path):
    assert Exempt().match(path)


@table_test(
    "path",
    [
        "scripts/verify-login.js", "a/tmp/x.md", "check-all.py", "src/login-test.ts", "tmp.py", "tmpl/a.py", "tmp", ".temperature/a",
        "src/temp/a.py", "a.tmp.py", "old.tmp/app.py", "x.bak/app.py", "node_modules2/a.js", "../tmp/x", "/tmp/x", "", "Tmp/x",
        "venv/a.py", ".gitignore", ".github/ci.yml", ".scratch",
    ],
)  # fmt: skip
def test_these_are_not_exempt(path):
    assert not Exempt().match(path)


@table_test(
    ("folder", "inside", "outside"),
    [
        ("drafts", "a/drafts/x.py", "drafts.py"), ("drafts/", "drafts/x.py", "a/drafts/x.py"), ("a/b", "a/b/c/x.py", "x/a/b/c.py"),
        ("./out", "out/x", "a/out/x"), ("/out", "out/x", "a/out/x"), ("build-*", "build-1/x", "rebuild-1/x"),
    ],
)  # fmt: skip
def test_configured_folders_add_to_the_defaults(folder, inside, outside):
    exempt = Exempt([folder])
    assert (exempt.match(inside), exempt.match(outside), exempt.match(".scratch/x")) == (True, False, True)


@table_test("folder", ["", " ", ".", "/", "..", "../x", "./"])
def test_a_folder_that_is_none_exempts_nothing_more(folder):
    assert not Exempt([folder]).match("src/app.py")


@table_test(
    ("patterns", "path", "expected"),
    [
        (["README.md"], "README.md", True), (["README.md"], "docs/README.md", True), (["/README.md"], "docs/README.md", False),
        (["docs/**"], "docs/a/b.md", True), (["docs/**"], "docs", False), (["docs/**"], "x/docs/a.md", False),
        (["docs/"], "docs/a.md", True), (["docs/"], "a/docs/b", True), (["docs/"], "docs", False), (["docs"], "docs", True),
        (["*.md"], "a/b.md", True), (["*.md"], "a/b.mdx", False), (["a/*.md"], "a/b.md", True), (["a/*.md"], "a/c/b.md", False),
        (["**/b"], "b", True), (["**/b"], "a/x/b", True), (["a/**/b"], "a/b", True), (["a/**/b"], "a/x/y/b", True),
        (["a/**/b"], "a/xb", False), (["**"], "a/b", True), (["*"], "a", True), (["a?c"], "abc", True), (["a?c"], "a/c", False),
        (["[ab].md"], "a.md", True), (["[!ab].md"], "a.md", False), (["[^ab].md"], "c.md", True), (["[a-c]x"], "bx", True),
        (["[]x]"], "]", True), (["[a"], "[a", True), ([r"\#a"], "#a", True), (["#a"], "#a", False), ([r"\!a"], "!a", True),
        ([r"\*"], "*", True), ([r"\*"], "a", False), (["a "], "a", True), (["a\\ "], "a ", True), (["", "  "], "a", False),
        (["*.md", "!README.md"], "README.md", False), (["*.md", "!README.md"], "a.md", True), (["!a", "a"], "a", True),
        (["docs/", "!docs/a.md"], "docs/a.md", True), (["docs/*", "!docs/a.md"], "docs/a.md", False), (["a"], "a/b/c", True),
        (["a/b"], "x/a/b", False), (["/"], "a", False), (["a//b"], "a/b", True), (["**/*.md"], "x.md", True), (["A"], "a", False),
        (["**"], "../a", False), (["**"], "/etc/x", False), (["文档/*"], "文档/设计.md", True), ([], "a", False), (["a\r"], "a", True),
    ],
)  # fmt: skip
def test_gitignore_patterns(patterns, path, expected):
    assert Patterns(patterns).match(path) is expected


@table_test(
    ("globs", "path", "expected"),
    [
        (["src/**", "tests/**"], "src/a.py", True), (["src/**"], "docs/a.md", False), (["src"], "src/a/b.py", True), (["src"], "a/src/b", False),
        (["src/"], "src/a.py", True), (["src/"], "x/src/a.py", False), (["./src"], "src/a", True), (["*.md"], "docs/a.md", True),
        (["docs/*.md"], "docs/a.md", True), (["docs/*.md"], "docs/b/a.md", False), (["README.md"], "README.md", True),
        (["README.md"], "docs/README.md", False), (["**"], "a/b", True), (["**/*.py"], "a.py", True), (["src"], "src2/a", False),
        (["src/**", "!src/gen"], "src/gen/a.py", False), (["src/**", "!src/gen"], "src/a.py", True), (["src/**"], "src/../x", False),
        (["src/**"], "../src/a", False), ([], "a", False), (["src/*/a.py"], "src/x/a.py", True), (["src"], "src", True), (["**"], ".", False),
    ],
)  # fmt: skip
def test_scope_globs_mean_what_they_match_and_all_below(globs, path, expected):
    assert Scope(globs).match(path) is expected


@table_test(
    "pattern", ["*a" * 400 + "b", "**/" * 300 + "b", "?*" * 400 + "b", "[a-z]*" * 150 + "b", "[" * 900]
)
def test_hostile_patterns_take_bounded_work(pattern):
    assert not Patterns([pattern]).match("/".join(["a" * 200] * 20).lstrip("/"))


def test_an_overlong_pattern_is_refused():
    with pytest.raises(UserError, match="longer than 1000 characters"):
        Patterns(["a" * 1001])


@table_test("path", ["a.py", "src/App.TSX", "a.d.ts", "x.ipynb", "run.sh", "a.hpp", "lib/x.ex", "A.PY"])
def test_source_is_known_by_its_extension(path):
    assert is_source(path)


@table_test(
    "path", ["a.md", "site.css", "Makefile", "data.json", "q.sql", "py", "a.py.txt", "a", "x.html", ".sh/a"]
)
def test_the_rest_are_file_deliverables(path):
    assert not is_source(path)


@table_test("extra", ["tf", ".tf", "*.tf", "TF"])
def test_extensions_can_be_added(extra):
    assert is_source("main.tf", (extra,)) and not is_source("main.md", (extra, ""))


@table_test(
    ("path", "expected"),
    [(".git/config", True), ("a/.donewhen/x", True), (".gitignore", False), ("a/b", False)],
)
def test_the_harness_s_own_state_is_known(path, expected):
    assert is_ours(path) is expected


@given(st.text(alphabet="ab./*~\\", max_size=30))
def test_a_path_inside_is_its_own_shortest_form(path):
    short = relative(path)
    assert short is None or (
        relative(short) == short and ".." not in short.split("/") and not short.startswith("/")
    )


@given(st.text(alphabet="ab*?[]!/\\", max_size=12), st.text(alphabet="ab/", max_size=12))
def test_any_pattern_meets_any_path(pattern, path):
    assert Patterns([pattern]).match(path) in (True, False)
    assert Scope([pattern]).match(path) in (True, False)
