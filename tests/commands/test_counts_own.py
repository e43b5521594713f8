"""unittest's own summary among those of inner suites, of products that print some, and of cheats."""

from hypothesis import given
from hypothesis import strategies as st

from donewhen.commands.counts import Noted, last_counts, own_counts
from tests.tables import table_test

RULE = "-" * 70


def summary(ran: int, failed: int = 0, *, ruled: bool = True) -> str:
    verdict = f"FAILED (failures={failed})" if failed else "OK"
    rule = f"{RULE}\n" if ruled else ""
    return f"{rule}Ran {ran} tests in 0.001s\n\n{verdict}\n"


CASES = {
    "one summary is read as ever": (summary(3), Noted(3, 0), None),
    "the product prints summaries": (summary(3) + summary(2, 1, ruled=False), Noted(3, 0), 3),
    "the product prints first": (summary(2, 1, ruled=False) + summary(3), Noted(3, 0), 3),
    "an inner suite fails on purpose": (summary(1, 1) + summary(2), Noted(3, 1), 2),
    "an inner suite passes": (summary(1) + summary(2), Noted(3, 0), 2),
    "a red is covered by a printed green": (summary(3, 1) + summary(3), Noted(3, 1), None),
    "a red is covered by a small green": (summary(3, 1) + summary(1), Noted(4, 1), None),
    "the last one is red": (summary(2) + summary(1, 1), Noted(3, 1), None),
    "nothing was noted": (summary(1) + summary(2), Noted(0, 0), None),
    "more is printed than was noted": (summary(3, 1) + summary(9), Noted(3, 1), None),
}


@table_test("name", CASES)
def test_the_own_summary_is_the_one_that_agrees_with_what_was_noted(name: str):
    output, noted, executed = CASES[name]
    counts = own_counts(output, noted)
    assert (counts.executed if counts else None) == executed


@given(st.lists(st.tuples(st.integers(1, 9), st.integers(0, 3)), min_size=1, max_size=4), st.integers(1, 9))
def test_a_printed_green_never_covers_a_red_that_was_noted(real: list[tuple[int, int]], fake: int):
    real = [(ran, min(ran, failed)) for ran, failed in real]
    noted = Noted(sum(ran for ran, _ in real), sum(failed for _, failed in real))
    output = "".join(summary(ran, failed) for ran, failed in real) + summary(fake)
    counts = own_counts(output, noted)
    assert counts is None or not noted.failed


@table_test(
    ("output", "executed"),
    [
        (summary(1, 1) + summary(2), 2),
        (summary(2, 1, ruled=False) + summary(3), 3),
        (summary(3), None),
        (summary(3, 1) + summary(1), None),
        (summary(1) + summary(3, 1), None),
    ],
)
def test_without_notes_the_last_summary_stands_if_it_is_green_and_the_largest(
    output: str, executed: int | None
):
    counts = last_counts(output)
    assert (counts.executed if counts else None) == executed
