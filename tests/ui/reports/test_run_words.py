"""The words of a run's report: one next step for every verdict, and facts without holes."""

from hypothesis import given
from hypothesis import strategies as st

from donewhen.core.reasons import STOP_REASONS
from donewhen.ui.reports.run_words import (
    Words,
    clock,
    facts_of,
    figures,
    lead,
    next_of,
    promise_rows,
    tree_of,
)
from tests.tables import table_test
from tests.ui.reports.run_samples import ACCEPTED, RUN, WAITING, dossier, evidence

EN = Words("en")


@table_test(
    ("report", "command"),
    [
        (ACCEPTED, "git merge donewhen/x"),
        (ACCEPTED._replace(about={"branch": "odd; name", "commit": "d" * 40}), "git merge 'odd; name'"),
        (ACCEPTED._replace(about={}), ""),
        (ACCEPTED._replace(kind="verify"), ""),
        (WAITING, "donewhen approve a-1"),
        (WAITING._replace(questions=()), f"donewhen resume {RUN}"),
        (dossier(verdict="not_accepted", state="fail"), f"donewhen show {RUN}"),
        (dossier(verdict="not_accepted", kind="verify"), "donewhen verify"),
        (dossier(verdict="running", executed=True), f"donewhen logs {RUN} -f"),
        (dossier(verdict="running", executed=False), f"donewhen resume {RUN}"),
    ],
)
def test_every_verdict_has_a_next_step(report, command):
    assert next_of(report, EN).command == command
    assert next_of(report, EN).sentence


@table_test("reason", sorted(STOP_REASONS))
@table_test("language", ["en", "zh"])
def test_every_stop_reason_is_explained(reason, language):
    told = dossier(verdict="not_accepted", decision={"stop_reason": reason, "summary": "why"})
    assert lead(told, Words(language))
    assert next_of(told, Words(language)).sentence


@given(st.text(max_size=40), st.text(max_size=40), st.text(max_size=40))
def test_names_that_are_not_ours_are_told_as_they_are(kind, by, status):
    told = dict(facts_of(evidence(type=kind, by=by, status=status, exit=None), EN))
    assert all(told.values())
    assert list(figures(dossier(verdict="running"), EN))


@table_test(
    ("before", "after", "told"),
    [
        ("", "", ""),
        ("a" * 40, "", "a" * 12),
        ("a" * 40, "a" * 40, f"{'a' * 12} (unchanged by it)"),
        ("a", "b", "a → b"),
    ],
)
def test_a_tree_is_told_before_and_after(before, after, told):
    assert tree_of(evidence(before=before, after=after), EN) == told


def test_a_moment_is_told_to_the_second_or_as_it_is():
    assert clock("2026-11-15T04:37:50.123Z") == "2026-11-15 04:37:50 UTC"
    assert clock("odd") == "odd"


@given(
    st.dictionaries(
        st.sampled_from(["objective", "accept", "checks", "done_when", "permits", "derived_from"]),
        st.none() | st.integers() | st.text() | st.lists(st.text() | st.dictionaries(st.text(), st.text())),
    )
)
def test_any_promise_is_told_part_by_part(promise):
    assert all(len(row) == 3 for row in promise_rows(promise, EN))
