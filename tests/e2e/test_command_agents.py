"""`donewhen run --agent CLIENT`: a program of others does the work, and only the gate says when it is done."""

import json

import pytest

from donewhen.core.events import facts, run
from tests.clients_support import FIX, KEY, Fake, claude, codex, gemini, log_of, opencode
from tests.helpers import Cli
from tests.projects import CART, TESTS, git
from tests.runs import QUICK, attempts, bodies, broken_cart, settings, told

GATES = False
PRINTS = {"claude": claude, "codex": codex, "gemini": gemini, "opencode": opencode}
GOES_ON = {
    "claude": ("--resume", "s-1"),
    "codex": ("resume", "t-1"),
    "gemini": ("--resume", "g-1"),
    "opencode": ("--session", "ses_1"),
}


@pytest.mark.parametrize("name", PRINTS)
def test_a_false_success_is_refused_and_the_same_session_goes_on(cli: Cli, name: str):
    user = broken_cart(cli)
    fake = Fake(cli, name)
    fake.plan({"print": PRINTS[name]("All tests pass.")}, {**FIX, "print": PRINTS[name]()})

    done = fake.run(name, *QUICK)

    data = done.json
    assert (done.exit, data["decision"]["stop_reason"]) == (0, "accepted"), done.err
    assert attempts(cli, data["run"]) == ["continue", "accepted"]
    assert git(user, "show", f"{data['branch']}:cart.py") == CART.rstrip()
    first, second = (call["argv"] for call in fake.calls)
    assert any("Fix the cart" in word and TESTS in word for word in first)
    assert all(word not in first for word in GOES_ON[name][1:])
    assert all(word in second for word in GOES_ON[name])
    assert any("unittest" in word for word in second)
    opened = next(each for each in bodies(cli, data["run"]) if isinstance(each, run.WorkspaceOpened))
    assert {call["cwd"] for call in fake.calls} == {opened.path}
    changed = [each.path for each in bodies(cli, data["run"]) if isinstance(each, facts.FileChanged)]
    assert changed == ["cart.py"]
