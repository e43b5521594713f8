"""The process between donewhen and a command: it sets limits, starts it, and outlives all it leaves behind.

Sent as compiled code to a bare interpreter (`python -I -S`, the standard library alone), because what must
be done between fork and exec can't be done in a process with threads. It collects orphans, so no `setsid`
or double fork escapes it; when donewhen is gone its end of the control socket closes, and everything is
killed. It never writes to the command's output.

What it says, in this order, each line at most once: `here PID`, before anything is done; `started PID`;
`failed NUMBER WHAT WHY` when it was not, after all (`ahead`: nobody had its orders); `left STATUS COUNT` when
the command has ended and what it left may live on; `ended STATUS KILLED`.
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
    from typing import Any, Protocol

    class Relief(Protocol):
        """Whoever has the next supervisor made: told when this command is not over soon."""

        given: bool

        @property
        def door(self) -> int: ...  # readable when that can't wait
        def give(self) -> None: ...


_TERM, _KILL = 15, 9
_DIE_WITH_PARENT, _TRACEABLE, _COLLECT_ORPHANS = 1, 4, 36
_COLLECTS = bool(sys.platform == "linux")
_LINGER = 0.25  # pipes and `>(…)` of a command that has ended may still be writing
_SETTLE = 0.1  # likewise, where what is left may live on: it is heard later too
_STUBBORN = 10.0  # what is not dead by then can't be killed
_TICK = 0.02
_SOON = 50  # milliseconds: a shorter command is over before the next one comes
_LONGEST_WORDS = 4000


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


def start(options: dict[str, Any], walls: dict[str, Any] | None) -> tuple[int, str]:
    """The command's pid and, when it could not be started, `<error number> <what> <message>`."""
    near, far = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(near)
        become(options, walls, far)
    os.close(far)
    return child, hear_start(near)


def hear_start(near: int) -> str:
    """Nothing, once the command was started; else why not."""
    said = b""
    while part := os.read(near, 4096):
        said += part
    os.close(near)
    return said.decode(errors="replace")


def reset_signals() -> None:
    for number in (1, 2, 3, 13, 15, 17, 25):  # what Python or we ignore
        _signal.signal(number, _signal.SIG_DFL)


def become(options: dict[str, Any], walls: dict[str, Any] | None, far: int) -> None:
    """Turn this process into the command; say to `far` why it can't be. Never returns."""
    what, code, why = "start", 0, "stopped"
    try:
        if os.getsid(0) != os.getpid():  # else that was done ahead
            os.setsid()
        if options["reaper"]:
            control_process(_DIE_WITH_PARENT, _KILL)
            control_process(_TRACEABLE, 1)
        reset_signals()
        what = "folder"
        os.chdir(options["folder"])
        what = "limits"
        _join(options["groups"])
        _limit(options["limits"])
        if not options.get("goes_first"):
            go_first()
        what = "sandbox"
        _raise_walls(options, walls)
        what = "program"
        _execute(options["program"], options["argv"], options["env"])
    except OSError as error:
        code, why = error.errno or 0, error.strerror or ""
    finally:  # whatever happened, nobody takes this for a started command
        os.write(far, f"{code} {what} {why}".encode())
        os._exit(127)


def _raise_walls(options: dict[str, Any], walls: dict[str, Any] | None) -> None:
    if walls is not None:
        if options["own_network"]:
            walls["own_network"]()
        if options["rules"]:
            walls["confine"](*options["rules"])
        if options["scoped"]:
            walls["scope"]()


def control_process(what: int, value: int) -> None:
    import _ctypes

    program = _ctypes.dlopen(None, 0)  # type: ignore[arg-type] # as ctypes does it
    _ctypes.call_function(_ctypes.dlsym(program, "prctl"), (what, value, 0, 0, 0))


def _join(groups: list[str]) -> None:
    for group in groups:
        _write(group, b"0")


def _write(path: str, what: bytes) -> None:
    handle = os.open(path, os.O_WRONLY | os.O_CLOEXEC)
    try:
        os.write(handle, what)
    finally:
        os.close(handle)


def _limit(limits: dict[str, int]) -> None:
    import resource

    for name, value in limits.items():
        kind = getattr(resource, name, None)
        if kind is not None:
            hard = resource.getrlimit(kind)[1]
            bound = value if hard == resource.RLIM_INFINITY else min(value, hard)
            resource.setrlimit(kind, (bound, bound))


