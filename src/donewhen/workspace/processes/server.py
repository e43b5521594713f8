"""The process that keeps a supervisor ready, so that a command need not wait for an interpreter to start.

Sent as compiled code to a bare interpreter, like the supervisor. It forks one ahead, and that one forks the
process that will become the command; both wait for their orders. Once they are taken the server forks the
next two. A taken supervisor goes on without it, answers to donewhen alone and knows nothing of other
commands. When donewhen is gone the door closes and all end. The server never starts a command itself.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found] # as in the supervisor: what `signal` and `socket` add is slow
import _socket
import gc
import marshal
import posix as os
import select
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_KILL = 9
_DIE_WITH_PARENT, _TRACEABLE = 1, 4
_HANDED = 4  # files at most: orders, output, input, control
_SIZE = 4  # bytes of a descriptor's number
_ATTEMPTS = 5  # supervisors that died before they were taken
_TAKEN = b"t"
_SOON = 2  # milliseconds: the next ones are forked when this command is over, or then


def serve(number: int, supervisor: dict[str, Any], walls: dict[str, Any]) -> None:
    """Until the door is closed from outside."""
    os.set_inheritable(number, False)
    door = _socket.socket(fileno=number)
    for ignored in (_signal.SIGTERM, _signal.SIGINT, _signal.SIGHUP, _signal.SIGQUIT, _signal.SIGCHLD):
        _signal.signal(ignored, _signal.SIG_IGN)
    supervisor["control_process"](_TRACEABLE, 0)  # or a command could come to the door
    supervisor["control_process"](_DIE_WITH_PARENT, _KILL)  # also when a command has stopped us
    gc.disable()
    import resource  # noqa: F401 - every command needs it

    failed = 0
    while failed < _ATTEMPTS and not _closed(door):
        failed = 0 if _keep_one(door, supervisor, walls) else failed + 1


def _keep_one(door: _socket.socket, supervisor: dict[str, Any], walls: dict[str, Any]) -> bool:
    """Fork a supervisor and wait until it is taken; whether it was."""
    taken, taker = os.pipe()
    if os.fork() == 0:
        os.close(taken)
        try:
            _stand_ready(door, taker, supervisor, walls)
        finally:
            os._exit(0)
    os.close(taker)
    try:
        return bool(os.read(taken, 1))
    finally:
        os.close(taken)


def _stand_ready(door: _socket.socket, taker: int, supervisor: dict[str, Any], walls: dict[str, Any]) -> None:
    """A supervisor with its command's process forked ahead: pass the orders on, then watch."""
    wake = supervisor["prepare"](True)
    cord, end = _socket.socketpair(_socket.AF_UNIX, _socket.SOCK_SEQPACKET)
    near, far = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            for unneeded in (door, cord):
                unneeded.close()
            for number in (near, taker):
                os.close(number)
            _lie_in_wait(end, far, supervisor, walls)
        finally:
            os._exit(0)
    end.close()
    os.close(far)
    said, files = _receive(door)
    door.close()
    if len(files) != _HANDED:
        return  # donewhen is gone, or no descriptors are left: it hears the silence and takes another way
    control = files.pop()
    os.setsid()
    supervisor["say"](control, f"here {os.getpid()}\nstarted {child}\n")
    _pass_on(cord, files)
    for number in (*files, cord.detach()):
        os.close(number)
    relieved: list[bool] = []

    def relieve() -> None:
        if not relieved:
            relieved.append(True)
            try:
                os.write(taker, _TAKEN)
            except OSError:
                return  # the server is gone; this command is not
            finally:
                os.close(taker)

    _see_through(supervisor, control, (wake, child, near), marshal.loads(said), relieve)  # noqa: S302 - our words
    relieve()


def _see_through(
    supervisor: dict[str, Any],
    control: int,
    started: tuple[int, int, int],
    terms: tuple[float, bool],
    relieve: Callable[[], None],
) -> None:
    wake, child, near = started
    answer = _hear_start(near, relieve)
    if not answer.startswith(_TAKEN):
        supervisor["say"](control, "failed 0 ahead killed")
    elif answer != _TAKEN:
        supervisor["say"](control, "failed " + answer[1:].decode(errors="replace"))
    else:
        supervisor["see_through"](control, wake, child, supervisor["Ending"](*terms), relieve)


def _hear_start(near: int, relieve: Callable[[], None]) -> bytes:
    """What the process says until it is the command, or gone: that it has its orders, and what is wrong."""
    soon = select.poll()
    soon.register(near)
    said = b""
    while True:
        if not soon.poll(_SOON):
            relieve()
        part = os.read(near, 4096)
        if not part:
            return said
        said += part


def _pass_on(cord: _socket.socket, files: list[int]) -> None:
    rights = b"".join(number.to_bytes(_SIZE, sys.byteorder) for number in files)
    try:
        cord.sendmsg([b"g"], [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, rights)])
    except OSError:
        return  # it was killed, and will not say that it has its orders


def _lie_in_wait(end: _socket.socket, far: int, supervisor: dict[str, Any], walls: dict[str, Any]) -> None:
    """The process that will become the command."""
    supervisor["control_process"](_DIE_WITH_PARENT, _KILL)
    supervisor["reset_signals"]()
    _, files = _receive(end)
    if not files:
        return
    os.write(far, _TAKEN)
    orders, output, stdin = files
    for file, stream in ((stdin, 0), (output, 1), (output, 2)):
        os.dup2(file, stream)
    with open(orders, "rb") as told:  # noqa: PTH123
        options = marshal.load(told)  # noqa: S302 - donewhen's own words
    supervisor["become"](options, walls if options["walled"] else None, far)


def _receive(door: _socket.socket) -> tuple[bytes, list[int]]:
    """What is said and the files that come with it; nothing when the other side is gone."""
    said, extras, _, _ = door.recvmsg(64, _socket.CMSG_SPACE(_HANDED * _SIZE), _socket.MSG_CMSG_CLOEXEC)
    data = b"".join(extra[2] for extra in extras)
    return said, [int.from_bytes(data[at : at + _SIZE], sys.byteorder) for at in range(0, len(data), _SIZE)]


def _closed(door: _socket.socket) -> bool:
    try:
        return not door.recv(1, _socket.MSG_PEEK | _socket.MSG_DONTWAIT)
    except BlockingIOError:
        return False
    except OSError:
        return True
