"""Command hooks: real programs that pass, block, lie, hang, crash and print garbage."""

import asyncio
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from donewhen.core.errors import SetupError
from donewhen.core.hooking import BLOCKING, PASSED, POINTS, Verdict
from donewhen.secrets.redact import Redactor
from tests.hooks.ground import RUN, Ground

TELL = "import json, os, sys; told = json.load(sys.stdin); open('told', 'w').write(json.dumps([told, dict(os.environ), os.getcwd()]))"


def test_a_hook_is_told_the_occasion_and_little_of_the_environment(ground: Ground):
    ground.only(ground.script("tell.py", TELL))
    ground.env |= {"SOME_API_KEY": "x", "LD_PRELOAD": "x", "GIT_DIR": "/x"}
    hooks = ground.hooks()
    assert ground.call("before_tool", hooks, tool="run_command", args={"command": "ls"}) == PASSED
    told, env, folder = json.loads((ground.workspace / "told").read_text())
    assert told == {
        "version": 1,
        "point": "before_tool",
        "run": RUN,
        "workspace": str(ground.workspace),
        "data": {"tool": "run_command", "args": {"command": "ls"}},
    }
    assert (env["DONEWHEN_RUN"], env["DONEWHEN_POINT"]) == (RUN, "before_tool")
    assert env["HOME"] == str(ground.home)
    assert not {"SOME_API_KEY", "LD_PRELOAD", "GIT_DIR", "DONEWHEN_STATE_DIR"} & set(env)
    assert os.path.realpath(folder) == os.path.realpath(ground.workspace)


def test_file_names_that_are_no_utf_8_reach_the_hook(ground: Ground):
    source = "import json, sys\nfiles = json.load(sys.stdin)['data']['files']\nsys.exit(0 if files == ['a\\udcff b', '-x\\n'] else 1)"
    ground.only(ground.script("names.py", source), "before_commit")
    assert ground.call("before_commit", files=["a\udcff b", "-x\n"]) == PASSED


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("exit 0", PASSED),
        ("echo thoughts >&2", PASSED),
        ("cat >/dev/null; printf '{}'", PASSED),
        ("echo 'not on a Friday' >&2; exit 2", Verdict("not on a Friday", "mine")),
        ('printf \'{"block": "no"}\'', Verdict("no", "mine")),
        ('printf \'{"note": "look"}\'', Verdict(notes=("look",))),
        ('printf \'{"args": {"command": "true"}}\'', Verdict(by="mine", args={"command": "true"})),
        ("printf '\\033[31mred\\033[0m' >&2; exit 2", Verdict("red", "mine")),
    ],
)
def test_a_program_answers_by_exit_code_or_json(ground: Ground, text, verdict):
    ground.only(ground.shell(text))
    assert ground.call("before_tool", tool="run_command", args={"command": "false"}) == verdict


FAILURES = [
    ("exit 1", "ended with 1"),
    ("exit 3", "ended with 3"),
    ("kill -9 $$", "ended with 137"),
    ("echo Traceback >&2; exit 1", "Traceback"),
    ("no-such-program", "127"),
    ("echo all fine", "no JSON object"),
    ("printf '{\"ok\": true}'", "unknown key ok"),
    ("head -c 3000000 /dev/zero", "more than"),
    ("printf '\\377\\376'", "no JSON object"),
    ("head -c 200000 /dev/zero | tr '\\0' '['", "no JSON object"),
]


@pytest.mark.parametrize(("text", "what"), FAILURES)
def test_a_hook_that_fails_blocks(ground: Ground, text, what):
    ground.only(ground.shell(text))
    verdict = ground.call("before_tool", tool="write_file", args={})
    assert verdict.by == "mine" and what in verdict.blocked and "mine" in verdict.blocked
    assert "fail_open" in verdict.blocked and len(verdict.blocked) < 4001
    [event] = ground.recorded
    assert (event.hook, event.point, event.outcome) == ("mine", "before_tool", "failed")
    assert what in event.reason and event.duration_ms >= 0


@pytest.mark.parametrize(("text", "what"), FAILURES[:6])
def test_a_hook_that_fails_open_lets_pass_and_warns_once(ground: Ground, text, what):
    ground.only(ground.shell(text), fail_open=True)
    hooks = ground.hooks()
    first, second = (ground.call("before_tool", hooks) for _ in range(2))
    assert not first.blocked and what in first.notes[0]
    assert second == PASSED
    assert [event.outcome for event in ground.recorded] == ["failed", "failed"]


