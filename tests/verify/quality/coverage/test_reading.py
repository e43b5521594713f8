"""Reports that a run wrote itself are found at the usual places; older ones speak of another tree."""

import os
from pathlib import Path

import pytest

from donewhen.core.quality.coverage import Covered, Lines
from donewhen.core.quality.model import Unreadable
from donewhen.verify.quality.coverage.reports import read_newer, read_report, reports_in
from tests.tables import table_test

NOW = 1_700_000_000_000_000_000
LCOV = "SF:a.js\nDA:1,1\nDA:2,0\nend_of_record\n"
PLACES = (
    "coverage.xml coverage.json lcov.info coverage/lcov.info coverage/cobertura-coverage.xml cover.out coverage.out "
    "coverage/coverage-final.json "
    "packages/web/coverage/lcov.info .nyc_output/1.json"
).split()


def put(root: Path, name: str, text: str, when: int = NOW + 1) -> Path:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    os.utime(path, ns=(when, when))
    return path


@table_test("name", PLACES)
def test_usual_places(tmp_path, name):
    path = put(tmp_path, name, LCOV)
    assert reports_in(tmp_path) == [path]


def test_what_the_run_wrote_is_merged(tmp_path):
    put(tmp_path, "packages/web/a.js", "1;\n2;\n")
    put(tmp_path, "b.js", "1;\n")
    put(tmp_path, "packages/web/coverage/lcov.info", LCOV)
    put(tmp_path, "lcov.info", "SF:b.js\nDA:1,1\nend_of_record\n")
    put(tmp_path, "coverage.xml", "not even XML", NOW - 1)
    assert read_newer(tmp_path, NOW) == Covered(
        {"b.js": Lines(frozenset((1,))), "packages/web/a.js": Lines(frozenset((1,)), frozenset((2,)))}
    )


def test_only_old_reports_are_of_another_tree(tmp_path):
    put(tmp_path, "coverage.xml", "<coverage/>", NOW - 1)
    with pytest.raises(
        Unreadable, match="coverage.xml is older than the test run, so it is for another tree"
    ):
        read_newer(tmp_path, NOW)


def test_no_report_at_all_is_nothing(tmp_path):
    assert read_newer(tmp_path, NOW) == Covered()


def test_links_and_folders_are_no_reports(tmp_path):
    secret = put(tmp_path, "away/lcov.info", LCOV)
    root = tmp_path / "root"
    root.mkdir()
    (root / "lcov.info").symlink_to(secret)
    (root / "coverage").symlink_to(tmp_path / "away")
    (root / "coverage.xml").mkdir()
    assert reports_in(root) == []


def test_a_file_that_is_no_report_is_refused_by_its_name(tmp_path):
    with pytest.raises(Unreadable, match="coverage.out can't be read"):
        read_report(put(tmp_path, "coverage.out", "hello"), tmp_path)
