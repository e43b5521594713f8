"""Money as people read it: what is little is told from nothing."""

from donewhen.ui.runs_text import held, money
from tests.tables import table_test


@table_test(
    ("micros", "shown"),
    [
        (None, "–"),
        (0, "$0.00"),
        (1, "$0.000001"),
        (12, "$0.000012"),
        (1234, "$0.0012"),
        (4000, "$0.0040"),
        (12_345, "$0.012"),
        (90_000, "$0.09"),
        (994_999, "$0.995"),
        (999_999, "$1.000"),
        (1_234_567, "$1.23"),
        (10_000_000, "$10.00"),
    ],
)
def test_a_small_amount_is_not_rounded_to_nothing(micros, shown):
    assert money(micros) == shown


def test_what_is_held_is_told_only_where_there_is_some():
    assert (held(0), held(90_000)) == ("", " + $0.09 held")
