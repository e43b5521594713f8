"""What all formats share: order, nothing twice, nothing lost, text that is fit to be shown."""

from hypothesis import given
from hypothesis import strategies as st

from donewhen.core.findings import Feedback
from donewhen.core.quality.model import GateResult
from donewhen.ui.reports.formats import FORMATS, REPORTS, output_of, render
from donewhen.ui.reports.plain import block, line, tail
from donewhen.ui.reports.told import ORDER, findings
from tests.tables import table_test
from tests.ui.reports.samples import ACCEPTED, EVERYTHING


def test_formats_are_those_of_the_command_line():
    assert FORMATS == ("text", "json", "sarif", "junit", "md", "github", "html")
    for form in REPORTS:
        for report in (ACCEPTED, EVERYTHING):
            assert render(form, report).endswith("\n")


@table_test(
    ("given", "form", "path"),
    [
        ("sarif=a.json", "sarif", "a.json"),
        ("md=-", "md", "-"),
        ("out/r.sarif", "sarif", "out/r.sarif"),
        ("r.SARIF.json", "sarif", "r.SARIF.json"),
        ("r.xml", "junit", "r.xml"),
        ("r.html", "html", "r.html"),
        ("x=y.md", "md", "x=y.md"),
        ("report", "", "report"),
        ("sarif=", "sarif", ""),
    ],
)
def test_an_output_names_its_form_by_prefix_or_ending(given, form, path):
    assert output_of(given) == (form, path)


def test_gravest_first_then_by_place():
    told = [(each.status, each.rule) for each in findings(EVERYTHING)]
    assert told == [
        ("fail", "S602"),
        ("fail", "test-deleted"),
        ("fail", "pytest"),
        ("fail", "types"),
        ("warning", "uncovered"),
        ("skipped", "complexity"),
        ("skipped", "reviewer"),
        ("pass", "test-renamed"),
    ]


@table_test("verdict", ["could_not_run", "skipped"])
def test_a_gate_that_did_not_run_is_told_once(verdict):
    gate = GateResult("types", verdict)
    alone = findings(ACCEPTED._replace(gates=(gate,)))
    assert [(each.status, each.rule) for each in alone] == [("skipped", "types")]
    said = Feedback("skipped", "quality", "mypy is not there", rule="types")
    assert findings(ACCEPTED._replace(gates=(gate,), feedback=(said, said))) == (said,)


def test_a_required_gate_that_did_not_run_stands_against_the_change():
    (told,) = findings(ACCEPTED._replace(gates=(GateResult("types", "could_not_run", required=True),)))
    assert (told.status, told.message) == ("fail", "types: could not run")


@given(st.lists(st.builds(Feedback, st.sampled_from(ORDER), st.just("style"), st.text(), st.text())))
def test_every_finding_is_told_whatever_the_order(told):
    report = ACCEPTED._replace(feedback=tuple(told), gates=())
    assert set(findings(report)) == set(told)
    assert findings(report._replace(feedback=tuple(reversed(told)))) == findings(report)


@given(st.text(), st.integers(2, 50))
def test_text_is_bounded_printable_and_unicode(text, longest):
    for shown in (line(text, longest), block(text, longest), tail(text, longest)):
        shown.encode()
        assert len(shown) <= longest + 2
        assert all(char in "\n\t" or ord(char) >= 32 for char in shown)
    assert "\n" not in line(text, longest)


@table_test(
    ("text", "shown"),
    [
        ("a\udcffb", "a\\xffb"),
        ("a\ud800b", "a\\ud800b"),
        ("a\r\nb\rc\u2028d", "a\nb\nc\nd"),
        ("\x1b[31mred\x1b[0m", "red"),
        ("abc\u202egnp", "abcgnp"),
    ],
)
def test_what_is_no_text_is_shown_as_an_escape_or_not_at_all(text, shown):
    assert block(text) == shown


def test_a_long_text_says_that_it_was_cut():
    assert line("x" * 500, 10) == "x" * 9 + "…"
    assert block("x" * 500, 10) == "x" * 10 + "…"
    assert tail("y" + "x" * 10, 10) == "…" + "x" * 10
