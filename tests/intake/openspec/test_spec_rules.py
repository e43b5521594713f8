"""Main specs: every rule, with the line and the real cause."""

import pytest

from donewhen.intake.openspec import validate_spec
from tests.intake.openspec.support import PURPOSE, found, requirement, scenario, spec
from tests.tables import table_test

GOOD = requirement()


def levels(text: str, hashes: dict[str, str]) -> str:
    for old, new in hashes.items():
        text = text.replace(f"\n{old}", f"\n{new}")
    return text


@table_test(
    ("text", "issues"),
    [
        pytest.param(spec(GOOD), [], id="plain"),
        pytest.param(spec(GOOD).replace("## Purpose", "## PURPOSE"), [], id="any letter case"),
        pytest.param(spec(GOOD, after="\n## Notes\n### Any heading\n"), [], id="other sections"),
        pytest.param(spec(requirement("A"), requirement("a")), [], id="names differ in letter case"),
        pytest.param(spec(GOOD).replace(PURPOSE, "Short.\n"), [("WARNING", "purpose_short", 3)], id="short Purpose"),
        pytest.param(
            spec(GOOD).replace(PURPOSE, "TODO write this later, when there is time to think about it all.\n"),
            [("WARNING", "purpose_placeholder", 3)],
            id="TODO",
        ),
        pytest.param(
            spec(GOOD).replace(PURPOSE, "TBD - created by archiving change x. Update Purpose after archive.\n"),
            [("WARNING", "purpose_placeholder", 3)],
            id="what archiving writes",
        ),
        pytest.param(
            spec(GOOD).replace(PURPOSE, "Todo lo que hace falta para entrar en la tienda sin problemas ni esperas.\n"),
            [],
            id="a word that only looks like it",
        ),
        pytest.param(spec(requirement("A", "It shall.")), [("WARNING", "no_keyword", 8)], id="no keyword"),
        pytest.param(spec(requirement("A", "It SHALL " + "x" * 500)), [("INFO", "long_statement", 8)], id="long"),
        pytest.param(
            spec("### The system SHALL work\n" + scenario()), [("WARNING", "no_label", 8)], id="a requirement without label"
        ),
        pytest.param(
            spec(GOOD, "<!--\n" + requirement("Old") + "-->\n"), [("WARNING", "hidden_in_main", 16)], id="in a comment"
        ),
    ],
)  # fmt: skip
def test_what_is_accepted(text, issues):
    assert found(validate_spec(text, "s")) == issues


@table_test(
    ("text", "issues"),
    [
        pytest.param("", [("ERROR", "no_section", 1), ("ERROR", "no_section", 1)], id="empty"),
        pytest.param(spec(GOOD).replace(f"## Purpose\n{PURPOSE}", ""), [("ERROR", "no_section", 1)], id="no Purpose"),
        pytest.param(spec(GOOD).replace(PURPOSE, ""), [("ERROR", "empty_purpose", 3)], id="empty Purpose"),
        pytest.param(spec(), [("ERROR", "no_requirements", 6)], id="no requirement"),
        pytest.param(f"## Purpose\n{PURPOSE}", [("ERROR", "no_section", 1)], id="no Requirements"),
        pytest.param(spec(GOOD).replace("## Purpose", "##Purpose"), [("ERROR", "section_form", 3)], id="unspaced Purpose"),
        pytest.param(
            spec(GOOD).replace("## Requirements", "## Requirements ##"),
            [("ERROR", "section_form", 6), ("ERROR", "outside_requirements", 8)],
            id="closing hashes",
        ),
        pytest.param(spec(GOOD, GOOD), [("ERROR", "duplicate", 15)], id="duplicate"),
        pytest.param(spec(GOOD, GOOD.replace("Login", "Login ##")), [("ERROR", "duplicate", 15)], id="but for closing hashes"),
        pytest.param(spec(GOOD, after="\n## More\n" + requirement("B")), [("ERROR", "outside_requirements", 16)], id="outside"),
        pytest.param(
            spec(GOOD, after="\n## ADDED Requirements\n" + requirement("B")),
            [("ERROR", "delta_in_main", 15), ("ERROR", "outside_requirements", 16)],
            id="a delta",
        ),
        pytest.param(spec("### Requirement: A\nIt SHALL.\n"), [("ERROR", "no_scenario", 8)], id="no scenario"),
        pytest.param(spec("### Requirement: A\nIt SHALL.\n#### S\n"), [("ERROR", "empty_scenario", 10)], id="no steps"),
        pytest.param(spec(requirement("A", "")), [("ERROR", "no_statement", 8)], id="no statement"),
        pytest.param(spec(requirement("It MUST", "")), [("ERROR", "keyword_in_heading", 8)], id="only in the heading"),
        pytest.param(spec(GOOD, "### Divider\ntext\n"), [("ERROR", "divider", 15)], id="divider"),
        pytest.param(
            spec("### Requirement: A\nIt SHALL.\n### Divider\n" + scenario()),
            [("ERROR", "no_scenario", 8), ("WARNING", "no_label", 10)],
            id="a divider takes the scenario",
        ),
        pytest.param(spec(scenario()), [("ERROR", "loose_scenario", 8)], id="a scenario of nothing"),
        pytest.param(spec(GOOD).replace("### R", "###R"), [("ERROR", "heading_space", 8)], id="the space is missing"),
        pytest.param(
            spec(GOOD, requirement("B").replace("### R", "###R")), [("ERROR", "heading_space", 15)], id="in the second one"
        ),
        pytest.param(
            levels(spec(GOOD), {"## P": "# P", "## R": "# R", "### R": "## R", "#### S": "### S"}),
            [("ERROR", "section_level", 3), ("ERROR", "section_level", 6), ("ERROR", "requirement_level", 8)],
            id="everything one level too high",
        ),
        pytest.param(
            levels(spec(GOOD), {"#### S": "##### S", "### R": "#### R", "## R": "### R", "## P": "### P"}),
            [("ERROR", "section_level", 3), ("ERROR", "section_level", 6), ("ERROR", "requirement_level", 8)],
            id="everything one level too low",
        ),
        pytest.param(
            levels(spec(GOOD), {"### R": "#### R", "#### S": "##### S"}), [("ERROR", "requirement_level", 8)], id="only those"
        ),
        pytest.param(spec(GOOD).replace("#### S", "##### S"), [("ERROR", "scenario_form", 11)], id="level-5 scenario"),
    ],
)  # fmt: skip
def test_what_is_refused(text, issues):
    assert found(validate_spec(text, "s")) == issues
