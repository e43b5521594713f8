"""The seams of the run. Small Protocols; who implements them is wired at the top."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future
from typing import Literal, NamedTuple, Protocol

from donewhen.core.chain import Head
from donewhen.core.codec import EMPTY, Json
from donewhen.core.events import Body, Event, Record
from donewhen.core.summary import Summary


class Lease(NamedTuple):
    """The right to append to a run; a higher epoch ends it."""

    run_id: str
    epoch: int
    owner: str


class Query(NamedTuple):
    """Which runs to list, newest first."""

    states: tuple[str, ...] = ()
    repo: str = ""
    since: str = ""  # created at or after this moment
    until: str = ""  # created before this moment
    limit: int = 0  # 0: all


class Control(NamedTuple):
    """What somebody wants of a run: any process may write it, the one that executes the run takes it."""

    kind: Literal["approve", "deny", "abort", "amend", "confirm"]
    target: str = ""  # the id of a question
    payload: Mapping[str, Json] = EMPTY
    who: str = ""


class Request(NamedTuple):
    """A control as it is stored."""

    number: int  # 1, 2, 3 … of its run
    run_id: str
    at: str
    control: Control
    taken: str = ""  # when the run took it; empty while it waits


class Snapshot(NamedTuple):
    """A run as it is stored at one moment, unchecked: for audit and export."""

    records: list[Record]
    unreadable: list[tuple[int, str]]  # rows that are no records: their place and why
    head: Head | None
    summary: Summary | None
    refs: set[str]  # digests of artifacts


class EventStore(Protocol):
    """Where ledgers live. Every implementation passes the same conformance suite."""

    def append(self, run_id: str, *bodies: Body, lease: Lease | None = None) -> tuple[Event, ...]:
        """Write events, all or none, and return when they are committed. A new run begins with RunStarted."""
        ...

    def post(self, run_id: str, *bodies: Body, lease: Lease | None = None) -> Future[tuple[Event, ...]]:
        """Write events in order without waiting. When one fails, later ones of that run fail too."""
        ...

    def hasten(self) -> None:
        """What was posted may be written a moment later; whoever will be idle says that now is a good one."""
        ...

    def read(self, run_id: str, after: int = 0) -> Iterator[Event]:
        """Events from `after` on, checked against the chain and the kept heads; else a SetupError."""
        ...

    def snapshot(self, run_id: str) -> Snapshot: ...
    def head(self, run_id: str) -> Head: ...
    def outside_head(self, run_id: str) -> Head | None:
        """The second copy of the head, kept outside the store; None where there is none."""
        ...

    def summary(self, run_id: str) -> Summary: ...
    def runs(self, query: Query = ...) -> list[Summary]: ...
    def run_ids(self) -> list[str]:
        """Every run of which anything is left, newest first: row, events or a head outside."""
        ...

    def matching(self, prefix: str) -> list[str]:
        """Ids of runs that begin with `prefix`, at most a few."""
        ...

    def asking(self) -> list[str]:
        """Runs in whose ledger something was asked, newest first."""
        ...

    def lease(self, run_id: str, owner: str, ttl: float) -> Lease: ...
    def renew(self, lease: Lease, ttl: float) -> None: ...
    def release(self, lease: Lease) -> None: ...
    def holder(self, run_id: str) -> str:
        """Who executes the run now; empty when nobody does."""
        ...

    def request(self, run_id: str, control: Control) -> Request:
        """Write a request to a run that has not ended, without its lease; a question is answered once."""
        ...

    def requests(self, run_id: str, after: int = 0) -> list[Request]:
        """Requests to a run in the order in which they came, taken ones too."""
        ...

    def take(self, run_id: str, number: int, lease: Lease | None = None) -> bool:
        """Mark a request as taken; False when it was already, or is not there."""
        ...

    def changes(self) -> int:
        """A number that differs when anything was written since it was last asked for, by any process."""
        ...

    def wait_for_change(self, since: int, timeout: float | None = None) -> int:
        """Wait until `changes()` is not `since`, at most `timeout` seconds; the number as it is then."""
        ...

    def restore(self, records: Iterable[Record]) -> Summary:
        """Take in a whole, already examined ledger of another store, all or nothing."""
        ...

    def remove(self, run_id: str, head: Head | None = None) -> None:
        """Forget a run that nobody holds; with `head`, only if nothing was appended since."""
        ...

    def artifact_refs(self, run_id: str | None = None) -> set[tuple[str, str]]:
        """Pairs (run id, digest) of the artifacts that events name."""
        ...

    def alone(self, action: Callable[[], None]) -> None:
        """Do something while nobody can append."""
        ...

    def sizes(self) -> dict[str, int]:
        """Bytes of each run's ledger."""
        ...

    def damage(self) -> list[str]:
        """What is wrong with the store itself, apart from its ledgers."""
        ...

    def close(self) -> None: ...
