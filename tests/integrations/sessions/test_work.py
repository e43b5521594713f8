"""Whose work is judged: the agent's own changes, measured by the tree that was accepted last."""

import os
from pathlib import Path

import pytest

from tests.integrations.sessions.worker_support import CHECK, Client
from tests.projects import UNITTEST, git

pytestmark = pytest.mark.runs
QUIET = {".donewhen/config.yml": CHECK[".donewhen/config.yml"]}
TWO = CHECK | {"other.txt": "one\n"}
LINT = CHECK | {
    "Makefile": "test:\n\tsh check.sh\nlint:\n\tgrep -q clean style.txt\n",
    "style.txt": "dirty\n",
}


def opened(tmp_path: Path, files: dict[str, str] | None = None) -> Client:
    client = Client(tmp_path, files)
    client.call("open")
    return client


def stopped(client: Client, reply: str = "Done.") -> tuple[str, str]:
    """The kind of the verdict, and the line that the user reads."""
    told = client.call("stop", payload={"last_assistant_message": reply})
    return told["kind"], told["human"]


def examined(client: Client) -> int:
    return client.types().count("command_started")


def test_what_the_user_edits_is_not_examined_for_an_agent_that_changes_nothing(tmp_path: Path) -> None:
    client = opened(tmp_path)
    client.prompt("What does value.txt say?")
    client.edit("value.txt", "bad\n")
    assert stopped(client, "It says bad.") == ("nothing_changed", "")
    assert examined(client) == 0


def test_a_claim_about_a_tree_that_nobody_examined_is_said_to_the_user(tmp_path: Path) -> None:
    client = opened(tmp_path)
    client.prompt("Do the tests pass?")
    kind, human = stopped(client, "All tests pass.")
    assert (kind, human) == (
        "nothing_changed",
        "… donewhen: nothing changed; what the agent says was not verified",
    )


def test_a_failure_that_is_the_users_alone_blocks_no_agent_and_is_not_accepted(tmp_path: Path) -> None:
    client = opened(tmp_path, TWO)
    client.prompt("Write two into other.txt.")
    client.write("other.txt", "two\n")
    client.edit("value.txt", "bad\n")
    kind, human = stopped(client)
    assert kind == "let_go"
    assert (
        human
        == "✗ donewhen: not accepted — make test: it ended with exit 2; it fails on changes that are not the agent's"
    )
    assert client.decided()[-1].status == "stopped"


def test_a_failure_that_the_agent_adds_to_is_its_own(tmp_path: Path) -> None:
    client = opened(tmp_path, UNITTEST | QUIET | {"other.py": "", "test_other.py": OTHER})
    client.edit("other.py", "ONE = 2\n")
    client.write("cart.py", "def total(prices):\n    return 0\n")
    assert stopped(client)[0] == "blocked"


OTHER = """\
import unittest
import other
class Other(unittest.TestCase):
    def test_one(self):
        self.assertEqual(getattr(other, "ONE", 1), 1)
"""


def test_a_suite_that_was_red_before_blocks_nobody(tmp_path: Path) -> None:
    client = Client(tmp_path, TWO)
    client.edit("value.txt", "bad\n")  # uncommitted, before the session begins
    client.call("open")
    client.write("other.txt", "two\n")
    kind, human = stopped(client)
    assert kind == "let_go"
    assert human.endswith("it failed before this work as well")


def test_a_declared_command_that_was_red_before_blocks_once(tmp_path: Path) -> None:
    client = opened(tmp_path, LINT)
    client.prompt("Write more. `make lint` must pass.")
    kinds = []
    for number in range(2):
        client.write("value.txt", f"good {number}\n")
        kinds.append(stopped(client)[0])
    assert kinds == ["blocked", "let_go"]


def test_a_later_change_is_measured_by_the_tree_that_was_accepted(tmp_path: Path) -> None:
    client = opened(tmp_path, UNITTEST | QUIET)
    client.prompt("Add a discount, with a test.")
    client.write("price.py", "def price(p):\n    return p - 1\n")
    client.write("test_price.py", PRICE)
    assert stopped(client)[0] == "accepted"
    client.prompt("Make it faster.")
    client.write("price.py", "def price(p):\n    return p\n")
    client.write("test_price.py", PRICE.replace("2)", "3)"))
    kind, human = stopped(client)
    assert (kind, human.partition(" on ")[0]) == ("let_go", "? donewhen: needs your word")
    assert any("test_price" in detail for detail in client.decided()[-1].details)


