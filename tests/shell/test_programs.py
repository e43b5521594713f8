"""The tables of programs: broken ones are refused with file and line, and a new program takes five lines."""

import re
from pathlib import Path

import pytest

from donewhen.core.errors import UserError
from donewhen.guard import Guard
from donewhen.guard.cases import GROUND
from donewhen.guard.programs import acts, rows
from donewhen.shell import programs
from tests.tables import table_test

DOCS = Path(__file__).parents[2] / "docs" / "guard.md"


@table_test(
    "text, line, said",
    [
        ('[a]\nvaluse = "-o"', 2, "unknown key valuse"),
        ('[a]\nvalues = "-o"\noperands = "raed*"', 3, "raed* is no role"),
        ('[a]\noperands = "read* write*"', 2, "one role may have a star"),
        ('[a]\nvalues = ["-o"]', 2, "values is a text"),
        ('[a]\nfirst = "yes"', 2, "first is true or false"),
        ("[a]\nverbs = 3", 2, "verbs is a table"),
        ('[a]\n\n[a.verbs]\nshow = "x"\nexplode = "y"', 5, "explode is nothing that a verb does"),
        ('[a]\ndoes = "nothing"', 2, "nothing is nothing that a verb does"),
        ('[a]\noptions.wriet = "-o"', 2, "wriet is no role"),
        ('[a]\npattern = "a["', 2, "pattern is no pattern"),
        ('[a]\nloses = "money"', 2, "loses is one of"),
        ('[a]\nalso = "b"\n[b]\nshows = true', 3, "b has a row"),
        ('[a]\nshows = true\n\n[b]\nalso = "c a"', 5, "a has a row"),
        ("[a]\nshows = true\n[a]", 3, "not valid TOML"),
        ("[a]\nshows = maybe", 2, "not valid TOML"),
        ("a = 1", 1, "a row is a table"),
    ],
)
def test_a_broken_row_is_refused_with_file_and_line(text, line, said, tmp_path):
    (tmp_path / "mine.toml").write_text(text)
    with pytest.raises(UserError) as error:
        programs.read_programs(tmp_path)
    assert f"mine.toml:{line}:" in str(error.value)
    assert said in str(error.value)
    assert f"mine.toml:{line}" in error.value.say("zh")


def test_two_tables_may_not_have_one_program(tmp_path):
    (tmp_path / "a.toml").write_text("[x]\nshows = true\n")
    (tmp_path / "b.toml").write_text('[y]\nshows = true\n[z]\nalso = "x"\n')
    with pytest.raises(UserError, match=r"b\.toml:4: .* x has a row in a\.toml"):
        programs.read_programs(tmp_path)


def test_our_tables_hold_and_their_acts_are_there():
    found = programs.read_programs(programs.FOLDER)
    named = {act for row in found.values() for act in _acts(row)}
    assert named <= set(acts.ACTS)
    assert set(acts.ACTS) - programs.ACTS <= named
    assert programs.programs() == found


def _acts(row):
    for key in ("bare", "other"):
        if key in row:
            yield row[key]
    yield from _verbs(row.get("verbs", {}))


def _verbs(level):
    for act, words in level.items():
        yield from _verbs(words) if isinstance(words, dict) else (words if act == "default" else act,)


def test_a_program_is_added_in_five_lines(tmp_path, monkeypatch):
    """The example of docs/guard.md, as it stands there."""
    example = re.search(r"```toml\n(\[frobnicate\]\n.*?)```", DOCS.read_text(), re.DOTALL)
    assert example is not None
    assert example[1].count("\n") == 5
    before = Guard(GROUND).command("frobnicate x -o /etc/passwd").action
    (tmp_path / "mine.toml").write_text(example[1])
    monkeypatch.setattr(programs, "programs", lambda: programs.read_programs(tmp_path))
    rows.program_of.cache_clear()
    guard = Guard(GROUND)
    decided = {
        line: guard.command(line).action
        for line in (
            "frobnicate x src/a.py -o out.txt",
            "frobnicate x a.py -o /etc/passwd",
            "frobnicate --output=/etc/passwd x",
            "frobnicate .env src/a.py",
            "frobnicate x .env",
            "frobnicate status",
            "frobnicate push",
            "sudo frobnicate -o x wipe",
        )
    }
    rows.program_of.cache_clear()
    assert before == "allow"
    assert list(decided.values()) == ["allow", "deny", "deny", "allow", "deny", "allow", "ask", "deny"]


def test_names_with_a_version_share_a_row():
    assert programs.row_of("pip3.12") is programs.row_of("pip")
    assert programs.row_of("pip4x") is None
