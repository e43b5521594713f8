"""Running one command: its result, its limits, and that nothing of it stays."""

import asyncio
import marshal
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from donewhen.workspace.processes import groups
from donewhen.workspace.processes.command import Command, Limits
from donewhen.workspace.processes.launching import BOOT, nameless, payload
from donewhen.workspace.processes.running import run
from donewhen.workspace.sandbox.plan import Plan
from donewhen.workspace.sandbox.support import probe

MIB = 1024 * 1024
LOCK = "exec 9>lock; flock 9; "


@pytest.mark.parametrize(
    ("text", "code", "number"),
    [
        ("true", 0, None),
        ("exit 3", 3, None),
        ("no-such-program", 127, None),
        ("kill -9 $$", 137, 9),
        ("kill -15 $$", 143, 15),
        ("/etc", 126, None),
        ("if", 2, None),
    ],
)
def test_the_exit_code_is_the_shells(place, text, code, number):
    done = place.run(text)
    assert (done.exit, done.signal, done.failure, done.timed_out, done.left_behind) == (
        code,
        number,
        None,
        False,
        0,
    )


def test_both_streams_come_in_order(place):
    assert place.run("echo 1; echo 2 >&2; echo 3; echo 4 >&2").output.text == "1\n2\n3\n4\n"


def test_the_shell_reads_no_start_up_files(place):
    (place.home / ".bashrc").write_text("echo bashrc")
    (place.home / ".bash_profile").write_text("echo profile")
    assert place.run("echo $-; shopt -q login_shell || echo plain").output.text.endswith("plain\n")


def test_a_program_gets_its_words_as_they_are(place):
    words = ("printf", "%s|", "a b", "$HOME", "*", "'", "-n", "\udcff")
    assert place.run("", text=None, argv=words).output.text == "a b|$HOME|*|'|-n|\ufffd|"


def test_the_environment_is_what_was_given_and_nothing_else(place):
    assert place.run("", text=None, argv=("env",), env={"PATH": "/usr/bin:/bin", "A": "1"}).output.text == (
        "PATH=/usr/bin:/bin\nA=1\n"
    )


def test_standard_input_is_what_was_given_or_empty(place):
    assert place.run("cat").output.text == ""
    assert place.run("cat", stdin=b"x" * 200_000).output.size == 200_000


def test_only_the_three_streams_are_open(place):
    assert place.run("", text=None, argv=("ls", "/proc/self/fd")).output.text.split() == ["0", "1", "2", "3"]


def test_signals_are_as_a_shell_has_them(place):
    ignored = int(place.run("grep SigIgn: /proc/self/status").output.text.split()[1], 16)
    of_the_c_library = 1 << 31 | 1 << 32  # 32 and 33, which no program can reset
    assert ignored & ~of_the_c_library == 0


@pytest.mark.parametrize(
    ("fields", "key", "code"),
    [
        ({"text": None, "argv": ("no-such-program",)}, "process.no_program", 127),
        ({"text": None, "argv": ("/etc/passwd",)}, "process.no_program", 126),
        ({"text": None, "argv": ()}, "process.nothing_to_run", None),
        ({"text": "echo \0"}, "process.bad_word", None),
        ({"text": None, "argv": ("x" * 200_000,)}, "process.no_program", 126),
        ({"text": None, "argv": ("",)}, "process.no_program", 127),
        ({"text": None, "argv": ("echo", "\ud800")}, "process.not_started", None),
        ({"text": "true", "env": {"A": "\ud800"}}, "process.not_started", None),
        ({"text": "true", "limits": Limits(processes=-5)}, "process.not_started", None),
    ],
)
def test_what_can_not_be_run_says_why(place, fields, key, code):
    done = place.run("", **fields)
    assert done.failure is not None
    assert (done.failure.key, done.exit) == (key, code)


def test_a_missing_folder_says_so(place):
    done = place.run("true", folder=place.base / "nowhere")
    assert done.failure is not None
    assert (done.failure.key, done.exit) == ("process.no_folder", None)


def test_a_time_out_ends_the_whole_tree(place):
    done = place.run(LOCK + "sleep 1000 & sleep 1000 | cat; wait", timeout=0.3)
    assert (done.exit, done.timed_out, done.failure) == (None, True, None)
    assert place.is_free()


def test_what_ignores_being_asked_is_killed(place):
    done = place.run(LOCK + "trap '' TERM; echo up; while :; do sleep 0.1; done", timeout=0.3, grace=0.2)
    assert done.timed_out and done.output.text == "up\n"
    assert place.is_free()