def go_first() -> bool:
    """Short of memory, the command goes before us; whether that could be said, which others than root can't
    while they are not traceable."""
    try:
        _write("/proc/self/oom_score_adj", b"500")
    except OSError:
        return False
    return True


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

    def __init__(self, grace: float, keep: bool) -> None:
        linger = _SETTLE if keep else _LINGER
        self.steps = ((linger, 0), (grace, _TERM), (_STUBBORN, _KILL))  # (seconds before the next, signal)
        self.keep = keep  # what the command leaves may live on
        self.left = 0  # how much of it did
        self.at = -1
        self.until = 0.0

    def hurry(self, said: bytes) -> None:
        """`T` asks to end, `K` kills now, and so does silence: donewhen is gone."""
        wanted = 1 if said == b"T" else 2
        self.keep = False
        if wanted > self.at:
            self.at, self.until = wanted - 1, 0.0

    def go_on(self, family: Family) -> bool:
        """What is due now; False when all that can be done was."""
        now = time.monotonic()
        if self.at < 0:
            if family.status is not None and not self.left:
                self.at, self.until = 0, now + self.steps[0][0]
        elif now >= self.until:
            return self._rest(family) if self.keep else self._next(family, now)
        elif self.at == 2:
            family.signal(_KILL, count=True)  # they may have forked meanwhile
        return True

    def _rest(self, family: Family) -> bool:
        """Leave them alone from now on; who is dead but not collected yet is not among them."""
        self.left = len(family.members())
        self.at = -1 if self.left else 0
        return True

    def _next(self, family: Family, now: float) -> bool:
        self.at += 1
        if self.at == len(self.steps):
            return False
        seconds, number = self.steps[self.at]
        self.until = now + seconds
        family.signal(number, count=number == _KILL or family.status is not None)
        return True

    def patience(self) -> float | None:
        """Milliseconds until it must be looked again, though nothing was heard."""
        if self.at >= 0:
            return _TICK * 1000
        return _TICK * 10_000 if self.left and not _COLLECTS else None


def attend(control: int, wake: int, family: Family, ending: Ending, relief: Relief | None = None) -> None:
    """Until nobody is left: wait for the command, obey what donewhen says, kill what stays."""
    poller = select.poll()
    heard_from = (control, wake) if relief is None or relief.given else (control, wake, relief.door)
    for number in heard_from:
        poller.register(number, select.POLLIN)
    told = False
    while family.reap() and ending.go_on(family):
        if ending.left and not told:
            told = True
            say(control, f"left {_status(family)} {ending.left}\n")
        waited = None if relief is None or relief.given else relief
        patience = ending.patience()
        heard = poller.poll(patience if waited is None else min(_SOON, patience or _SOON))
        if waited is not None and (not heard or any(ready == waited.door for ready, _ in heard)):
            poller.unregister(waited.door)
            heard = [each for each in heard if each[0] != waited.door]
            waited.give()
        for ready, _ in heard:
            if _left_us(ready, control, ending):
                poller.unregister(control)


def _left_us(ready: int, control: int, ending: Ending) -> bool:
    """Take what was said; whether donewhen is gone."""
    try:
        said = os.read(ready, 64)
    except OSError:
        said = b""  # donewhen went with words of ours unread
    if ready == control:
        ending.hurry(said)
    return ready == control and not said


def alone() -> bool:
    """Whether no process of ours is left, dead or alive."""
    try:
        os.waitpid(-1, os.WNOHANG)
    except ChildProcessError:
        return True
    return False


def prepare(reaper: bool) -> int:
    """What needs no command yet; the answer becomes readable when a child has ended."""
    wake, waker = os.pipe()
    os.set_blocking(waker, False)
    _signal.signal(_signal.SIGCHLD, lambda *_: None)
    _signal.set_wakeup_fd(waker, warn_on_full_buffer=False)
    for number in (_signal.SIGTERM, _signal.SIGINT, _signal.SIGHUP, _signal.SIGQUIT, _signal.SIGPIPE):
        _signal.signal(number, _signal.SIG_IGN)
    if reaper:
        control_process(_COLLECT_ORPHANS, 1)
        control_process(_TRACEABLE, 0)  # or the command could take our socket and say how it ended
    return wake


def main(control: int, options: dict[str, Any], walls: dict[str, Any] | None) -> None:
    os.set_inheritable(control, False)
    wake = prepare(options["reaper"])
    say(control, f"here {os.getpid()}\n")
    child, failed = start(options, walls)
    if failed:
        say(control, "failed " + failed)
        return
    say(control, f"started {child}\n")
    see_through(control, wake, child, Ending(options["grace"], options["keep_left"]))


def see_through(control: int, wake: int, child: int, ending: Ending, relief: Relief | None = None) -> None:
    """From the start of a command to the end of all that came from it; `relief` if that is not soon."""
    family = Family(child)
    attend(control, wake, family, ending, relief)
    say(control, f"ended {_status(family)} {len(family.killed)}\n")


def _status(family: Family) -> int | str:
    return "lost" if family.status is None else os.waitstatus_to_exitcode(family.status)


def say(control: int, what: str) -> None:
    try:
        os.write(control, what.encode()[:_LONGEST_WORDS])
    except OSError:
        return  # donewhen is gone; what it started must still be ended
