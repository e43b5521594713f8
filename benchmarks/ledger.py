"""The ledger: durable appends, reading with proof, folding, listing."""

import sqlite3
import tempfile
import time
from collections.abc import Callable
from itertools import count
from pathlib import Path

from benchmarks.measure import Figure, at_least, at_most, interleaved
from donewhen.core.events import Body, Event, encode, facts, run
from donewhen.core.protocols import Query
from donewhen.core.session import fold
from donewhen.store.audit import audit
from donewhen.store.owner import this_process
from donewhen.store.sqlite import SqliteStore

RUN = "r-20261115043750-0a1b2c"
HOW = (
    "one SQLite file on the machine's disk; events of about 0.9 kB, redacted at the door; medians of 5 rounds; "
    "durable = committed with synchronous FULL"
)
BATCH = 50


def _rate(size: int, work: Callable[[], object], repeats: int = 5) -> float:
    return size / interleaved({"it": work}, repeats)["it"]


def _bodies() -> tuple[Body, Body]:
    line = "tests/test_price.py::test_discount[20-80] PASSED  [ 42%]\n"
    command = facts.CommandEnded("k", "pytest -q", ("pytest", "-q"), exit=0, tail=line * 13, before="a" * 40)
    return command, run.CostReserved("k", 1)


def _floor(folder: Path, payload: str) -> float:
    """The same rows written by bare sqlite3, without chain, redaction, index or lease."""
    db = sqlite3.connect(folder / "floor.db", isolation_level=None)
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA synchronous = FULL")
    db.execute("CREATE TABLE events (run TEXT, seq INTEGER, payload TEXT, PRIMARY KEY (run, seq))")
    seq = count()

    def batches() -> None:
        for _ in range(60):
            db.execute("BEGIN IMMEDIATE")
            db.executemany(
                "INSERT INTO events VALUES (?, ?, ?)", [(RUN, next(seq), payload) for _ in range(BATCH)]
            )
            db.execute("COMMIT")

    rate = _rate(60 * BATCH, batches)
    db.close()
    return rate


def figures() -> list[Figure]:
    command, durable = _bodies()
    batch = [*[command] * (BATCH - 1), durable]
    with tempfile.TemporaryDirectory() as folder, SqliteStore(Path(folder) / "s.db") as store:
        store.append(RUN, run.RunStarted("bench", budget_micros=10**7))
        lease = store.lease(RUN, this_process(), 3600)

        def batches(bodies: list[Body], count: int) -> None:
            for _ in range(count):
                store.append(RUN, *bodies, lease=lease)

        def posted() -> None:
            tickets = [store.post(RUN, command, lease=lease) for _ in range(3000)]
            tickets[-1].result()

        floor = _floor(Path(folder), encode(command))
        appends = {
            "durable": _rate(60 * BATCH, lambda: batches(batch, 60)),
            "single": _rate(500, lambda: batches([command], 500)),
            "single durable": _rate(300, lambda: batches([durable], 300)),
            "posted": _rate(3000, posted),
        }
        size = store.head(RUN).seq
        read = _rate(size, lambda: sum(1 for _ in store.read(RUN)), 3)
        audited = _rate(size, lambda: audit(store, RUN), 3)
        events: list[Event] = list(store.read(RUN))
        folded = _rate(size, lambda: fold(RUN, events))
        listing = _list_figures(store)
    return [
        at_least(
            f"durable appends in batches of {BATCH}",
            appends["durable"],
            "events/s",
            10_000,
            f"{appends['durable'] / floor:.2f} × bare sqlite3",
        ),
        Figure("single appends, each awaited", appends["single"], "events/s"),
        Figure("single durable appends, each awaited", appends["single durable"], "events/s"),
        Figure("posted appends (group commit)", appends["posted"], "events/s"),
        at_least("reading with decode and chain check", read, "events/s", 40_000),
        Figure("audit (chain, heads, decode, index)", audited, "events/s"),
        at_least("folding decoded events into a session", folded, "events/s", 200_000),
        *listing,
    ]


def _list_figures(store: SqliteStore) -> list[Figure]:
    """10 000 runs beside the big one; the list never reads events."""
    start = time.perf_counter()
    for n in range(10_000):
        store.post(
            f"r-20261115{n:06}-0a1b2c",
            run.RunStarted(f"goal {n}", repo=f"/srv/{n % 50}", budget_micros=10**6),
        )
    store.append(RUN, run.Noted("done"), lease=store.lease(RUN, this_process(), 1))
    made = time.perf_counter() - start
    times = interleaved(
        {
            "all": lambda: store.runs(),
            "page": lambda: store.runs(Query(limit=50)),
            "repo": lambda: store.runs(Query(repo="/srv/7", limit=50)),
        },
        9,
    )
    return [
        Figure("making 10 000 runs", 10_000 / made, "runs/s"),
        at_most("list of 10 000 runs, all rows", times["all"] * 1000, "ms", 50),
        Figure("list of 10 000 runs, the newest 50", times["page"] * 1000, "ms"),
        Figure("list of 10 000 runs, 50 of one repository", times["repo"] * 1000, "ms"),
    ]
