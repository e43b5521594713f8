"""Names of references are judged as git judges them, without git."""

import os
import subprocess

from hypothesis import given, settings
from hypothesis import strategies as st

from donewhen.workspace.git.refname import is_ref_name
from tests.tables import table_test

PARTS = ["a", "B", ".", "..", "/", "//", "@", "@{", "{", ".lock", "lock", "~", "^", ":", "?", "*", "[", "]"]
PARTS += ["\\", " ", "\t", "\n", "\x7f", "-", "é", "漢", "!", "#", "%", "$", "'", '"', "refs/heads/", "HEAD"]


def by_git(name: str) -> bool:
    return subprocess.run(["git", "check-ref-format", name], check=False).returncode == 0


@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from(PARTS), max_size=6).map("".join), st.sampled_from(["refs/heads/", ""]))
def test_as_git_does(name: str, prefix: str):
    assert is_ref_name(prefix + name) == by_git(prefix + name)


@table_test(
    "name",
    [
        *("", "/", "main", "@", "@/a", "refs/heads/main", "refs/heads/@", "refs/heads/" + "x" * 300),
        *("refs/heads/a.lock", "refs/heads/a.lock/b", "refs/heads/a.locks", os.fsdecode(b"refs/heads/\xe9")),
        *("refs/heads/.a", "refs/heads/a/.b", "refs/heads/a.", "refs/heads/a./b"),
    ],
)
def test_borders(name: str):
    assert is_ref_name(name) == by_git(name)


def test_what_no_program_could_be_given_is_no_name():
    assert not is_ref_name("refs/heads/a\0b")
    assert not is_ref_name("refs/heads/\ud800")
