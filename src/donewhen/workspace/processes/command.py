"""What is run and what came of it, as plain data."""

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from donewhen.core.texts import Phrase, say
from donewhen.secrets.redact import Redactor
from donewhen.workspace.sandbox.plan import Plan

MIB = 1024 * 1024
SMALL = 2000  # bytes of output that an event holds whole, so that no file is needed


class Limits(NamedTuple):
    """Bounds of one command; None leaves the system's own."""

    processes: int | None = 4096
    memory: int | None = None  # bytes: of the command where control groups can be made, else of each process
    file_size: int | None = 4096 * MIB
    cpu_seconds: int | None = None
    output: int = 64 * MIB  # what is kept of the output; the rest is read and counted


class Command(NamedTuple):
    """Either `argv` or `text`, which bash runs without start-up files."""

    folder: Path
    outputs: Path  # where the whole output is kept, in a file of its own; not reachable for the command
    argv: tuple[str, ...] = ()
    text: str | None = None
    env: Mapping[str, str] = {}
    stdin: bytes = b""
    timeout: float | None = None
    grace: float = 2.0  # seconds between asking to end and killing
    limits: Limits = Limits()
    plan: Plan = Plan()
    redactor: Redactor = Redactor()
    in_memory: int = 0  # bytes of output for which no file is made
    keep_left: bool = False  # what it leaves running lives on, where somebody looks after it (`Background`)


class Output(NamedTuple):
    """What was printed, stdout and stderr as they came: clean, no secrets, the middle left out if long."""

    head: str
    tail: str
    left_out: int  # bytes between head and tail
    size: int  # bytes printed in all
    file: Path  # the whole, without secrets, control sequences kept; the null device where none was made
    cut: int = 0  # bytes that were not even kept in the file

    @property
    def text(self) -> str:
        if not self.left_out:
            return self.head + self.tail
        return f"{self.head}\n{say('process.left_out', count=self.left_out)}\n{self.tail}"


class Finished(NamedTuple):
    """`exit` as a shell says it (128 + signal); None when the command did not come to its own end."""

    exit: int | None
    output: Output
    duration_ms: int
    signal: int | None = None
    timed_out: bool = False
    killed: bool = False
    left_behind: int = 0  # processes that outlived the command and had to be killed
    failure: Phrase | None = None  # why it was not started, or not seen to its end
    left_running: int = 0  # processes that live on after it
    handle: str = ""  # by which they are looked at, waited for and killed
    rest: bool = False  # the end of what a command left running: its own result was given before
