"""How things stand is said last in every prompt: all that is open, and nothing that is no longer so."""

import pytest

from donewhen.testing import Call
from tests.helpers import Cli
from tests.llm_support import CHAT, FIX, play
from tests.projects import TESTS

pytestmark = pytest.mark.models

BREAK = Call("edit_file", {"path": "cart.py", "edits": [{"old": "sum(prices)", "new": "sum(prices) + 2"}]})
TEST = Call("run_command", {"command": TESTS})
AWAY = Call("run_command", {"command": "sleep 1000", "background": True})
MANY = [word for number in range(25) for word in ("--accept", f"test -f part{number}.txt")]


def standing(cli: Cli, *answers: Call, words: tuple[str, ...] = ()) -> list[str]:
    played = play(cli, CHAT, answers, *words)
    return [str(each.body["messages"][-1]["content"]) for each in played.asked]


def test_everything_that_is_open_is_named_whatever_its_number(cli: Cli):
    first, *later = standing(cli, FIX, TEST, words=tuple(MANY))
    assert "nothing was run or changed yet" in first
    for text in later:
        missing = [number for number in range(25) if f"- open: test -f part{number}.txt: " not in text]
        assert missing == []


@pytest.mark.runs
def test_a_proof_of_another_tree_is_open_again_also_while_something_runs_in_the_background(cli: Cli):
    texts = standing(cli, FIX, TEST, AWAY, BREAK, TEST)
    after_break = texts[4]
    assert f"- proven: {TESTS}" not in after_break
    assert f"- open: {TESTS}: " in after_break
    assert f"- open: {TESTS}: its own summary reports" in texts[5]
