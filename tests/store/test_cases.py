"""Tests of an exam, kept under the key of its result."""

from pathlib import Path

from donewhen.core.scenarios import Case
from donewhen.store.cases import CaseStore
from donewhen.store.results import KEPT_SECONDS, result_key
from tests.tables import table_test

KEY = result_key("command", "tree")
CASES = (
    Case("adds", "passed", "cart", ("a", "b"), "test/a.js", 3, 2, ("a/b/c",)),
    Case("\udcff", "failed"),
)


def test_the_last_list_is_kept(tmp_path: Path) -> None:
    store = CaseStore(tmp_path)
    assert store.read(KEY) is None
    store.write(KEY, CASES[:1])
    store.write(KEY, CASES)
    assert store.read(KEY) == CASES
    assert CaseStore(tmp_path).read(result_key("other")) is None


def test_no_tests_at_all_is_not_the_same_as_nothing_kept(tmp_path: Path) -> None:
    store = CaseStore(tmp_path)
    store.write(KEY, ())
    assert store.read(KEY) == ()


@table_test("data", [b"", b"{}", b"x\x9c" + b"\0" * 40, b"\xff" * 1000])
def test_what_can_not_be_read_is_nothing(tmp_path: Path, data: bytes) -> None:
    store = CaseStore(tmp_path)
    store.write(KEY, CASES)
    (path,) = tmp_path.glob("*/*.cases")
    path.write_bytes(data)
    assert store.read(KEY) is None


def test_old_lists_are_swept(tmp_path: Path) -> None:
    store = CaseStore(tmp_path)
    store.write(KEY, CASES)
    (path,) = tmp_path.glob("*/*.cases")
    assert store.sweep(path.stat().st_mtime + KEPT_SECONDS - 5) == 0
    assert store.sweep(path.stat().st_mtime + KEPT_SECONDS + 5) == 1
    assert store.read(KEY) is None