def test_a_command_may_clean_up_when_asked(place):
    done = place.run("trap 'echo bye; exit 0' TERM; sleep 1000 & wait", timeout=0.3)
    assert (done.timed_out, done.output.text) == (True, "bye\n")


ESCAPES = {
    "background": "sleep 1000 &",
    "session": "setsid sleep 1000 &",
    "nohup": "nohup setsid sleep 1000 >/dev/null 2>&1 &",
    "double fork": "(setsid bash -c '(setsid sleep 1000 &)' &);",
    "deaf": "(trap '' TERM HUP INT; setsid bash -c 'while :; do sleep 0.05; done' &);",
    "closed streams": "setsid sleep 1000 <&- >&- 2>&- &",
    "no environment": "env -i setsid sleep 1000 &",
}


@pytest.mark.runs
@pytest.mark.parametrize("text", ESCAPES.values(), ids=ESCAPES)
def test_nothing_outlives_its_command(place, text):
    done = place.run(LOCK + text + " echo started", grace=0.2)
    assert (done.exit, done.output.text) == (0, "started\n")
    assert done.left_behind >= 1
    assert place.is_free()


def test_late_writers_of_a_pipe_are_heard_and_not_counted(place):
    done = place.run("echo hello > >(cat; echo late)")
    assert (done.output.text, done.left_behind) == ("hello\nlate\n", 0)


def test_a_killed_supervisor_is_noticed_and_nothing_stays(place):
    done = place.run(LOCK + "setsid sleep 1000 & sleep 0.05; kill -9 $PPID; sleep 1000")
    assert done.failure is not None and done.failure.key == "process.lost"
    assert done.exit is None
    assert place.is_free()


def test_cancelling_kills_at_once(place):
    os.mkfifo(place.workspace / "ready")

    async def main() -> None:
        task = asyncio.create_task(run(place.command(LOCK + "setsid sleep 1000 & echo >ready; wait")))
        await asyncio.to_thread((place.workspace / "ready").read_text)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(main())
    assert place.is_free()


CHILD = """
import asyncio, sys
from pathlib import Path
from donewhen.workspace.processes import groups
from donewhen.workspace.processes.command import Command
from donewhen.workspace.processes.running import run
folder = Path(sys.argv[1])
env = {"PATH": "/usr/bin:/bin"}
asyncio.run(run(Command(folder, folder / "outputs", text=sys.argv[2], env=env)))
"""


def test_killing_donewhen_kills_its_commands(place):
    os.mkfifo(place.workspace / "ready")
    text = LOCK + "(setsid bash -c 'trap \"\" TERM; echo >ready; while :; do sleep 0.1; done' &); sleep 1000"
    child = subprocess.Popen([sys.executable, "-c", CHILD, str(place.workspace), text])
    (place.workspace / "ready").read_text()
    child.send_signal(signal.SIGKILL)
    child.wait()
    subprocess.run(["flock", str(place.workspace / "lock"), "true"], check=True)


