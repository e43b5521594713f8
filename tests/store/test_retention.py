"""What gc may take: ended runs by age and size, and what nobody refers to; never more."""

import os
import sqlite3
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from donewhen.core.events import run
from donewhen.core.ids import stamp
from donewhen.core.summary import Summary
from donewhen.store.artifacts import Artifacts
from donewhen.store.retention import carry_out, choose_runs, plan, runs_elsewhere
from donewhen.store.sqlite import SqliteStore
from tests.helpers import RUN

OTHER = "r-20261115043751-ffffff"
ROWS = st.lists(
    st.builds(
        Summary,
        st.text("abcdef", min_size=1),
        state=st.sampled_from(["done", "fail", "executing", "paused"]),
        updated=st.floats(0, 10**9).map(stamp),
    ),
    unique_by=lambda row: row.run_id,
    max_size=12,
)


@given(ROWS, st.integers(0, 2000), st.floats(0, 10**9).map(stamp))
def test_only_ended_runs_go_and_only_as_many_as_needed(rows, limit, before):
    sizes = {row.run_id: 100 for row in rows}
    chosen = choose_runs(rows, sizes, before=before, max_bytes=limit)
    by_id = {row.run_id: row for row in rows}
    assert all(by_id[run_id].ended for run_id in chosen)
    aged = {row.run_id for row in rows if row.ended and row.updated < before}
    assert aged <= set(chosen)
    extra = [run_id for run_id in chosen if run_id not in aged]
    left = 100 * (len(rows) - len(chosen))
    assert not extra or left + 100 > limit
    assert left <= limit or not [row for row in rows if row.ended and row.run_id not in chosen]


def test_nothing_goes_without_being_asked_for():
    assert choose_runs([Summary("a", state="done", updated=stamp(0))], {}) == []


def old(artifacts: Artifacts, digest: str) -> None:
    os.utime(artifacts.folder / digest[:2] / digest[2:], (0, 0))


def test_artifacts_go_when_no_run_needs_them_and_they_are_not_young(tmp_path: Path):
    artifacts = Artifacts(tmp_path / "artifacts")
    shared, own, loose, young = (artifacts.put(text) for text in (b"shared", b"own", b"loose", b"young"))
    for digest in (shared, own, loose):
        old(artifacts, digest)
    with SqliteStore(tmp_path / "s.db", clock=lambda: 1000.0) as store:
        done = run.StateChanged("merging", "done")
        store.append(
            RUN, run.RunStarted("a"), run.ArtifactKept(shared, "s", 6), run.ArtifactKept(own, "o", 3), done
        )
        store.append(OTHER, run.RunStarted("b"), run.ArtifactKept(shared, "s", 6))
        assert [file.digest for file in plan(store, artifacts).artifacts] == [loose]
        chosen = plan(store, artifacts, before=stamp(2000))
        assert [run_id for run_id, _ in chosen.runs] == [RUN]
        assert {file.digest for file in chosen.artifacts} == {own, loose}
        carry_out(chosen, store, artifacts)
        assert [row.goal for row in store.runs()] == ["b"]
    assert {file.digest for file in artifacts.all()} == {shared, young}


def test_what_is_used_meanwhile_is_kept(tmp_path: Path):
    artifacts = Artifacts(tmp_path / "artifacts")
    put_again, referred, loose = (artifacts.put(text) for text in (b"again", b"referred", b"loose"))
    for digest in (put_again, referred, loose):
        old(artifacts, digest)
    with SqliteStore(tmp_path / "s.db", clock=lambda: 1000.0) as store:
        for name in (RUN, OTHER):
            store.append(name, run.RunStarted("a"), run.StateChanged("idle", "done"))
        chosen = plan(store, artifacts, before=stamp(2000))
        assert len(chosen.artifacts) == 3
        artifacts.put(b"again")
        store.append(RUN, run.StateChanged("done", "executing"), run.ArtifactKept(referred, "r", 8))
        done = carry_out(chosen, store, artifacts)
    assert done == ((OTHER,), (loose,), (RUN,))
    assert {file.digest for file in artifacts.all()} == {put_again, referred}


def test_a_run_whose_audit_fails_is_kept_as_evidence(tmp_path: Path):
    artifacts = Artifacts(tmp_path / "artifacts")
    with SqliteStore(tmp_path / "s.db", clock=lambda: 1000.0) as store:
        store.append(RUN, run.RunStarted("a"), run.StateChanged("idle", "done"), run.Noted("the end"))
        db = sqlite3.connect(tmp_path / "s.db")
        db.execute("DELETE FROM events WHERE seq = 3")
        db.commit()
        db.close()
        chosen = plan(store, artifacts, before=stamp(2000))
        assert (chosen.runs, chosen.broken) == ((), (RUN,))


@given(ROWS, st.integers(0, 1000), st.floats(0, 10**9).map(stamp))
def test_a_spared_run_goes_by_its_age_alone(rows, limit, before):
    sizes = {row.run_id: 100 for row in rows}
    spare = {row.run_id for row in rows[::2]}
    chosen = choose_runs(rows, sizes, before=before, max_bytes=limit, spare=spare)
    aged = {row.run_id for row in rows if row.ended and row.updated < before}
    assert spare & set(chosen) <= aged
    assert aged <= set(chosen)


def test_runs_of_the_users_other_stores_are_known_without_touching_those(tmp_path: Path):
    own, other = tmp_path / "donewhen.db", tmp_path / "repos" / "0a1b" / "donewhen.db"
    other.parent.mkdir(parents=True)
    for path, run_id in ((own, RUN), (other, OTHER)):
        with SqliteStore(path, heads=tmp_path / "heads") as store:
            store.append(run_id, run.RunStarted("x"))
    assert runs_elsewhere(tmp_path, own) == frozenset({OTHER})
    assert runs_elsewhere(tmp_path, tmp_path / "none.db") == frozenset({RUN, OTHER})
    other.write_bytes(b"no database at all, but long enough to be looked at" * 50)
    assert runs_elsewhere(tmp_path, own) is None
