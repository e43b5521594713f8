"""Markdown specs: acceptance sections, titles, tasks."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from donewhen.commands import parse
from donewhen.core.errors import UserError
from donewhen.core.promise import Criterion
from donewhen.intake.markdown import markdown_spec
from donewhen.intake.parts import Parts, TodoPart
from tests.tables import table_test

PAGE = """\
---
title: front matter
---
# Add login

Prose with `npm run nope` and a fence:

```md
## Acceptance criteria
- not this
```

## Acceptance criteria
Some words first:
- [ ] a user can log in
  with a name
  - by password
  - by key
- [x] `npm test` passes
- ~~by carrier pigeon~~

```sh
npm run lint
```

### More
1. second list

## Tasks
- [ ] 1.1 Write it
  - with care
  - [x] 1.2 nested
- [ ] plain
"""


def read(text: str) -> Parts:
    return markdown_spec(text, parse, "s.md")


def test_a_page_is_read_whole():
    parts = read(PAGE)
    assert parts._replace(accept=()) == Parts(
        "s.md (Markdown)",
        "Add login",
        (
            Criterion(
                "acceptance-criteria-1",
                "a user can log in with a name\n- by password\n- by key",
                source="s.md:15",
            ),
            Criterion("acceptance-criteria-2", "`npm test` passes", source="s.md:19"),
            Criterion("acceptance-criteria-3", "second list", source="s.md:27"),
        ),
        todos=(
            TodoPart({"id": "1.1", "content": "Write it\n- with care"}, "s.md:30"),
            TodoPart({"id": "1.2", "content": "nested", "status": "completed"}, "s.md:32"),
            TodoPart({"id": "t3", "content": "plain"}, "s.md:33"),
        ),
        places={"objective": "s.md:4"},
    )
    assert [(e.label, e.source) for e in parts.accept] == [
        ("npm test", "s.md:19"),
        ("npm run lint", "s.md:23"),
    ]


@table_test(
    "heading",
    [
        "# Acceptance",
        "## Acceptance Criteria:",
        "### 3.2 Acceptance criteria (login)",
        "## ✅ Definition of Done",
        "###### Done when",
        "## Done when all of this holds",
        "## Exit criteria ##",
        "## **Success criteria**",
        "## Login acceptance criteria",
        "Acceptance criteria\n===",
        "Definition of done\n---",
        "**Acceptance criteria:**",
        "__Done when__:",
        "Done when:",
        "## 验收标准",
        "## 一、验收标准",
        "## 登录功能验收标准",
        "## 验收",
        "## 完成条件",
        "**完成标准：**",
        "验收标准：",
        "  ## Acceptance",
        "## Requirements",
        "## 需求",
    ],
)
def test_headings_that_mean_acceptance(heading):
    parts = read(f"# Title\n\ntext\n\n{heading}\n\n- it works\n")
    assert [each.description for each in parts.criteria] == ["it works"]
    assert parts.objective == "Title"


@table_test(
    "text",
    [
        "# Title\n\n- it works\n",
        "# Acceptance of cookies\n- it works\n",
        "## Nonacceptance criterias\n- it works\n",
        "<!--\n## Acceptance\n- it works\n-->\n",
        "~~~\n## Acceptance\n- it works\n",
        "    ## Acceptance\n\n    - it works\n",
        "",
    ],
)
def test_a_page_without_acceptance_says_which_heading_to_add(text):
    with pytest.raises(UserError, match="s.md has no section.*## Acceptance criteria"):
        read(text)


def test_an_empty_acceptance_section_is_refused():
    with pytest.raises(UserError, match="acceptance section at s.md:3 is empty"):
        read("# T\n\n## Acceptance\n\n<!-- list them -->\n\n## Next\n- no\n")


def test_a_section_ends_at_the_next_heading_of_its_level():
    parts = read("## Done when\n- one\n### Deeper\n- two\n**Label:**\n- three\n## Other\n- four\n")
    assert [each.description for each in parts.criteria] == ["one", "two", "three"]


def test_a_label_ends_at_the_next_label_or_heading():
    parts = read("**Done when:**\n- one\n\n**Notes:**\n- two\n")
    assert [each.description for each in parts.criteria] == ["one"]


def test_acceptance_wins_over_requirements():
    parts = read("## Requirements\n- wish\n## Acceptance\n- must\n")
    assert [each.description for each in parts.criteria] == ["must"]


def test_several_sections_add_up_and_nested_ones_count_once():
    parts = read(
        "## Acceptance\n### Acceptance criteria\n- one\n## Definition of done\n- two\n## Acceptance\n- three\n"
    )
    assert [(each.id, each.description) for each in parts.criteria] == [
        ("acceptance-1", "one"),
        ("definition-of-done-1", "two"),
        ("acceptance-1-2", "three"),
    ]


def test_tables_scenarios_headings_and_paragraphs_count_where_there_is_no_list():
    table = read("## Acceptance\n\n| # | What |\n|---|:--|\n| 1 | it works |\n| 2 | it \\| stays |\n")
    assert [each.description for each in table.criteria] == ["1 — it works", "2 — it \\| stays"]
    gherkin = read(
        "## Acceptance\n```gherkin\nFeature: x\n  Scenario: log in\n    Given a user\n    Then ok\n```\n"
    )
    assert [each.description for each in gherkin.criteria] == ["log in\n- Given a user\n- Then ok"]
    headed = read("## Acceptance\n### AC1: fast\nin a second\n### AC2: safe\n")
    assert [each.description for each in headed.criteria] == ["AC1: fast\n- in a second", "AC2: safe"]
    prose = read("## Acceptance\nIt must\nwork.\n\nIt must stay.\n")
    assert [each.description for each in prose.criteria] == ["It must work.", "It must stay."]


def test_windows_line_ends_and_a_comment_that_never_ends_change_nothing():
    parts = read("# T\r\n\r\nsee `<!--`\r\n\r\n## Acceptance\r\n- one\r\n- two\r\n")
    assert [(each.description, each.source) for each in parts.criteria] == [
        ("one", "s.md:6"),
        ("two", "s.md:7"),
    ]


def test_without_a_title_the_first_words_are_the_objective():
    assert read("Make it fast.\n\n## Acceptance\n- one\n").objective == "Make it fast."
    assert read("## Acceptance\n- one\n").objective == "one"


@given(st.text(alphabet="#-* |`~x\n\t[]<>!=:1.验收", max_size=200))
def test_any_page_is_read_or_refused(text):
    try:
        parts = read(f"## Acceptance\n- always\n{text}")
    except UserError:
        return
    assert parts.criteria or parts.accept
    assert len({each.id for each in parts.criteria}) == len(parts.criteria)


def test_hostile_pages_are_read():
    for piece in (
        "# Acceptance\n",
        "- " * 50 + "\n",
        "<!--",
        "|",
        "**",
        "`" * 3 + "\n",
        "  - x\n",
        "a\n===\n",
        "| a |\n|-|\n",
    ):
        text = "## Acceptance\n- one\n" + piece * (20_000 // len(piece))
        assert read(text).criteria


def test_what_a_section_says_is_not_asked_for_does_not_count():
    parts = read(
        "## Acceptance\n- one\n### Out of scope\n- two\n- `npm run e2e` passes\n### Also\n- three\n**Optional:**\n- four\n"
    )
    assert [each.description for each in parts.criteria] == ["one", "three"]
    assert parts.accept == ()


def test_commands_count_wherever_they_stand_in_the_section():
    text = (
        "## Acceptance\nRun these:\n\n```sh\ncd web && npm ci\nnpm test\n```\n### Types\n- [ ] `mypy .` is clean\n"
        "- don't run `npm run e2e`\n\nAlso `make lint` must pass.\n"
    )
    assert [(e.label, e.cwd, e.source) for e in read(text).accept] == [
        ("npm ci", "web", "s.md:5"),
        ("npm test", "web", "s.md:6"),
        ("mypy .", "", "s.md:9"),
        ("make lint", "", "s.md:12"),
    ]


def test_a_page_that_is_too_long_is_refused():
    with pytest.raises(UserError, match="s.md is larger than 256 KiB"):
        read("## Acceptance\n- one\n" + "x" * 256 * 1024)
