"""Merging on paper: what a main spec becomes, and what is refused before anything could be lost."""

from hypothesis import given
from hypothesis import strategies as st

from donewhen.intake.openspec import Merged, Refused, Target, merge, read_delta, read_spec, validate_spec
from donewhen.intake.openspec.merging import Counts
from tests.intake.openspec.support import (
    FILE,
    MAIN,
    PURPOSE,
    added,
    found,
    modified,
    removed,
    renamed,
    requirement,
    spec,
    verdict,
)
from tests.tables import table_test

TARGET = Target("auth", FILE, MAIN, "add-login")


def merged(main: str | None, delta: str, *, retire: bool = False) -> Merged | Refused:
    return merge(main, read_delta(delta), TARGET._replace(retire=retire))


def text_of(result: Merged | Refused) -> str:
    assert isinstance(result, Merged) and result.text is not None
    return result.text


def refusal(result: Merged | Refused) -> list[tuple[str, str, int]]:
    assert isinstance(result, Refused)
    return found(list(result.issues))


def test_all_four_operations_in_their_order():
    main = (
        f"# auth Specification\n\n## Purpose\n{PURPOSE}\n\n\n## Requirements\nThe rules.\n"
        + requirement("A")
        + requirement("B")
        + "\n\n"
        + requirement("C")
        + "## Notes\nkept\n\n\n"
    )
    delta = (
        added(requirement("New", "It MUST be new."))
        + "\n"
        + modified(requirement("Z", "It MUST change.", "works", "more"))
        + removed("B")
        + renamed(("A", "Z"))
    )
    result = merged(main, delta)
    assert isinstance(result, Merged) and result.counts == Counts(1, 1, 1, 1)
    assert result.text == (
        f"# auth Specification\n\n## Purpose\n{PURPOSE}\n## Requirements\n\nThe rules.\n\n"
        + requirement("Z", "It MUST change.", "works", "more")
        + "\n"
        + requirement("C")
        + "\n"
        + requirement("New", "It MUST be new.")
        + "\n## Notes\nkept\n"
    )


def test_a_new_capability_gets_a_skeleton_with_the_purpose_of_the_delta():
    result = merged(None, f"## Purpose\n{PURPOSE}\n" + added(requirement()))
    assert text_of(result) == spec(requirement())
    bare = merged(None, added(requirement()) + removed("Old"))
    assert isinstance(bare, Merged)
    sentence = "TBD - created by archiving change add-login. Update Purpose after archive.\n"
    assert bare.text == spec(requirement()).replace(PURPOSE, sentence)
    assert found(list(bare.notes)) == [("INFO", "removed_absent", 11)]


@table_test("purpose", ["It is <!-- not --> plain.", "Why\n# Heading", "Why\n```\nopen"])
def test_a_purpose_that_would_break_the_new_spec_is_left_out(purpose):
    delta = read_delta(added(requirement()))._replace(purpose=purpose)
    result = merge(None, delta, TARGET)
    assert isinstance(result, Merged) and result.text is not None
    assert "TBD - created by archiving change add-login" in result.text
    assert found(list(result.notes)) == [("INFO", "purpose_unused", 1)]


def test_a_rename_keeps_the_place_and_the_content():
    main = spec(requirement("A"), requirement("B"))
    assert text_of(merged(main, renamed(("A", "Z")))) == spec(requirement("Z"), requirement("B"))
    assert text_of(merged(main, renamed(("A", "Y"), ("Y", "Z")))) == spec(requirement("Z"), requirement("B"))
    assert text_of(merged(spec(requirement("a")), renamed(("a", "A")))) == spec(requirement("A"))


def test_what_is_there_already_leaves_the_spec_as_it_is_to_the_byte():
    odd = spec(requirement("A")).replace("\n\n##", "\n\n\n\n##") + "\n\n"
    delta = added(requirement("A")) + removed("Gone") + renamed(("Old", "A"))
    result = merged(odd, delta)
    assert isinstance(result, Merged)
    assert (result.text, result.changed) == (odd, False)


def test_blank_lines_in_code_stay_and_others_become_one():
    block = "### Requirement: A\nIt SHALL.\n\n\n\n```\na\n\n\n\nb\n```\n\n\n#### Scenario: s\n- x\n"
    text = text_of(merged(spec(requirement()), added(block)))
    assert text.endswith("### Requirement: A\nIt SHALL.\n\n```\na\n\n\n\nb\n```\n\n#### Scenario: s\n- x\n")
    assert merged(text, added(block)) == Merged(text)


def test_the_line_ends_of_the_main_spec_stay():
    main = spec(requirement("A")).replace("\n", "\r\n")
    text = text_of(merged(main, added(requirement("B"))))
    assert text == spec(requirement("A"), requirement("B")).replace("\n", "\r\n")


