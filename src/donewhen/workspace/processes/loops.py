"""What the commands of one event loop share: a server of ready supervisors, and control groups.

Made when first needed and gone with the loop, however that ends: a loop that shuts down tells its
generators, one that is only closed is noticed when the next one comes, and a server dies with donewhen.
"""

import asyncio
import os
import signal
import socket
import sys
from collections.abc import AsyncGenerator
from contextlib import suppress

from donewhen.workspace.processes.command import Command
from donewhen.workspace.processes.groups import Pool
from donewhen.workspace.processes.servers import Server


class Shared:
    def __init__(self) -> None:
        self.groups = Pool()
        self._server: Server | None = None
        self._leaving: dict[socket.socket, int] = {}  # supervisors whose work is done

    def server_for(self, command: Command) -> Server | None:
        """The server that can start this command; None when it needs a start of its own."""
        if sys.platform != "linux" or command.plan.prefix:
            return None
        if self._server is not None and not self._server.alive():
            self._server.close()
            self._server = None
        if self._server is None:
            with suppress(OSError):  # no process or descriptor to be had: the fresh start says so
                self._server = Server()
        return self._server

    def see_off(self, control: socket.socket, supervisor: int) -> None:
        """A supervisor that has said its last is gone in a moment; nobody waits for it."""
        for other in [each for each in self._leaving if _hung_up(each)]:
            del self._leaving[other]
            other.close()
        self._leaving[control] = supervisor

    def close(self) -> None:
        for control, supervisor in self._leaving.items():
            with suppress(OSError), control:  # it has not hung up: it is still there, perhaps stopped
                if not _hung_up(control):
                    os.kill(supervisor, signal.SIGKILL)
        self._leaving.clear()
        if self._server is not None:
            self._server.close()
            self._server = None
        self.groups.close()


def _hung_up(control: socket.socket) -> bool:
    try:
        return not control.recv(1024)
    except BlockingIOError:
        return False
    except ConnectionError:
        return True


_shared: dict[asyncio.AbstractEventLoop, tuple[Shared, AsyncGenerator[None, None]]] = {}


def shared() -> Shared:
    """Of the running loop."""
    loop = asyncio.get_running_loop()
    if loop not in _shared:
        for other in [each for each in _shared if each.is_closed()]:
            _shared.pop(other)[0].close()
        _shared[loop] = Shared(), _told_of_the_end(loop)
    return _shared[loop][0]


def _told_of_the_end(loop: asyncio.AbstractEventLoop) -> AsyncGenerator[None, None]:
    """A generator in the loop's care, at its first halt: the one thing that a loop tells of its end."""
    end = _close_at_the_end(loop)
    with suppress(StopIteration):
        end.__anext__().__await__().send(None)
    return end


async def _close_at_the_end(loop: asyncio.AbstractEventLoop) -> AsyncGenerator[None, None]:
    try:
        yield
    finally:
        if loop in _shared:
            _shared.pop(loop)[0].close()
