"""One writer thread per store: jobs keep their order, and those that wait together share one commit.

A job decides before it writes, so a refused job leaves nothing in the transaction and the others go on.
When the transaction itself fails nothing has happened, and each job is tried alone: one bad job must not
take others down with it.
"""

from collections.abc import Callable
from concurrent.futures import Future
from queue import Empty, SimpleQueue
from threading import Lock, Thread, current_thread
from typing import Any, NamedTuple, Protocol

from donewhen.core.errors import DonewhenError, InvariantBroken, SetupError

GROUP = 256  # jobs that may share a commit


class Transaction(Protocol):
    """What jobs write through; `commit` makes it durable as asked, `rollback` forgets all."""

    def begin(self, *, durable: bool) -> None: ...
    def commit(self) -> None: ...
    def rollback(self) -> None: ...
    def close(self) -> None: ...


class Broken(NamedTuple):
    """The transaction failed, not the job's own decision."""

    error: DonewhenError


class Job(NamedTuple):
    work: Callable[[Any], Any]
    durable: bool
    ticket: Future[Any]
    on_failure: Callable[[DonewhenError], None]


def _ignore(_: DonewhenError) -> None:
    pass


class Writer:
    def __init__(
        self, opener: Callable[[], Transaction], as_error: Callable[[Exception], DonewhenError]
    ) -> None:
        self._opener = opener
        self._as_error = as_error
        self._jobs: SimpleQueue[Job | None] = SimpleQueue()
        self._lock = Lock()
        self._thread: Thread | None = None
        self._transaction: Transaction | None = None
        self._closed = False

    def submit(
        self,
        work: Callable[[Any], Any],
        *,
        durable: bool = True,
        on_failure: Callable[[DonewhenError], None] = _ignore,
    ) -> Future[Any]:
        """Hand over a job; `on_failure` is called in order, before any later job begins."""
        ticket: Future[Any] = Future()
        ticket.set_running_or_notify_cancel()  # what was handed over is written; it can't be cancelled
        with self._lock:
            if self._closed:
                raise SetupError("store.closed")
            if self._thread is current_thread():
                raise InvariantBroken("store.reentrant")
            if self._thread is None:
                self._thread = Thread(target=self._run, name="donewhen-writer", daemon=True)
                self._thread.start()
            self._jobs.put(Job(work, durable, ticket, on_failure))
        return ticket

    def close(self) -> None:
        """Everything handed over so far is written before this returns."""
        with self._lock:
            self._closed = True
            thread, self._thread = self._thread, None
            if thread:
                self._jobs.put(None)
        if thread:
            thread.join()

    def _run(self) -> None:
        last = False
        while not last and (job := self._jobs.get()) is not None:
            group, last = self._gather(job)
            outcomes = self._attempt(group)
            if len(group) > 1 and any(isinstance(outcome, Broken) for outcome in outcomes):
                outcomes = [outcome for single in group for outcome in self._attempt([single])]
            _settle(group, outcomes)
        self._drop()

    def _gather(self, first: Job) -> tuple[list[Job], bool]:
        """All jobs that wait already, and whether the writer is to end after them."""
        group = [first]
        while len(group) < GROUP:
            try:
                job = self._jobs.get_nowait()
            except Empty:
                break
            if job is None:
                return group, True
            group.append(job)
        return group, False

    def _attempt(self, group: list[Job]) -> list[Any]:
        """The outcome of each job; when the transaction fails, none of them has happened."""
        try:
            self._transaction = self._transaction or self._opener()
            return _perform(self._transaction, group)
        except Exception as error:  # a thread that dies would leave its callers waiting for ever
            self._undo()
            return [Broken(self._as_error(error))] * len(group)

    def _undo(self) -> None:
        try:
            if self._transaction:
                self._transaction.rollback()
        except Exception:  # the connection is of no use any more; the next job gets a new one
            self._drop()

    def _drop(self) -> None:
        transaction, self._transaction = self._transaction, None
        if transaction:
            transaction.close()


def _perform(transaction: Transaction, group: list[Job]) -> list[Any]:
    outcomes: list[Any] = []
    transaction.begin(durable=any(job.durable for job in group))
    for job in group:
        try:
            outcomes.append(job.work(transaction))
        except DonewhenError as error:
            job.on_failure(error)
            outcomes.append(error)
    transaction.commit()
    return outcomes


def _settle(group: list[Job], outcomes: list[Any]) -> None:
    for job, outcome in zip(group, outcomes, strict=True):
        error = outcome.error if isinstance(outcome, Broken) else outcome
        if isinstance(error, DonewhenError):
            job.on_failure(error)
            job.ticket.set_exception(error)
        else:
            job.ticket.set_result(outcome)
