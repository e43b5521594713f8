"""The process between donewhen and a command: it sets limits, starts it, and outlives all it leaves behind.

Sent as compiled code to a bare interpreter (`python -I -S`, the standard library alone), because what must
be done between fork and exec can't be done in a process with threads. It collects orphans, so no `setsid`
or double fork escapes it; when donewhen is gone its end of the control socket closes, and everything is
killed. It never writes to the command's output.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found] # `signal` costs 6 ms of enum at every start
import errno
import posix as os  # the rest of `os`, and `ctypes` for `_ctypes`, would cost 4 ms more
import select
import sys
import time

TYPE_CHECKING = False  # importing typing costs more than the start
if TYPE_CHECKING:
    from types import CodeType
    from typing import Any

_TERM, _KILL = 15, 9
_DIE_WITH_PARENT, _TRACEABLE, _COLLECT_ORPHANS = 1, 4, 36
_COLLECTS = bool(sys.platform == "linux")
_LINGER = 0.25  # pipes and `>(…)` of a command that has ended may still be writing
_STUBBORN = 10.0  # what is not dead by then can't be killed
_TICK = 0.02


class Family:
    """The command's process and all that came from it."""

    def __init__(self, child: int) -> None:
        self.child = child
        self.status: int | None = None
        self.killed: set[int] = set()

    def reap(self) -> bool:
        """Collect the dead; whether anybody is left."""
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return self._others()
            if pid == 0:
                return True
            if pid == self.child:
                self.status = status

    def signal(self, number: int, count: bool) -> None:
        for pid in self.members():
            try:
                os.kill(pid, number)
            except ProcessLookupError:
                continue
            except PermissionError:
                pass
            if count and pid != self.child:
                self.killed.add(pid)
        if number == _TERM and _COLLECTS:
            return  # all had it; a second one makes many programs give up cleaning up
        try:
            os.killpg(self.child, number)
        except OSError:
            return

    def members(self) -> list[int]:
        """Our living descendants; orphans are ours, where the system lets us collect them."""
        parents = dict(_processes())
        found = []
        for pid in parents:
            above, steps = pid, 0
            while above in parents and above != os.getpid() and steps < len(parents):
                above, steps = parents[above], steps + 1
            if above == os.getpid() and pid != above:
                found.append(pid)
        return found

    def _others(self) -> bool:
        """Without collected orphans, at least the command's own group tells whether somebody is left."""
        try:
            os.killpg(self.child, 0)
        except OSError:
            return False
        return not _COLLECTS


def _processes() -> list[tuple[int, int]]:
    """(pid, parent) of every living process that can be seen."""
    try:
        os.stat("/proc/self")
    except OSError:
        return _listed()
    found = []
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open(f"/proc/{name}/stat", "rb") as file:  # noqa: PTH123
                    state, parent = file.read().rpartition(b")")[2].split()[:2]
            except (OSError, ValueError):
                continue
            if state not in (b"Z", b"X"):
                found.append((int(name), int(parent)))
    return found


def _listed() -> list[tuple[int, int]]:
    import subprocess

    done = subprocess.run(["/bin/ps", "-axo", "pid=,ppid="], capture_output=True, text=True, check=False)
    return [(int(pid), int(parent)) for pid, parent in (line.split() for line in done.stdout.splitlines())]


def start(options: dict[str, Any], walls: CodeType | None) -> tuple[int, bytes]:
    """The command's pid and, when it could not be started, `<error number> <what> <message>`."""
    near, far = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(near)
        _become(options, walls, far)
    os.close(far)
    said = b""
    while part := os.read(near, 4096):
        said += part
    os.close(near)
    return child, said


def _become(options: dict[str, Any], walls: CodeType | None, far: int) -> None:
    """Turn this process into the command; say to `far` why it can't be. Never returns."""
    what, code, why = "start", 0, "stopped"
    try:
        os.setsid()
        if options["reaper"]:
            _control_process(_DIE_WITH_PARENT, _KILL)
            _control_process(_TRACEABLE, 1)
        for number in (1, 2, 3, 13, 15, 17, 25):  # what Python or we ignore
            _signal.signal(number, _signal.SIG_DFL)
        what = "folder"
        os.chdir(options["folder"])
        what = "limits"
        _limit(options["limits"])
        what = "sandbox"
        _raise_walls(options, walls)
        what = "program"
        _execute(options["program"], options["argv"], options["env"])
    except OSError as error:
        code, why = error.errno or 0, error.strerror or ""
    finally:  # whatever happened, nobody takes this for a started command
        os.write(far, f"{code} {what} {why}".encode())
        os._exit(127)


