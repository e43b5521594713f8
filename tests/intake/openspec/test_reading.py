"""Specs, deltas and proposals are read as the OpenSpec tools read them, each element with its line."""

from hypothesis import given
from hypothesis import strategies as st

from donewhen.intake.openspec import (
    Proposal,
    Requirement,
    Scenario,
    read_config,
    read_delta,
    read_meta,
    read_proposal,
    read_spec,
    read_tasks,
    validate_change,
    validate_spec,
)
from donewhen.intake.openspec.model import Mark, Named, Removal, Rename, Section
from tests.intake.openspec.support import PURPOSE, added, change_of, requirement, scenario, spec
from tests.tables import table_test

PIECES = st.sampled_from(
    [
        "# ", "## ", "### ", "#### ", "##### ", "###", "ADDED Requirements", "MODIFIED Requirements",
        "REMOVED Requirements", "RENAMED Requirements", "Requirements", "Purpose", "Why", "Requirement: A",
        "Requirement: a", "Scenario: s", "- FROM: ", "- TO: ", "`### Requirement: B`", "- [ ] 1.1 x", "- [x] ",
        "```", "~~~~", "<!--", "-->", "\n", "\n", "\n\n", "\r\n", "\r", " ", "\t", "text SHALL", "**ID**: 1", "#",
        "\ufeff", "\u2028", "导出", "- - - -", "skip_specs: true", "schema: spec-driven", ": ", "[", "{",
    ]
)  # fmt: skip
TEXTS = st.one_of(st.text(max_size=300), st.lists(PIECES, max_size=60).map("".join))


def test_a_delta_is_read_with_its_lines():
    text = (
        "# Delta\n\n## added requirements\n\n### Requirement: Login\n**ID**: R1\nPeople SHALL get in\nwith a name.\n\n"
        "#### Scenario: works\n- **WHEN** a\n\n- **THEN** b\n\n"
        "## REMOVED Requirements\n### Requirement: Old\n**Reason**: x\n- `### Requirement: Older`\n"
        "## RENAMED Requirements\n- FROM: `### Requirement: A`\n- TO: `### Requirement: B`\n"
    )
    delta = read_delta(text)
    works = Scenario("works", ("- **WHEN** a", "", "- **THEN** b"), 10)
    block = text[text.index("### Requirement: Login") : text.index("\n\n## REMOVED")]
    assert delta.added == (Requirement("Login", "People SHALL get in\nwith a name.", (works,), 5, block),)
    assert delta.removed == (Removal("Old", 16), Removal("Older", 18))
    assert delta.renamed == (Rename("A", "B", 20, 21),)
    assert delta.sections == (
        Section("ADDED", 3, 1, False),
        Section("REMOVED", 15, 2, False),
        Section("RENAMED", 19, 1, False),
    )


@table_test(
    "change_text",
    [lambda t: t.replace("\n", "\r\n"), lambda t: t.replace("\n", "\r"), lambda t: "\ufeff" + t],
)
def test_line_ends_and_a_byte_order_mark_change_nothing(change_text):
    text = added(requirement())
    assert read_delta(change_text(text)) == read_delta(text)
    assert read_spec(change_text(spec(requirement()))) == read_spec(spec(requirement()))


@table_test(
    ("heading", "name"),
    [
        ("### Requirement: Login", "Login"),
        ("###Requirement: Login", "Login"),
        ("### requirement:Login", "Login"),
        ("###\tREQUIREMENT:   Login  ", "Login"),
        ("### Requirement: Login ###", "Login"),
        ("### Requirement: C#", "C#"),
        ("### Requirement: F# ##", "F#"),
        ("### Requirement: 导出 报表", "导出 报表"),
    ],
)
def test_a_requirement_heading_has_many_spellings(heading, name):
    delta = read_delta(f"## ADDED Requirements\n{heading}\nIt SHALL.\n{scenario()}")
    assert [each.name for each in delta.added] == [name]


@table_test(
    "heading",
    [
        "#### Requirement: A",
        "## Requirement: A",
        " ### Requirement: A",
        "### Requirement A",
        "### Requirement:",
        "- ### Requirement: A",
    ],
)
def test_what_is_no_requirement_heading_names_nothing(heading):
    assert read_delta(f"## ADDED Requirements\n{heading}\n").added == ()


@table_test(
    ("heading", "name"),
    [
        ("#### Scenario: ok", "ok"),
        ("#### scenario:ok", "ok"),
        ("#### Edge case", "Edge case"),
        ("#### Scenario: ok ####", "ok"),
        ("####\tScenario: C#", "C#"),
    ],
)
def test_any_level_4_heading_is_a_scenario(heading, name):
    delta = read_delta(f"## ADDED Requirements\n### Requirement: A\nIt SHALL.\n{heading}\n- x\n")
    assert [each.name for each in delta.added[0].scenarios] == [name]


