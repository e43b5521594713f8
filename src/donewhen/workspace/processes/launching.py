"""How a supervisor comes to be: a fresh interpreter, behind walls that have words of their own.

The slow way, always there: `servers` has the fast one for commands without such walls. Both are handed the
same things: what to do, the control socket, the output pipe and the input.
"""

import marshal
import os
import socket
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path
from types import CodeType
from typing import IO, Any, NamedTuple

from donewhen.workspace.processes.command import Command
from donewhen.workspace.processes.groups import Groups
from donewhen.workspace.sandbox.plan import Plan
from donewhen.workspace.sandbox.support import find_program

BOOT = """\
import marshal, sys
with open(int(sys.argv[1]), "rb") as file:
    supervisor, walls, options = marshal.load(file)
space, rooms = {"__name__": "supervisor"}, None
exec(supervisor, space)
if walls is not None:
    rooms = {"__name__": "walls"}
    exec(walls, rooms)
space["main"](int(sys.argv[2]), options, rooms)
space["os"]._exit(0)
"""
_BASH = ("bash", "--noprofile", "--norc", "-c")


class Ends(NamedTuple):
    """What the other side gets: donewhen closes its copies once it has them."""

    control: socket.socket
    output: int
    stdin: int


def start_fresh(command: Command, groups: Groups, ends: Ends) -> subprocess.Popen[bytes]:
    inside = not command.plan.prefix
    words = (*(() if inside else groups.prefix), *_standing(command.plan))
    with nameless(marshal.dumps(payload(command, groups.doors if inside else ()))) as file:
        return start_python(BOOT, (file.fileno(), ends.control.fileno()), words, ends.stdin, ends.output)


def start_python(
    boot: str, numbers: tuple[int, int], words: tuple[str, ...], stdin: int, output: int
) -> subprocess.Popen[bytes]:
    """A bare interpreter behind `words` that has two files, `numbers`, and nothing else of ours."""
    return subprocess.Popen(
        [*words, os.path.realpath(sys.executable), "-I", "-S", "-c", boot, *map(str, numbers)],
        stdin=stdin,
        stdout=output,
        stderr=output,
        pass_fds=numbers,
        env={"PATH": "/usr/bin:/bin"},
        start_new_session=True,
        cwd="/",
    )


@cache
def compiled(name: str) -> CodeType:
    """The code of a module below `workspace`, to be sent to a bare interpreter."""
    path = Path(__file__).parents[1] / name
    return compile(path.read_bytes(), f"<{path.stem}>", "exec", dont_inherit=True, optimize=2)


def walls_code() -> CodeType:
    return compiled("sandbox/landlock.py")


def payload(
    command: Command, doors: tuple[str, ...] = ()
) -> tuple[CodeType, CodeType | None, dict[str, Any]]:
    options = orders(command, doors)
    return compiled("processes/supervisor.py"), walls_code() if options["walled"] else None, options


def orders(command: Command, doors: tuple[str, ...]) -> dict[str, Any]:
    """What the supervisor is told; `doors` are the files by which the command joins its control groups."""
    plan, limits = command.plan, command.limits
    argv = command.argv if command.text is None else (*_BASH, command.text)
    bounds = {
        "RLIMIT_CORE": 0,
        "RLIMIT_NPROC": limits.processes,
        "RLIMIT_FSIZE": limits.file_size,
        "RLIMIT_CPU": limits.cpu_seconds,
        "RLIMIT_DATA": limits.memory,
    }
    env = {**command.env, **plan.env}
    return {
        "program": os.fsencode(argv[0] if command.text is None else find_program("bash")),
        "argv": [os.fsencode(word) for word in argv],
        "env": {os.fsencode(name): os.fsencode(value) for name, value in env.items()},
        "folder": os.fsencode(command.folder.absolute()),
        "groups": list(doors),
        "limits": {name: value for name, value in bounds.items() if value is not None},
        "grace": float(command.grace),
        "keep_left": command.keep_left,
        "reaper": sys.platform == "linux" and not plan.own_processes,
        "own_network": plan.own_network,
        "scoped": plan.scoped,
        "rules": plan.rules and [list(part) if isinstance(part, tuple) else part for part in plan.rules],
        "walled": bool(plan.rules or plan.own_network or plan.scoped),
    }


def _standing(plan: Plan) -> tuple[str, ...]:
    """The words of a plan without covers for what is gone since: nothing can be laid over it."""
    words = plan.prefix
    for cover in plan.covers:
        if not os.path.lexists(cover[-1]):
            size = len(cover)
            starts = (at for at in range(len(words)) if words[at : at + size] == cover)
            words = next((words[:at] + words[at + size :] for at in starts), words)
    return words


def nameless(data: bytes) -> IO[bytes]:
    """An open file without a name that holds `data`: no pipe that could fill up."""
    if hasattr(os, "memfd_create"):  # in memory: a full disk must not stop commands that would clean it up
        file: IO[bytes] = os.fdopen(os.memfd_create("donewhen"), "w+b", buffering=0)
    else:
        file = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115 - the caller closes it
    try:
        left = memoryview(data)
        while left:
            left = left[file.write(left) :]
        file.seek(0)
    except OSError:
        file.close()
        raise
    return file
