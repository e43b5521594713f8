"""tasks.md: what counts as a task, and ticking one off."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from donewhen.core.errors import UserError
from donewhen.intake.openspec import Task, read_tasks, tick
from donewhen.intake.openspec.model import Group
from donewhen.intake.openspec.rules_change import task_issues
from donewhen.intake.openspec.tasks import tick_finished, todo_ids
from tests.intake.openspec.support import found
from tests.tables import table_test

TEXT = """# Tasks
## 1. Server
- [ ] 1.1 Add the route
  - [x] 1.1.1 with a test
  * [X] no id
- [~] 1.2a later
## Notes
1) [] 9.9 outside
## 2. Client
+ [-] 2.1 the form
"""


def test_groups_ids_states_and_nesting_are_read():
    tasks = read_tasks(TEXT)
    assert tasks.groups == (Group("1", "Server", 2), Group("2", "Client", 9))
    assert tasks.tasks == (
        Task("1.1", "1.1 Add the route", False, 3, 0, "1"),
        Task("1.1.1", "1.1.1 with a test", True, 4, 1, "1"),
        Task("", "no id", True, 5, 1, "1"),
        Task("1.2a", "1.2a later", False, 6, 0, "1"),
        Task("9.9", "9.9 outside", False, 8, 0, ""),
        Task("2.1", "2.1 the form", False, 10, 0, "2"),
    )
    assert todo_ids(tasks.tasks) == ["1.1", "1.1.1", "task-3", "1.2a", "9.9", "2.1"]


@table_test(
    ("line", "done"),
    [
        ("- [ ] a", False),
        ("* [x] a", True),
        ("+ [X]a", True),
        ("12. [ x ] a", True),
        ("1) [] a", False),
        ("-[ ] a", False),
        ("\t- [?] a", False),
        ("- [ ](looks like a link) but is open", False),
        ("- [x]", True),
        ("```\n- [ ] in a fence\n```", False),
        ("\ufeff- [ ] first line", False),
    ],
)
def test_what_is_a_task(line, done):
    assert [task.done for task in read_tasks(line).tasks] == [done]


@table_test(
    "line",
    [
        "- [A](link)",
        "- [x](link)",
        "- [](link)",
        "- [1][ref]",
        "- [WIP] a",
        "[ ] a",
        "- a [ ]",
        "- [ ",
        "1234567890. [ ] a",
    ],
)
def test_what_is_no_task(line):
    assert read_tasks(line).tasks == ()


@table_test(
    ("text", "issues"),
    [
        (TEXT, []),
        ("## 1. A\n- [ ] 2.1 x\n", [("WARNING", "wrong_group", 2)]),
        ("## 01. A\n- [ ] 1.1 x\n", []),
        ("## 1. A\n- [ ] 1.1 x\n## 2. B\n- [ ] 2.1 y\n- [ ] 2.1 z\n", [("WARNING", "duplicate_task", 5)]),
        ("- [ ] 1.1 x\n- [ ] 1.1 y\n", []),
        ("Intro\n\n- one\n- two\n", [("WARNING", "no_boxes", 3)]),
        ("- one\n- [ ] two\n", []),
        ("```\n- one\n```\n", []),
        ("<!--\n- one\n-->\n", []),
        ("---\ntags:\n- one\n---\nprose\n", []),
        ("    - code\n", []),
        ("prose\n", []),
    ],
)
def test_numbers_that_mislead_and_lists_without_boxes_are_warned_of(text, issues):
    assert found(task_issues("t", read_tasks(text))) == issues
    if "no_boxes" not in str(issues):
        assert task_issues("t", read_tasks(text), "another-workflow") == []


@table_test(
    ("before", "task", "after"),
    [
        ("- [ ] 1.1 a\r\n- [ ] 1.2 b\r\n", "1.2", "- [ ] 1.1 a\r\n- [x] 1.2 b\r\n"),
        ("- [] 1.1 a", "1.1", "- [x] 1.1 a"),
        ("- [~] 1.1 a\n", "1.1", "- [x] 1.1 a\n"),
        ("- [X] 1.1 a\n", "1.1", "- [X] 1.1 a\n"),
        ("- [ ] 1.1 a\n- [ ] 1.1 b\n", "1.1-2", "- [ ] 1.1 a\n- [x] 1.1 b\n"),
        ("- [ ] a\r- [ ] b\r", "task-2", "- [ ] a\r- [x] b\r"),
        ("\ufeff- [ ] a", "task-1", "\ufeff- [x] a"),
        ("- [ ](x) a", "task-1", "- [x] (x) a"),
    ],
)
def test_ticking_changes_one_box_and_nothing_else(before, task, after):
    assert tick(before, task) == after


def test_an_unknown_task_is_refused():
    with pytest.raises(UserError, match="tasks.md has no task 7.7; give the id of one that is listed there"):
        tick(TEXT, "7.7")


LINES = st.sampled_from(
    [
        "- [ ] 1.1 a",
        "- [x] 1.2 b",
        "  * [ ] c",
        "text",
        "",
        "```",
        "## 1. G",
        "1) [~] 1.1 d",
        "- [ ](l)",
        "- [A](l)",
        "\ufeff",
    ]
)


@given(st.lists(st.tuples(LINES, st.sampled_from(["\n", "\r\n", "\r"])), max_size=12), st.data())
def test_a_ticked_task_is_done_and_all_else_is_as_it_was(lines, data):
    text = "".join(line + end for line, end in lines)
    before = read_tasks(text)
    ids = todo_ids(before.tasks)
    assert len(set(ids)) == len(ids)
    if not ids:
        return
    at = data.draw(st.integers(0, len(ids) - 1))
    ticked = tick(text, ids[at])
    after = read_tasks(ticked)
    assert [task.done for task in after.tasks] == [
        task.done or n == at for n, task in enumerate(before.tasks)
    ]
    assert [task.line for task in after.tasks] == [task.line for task in before.tasks]
    changed = [n for n, (a, b) in enumerate(zip(text.split("\n"), ticked.split("\n"), strict=True)) if a != b]
    assert len(changed) == (0 if before.tasks[at].done else 1)
    assert tick(ticked, ids[at]) == ticked


@table_test(
    ("finished", "ticked"),
    [
        ({}, ""),
        ({"1.1": "1.1 First"}, "1.1"),
        ({"1.1-2": "1.1 First"}, "1.1"),  # another source had taken the id
        ({"1.1": "something else"}, ""),
        ({"9": "1.1 First"}, ""),
        ({"1.1": "1.1 First", "1.2": "1.2 Second"}, "1.1 1.2"),
    ],
)
def test_boxes_of_finished_todos(finished: dict[str, str], ticked: str):
    text = "# Work\r\n- [ ] 1.1 First\r\n* [ ] 1.2 Second\n\n- [x] 1.3 Third"
    expected = text
    for name in ticked.split():
        expected = expected.replace(f"[ ] {name}", f"[x] {name}")
    assert tick_finished(text, finished) == expected
