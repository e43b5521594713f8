"""Real commands against real walls, the guard's rules not involved: what must not happen does not."""

import asyncio
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from donewhen.workspace.processes.command import Limits
from donewhen.workspace.processes.running import run
from donewhen.workspace.sandbox.caches import laid
from donewhen.workspace.sandbox.confinement import Network
from donewhen.workspace.sandbox.support import probe
from tests.workspace.conftest import place  # noqa: F401
from tests.workspace.places import SECRET, WALLS, Place

LOCK = "exec 9>lock; flock 9; "
pytestmark = [pytest.mark.walls, pytest.mark.parametrize("name", WALLS)]


def test_ordinary_work_goes_on(place: Place, name: str):  # noqa: F811
    text = """
    set -e
    git init -q . && git config user.email a@b && git config user.name c
    mkdir -p src && echo 'print(1)' > src/a.py && git add . && git commit -qm one && git log --oneline | wc -l
    t=$(mktemp) && echo x > "$t" && cat "$t" && mv src/a.py src/b.py && ln src/b.py src/c.py && rm -r src
    cat $HOME/.gitconfig | head -1; echo ok > /dev/null; echo done | tee out
    """
    done = place.run(text, plan=place.walls(name, "none"))
    assert (done.exit, done.output.text.split()) == (0, ["1", "x", "[user]", "done"])


@pytest.mark.parametrize(
    "text",
    [
        "echo x > $OUT/new",
        "echo x >> $OUT/kept",
        "rm -rf $OUT/kept",
        "mv $OUT/kept here",
        "mkdir $OUT/folder",
        "ln -s $OUT link && echo x > link/new",
        "ln $OUT/kept hard && echo x > hard",
        "truncate -s 0 $OUT/kept",
        "chmod 777 $OUT/../outside/kept && echo x > $OUT/kept",
        'python3 -c \'import os; os.rename(os.environ["OUT"] + "/kept", "gone")\'',
        "cp --remove-destination /etc/hostname $OUT/kept",
        "echo x > /proc/1/root$OUT/new",
        "echo x > $HOME/.bashrc",
        "echo x > /etc/donewhen-test",
        "unshare -Urm sh -c 'mount -o remount,rw / && echo x > $OUT/new'",
        "umount -l $HOME && echo x > $HOME/new",
    ],
)
def test_nothing_outside_is_changed(place: Place, name: str, text: str):  # noqa: F811
    kept = place.outside / "kept"
    kept.write_text("as it was")
    place.run(text, env={**place.env, "OUT": str(place.outside)}, plan=place.walls(name))
    assert kept.read_text() == "as it was"
    assert [path.name for path in place.outside.iterdir()] == ["kept"]
    assert sorted(path.name for path in place.home.iterdir()) == [".config", ".gitconfig", ".netrc", ".ssh"]
    assert not Path("/etc/donewhen-test").exists()


@pytest.mark.parametrize(
    "text",
    [
        "cat $HOME/.ssh/id_ed25519",
        "cat $HOME/.netrc",
        "ln -s $HOME/.ssh/id_ed25519 key; cat key",
        "ln $HOME/.ssh/id_ed25519 key; cat key",
        "cp -r $HOME/.ssh copy; cat copy/*",
        "mv $HOME/.ssh here; cat here/*",
        "tar c $HOME | cat",
        "cat /proc/1/root$HOME/.ssh/id_ed25519",
        "cat /proc/self/root$HOME/.ssh/id_ed25519",
        "python3 -c 'print(open(\"/proc/self/cwd/../home/.ssh/id_ed25519\").read())'",
        "umount $HOME/.ssh; cat $HOME/.ssh/id_ed25519",
        "unshare -Urm sh -c 'umount -l $HOME/.ssh; cat $HOME/.ssh/id_ed25519'",
        "mount --bind $HOME/.ssh here; mkdir here; cat here/*",
        "grep -r planted $HOME",
    ],
)
def test_planted_secrets_are_not_read(place: Place, name: str, text: str):  # noqa: F811
    done = place.run(text, plan=place.walls(name))
    assert SECRET not in done.output.text
    assert done.failure is None


def test_more_can_be_hidden_and_more_opened(place: Place, name: str):  # noqa: F811
    state = place.base / "state"
    state.mkdir()
    (state / "ledger").write_text(SECRET)
    walls = place.walls(name, hide=[state], writable=[place.outside])
    done = place.run(f"cat {state}/ledger; echo x > {state}/new; echo y > {place.outside}/made", plan=walls)
    assert SECRET not in done.output.text
    assert [path.name for path in state.iterdir()] == ["ledger"]
    assert (place.outside / "made").read_text() == "y\n"


