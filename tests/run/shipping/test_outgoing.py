"""Everything that the other end lacks is looked through before it leaves."""

import pytest

from donewhen.run.shipping import outgoing
from donewhen.run.shipping.outgoing import Found, Outgoing, Rules, TooMuch, look_through, places
from donewhen.workspace.git.repository import find_repository
from tests.run.shipping.yard import KEY, SECRET, Yard

NONE = Rules("")


def going(yard: Yard, *there: str) -> Outgoing:
    user = find_repository(yard.repository.root, yard.env)
    return Outgoing(user, yard.git("rev-parse", "HEAD"), there)


def committed(yard: Yard, name: str, text: str, message: str = "more") -> str:
    yard.write(name, text)
    yard.git("add", "-A")
    yard.git("commit", "-q", "-m", message)
    return yard.git("rev-parse", "HEAD")


def test_the_first_commit_with_it_is_named_also_when_it_was_taken_away(yard: Yard):
    base = yard.git("rev-parse", "HEAD")
    committed(yard, "a.txt", "a\n")
    bad = committed(yard, "conf.py", SECRET)
    committed(yard, "conf.py", "token = ''\n")
    found = look_through(going(yard, base), NONE)
    assert found == Found(bad, ("conf.py",))
    assert look_through(going(yard, bad), NONE) is None


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [(".env", "PORT=1\n", "more"), (f"{KEY}.md", "x\n", "more"), ("a.txt", "a\n", f"with {KEY}")],
)
def test_names_and_messages_count_and_no_secret_is_repeated(yard: Yard, name: str, text: str, message: str):
    base = yard.git("rev-parse", "HEAD")
    committed(yard, name, text, message)
    found = look_through(going(yard, base), NONE)
    assert isinstance(found, Found)
    assert places(found, "en")
    assert KEY not in places(found, "en")


def test_what_a_merge_brings_from_there_is_none_of_ours(yard: Yard):
    branch, base = yard.git("symbolic-ref", "--short", "HEAD"), yard.git("rev-parse", "HEAD")
    yard.git("checkout", "-q", "-b", "theirs")
    theirs = committed(yard, "conf.py", SECRET)
    yard.git("checkout", "-q", branch)
    committed(yard, "a.txt", "a\n")
    yard.git("merge", "-q", "--no-edit", "theirs")
    assert look_through(going(yard, theirs), NONE) is None
    assert look_through(going(yard, base), NONE) == Found(theirs, ("conf.py",))


def test_a_secret_that_only_the_merge_itself_has_is_found(yard: Yard):
    branch = yard.git("symbolic-ref", "--short", "HEAD")
    yard.git("checkout", "-q", "-b", "theirs")
    theirs = committed(yard, "b.txt", "b\n")
    yard.git("checkout", "-q", branch)
    ours = committed(yard, "a.txt", "a\n")
    yard.git("merge", "-q", "--no-edit", "--no-commit", "theirs")
    bad = committed(yard, "conf.py", SECRET)
    assert look_through(going(yard, ours, theirs), NONE) == Found(bad, ("conf.py",))


def test_nothing_known_of_the_other_end_is_the_whole_history(yard: Yard):
    bad = committed(yard, "conf.py", SECRET)
    assert look_through(going(yard, "0" * 39 + "1"), NONE) == Found(bad, ("conf.py",))


def test_more_than_can_be_looked_through_is_not_let_pass(yard: Yard, monkeypatch: pytest.MonkeyPatch):
    base = yard.git("rev-parse", "HEAD")
    for number in range(3):
        committed(yard, "a.txt", f"{number}\n")
    monkeypatch.setattr(outgoing, "_MOST_COMMITS", 2)
    assert look_through(going(yard, base), NONE) == TooMuch(3)
    monkeypatch.undo()
    assert look_through(going(yard, base), NONE) is None
    committed(yard, "large.txt", "large\n" * 100_000)
    monkeypatch.setattr(outgoing, "_LARGEST", 500_000)
    assert look_through(going(yard, base), NONE) == TooMuch(4)
