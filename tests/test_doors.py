"""The warm door of the tests shows what the real one does: a call with its modules loaded, and a new interpreter."""

import json
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.helpers import COLD, Cli, Result
from tests.projects import BUG, TESTS, UNITTEST, repository

GATES = False  # they have tests of their own

pytestmark = pytest.mark.skipif(
    COLD or any(name.startswith("COVERAGE_") for name in os.environ),
    reason="there is just one door in this run",
)


@pytest.mark.parametrize(
    ("words", "stdin"),
    [
        (["--version"], b""),
        (["--help"], b""),
        ([], b""),
        (["nonsense"], b""),
        (["show", "r-x"], b""),
        (["list", "--json"], b""),
        (["config", "show"], b""),
        (["guard", "check", "rm -rf /"], b""),
        (["guard", "check", "ls \udcff"], b""),
        (["match", "npm test", "npm test | tail"], b""),
        (["gate", "decide", "-"], b"{}"),
        (["gate", "decide", "-"], b"\xff"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_both_doors_say_the_same(cli: Cli, words: list[str], stdin: bytes):
    assert cli(*words, stdin=stdin) == cli.cold(*words, stdin=stdin)


def judged(done: Result) -> tuple[int, object, object]:
    data = json.loads(done.out)
    return done.exit, data["decision"]["status"], data["changed"]


@pytest.mark.parametrize("cart", [UNITTEST["cart.py"], BUG], ids=["right", "wrong"])
def test_both_doors_judge_a_change_alike(cli: Cli, cart: str):
    repository(cli.folder, UNITTEST)
    (cli.folder / "cart.py").write_text(cart)
    words = ("verify", "--accept", TESTS, "--json")
    assert judged(cli(*words)) == judged(cli.cold(*words))


def test_calls_leave_nothing_behind_in_one_another(cli: Cli, tmp_path: Path):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    first = cli("config", "show", "--json")
    assert cli("config", "show", "--json", cwd=elsewhere, DONEWHEN_RUNTIME__PARALLEL_TOOLS="2") != first
    assert cli("config", "show", "--json") == first


def test_calls_at_the_same_time_are_not_confused(cli: Cli):
    commands = ["ls", "rm -rf /", "npm publish", "git push --force", "cat a", "make"]
    one_by_one = [cli("guard", "check", command) for command in commands]
    with ThreadPoolExecutor(len(commands)) as pool:
        assert list(pool.map(lambda command: cli("guard", "check", command), commands)) == one_by_one