def test_the_harness_is_out_of_reach(place: Place, name: str):  # noqa: F811
    me = os.getpid()
    done = place.run(f"cat /proc/{me}/environ | wc -c; kill -0 {me} && echo reached", plan=place.walls(name))
    assert done.output.text.splitlines()[-1].endswith(("No such process", "Operation not permitted"))
    assert "0" in done.output.text.split()


def test_the_host_is_not_reached_over_the_network(place: Place, name: str):  # noqa: F811
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.setblocking(False)
        port = server.getsockname()[1]
        text = f"exec 3<>/dev/tcp/127.0.0.1/{port} && echo connected"
        closed = place.run(text, plan=place.walls(name, "none"))
        with pytest.raises(BlockingIOError):
            server.accept()
        opened = place.run(text, plan=place.walls(name, "full"))
        server.accept()[0].close()
    assert "connected" not in closed.output.text
    assert opened.output.text == "connected\n"


def test_datagrams_do_not_leave_an_own_network(place: Place, name: str):  # noqa: F811
    walls = place.walls(name, "none")
    if any(gap.key == "sandbox.gap_udp" for gap in walls.gaps):
        pytest.skip("without namespaces only TCP is stopped, and the plan says so")
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as server:
        server.bind(("127.0.0.1", 0))
        server.setblocking(False)
        place.run(f"echo x > /dev/udp/127.0.0.1/{server.getsockname()[1]}", plan=walls)
        with pytest.raises(BlockingIOError):
            server.recv(10)


FORKS = b"""
import os, time
made = 0
try:
    while made < 300:
        if os.fork() == 0:
            time.sleep(1000)
        made += 1
except BlockingIOError:
    pass
print(made)
"""
LOOPBACK = """
import socket
server = socket.create_server(("127.0.0.1", 0))
client = socket.create_connection(server.getsockname())
client.sendall(b"hello")
print(server.accept()[0].recv(5).decode())
"""


def test_an_own_network_has_a_loopback(place: Place, name: str):  # noqa: F811
    walls = place.walls(name, "none")
    if any(gap.key == "sandbox.gap_udp" for gap in walls.gaps):
        pytest.skip("without namespaces loopback is stopped too, and the plan says so")
    done = place.run("python3 -", stdin=LOOPBACK.encode(), plan=walls)
    assert done.output.text == "hello\n"


@pytest.mark.parametrize(
    "text",
    [
        "setsid sleep 1000 &",
        "nohup setsid sleep 1000 >/dev/null 2>&1 &",
        "(setsid bash -c '(setsid sleep 1000 &)' &);",
    ],
)
def test_nothing_outlives_its_parent(place: Place, name: str, text: str):  # noqa: F811
    done = place.run(f"{LOCK}{text} echo started", plan=place.walls(name), grace=0.2)
    assert (done.exit, done.output.text) == (0, "started\n")
    assert done.left_behind >= 1
    assert place.is_free()


def test_a_time_out_ends_everything(place: Place, name: str):  # noqa: F811
    text = f"{LOCK}trap '' TERM; setsid sleep 1000 & while :; do sleep 0.1; done"
    done = place.run(text, plan=place.walls(name), timeout=0.5, grace=0.2)
    assert done.timed_out
    assert place.is_free()


def test_the_supervisor_can_not_be_killed_from_inside(place: Place, name: str):  # noqa: F811
    walls = place.walls(name)
    if walls.rules is not None and walls.rules.abi < 6:
        pytest.skip("Landlock stops signals from version 6 on")
    done = place.run("kill -9 $PPID; echo still here", plan=walls)
    assert (done.failure, done.exit) == (None, 0)
    assert done.output.text.endswith("still here\n")


def test_a_fork_bomb_is_bounded(place: Place, name: str):  # noqa: F811
    walls = place.walls(name)
    if any(gap.key == "sandbox.gap_forks" for gap in walls.gaps):
        pytest.skip("root is not bound by process limits and no control group can be made")
    done = place.run(f"{LOCK}python3 -", stdin=FORKS, plan=walls, limits=Limits(processes=60), grace=0.2)
    assert int(done.output.text) <= 62
    assert done.left_behind == int(done.output.text)
    assert place.is_free()