def _raise_walls(options: dict[str, Any], walls: CodeType | None) -> None:
    if walls is not None:
        space: dict[str, Any] = {"__name__": "walls"}
        exec(walls, space)  # noqa: S102 - our own module, compiled by donewhen
        if options["own_network"]:
            space["own_network"]()
        if options["rules"]:
            space["confine"](*options["rules"])
        if options["scoped"]:
            space["scope"]()


def _control_process(what: int, value: int) -> None:
    import _ctypes

    program = _ctypes.dlopen(None, 0)  # type: ignore[arg-type] # as ctypes does it
    _ctypes.call_function(_ctypes.dlsym(program, "prctl"), (what, value, 0, 0, 0))


def _limit(limits: dict[str, int]) -> None:
    import resource

    for name, value in limits.items():
        kind = getattr(resource, name, None)
        if kind is not None:
            hard = resource.getrlimit(kind)[1]
            bound = value if hard == resource.RLIM_INFINITY else min(value, hard)
            resource.setrlimit(kind, (bound, bound))
    try:
        with open("/proc/self/oom_score_adj", "w") as file:  # noqa: PTH123 - short of memory, it goes before us
            file.write("500")
    except OSError:
        pass


def _execute(program: bytes, argv: list[bytes], env: dict[bytes, bytes]) -> None:
    """exec as a shell finds programs; absolute folders of PATH only."""
    if b"/" in program:
        os.execve(program, argv, env)
    denied: OSError | None = None
    for folder in env.get(b"PATH", b"/usr/bin:/bin").split(b":"):
        if folder.startswith(b"/") and program:
            try:
                os.execve(folder + b"/" + program, argv, env)
            except OSError as error:
                if error.errno not in (errno.ENOENT, errno.ENOTDIR):
                    denied = denied or error
    raise denied or OSError(errno.ENOENT, os.strerror(errno.ENOENT), program)


class Ending:
    """How far the end has come: nothing yet, the command has ended, all were asked to end, all are killed."""

    def __init__(self, grace: float) -> None:
        self.steps = ((_LINGER, 0), (grace, _TERM), (_STUBBORN, _KILL))  # (seconds before the next, signal)
        self.at = -1
        self.until = 0.0

    def hurry(self, said: bytes) -> None:
        """`T` asks to end, `K` kills now, and so does silence: donewhen is gone."""
        wanted = 1 if said == b"T" else 2
        if wanted > self.at:
            self.at, self.until = wanted - 1, 0.0

    def go_on(self, family: Family) -> bool:
        """What is due now; False when all that can be done was."""
        now = time.monotonic()
        if self.at < 0:
            if family.status is not None:
                self.at, self.until = 0, now + self.steps[0][0]
        elif now >= self.until:
            self.at += 1
            if self.at == len(self.steps):
                return False
            seconds, number = self.steps[self.at]
            self.until = now + seconds
            family.signal(number, count=number == _KILL or family.status is not None)
        elif self.at == 2:
            family.signal(_KILL, count=True)  # they may have forked meanwhile
        return True


def attend(control: int, wake: int, family: Family, grace: float) -> None:
    """Until nobody is left: wait for the command, obey what donewhen says, kill what stays."""
    ending = Ending(grace)
    poller = select.poll()
    poller.register(control, select.POLLIN)
    poller.register(wake, select.POLLIN)
    while family.reap() and ending.go_on(family):
        for ready, _ in poller.poll(None if ending.at < 0 else _TICK * 1000):
            try:
                said = os.read(ready, 64)
            except OSError:
                said = b""  # donewhen went with words of ours unread
            if ready == control:
                ending.hurry(said)
                if not said:
                    poller.unregister(control)


def main(control: int, options: dict[str, Any], walls: CodeType | None) -> None:
    os.set_inheritable(control, False)
    wake, waker = os.pipe()
    os.set_blocking(waker, False)
    _signal.signal(_signal.SIGCHLD, lambda *_: None)
    _signal.set_wakeup_fd(waker, warn_on_full_buffer=False)
    for number in (_signal.SIGTERM, _signal.SIGINT, _signal.SIGHUP, _signal.SIGQUIT, _signal.SIGPIPE):
        _signal.signal(number, _signal.SIG_IGN)
    if options["reaper"]:
        _control_process(_COLLECT_ORPHANS, 1)
        _control_process(_TRACEABLE, 0)  # or the command could take our socket and say how it ended
    child, failed = start(options, walls)
    if failed:
        _say(control, b"failed " + failed[:4000])
        return
    _say(control, b"started %d\n" % child)
    family = Family(child)
    attend(control, wake, family, options["grace"])
    status = "lost" if family.status is None else os.waitstatus_to_exitcode(family.status)
    _say(control, f"ended {status} {len(family.killed)}\n".encode())


def _say(control: int, what: bytes) -> None:
    try:
        os.write(control, what)
    except OSError:
        return  # donewhen is gone; what it started must still be ended
