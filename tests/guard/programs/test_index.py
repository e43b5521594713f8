"""The index of readers says what the modules hold; where two hold a name, it says whose reader counts."""

from importlib import import_module

from donewhen.guard.programs import readers
from donewhen.guard.programs.index import NAMES
from donewhen.shell.programs import programs
from tests.tables import table_test


def _table(module: str) -> set[str]:
    return set(import_module(f"donewhen.guard.programs.{module}").READERS)


@table_test("module", NAMES)
def test_every_indexed_name_has_its_reader(module):
    assert set(NAMES[module].split()) <= _table(module)


def test_every_reader_is_indexed_once():
    listed = [name for names in NAMES.values() for name in names.split()]
    assert sorted(listed) == sorted(set(listed))
    assert set(readers()) == {*listed, *programs()}


def test_what_is_no_program_has_no_reader():
    assert "no-such-program" not in readers()
    assert readers().get("no-such-program") is None