def test_the_disk_is_not_filled_by_one_file(place: Place, name: str):  # noqa: F811
    limits = Limits(file_size=1024 * 1024)
    place.run("yes > big; yes > /tmp/big; yes >> big", plan=place.walls(name), limits=limits)
    assert (place.workspace / "big").stat().st_size <= 1024 * 1024


def test_the_exit_code_comes_through(place: Place, name: str):  # noqa: F811
    walls = place.walls(name)
    codes = [place.run(text, plan=walls).exit for text in ("exit 7", "kill -9 $$", "no-such-program")]
    assert codes == [7, 137, 127]
    missing = place.run("", text=None, argv=("no-such-program",), plan=walls)
    assert missing.exit == 127 and missing.failure is not None and missing.failure.key == "process.no_program"


def test_temp_is_the_runs_own_and_lasts_for_it(place: Place, name: str):  # noqa: F811
    walls = place.walls(name)
    place.run('echo kept > "$TMPDIR/note"', plan=walls)
    assert place.run('cat "$TMPDIR/note"', plan=walls).output.text == "kept\n"
    assert (place.base / "scratch/tmp/note").exists()


def test_caches_can_be_written_and_the_users_stay_as_they_are(place: Place, name: str):  # noqa: F811
    cache = place.home / ".cache/pip"
    cache.mkdir(parents=True)
    (cache / "wheel").write_text("the user's")
    text = 'd=${PIP_CACHE_DIR:-$HOME/.cache/pip}; mkdir -p "$d" && echo new > "$d/mine" && cat "$d/mine"'
    text += '; mkdir -p "$npm_config_cache" && echo npm > "$npm_config_cache/x" && cat "$npm_config_cache/x"'
    done = place.run(text, plan=place.walls(name))
    assert done.output.text == "new\nnpm\n"
    assert [path.name for path in cache.iterdir()] == ["wheel"]


def test_no_link_in_a_cache_layer_is_followed_by_the_next_command(place: Place, name: str):  # noqa: F811
    (place.home / ".cache/pip").mkdir(parents=True)
    walls = place.walls(name)
    layer = place.base / "scratch/caches"
    pip = str(place.home / ".cache/pip")
    names = f"{Path(laid(str(layer), pip)).name} PIP_CACHE_DIR GOMODCACHE CARGO_HOME"
    for target in (place.outside, place.home / ".ssh"):
        place.run(
            f"find {layer} -mindepth 1 -depth -exec rm -rf {{}} +; find {layer} -mindepth 1 >left;"
            f"for n in {names}; do for d in . laid moved; do mkdir -p {layer}/$d/$n;"
            f" ln -s {target} {layer}/$d/$n/new; ln -s {target} {layer}/$d/$n/work; done; done",
            plan=walls,
        )
        done = place.run("cat $HOME/.cache/pip/*; echo x >$HOME/.cache/pip/x", plan=walls)
        assert SECRET not in done.output.text
        assert done.failure is None
    assert not list(place.outside.iterdir())
    assert [path.name for path in (place.home / ".ssh").iterdir()] == ["id_ed25519"]


def test_what_is_hidden_in_the_workspace_can_not_be_moved_out_of_its_cover(place: Place, name: str):  # noqa: F811
    state = place.workspace / "a/b/state"
    state.mkdir(parents=True)
    (state / "key").write_text(SECRET)
    walls = place.walls(name, hide=[state])
    if any(gap.key == "sandbox.gap_hidden" for gap in walls.gaps):
        pytest.skip("Landlock can't hide what lies in a writable folder, and the plan says so")
    for move in ("mv a/b/state s", "mv a/b c", "mv a d", "rm -rf a", "ln -s . a/b/state"):
        done = place.run(f"{move}; grep -r planted .", plan=walls)
        assert SECRET not in done.output.text and done.failure is None
    assert (state / "key").read_text() == SECRET


def test_no_folder_on_the_way_to_a_writable_one_can_be_swapped_for_a_link(place: Place, name: str):  # noqa: F811
    (place.workspace / "a/b").mkdir(parents=True)
    (place.outside / "b").mkdir()
    walls = place.walls(name, writable=[place.workspace / "a/b"])
    for _ in range(2):
        place.run(f"mv a c; ln -s {place.outside} a; echo x > {place.workspace}/a/b/new", plan=walls)
    assert not list((place.outside / "b").iterdir())


