"""A project's own settings: which files they leave out."""

import pytest

from donewhen.core.quality.coverage import Covered, Lines
from donewhen.verify.quality.coverage.measure import Settings, settings_of, with_unmeasured
from tests.tables import table_test


@table_test(
    ("name", "text"),
    [
        ("pyproject.toml", "[tool.coverage]\nrun = 3\n"),
        ("pyproject.toml", "x = " + "[" * 50_000),
        ("setup.cfg", "what\nis this\n"),
        ("README.md", "omit = a"),
    ],
)
def test_settings_that_cannot_be_read_leave_nothing_out(tmp_path, name, text):
    (tmp_path / name).write_text(text)
    assert settings_of(tmp_path) == Settings()


def test_a_link_out_of_the_project_is_not_followed(tmp_path):
    (tmp_path / "real").write_text("[run]\nomit = a.py\n")
    (tmp_path / "project").mkdir()
    (tmp_path / "project/.coveragerc").symlink_to(tmp_path / "real")
    assert settings_of(tmp_path / "project") == Settings()


def test_settings_come_from_the_first_file_that_has_some(tmp_path):
    (tmp_path / "setup.cfg").write_text("[metadata]\nname = x\n")
    (tmp_path / "pyproject.toml").write_text('[tool.coverage.run]\nsource = ["src"]\nomit = ["*/gen/*"]\n')
    assert settings_of(tmp_path) == Settings("pyproject.toml", told=True, omit=("*/gen/*",))
    (tmp_path / "tox.ini").write_text("[coverage:run]\nsource_pkgs = shop, cart\ninclude =\n  a.py\n  b.py\n")
    assert settings_of(tmp_path) == Settings("tox.ini", told=True)


@table_test(
    ("settings", "path", "out"),
    [
        (Settings("x"), "a.py", False),
        (Settings("x", omit=("gen_*.py",)), "gen_a.py", True),
        (Settings("x", omit=("gen_*.py",)), "src/gen_a.py", False),
        (Settings("x", omit=("*/gen/*",)), "src/gen/deep/a.py", True),
        (Settings("x", omit=("src/gen/*",)), "src/gen/deep/a.py", True),
        (Settings("x", omit=("*_pb2.py",)), "src/a_pb2.py", True),
        (Settings("x", told=True), "tools/a.py", True),
    ],
)
def test_which_files_settings_leave_out(settings, path, out):
    assert settings.leaves_out(path) is out


@pytest.fixture
def tree(tmp_path):
    for name in ("src/a.py", "src/new.py", "src/gen_x.py", "tests/test_a.py", "web/app.js", "src/types.pyi"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("# one\nx = 1\n\ny = 2\n")
    return tmp_path


ALL = frozenset(range(1, 5))
MEASURED = Covered({"src/a.py": Lines(frozenset((2,)), frozenset((4,)))})


def test_changed_source_that_no_report_knows_is_not_covered(tree):
    changed = dict.fromkeys(("src/a.py", "src/new.py", "tests/test_a.py", "web/app.js", "src/types.pyi"), ALL)
    found, unknown = with_unmeasured(MEASURED, changed, tree)
    assert found.files == {**MEASURED.files, "src/new.py": Lines(missing=frozenset((2, 4)))}
    assert (found.unmeasured, found.left_out) == (frozenset(("src/new.py",)), frozenset())
    assert unknown == {"javascript": "web/app.js"}


def test_a_changed_comment_needs_no_report(tree):
    assert with_unmeasured(MEASURED, {"src/new.py": frozenset((1, 3))}, tree) == (MEASURED, {})


def test_what_settings_leave_out_is_said_so(tree):
    (tree / ".coveragerc").write_text("[run]\nomit = src/gen_*\n")
    found, _ = with_unmeasured(MEASURED, {"src/gen_x.py": ALL, "src/new.py": ALL}, tree)
    assert (found.unmeasured, found.left_out) == (frozenset(("src/new.py",)), frozenset(("src/gen_x.py",)))
    whole, _ = with_unmeasured(MEASURED._replace(complete=True), {"src/new.py": ALL}, tree)
    assert (whole.unmeasured, whole.left_out) == (frozenset(), frozenset(("src/new.py",)))
