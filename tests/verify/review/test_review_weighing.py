"""What of a review stands against acceptance: in the first round, and in later ones."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from donewhen.core.quality.lines import Edit, Moved
from donewhen.verify.review_protocol import (
    GRAVITIES,
    VERDICTS,
    Criterion,
    Gravity,
    Ground,
    Judged,
    Open,
    Quote,
    Remark,
    Review,
    Rounds,
    Since,
    Verdict,
    assess,
    from_data,
    to_data,
)
from tests.tables import table_test

LIMIT = 0.6
QUOTE = Quote("a.py", 10, "return a + b")


def criterion(**more: bool) -> Criterion:
    return Criterion("c-1", "adds two numbers", **more)


def said(verdict: Verdict, confidence: float = 0.9, *quotes: Quote, name: str = "c-1") -> Judged:
    return Judged(name, verdict, quotes or ((QUOTE,) if verdict == "met" else ()), "because", confidence)


def remark(
    severity: Gravity = "high", confidence: float = 0.9, file: str = "a.py", line: int = 10, **more
) -> Remark:
    return Remark("robustness", severity, file, line, "divides by zero", "check it", confidence, **more)


@table_test(
    ("asked", "judged", "status"),
    [
        (criterion(), said("met"), "pass"),
        (criterion(), said("met", 0.5), "warning"),
        (criterion(), said("unmet"), "fail"),
        (criterion(), said("unmet", 0.6), "fail"),
        (criterion(), said("unmet", 0.59), "warning"),
        (criterion(covered=True), said("unmet"), "fail"),
        (criterion(required=False), said("unmet"), "warning"),
        (criterion(), said("unclear"), "fail"),
        (criterion(), said("unclear", 0.1), "fail"),
        (criterion(covered=True), said("unclear"), "warning"),
        (criterion(required=False), said("unclear"), "warning"),
    ],
)
def test_a_verdict_in_the_first_round(asked, judged, status):
    found = assess(Review((judged,)), (asked,), LIMIT)
    assert [each.status for each in found.feedback] == [status]
    assert found.overall == ("fail" if status == "fail" else "pass")
    assert found.feedback[0].rule == f"criterion-{judged.verdict}"


@table_test(
    ("finding", "status"),
    [
        (remark("high"), "fail"),
        (remark("medium"), "fail"),
        (remark("low"), "warning"),
        (remark("high", 0.5), "warning"),
        (remark(file="", line=0), "fail"),
        (remark(misplaced=True), "warning"),
    ],
)
def test_a_finding_in_the_first_round(finding, status):
    found = assess(Review((), (finding,)), (), LIMIT)
    assert [each.status for each in found.feedback] == [status]
    assert found.open == ((Open("finding-1", finding),) if status == "fail" else ())


def test_what_is_told_about_a_criterion():
    (told,) = assess(Review((said("unmet", 0.9, QUOTE),)), (criterion(),), LIMIT).feedback
    assert told.to_data() == {
        "status": "fail",
        "category": "semantic",
        "location": {"file": "a.py", "line": 10},
        "message": "criterion c-1 is not met: because",
        "details": "adds two numbers\na.py:10: return a + b",
        "fixable": True,
        "fix_suggestion": "make the change do what criterion c-1 says, or have the promise revised",
        "confidence": 0.9,
        "rule": "criterion-unmet",
    }


def test_a_misplaced_finding_says_so_and_claims_no_place():
    (told,) = assess(Review((), (remark(misplaced=True),)), (), LIMIT).feedback
    assert (told.file, told.line) == ("", 0)
    assert "there is no such place" in told.details


# Later rounds. Line 10 was seen then; `since` says what became of it.

UNTOUCHED = Since()
EDITED = Since({"a.py": frozenset((10, 11))}, {"a.py": Moved("a.py", (Edit(10, 1, 10, 2),))})
GONE = Since({}, {"a.py": Moved("")})
MET = Rounds(1, met=("c-1",), grounds=(Ground("c-1", "a.py", 10),))
NOT_MET = Rounds(1)


@table_test(
    ("earlier", "since", "judged", "status"),
    [
        (MET, UNTOUCHED, said("unmet"), "warning"),
        (MET, UNTOUCHED, said("unclear"), "warning"),
        (MET, UNTOUCHED, said("unmet", 0.9, Quote("b.py", 3, "something else")), "warning"),
        (MET, EDITED, said("unmet"), "fail"),
        (MET, GONE, said("unmet"), "fail"),
        (MET, GONE, said("unclear"), "fail"),
        (MET._replace(grounds=()), EDITED, said("unmet", 0.9, QUOTE), "fail"),
        (NOT_MET, UNTOUCHED, said("unmet"), "fail"),
        (NOT_MET, UNTOUCHED, said("unclear"), "fail"),
        (NOT_MET, UNTOUCHED, said("met"), "pass"),
    ],
)
def test_a_criterion_that_was_met_stays_so_unless_its_ground_changed(earlier, since, judged, status):
    assert assess(Review((judged,)), (criterion(),), LIMIT, earlier, since).feedback[0].status == status


@table_test(
    ("since", "finding", "status"),
    [
        (UNTOUCHED, remark(), "warning"),
        (EDITED, remark(line=12), "fail"),
        (EDITED, remark(line=40), "warning"),
        (EDITED, remark(file="b.py"), "warning"),
        (EDITED, remark(file="", line=0), "warning"),
    ],
)
def test_new_findings_of_later_rounds_block_only_on_changed_lines(since, finding, status):
    found = assess(Review((), (finding,)), (), LIMIT, Rounds(1), since)
    assert [each.status for each in found.feedback] == [status]


OPEN = Rounds(1, overall="fail", open=(Open("finding-1", remark()),), named=1)


@table_test(
    ("verdict", "status"), [("met", "pass"), ("unmet", "fail"), ("unclear", "fail")]
)  # fmt: skip
def test_an_open_finding_blocks_until_it_is_mended(verdict, status):
    judged = Judged("finding-1", verdict, (QUOTE,), "see there", 0.1)
    found = assess(Review((judged,)), (), LIMIT, OPEN, UNTOUCHED)
    assert [(each.status, each.message) for each in found.feedback] == [(status, "divides by zero")]
    assert (found.overall, len(found.open)) == (("pass", 0) if status == "pass" else ("fail", 1))


def test_an_open_finding_that_nobody_answers_stays():
    found = assess(Review(), (), LIMIT, OPEN)
    assert (found.overall, found.open) == ("fail", OPEN.open)


def test_an_open_finding_moves_with_its_line_and_keeps_its_name():
    since = Since({"b.py": frozenset((1,))}, {"a.py": Moved("b.py", (Edit(1, 0, 1, 5),))})
    found = assess(Review((said("unmet", name="finding-1"),)), (), LIMIT, OPEN, since)
    assert [(each.id, each.remark.file, each.remark.line) for each in found.open] == [
        ("finding-1", "b.py", 15)
    ]


def test_an_open_finding_that_is_found_again_is_told_once():
    found = assess(Review((said("unmet", name="finding-1"),), (remark(line=11),)), (), LIMIT, OPEN, EDITED)
    assert len(found.feedback) == len(found.open) == 1


def test_new_findings_get_names_that_nobody_has():
    asked = (Criterion("finding-2", "called so by chance", covered=True),)
    review = Review((said("met", name="finding-2"),), (remark(), remark(line=11)._replace(message="leaks")))
    found = assess(review, asked, LIMIT, OPEN, EDITED)
    assert [each.id for each in found.open] == ["finding-1", "finding-3"]
    assert found.named == 3


def test_what_was_met_is_kept_with_its_ground_moved():
    since = Since({"a.py": frozenset((1,))}, {"a.py": Moved("a.py", (Edit(1, 0, 1, 4),))})
    found = assess(Review((said("unclear"),)), (criterion(),), LIMIT, MET, since)
    assert (found.overall, found.met, found.grounds) == ("pass", ("c-1",), (Ground("c-1", "a.py", 14),))


def test_both_languages_are_spoken():
    (told,) = assess(Review((said("unmet"),)), (criterion(),), LIMIT, language="zh").feedback
    assert told.message == "标准 c-1 未满足：because"


_JUDGED = st.builds(
    Judged,
    st.sampled_from(["c-1", "c-2", "finding-1"]),
    st.sampled_from(VERDICTS),
    st.lists(
        st.builds(Quote, st.sampled_from(["a.py", "b.py"]), st.integers(1, 20), st.just("some words")),
        max_size=2,
    ).map(tuple),
    st.just("why"),
    st.floats(0, 1),
    st.just(()),
)
_REMARKS = st.builds(
    Remark,
    st.sampled_from(["spec", "robustness"]),
    st.sampled_from(GRAVITIES),
    st.sampled_from(["", "a.py", "b.py"]),
    st.integers(0, 20),
    st.text(min_size=1, max_size=3),
    st.just(""),
    st.floats(0, 1),
    st.just(""),
    st.booleans(),
)
_CRITERIA = st.tuples(
    st.builds(Criterion, st.just("c-1"), st.just("one"), st.booleans(), st.booleans()),
    st.builds(Criterion, st.just("c-2"), st.just("two"), st.booleans(), st.booleans()),
)
_REVIEWS = st.builds(
    Review,
    st.lists(_JUDGED, max_size=3, unique_by=lambda each: each.criterion).map(tuple),
    st.lists(_REMARKS, max_size=3).map(tuple),
)


def kept(found: Rounds) -> Rounds:
    return Rounds(
        1, "s", "t", found.overall, found.feedback, found.open, found.met, found.grounds, found.named
    )


@given(_REVIEWS, _CRITERIA, st.floats(0, 1))
def test_it_fails_exactly_when_something_blocks(review, criteria, limit):
    found = assess(review, criteria, limit)
    assert (found.overall == "fail") is any(each.status == "fail" for each in found.feedback)
    assert len(found.open) == sum(
        each.status == "fail" and each.rule.startswith("review-") for each in found.feedback
    )


@given(_REVIEWS, _REVIEWS, _CRITERIA)
def test_without_a_change_a_later_round_brings_nothing_new_that_blocks(first, second, criteria):
    before = assess(first, criteria, LIMIT)
    met = set(before.met)
    after = assess(second, criteria, LIMIT, kept(before), UNTOUCHED)
    assert {each.id for each in after.open} <= {each.id for each in before.open}
    blocked = {
        each.message.split(" ")[1]
        for each in after.feedback
        if each.status == "fail" and each.rule == "criterion-unmet"
    }
    assert not blocked & met


@given(_REVIEWS, _CRITERIA)
def test_rounds_survive_as_json(review, criteria):
    rounds = kept(assess(review, criteria, LIMIT))
    assert from_data(json.loads(json.dumps(to_data(rounds)))) == rounds


@table_test("data", [None, [], {"done": "1"}, {"more": 1}, {"open": [{"id": "x"}]}, {"overall": "skipped"}])
def test_data_that_is_not_ours_is_refused(data):
    with pytest.raises(ValueError, match="."):
        from_data(data)
