"""Ends that help: what is missing is named, and the next command is the one to type."""

import json
import re
from pathlib import Path

import pytest
import yaml

from donewhen.testing import FakeModel
from tests.helpers import Cli, Result
from tests.llm_support import CHAT, KEY, at, configured, run_words
from tests.projects import CART_TEST, TESTS
from tests.runs import CLAIM, FIX, QUICK, Step, attempts, broken_cart, play, told

GATES = False
ROOT = Path(__file__).parents[2]
PRICES = "the new price list, all of it"


def promised(
    cli: Cli, *steps: Step, more: tuple[str, ...] = (), form: str = "--json", **parts: object
) -> Result:
    path = cli.folder.parent / "promise.json"
    path.write_text(json.dumps({"objective": "the cart adds up", "accept": [TESTS], **parts}))
    return play(cli, *steps, accept=(), more=("--promise", str(path), *QUICK, *more), form=form)


def confirmed(text: str) -> list[dict[str, str]]:
    return [{"type": "acceptance-met", "target": "*"}, {"type": "user-confirmed", "target": text}]


def test_a_run_that_lacks_only_a_human_s_word_pauses_at_once_and_says_which(cli: Cli):
    broken_cart(cli)
    done = promised(cli, FIX, CLAIM, CLAIM, done_when=confirmed(PRICES))
    data, run_id = done.json, done.json["run"]
    assert (done.exit, data["state"], data["decision"]["cause"]) == (4, "paused", "confirmation"), done.err
    assert attempts(cli, run_id) == ["continue", "stopped"]
    assert data["next"] == f"donewhen confirm {run_id} '{PRICES}' && donewhen resume {run_id}"
    assert cli("show", run_id, "--json").json["next"][0] == ["donewhen", "confirm", run_id, PRICES]

    assert cli("confirm", run_id, PRICES).exit == 0
    again = cli("resume", run_id, "--json")
    assert (again.exit, again.json["decision"]["stop_reason"]) == (0, "accepted"), again.err


@pytest.mark.runs
def test_a_criterion_that_asks_for_an_approval_waits_for_it_alike(cli: Cli):
    broken_cart(cli)
    criterion = {"id": "c1", "description": "agreed", "evidence_required": ["approval:go"]}
    done = promised(cli, FIX, CLAIM, acceptance=[criterion])
    assert (done.exit, done.json["decision"]["cause"]) == (4, "confirmation"), done.err
    assert f"confirm {done.json['run']} go" in done.json["next"]


@pytest.mark.runs
def test_a_word_that_is_missing_beside_work_does_not_stop_the_work(cli: Cli):
    broken_cart(cli)
    done = promised(cli, CLAIM, FIX, CLAIM, done_when=confirmed(PRICES))
    assert attempts(cli, done.json["run"]) == ["continue", "continue", "stopped"]
    assert (done.exit, done.json["decision"]["cause"]) == (4, "confirmation")


HOLLOW = CART_TEST.replace("self.assertEqual(total([1, 2]), 3)", "total([1, 2])  # scenario: shop/total/adds")


@pytest.mark.runs
def test_a_scenario_is_refused_for_its_true_reason(cli: Cli):
    broken_cart(cli, {"test_cart.py": HOLLOW})
    check = {"kind": "scenario", "target": "shop/total/adds"}
    done = promised(cli, FIX, CLAIM, checks=[check])
    said = told(cli, done.json["run"])
    assert "asserts nothing that can fail, so it does not prove shop/total/adds" in said
    assert "no passing test is linked" not in said


@pytest.mark.runs
def test_a_text_that_is_not_there_is_named(cli: Cli):
    broken_cart(cli, {"guide.md": "# Guide\n"})
    check = {"kind": "content_contains", "target": "guide.md", "params": {"contains": "## Discounts"}}
    done = promised(cli, FIX, CLAIM, checks=[check])
    assert "guide.md does not hold: ## Discounts" in told(cli, done.json["run"])


@pytest.mark.runs
def test_a_deadlock_says_what_its_number_is(cli: Cli):
    broken_cart(cli)
    limits = ("loop.max_state_cycles=2", "runtime.max_accept_continues=9", "correction.max_retries=9")
    more = tuple(word for limit in limits for word in ("--set", limit))
    done = play(cli, *([CLAIM] * 6), more=(*QUICK, *more), form="")
    assert done.exit == 4
    shown = " ".join(done.out.split())
    assert "2 times back to the same state without a new proof, loop.max_state_cycles" in shown
    assert "(2)" not in shown


@pytest.mark.runs
def test_a_message_that_can_not_be_sent_changes_no_end(cli: Cli):
    broken_cart(cli)
    refused = play(cli, FIX, CLAIM, more=QUICK, form="")
    assert refused.exit == 0
    cli.env["DONEWHEN_NOTIFY__URLS"] = '["mailto:me@example.com"]'
    assert play(cli, FIX, CLAIM, more=QUICK, form="").exit == 2
    cli.env["DONEWHEN_NOTIFY__URLS"] = '["http://127.0.0.1:9/x"]'
    cli.env["DONEWHEN_NOTIFY__COMMANDS"] = '[["./no-such-program"]]'
    done = play(cli, FIX, CLAIM, more=QUICK)
    assert (done.exit, done.json["state"]) == (0, "done"), done.err


@pytest.mark.runs
def test_the_script_of_the_page_about_the_fake_model_ends_accepted(cli: Cli):
    page = (ROOT / "docs/fake-model.md").read_text()
    script = yaml.safe_load(re.findall(r"```yaml\n(.*?)```", page, re.DOTALL)[0])
    broken_cart(cli)
    with FakeModel(script["answers"], key=KEY, then=script["then"]) as fake:
        configured(cli, CHAT, at(fake, CHAT), verification={"semantic": {}})
        done = cli(*run_words(goal="Fix the discount"))
    assert (done.exit, done.json["decision"]["stop_reason"], fake.left) == (0, "accepted", 0), done
