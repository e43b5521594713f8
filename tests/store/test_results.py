"""Results that are used again: kept whole, apart by key, and worth nothing when they can't be read."""

from hypothesis import given
from hypothesis import strategies as st

from donewhen.core.events.facts import CommandEnded
from donewhen.store.results import KEPT_SECONDS, MOST, Results, Stored, result_key, stored, unbroken

GREEN = CommandEnded("exam", "pytest", ("pytest",), by="harness", exit=0, tail="1 passed", before="t1")


def test_what_was_added_is_read_in_order(tmp_path):
    results = Results(tmp_path)
    key = result_key(1, ("pytest",), "", (), "t1", "e1")
    assert results.read(key) == ()
    first, second = stored(GREEN, "r-1"), stored(GREEN._replace(exit=1), "r-2")
    results.add(key, first)
    results.add(key, second)
    assert results.read(key) == (first, second)
    assert Results(tmp_path).read(key) == (first, second)


def test_another_tree_environment_or_command_has_another_key():
    keys = {
        result_key(1, ("pytest",), "", (), "t1", "e1"),
        result_key(1, ("pytest",), "", (), "t2", "e1"),
        result_key(1, ("pytest",), "", (), "t1", "e2"),
        result_key(1, ("pytest", "-q"), "", (), "t1", "e1"),
        result_key(1, ("pytest",), "web", (), "t1", "e1"),
        result_key(1, ("pytest",), "", (("CI", "1"),), "t1", "e1"),
    }
    assert len(keys) == 6


@given(st.lists(st.text(), max_size=5), st.lists(st.text(), max_size=5))
def test_words_never_run_together(one, other):
    assert (result_key(one) == result_key(other)) == (one == other)


def test_the_number_of_results_is_bounded(tmp_path):
    results = Results(tmp_path)
    for number in range(MOST + 5):
        results.add("k" * 64, Stored(GREEN, f"r-{number}", float(number)))
    kept = results.read("k" * 64)
    assert (len(kept), kept[-1].run_id) == (MOST, f"r-{MOST + 4}")


def test_a_broken_or_foreign_file_is_no_result(tmp_path):
    results = Results(tmp_path)
    key, other = result_key("a"), result_key("b")
    results.add(key, stored(GREEN, "r-1"))
    (path,) = tmp_path.glob("*/*.json")
    whole = path.read_bytes()
    for data in (b"", b"{", whole[:-5], b"[]", b'{"version": 99}', b"\xff\xfe"):
        path.write_bytes(data)
        assert results.read(key) == ()
    moved = tmp_path / other[:2] / f"{other}.json"
    moved.parent.mkdir(exist_ok=True)
    moved.write_bytes(whole)  # the result of another command under this one's name
    assert results.read(other) == ()


def test_a_link_is_not_followed(tmp_path):
    results = Results(tmp_path / "results")
    key = result_key("a")
    results.add(key, stored(GREEN, "r-1"))
    (path,) = (tmp_path / "results").glob("*/*.json")
    path.rename(tmp_path / "elsewhere.json")
    path.symlink_to(tmp_path / "elsewhere.json")
    assert results.read(key) == ()


def test_old_ones_are_swept(tmp_path):
    results = Results(tmp_path)
    results.add(result_key("a"), stored(GREEN, "r-1"))
    (path,) = tmp_path.glob("*/*.json")
    written = path.stat().st_mtime
    assert results.sweep(written + KEPT_SECONDS - 1) == 0
    assert results.sweep(written + KEPT_SECONDS + 1) == 1
    assert Results(tmp_path / "nowhere").sweep() == 0


def _chain(*pairs):
    return tuple(Stored(GREEN, f"r-{before}{after}", 0.0, before, after) for before, after in pairs)


def test_results_hold_together_while_nobody_touched_what_lies_beside():
    whole = _chain("ab", "bc", "cd")
    assert unbroken(whole, "d") == whole
    assert unbroken(whole, "e") == ()  # somebody did, since
    assert unbroken(_chain("ab", "xy", "yz"), "z") == _chain("xy", "yz")  # somebody did, in between
    assert unbroken((), "a") == ()
