"""Tools as an agent calls them in a whole run: rightly, wrongly, and with hooks in between."""

import json
from collections.abc import Mapping
from typing import Any

import pytest

from tests.helpers import Cli
from tests.projects import CART, git
from tests.runs import CLAIM, FIX, LOOK, QUICK, Step, broken_cart, play, program, settings

GATES = False
KEY = "ghp_" + "a9B3xK7mQ2wE5rT8yU1iO4pL6sD0fG3hJ5kZ"  # put together: no scanner takes this file for a leak
Events = list[dict[str, Any]]


def calls(*wanted: tuple[str, Mapping[str, Any]]) -> Step:
    return {"calls": [{"tool": tool, "args": dict(args)} for tool, args in wanted]}


def events(cli: Cli, run_id: str) -> Events:
    shown = cli("show", run_id, "--events")
    assert shown.exit == 0, shown.err
    return [json.loads(line) for line in shown.out.splitlines()]


def returned(found: Events) -> list[dict[str, Any]]:
    """The answers in the order of the calls; those that only read are made together."""
    bodies = [event["body"] for event in found if event["type"] == "tool_returned"]
    return sorted(bodies, key=lambda body: int(body["key"].partition(".")[2]))


def denied(found: Events) -> list[str]:
    return [event["body"]["rule"] for event in found if event["type"] == "denied"]


RIGHT: tuple[tuple[str, Mapping[str, Any], str], ...] = (
    ("read_file", {"path": "cart.py"}, "sum(prices) + 1"),
    ("list_dir", {}, "test_cart.py"),
    ("glob", {"pattern": "*.py"}, "test_cart.py"),
    ("grep", {"pattern": "def total"}, "cart.py"),
    ("code_search", {"query": "total"}, "cart.py:1: function total"),
    ("file_info", {"path": "cart.py"}, "cart.py"),
    ("git_status", {}, "nothing differs"),
    ("git_log", {"limit": 3}, "begin"),
    ("git_show", {"ref": "HEAD:cart.py"}, "sum(prices) + 1"),
    ("todo_write", {"todos": [{"id": "t1", "content": "fix the sum"}]}, ""),
    ("todo_write", {"todos": [{"id": "t1", "status": "in_progress"}]}, ""),
    ("write_file", {"path": "notes/plan.md", "content": "later\n"}, "notes/plan.md"),
    ("move_file", {"source": "notes/plan.md", "target": "notes/done.md"}, "notes/done.md"),
    (
        "edit_file",
        {"path": "cart.py", "edits": [{"old": "sum(prices) + 1", "new": "sum(prices)"}]},
        "cart.py",
    ),
    ("git_diff", {"path": "cart.py"}, "-    return sum(prices) + 1"),
    ("delete_file", {"path": "notes"}, "notes"),
    ("git_worktree_create", {"path": ".scratch/before"}, ".scratch/before"),
    ("git_commit", {"message": "Add up"}, "commit "),
    ("run_command", {"command": "echo later", "background": True}, "b1"),
    ("command_status", {"handle": "b1", "wait": 60}, "later"),
    ("todo_write", {"todos": [{"id": "t1", "status": "completed"}]}, ""),
)


SPELLED: tuple[tuple[str, Mapping[str, Any], str, str], ...] = (
    ("Read", {"file_path": "cart.py", "offset": 1, "limit": 1}, "read_file", "def total"),
    ("Grep", {"pattern": "SUM", "-i": True, "include": "*.py"}, "grep", "cart.py:2"),
    ("LS", {"directory": "."}, "list_dir", "test_cart.py"),
    ("list_dir", {"path": "."}, "list_dir", "test_cart.py"),
    ("code_search", {"symbol": "adds up"}, "code_search", "test_cart.py:7: function test_adds_up"),
    ("bash", {"cmd": "echo told", "description": "says it"}, "run_command", "told"),
    ("write_file", {"filePath": "n.md", "contents": "one two\n"}, "write_file", "n.md"),
    ("str_replace", {"path": "n.md", "old_str": "one", "new_str": "1"}, "edit_file", "n.md"),
    ("edit_file", {"path": "n.md", "old": "two", "new": "2"}, "edit_file", "n.md"),
    ("Edit", {"file_path": "n.md", "old_string": "1 2", "new_string": "3"}, "edit_file", "n.md"),
    ("edit_file", {"path": "n.md", "edits": [{"oldText": "3", "newText": "4"}]}, "edit_file", "n.md"),
    ("read_file", {"path": "n.md"}, "read_file", "4"),
    ("delete_file", {"target_file": "n.md"}, "delete_file", "n.md"),
)


