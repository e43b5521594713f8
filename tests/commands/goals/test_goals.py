"""Which commands a goal requires and whether its exam is active: tables of goals, both languages."""

from donewhen.commands.goals import parse_goal
from tests.commands.goals import chinese, english, fourth, further, more
from tests.commands.goals.english import Case
from tests.tables import table_test

TABLES = (english, chinese, more, further, fourth)
CASES: list[Case] = [case for table in TABLES for case in (*table.REQUIRED, *table.NOT_REQUIRED)]


@table_test(("goal", "commands", "active"), CASES)
def test_a_goal_requires_exactly_its_acceptance_commands(goal, commands, active):
    parsed = parse_goal(goal)
    assert (tuple(each.label for each in parsed.commands), parsed.active) == (commands, active)


def test_the_tables_are_large_and_hold_no_goal_twice():
    goals = [goal for goal, _, _ in CASES]
    assert len(goals) == len(set(goals)) > 300
