"""Where paths lie: parts of the workspace that no agent may touch, what is outside, what can't be told."""

import posixpath
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from donewhen.guard.disk import RealDisk
from donewhen.guard.ground import Ground, absolute
from donewhen.guard.marks import ANY, BELOW, HOLE, STAR
from donewhen.guard.places import GRAVITY, place
from tests.tables import table_test

GROUND = Ground("/home/dev/wt/feature-x", "/home/dev/wt/feature-x", "/home/dev")
HARMLESS = ("inside", "temporary")


def marked(text: str) -> str:
    """`**` `*` `?` as live globs, `…` as anything, `~` as home."""
    text = text.replace("**", BELOW).replace("*", STAR).replace("?", ANY).replace("…", HOLE)
    return absolute(GROUND.home + text[1:] if text.startswith("~") else text, GROUND.folder)


PLACES = {
    "root": ". ./ .. ../.. ~ / /home sub/..",
    "everything": "* ./* .* ** */ */* **/* *.* ?*",
    "git": ".git .git/config .GIT/hooks/x sub/.git/config .g* .gi? .git/… sub/.git",
    "own": ".donewhen .donewhen/config.yml .DoneWhen/x sub/.donewhen/x .gsd .gsd/config.yml .gsd/*.yml .d* "
    "~/.config/donewhen/x ~/.local/state/donewhen ~/.cache/donewhen/y",
    "inside": "a src/* src/** *.py **.log **/node_modules .gitignore .github/x .gsd/notes.md .env build/.* ? a/../b",
    "temporary": "/tmp/x /tmp/* /tmp/a/../b /var/tmp/x /dev/null /dev/fd/3",
    "device": "/dev/sda /dev/mem",
    "outside": "/tmp /etc/x ~/x ~/* ~/wt/* ../y ../feature-xy /tmpx ~/Documents/… /etc/… ~/.config/x",
    "unknown": "… …/x /… ~/… ~/wt/… ~/wt/feature-x… .?/x .*/x",
    "inside_maybe": "build/… src/…/x /tmp/… .… x…",
}


@table_test(("where", "text"), [(where, one) for where, row in PLACES.items() for one in row.split()])
def test_a_path_lies_in_one_place(where: str, text: str) -> None:
    assert place(marked(text), GROUND) == where


def test_every_place_has_its_gravity_and_what_lies_outside_is_graver_than_what_may() -> None:
    assert set(PLACES) == set(GRAVITY)
    assert GRAVITY["outside"] > GRAVITY["unknown"] > GRAVITY["inside_maybe"] > GRAVITY["temporary"]
    assert max(GRAVITY, key=GRAVITY.__getitem__) == "root"


@pytest.fixture
def real(disk_path: Path) -> Ground:
    """A workspace on disk that is reached by a link, with links in it."""
    outside, workspace = disk_path / "outside", disk_path / "real"
    (workspace / ".git").mkdir(parents=True)
    (workspace / "src").mkdir()
    outside.mkdir()
    (workspace / "away").symlink_to(outside)
    (workspace / "hooks").symlink_to(workspace / ".git")
    (workspace / "code").symlink_to(workspace / "src")
    (disk_path / "work").symlink_to(workspace)
    root = str(disk_path / "work")
    return Ground(root, root, str(disk_path / "home"), writable=("/dev/null",), disk=RealDisk())


@pytest.mark.parametrize(
    ("name", "where"),
    [
        ("src/a", "inside"),
        ("code/a", "inside"),
        ("away", "outside"),
        ("away/a", "outside"),
        (f"away/{STAR}", "outside"),
        ("hooks/pre-commit", "git"),
        (f"src/{HOLE}", "inside_maybe"),
    ],
)
def test_links_count_where_they_lead(real: Ground, name: str, where: str) -> None:
    assert place(f"{real.workspace}/{name}", real) == where


def test_what_acts_on_a_link_itself_does_not_follow_it(real: Ground) -> None:
    assert place(f"{real.workspace}/away", real, follow=False) == "inside"
    assert place(f"{real.workspace}/away/a", real, follow=False) == "outside"


_NAMES = st.lists(
    st.sampled_from(["a", "..", ".", ".git", ".donewhen", STAR, ANY, BELOW, HOLE, "x" + STAR]), max_size=6
)


@given(st.lists(st.sampled_from(["a", "..", ".", ".git", "b c", STAR]), max_size=8))
def test_nothing_that_leads_out_is_harmless(names: list[str]) -> None:
    written = f"{GROUND.workspace}/{'/'.join(names)}"
    below = posixpath.normpath(written).startswith(f"{GROUND.workspace}/")
    assert below or place(absolute(written, "/"), GROUND) not in HARMLESS


@given(_NAMES)
def test_a_place_is_always_one_of_the_known(names: list[str]) -> None:
    assert place("/" + "/".join(names), GROUND) in GRAVITY
