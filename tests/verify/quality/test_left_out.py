"""What no gate looks at is told with its reason, by the rule that plans follow; nothing else is told."""

import os
from pathlib import Path

from donewhen.core.texts import say
from donewhen.verify.quality.gates.complexity import Complexity
from donewhen.verify.quality.gates.parts import LARGEST, left_out, present, sources
from donewhen.verify.quality.model import Scope
from tests.tables import table_test
from tests.verify.quality.gate_projects import laid, only, ran, scope_of, why

ODD = os.fsdecode(b"od\xffd.py")


@table_test(
    ("path", "key"),
    [
        ("vendor/a.go", "gates.left_vendored"),
        ("node_modules/a/x.js", "gates.left_vendored"),
        ("dist/app.js", "gates.left_generated"),
        ("api/service_pb2.py", "gates.left_generated"),
        (ODD, "gates.left_unreadable"),
    ],
)
def test_a_source_file_that_is_left_out_is_told(tmp_path, path, key):
    laid(tmp_path, {path: "x"})
    ((told, phrase),) = left_out(tmp_path, (path,))
    assert (told, phrase.key) == (path, key)
    assert say(phrase.key, "en", **phrase.values) != say(phrase.key, "zh", **phrase.values)
    assert why(Complexity().plan(scope_of(tmp_path, path))) == "gates.no_files"


@table_test("path", ["a.py", "src/build/x.py", "vendor/notes.md", "gone.py", "dist/gone.js"])
def test_what_is_looked_at_is_no_source_or_is_gone_is_not_told(tmp_path, path):
    laid(tmp_path, {} if "gone" in path else {path: "x"})
    assert left_out(tmp_path, (path,)) == ()


@table_test("path", ["vendor/a.go", "dist/app.js", "build/a.py", "third_party/x/a.py", "new/a_pb2.py"])
def test_what_the_change_brought_with_its_folder_is_looked_at_like_any_source(tmp_path, path):
    laid(tmp_path, {path: "x"})
    fresh = frozenset((path,))
    scope = scope_of(tmp_path, path)._replace(fresh=fresh)
    assert left_out(tmp_path, (path,), fresh) == ()
    assert only(Complexity().plan(scope)).argv[-1] == path


def test_padding_hides_nothing_below_the_size_that_tools_can_bear(tmp_path):
    for name, size in (("padded.py", LARGEST), ("huge.py", LARGEST + 1)):
        with (tmp_path / name).open("wb") as file:
            file.truncate(size)
    scope = scope_of(tmp_path, "huge.py", "padded.py")
    assert present(scope, scope.files) == sources(scope, "python") == ("padded.py",)
    ((path, phrase),) = left_out(tmp_path, scope.files)
    assert (path, phrase.key) == ("huge.py", "gates.left_large")
    assert "8 MiB" in say(phrase.key, "en", **phrase.values)


def branches(sign: str, mark: str) -> str:
    body = "".join(f"  if (a == {number}) {{ a = {number + 1}; }}\n" for number in range(12))
    return f"int f(int a) {{\n  {sign}{mark}\n{body}  return a;\n}}\n"


def python(mark: str) -> str:
    body = "".join(f"    if a == {number}:\n        a = {number + 1}\n" for number in range(12))
    return f"#{mark}\ndef f(a):\n    #{mark}\n{body}    return a\n"


@table_test(
    "mark",
    [
        "lizard forgives",
        " lizard forgives",
        " #lizard forgives",
        "#lizard forgives",
        "#lizard forgive global",
        "#lizard forgives(cyclomatic_complexity)",
        " GENERATED CODE",
        " a remark",
    ],
)
def test_no_comment_excuses_a_function(tmp_path: Path, mark):
    laid(
        tmp_path,
        {
            "a.py": python(mark),
            "b.c": branches("//", mark),
            "c.java": f"class A {{ {branches('//', mark)} }}",
        },
    )
    laid(tmp_path, {"d.js": f"function f(a) {{\n// {mark}\n" + "if (a) { a(); }\n" * 12 + "}\n"})
    laid(tmp_path, {"e.c": "/* one\n" + mark + "\n three */\n" + branches("/*", f"{mark} */")})
    scope: Scope = scope_of(tmp_path, "a.py", "b.c", "c.java", "d.js", "e.c")
    found = ran(only(Complexity().plan(scope)), scope)
    assert [(each.file, each.value, each.line) for each in found] == [
        ("a.py", 13.0, 2),
        ("b.c", 13.0, 1),
        ("c.java", 13.0, 1),
        ("d.js", 13.0, 1),
        ("e.c", 13.0, 4),
    ]


def test_words_in_code_stay_as_they_are(tmp_path):
    laid(
        tmp_path, {"a.py": "def f(a):\n    x = 'GENERATED CODE #lizard forgives'\n    return x if a else a\n"}
    )
    scope = scope_of(tmp_path, "a.py")
    assert [each.value for each in ran(only(Complexity().plan(scope)), scope)] == [2.0]
