"""Every built-in rule finds its own examples and leaves the others alone."""

from donewhen.core.texts import say
from donewhen.guard import Guard
from donewhen.guard.cases import GROUND
from donewhen.guard.guard import RULE_NAMES
from donewhen.guard.rules import BUILT_IN
from tests.tables import table_test

GUARD = Guard(GROUND)
MATCH = [(rule.name, line) for rule in BUILT_IN for line in rule.match]
NOT_MATCH = [(rule.name, line) for rule in BUILT_IN for line in rule.not_match]


CHECKOUT = Guard(GROUND._replace(checkout=True))
IN_CHECKOUT = {rule.name for rule in BUILT_IN if rule.in_checkout}


def _rules(line: str, rule: str) -> set[str]:
    guard = CHECKOUT if rule in IN_CHECKOUT else GUARD
    return {finding.rule for finding in guard.command(line).findings}


@table_test(("rule", "line"), MATCH)
def test_a_rule_finds_its_examples(rule, line):
    assert rule in _rules(line, rule)


@table_test(("rule", "line"), NOT_MATCH)
def test_a_rule_leaves_its_counter_examples_alone(rule, line):
    assert rule not in _rules(line, rule)


def test_every_rule_about_commands_carries_both_kinds_of_examples():
    bound = {"scope", "kept-file"}  # they need a run's bounds, see test_bounds
    assert [r.name for r in BUILT_IN if not (r.match and r.not_match) and r.name not in bound] == []


def test_names_are_unique_and_every_rule_has_its_sentences():
    names = [rule.name for rule in BUILT_IN]
    assert len(names) == len(set(names))
    for name in RULE_NAMES:
        key = name.replace("-", "_")
        assert say(f"guard.why_{key}", "en", target="x")
        assert say(f"guard.instead_{key}", "zh")
