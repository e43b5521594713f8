"""What no gate looks at is told with its reason, by the rule that plans follow; nothing else is told."""

import os

from donewhen.core.texts import say
from donewhen.project.languages import LARGEST, left_out, present, sources
from donewhen.verify.quality.gates import GATES
from tests.tables import table_test
from tests.verify.quality.gate_projects import laid, only, scope_of, why

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
    assert why(GATES["complexity"].plan(scope_of(tmp_path, path))) == "gates.no_files"


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
    assert only(GATES["complexity"].plan(scope)).argv[-1] == path


def test_padding_hides_nothing_below_the_size_that_tools_can_bear(tmp_path):
    for name, size in (("padded.py", LARGEST), ("huge.py", LARGEST + 1)):
        with (tmp_path / name).open("wb") as file:
            file.truncate(size)
    scope = scope_of(tmp_path, "huge.py", "padded.py")
    assert present(scope, scope.files) == sources(scope, "python") == ("padded.py",)
    ((path, phrase),) = left_out(tmp_path, scope.files)
    assert (path, phrase.key) == ("huge.py", "gates.left_large")
    assert "8 MiB" in say(phrase.key, "en", **phrase.values)