@pytest.mark.parametrize("point", [point for point in POINTS if point not in BLOCKING])
def test_where_nothing_can_be_blocked_a_failure_is_a_warning(ground: Ground, point):
    ground.only(ground.shell("exit 7"), point)
    verdict = ground.call(point)
    assert not verdict.blocked and "ended with 7" in verdict.notes[0]


@pytest.mark.runs
def test_a_hook_that_hangs_is_ended_with_all_it_started_and_blocks(ground: Ground):
    lock = ground.workspace / "lock"
    os.mkfifo(lock)
    ground.only(ground.shell("trap '' TERM; (cat lock) & cat lock"), timeout=0.3)
    verdict = ground.call("before_tool")
    assert "did not answer within 0.3 s" in verdict.blocked
    # nobody is left that has the pipe open for reading
    with pytest.raises(OSError, match="No such device"):
        os.open(lock, os.O_WRONLY | os.O_NONBLOCK)


def test_the_configured_time_is_that_of_hooks_without_their_own(ground: Ground):
    os.mkfifo(ground.workspace / "lock")
    ground.user(timeout=0.2, commands=[{"name": "a", "point": "run_start", "command": ["cat", "lock"]}])
    assert "within 0.2 s" in ground.call("run_start").blocked


def test_a_hook_that_prints_for_ever_is_ended(ground: Ground):
    ground.only(ground.shell("yes"), timeout=0.5)
    assert "did not answer" in ground.call("before_tool").blocked
    assert not list(ground.workspace.iterdir())


def test_a_hook_need_not_read_what_it_is_told(ground: Ground):
    ground.only(ground.shell("exit 0"))
    assert ground.call("before_tool", diff="x" * 5_000_000) == PASSED


def test_what_cannot_be_told_blocks(ground: Ground):
    deep: list = []
    for _ in range(100_000):
        deep = [deep]
    ground.only(ground.shell("exit 0"))
    hooks = ground.hooks()
    assert "can't be written as JSON" in ground.call("before_tool", hooks, args={"a": deep}).blocked
    assert "can't be written as JSON" in ground.call("before_tool", hooks, args={"a": float("nan")}).blocked


def test_words_of_a_command_are_never_read_by_a_shell(ground: Ground):
    source = "import sys\nsys.exit(0 if sys.argv[1:] == ['$(touch x)', '; exit 2', '', '-n', 'a b'] else 2)"
    ground.only([*ground.script("words.py", source), "$(touch x)", "; exit 2", "", "-n", "a b"])
    assert ground.call("before_tool") == PASSED
    assert not (ground.workspace / "x").exists()


def test_reasons_hold_no_secret_and_are_bounded(ground: Ground):
    ground.only(
        ground.shell("echo \"found hunter2-hunter2 $(head -c 60000 /dev/zero | tr '\\0' x)\" >&2; exit 2")
    )
    verdict = ground.call("before_tool", ground.hooks(redactor=Redactor(["hunter2-hunter2"])))
    assert "hunter2" not in verdict.blocked and verdict.blocked.startswith("found [redacted:")
    assert len(verdict.blocked) == 4000
    assert "hunter2" not in ground.recorded[0].reason


def test_notes_on_stdout_hold_no_secret(ground: Ground):
    ground.only(ground.shell('printf \'{"note": "use hunter2-hunter2"}\''))
    verdict = ground.call("before_tool", ground.hooks(redactor=Redactor(["hunter2-hunter2"])))
    assert verdict.notes == ("use [redacted:declared]",)


@pytest.mark.parametrize(
    ("command", "missing"),
    [
        (["no-such-program"], "no-such-program"),
        (["./checks/hook"], "./checks/hook"),
        (["/no/such/program"], "/no/such/program"),
        (["python3", "checks/hook.py"], "checks/hook.py"),
        (["python3", "-I", "-u", "checks/hook.py"], "checks/hook.py"),
        (["/bin/sh", "/no/such/hook.sh", "x"], "/no/such/hook.sh"),
        (["bash", "-eu", "hook.sh"], "hook.sh"),
    ],
)
def test_a_missing_program_or_script_stops_the_run_before_it_starts(ground: Ground, command, missing):
    ground.only(command)
    with pytest.raises(SetupError) as caught:
        ground.hooks()
    assert missing in str(caught.value) and "mine" in str(caught.value)
    assert "hooks.commands" in str(caught.value)


