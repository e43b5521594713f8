"""A verdict that rests on text which can't be found is void."""

from hypothesis import given
from hypothesis import strategies as st

from donewhen.verify.review_protocol import NEAR, Judged, Quote, Remark, Review, Verdict, check_quotes
from tests.tables import table_test

FILES = {
    "a.py": "import os\n\n\ndef add(a, b):\n    # sums\n    return  a +\tb\n\n\ndef other():\n    pass\n\n\nend = True\n",
    "src/b.txt": "第一行说明文字\r\n第二行\r\n",
    "empty": "",
}
tree = FILES.get


def judged(*quotes: Quote, verdict: Verdict = "met") -> Judged:
    (found,) = check_quotes(Review((Judged("c-1", verdict, quotes, "so"),)), tree).judged
    return found


@table_test(
    "quote",
    [
        Quote("a.py", 6, "    return  a +\tb"),
        Quote("a.py", 6, "return a + b"),
        Quote("a.py", 4, "return a + b"),
        Quote("a.py", 8, "return a + b"),
        Quote("./a.py", 6, "return a + b"),
        Quote("a.py", 4, "def add(a, b):\n    # sums\n    return a + b"),
        Quote("a.py", 4, "add(a, b):"),
        Quote("src/b.txt", 1, "第一行说明"),
        Quote("src/b.txt", 1, "第一行说明文字\n第二行"),
        Quote("a.py", 13, "end = True"),
    ],
)
def test_a_quote_that_stands_there_holds(quote):
    assert (judged(quote).verdict, judged(quote).void) == ("met", ())


@table_test(
    ("quote", "key"),
    [
        (Quote("a.py", 6, "return a - b"), "semantic.quote_not_there"),
        (Quote("a.py", 3, "return a + b"), "semantic.quote_not_there"),
        (Quote("a.py", 9, "return a + b"), "semantic.quote_not_there"),
        (Quote("a.py", 10**8, "return a + b"), "semantic.quote_not_there"),
        (Quote("a.py", 6, "return a + b\nand more that is not there"), "semantic.quote_not_there"),
        (Quote("a.py", 10, "pass"), "semantic.quote_short"),
        (Quote("a.py", 10, "   pass  "), "semantic.quote_short"),
        (Quote("a.py", 4, "(((((((((((("), "semantic.quote_short"),
        (Quote("a.py", 1, ""), "semantic.quote_short"),
        (Quote("b.py", 6, "return a + b"), "semantic.quote_no_file"),
        (Quote("../a.py", 6, "return a + b"), "semantic.quote_no_file"),
        (Quote("/etc/passwd", 1, "root:x:0:0:root"), "semantic.quote_no_file"),
        (Quote("a.py\0", 6, "return a + b"), "semantic.quote_no_file"),
        (Quote("empty", 1, "return a + b"), "semantic.quote_not_there"),
    ],
)
def test_a_met_verdict_without_a_quote_that_holds_is_void(quote, key):
    found = judged(quote)
    assert (found.verdict, found.quotes) == ("unclear", ())
    assert [each.key for each in found.void] == ["semantic.void", key]


def test_met_without_any_quote_is_void():
    assert [each.key for each in judged().void] == ["semantic.void", "semantic.no_quote"]


def test_one_quote_that_holds_is_enough_and_the_others_are_told():
    good, bad = Quote("a.py", 6, "return a + b"), Quote("a.py", 6, "return a * b")
    found = judged(bad, good)
    assert (found.verdict, found.quotes) == ("met", (good,))
    assert [each.key for each in found.void] == ["semantic.quote_not_there"]


def test_what_is_missing_can_not_be_quoted_but_must_not_be_made_up():
    assert judged(verdict="unmet").verdict == "unmet"
    assert judged(Quote("a.py", 6, "return a * b"), verdict="unmet").verdict == "unclear"
    assert (
        judged(Quote("a.py", 6, "return a * b"), verdict="unclear").void[0].key == "semantic.quote_not_there"
    )


def test_a_criterion_may_be_excused_from_quoting():
    review = Review((Judged("finding-1", "met", (), "deleted"),))
    assert check_quotes(review, tree, {"finding-1"}).judged[0].verdict == "met"


def test_nothing_outside_of_the_tree_is_asked_for():
    asked: list[str] = []

    def spy(path: str) -> str | None:
        asked.append(path)
        return None

    quotes = tuple(
        Quote(file, 1, "return a + b") for file in ("../x", "/x", "~/x", "a/../../x", "C:\\x", "x")
    )
    check_quotes(Review((Judged("c-1", "met", quotes),)), spy)
    assert asked == ["x"]


@table_test(
    ("file", "line", "misplaced"),
    [
        ("a.py", 6, False),
        ("a.py", 0, False),
        ("", 0, False),
        ("no.py", 1, True),
        ("a.py", 99, True),
        ("../a.py", 1, True),
    ],
)
def test_a_finding_at_a_place_that_does_not_exist_is_misplaced(file, line, misplaced):
    remark = Remark("spec", "high", file, line, "wrong")
    assert check_quotes(Review((), (remark,)), tree).remarks[0].misplaced is misplaced


@given(
    st.lists(st.text("abcdefgh ", min_size=9, max_size=20), min_size=1, max_size=12),
    st.integers(-6, 6),
    st.data(),
)
def test_a_copied_line_holds_within_two_lines_of_its_place(lines, off, data):
    lines = [f"{number}:{line}wordy" for number, line in enumerate(lines)]
    at = data.draw(st.integers(1, len(lines)))
    quote = Quote("f", max(1, at + off), lines[at - 1])
    (found,) = check_quotes(Review((Judged("c", "met", (quote,)),)), lambda _: "\n".join(lines)).judged
    assert (found.verdict == "met") is (abs(quote.line - at) <= NEAR)