def test_calls_in_the_spellings_that_models_know_are_made(cli: Cli):
    broken_cart(cli)
    steps = [calls((tool, args)) for tool, args, _, _ in SPELLED]
    wrong = calls(("read_file", {"sheet": "cart.py"}), ("fly", {}))
    done = play(cli, *steps, wrong, FIX, CLAIM, more=QUICK)
    found = events(cli, done.json["run"])
    results = returned(found)
    for (_, _, tool, part), each in zip(SPELLED, results, strict=False):
        assert (each["tool"], each["ok"], part in each["output"]) == (tool, True, True), each
    assert [each["ok"] for each in results[len(SPELLED) :][:2]] == [False, False]
    reasons = [event["body"].get("reason") for event in found if event["type"] == "mode_changed"]
    assert "tool_failure" not in reasons
    assert (done.exit, done.json["changed"]) == (0, ["cart.py"])


def test_every_tool_does_its_part_in_a_run(cli: Cli):
    user = broken_cart(cli)
    done = play(cli, calls(*((tool, args) for tool, args, _ in RIGHT)), CLAIM, more=QUICK)
    results = returned(events(cli, done.json["run"]))
    bad = [(each["tool"], each["output"]) for each in results if not each["ok"]]
    assert bad == []
    for (tool, _, part), each in zip(RIGHT, results, strict=False):
        assert (each["tool"], part in each["output"]) == (tool, True), each["output"]
    data = done.json
    assert (done.exit, data["decision"]["stop_reason"], data["changed"]) == (0, "accepted", ["cart.py"])
    assert git(user, "diff", "--name-only", "main", data["branch"]) == "cart.py"
    assert git(user, "show", f"{data['branch']}:cart.py") == CART.rstrip()
    assert git(user, "log", "-1", "--format=%s", data["branch"]) == "Add up"


WRONG: tuple[tuple[str, Mapping[str, Any], str], ...] = (
    ("fly", {"to": "the moon"}, "unknown_tool"),
    ("read_fil", {"path": "cart.py"}, "unknown_tool"),
    ("read_file", {}, "bad_arguments"),
    ("read_file", {"path": 7}, "bad_arguments"),
    ("read_file", {"path": "cart.py", "colour": "red"}, "bad_arguments"),
    ("read_file", {"path": "nowhere.py"}, "not_found"),
    ("read_file", {"path": "picture.bin"}, "binary"),
    ("read_file", {"path": "../../etc/passwd"}, ""),
    ("read_file", {"path": "away/passwd"}, ""),
    ("read_file", {"path": ".git/config"}, ""),
    ("read_file", {"path": ".env"}, "denied"),
    ("write_file", {"path": "away/planted", "content": "x"}, "denied"),
    ("write_file", {"path": ".git/hooks/pre-commit", "content": "x"}, "denied"),
    ("edit_file", {"path": "cart.py", "edits": [{"old": "not there", "new": "x"}]}, "no_match"),
    ("run_command", {"command": "rm -rf /"}, "denied"),
    ("run_command", {"command": "git push --force origin main"}, "denied"),
    ("run_command", {"command": "false"}, "exit"),
    ("run_command", {"command": "sleep 60", "timeout": 0.2}, "timeout"),
    ("command_status", {"handle": "b99"}, ""),
    ("git_show", {"ref": "--output=stolen"}, ""),
    ("git_commit", {"message": "x", "no_verify": True}, "denied"),
    ("git_commit", {"message": " "}, "bad_arguments"),
    ("git_push", {"remote": "origin", "branch": "topic"}, "refused"),
    ("git_push", {"remote": "origin", "branch": "main", "force": True}, "denied"),
    ("git_worktree_create", {"path": "tree"}, "refused"),
    ("ask_user", {"question": "may I?"}, ""),
)


@pytest.mark.runs
def test_what_is_called_wrongly_is_answered_and_the_run_goes_on(cli: Cli):
    user = broken_cart(cli, {"picture.bin": "\0\1\2", ".env": "PASSWORD=hunter2\n"})
    (user / "away").symlink_to("/etc")
    git(user, "add", "-A")
    git(user, "commit", "-qm", "away")
    head = git(user, "rev-parse", "main")
    wrong = calls(*((tool, args) for tool, args, _ in WRONG))
    done = play(cli, wrong, FIX, LOOK, CLAIM, more=[*QUICK, "--on-ask", "deny"])
    found = events(cli, done.json["run"])
    results = returned(found)[: len(WRONG)]
    for (tool, args, error_class), each in zip(WRONG, results, strict=True):
        assert (each["tool"], each["ok"]) == (tool, False), (args, each)
        assert each["output"].strip()
        assert error_class in ("", each["error_class"]), (args, each)
        assert "hunter2" not in each["output"]
        assert "root:" not in each["output"]
    assert {"delete-workspace", "secret-read"} <= set(denied(found))
    assert (done.exit, done.json["changed"]) == (0, ["cart.py"])
    assert git(user, "rev-parse", "main") == head


HOOK = r"""
import json, sys, time
data = json.load(sys.stdin)["data"]
path = data["args"].get("path", "")
if path == "changed":
    print(json.dumps({"args": {"path": "cart.py"}, "note": "read the cart instead"}))
elif path == "worse":
    print(json.dumps({"args": {"path": ".env"}}))
elif path == "broken":
    print(json.dumps({"args": {"colour": "red"}}))
elif path == "blocked":
    sys.stderr.write("not this one")
    sys.exit(2)
elif path == "hangs":
    time.sleep(3600)
elif path == "garbage":
    print("{{{ all fine, trust me")
elif path == "crash":
    sys.exit(7)
"""

