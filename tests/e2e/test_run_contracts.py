"""What a run owes its agent and its user in the smaller things: one test a contract."""

import json
from collections.abc import Mapping

import pytest

from donewhen.core.events import facts, run
from donewhen.testing import Call
from tests.helpers import Cli
from tests.llm_support import CHAT, WORK
from tests.llm_support import FIX as FIX_CALL
from tests.llm_support import play as play_model
from tests.projects import BUG, CART_TEST, TESTS, repository, write
from tests.runs import BROKEN, CLAIM, FIX, QUICK, attempts, bodies, broken_cart, play, settings, told

GATES = False
KEY = "ghp_" + "a9B3xK7mQ2wE5rT8yU1iO4pL6sD0fG3hJ5kZ"  # put together: no scanner takes this file for a leak


@pytest.mark.runs
def test_a_chosen_profile_decides_which_verifiers_run_and_which_model_works(cli: Cli):
    repository(cli.folder, BROKEN | {"guide.md": "# Guide\n", "ruff.toml": ""})
    write(cli.folder, {"guide.md": "# Guide\n\nMore.\n"})
    cli.env["DONEWHEN_VERIFICATION__QUALITY__ENABLED"] = "true"
    assert len(cli("verify", "--json").json["commands"]) == 1  # the project's own tests
    docs = cli("verify", "--profile", "docs", "--json")
    assert (docs.exit, docs.json["commands"]) == (0, [])
    planned = cli("plan", "Write guide.md", "--profile", "docs", "--json")
    assert (planned.exit, planned.json["promise"].get("accept", [])) == (0, [])
    write(cli.folder, {"cart.py": BROKEN["cart.py"] + "# todo\n"})
    lifted = cli("verify", "--profile", "docs", "--json").json
    assert len(lifted["commands"]) == 1  # source is never a document
    usual = cli("verify", "--json").json
    assert "lint" in {each["gate"] for each in usual["gates"]} - {each["gate"] for each in lifted["gates"]}

    write(cli.folder, {"cart.py": BROKEN["cart.py"], "guide.md": "# Guide\n"})
    models = {"by_profile": {"fix_bug": "a-patient-model"}}
    played = play_model(cli, CHAT, WORK, "--profile", "fix_bug", llm=models)
    assert (played.why[1], {each.body["model"] for each in played.asked}) == ("accepted", {"a-patient-model"})
    refused = cli("verify", "--profile", "nope")
    assert (refused.exit, len(refused.err.splitlines())) == (2, 1) and "refactor" in refused.err


@pytest.mark.runs
def test_a_command_that_ends_in_the_background_reports_like_any_other(cli: Cli):
    broken_cart(cli)
    suite = {"tool": "run_command", "args": {"command": TESTS, "background": True}}
    wait = {"tool": "command_status", "args": {"handle": "b1", "wait": 60}}
    done = play(cli, FIX, suite, wait, CLAIM, more=QUICK)
    assert done.exit == 0
    notes = [body.text for body in bodies(cli, done.json["run"]) if isinstance(body, facts.AgentTold)]
    (note,) = [text for text in notes if text.startswith("[System / Acceptance]")]
    assert note.startswith("[System / Acceptance] python3 -m unittest — 1 test passed")
    assert "(1/1 passed)\nAll acceptance commands pass (1)." in note
    early = play(cli, {"bash": "test -f cart.py"}, accept=("test -f cart.py",), more=QUICK)
    assert "(1/1 passed)" in told(cli, early.json["run"])
    assert "All acceptance commands pass" not in told(cli, early.json["run"])


@pytest.mark.runs
def test_an_answer_that_is_not_taken_is_in_the_ledger_and_not_in_the_model_s_messages(cli: Cli):
    played = play_model(cli, CHAT, ("All is well already.", *WORK))
    assert played.why[1] == "accepted"
    kept = [body.text for body in played.bodies if isinstance(body, facts.CandidateKept) and not body.signal]
    assert kept == ["All is well already."]
    second = json.dumps(played.asked[1].body["messages"])
    assert "All is well already." not in second and "neither a tool call nor the end" in second


