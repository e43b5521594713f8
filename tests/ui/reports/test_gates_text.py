"""Gates on a terminal: a line each, findings below, why and how where one did not run."""

import pytest

from donewhen.core.quality.model import GateResult, Violation
from donewhen.ui.reports.gates_text import print_gates
from tests.ui.reports.samples import EVERYTHING, attacked


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_whole_section(language, capsys, snapshot):
    print_gates(EVERYTHING.gates, language, verbose=False)
    assert capsys.readouterr().out == snapshot


def test_a_gate_that_passed_is_one_line(capsys):
    print_gates(
        [GateResult("lint", "passed", tool="ruff 0.17.4", files=3, duration_ms=100)], "en", verbose=False
    )
    assert capsys.readouterr().out == "\nQuality gates\n  ✓ lint  ruff 0.17.4  3 files  0.1 s\n"


@pytest.mark.parametrize(
    ("gate", "mark"),
    [
        (GateResult("lint", "failed", required=True), "✗"),
        (GateResult("lint", "failed"), "!"),
        (GateResult("lint", "could_not_run", required=True), "○"),
        (GateResult("lint", "could_not_run"), "○"),
        (GateResult("lint", "skipped"), "○"),
    ],
)
def test_each_verdict_has_its_mark(gate, mark, capsys):
    print_gates([gate], "en", verbose=False)
    assert capsys.readouterr().out.splitlines()[2].startswith(f"  {mark} lint")


def test_no_gates_print_nothing(capsys):
    print_gates([], "en", verbose=True)
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(("verbose", "lines"), [(False, 11), (True, 14)])
def test_findings_are_bounded_unless_all_are_asked_for(verbose, lines, capsys):
    many = tuple(Violation("r", f"m{at}", "a.py", at + 1) for at in range(14))
    print_gates([GateResult("lint", "failed", violations=many)], "en", verbose=verbose)
    below = capsys.readouterr().out.splitlines()[3:]
    assert len(below) == lines
    assert below[0] == "      a.py:1  m0 [r]"
    assert ("… and 4 more" in below[-1]) is not verbose


def test_foreign_text_stays_on_its_line(capsys):
    print_gates(attacked().gates, "en", verbose=True)
    out = capsys.readouterr().out
    assert not set("\x1b\x00\u202e\r") & set(out)
    assert len(out.splitlines()) == 7