def test_a_heading_gets_the_space_that_main_specs_need_and_keeps_its_closing_hashes():
    delta = added(requirement("B")).replace("### Requirement: B", "###requirement: B ##")
    text = text_of(merged(spec(requirement("A")), delta))
    assert "\n### requirement: B ##\n" in text
    assert [each.name for each in read_spec(text).requirements] == ["A", "B"]
    assert merged(text, delta) == Merged(text)


def test_all_reasons_are_given_at_once():
    delta = (
        added(requirement("A", "It MUST differ."))
        + "\n"
        + modified(requirement("Nope"))
        + renamed(("No", "B"))
    )
    assert refusal(merged(spec(requirement("A")), delta)) == [
        ("ERROR", "renamed_missing", 20),
        ("ERROR", "modified_missing", 12),
        ("ERROR", "added_exists", 3),
    ]


def test_the_last_requirement_goes_only_when_the_change_says_so():
    main = spec(requirement("A"))
    assert refusal(merged(main, removed("A"))) == [("ERROR", "empties", 1)]
    assert merged(main, removed("A"), retire=True) == Merged(None, Counts(removed=1))


@table_test(
    ("main", "line"),
    [
        (spec(requirement("A"), after="\n## Notes\nx\n"), 0),
        (spec(requirement("A"), after="\nA word at the end.\n"), 15),
        (spec(requirement("A"), after="\n- a bullet apart\n"), 15),
        (spec(requirement("A"), after="| a | table |\n"), 14),
        (spec("A preamble.\n", requirement("A")), 7),
        (spec(requirement("A")).replace("## Purpose", "A word.\n## Purpose"), 3),
        (spec(requirement("A")).replace("## Requirements", "## Other\nx\n## Requirements"), 6),
        (spec(requirement("A", "It SHALL.\n<div>x</div>")), 10),
    ],
)
def test_a_spec_is_retired_only_when_every_line_is_accounted_for(main, line):
    (found_one,) = refusal(merged(main, removed("A"), retire=True))
    assert found_one == ("ERROR", "retire_leftover", line)


def test_steps_may_be_wrapped_and_hold_code_when_a_spec_is_retired():
    steps = "- **WHEN** a\n  wrapped\nlazily\n```\ncode\n```\n- **THEN** b\n"
    main = spec("### Requirement: A\nIt SHALL.\n- one\n\n#### Scenario: s\n\n" + steps)
    assert merged(main, removed("A"), retire=True) == Merged(None, Counts(removed=1))


def test_an_open_fence_that_would_swallow_a_requirement_is_refused():
    main = spec(requirement("A") + "\n```\nnever closed\n")
    assert refusal(merged(main, added(requirement("B")))) == [("ERROR", "merge_lost", 1)]


NAMES = st.lists(st.sampled_from(["A", "B", "C c", "D", "导出", "F#"]), min_size=1, unique=True)
FATES = st.sampled_from(["keep", "remove", "rename", "modify", "rename and modify"])
SCENARIOS = st.lists(st.sampled_from(["s", "t", "s t"]), min_size=1, max_size=3)
HEADINGS = st.sampled_from(["### Requirement: ", "### requirement:", "###Requirement: "])


@st.composite
def pairs(draw: st.DrawFn) -> tuple[str, str]:
    """A main spec and a delta that fits it."""
    main, changed, gone, moved = [], [], [], []
    for name in draw(NAMES):
        had = draw(SCENARIOS)
        main.append(requirement(name, "It SHALL.", *had))
        fate = draw(FATES)
        new = f"New {name}" if "rename" in fate else name
        moved += [(name, new)] if new != name else []
        gone += [name] if fate == "remove" else []
        if "modify" in fate:
            changed.append(requirement(new, "It MUST.", *draw(SCENARIOS), *had))
    heading = draw(HEADINGS)
    fresh = [
        requirement("Fresh").replace("### Requirement: ", heading),
        requirement("Also", "It MUST.\n\n\n\nYes."),
    ]
    parts = [added(*fresh), modified(*changed), removed(*gone), renamed(*moved)]
    return spec(*main, after=draw(st.sampled_from(["", "\n## Notes\nx\n"]))), "\n".join(
        draw(st.permutations(parts))
    )


@given(pairs(), st.sampled_from(["\n", "\r\n"]))
def test_a_merged_spec_is_valid_and_merging_again_changes_nothing(pair, end):
    main, delta = pair[0].replace("\n", end), pair[1]
    assert not any(level == "ERROR" for level, _, _ in verdict(delta, main))
    result = merged(main, delta)
    text = text_of(result)
    assert not any(issue.level == "ERROR" for issue in validate_spec(text, "m"))
    again = merged(text, delta)
    assert isinstance(again, Merged)
    assert (again.text, again.counts) == (text, Counts())
    assert text.endswith(end) and not text.endswith(end * 2) and end * 3 not in text
