"""The process that keeps a supervisor ready, so that a command need not wait for an interpreter to start.

Sent as compiled code to a bare interpreter, like the supervisor. It forks one ahead, and that one forks the
process that will become the command. That process takes the orders at the door and hands the control to its
supervisor, so that the command starts while the supervisor wakes. A supervisor whose command was short, and
left nobody, forks the process for the next one; else, or when somebody waits meanwhile, the server forks the
next two. A taken supervisor goes on without the server, answers to donewhen alone and knows nothing of other
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
    from typing import Any

_KILL, _CONTINUE = 9, 18
_DIE_WITH_PARENT, _TRACEABLE = 1, 4
_HANDED = 4  # files at most: orders, output, input, control
_MUCH = 1024 * 1024
_SIZE = 4  # bytes of a descriptor's number
_ATTEMPTS = 5  # supervisors that died before they were taken
_TAKEN = b"t"
_SOON = 50  # milliseconds in which a process becomes its command
_AGAIN = 500  # commands that one supervisor sees through
_SAMPLE = marshal.dumps({"argv": [b"bash"] * 4, "env": {b"NAME%d" % n: b"value" * 8 for n in range(24)}})


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


class Relief:
    """The word to the server that it needs another supervisor; given once."""

    def __init__(self, door: _socket.socket, taker: int) -> None:
        self._door = door
        self._taker = taker
        self.given = False

    @property
    def door(self) -> int:
        """Readable when somebody waits for another supervisor, or donewhen is gone."""
        return self._door.fileno()

    def give(self) -> None:
        if self.given:
            return
        self.given = True
        self._door.close()
        try:
            os.write(self._taker, _TAKEN)
        except OSError:
            return  # the server is gone; this command is not
        finally:
            os.close(self._taker)


def _stand_ready(door: _socket.socket, taker: int, supervisor: dict[str, Any], walls: dict[str, Any]) -> None:
    """A supervisor: one command after the other while they are short, or one that is not."""
    wake = supervisor["prepare"](True)
    relief = Relief(door, taker)
    group = os.getpgid(0)
    for _ in range(_AGAIN):
        child, cord, near = _fork_ahead(door, taker, supervisor, walls)
        terms, controls = _taken_up(door, cord, child, wake)
        cord.close()
        if not controls:
            return  # donewhen is gone, or no descriptors are left: it hears the silence and takes another way
        (control,) = controls
        os.setpgid(0, 0)  # what ends the server does not end this
        _see_through(supervisor, control, (wake, child, near), marshal.loads(terms), relief)  # noqa: S302 - our words
        if relief.given or not supervisor["alone"]():
            break
        os.setpgid(0, group)  # before it hangs up: always somebody can end it
        os.close(control)
    relief.give()


def _fork_ahead(
    door: _socket.socket, taker: int, supervisor: dict[str, Any], walls: dict[str, Any]
) -> tuple[int, _socket.socket, int]:
    """The process that will become the command, where it hands on the control, and how it says what came."""
    cord, end = _socket.socketpair(_socket.AF_UNIX, _socket.SOCK_SEQPACKET)
    near, far = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            cord.close()
            for number in (near, taker):
                os.close(number)
            _lie_in_wait(door, end, far, supervisor, walls)
        finally:
            os._exit(0)
    end.close()
    os.close(far)
    return child, cord, near


def _taken_up(door: _socket.socket, cord: _socket.socket, child: int, wake: int) -> tuple[bytes, list[int]]:
    """How the command is to be ended, and its control; the process itself has all else and goes on."""
    poller = select.poll()
    for number in (door.fileno(), cord.fileno(), wake):
        poller.register(number, select.POLLIN)
    while True:
        ready = [number for number, _ in poller.poll()]
        if cord.fileno() in ready:
            return _receive(cord)
        _go_on(child, wake if wake in ready else None)
        if door.fileno() in ready:
            poller.unregister(door.fileno())


def _go_on(child: int, wake: int | None) -> None:
    """An earlier command may have stopped it, even with its orders in hand: then only a signal tells."""
    if wake is not None:
        os.read(wake, 64)
    os.kill(child, _CONTINUE)


def _see_through(
    supervisor: dict[str, Any],
    control: int,
    started: tuple[int, int, int],
    terms: tuple[float, bool],
    relief: Relief,
) -> None:
    """From orders to the end of all that comes of them."""
    wake, child, near = started
    answer = _hear_start(near, relief, child, wake)
    os.close(near)
    if not answer.startswith(_TAKEN):
        supervisor["say"](control, "failed 0 ahead killed")
    elif answer != _TAKEN:
        supervisor["say"](control, "failed " + answer[1:].decode(errors="replace"))
    else:
        supervisor["see_through"](control, wake, child, supervisor["Ending"](*terms), relief)


def _hear_start(near: int, relief: Relief, child: int, wake: int) -> bytes:
    """What the process says until it is the command, or gone: that it has its orders, and what is wrong."""
    soon = select.poll()
    for number in (near, wake):
        soon.register(number, select.POLLIN)
    said = b""
    while True:
        ready = [number for number, _ in soon.poll(None if relief.given else _SOON)]
        if not ready:
            relief.give()
        elif near not in ready:
            _go_on(child, wake)
        elif part := os.read(near, 4096):
            said += part
        else:
            return said


def _lie_in_wait(
    door: _socket.socket, end: _socket.socket, far: int, supervisor: dict[str, Any], walls: dict[str, Any]
) -> None:
    """The process that will become the command; what it says of itself is said before anything happens."""
    above = os.getppid()
    supervisor["control_process"](_DIE_WITH_PARENT, _KILL)
    os.setsid()  # now, because it can take longer than all the rest
    goes_first = supervisor["go_first"]()
    supervisor["reset_signals"]()
    _rehearse(supervisor)
    terms, files = _receive(door)
    if len(files) != _HANDED:
        return
    orders, output, stdin, control = files
    rights = control.to_bytes(_SIZE, sys.byteorder)
    end.sendmsg([terms], [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, rights)])
    supervisor["say"](control, f"here {above}\nstarted {os.getpid()}\n")
    os.write(far, _TAKEN)
    for file, stream in ((stdin, 0), (output, 1), (output, 2)):
        os.dup2(file, stream)
    options = marshal.loads(_whole(orders))  # noqa: S302 - donewhen's own words
    options["goes_first"] = goes_first
    supervisor["become"](options, walls if options["walled"] else None, far)


def _rehearse(supervisor: dict[str, Any]) -> None:
    """Do for nothing what will be done with orders: memory is copied where a fork first writes to it, and
    that takes half of the time in which a command starts."""
    try:
        one, other = _socket.socketpair(_socket.AF_UNIX, _socket.SOCK_SEQPACKET)
        near, far = os.pipe()
        rights = near.to_bytes(_SIZE, sys.byteorder) * _HANDED
        other.sendmsg([_TAKEN], [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, rights)])
        _, files = _receive(one)
        supervisor["say"](far, f"here {near}\nstarted {far}\n")
        os.close(far)
        _whole(near)
        marshal.loads(_SAMPLE)  # noqa: S302 - our own words
        for number in (*files, near):
            os.close(number)
        one.close()
        other.close()
    except OSError:
        return  # too few descriptors: what is left of these goes when the command starts


def _whole(number: int) -> bytes:
    parts = []
    while part := os.read(number, _MUCH):
        parts.append(part)
    return b"".join(parts)


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
