"""The writer thread: what shares a commit, and that nobody who waits is kept waiting for others."""

from collections.abc import Callable
from threading import Event

from donewhen.core.errors import SetupError
from donewhen.store.writer import Writer


class Notes:
    """A transaction that keeps what was committed, one list for each commit."""

    def __init__(self) -> None:
        self.commits: list[list[str]] = []
        self._open: list[str] = []

    def begin(self, *, durable: bool) -> None:
        self._open = []

    def note(self, text: str) -> str:
        self._open.append(text)
        return text

    def commit(self) -> None:
        self.commits.append(self._open)

    def rollback(self) -> None:
        self._open = []

    def close(self) -> None:
        self._open = []


def noting(text: str) -> Callable[[Notes], str]:
    return lambda transaction: transaction.note(text)


def writer_of(notes: Notes) -> Writer:
    return Writer(lambda: notes, lambda error: SetupError("store.closed"))


def test_what_nobody_waits_for_shares_a_commit_with_what_comes_behind_it():
    notes, held, begun = Notes(), Event(), Event()
    writer = writer_of(notes)

    def hold(transaction: Notes) -> str:
        begun.set()
        held.wait()
        return transaction.note("first")

    writer.submit(hold)
    begun.wait()
    for text in "abc":
        writer.submit(noting(text), durable=False, patient=True)
    last = writer.submit(noting("d"))
    held.set()
    assert last.result() == "d"
    assert notes.commits == [["first"], ["a", "b", "c", "d"]]
    writer.close()


def test_patient_jobs_are_written_without_anybody_asking():
    notes = Notes()
    writer = writer_of(notes)
    jobs = [writer.submit(noting(text), durable=False, patient=True) for text in "abc"]
    assert [job.result() for job in jobs] == ["a", "b", "c"]
    assert [text for commit in notes.commits for text in commit] == ["a", "b", "c"]
    writer.close()


def test_closing_writes_what_was_handed_over():
    notes = Notes()
    writer = writer_of(notes)
    for number in range(1000):
        writer.submit(noting(str(number)), durable=False, patient=True)
    writer.close()
    assert [text for commit in notes.commits for text in commit] == list(map(str, range(1000)))


def test_order_holds_between_patient_and_urgent_jobs():
    notes = Notes()
    writer = writer_of(notes)
    wanted = []
    for number in range(200):
        text = str(number)
        wanted.append(text)
        ticket = writer.submit(noting(text), durable=False, patient=number % 7 != 0)
        if number % 7 == 0:
            assert ticket.result() == text
    writer.close()
    assert [text for commit in notes.commits for text in commit] == wanted
