"""One run, one promise: what plans, verifies and ships names it, and nothing of another promise gets in."""

import json
from typing import Any

import pytest

from donewhen.core.chain import Head, link
from donewhen.core.codec import dumps
from tests.helpers import Cli
from tests.runs import CLAIM, FIX, QUICK, broken_cart, play

GATES = False
NAMED = {"plan_revised", "verified", "decided", "checkpoint_judged", "effect_intended", "effect_done"}
PLAN = {"calls": [{"tool": "plan_update", "args": {"files": ["cart.py"]}}]}


def exported(cli: Cli, run_id: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in cli("export", run_id).out.splitlines()]


def about_another(lines: list[dict[str, Any]]) -> str:
    """The export with another promise in its last decision, every hash made to fit again."""
    last = max(number for number, line in enumerate(lines) if line.get("event", {}).get("type") == "decided")
    lines[last]["event"]["payload"]["promise_id"] = "cp-1700000000000-beef"
    head = Head(0, "0" * 64)
    for line in lines:
        if "event" in line:
            event = line["event"]
            record = link(
                head, event["run_id"], event["at"], event["type"], event["v"], dumps(event["payload"])
            )
            head = Head(record.seq, record.hash)
            line["event"] = {**record._asdict(), "payload": event["payload"]}
    lines[0]["head"] = head._asdict()
    return "".join(dumps(line) + "\n" for line in lines)


def test_events_name_the_one_promise_of_their_run_and_another_one_is_refused(cli: Cli):
    broken_cart(cli)
    run_id = play(cli, PLAN, FIX, CLAIM, more=QUICK).json["run"]

    lines = exported(cli, run_id)
    events = [line["event"] for line in lines if "event" in line]
    promise = next(event["payload"]["id"] for event in events if event["type"] == "promise_set")
    named = {event["type"] for event in events if event["payload"].get("promise_id") == promise}
    nameless = {event["type"] for event in events if "promise_id" not in event["payload"]}
    assert named >= NAMED
    assert not nameless & NAMED

    audited = cli("audit", run_id)
    assert (audited.exit, promise in audited.out) == (0, True), audited.out
    row = cli("audit", run_id, "--json").json["audits"][0]
    assert row["promise"] == promise
    assert row["bound"] == 1 + sum("promise_id" in event["payload"] for event in events)

    refused = cli("import", "-", stdin=about_another(lines).encode(), DONEWHEN_STATE_DIR=str(cli.state) + "2")
    assert refused.exit == 2
    assert "cp-1700000000000-beef" in refused.err
    assert promise in refused.err


@pytest.mark.runs
def test_a_verification_names_its_promise_too(cli: Cli):
    broken_cart(cli, {"cart.py": "def total(prices):\n    return sum(prices)\n"})
    cli("verify", "--json")
    row = cli("audit", "last", "--json").json["audits"][0]
    assert row["promise"].startswith("cp-")
    assert row["bound"] > 2
