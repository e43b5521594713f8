"""What tools and verifiers cost: booked by kind, counted before the call, and no cost that can't be one."""

import json
from pathlib import Path
from typing import Any

import pytest

from donewhen.core.events import facts, run
from tests.helpers import Cli
from tests.runs import CLAIM, FIX, QUICK, Step, bodies, broken_cart, play, settings

GATES = False
PLUGIN = """
from donewhen.tools.model import Arguments, ToolResult

class Args(Arguments):
    cost: str

class Lookup:
    name = "lookup"
    description = "Looks a word up at a service that is paid for."
    arguments = Args
    writes = False
    cost_micros = 300_000

    async def execute(self, args, context):
        return ToolResult(True, "found", cost_micros=eval(args.cost))

lookup = Lookup()
"""


def with_plugin(cli: Cli, text: str = PLUGIN) -> str:
    """The folder of an installed distribution that brings the tool."""
    folder = cli.folder.parent / "site"
    info = folder / "paid_lookup-1.0.dist-info"
    info.mkdir(parents=True)
    (folder / "paid_lookup.py").write_text(text)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: paid-lookup\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[donewhen.tools]\nlookup = paid_lookup:lookup\n")
    cli.env["PYTHONPATH"] = str(folder)
    return str(folder)


def look(*costs: str) -> Step:
    return {"calls": [{"tool": "lookup", "args": {"cost": cost}} for cost in costs]}


def answers(cli: Cli, run_id: str) -> list[facts.ToolReturned]:
    found = [body for body in bodies(cli, run_id) if isinstance(body, facts.ToolReturned)]
    return [body for body in found if body.tool == "lookup"]


def booked(cli: Cli, run_id: str) -> list[tuple[str, int]]:
    return [(body.kind, body.micros) for body in bodies(cli, run_id) if isinstance(body, run.CostBooked)]


def test_what_a_tool_costs_is_held_booked_shown_and_never_more_than_the_budget(cli: Cli):
    broken_cart(cli)
    with_plugin(cli)
    own = {"name": "house", "command": ["true"], "cost": 0.05}
    settings(cli, budget={"total": 1.0}, verification={"quality": {"enabled": True, "gates": [own]}})
    cli.env.pop("DONEWHEN_VERIFICATION__QUALITY__ENABLED", None)

    done = play(cli, look("250_000"), look("None"), look("-5"), look("0"), FIX, CLAIM, more=QUICK)

    data: dict[str, Any] = done.json
    assert (done.exit, data["decision"]["stop_reason"]) == (0, "accepted"), done.err
    first, second, negative, fourth = answers(cli, data["run"])
    assert (first.ok, second.ok, negative.ok) == (True, True, False)
    assert "reported the cost -5, which is no whole number" in negative.output
    assert (fourth.ok, fourth.error_class) == (False, "budget")
    assert "costs 0.3000 dollars and 0.1500 are left" in fourth.output
    assert booked(cli, data["run"]) == [
        ("api", 250_000),
        ("api", 300_000),
        ("api", 300_000),
        ("other", 50_000),
    ]
    cost = cli("cost", "--json").json
    assert cost["cost"] == {"total": 0.9, "llm": 0.0, "api": 0.85, "other": 0.05}
    assert cost["held"] == 0


ABSURD = ("10**18", "1.5", "True", "float('nan')", "'12'")


@pytest.mark.runs
def test_a_cost_that_can_not_be_one_is_said_in_one_sentence(cli: Cli):
    broken_cart(cli)
    with_plugin(cli)
    done = play(cli, look(*ABSURD), FIX, CLAIM, more=QUICK)
    assert done.json["decision"]["stop_reason"] == "accepted", done.err
    for given, answer in zip(ABSURD, answers(cli, done.json["run"]), strict=True):
        assert not answer.ok
        assert f"reported the cost {eval(given)!r}" in answer.output
        assert answer.output.count("\n") == 1, "the result and one sentence"


@pytest.mark.runs
@pytest.mark.parametrize("declared", ["-1", "10**18", "0.5"])
def test_a_tool_that_declares_an_absurd_cost_is_refused_before_the_run(cli: Cli, declared: str):
    broken_cart(cli)
    with_plugin(cli, PLUGIN.replace("300_000", declared))
    done = play(cli, FIX, CLAIM, more=QUICK, form="")
    assert done.exit == 5
    assert "cost_micros" in done.out
    assert "Traceback" not in done.out + done.err


@pytest.mark.runs
def test_a_tool_that_gives_no_result_is_an_answer_to_the_agent(cli: Cli):
    broken_cart(cli)
    with_plugin(cli, PLUGIN.replace('ToolResult(True, "found", cost_micros=eval(args.cost))', "None"))
    done = play(cli, look("0"), FIX, CLAIM, more=QUICK)
    assert done.json["decision"]["stop_reason"] == "accepted"
    assert "gave a NoneType instead of a ToolResult" in answers(cli, done.json["run"])[0].output


@pytest.mark.runs
def test_a_reviewer_with_a_price_is_not_asked_without_the_money(cli: Cli):
    root = broken_cart(cli, {"cart.py": "def total(prices):\n    return sum(prices)\n"})
    (root / "cart.py").write_text("def total(prices):\n    return sum(prices, 0)\n")
    marker = Path(cli.folder.parent / "asked")
    program = [
        "sh",
        "-c",
        f"touch {marker}; printf '%s' \"$0\"",
        json.dumps({"criteria": [], "findings": []}),
    ]
    settings(cli, verification={"semantic": {"command": program, "cost": 0.3}})
    poor = cli("verify", "--budget", "0.1", "--json")
    assert poor.exit == 3
    assert not marker.exists()