@pytest.mark.runs
def test_an_unknown_todo_is_told_with_the_active_ones_and_a_failed_content_check_is_named(cli: Cli):
    broken_cart(cli)
    asked = {
        "id": "guide",
        "content": "say it",
        "content_checks": [{"artifact": "guide.md", "contains": ["## Sum"]}],
    }
    steps = [{"status": status, "id": "guide"} for status in ("in_progress", "completed")]
    todos = [{"tool": "todo_write", "args": {"todos": [each]}} for each in (asked, *steps)]
    lost = {"tool": "todo_write", "args": {"todos": [{"id": "t9", "status": "completed"}]}}
    thin, whole = (
        {"write": {"path": "guide.md", "content": text}} for text in ("# Guide\n", "# Guide\n\n## Sum\n")
    )
    done = play(cli, FIX, todos[0], lost, thin, *todos[1:], CLAIM, whole, CLAIM, more=QUICK)
    assert (done.exit, attempts(cli, done.json["run"])) == (0, ["continue", "accepted"])
    heard = told(cli, done.json["run"])
    assert "todo_not_found: there is no todo t9; the active ones are guide" in heard
    assert "the todo guide is not done: guide.md does not hold '## Sum'" in heard
    other = cli("amend", done.json["run"], "--optional", "t9", "--yes")
    assert (other.exit, len(other.err.splitlines())) == (2, 1)


@pytest.mark.runs
def test_a_command_has_the_time_of_a_call_and_twice_as_much_after_a_time_out(cli: Cli):
    broken_cart(cli)
    waits = {"bash": "read line < <(sleep 60)"}
    zero = {"tool": "run_command", "args": {"command": "true", "timeout": 0}}
    few = ("--set", "runtime.tool_timeout_sec=0.2", *QUICK)
    done = play(cli, waits, waits, waits, zero, FIX, CLAIM, more=few)
    heard = told(cli, done.json["run"])
    limits = ["0.2", "0.4", "0.8"]
    assert [each for each in limits if f"did not end within {each} s" in heard] == limits
    assert "greater than 0" in heard
    none = cli("run", "Fix the cart", "--accept", TESTS, "--set", "runtime.tool_timeout_sec=0")
    assert (none.exit, len(none.err.splitlines())) == (2, 1) and "more than 0" in none.err


def test_forced_mode_binds_writes_to_the_todo_in_progress(cli: Cli):
    def todos(*entries: Mapping[str, object]) -> Call:
        return Call("todo_write", {"todos": list(entries)})

    two = {"id": "a", "content": "the sum", "paths": ["cart.py"]}, {"id": "b", "content": "look again"}
    begun, elsewhere = {"id": "a", "status": "in_progress"}, {"path": "notes.md", "content": "later\n"}
    over = {"id": "a", "status": "completed"}, {"id": "b", "status": "in_progress"}
    led = (todos(*two), FIX_CALL, todos(begun), Call("write_file", elsewhere), FIX_CALL, todos(*over))
    played = play_model(cli, CHAT, (*led, todos({"id": "b", "status": "completed"}), WORK[-1]))
    assert (played.why[1], [each.ok for each in played.results[:5]]) == (
        "accepted",
        [True, False, True, False, True],
    )
    assert "no todo is in progress" in played.results[1].output
    assert "outside the paths of what is in progress (a)" in played.results[3].output

    asks = {"tool": "ask_user", "args": {"question": "Which sum?"}}
    paused = play(cli, asks, FIX, CLAIM, more=("--on-ask", "pause", *QUICK)).json["run"]
    assert cli("resume", paused, "--on-ask", "deny").exit == 0
    modes = [(body.mode, body.reason) for body in bodies(cli, paused) if isinstance(body, run.ModeChanged)]
    assert ("forced", "checkpoint_resumed") in modes  # advice here: a script is not led


def test_a_refusal_says_whether_the_change_was_not_run_or_failed_and_which_sources_that_is_about(cli: Cli):
    broken_cart(cli)

    def todo(**entry: str) -> Mapping[str, object]:
        return {"tool": "todo_write", "args": {"todos": [{"id": "t1", **entry}]}}

    worse = {"write": {"path": "cart.py", "content": BUG + "# soon\n"}}
    ticked = todo(status="in_progress"), todo(status="completed")
    done = play(cli, todo(content="the sum"), worse, CLAIM, *ticked, CLAIM, FIX, CLAIM, more=QUICK)
    heard = [body.text for body in bodies(cli, done.json["run"]) if isinstance(body, facts.AgentTold)]
    early, red = [text.splitlines() for text in heard if text.startswith("verification: ")]
    assert "Not verified: changed source has no test run on the current tree. Still to be proven:" in early
    assert "Verification failed on the current tree. Still to be proven:" in red
    assert "- cart.py" in early and "- cart.py" in red
    assert early[-1] == "Next step: run the project's own tests as a whole: `python3 -m unittest`."
    assert any(line.startswith("| ") and "FAILED" in line for line in red)