PRICE = """\
import unittest
from price import price
class Price(unittest.TestCase):
    def test_price(self):
        self.assertEqual(price(3), 2)
"""


def test_a_confirmed_tree_is_the_base_too(tmp_path: Path) -> None:
    client = opened(tmp_path, UNITTEST | QUIET)
    client.prompt("Make it faster.")
    client.write("cart.py", "def total(prices):\n    return sum(prices) + 1\n")
    client.write("test_cart.py", UNITTEST["test_cart.py"].replace("3)", "4)"))
    assert stopped(client)[0] == "let_go"
    assert client.cli("confirm", "--all", "--because", "a fee").returncode == 0
    client.prompt("Add a note.")
    client.write("note.py", "NOTE = 1\n")
    assert stopped(client)[0] == "accepted"


def test_what_an_earlier_prompt_demanded_is_shown_once_more_and_then_dropped(tmp_path: Path) -> None:
    client = opened(tmp_path, LINT)
    client.prompt("`make lint` must pass.")
    client.write("value.txt", "good 1\n")
    assert stopped(client)[0] == "blocked"
    client.prompt("Something else: write good 2.")
    client.write("value.txt", "good 2\n")
    assert "make lint" in client.call("stop")["text"]
    client.write("value.txt", "good 3\n")
    assert stopped(client)[0] == "accepted"


def test_a_question_after_work_that_was_not_accepted_is_not_held_up(tmp_path: Path) -> None:
    client = opened(tmp_path)
    client.prompt("Change it.")
    client.write("value.txt", "bad\n")
    assert stopped(client)[0] == "blocked"
    ran = examined(client)
    client.prompt("Why does it fail?")
    assert stopped(client, "Because it is bad.") == ("nothing_changed", "")
    assert examined(client) == ran


def test_a_branch_that_the_user_switches_is_not_the_agents_change(tmp_path: Path) -> None:
    client = Client(tmp_path, TWO)
    git(client.root, "checkout", "-q", "-b", "red")
    client.edit("value.txt", "bad\n")
    git(client.root, "commit", "-qam", "red")
    git(client.root, "checkout", "-q", "main")
    client.call("open")
    client.prompt("Which branch is this?")
    git(client.root, "checkout", "-q", "red")
    assert stopped(client, "It is red.") == ("nothing_changed", "")
    client.write("other.txt", "two\n")
    assert stopped(client)[1].endswith("it fails on changes that are not the agent's")


def test_a_repository_that_the_user_moved_holds_nobody_up(tmp_path: Path) -> None:
    client = opened(tmp_path)
    client.prompt("Where are we?")
    client.root.rename(tmp_path / "moved")
    told = client.call("stop", folder=tmp_path / "moved", payload={"last_assistant_message": "Elsewhere."})
    assert (told["answer"], told["kind"]) == ("allow", "nothing_changed")


def test_an_exam_that_needs_a_variable_of_the_user_passes_in_his_environment(tmp_path: Path) -> None:
    check = 'test -n "$SHOP_URL" || { echo SHOP_URL is not set; exit 1; }\n'
    client = Client(tmp_path, CHECK | {"check.sh": check})
    client.env |= {"SHOP_URL": "shop.example", "SHOP_TOKEN": "a1B2c3D4e5F6"}
    client.call("open")
    client.write("value.txt", "good 2\n")
    kind, human = stopped(client)
    assert (kind, human.partition(" — ")[0]) == ("accepted", "✓ donewhen: accepted in your environment")


def test_a_credential_is_lent_to_no_exam(tmp_path: Path) -> None:
    client = Client(
        tmp_path, CHECK | {"check.sh": 'test -n "$SHOP_TOKEN" || { echo SHOP_TOKEN is not set; exit 1; }\n'}
    )
    client.env |= {"SHOP_TOKEN": "a1B2c3D4e5F6"}
    client.call("open")
    client.write("value.txt", "good 2\n")
    assert stopped(client)[0] != "accepted"


def test_a_clock_that_jumps_back_decides_nothing(tmp_path: Path) -> None:
    """Times of files are no measure of what was examined: the tree is."""
    client = opened(tmp_path)
    client.write("value.txt", "good 2\n")
    assert stopped(client)[0] == "accepted"
    client.write("value.txt", "bad\n")
    os.utime(client.root / "value.txt", (1, 1))
    assert stopped(client)[0] == "blocked"
