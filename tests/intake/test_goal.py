"""The goal and --accept as sources."""

import pytest

from donewhen.commands import parse
from donewhen.commands.goals import Goal, GoalCommand, GoalFile, Place
from donewhen.core.accept import Accept
from donewhen.core.checks import Check
from donewhen.core.errors import UserError
from donewhen.core.texts import Phrase
from donewhen.intake.goal import accept_flags, checked_goal, goal_parts, objective_of
from donewhen.intake.parts import Parts
from tests.tables import table_test

ONE = GoalCommand("npm test", "", Place(0, 1), "goal.why_list")
TWO = GoalCommand("npm run build", "web ui", Place(9, 3), "goal.why_list")


def test_an_active_goal_gives_its_commands_and_files():
    goal = Goal((ONE, TWO), True, (GoalFile("docs/guide.md", Place(20, 2)),))
    assert goal_parts("Build it\nand\nso on", goal, parse) == Parts(
        "goal",
        "Build it and so on",
        checks=(
            Check("file_exists", "docs/guide.md", params={"nonempty": "true"}, source="goal:2", by="goal"),
        ),
        accept=(
            Accept("npm test", "npm test", ("npm", "test"), source="goal:1"),
            Accept("npm run build", "npm run build", ("npm", "run", "build"), "web ui", source="goal:3"),
        ),
    )


def test_an_inactive_goal_gives_only_its_files():
    goal = Goal((ONE,), False, (GoalFile("a.md", Place(0, 1)),))
    parts = goal_parts("write a.md", goal, parse)
    assert parts.accept == ()
    assert [(each.target, each.source) for each in parts.checks] == [("a.md", "goal")]


def test_a_file_outside_the_workspace_is_a_warning():
    parts = goal_parts("x", Goal(files=(GoalFile("/etc/motd", Place(0, 1)),)), parse, "g.md")
    assert parts.checks == ()
    assert parts.warnings == (Phrase("intake.file_outside", {"place": "g.md", "path": "/etc/motd"}),)


def test_a_command_of_the_goal_that_needs_a_shell_is_refused_and_not_dropped():
    goal = Goal((ONE, GoalCommand("npm test > $OUT", "", Place(0, 4), "goal.why_list")), True)
    with pytest.raises(UserError, match="goal:4: 'npm test > \\$OUT' needs a shell"):
        goal_parts("a\nb", goal, parse)


def test_flags_are_commands_and_chains_are_several():
    parts = accept_flags(("cd web && npm ci && CI=1 npm test", "pytest"), parse)
    assert [(e.label, e.cwd, e.env, e.source) for e in parts.accept] == [
        ("npm ci", "web", (), "--accept"),
        ("CI=1 npm test", "web", (("CI", "1"),), "--accept"),
        ("pytest", "", (), "--accept"),
    ]


@table_test(
    "command", ["", "  ", "''", "cd x && '' y", "' ' z", "a |", "a | b", "a &", "cd x", "echo $X", "a\udcff"]
)
def test_a_flag_that_is_no_plain_command_is_one_sentence(command):
    with pytest.raises(UserError) as caught:
        accept_flags((command,), parse)
    assert "--accept" in str(caught.value)


@table_test(
    ("text", "sentence"),
    [
        (" \n", "goal is empty"),
        ("caf\udce9", "goal is not UTF-8"),
        ("x" * (256 * 1024 + 1), "goal is larger than 256 KiB"),
        ("目" * 100_000, "goal is larger than 256 KiB"),
    ],
)
def test_what_can_be_no_goal_is_refused(text, sentence):
    with pytest.raises(UserError, match=sentence):
        checked_goal(text)


@table_test(
    ("text", "objective"),
    [
        ("Fix it", "Fix it"),
        ("\n\n  # Fix it \nmore", "Fix it"),
        ("Fix\nthe bug\n\nDone when", "Fix the bug"),
        ("word " * 400, ("word " * 400)[:499].rstrip() + "…"),
    ],
)
def test_the_objective_is_the_first_paragraph(text, objective):
    assert objective_of(text) == objective


def test_a_file_that_may_be_empty_only_has_to_be_there():
    files = (GoalFile("lib/py.typed", Place(0, 1), empty=True), GoalFile("notes.md", Place(9, 1)))
    parts = goal_parts("x", Goal(files=files), parse)
    assert [(each.target, dict(each.params)) for each in parts.checks] == [
        ("lib/py.typed", {}),
        ("notes.md", {"nonempty": "true"}),
    ]