@table_test(
    ("opening", "closing", "hidden"),
    [
        ("```", "```", True),
        ("    ~~~~ md", "~~~~~", True),
        ("````", "```", True),  # too short to close: the rest is code as well
        ("``", "``", False),
        ("```", "``` x", True),
        ("~~~", "```", True),
    ],
)
def test_a_fence_hides_structure(opening, closing, hidden):
    delta = read_delta(f"{opening}\n{added(requirement())}\n{closing}\n")
    assert (delta.sections == ()) is hidden


def test_a_fence_ends_where_its_like_ends_it():
    delta = read_delta(
        "## ADDED Requirements\n~~~\n### Requirement: No\n```\n~~~\n### Requirement: Yes\nIt SHALL.\n"
    )
    assert [each.name for each in delta.added] == ["Yes"]


def test_metadata_is_a_statement_only_when_there_is_nothing_else():
    delta = read_delta(
        added("### Requirement: A\n**Constraint**: it MUST\n", "### Requirement: B\n**ID**: 1\nIt MUST\n")
    )
    assert [each.statement for each in delta.added] == ["**Constraint**: it MUST", "It MUST"]


def test_the_statement_ends_at_the_first_heading_and_skips_code():
    delta = read_delta(
        "## ADDED Requirements\n### Requirement: A\none\n```\ncode\n```\ntwo\n### Note\nthree\n"
    )
    assert delta.added[0].statement == "one\ntwo"
    assert delta.ignored == (Mark("Note", "ADDED Requirements", 8),)


def test_a_rename_needs_both_sides_next_to_each_other():
    delta = read_delta(
        "## RENAMED Requirements\n* FROM: ### Requirement: A\nFROM: `###Requirement: B ##`\n+ TO: `### Requirement: C`\n"
        "- TO: `### Requirement: D`\n- FROM: `### Requirement: E`\n## RENAMED Requirements\n- TO: `### Requirement: F`\n"
    )
    assert delta.renamed == (Rename("B", "C", 3, 4),)
    assert [(half.side, half.name, half.line) for half in delta.halves] == [
        ("FROM", "A", 2),
        ("TO", "D", 5),
        ("FROM", "E", 6),
        ("TO", "F", 8),
    ]


def test_a_main_spec_is_read_in_the_parts_that_a_merge_needs():
    text = (
        "# Auth\n\n## purpose\nWhy it is.\n\n## REQUIREMENTS\nAll of it.\n\n"
        + requirement()
        + "\n## Notes\nx\n"
    )
    page = read_spec(text)
    assert (page.title, page.purpose, page.purpose_line, page.requirements_line) == (
        "Auth",
        "Why it is.",
        3,
        6,
    )
    assert (page.before, page.heading) == ("# Auth\n\n## purpose\nWhy it is.", "## REQUIREMENTS")
    assert (page.preamble, page.after) == ("All of it.", "## Notes\nx")
    assert [(each.name, each.line) for each in page.requirements] == [("Login", 9)]


def test_a_proposal_gives_title_reasons_and_capabilities():
    text = (
        "# Change: Add login ##\n\n## Why\nPeople can't get in. It hurts.\n\n## What Changes\n- add it\n\n"
        "## Capabilities\n### New Capabilities\n- `auth`: signing in\n- `platform/session` stays\n- none\n"
        "### Modified Capabilities\n- `shop`: cart\n## Impact\nsmall\n"
    )
    assert read_proposal(text) == Proposal(
        "Add login",
        "People can't get in. It hurts.",
        "- add it",
        "small",
        (Named("auth", "signing in", 11), Named("platform/session", "stays", 12)),
        (Named("shop", "cart", 15),),
        1,
    )


def test_a_purpose_in_a_comment_or_a_fence_is_none():
    assert read_delta(f"## Purpose\n{PURPOSE}" + added(requirement())).purpose == PURPOSE.strip()
    assert read_delta(f"<!--\n## Purpose\n{PURPOSE}-->\n" + added(requirement())).purpose == ""
    assert read_delta("## Purpose\n<!-- to be written -->\n" + added(requirement())).purpose == ""


@given(TEXTS, TEXTS)
def test_nothing_that_is_written_makes_reading_fail(one, two):
    page = read_delta(one)
    assert all(each.line >= 1 for each in page.added + page.modified)
    read_spec(one), read_tasks(one), read_proposal(one), read_meta(one, "m"), read_config(one, "c")
    issues = validate_spec(one, "s") + validate_change(change_of(one, two)) + validate_change(change_of(one))
    for issue in issues:
        assert issue.line <= max(one.count("\n") + one.count("\r"), two.count("\n") + two.count("\r")) + 1
        for language in ("en", "zh"):
            said = issue.say(language)
            assert "\n" not in said and said.isprintable()