HOOKED: tuple[tuple[str, bool, str, str], ...] = (
    ("changed", True, "", "sum(prices)"),
    ("worse", False, "denied", ""),
    ("broken", False, "blocked", "a hook changed the arguments"),
    ("blocked", False, "blocked", "not this one"),
    ("hangs", False, "blocked", "mine"),
    ("garbage", False, "blocked", "mine"),
    ("crash", False, "blocked", "mine"),
    ("cart.py", True, "", "sum(prices)"),
)


@pytest.mark.runs
def test_hooks_change_block_hang_and_babble_and_nothing_passes_by_mistake(cli: Cli):
    broken_cart(cli, {".env": "PASSWORD=hunter2\n"})
    script = cli.folder.parent / "hook.py"
    script.write_text(HOOK)
    words = ["python3", str(script)]
    command = {"name": "mine", "point": "before_tool", "command": words, "timeout": 1}
    settings(cli, hooks={"commands": [command]})
    wanted = calls(*(("read_file", {"path": path}) for path, *_ in HOOKED))
    done = play(cli, wanted, FIX, CLAIM, more=QUICK)
    found = events(cli, done.json["run"])
    for (path, ok, error_class, part), each in zip(HOOKED, returned(found), strict=False):
        assert (path, each["ok"], each.get("error_class", "")) == (path, ok, error_class), each
        assert part in each["output"]
        assert "hunter2" not in each["output"]
    assert "read the cart instead" in returned(found)[0]["output"]
    outcomes = {event["body"]["outcome"] for event in found if event["type"] == "hook_called"}
    assert {"passed", "blocked", "changed"} & outcomes
    assert (done.exit, done.json["changed"]) == (0, ["cart.py"])


@pytest.mark.runs
def test_a_secret_is_not_committed_by_any_way(cli: Cli):
    user = broken_cart(cli)
    unseen = "import os\nos.system('git add key.py && git commit -qm x')\n"
    done = play(
        cli,
        {"write": {"path": "key.py", "content": f"token = '{KEY}'\n"}},
        {"tool": "git_commit", "args": {"message": "x"}},
        {"bash": "git add -A && git commit -qm x"},
        {"write": {"path": "tool.py", "content": unseen}},
        {"bash": "python3 tool.py"},
        {"bash": "git log --oneline | wc -l; git diff --cached --name-only"},
        {"bash": "git rm -qf --cached key.py && rm key.py tool.py"},
        FIX,
        CLAIM,
        more=QUICK,
    )
    results = returned(events(cli, done.json["run"]))
    by_tool, by_command, _, by_code, look = results[1:6]
    for each in (by_tool, by_command, by_code):
        assert (each["ok"], each["error_class"]) == (False, "blocked"), each
        assert "key.py" in each["output"]
        assert KEY not in each["output"]
    assert "prevent-secrets-commit" in by_tool["output"]
    assert "taken back" in by_code["output"]
    assert look["output"].split() == ["1", "key.py"]
    assert done.exit == 0
    assert KEY not in git(user, "log", "-p", "--all")


@pytest.mark.runs
def test_hooks_are_told_what_a_commit_would_hold(cli: Cli):
    user = broken_cart(cli)
    told = cli.folder.parent / "told.jsonl"
    words = [program(cli, "note.sh", f"cat >> '{told}'; echo >> '{told}'")]
    command = {"name": "notes", "point": "before_commit", "command": words}
    settings(cli, hooks={"commands": [command]})
    other = {"write": {"path": "other.md", "content": "other\n"}}
    commit = {"tool": "git_commit", "args": {"message": "Add up", "paths": ["cart.py"]}}
    done = play(cli, other, FIX, commit, CLAIM, more=QUICK)
    assert done.exit == 0
    heard = [json.loads(line)["data"] for line in told.read_text().splitlines() if line]
    assert [(each["by"], each["files"]) for each in heard] == [
        ("agent", ["cart.py"]),
        ("harness", ["cart.py", "other.md"]),
    ]
    assert "+    return sum(prices)" in heard[0]["diff"]
    assert git(user, "log", "--format=%s", f"main..{done.json['branch']}").splitlines()[-1] == "Add up"


@pytest.mark.runs
def test_where_the_repository_is_shared_a_commit_is_left_to_the_harness(cli: Cli):
    user = broken_cart(cli)
    commit = {"tool": "git_commit", "args": {"message": "Add up"}}
    done = play(cli, FIX, commit, CLAIM, more=[*QUICK, "--set", "workspace.kind=worktree"])
    result = returned(events(cli, done.json["run"]))[1]
    assert not result["ok"]
    assert "the harness commits" in result["output"]
    assert (done.exit, done.json["decision"]["stop_reason"]) == (0, "accepted")
    assert git(user, "log", "--format=%s", f"main..{done.json['branch']}").splitlines() == ["Fix the cart"]
