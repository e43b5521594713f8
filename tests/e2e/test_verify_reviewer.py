"""`verify --reviewer`: what is asked, what it may cost, and what is shown when the money does not suffice."""

import pytest

from donewhen.core.events import run
from donewhen.testing import FakeModel
from tests.helpers import Cli
from tests.llm_support import CHAT, CLAIM, FIX, KEY, at, configured, play
from tests.projects import write
from tests.review_support import AGREES
from tests.runs import broken_cart

GATES = False
JUDGE = ("--reviewer", "openai:judge")


def mended(cli: Cli, url: str = "") -> tuple[str, ...]:
    """A cart that was mended by hand, and the words that judge it; `url`: where models are."""
    if url:
        configured(cli, CHAT, url)
    folder = broken_cart(cli)
    write(folder, {"cart.py": (folder / "cart.py").read_text().replace("sum(prices) + 1", "sum(prices)")})
    return ("verify", "--accept", "python3 -m unittest", "--goal", "Fix the cart")


def test_a_reviewer_that_does_not_exist_leaves_no_run(cli: Cli):
    done = cli(*mended(cli), "--reviewer", "nonsense")
    assert (done.exit, "nonsense" in done.err) == (2, True), done
    assert cli("list", "-q").out == ""


def test_what_was_run_is_shown_when_the_budget_does_not_suffice(cli: Cli):
    with FakeModel(AGREES, key=KEY) as fake:
        words = (*mended(cli, at(fake, CHAT)), *JUDGE, "--budget", "0.0001")
        done, text = cli(*words, "--json"), cli(*words)
    assert (done.exit, text.exit, fake.requests) == (3, 3, []), done
    assert done.json["decision"]["stop_reason"] == "budget_exceeded"
    assert [each["status"] for each in done.json["commands"]] == ["passed"]
    (gate,) = [each for each in done.json["gates"] if each["gate"] == "semantic"]
    assert gate["verdict"] == "could_not_run"
    assert "0.0001 are left of the budget" in gate["reason"]
    assert "✓ python3 -m unittest" in text.out
    assert "0.0001 are left of the budget" in text.out


def test_what_fails_is_no_matter_of_the_budget(cli: Cli):
    words = mended(cli, "http://127.0.0.1:1/v1")
    write(cli.folder, {"cart.py": "def total(prices):\n    return 7\n"})
    assert cli(*words, *JUDGE, "--budget", "0.0001").exit == 1


@pytest.mark.runs
def test_the_cost_of_a_review_is_told_as_money(cli: Cli):
    with FakeModel(AGREES, key=KEY) as fake:
        done = cli(*mended(cli, at(fake, CHAT)), *JUDGE)
    assert done.exit == 0, done
    assert "cost $0." in done.out


@pytest.mark.runs
def test_that_a_price_is_not_known_is_said_once_in_a_run(cli: Cli):
    played = play(
        cli, CHAT, [FIX, CLAIM, *AGREES], verification={"semantic": {"enabled": True, "model": "judge"}}
    )
    assert played.why[0] == 0, played.done
    said = [
        each.text for each in played.bodies if isinstance(each, run.Noted) and "the price of" in each.text
    ]
    assert len(said) == len(set(said)) == 2  # the author's and the reviewer's
