"""Which processes are gated clients, so that what runs below one may not use the commands of its human.

The hook notes its client's process when a session starts or gets a prompt. Only a process that is called like
the client counts: who tries a hook in a shell of his own is no client. A number that was given to another
process since is told by when that one began.
"""

import os
import secrets
from collections.abc import Mapping
from contextlib import suppress
from typing import NamedTuple

from donewhen.integrations.hook.places import CLIENT_PROCESS, private_folder, state_folder

FOLDER = "client-processes"
TYPED = "typed"  # a folder of leave notes: commands that the user typed as a prompt
TYPED_VARIABLE = "DONEWHEN_TYPED"
LAUNCHED_VARIABLE = "DONEWHEN_LAUNCHED"
_DEEPEST = 64


class Process(NamedTuple):
    parent: int
    began: str
    words: tuple[str, ...]


def note_client(env: Mapping[str, str], client: str) -> None:
    """Note the process that the installed line names; nothing where it is none of this client."""
    number = env.get(CLIENT_PROCESS, "")
    process = process_of(int(number)) if number.isdigit() and len(number) < 12 else None
    if process is None or not _called(client, process.words):
        return
    folder = f"{state_folder(env)}/{FOLDER}"
    with suppress(OSError):
        private_folder(folder)
        with open(f"{folder}/{number}", "w", encoding="utf-8") as file:  # noqa: PTH123 - no path objects here
            file.write(f"{client} {process.began}")


def gated_above(env: Mapping[str, str]) -> str:
    """The client that this process runs below; empty for none, and where the user typed the command to it."""
    state = state_folder(env)
    if _was_typed(state, env.get(TYPED_VARIABLE, "")):
        return ""
    launched = env.get(LAUNCHED_VARIABLE, "")
    if launched and "/" not in launched and os.path.lexists(f"{state}/launched/{launched}.json"):
        return "donewhen run"
    if not os.path.isdir(f"{state}/{FOLDER}"):  # noqa: PTH112
        return ""
    number = os.getppid()
    for _ in range(_DEEPEST):
        process = process_of(number)
        if process is None:
            return ""
        client, _, began = _read(f"{state}/{FOLDER}/{number}").partition(" ")
        if client and began == process.began:
            return client
        number = process.parent
    return ""


def can_ask(client: str, env: Mapping[str, str]) -> bool:
    """Whether the client can ask its user about one call: Gemini only where somebody sits before it.

    Without a person it would end the turn without a word.
    """
    if client != "gemini":
        return client == "claude"
    number = env.get(CLIENT_PROCESS, "")
    if not number.isdigit():
        return False
    words = _read(f"/proc/{number}/cmdline").split("\0")
    headless = any(word in ("-p", "--prompt") or word.startswith("--prompt=") for word in words)
    try:
        terminal = os.readlink(f"/proc/{number}/fd/0")  # noqa: PTH115
    except OSError:
        return False
    return not headless and terminal.startswith(("/dev/pts/", "/dev/tty"))


def leave_note(state: str) -> str:
    """For one command that the user typed as a prompt: the hook runs it below the client."""
    private_folder(f"{state}/{TYPED}")
    token = secrets.token_hex(16)
    with open(f"{state}/{TYPED}/{token}", "w", encoding="utf-8"):  # noqa: PTH123
        return token


def _was_typed(state: str, token: str) -> bool:
    if not token.isalnum():
        return False
    try:
        os.unlink(f"{state}/{TYPED}/{token}")  # noqa: PTH108
    except OSError:
        return False
    return True


def process_of(number: int) -> Process | None:
    if number <= 1:
        return None
    if not os.path.isdir("/proc/self"):  # noqa: PTH112
        return _listed(number)
    stat, line = _read(f"/proc/{number}/stat"), _read(f"/proc/{number}/cmdline")
    name, facts = stat.partition("(")[2].rpartition(")")[::2]
    fields = facts.split()
    if len(fields) < 20:
        return None
    return Process(int(fields[1]), fields[19], (name, *line.split("\0")[:2]))


def _listed(number: int) -> Process | None:
    """Where the system shows no processes as files."""
    import subprocess

    asked = ["ps", "-o", "ppid=,lstart=,command=", "-p", str(number)]
    ran = subprocess.run(
        asked, capture_output=True, env={"PATH": "/usr/bin:/bin", "LC_ALL": "C"}, check=False
    )
    fields = ran.stdout.decode(errors="replace").split()
    if len(fields) < 7 or not fields[0].isdigit():
        return None
    return Process(int(fields[0]), " ".join(fields[1:6]), tuple(fields[6:8]))


def _called(client: str, words: tuple[str, ...]) -> bool:
    """By its name, by the program, or by the package of the script that node runs."""
    names = [word.rpartition("/")[2] for word in words]
    packages = [
        name
        for word in words
        for name in word.rpartition("node_modules/")[2].split("/")[:2]
        if "node_modules/" in word
    ]
    return any(name.startswith(client) for name in (*names, *packages))


def _read(path: str) -> str:
    with suppress(OSError, ValueError), open(path, encoding="utf-8", errors="replace") as file:  # noqa: PTH123
        return file.read(8192)
    return ""
