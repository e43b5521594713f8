"""A server of ready supervisors, as donewhen sees it: started, handed commands, closed.

For commands whose walls have no words of their own: those need a start of their own. Whoever gets no answer
from a server starts a supervisor afresh.
"""

import marshal
import os
import signal
import socket
import subprocess
from contextlib import suppress

from donewhen.workspace.processes.command import Command
from donewhen.workspace.processes.launching import (
    Ends,
    compiled,
    nameless,
    orders,
    start_python,
    walls_code,
)

_BOOT = """\
import marshal, sys
with open(int(sys.argv[1]), "rb") as file:
    codes = marshal.load(file)
spaces = [{"__name__": name} for name in ("supervisor", "walls", "server")]
for code, space in zip(codes, spaces):
    exec(code, space)
spaces[2]["serve"](int(sys.argv[2]), spaces[0], spaces[1])
spaces[0]["os"]._exit(0)
"""
_PATIENCE = 5.0


class Server:
    """A running server, or what is left of one."""

    def __init__(self) -> None:
        codes = (compiled("processes/supervisor.py"), walls_code(), compiled("processes/server.py"))
        self._door, far = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._door.setblocking(False)
        try:
            with far, nameless(marshal.dumps(codes)) as file:
                numbers = (file.fileno(), far.fileno())
                self._process = start_python(_BOOT, numbers, (), subprocess.DEVNULL, subprocess.DEVNULL)
        except OSError:
            self._door.close()
            raise

    @property
    def pid(self) -> int:
        return self._process.pid

    def alive(self) -> bool:
        return self._process.poll() is None

    def hand_over(self, command: Command, doors: tuple[str, ...], ends: Ends) -> bool:
        """Whether the command was put where a supervisor will find it."""
        self.wake()
        terms = marshal.dumps((float(command.grace), command.keep_left))
        with nameless(marshal.dumps(orders(command, doors))) as file:
            numbers = [file.fileno(), ends.output, ends.stdin, ends.control.fileno()]
            try:
                socket.send_fds(self._door, [terms], numbers)
            except OSError:  # gone meanwhile, or so far behind that nothing more fits
                return False
        return True

    def wake(self) -> None:
        """A command may have stopped it, or the supervisor that waits."""
        if self.alive():
            with suppress(OSError):
                os.killpg(self.pid, signal.SIGCONT)

    def close(self) -> None:
        self._door.close()
        if self.alive():
            with suppress(OSError):
                os.killpg(self.pid, signal.SIGKILL)
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(_PATIENCE)
