"""Changed lines and moved lines out of a diff: whatever the files hold and however they are called."""

import difflib
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from donewhen.core.quality.lines import Moved, changed_lines, moved, place_now
from donewhen.core.quality.model import Unreadable

TEXTS = st.lists(
    st.sampled_from(["a", "b", "+++ b/x", "--- a/x", "@@ -1 +1 @@", "diff --git a/x b/x", "\\ x", ""]),
    max_size=12,
)


def diff_of(old: list[str], new: list[str], context: int, name: str = "f.py") -> str:
    """As git writes it, hunk by hunk."""
    hunks = list(
        difflib.unified_diff(
            [f"{x}\n" for x in old], [f"{x}\n" for x in new], "a/" + name, "b/" + name, n=context
        )
    )
    return f"diff --git a/{name} b/{name}\n" + "".join(hunks) if hunks else ""


@given(old=TEXTS, new=TEXTS, context=st.integers(0, 3))
def test_lines_that_stayed_are_the_same_text_and_all_others_are_changed(old, new, context):
    diff = diff_of(old, new, context)
    changed = changed_lines(diff).get("f.py", frozenset())
    stayed = set()
    for number, text in enumerate(old, 1):
        place = place_now(moved(diff), "f.py", number)
        if place is not None:
            assert place[0] == "f.py"
            assert new[place[1] - 1] == text
            stayed.add(place[1])
    assert stayed | changed == set(range(1, len(new) + 1))
    assert not stayed & changed


@given(old=TEXTS, new=TEXTS, cut=st.integers(0, 400), context=st.integers(0, 3))
def test_a_cut_diff_is_refused_or_says_less_never_something_else(old, new, cut, context):
    diff = diff_of(old, new, context)
    whole = changed_lines(diff).get("f.py", frozenset())
    try:
        part = changed_lines(diff[:cut]).get("f.py", frozenset())
    except Unreadable:
        return
    assert part <= whole


@given(text=st.text(alphabet="+-@ \\\n1,abdifgt/", max_size=200))
def test_any_text_is_read_or_refused(text):
    try:
        found = changed_lines("diff --git a/x b/x\n--- a/x\n+++ b/x\n" + text)
    except Unreadable:
        return
    assert all(line > 0 for lines in found.values() for line in lines)


def test_a_merge_is_refused():
    with pytest.raises(Unreadable):
        changed_lines("diff --cc x\n--- a/x\n+++ b/x\n@@@ -1 -1 +1 @@@\n++a\n")


def git(folder: Path, *words: str) -> str:
    done = subprocess.run(
        ["git", "-c", "user.name=x", "-c", "user.email=x@x", "-c", "core.quotePath=true", *words],
        cwd=folder,
        capture_output=True,
        check=True,
        timeout=60,
    )
    return done.stdout.decode("utf-8", "surrogateescape")


NAMES = [
    "plain.py",
    "with space.py",
    "tab\there.py",
    'quo"te.py',
    "new\nline.py",
    "ümlaut.py",
    "-dash.py",
    "b/a.py",
]


def test_git_itself_with_names_of_every_kind(tmp_path):
    git(tmp_path, "init", "-q")
    for name in NAMES:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(b"1\n2\n3\n")
    (tmp_path / "gone.py").write_text("x\n")
    (tmp_path / "old.py").write_text("".join(f"line {n}\n" for n in range(30)))
    (tmp_path / "picture").write_bytes(b"\0\1\2")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-q", "-m", "base")
    for name in NAMES:
        (tmp_path / name).write_bytes(b"0\n1\n2\n3 without end")
    (tmp_path / "gone.py").unlink()
    lines = (tmp_path / "old.py").read_text().splitlines(keepends=True)
    (tmp_path / "old.py").unlink()
    (tmp_path / "new.py").write_text("".join(["first\n", *lines]))
    (tmp_path / "picture").write_bytes(b"\0\1\3")
    (tmp_path / "added.py").write_text("one\ntwo\n")
    git(tmp_path, "add", "-A")
    diff = git(tmp_path, "diff", "-U0", "-M", "--cached")
    assert changed_lines(diff) == {
        **dict.fromkeys(NAMES, frozenset((1, 4))),
        "new.py": frozenset((1,)),
        "added.py": frozenset((1, 2)),
    }
    moves = moved(diff)
    assert place_now(moves, "old.py", 30) == ("new.py", 31)
    assert place_now(moves, "gone.py", 1) is None
    assert place_now(moves, "new\nline.py", 2) == ("new\nline.py", 3)
    assert place_now(moves, "new\nline.py", 3) is None
    assert place_now(moves, "untouched.py", 7) == ("untouched.py", 7)
    assert moves["gone.py"] == Moved("", moves["gone.py"].edits)


def test_without_prefixes_and_with_renames_alone():
    bare = "diff --git b/x.py b/x.py\n--- b/x.py\n+++ b/x.py\n@@ -0,0 +1 @@\n+a\n"
    assert changed_lines(bare) == {"b/x.py": frozenset((1,))}
    renamed = "diff --git a/x.py b/y.py\nsimilarity index 100%\nrename from x.py\nrename to y.py\n"
    assert changed_lines(renamed) == {}
    assert place_now(moved(renamed), "x.py", 3) == ("y.py", 3)
    copied = renamed.replace("rename", "copy")
    assert place_now(moved(copied), "x.py", 3) == ("x.py", 3)
