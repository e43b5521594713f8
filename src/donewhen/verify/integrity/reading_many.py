"""Many files read at once: shared among processes of our own where that is faster than one after the other.

A worker is this module started as a program: it gets its share on stdin and gives the sheets back. Whatever
goes wrong with one, its share is read here.
"""

import gc
import os
import pickle
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import IO, NamedTuple

from donewhen.core.integrity.model import Role, Sheet
from donewhen.verify.integrity.reading import read_sheet

_WORTH_IT = 300_000  # bytes: less is read before another process has started
_START = 150_000  # bytes that could be read while a worker starts and gives back
_MOST_WORKERS = 8
_SECONDS = 300.0
_SELDOM = (50_000, 20, 50)  # objects, rounds: trees come and go, and looking for cycles in them all is dear


class Job(NamedTuple):
    path: str
    data: bytes | None  # None: there is no such file
    role: Role


class _Worker(NamedTuple):
    process: subprocess.Popen[bytes]
    said: IO[bytes]


def read_sheets(jobs: Sequence[Job]) -> list[Sheet | None]:
    """The sheets of all of them, in order."""
    with _seldom_collecting():
        return _shared(jobs)


@contextmanager
def _seldom_collecting() -> Iterator[None]:
    usual = gc.get_threshold()
    gc.set_threshold(*(max(pair) if usual[0] else 0 for pair in zip(usual, _SELDOM, strict=True)))
    try:
        yield
    finally:
        gc.set_threshold(*usual)


def _shared(jobs: Sequence[Job]) -> list[Sheet | None]:
    size = sum(len(job.data or b"") for job in jobs)
    count = min(_MOST_WORKERS, os.cpu_count() or 1, size // (_WORTH_IT // 2))
    if size < _WORTH_IT or count < 2:
        return [_read(job) for job in jobs]
    shares = _divided(jobs, count)
    theirs = [[jobs[at] for at in share] for share in shares[1:]]
    workers = [_start(share) for share in theirs]
    read = [[_read(jobs[at]) for at in shares[0]]]
    read += [_finish(worker, share) for worker, share in zip(workers, theirs, strict=True)]
    sheets: list[Sheet | None] = [None] * len(jobs)
    for share, found in zip(shares, read, strict=True):
        for at, sheet in zip(share, found, strict=True):
            sheets[at] = sheet
    return sheets


def _divided(jobs: Sequence[Job], count: int) -> list[list[int]]:
    """Which jobs go to whom, so that all end at about the same time; the first is here already."""
    shares: list[list[int]] = [[] for _ in range(count)]
    loads = [0, *[_START] * (count - 1)]
    for at, job in enumerate(jobs):
        least = loads.index(min(loads))
        shares[least].append(at)
        loads[least] += len(job.data or b"")
    return shares


def _read(job: Job) -> Sheet | None:
    return None if job.data is None else read_sheet(job.path, job.data, job.role)


def _start(share: Sequence[Job]) -> _Worker | None:
    said = tempfile.TemporaryFile()  # noqa: SIM115 - closed when the worker is done
    try:
        with tempfile.TemporaryFile() as given:
            pickle.dump([tuple(job) for job in share], given)
            given.seek(0)
            words = [
                sys.executable,
                "-P",
                "-m",
                __name__,
            ]  # -P, cwd: loads no file of a repository
            process = subprocess.Popen(words, stdin=given, stdout=said, stderr=subprocess.DEVNULL, cwd="/")
            return _Worker(process, said)
    except OSError:
        said.close()
        return None


def _finish(worker: _Worker | None, share: Sequence[Job]) -> list[Sheet | None]:
    if worker is None:
        return [_read(job) for job in share]
    try:
        if worker.process.wait(_SECONDS) == 0:
            worker.said.seek(0)
            sheets: list[Sheet | None] = pickle.load(worker.said)  # noqa: S301 - our own process wrote it
            return sheets
    except (subprocess.TimeoutExpired, pickle.UnpicklingError, EOFError, OSError):
        pass
    finally:
        worker.process.kill()
        worker.process.wait()
        worker.said.close()
    return [_read(job) for job in share]


def work() -> None:
    """A worker's life."""
    gc.set_threshold(*_SELDOM)
    jobs = pickle.load(sys.stdin.buffer)  # noqa: S301 - what started us wrote it
    sheets = [_read(Job(*job)) for job in jobs]
    sys.stdout.buffer.write(pickle.dumps(sheets))


if __name__ == "__main__":
    work()
