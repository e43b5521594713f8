"""A change is judged as a whole: what the OpenSpec tools accept, what they refuse, and what they should."""

import pytest

from donewhen.intake.openspec import Issue, validate_change
from tests.intake.openspec.support import (
    FILE,
    MAIN,
    added,
    change_of,
    modified,
    removed,
    renamed,
    requirement,
    scenario,
    spec,
    verdict,
)
from tests.tables import table_test

TWO = requirement("Login", "It SHALL.", "works", "fails")


@table_test(
    ("delta", "main", "issues"),
    [
        pytest.param(added(requirement()), None, [], id="plain"),
        pytest.param(added(requirement()).replace("ADDED Req", "added req"), None, [], id="lower-case section"),
        pytest.param(
            added(requirement()).replace("### R", "###R"), None, [("INFO", "delta_heading_space", 3)], id="no space"
        ),
        pytest.param(added(requirement()).replace("\n", "\r\n"), None, [], id="CRLF"),
        pytest.param(added(requirement()).replace("Scenario: ", ""), None, [], id="scenario without its label"),
        pytest.param(
            added(requirement("A", "It shall.")), None, [("WARNING", "no_keyword", 3)], id="lower-case shall"
        ),
        pytest.param(added(requirement("A", "系统SHALL登录。")), None, [], id="a keyword between Chinese words"),
        pytest.param(added(requirement("A", "It SHALLOWS.")), None, [("WARNING", "no_keyword", 3)], id="no whole word"),
        pytest.param(added(requirement("A")) + added(requirement("B")), None, [], id="two ADDED sections"),
        pytest.param(added(TWO), spec(TWO), [], id="ADDED that is there already, word for word"),
        pytest.param(removed("Gone"), spec(TWO), [("INFO", "removed_absent", 3)], id="REMOVED of a missing name"),
        pytest.param(
            "## REMOVED Requirements\n- `### Requirement: A`\n* ### Requirement: B\n",
            spec(TWO, requirement("A"), requirement("B")),
            [],
            id="REMOVED as bullets",
        ),
        pytest.param(renamed(("Login", "Sign in")), spec(TWO), [], id="RENAMED"),
        pytest.param(renamed(("login", "Login")), spec(TWO), [], id="RENAMED already, letter case only"),
        pytest.param(
            renamed(("Login", "Sign in")) + modified(TWO.replace("Login", "Sign in")), spec(TWO), [], id="renamed and modified"
        ),
        pytest.param(modified(TWO.replace("Login", "Login ##")), spec(TWO), [], id="closing hashes"),
        pytest.param(
            added(requirement()) + "\n### Divider\n",
            None,
            [("INFO", "ignored_heading", 10), ("WARNING", "merged_invalid", 1)],
            id="a heading that is no requirement",
        ),
        pytest.param(
            requirement("Early") + added(requirement()), None, [("WARNING", "outside_sections", 1)], id="outside the sections"
        ),
        pytest.param(
            added(requirement(), requirement("B", "It MUST.") + "#### Scenario: later\n"),
            None,
            [("INFO", "bare_scenario", 16)],
            id="one scenario with steps, one without",
        ),
        pytest.param(
            added(requirement()) + "## REMOVED Requirements\n\n",
            None,
            [("INFO", "section_without_entry", 9)],
            id="a blank section beside another",
        ),
        pytest.param(
            added(requirement()) + "## REMOVED Requirements\n- Old\n",
            None,
            [("WARNING", "section_without_entry", 9)],
            id="a section whose entries are not read",
        ),
        pytest.param(
            added(requirement()) + "##REMOVED Requirements\n### Requirement: Old\nIt SHALL.\n" + scenario(),
            None,
            [("WARNING", "near_section", 9)],
            id="a heading that was meant as a section",
        ),
        pytest.param(
            removed("Login"), spec(TWO), [("WARNING", "empties", 1)], id="the last requirement is removed"
        ),
    ],
)  # fmt: skip
def test_what_is_accepted(delta, main, issues):
    assert verdict(delta, main) == issues


