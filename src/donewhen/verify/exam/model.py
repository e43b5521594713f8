"""Where an exam's command runs, how it is coming along, and how it went: plain data."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

from donewhen.core.counts import Counts
from donewhen.core.texts import Phrase
from donewhen.secrets.redact import Redactor
from donewhen.workspace.processes.command import Finished, Limits
from donewhen.workspace.sandbox.plan import Plan

if TYPE_CHECKING:
    from donewhen.core.scenarios import Case
    from donewhen.verify.machine_reports import JunitReport


OFFLINE = (  # what programs say when there is no network
    "Temporary failure in name resolution", "Name or service not known", "nodename nor servname provided",
    "Network is unreachable", "getaddrinfo", "ENOTFOUND", "EAI_AGAIN", "ENETUNREACH", "no such host",
    "Failed to establish a new connection", "Could not resolve host", "dns error", "are you offline",
    "network was disabled", "network connectivity is disabled", "All attempts to connect to",
)  # fmt: skip


class Where(NamedTuple):
    folder: Path  # the tree that is examined
    scratch: Path  # a folder outside it that the plan lets commands write under this very name
    outputs: Path  # where whole outputs are kept; not for the command
    env: Mapping[str, str]  # the environment that the user called us with; commands see a part of it
    path: tuple[str, ...] = ()  # absolute folders that go first in PATH
    set: Mapping[str, str] = {}  # variables of the prepared environment
    passed: tuple[str, ...] = ()  # names that the user lets through
    plan: Plan = Plan()
    timeout: float = 300.0
    redactor: Redactor = Redactor()
    limits: Limits = Limits()
    guarded: tuple[Path, ...] = ()  # git directories that the plan can't keep from being written


class Progress(NamedTuple):
    elapsed: float  # seconds
    line: str  # the last line of output that says something


class Execution(NamedTuple):
    """How a command went. With `why_not` it proves nothing: `exit` says so too, and nothing is counted."""

    finished: Finished
    state: Literal["completed", "failed"]
    exit: int | None
    counts: Counts | None = None
    report: "JunitReport | None" = None
    why_not: Phrase | None = None
    cases: "tuple[Case, ...]" = ()  # every test that a machine report names
    made_up: bool = False  # it printed a summary of tests that its runner did not write
