"""A survey of what somebody made to hurt it: bounded, nothing followed out of the tree, nothing odd let through."""

import os

from donewhen.commands import parse
from donewhen.core.accept import read_accept
from donewhen.intake.survey import MOST_PARTS, survey
from tests.intake.test_survey import look, package, write
from tests.tables import table_test

HOSTILE = {
    "a workspace of itself": {"package.json": package(workspaces=[".", "./", "..", "../..", "/", "**", ""])},
    "workspaces that hold each other": {
        "a/package.json": package("jest", workspaces=["b"]),
        "a/b/package.json": package("jest", workspaces=["../../a", ".."]),
    },
    "a wrong kind everywhere": {
        "package.json": '{"workspaces": {"packages": {"a": 1}}, "scripts": [], "packageManager": 4, "name": []}',
        "pnpm-workspace.yaml": "packages: {a: 1}\n",
        "lerna.json": "[]",
        "turbo.json": "{",
        "pyproject.toml": 'tool = 1\nproject = "x"\n',
        "Cargo.toml": "workspace = 3\n",
        "go.work": "use\nuse (\n",
        "pom.xml": "<module><module>",
        "settings.gradle": "include include(((",
    },
    "deep": {"package.json": "[" * 90_000, "pyproject.toml": "a = " + "[" * 90_000},
    "a key of many parts": {"pyproject.toml": "a." * 3_000 + "a = 1\n"},
    "long lines": {
        "settings.gradle": "include " + "'a', " * 80_000,
        "pom.xml": "<!--" * 100_000,
        "go.work": "use ./" + "a." * 3_000,
        ".gitlab-ci.yml": "- run: " + "A=1 " * 100_000,
        "Cargo.toml": "[" + " " * 400_000,
    },
    "many stars": {
        "package.json": package(workspaces=["**/" * 200 + "x", "*a" * 140 + "b"]),
        "/".join(["a" * 40] * 8) + "/package.json": package("jest"),
    },
    "a bomb of aliases": {"pnpm-workspace.yaml": "a: &a [x, x]\nb: &b [*a, *a]\n" * 1 + "packages: *b\n"},
    "no text": {"package.json": "\x00\x01", ".github/workflows/x.yml": "\x1b[31mrun: pytest\n"},
}


@table_test("name", HOSTILE)
def test_a_hostile_project_is_survived(tmp_path, name):
    found = look(tmp_path, HOSTILE[name])
    assert all(part.folder for part in found.parts)
    assert all(test.line.isprintable() for test in found.tests)


def test_very_many_parts_are_bounded_and_said(tmp_path):
    files = {f"p{n:04}/go.mod": "module x\n" for n in range(MOST_PARTS + 20)}
    found = survey(tmp_path, write(tmp_path, files))
    assert len(found.parts) == MOST_PARTS
    assert [(note.key, note.values["count"]) for note in found.notes] == [("init.parts_left_out", 20)]


def test_a_link_is_no_part(tmp_path):
    outside = tmp_path / "outside"
    write(outside, {"go.mod": "module outside\n"})
    inside = tmp_path / "inside"
    inside.mkdir()
    (inside / "part").symlink_to(outside)
    (inside / "loop").symlink_to("loop")
    assert survey(inside, ["part/go.mod", "loop/go.mod"]).parts == survey(inside, None).parts == ()


def test_folders_whose_names_can_not_be_written_are_counted(tmp_path):
    for name in (b"bad\xff", b"new\nline", b"-rf"):
        folder = tmp_path / os.fsdecode(name)
        folder.mkdir()
        (folder / "go.mod").write_text("module x\n")
    found = survey(tmp_path, None)
    assert found.parts == ()
    assert [note.key for note in found.notes] == ["init.odd_folders"]


def test_a_folder_with_blanks_and_quotes_is_quoted(tmp_path):
    found = look(tmp_path, {"my 'web' app/package.json": package("jest")})
    (entry,) = read_accept(found.tests[0].line, parse)
    assert (entry.argv, entry.cwd) == (("npm", "test"), "my 'web' app")