def test_no_mount_point_is_made_through_a_link_in_temp(place: Place, name: str):  # noqa: F811
    with tempfile.TemporaryDirectory(prefix="donewhen-test-", dir="/tmp") as below:
        inner = Place(Path(below) / "x/y")
        walls = inner.walls(name)
        for link in (f"/oldroot{place.outside}", f"../oldroot{place.outside}", str(place.outside)):
            for _ in range(2):
                inner.run(
                    f"cd /; mv {below}/x {below}/z; mv {below} {below}-moved; ln -s {link} {below}",
                    plan=walls,
                )
        assert not list(place.outside.iterdir())
        shutil.rmtree(f"{below}-moved", ignore_errors=True)


CONNECT = """
import socket, sys
try:
    socket.socket(socket.AF_UNIX).connect(sys.argv[1].replace("@", chr(0)))
    print("connected")
except OSError:
    print("refused")
"""


@pytest.mark.parametrize("network", ["none", "full"])
def test_abstract_sockets_of_the_host_are_not_reached(place: Place, name: str, network: Network):  # noqa: F811
    if probe().landlock < 6:
        pytest.skip("Landlock stops abstract sockets from version 6 on")
    with socket.socket(socket.AF_UNIX) as server:
        address = f"@donewhen-test-{os.getpid()}-{network}"
        server.bind(address.replace("@", "\0"))
        server.listen()
        words = ("python3", "-c", CONNECT, address)
        done = place.run("", text=None, argv=words, plan=place.walls(name, network))
    assert done.output.text == "refused\n"


def test_without_a_network_services_of_the_host_are_not_reached(place: Place, name: str):  # noqa: F811
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(place.outside / "service"))
        server.listen()
        walls = place.walls(name, "none")
        if any(gap.key == "sandbox.gap_modes" for gap in walls.gaps):
            pytest.skip("Landlock does not stop them, and the plan says so")
        words = ("python3", "-c", CONNECT, str(place.outside / "service"))
        assert place.run("", text=None, argv=words, plan=walls).output.text == "refused\n"


FORGE = """
import ctypes, os
call = ctypes.CDLL(None).syscall
supervisor = call(434, os.getppid(), 0)
for number in range(3, 20):
    taken = call(438, supervisor, number, 0)
    if taken >= 0:
        os.write(taken, b"ended 0 0" + bytes([10]))
raise SystemExit(7)
"""


def test_a_command_can_not_say_how_it_ended(place: Place, name: str):  # noqa: F811
    if probe().landlock < 6:
        pytest.skip("Landlock scopes come with version 6")
    done = place.run("", text=None, argv=("python3", "-c", FORGE), plan=place.walls(name))
    assert (done.exit, done.failure) == (7, None)


def test_a_credential_that_goes_away_does_not_stop_commands(place: Place, name: str):  # noqa: F811
    walls = place.walls(name)
    (place.home / ".netrc").unlink()
    shutil.rmtree(place.home / ".ssh")
    assert place.run("echo fine", plan=walls).output.text == "fine\n"


CHILD = """
import asyncio, sys
from pathlib import Path
from tests.workspace.places import Place
from donewhen.workspace.processes.running import run
place = object.__new__(Place)
place.base = Path(sys.argv[1])
place.workspace, place.home = place.base / "workspace", place.base / "home"
place.env = {"PATH": "/usr/bin:/bin", "HOME": str(place.home)}
asyncio.run(run(place.command(sys.argv[3], plan=place.walls(sys.argv[2])._replace(groups=()))))
"""


def test_killing_donewhen_kills_what_is_inside(place: Place, name: str):  # noqa: F811
    place.walls(name)
    os.mkfifo(place.workspace / "ready")
    text = LOCK + "(setsid bash -c 'trap \"\" TERM; echo >ready; while :; do sleep 0.1; done' &); sleep 1000"
    child = subprocess.Popen([sys.executable, "-c", CHILD, str(place.base), name, text])
    (place.workspace / "ready").read_text()
    child.send_signal(signal.SIGKILL)
    child.wait()
    subprocess.run(["flock", str(place.workspace / "lock"), "true"], check=True)


@pytest.mark.runs
def test_a_wall_that_can_not_be_put_up_stops_the_command(place: Place, name: str):  # noqa: F811
    walls = place.walls(name)
    if walls.prefix:
        broken = walls._replace(prefix=(*walls.prefix[:-1], "--bind", "/no/such/folder", "/mnt", "--"))
    else:
        for number in range(5_001):  # more than there may be beside a hidden one
            (place.outside / str(number)).touch()
        broken = place.walls(name, hide=[place.outside / "7"])
    done = asyncio.run(run(place.command("echo ran", plan=broken)))
    assert done.failure is not None and done.failure.key == "process.no_sandbox"
    assert done.exit is None and "ran\n" not in done.output.text
