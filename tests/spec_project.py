"""A small Python project with an OpenSpec change, and a model that does the work: from `run --spec` to the end."""

from collections.abc import Iterable
from typing import Any

from donewhen.testing import Answer, Call, FakeModel
from donewhen.testing.model import Then
from tests.helpers import Cli
from tests.llm_support import CHAT, KEY, Played, at, configured
from tests.projects import CART, CART_TEST, TESTS, repository

CHANGE = "add-discount"
FOLDER = f"openspec/changes/{CHANGE}"
TASKS = f"{FOLDER}/tasks.md"
SCENARIOS = (
    "cart/discount/a-fifth-off",
    "cart/discount/nothing-off",
    "cart/discount-limits/more-than-everything",
    "cart/discount-limits/less-than-nothing",
)
MAIN_SPEC = """\
# cart Specification

## Purpose
The cart knows what is in it and what all of it costs together.

## Requirements
### Requirement: Total
The cart SHALL add up its prices.

#### Scenario: Two prices
- **WHEN** the prices are 1 and 2
- **THEN** the total is 3
"""
DELTA = """\
## ADDED Requirements
### Requirement: Discount
The cart SHALL take a percentage off its total.

#### Scenario: A fifth off
- **WHEN** 20 percent are taken off a total of 100
- **THEN** 80 is left

#### Scenario: Nothing off
- **WHEN** 0 percent are taken off a total of 100
- **THEN** 100 is left

### Requirement: Discount limits
The cart SHALL refuse a percentage that makes no sense.

#### Scenario: More than everything
- **WHEN** 101 percent are to be taken off
- **THEN** a ValueError is raised

#### Scenario: Less than nothing
- **WHEN** -1 percent are to be taken off
- **THEN** a ValueError is raised
"""
PROPOSAL = """\
# Discounts

## Why
Customers with a card get a percentage off, and until now people at the counter do the sum by hand.

## What Changes
- The cart takes a percentage off its total.
"""
TASK_LIST = """\
## 1. Cart
- [ ] 1.1 Take a percentage off the total
- [ ] 1.2 Refuse percentages below 0 and above 100

## 2. Tests
- [ ] 2.1 One test for each scenario
"""
FILES = {
    "cart.py": CART,
    "test_cart.py": CART_TEST,
    "openspec/specs/cart/spec.md": MAIN_SPEC,
    f"{FOLDER}/proposal.md": PROPOSAL,
    f"{FOLDER}/specs/cart/spec.md": DELTA,
    TASKS: TASK_LIST,
}
DISCOUNT = f"""\
{CART}

def discounted(prices, percent):
    if not 0 <= percent <= 100:
        raise ValueError(f"{{percent}} percent can't be taken off")
    return total(prices) * (100 - percent) / 100
"""
DISCOUNT_TEST = f"""\
import unittest

from cart import discounted


class Discount(unittest.TestCase):
    def test_a_fifth_off(self):
        # scenario: {SCENARIOS[0]}
        self.assertEqual(discounted([60, 40], 20), 80)

    def test_nothing_off(self):
        # scenario: {SCENARIOS[1]}
        self.assertEqual(discounted([60, 40], 0), 100)

    def test_more_than_everything(self):
        # scenario: {SCENARIOS[2]}
        with self.assertRaises(ValueError):
            discounted([100], 101)

    def test_less_than_nothing(self):
        # scenario: {SCENARIOS[3]}
        with self.assertRaises(ValueError):
            discounted([100], -1)
"""
WRITE = Call("write_file", {"path": "cart.py", "content": DISCOUNT})
WRITE_TESTS = Call("write_file", {"path": "test_discount.py", "content": DISCOUNT_TEST})
CLAIM = Call("complete", {"summary": "The cart takes a percentage off."})


def moved(status: str, *ids: str) -> Call:
    return Call("todo_write", {"todos": [{"id": name, "status": status} for name in ids]})


BEGIN, FINISH = moved("in_progress", "1.1", "1.2", "2.1"), moved("completed", "1.1", "1.2", "2.1")
DECK: tuple[Answer | Call, ...] = (BEGIN, Answer(calls=(WRITE, WRITE_TESTS)), FINISH, CLAIM)


def spec_project(cli: Cli, more: dict[str, str] | None = None) -> None:
    repository(cli.folder, FILES | (more or {}))


def play_spec(
    cli: Cli,
    answers: Iterable[Answer | Call | str] = DECK,
    *words: str,
    then: Then = "stop",
    **settings: Any,
) -> Played:
    """`donewhen run --spec` on the project with a model that gives these answers."""
    if not (cli.folder / ".git").exists():
        spec_project(cli)
    with FakeModel(answers, key=KEY, then=then) as fake:
        configured(cli, CHAT, at(fake, CHAT), **settings)
        done = cli("run", "--spec", CHANGE, "--accept", TESTS, "--json", *words)
        assert done.exit != 70, done.err
        assert "Traceback" not in done.err
    return Played(cli, fake, done)
