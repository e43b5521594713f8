"""Stores of one file in one process: they share a writer, and none of them notices the others' ends."""

import os
import shutil
import threading

import pytest

from donewhen.core.errors import SetupError
from donewhen.core.events.run import Noted, RunStarted
from donewhen.store.sqlite import SqliteStore
from tests.helpers import RUN as FIRST

SECOND = FIRST[:-6] + "ffffff"


def writers():
    return [each for each in threading.enumerate() if each.name == "donewhen-writer"]


@pytest.fixture
def opened(tmp_path):
    stores = []

    def more(name="a.db", **words):
        stores.append(SqliteStore(tmp_path / name, heads=tmp_path / "heads", **words))
        return stores[-1]

    yield more
    for store in stores:
        store.close()
    assert not writers()


def begin(store, run_id):
    return store.append(run_id, RunStarted("a goal", "/repo", "main"))


def test_many_stores_have_one_writer_and_each_reads_what_the_others_wrote(opened):
    stores = [opened() for _ in range(5)]
    begin(stores[0], FIRST)
    for number, store in enumerate(stores):
        store.post(FIRST, Noted(f"{number}", "info"))
    assert len(writers()) == 1
    for store in stores[:-1]:
        store.close()
    assert [event.body.text for event in stores[-1].read(FIRST, 1)] == list("01234")
    begin(stores[-1], SECOND)


def test_what_was_handed_over_is_written_when_one_of_two_is_closed(opened, tmp_path):
    one, other = opened(), opened()
    begin(one, FIRST)
    tickets = [one.post(FIRST, Noted(str(number), "info")) for number in range(300)]
    one.close()
    assert all(ticket.done() for ticket in tickets)
    with pytest.raises(SetupError):
        one.post(FIRST, Noted("late", "info"))
    assert other.head(FIRST).seq == 301


def test_another_file_in_the_same_place_has_a_writer_of_its_own(opened, tmp_path):
    one = opened()
    begin(one, FIRST)
    one.close()
    shutil.copy(tmp_path / "a.db", tmp_path / "copy.db")
    old = opened()
    (tmp_path / "copy.db").replace(tmp_path / "a.db")
    new = opened()
    begin(new, SECOND)
    assert len(new.run_ids()) == 2
    old.close()
    new.append(SECOND, Noted("on", "info"))


def test_a_fork_has_no_part_in_it(opened):
    store = opened()
    begin(store, FIRST)
    child = os.fork()
    if child == 0:
        try:
            store.append(FIRST, Noted("from a fork", "info"))
        except SetupError:
            os._exit(0)
        os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    store.append(FIRST, Noted("on", "info"))
