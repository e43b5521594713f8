"""Gates on a terminal: a line each, findings below, why and how where one did not run."""

import pytest

from donewhen.core.quality.model import GateResult, Violation
from donewhen.core.texts import Phrase
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
    ],
)
def test_each_verdict_has_its_mark(gate, mark, capsys):
    print_gates([gate], "en", verbose=False)
    assert capsys.readouterr().out.splitlines()[2].startswith(f"  {mark} lint")


def test_what_did_not_run_and_nobody_requires_is_one_line_in_all(capsys):
    lacks = Phrase(
        "gates.too_old", {"tool": "flake8", "version": "3", "place": "p", "least": "4", "command": "c"}
    )
    partly = GateResult("lint", "passed", why=lacks, install="pip install flake8", tool="ruff 0.17.4")
    gates = [GateResult("types", "could_not_run"), partly, GateResult("coverage", "skipped")]
    print_gates(gates, "en", verbose=False)
    assert capsys.readouterr().out.splitlines()[2:] == [
        "  ✓ lint  ruff 0.17.4  0.0 s",
        "  ○ not run, not required: types, lint (flake8), coverage; `-v` says why",
    ]
    print_gates(gates, "en", verbose=True)
    assert "is too old" in capsys.readouterr().out


def test_a_finding_of_one_of_several_tools_says_whose_it_was(capsys):
    found = Violation("F401", "unused", "a.py", 1, by="donewhen's own ruff 0.17.4, not the project's")
    for tool, said in (
        (found.by, "unused [F401]"),
        (f"eslint 9.1.0, {found.by}", f"unused (by {found.by}) [F401]"),
    ):
        print_gates([GateResult("lint", "failed", violations=(found,), tool=tool)], "en", verbose=False)
        assert capsys.readouterr().out.splitlines()[3] == f"      a.py:1  {said}"


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
