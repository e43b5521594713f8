"""Which files a gate looks at: by language, without what nobody wrote by hand."""

import os

from hypothesis import given
from hypothesis import strategies as st

from donewhen.project.languages import (
    foreign_as,
    in_languages,
    is_test,
    language_of,
    passed_over,
)
from tests.tables import table_test


@table_test(
    ("path", "language"),
    [
        ("a.py", "python"),
        ("A/B.PYI", "python"),
        ("src/x.mjs", "javascript"),
        ("src/x.d.ts", "typescript"),
        ("x.TSX", "typescript"),
        ("cmd/main.go", "go"),
        ("src/lib.rs", "rust"),
        ("Main.java", "java"),
        (".py", ""),
        ("py", ""),
        ("folder.py/readme", ""),
        ("notes.md", ""),
        ("", ""),
    ],
)
def test_the_ending_names_the_language(path, language):
    assert language_of(path) == language


@table_test(
    "path",
    [
        "node_modules/a/x.js",
        "web/node_modules/a/x.js",
        "vendor/github.com/x/y.go",
        "third_party/z.py",
        "dist/app.js",
        "packages/ui/dist/index.js",
        "static/jquery.min.js",
        "static/app-min.js",
        "api/service_pb2.py",
        "api/service_pb2_grpc.py",
        "api/service.pb.go",
        "src/schema.generated.ts",
        "src/__generated__/types.ts",
        ".venv/lib/x.py",
    ],
)
def test_what_nobody_wrote_by_hand_is_left_out(path):
    assert foreign_as(path)
    assert in_languages([path], language_of(path)) == ()


@table_test(
    "path",
    [
        "src/build/x.py",
        "src/app.js",
        "admin.js",
        "src/minjs.js",
        "pb2.py",
        "packages/ui/src/index.ts",
        "out.py",
    ],
)
def test_a_file_of_the_project_stays(path):
    assert not foreign_as(path)
    assert in_languages([path], language_of(path)) == (path,)


@table_test(
    ("path", "why"),
    [
        ("vendor/a/y.go", "vendored"),
        ("web/node_modules/a/x.js", "vendored"),
        ("third_party/z.py", "vendored"),
        ("vendor/api_pb2.py", "vendored"),
        ("dist/app.js", "generated"),
        ("build/lib/a.py", "generated"),
        ("api/service_pb2.py", "generated"),
        ("src/__generated__/types.ts", "generated"),
        ("src/build/x.py", None),
        ("a.py", None),
    ],
)
def test_why_a_file_is_left_out_is_told_and_one_that_came_with_its_folder_is_not(path, why):
    assert foreign_as(path) == passed_over(path) == why
    assert passed_over(path, {path}) is None
    assert in_languages([path], language_of(path), fresh={path}) == (path,)
    assert in_languages([path], language_of(path), fresh={"other.py"}) == (() if why else (path,))


def test_a_name_that_is_no_text_is_left_out_wherever_it_came_from():
    odd = os.fsdecode(b"src/od\xffd.py")
    assert passed_over(odd) == passed_over(odd, {odd}) == "unreadable"
    assert in_languages([odd, "src/Größe.py", "a\nb.py"], "python", fresh={odd}) == (
        "src/Größe.py",
        "a\nb.py",
    )


def test_tests_and_their_support_are_told_from_source():
    assert [is_test(path) for path in ("tests/test_a.py", "tests/conftest.py", "src/a.py")] == [
        True,
        True,
        False,
    ]


@given(st.lists(st.text(min_size=1, max_size=30)))
def test_choosing_keeps_order_and_adds_nothing(paths):
    chosen = in_languages(paths, "python", "go")
    assert [path for path in paths if path in chosen] == [
        path for path in paths if language_of(path) in ("python", "go") and not foreign_as(path)
    ]
    assert set(chosen) <= set(paths)
