"""What is loaded while git fills the workspace."""

import subprocess
import sys
from importlib.util import find_spec

import pytest

from donewhen.run.engine import ahead
from tests.tables import table_test


@table_test("name", [*ahead.NEXT, *ahead.TALK])
def test_every_part_is_there(name):
    assert find_spec(name) is not None


def test_a_part_that_fails_is_left_to_whoever_needs_it(monkeypatch):
    monkeypatch.setattr(ahead, "NEXT", ("donewhen.no_such_part", "donewhen.run.engine.outcome"))
    ahead.load_ahead(talks=False)
    with pytest.raises(ModuleNotFoundError):
        __import__("donewhen.no_such_part")


def test_all_parts_load_in_a_process_that_has_loaded_nothing_else():
    code = (
        "import sys; from donewhen.run.engine.ahead import NEXT, TALK, load_ahead; load_ahead(talks=True);"
        "print(*(name for name in (*NEXT, *TALK) if name not in sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []
