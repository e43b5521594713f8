"""`donewhen run` where something is wrong from the start, or goes wrong on the way: told, and nothing lost."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from donewhen.core.events import facts
from tests.helpers import Cli, Result
from tests.projects import CART, TESTS, everything, git, repository, write
from tests.runs import (
    CLAIM,
    FIX,
    QUICK,
    attempts,
    bodies,
    broken_cart,
    hook,
    once,
    own_refs,
    play,
    refs,
    script,
    settings,
    told,
    untouched,
)

GATES = False


def one_sentence(done: Result) -> str:
    """What went wrong, as one line on stderr and without a traceback."""
    assert "Traceback" not in done.err
    lines = done.err.strip().splitlines()
    assert len(lines) == 1, done.err
    assert done.out == ""
    return lines[0]


def no_run(cli: Cli) -> bool:
    """Whether nothing was begun: neither in the ledger nor beside it."""
    listed = cli("list", "--json")
    return listed.exit == 0 and not listed.json["runs"]


# -- before anything is written -----------------------------------------------------------------------


def test_a_folder_without_a_repository_is_told(cli: Cli):
    done = play(cli, CLAIM, form="")
    assert (done.exit, no_run(cli)) == (5, True)
    assert "git" in one_sentence(done)


def test_a_machine_without_git_is_told(cli: Cli):
    broken_cart(cli)
    empty = cli.folder.parent / "bin"
    empty.mkdir()
    done = cli("run", "Fix it", "--accept", TESTS, "--script", script(cli, [CLAIM]), PATH=str(empty))
    assert done.exit == 5
    assert "git" in one_sentence(done)


def test_a_repository_without_a_commit_is_told(cli: Cli):
    git(cli.folder, "init", "-q")
    done = play(cli, CLAIM, form="")
    assert (done.exit, no_run(cli)) == (5, True)
    assert "commit" in one_sentence(done)


@pytest.mark.parametrize("goal", ["", "  \n "])
def test_an_empty_goal_is_told(cli: Cli, goal: str):
    broken_cart(cli)
    done = play(cli, CLAIM, goal=goal, form="")
    assert (done.exit, no_run(cli)) == (2, True)
    one_sentence(done)


def test_nothing_to_prove_is_told_with_a_way_out(cli: Cli):
    repository(cli.folder, {"readme.md": "hello\n"})
    done = play(cli, CLAIM, goal="Make it nicer", accept=(), form="")
    assert (done.exit, no_run(cli)) == (2, True)
    assert "--accept" in one_sentence(done)


def test_a_promise_that_contradicts_itself_needs_a_yes(cli: Cli):
    broken_cart(cli)
    path = cli.folder.parent / "promise.json"
    scopes = {"allowed_scope": ["*.py"], "disallowed_scope": ["*.py"]}
    path.write_text(json.dumps({"objective": "fix", "accept": [TESTS], **scopes}))
    done = play(cli, CLAIM, accept=(), more=["--promise", str(path)], form="")
    assert (done.exit, no_run(cli)) == (2, True)
    assert "--yes" in one_sentence(done)
    agreed = play(cli, CLAIM, accept=(), more=["--promise", str(path), "--yes", *QUICK])
    assert agreed.json["run"]


@pytest.mark.parametrize(
    "promise",
    [
        {"acceptance": [{"id": "c1", "description": "x", "evidence_mode": "most"}]},
        {"done_when": [{"type": "gate-passed", "target": "pre-ship"}]},
        {"checks": [{"id": "a", "kind": "no_such_kind"}]},
        {"accept": ["python3 -m unittest | tail"]},
    ],
)
def test_a_promise_that_can_not_be_kept_is_refused(cli: Cli, promise: dict[str, Any]):
    broken_cart(cli)
    path = cli.folder.parent / "promise.json"
    path.write_text(json.dumps({"objective": "fix", "accept": [TESTS], **promise}))
    done = play(cli, CLAIM, accept=(), more=["--promise", str(path), "--yes"], form="")
    assert (done.exit, no_run(cli)) == (2, True)
    one_sentence(done)


@pytest.mark.parametrize(
    "text", ["steps: [", "steps: []", "steps:\n  - bash: yes\n", "{steps: [{done: a, bash: b}]}", "\x00"]
)
def test_a_broken_script_is_told_before_anything_begins(cli: Cli, text: str):
    broken_cart(cli)
    path = cli.folder.parent / "bad.yml"
    path.write_text(text)
    done = cli("run", "Fix it", "--accept", TESTS, "--script", str(path))
    assert (done.exit, no_run(cli)) == (2, True)
    assert "bad.yml" in one_sentence(done)


def test_no_agent_and_no_script_at_all_is_told(cli: Cli):
    broken_cart(cli)
    assert "--script" in one_sentence(cli("run", "Fix it", "--accept", TESTS))
    missing = cli("run", "Fix it", "--accept", TESTS, "--script", "nowhere.yml")
    assert missing.exit == 2
    assert "nowhere.yml" in one_sentence(missing)


@pytest.mark.parametrize("branch", ["main", "-x", "a..b", "refs/heads/", "mine", "taken/below"])
def test_a_branch_that_can_not_be_had_is_told_before_any_work(cli: Cli, branch: str):
    user = broken_cart(cli)
    git(user, "branch", "taken")
    git(user, "checkout", "-q", "-b", "mine")
    write(user, {"more.txt": "x"})
    git(user, "add", "-A")
    git(user, "commit", "-q", "-m", "more")
    before = own_refs(user)
    done = play(cli, FIX, CLAIM, more=[f"--branch={branch}", *QUICK], form="")
    assert (done.exit, own_refs(user)) == (2, before)
    assert one_sentence(done)
    assert no_run(cli)


# -- what an agent does wrong -------------------------------------------------------------------------


def test_unknown_tools_and_wrong_arguments_are_answered_and_the_run_goes_on(cli: Cli):
    broken_cart(cli)
    wrong = [
        {"tool": "reed_file", "args": {"path": "cart.py"}},
        {"tool": "read_file", "args": {"path": 7}},
        {"tool": "read_file", "args": {}},
        {"tool": "read_file", "args": {"path": "../../etc/passwd"}},
        {"tool": "read_file", "args": {"path": "a\x00b"}},
        {"tool": "run_command", "args": {"command": "true", "cwd": "/"}},
        {"tool": "todo_write", "args": {"todos": [{"id": "nope", "status": "completed"}]}},
        {"tool": "plan_update", "args": {"checks": [{"id": "x", "kind": "no_such_kind"}]}},
        {"tool": "command_status", "args": {"handle": "nope"}},
        {"tool": "", "args": {}},
        {
            "calls": [
                {"tool": "read_file", "args": {"path": "cart.py"}},
                {"tool": "nope"},
                {"tool": "list_dir"},
            ]
        },
    ]
    data = play(cli, *wrong, FIX, CLAIM, more=QUICK).json
    assert data["decision"]["stop_reason"] == "accepted"
    returned = [body for body in bodies(cli, data["run"]) if isinstance(body, facts.ToolReturned)]
    assert [body.ok for body in returned] == [False] * 10 + [True, False, True, True, True]
    assert all(body.output for body in returned)
    assert "read_file" in returned[0].output
    assert "Traceback" not in told(cli, data["run"])


def test_answers_of_great_size_and_strange_names_do_no_harm(cli: Cli):
    user = broken_cart(cli)
    steps = [
        {"bash": "head -c 3000000 /dev/zero | tr '\\0' x"},
        {"bash": "printf 'a' > \"$(printf 'odd\\nname')\"; printf b > ./-dash; printf c > 'sp ace'"},
        {"bash": "printf '\\033[31mred\\377\\376'"},
        {"say": "x" * 300_000, "bash": "true"},
    ]
    done = play(cli, *steps, FIX, CLAIM, more=QUICK)
    data = done.json
    assert (done.exit, sorted(data["changed"])) == (0, ["-dash", "cart.py", "odd\nname", "sp ace"])
    names = git(user, "ls-tree", "-z", "--name-only", data["branch"]).split("\0")
    assert {"-dash", "odd\nname", "sp ace"} <= set(names)


# -- what happens beside the run ----------------------------------------------------------------------


def test_head_that_moves_meanwhile_changes_nothing_of_the_result(cli: Cli):
    user = broken_cart(cli)
    base = git(user, "rev-parse", "HEAD")
    move = once(
        cli,
        "moved",
        f"cd {user} && echo x > theirs.txt && git add theirs.txt && "
        "git -c user.name=B -c user.email=b@example.org commit -q -m theirs",
    )
    hook(cli, "before_tool", f"{{ {move}\n}} >&2")
    done = play(cli, FIX, CLAIM, more=QUICK)
    data = done.json
    assert (done.exit, git(user, "log", "-1", "--format=%s", "main")) == (0, "theirs")
    assert git(user, "rev-parse", f"{data['branch']}^") == base
    assert (user / "theirs.txt").read_text() == "x\n"
    assert git(user, "status", "--porcelain") == ""


def test_a_branch_that_somebody_takes_meanwhile_is_not_overwritten(cli: Cli):
    user = broken_cart(cli)
    take = once(
        cli,
        "taken",
        f"cd {user} && c=$(git -c user.name=B -c user.email=b@x.org commit-tree -m other HEAD^{{tree}}) && "
        "git branch fix/cart $c",
    )
    hook(cli, "before_tool", f"{{ {take}\n}} >&2")
    done = play(cli, FIX, CLAIM, more=["--branch", "fix/cart", *QUICK])
    data = done.json
    assert done.exit in (4, 5)
    assert git(user, "log", "-1", "--format=%s", "fix/cart") == "other"
    kept = refs(user).get(f"refs/donewhen/{data['run']}/work")
    assert kept
    assert git(user, "show", f"{kept}:cart.py") == CART.rstrip()


def test_the_users_own_edits_meanwhile_stay(cli: Cli):
    user = broken_cart(cli)
    hook(
        cli,
        "before_tool",
        once(cli, "edited", f"echo mine > {user}/mine.txt; echo '# mine' >> {user}/cart.py"),
    )
    done = play(cli, FIX, CLAIM, more=QUICK)
    assert done.exit == 0
    assert (user / "mine.txt").read_text() == "mine\n"
    assert (user / "cart.py").read_text().endswith("# mine\n")


@pytest.mark.parametrize(
    ("text", "more"),
    [
        ("sleep 60", {"timeout": 1}),
        ("echo garbage", {}),
        ("echo '[1'", {}),
        ("exit 3", {}),
        ("kill -9 $$", {}),
    ],
    ids=["hangs", "prints garbage", "prints half a list", "fails", "dies"],
)
def test_a_hook_that_can_not_decide_lets_nothing_pass(cli: Cli, text: str, more: dict[str, Any]):
    user = broken_cart(cli)
    hook(cli, "before_accept", text, **more)
    done = play(cli, FIX, CLAIM, after_last="repeat_done", more=[*QUICK])
    data = done.json
    assert (done.exit, data["decision"]["stop_reason"]) in (
        (4, "escalated"),
        (1, "accept_continue_exhausted"),
    )
    assert data["branch"] is None
    assert "mine" in told(cli, data["run"])
    assert refs(user)[f"refs/donewhen/{data['run']}/work"] == data["work"]


def test_a_hook_that_is_not_there_is_told_before_the_run(cli: Cli):
    broken_cart(cli)
    settings(
        cli, hooks={"commands": [{"name": "mine", "point": "before_tool", "command": ["/nowhere/hook"]}]}
    )
    done = play(cli, FIX, CLAIM, form="")
    assert (done.exit, "Traceback" in done.err) == (5, False)
    assert "the hook mine" in done.out + done.err


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_state_folder_that_can_not_be_written_is_told(cli: Cli):
    broken_cart(cli)
    cli.state.mkdir()
    cli.state.chmod(0o500)
    try:
        done = play(cli, FIX, CLAIM, form="")
    finally:
        cli.state.chmod(0o700)
    assert done.exit == 5
    one_sentence(done)


def test_a_state_folder_that_is_a_file_is_told(cli: Cli):
    user = broken_cart(cli)
    cli.state.write_text("")
    done = play(cli, FIX, CLAIM, form="")
    assert (done.exit, set(refs(user))) == (5, {"refs/heads/main"})
    assert str(cli.state) in one_sentence(done)


def test_a_disk_that_is_full_ends_the_run_with_a_reason_and_without_an_acceptance(cli: Cli):
    user = broken_cart(cli)
    before = everything(user)
    words = ["run", "Fix it", "--accept", TESTS, "--script", script(cli, [FIX, CLAIM]), *QUICK]
    limited = f"ulimit -f 64; exec {sys.executable} -m donewhen {subprocess.list2cmdline(words)}"
    done = subprocess.run(
        ["sh", "-c", limited], capture_output=True, text=True, cwd=user, env=cli.env, timeout=120, check=False
    )
    assert done.returncode == 5, done.stderr
    assert "Traceback" not in done.stderr
    assert untouched(before, everything(user)) == []
    assert not any(name.startswith("refs/heads/donewhen") for name in refs(user))


# -- somebody ends it ---------------------------------------------------------------------------------


def live(cli: Cli, *steps: dict[str, Any], more: tuple[str, ...] = ()) -> "subprocess.Popen[str]":
    words = ["run", "Fix it", "--accept", TESTS, "--script", script(cli, steps), "--events", *more, *QUICK]
    return subprocess.Popen(
        [sys.executable, "-m", "donewhen", *words],
        cwd=cli.folder,
        env=cli.env,
        text=True,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )


def seen(process: "subprocess.Popen[str]", kind: str, text: str = "") -> dict[str, Any]:
    """Read events until one of this kind comes."""
    assert process.stdout is not None
    for line in process.stdout:
        event: dict[str, Any] = json.loads(line)
        if event["type"] == kind and text in line:
            return event
    raise AssertionError(f"no {kind} with {text}")


def running(marker: str) -> list[str]:
    """Processes whose command line holds this word."""
    found = []
    for folder in Path("/proc").iterdir():
        try:
            line = (folder / "cmdline").read_bytes() if folder.name.isdigit() else b""
        except OSError:
            continue
        if marker.encode() in line and int(folder.name) != os.getpid():
            found.append(line.decode(errors="replace"))
    return found


def begun(marker: str) -> None:
    """Return when a process with this word in its command line is there."""
    while not running(marker):
        subprocess.run(["sleep", "0.02"], check=True)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=["ctrl-c", "term"])
@pytest.mark.parametrize("moment", ["turn_started", "tool_called", "command_started", "running"])
def test_a_run_that_is_told_to_stop_can_be_gone_on_with(cli: Cli, number: int, moment: str):
    user = broken_cart(cli)
    before = everything(user)
    marker = f"6{time.time_ns() % 10**9}"
    process = live(cli, FIX, {"bash": f"sleep {marker}"}, CLAIM)
    try:
        if moment == "running":
            begun(f"sleep\0{marker}")
        else:
            seen(process, moment, "" if moment == "turn_started" else marker)
        os.kill(process.pid, number)
        _, err = process.communicate(timeout=60)
    finally:
        process.kill()
    assert (process.returncode, "Traceback" in err) == (130, False), err
    assert running(f"sleep\0{marker}") == []
    shown = cli("show", "last", "--json").json
    assert shown["state"] == "paused"
    assert untouched(before, everything(user)) == []
    assert (Path(shown["worktree"]) / "cart.py").exists()
    assert cli("audit", "last").exit == 0


def test_a_run_that_is_killed_can_be_shown_and_audited(cli: Cli):
    user = broken_cart(cli)
    marker = f"7{time.time_ns() % 10**9}"
    process = live(cli, FIX, {"bash": f"sleep {marker}"}, CLAIM)
    try:
        begun(f"sleep\0{marker}")
    finally:
        process.kill()
        process.communicate(timeout=60)
    shown = cli("show", "last", "--json").json
    assert shown["state"] == "executing"
    assert cli("audit", "last").exit == 0
    assert cli("list").exit == 0
    assert (Path(shown["worktree"]) / "cart.py").read_text() == CART
    assert own_refs(user).keys() == {"refs/heads/main"}
    for _ in range(200):  # its supervisor sees that the harness is gone, and ends what it had begun
        if not running(f"sleep\0{marker}"):
            break
        subprocess.run(["sleep", "0.1"], check=True)
    assert running(f"sleep\0{marker}") == []


def test_two_runs_at_once_in_one_repository_do_not_meet(cli: Cli):
    user = broken_cart(cli)
    before = everything(user)
    first = live(cli, FIX, {"bash": "sleep 1"}, CLAIM)
    seen(first, "workspace_opened")
    second = live(cli, {"bash": "sleep 0.5"}, FIX, CLAIM)
    try:
        ends = [process.communicate(timeout=120) and process.returncode for process in (first, second)]
    finally:
        first.kill()
        second.kill()
    assert ends == [0, 0]
    branches = [name for name in refs(user) if name.startswith("refs/heads/donewhen/")]
    assert len(branches) == 2
    assert {git(user, "show", f"{name}:cart.py") for name in branches} == {CART.rstrip()}
    assert untouched(before, everything(user)) == []


def test_the_workspace_of_a_run_may_go_between_two_turns(cli: Cli):
    user = broken_cart(cli)
    hook(cli, "after_model", once(cli, "removed", 'rm -rf "$PWD"'))
    done = play(cli, FIX, CLAIM, form="")
    assert done.exit == 5
    assert "Traceback" not in done.err
    assert set(own_refs(user)) == {"refs/heads/main"}
    assert attempts(cli, cli("list", "--json").json["runs"][0]["run"])[-1:] == ["failed"]
