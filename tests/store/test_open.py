"""Which store an address means, and which run a name means."""

from pathlib import Path

import pytest

from donewhen.core.errors import SetupError, UserError
from donewhen.core.events.run import RunStarted
from donewhen.store import open_store, resolve, store_path
from donewhen.store.memory import MemoryStore
from tests.helpers import RUN, small_run
from tests.tables import table_test

OTHER = "r-20261115043759-ffffff"
STATE = Path("/home/u/.local/state/donewhen")


@table_test(
    ("url", "path"),
    [
        ("user", STATE / "donewhen.db"),
        ("", STATE / "donewhen.db"),
        ("sqlite:///var/d.db", Path("/var/d.db")),
        ("sqlite:////var/d.db", Path("/var/d.db")),
    ],
)
def test_an_address_means_one_file(url, path, tmp_path):
    assert store_path(url, STATE, tmp_path) == path


def test_a_repository_has_a_file_of_its_own_wherever_one_stands_in_it(tmp_path):
    (tmp_path / "a" / ".git").mkdir(parents=True)
    (tmp_path / "a" / "deep").mkdir()
    (tmp_path / "b").mkdir()
    paths = [store_path("repo", STATE, tmp_path / name) for name in ("a", "a/deep", "b")]
    assert paths[0] == paths[1] != paths[2]
    assert paths[0].parent.parent == STATE / "repos"


@table_test("url", ["mysql://h/d", "sqlite:relative.db", "nonsense"])
def test_an_address_that_names_no_store_is_refused(url, tmp_path):
    with pytest.raises(UserError, match="names no store"):
        store_path(url, STATE, tmp_path)


def test_postgres_is_said_to_be_missing(tmp_path):
    with pytest.raises(SetupError, match="PostgreSQL"):
        store_path("postgresql://h/d", STATE, tmp_path)


def test_reading_a_store_that_is_not_there_makes_nothing(tmp_path):
    with open_store("user", state=tmp_path / "s", folder=tmp_path, create=False) as opened:
        assert isinstance(opened.store, MemoryStore)
        with pytest.raises(UserError, match="no run yet"):
            resolve(opened, "last")
    assert not (tmp_path / "s").exists()


def test_a_run_is_meant_by_id_prefix_or_last(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with open_store("user", state=tmp_path, folder=tmp_path) as opened:
        small_run(opened.store)
        small_run(opened.store, OTHER)
        assert resolve(opened, RUN) == RUN
        assert resolve(opened, "last") == OTHER
        with pytest.raises(UserError, match="several runs"):
            resolve(opened, RUN[:14])
        with pytest.raises(UserError, match="RUN is empty"):
            resolve(opened, "")


def test_last_never_means_a_run_of_another_repository(tmp_path, monkeypatch):
    here = tmp_path / "here"
    (here / ".git").mkdir(parents=True)
    (here / "deep").mkdir()
    monkeypatch.chdir(here / "deep")
    with open_store("user", state=tmp_path, folder=tmp_path) as opened:
        small_run(opened.store)
        with pytest.raises(UserError, match=f"no run of the repository {here};"):
            resolve(opened, "last")
        opened.store.append(OTHER, RunStarted("mine", str(here), "a" * 40))
        small_run(opened.store, "r-20261116043759-eeeeee")
        assert resolve(opened, "last") == OTHER
        monkeypatch.chdir(tmp_path)
        assert resolve(opened, "last") == "r-20261116043759-eeeeee"


def test_a_file_in_the_place_of_a_folder_is_no_empty_store(tmp_path):
    (tmp_path / "state").touch()
    with pytest.raises(SetupError, match="is not a folder"):
        open_store("user", state=tmp_path / "state", folder=tmp_path, create=False)
