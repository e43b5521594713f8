"""Rows of programs and lists of words: what is wrong in one is refused with file and line."""

from pathlib import Path

import pytest

from donewhen.commands import grammar, tampering, words
from donewhen.commands.counts import forms
from donewhen.commands.goals import phrases
from donewhen.core.errors import UserError
from donewhen.shell import wrappers
from donewhen.shell.tables import Check, load_tables

BROKEN = {
    "a key that is unknown": (
        grammar.check_row,
        '[tool]\nquiet = "-q"\n\nloud = "-l"\n',
        4,
        "unknown key loud",
    ),
    "a value of another kind": (grammar.check_row, '[tool]\nlong = "yes"\n', 2, "another kind"),
    "operands of no kind": (grammar.check_row, '[tool]\noperands = "some"\n', 2, "operands are one of"),
    "an option with two meanings": (
        grammar.check_row,
        '[t]\nquiet = "-q"\nmask = "-q"\n',
        3,
        "-q means quiet",
    ),
    "a row that is no table": (grammar.check_row, "tool = 1\n", 1, "a row is a table"),
    "a wrapper's unknown key": (wrappers.check_row, '[w]\nflags = "a"\nkeep = true\n', 3, "unknown key keep"),
    "a wrapper's value of another kind": (wrappers.check_row, '[w]\noperands = "1"\n', 2, "another kind"),
    "text that is no TOML": (grammar.check_row, '[tool]\nquiet = "-q" "\n', 2, "not valid TOML"),
    "a pattern that is none": (words.check_row, "[names]\npattern = '(a'\n", 2, "no pattern"),
    "a kind of row that is unknown": (words.check_row, '[names]\nlist = "a"\n', 2, "list is no kind of row"),
    "a pair without text": (words.check_row, "[names.pairs]\na = 1\n", 2, "a is a text"),
    "a way to write without a pattern": (
        tampering.check_row,
        '[[tool]]\nverb = "x"\n',
        2,
        "`writes` or `looks`",
    ),
    "options that are no pattern": (tampering.check_row, "[[tool]]\nwrites = '(a'\n", 2, "no pattern"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_row_is_refused_with_file_and_line(tmp_path: Path, name: str):
    check, text, line, why = BROKEN[name]
    (tmp_path / "rows.toml").write_text(text)
    with pytest.raises(UserError) as refused:
        load_tables(tmp_path, check)
    assert f"rows.toml:{line}" in str(refused.value)
    assert why in str(refused.value)


def test_two_rows_of_one_name_are_refused(tmp_path: Path):
    (tmp_path / "a.toml").write_text('[tool]\nquiet = "-q"\n')
    (tmp_path / "b.toml").write_text('# more\n\n[tool]\nmask = "-m"\n')
    with pytest.raises(UserError, match=r"b\.toml:3.*tool has a row in a\.toml"):
        load_tables(tmp_path, grammar.check_row)


def test_rows_are_read_again_when_a_file_changes(tmp_path: Path):
    file = tmp_path / "rows.toml"
    check: Check = grammar.check_row
    file.write_text('[tool]\nquiet = "-q"\n')
    assert load_tables(file, check) == {"tool": {"quiet": "-q"}}
    assert load_tables(file, check) == {"tool": {"quiet": "-q"}}  # the compiled form
    file.write_text('[tool]\nquiet = "-q -s"\n')
    assert load_tables(file, check) == {"tool": {"quiet": "-q -s"}}


def test_a_row_that_is_like_no_other_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "rows.toml").write_text('[tool]\nquiet = "-q"\nlike = "other"\n')
    monkeypatch.setattr(grammar, "_TABLES", str(tmp_path))
    grammar._rows.cache_clear()
    try:
        with pytest.raises(UserError, match=r"rows\.toml:3.*no row other"):
            grammar.grammar_names()
    finally:
        grammar._rows.cache_clear()


FORMS = {
    "a kind that is unknown": ("[loud]\na = 'b'\n", 1, "loud is no kind of form"),
    "a form that is no pattern": ("[lines]\nrunner = ['(a']\n", 2, "no pattern"),
    "a form that is no list": ("[names]\nrunner = 'a'\n", 2, "is a list of texts"),
}


@pytest.mark.parametrize("name", FORMS)
def test_a_broken_form_of_a_summary_is_refused(tmp_path: Path, name: str):
    text, line, why = FORMS[name]
    (tmp_path / "forms.toml").write_text(text)
    with pytest.raises(UserError, match=why) as refused:
        load_tables(tmp_path / "forms.toml", forms.check_row)
    assert f"forms.toml:{line}" in str(refused.value)


PHRASES = {
    "a place that is unknown": ("[around]\nnegated = ['a']\n", 1, "around is no place of phrases"),
    "a phrase that is no pattern": ("[before]\nnegated = ['(a']\n", 2, "no pattern"),
    "phrases that are no list": ("[after]\nnegated = 'a'\n", 2, "is a list of patterns"),
}


@pytest.mark.parametrize("name", PHRASES)
def test_a_broken_phrase_is_refused(tmp_path: Path, name: str):
    text, line, why = PHRASES[name]
    (tmp_path / "phrases.toml").write_text(text)
    with pytest.raises(UserError, match=why) as refused:
        load_tables(tmp_path / "phrases.toml", phrases.check_row)
    assert f"phrases.toml:{line}" in str(refused.value)
