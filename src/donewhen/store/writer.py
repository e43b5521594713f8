"""One writer thread per store: jobs keep their order, and those that wait together share one commit.

What nobody waits for is written a moment later, so that a burst is one commit, and is not made at the cost
of the thread that goes on with its work; as soon as somebody waits, or says that it is a good moment, all is
written.

A job decides before it writes, so a refused job leaves nothing in the transaction and the others go on.
When the transaction itself fails nothing has happened, and each job is tried alone: one bad job must not
take others down with it.
"""

from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Event, Lock, Thread, current_thread
from typing import Any, NamedTuple, Protocol

from donewhen.core.errors import DonewhenError, InvariantBroken, SetupError

GROUP = 256  # jobs that may share a commit
LINGER = 0.01  # seconds that jobs which nobody waits for wait for others


class Transaction(Protocol):
    """What jobs write through; `commit` makes it durable as asked, `rollback` forgets all."""

    def begin(self, *, durable: bool) -> None: ...
    def commit(self) -> None: ...
    def rollback(self) -> None: ...
    def close(self) -> None: ...


class Broken(NamedTuple):
    """The transaction failed, not the job's own decision; perhaps because of one job in it."""

    error: DonewhenError
    one_job: bool


class Job(NamedTuple):
    work: Callable[[Any], Any]
    durable: bool
    ticket: Future[Any]
    on_failure: Callable[[DonewhenError], None]
    patient: bool = False  # nobody waits for it


def _ignore(_: DonewhenError) -> None:
    pass


class Writer:
    def __init__(
        self, opener: Callable[[], Transaction], as_error: Callable[[BaseException], DonewhenError]
    ) -> None:
        self._opener = opener
        self._as_error = as_error
        self._jobs: SimpleQueue[Job | None] = SimpleQueue()
        self._lock = Lock()
        self._thread: Thread | None = None
        self._transaction: Transaction | None = None
        self._closed = False
        self._hurry = Event()

    def submit(
        self,
        work: Callable[[Any], Any],
        *,
        durable: bool = True,
        on_failure: Callable[[DonewhenError], None] = _ignore,
        patient: bool = False,
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
            self._jobs.put(Job(work, durable, ticket, on_failure, patient))
            if not patient:
                self._hurry.set()
        return ticket

    def hasten(self) -> None:
        """What waits for others need not wait any longer."""
        if self._jobs.qsize():
            self._hurry.set()

    def drain(self) -> None:
        """Return when everything handed over so far was written, or refused."""
        with self._lock:
            idle = self._thread is None or self._closed
        if not idle:
            with suppress(DonewhenError):
                self.submit(lambda _: None, durable=False).result()

    def close(self) -> None:
        """Everything handed over so far is written before this returns."""
        with self._lock:
            self._closed = True
            thread, self._thread = self._thread, None
            if thread:
                self._jobs.put(None)
                self._hurry.set()
        if thread:
            thread.join()

    def _run(self) -> None:
        last = False
        while not last and (job := self._jobs.get()) is not None:
            if job.patient and self._jobs.qsize() < GROUP:
                self._hurry.wait(LINGER)
            self._hurry.clear()  # what was put before is gathered now, what comes later sets it again
            group, last = self._gather(job)
            self._handle(group)
        self._drop()

    def _handle(self, group: list[Job]) -> None:
        outcomes = self._attempt(group)
        if len(group) > 1 and isinstance(outcomes[0], Broken) and outcomes[0].one_job:
            for job in group:  # in order, each settled before the next begins
                self._handle([job])
        else:
            _settle(group, outcomes)

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
        begun = False
        try:
            self._transaction = self._transaction or self._opener()
            self._transaction.begin(durable=any(job.durable for job in group))
            begun = True
            outcomes = [_outcome(job, self._transaction) for job in group]
            self._transaction.commit()
        except BaseException as error:  # a thread that dies would leave its callers waiting for ever
            self._undo()
            return [Broken(self._as_error(error), begun)] * len(group)
        return outcomes

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


def _outcome(job: Job, transaction: Transaction) -> Any:
    try:
        return job.work(transaction)
    except DonewhenError as error:
        job.on_failure(error)  # now, so that the next job of this group knows
        return error


def _settle(group: list[Job], outcomes: list[Any]) -> None:
    for job, outcome in zip(group, outcomes, strict=True):
        with suppress(BaseException):  # what a caller's callback raises is not ours to die of
            if isinstance(outcome, Broken):
                job.on_failure(outcome.error)
                job.ticket.set_exception(outcome.error)
            elif isinstance(outcome, DonewhenError):
                job.ticket.set_exception(outcome)
            else:
                job.ticket.set_result(outcome)