@pytest.mark.runs
def test_security_asks_a_human_at_once_and_worse_is_judged_by_tests(cli: Cli):
    more = CART_TEST.replace("total([1, 2]), 3", "total([]), 1").replace("adds_up", "is_one_too_much")
    broken_cart(cli, {"test_more.py": more})
    worse = {"write": {"path": "cart.py", "content": "def total(prices):\n    return None\n"}}
    undone = {"bash": "rm test_more.py"}
    done = play(
        cli, {"write": {"path": "a.md", "content": "later\n"}}, CLAIM, worse, CLAIM, FIX, undone, more=QUICK
    )
    back = [body.reason for body in bodies(cli, done.json["run"]) if isinstance(body, facts.RolledBack)]
    assert len(back) == 1 and "is_one_too_much" in back[0]  # one command was red before and after

    leak = {"write": {"path": "deploy.py", "content": f'TOKEN = "{KEY}"\n'}}
    asked = play(cli, FIX, leak, CLAIM, {"bash": "rm deploy.py"}, CLAIM, more=QUICK).json
    assert (asked["state"], asked["decision"]["cause"]) == ("paused", "policy_trigger")
    assert attempts(cli, asked["run"]) == ["continue", "stopped"]


PLUGIN = """\
from donewhen.core.events.facts import Verified
from donewhen.tools.model import Arguments, ToolResult


class Weigh:
    name, description, arguments, writes = "weigh", "weigh the cart", Arguments, False

    async def execute(self, args, context):
        fact = Verified("weigh", "kilos", "passed" if (context.root / "a.md").exists() else "failed")
        return ToolResult(True, facts=(fact, Verified("lint", "change", "passed")))


def names(folder):
    return [] if (folder / "b.md").exists() else [{"message": "no b.md", "rule": "names"}]
"""


@pytest.mark.runs
def test_what_a_check_asks_a_verifier_a_plugin_or_a_tool_for_can_be_proven(cli: Cli):
    broken_cart(cli, {"check.sh": "test -f c.md\n"})
    plugin = cli.folder.parent / "plugin"
    info = plugin / "weighing-1.dist-info"
    points = "[donewhen.tools]\nweigh = weighing:Weigh\n[donewhen.verifiers]\nnames = weighing:names\n"
    metadata = "Metadata-Version: 2.1\nName: weighing\nVersion: 1\n"
    write(plugin, {"weighing.py": PLUGIN})
    write(info, {"METADATA": metadata, "entry_points.txt": points})
    cli.env["PYTHONPATH"] = str(plugin)
    settings(cli, verification={"verifiers": {"schema": {"command": ["sh", "check.sh"], "scope": "db"}}})
    asked = [{"kind": "tool_fact", "params": {"tool": "weigh", "scope": "kilos"}}]
    asked += [{"kind": "tool_fact", "params": {"tool": "schema", "scope": "db"}}]
    asked += [{"kind": "quality_gate", "target": name} for name in ("names", "tests")]
    promise = cli.folder.parent / "promise.json"

    def promised(*checks: Mapping[str, object]) -> tuple[str, ...]:
        promise.write_text(json.dumps({"objective": "it adds up", "accept": [TESTS], "checks": checks}))
        return ("--promise", str(promise))

    files = [{"write": {"path": f"{name}.md", "content": "x\n"}} for name in "abc"]
    weigh = {"tool": "weigh", "args": {}}
    steps = (FIX, weigh, CLAIM, *files[:2], weigh, CLAIM, files[2], weigh, CLAIM)
    done = play(cli, *steps, accept=(), more=(*promised(*asked), "--set", "sandbox.mode=off", *QUICK))
    assert (done.exit, attempts(cli, done.json["run"])) == (0, ["continue", "continue", "accepted"])
    assert cli("verify", *promised(*asked[1:])).exit == 1
    unknown = cli("run", "x", *promised({"kind": "quality_gate", "target": "typs"}))
    dead = cli("verify", *promised({"kind": "file_exists", "target": "a.md", "params": {"contains": "x"}}))
    assert [(each.exit, len(each.err.splitlines())) for each in (unknown, dead)] == [(2, 1), (2, 1)]
    assert "did you mean types?" in unknown.err and "params.contains means nothing" in dead.err