@pytest.mark.parametrize(
    "command",
    [
        ["python3", "-c", "pass"],
        ["python3", "-m", "json.tool", "-h"],
        ["python3"],
        ["sh", "-c", "exit 0"],
        ["env", "x"],
    ],
)
def test_commands_whose_script_cannot_be_told_are_not_refused(ground: Ground, command):
    ground.only(command)
    assert ground.hooks().listens("before_tool")


def test_a_run_that_goes_on_holds_scripts_to_what_they_were_at_its_start(ground: Ground):
    script = ground.workspace / "hook.py"
    script.write_text("raise SystemExit(0)")
    ground.only([sys.executable, "hook.py"])
    pins = ground.hooks().pins
    assert list(pins) == ["hook.py"]
    script.write_text("open('owned', 'w')")
    again = ground.hooks()
    again.pin(pins)
    assert "hook.py is not what it was" in ground.call("before_tool", again).blocked
    assert again.pins == pins and not (ground.workspace / "owned").exists()


def test_a_script_of_the_workspace_runs_only_as_it_was_at_the_start(ground: Ground):
    script = ground.workspace / "hook.py"
    script.write_text("raise SystemExit(0)")
    ground.only([sys.executable, "hook.py"])
    hooks = ground.hooks()
    assert ground.call("before_tool", hooks) == PASSED
    script.write_text("open('owned', 'w')")
    assert "hook.py is not what it was" in ground.call("before_tool", hooks).blocked
    script.unlink()
    assert "hook.py is not what it was" in ground.call("before_tool", hooks).blocked
    script.write_text("raise SystemExit(0)")
    assert ground.call("before_tool", hooks) == PASSED
    assert not (ground.workspace / "owned").exists()


@pytest.mark.parametrize("what", ["pipe", "folder", "dangling link"])
def test_what_stands_in_the_place_of_a_script_is_neither_run_nor_waited_for(ground: Ground, what):
    script = ground.workspace / "hook.sh"
    script.write_text("exit 0")
    ground.only(["/bin/sh", "hook.sh"])
    hooks = ground.hooks()
    script.unlink()
    made: dict[str, Callable[[Path], None]] = {
        "pipe": os.mkfifo,
        "folder": Path.mkdir,
        "dangling link": lambda path: path.symlink_to("gone"),
    }
    made[what](script)
    assert "hook.sh is not what it was" in ground.call("before_tool", hooks).blocked


def test_a_module_beside_a_script_of_the_workspace_does_not_take_the_place_of_the_librarys(ground: Ground):
    (ground.workspace / "hook.py").write_text("import json, sys; json.load(sys.stdin)")
    ground.only([sys.executable, "hook.py"])
    hooks = ground.hooks()
    (ground.workspace / "json.py").write_text("open('owned', 'w')")
    assert ground.call("before_tool", hooks) == PASSED
    assert not (ground.workspace / "owned").exists()


def test_a_program_of_the_workspace_behind_a_link_is_watched_too(ground: Ground):
    inner = ground.workspace / "inner.sh"
    inner.write_text("#!/bin/sh\nexit 0\n")
    inner.chmod(0o755)
    (ground.programs / "hook").symlink_to(inner)
    ground.only([str(ground.programs / "hook")])
    hooks = ground.hooks()
    assert ground.call("before_tool", hooks) == PASSED
    inner.write_text("#!/bin/sh\ntouch owned\n")
    assert "is not what it was" in ground.call("before_tool", hooks).blocked


def test_after_the_workspace_is_gone_hooks_still_run(ground: Ground):
    ground.only(ground.shell('printf \'{"note": "over"}\''), "run_end")
    hooks = ground.hooks()
    ground.workspace.rmdir()
    assert ground.call("run_end", hooks).notes == ("over",)


def test_a_cancelled_call_leaves_nothing_running(ground: Ground):
    lock = ground.workspace / "lock"
    os.mkfifo(lock)
    ground.only(ground.shell("cat lock"))

    async def cancelled() -> None:
        task = asyncio.ensure_future(ground.hooks().call(ground.occasion("before_tool")))
        handle = await asyncio.to_thread(os.open, lock, os.O_WRONLY)  # returns when the hook reads
        os.close(handle)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    asyncio.run(cancelled())
    with pytest.raises(OSError, match="No such device"):
        os.open(lock, os.O_WRONLY | os.O_NONBLOCK)