@table_test(
    ("delta", "issues"),
    [
        pytest.param("", [("ERROR", "no_delta_section", 1)], id="empty file"),
        pytest.param(f"```\n{added(requirement())}\n```\n", [("ERROR", "no_delta_section", 1)], id="all in a fence"),
        pytest.param(
            requirement(), [("WARNING", "outside_sections", 1), ("ERROR", "no_delta_section", 1)], id="no section"
        ),
        pytest.param(
            "# ADDED Requirements\n" + requirement(),
            [("WARNING", "near_section", 1), ("ERROR", "no_delta_section", 1), ("WARNING", "outside_sections", 2)],
            id="section at the wrong level",
        ),
        pytest.param("## ADDED Requirements\ntext\n", [("ERROR", "empty_section", 1)], id="no entry"),
        pytest.param("## REMOVED Requirements\n- Old\n", [("ERROR", "empty_section", 1)], id="a bullet without heading"),
        pytest.param(
            added("### Requirement: A\nIt SHALL.\n"), [("ERROR", "no_scenario", 3)], id="no scenario"
        ),
        pytest.param(
            added("### Requirement: A\nIt SHALL.\n#### Scenario: s\n\n"), [("ERROR", "empty_scenario", 5)], id="no steps"
        ),
        pytest.param(
            added("### Requirement: A\nIt SHALL.\n### Scenario: s\n- x\n"),
            [("INFO", "ignored_heading", 5), ("ERROR", "scenario_form", 5)],
            id="level-3 scenario",
        ),
        pytest.param(
            added("### Requirement: A\nIt SHALL.\n##### Scenario: s\n- x\n"), [("ERROR", "scenario_form", 5)], id="level 5"
        ),
        pytest.param(
            added("### Requirement: A\nIt SHALL.\n- **Scenario: s**\n"), [("ERROR", "scenario_form", 5)], id="bullet"
        ),
        pytest.param(
            added("### Requirement: A\nIt SHALL.\n####Scenario: s\n- x\n"), [("ERROR", "scenario_form", 5)], id="unspaced"
        ),
        pytest.param(
            added("### Requirement: A\nIt SHALL.\n```\n#### Scenario: s\n- x\n```\n"),
            [("ERROR", "no_scenario", 3)],
            id="scenario in a fence",
        ),
        pytest.param(added(requirement("A", "")), [("ERROR", "no_statement", 3)], id="no statement"),
        pytest.param(
            added(requirement("It SHALL work", "")), [("ERROR", "keyword_in_heading", 3)], id="SHALL only in the heading"
        ),
        pytest.param(added(requirement(), requirement()), [("ERROR", "duplicate", 10)], id="duplicate name"),
        pytest.param(
            added(requirement()) + added(requirement("Login ###")), [("ERROR", "duplicate", 11)], id="over two sections"
        ),
        pytest.param(added(requirement("A")) + removed("A"), [("ERROR", "two_sections", 11)], id="ADDED and REMOVED"),
        pytest.param(
            modified(requirement("A")) + added(requirement("A")), [("ERROR", "two_sections", 11)], id="MODIFIED and ADDED"
        ),
        pytest.param(removed("A", "A"), [("ERROR", "duplicate", 4)], id="REMOVED twice"),
        pytest.param(renamed(("A", "B"), ("A", "C")), [("ERROR", "duplicate_side", 5)], id="FROM twice"),
        pytest.param(renamed(("A", "C"), ("B", "C")), [("ERROR", "duplicate_side", 6)], id="TO twice"),
        pytest.param(
            renamed(("A", "B")) + modified(requirement("A")), [("ERROR", "modified_old_name", 7)], id="MODIFIED the old name"
        ),
        pytest.param(
            renamed(("A", "B")) + added(requirement("B")), [("ERROR", "added_rename_target", 4)], id="ADDED the new name"
        ),
        pytest.param(renamed(("A a", "B")) + removed("a  A"), [("ERROR", "removed_and_renamed", 7)], id="RENAMED and REMOVED"),
        pytest.param(
            "## RENAMED Requirements\n- FROM: `### Requirement: A`\n",
            [("ERROR", "empty_section", 1), ("ERROR", "half_rename", 2)],
            id="half a rename",
        ),
        pytest.param(
            f"<!--\n{added(requirement())}\n-->\n", [("ERROR", "hidden", 2)], id="the whole delta in a comment"
        ),
        pytest.param(
            added(requirement()) + "<!-- later:\n" + removed("Old") + "-->\n", [("ERROR", "hidden", 10)], id="a part of it"
        ),
        pytest.param("<!-- never closed\n" + added(requirement()), [("ERROR", "hidden", 2)], id="an open comment"),
    ],
)  # fmt: skip
def test_what_is_refused_whatever_the_main_spec_says(delta, issues):
    assert verdict(delta) == issues