def test_a_donewhen_that_dies_before_the_start_leaves_nothing(place):
    options = payload(place.command(LOCK + "setsid sleep 1000 & sleep 1000"))
    near, far = socket.socketpair()
    near.close()
    file = nameless(marshal.dumps(options))
    numbers = (file.fileno(), far.fileno())
    words = [sys.executable, "-I", "-S", "-c", BOOT, *map(str, numbers)]
    done = subprocess.run(words, pass_fds=numbers, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert place.is_free()


def test_a_flood_is_cut_and_counted(place):
    done = place.run("head -c 3000000 /dev/zero | tr '\\0' 'x'", limits=Limits(output=MIB))
    assert (done.exit, done.output.size, done.output.cut) == (0, 3_000_000, 3_000_000 - MIB)
    assert done.output.file.stat().st_size == MIB


def test_secrets_do_not_leave(place):
    token = "ghp_" + "a1B2" * 9
    done = place.run(f"printf 'ghp_'; printf '{token[4:]}\\n'")
    assert token not in done.output.text + done.output.file.read_text()


def test_files_are_limited_in_size(place):
    done = place.run("head -c 10000000 /dev/zero > big; echo $?", limits=Limits(file_size=MIB))
    assert (place.workspace / "big").stat().st_size <= MIB
    assert done.output.text.strip().endswith("153")


def test_processor_time_is_limited(place):
    assert place.run("while :; do :; done", limits=Limits(cpu_seconds=1)).signal in (9, 24)


def test_memory_is_limited(place):
    code = "x = bytearray(512 * 1024 * 1024); print('got', 'it')"  # tracebacks show the line
    done = place.run("", text=None, argv=(sys.executable, "-c", code), limits=Limits(memory=256 * MIB))
    assert done.exit != 0 and "got it" not in done.output.text


def limited_processes() -> bool:
    support = probe()
    return not support.root or "pids" in dict(support.groups)


@pytest.mark.skipif(
    not limited_processes(), reason="root is not bound by process limits and no group can be made"
)
def test_a_fork_bomb_stays_small_and_goes(place):
    text = LOCK + "bomb() { bomb | bomb & }; bomb 2>/dev/null; sleep 1000"
    done = place.run(
        text, limits=Limits(processes=60), plan=Plan(groups=probe().groups), timeout=1, grace=0.1
    )
    assert done.timed_out and done.failure is None
    assert place.is_free()


def test_no_group_stays(place):
    parents = dict(probe().groups)
    if "pids" not in parents:
        pytest.skip("no control group can be made here")
    place.run("true", plan=Plan(groups=probe().groups))
    assert not list(Path(parents["pids"]).glob(f"donewhen-{os.getpid()}-*"))


def test_groups_of_a_killed_donewhen_are_removed_later(place):
    parents = dict(probe().groups)
    if "pids" not in parents:
        pytest.skip("no control group can be made here")
    gone = subprocess.Popen(["true"])
    gone.wait()
    stale = Path(parents["pids"]) / f"donewhen-{gone.pid}-1"
    stale.mkdir()
    groups.sweep(parents)
    assert not stale.exists()


def test_no_descriptor_stays(place):
    place.run("true")
    before = sorted(Path("/proc/self/fd").iterdir())
    for text in ("true", "exit 1", "sleep 9", "no-such"):
        place.run(text, timeout=0.1, grace=0)
    place.run("", text=None, argv=("nowhere",))
    place.run("", text=None, argv=("echo", "\ud800"))
    assert sorted(Path("/proc/self/fd").iterdir()) == before


def test_many_run_at_once(place):
    async def main() -> list[str]:
        runs = [run(place.command(f"echo {n}")) for n in range(12)]
        return [done.output.text for done in await asyncio.gather(*runs)]

    assert asyncio.run(main()) == [f"{n}\n" for n in range(12)]


def test_a_command_is_plain_data(tmp_path):
    assert Command(tmp_path, tmp_path, ("true",)) == Command(tmp_path, tmp_path, ("true",))


def test_a_shell_planted_on_the_path_is_not_taken(place):
    fake = place.workspace / "bash"
    fake.write_text("#!/bin/sh\nexit 0\n")
    fake.chmod(0o755)
    assert place.run("exit 3", env={"PATH": f"{place.workspace}:/usr/bin:/bin"}).exit == 3


@pytest.mark.parametrize("seconds", [0, -1])
def test_no_time_is_a_time_out(place, seconds):
    done = place.run(LOCK + "sleep 1000", timeout=seconds)
    assert (done.timed_out, done.exit, done.failure) == (True, None, None)
    assert place.is_free()


def test_a_stopped_supervisor_goes_on_when_it_is_needed(place):
    done = place.run(LOCK + "kill -STOP $PPID; echo stopped; sleep 1000", timeout=0.5, grace=0)
    assert (done.timed_out, done.failure) == (True, None)
    assert place.is_free()


def test_a_folder_is_taken_from_where_we_are(place, monkeypatch):
    monkeypatch.chdir(place.workspace)
    assert place.run("pwd", folder=Path()).output.text == f"{place.workspace}\n"


def test_a_deleted_folder_does_not_disturb(place):
    (place.workspace / "gone").mkdir()
    done = place.run("rmdir $PWD; echo still here", folder=place.workspace / "gone")
    assert (done.exit, done.output.text) == (0, "still here\n")


RABBIT = """
import os
os.setsid()
for _ in range(100_000):
    if os.fork():
        os._exit(0)
"""


def test_what_forks_and_runs_away_is_caught(place):
    if "pids" not in dict(probe().groups):
        pytest.skip("no control group can be made here")
    text = LOCK + "/usr/bin/python3 -S - </dev/stdin & sleep 1000"
    walls = Plan(groups=probe().groups)
    limits = Limits(processes=40)
    place.run(text, stdin=RABBIT.encode(), plan=walls, limits=limits, timeout=0.5, grace=0)
    assert place.is_free()