@table_test(
    "delta",
    [
        added(requirement("A", "It SHALL skip `<!--` and go on.")),
        added("<!-- a note -->\n" + requirement("A")),
        added(requirement("A", "It SHALL <!-- why?\nnot -->\nwork.")),
        f"```\n<!--\n```\n{added(requirement())}",
    ],
)
def test_a_comment_that_hides_no_heading_is_no_problem(delta):
    assert verdict(delta) == []


@table_test(
    ("delta", "main", "issue"),
    [
        pytest.param(added(requirement()), spec(TWO), ("ERROR", "added_exists", 3), id="ADDED of an existing name"),
        pytest.param(added(requirement("LOGIN")), spec(TWO), ("ERROR", "added_near", 3), id="ADDED but for the case"),
        pytest.param(modified(requirement("Out")), spec(TWO), ("ERROR", "modified_missing", 3), id="MODIFIED missing"),
        pytest.param(modified(requirement("login")), spec(TWO), ("ERROR", "modified_near", 3), id="MODIFIED, other case"),
        pytest.param(modified(requirement("A")), None, ("ERROR", "modified_new", 3), id="MODIFIED of a new capability"),
        pytest.param(renamed(("A", "B")), None, ("ERROR", "renamed_new", 3), id="RENAMED of a new capability"),
        pytest.param(renamed(("Out", "Away")), spec(TWO), ("ERROR", "renamed_missing", 3), id="RENAMED missing"),
        pytest.param(renamed(("login", "In")), spec(TWO), ("ERROR", "renamed_near", 3), id="RENAMED, other case"),
        pytest.param(
            renamed(("Login", "Out")), spec(TWO, requirement("Out")), ("ERROR", "rename_taken", 4), id="RENAMED to a taken name"
        ),
        pytest.param(
            renamed(("Login", "out")), spec(TWO, requirement("Out")), ("ERROR", "rename_taken", 4), id="but for the case"
        ),
        pytest.param(removed("log in"), spec(requirement("Log  In")), ("ERROR", "removed_near", 3), id="REMOVED, a typo"),
        pytest.param(modified(requirement()), spec(TWO), ("ERROR", "drops_scenario", 3), id="a scenario is dropped"),
        pytest.param(
            modified(requirement("Login", "It SHALL.", "works", "fails")),
            spec(requirement("Login", "It SHALL.", "works", "fails", "fails")),
            ("ERROR", "drops_scenario", 3),
            id="one of two of a name is dropped",
        ),
        pytest.param(
            renamed(("Login", "B"), ("B", "C")) + modified(requirement("C")),
            spec(TWO),
            ("ERROR", "drops_scenario", 9),
            id="dropped along a chain of renames",
        ),
    ],
)  # fmt: skip
def test_what_no_merge_would_take(delta, main, issue):
    assert verdict(delta, main) == [issue]


def test_a_dropped_scenario_is_named_beside_other_errors():
    delta = modified(requirement(), requirement("B", ""))
    assert verdict(delta, spec(TWO, requirement("B"))) == [
        ("ERROR", "no_statement", 10),
        ("ERROR", "drops_scenario", 3),
    ]


def test_a_main_spec_that_can_not_be_merged_into_is_named_itself():
    (issue,) = validate_change(change_of(modified(TWO), spec(TWO, TWO)))
    assert (issue.key, issue.file, issue.line) == ("openspec.duplicate", MAIN, 19)


def test_an_issue_is_one_sentence_with_its_place_in_both_languages():
    (issue,) = validate_change(change_of(modified(requirement()), spec(TWO)))
    assert issue == Issue(
        "ERROR", "openspec.drops_scenario", FILE, 3, {"main": MAIN, "name": "Login", "scenarios": "“fails”"}
    )
    assert str(issue) == (
        f"{FILE}:3: MODIFIED “Login” would drop “fails” of {MAIN}; copy what shall stay into the block"
    )
    assert (
        issue.say("zh")
        == f"{FILE}:3：MODIFIED 的“Login”会丢掉 {MAIN} 中的“fails”；请把应保留的内容复制到该块中"
    )


def test_what_a_hostile_name_holds_is_shown_harmlessly():
    (issue,) = validate_change(change_of(added("### Requirement: a\x1b[2Jb {place}\u202e\nIt SHALL.\n")))
    assert "“a\\x1b[2Jb {place}\\u202e”" in str(issue)
