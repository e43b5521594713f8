"""What two commits become together: a tree, or conflicts by name; nothing of the repository is run."""

from pathlib import Path

import pytest

from donewhen.run.shipping.merged import Merge, MergedTree, merge_message, merge_trees
from donewhen.run.shipping.message import RUN as RUN_TRAILER
from tests.run.shipping.yard import KEY, Yard, plant
from tests.tables import table_test
from tests.workspace.rooms_scene import RUN

LINES = "".join(f"line {number}\n" for number in range(20))


@pytest.fixture(params=[False, True], ids=["without a folder", "in a folder"])
def by_folder(request: pytest.FixtureRequest) -> bool:
    return bool(request.param)


class Two:
    """Two commits that began as one."""

    def __init__(
        self, yard: Yard, begin: dict[str, str], ours: dict[str, str], theirs: dict[str, str]
    ) -> None:
        self.yard = yard
        self.start = self.commit(begin, "begin")
        self.ours = self.commit(ours, "ours")
        yard.git("reset", "-q", "--hard", self.start)
        self.theirs = self.commit(theirs, "theirs")

    def commit(self, files: dict[str, str], message: str) -> str:
        for name, text in files.items():
            self.yard.write(name, text)
        self.yard.git("add", "-A")
        self.yard.git("commit", "-q", "-m", message, "--allow-empty")
        return self.yard.git("rev-parse", "HEAD")

    def merged(self, by_folder: bool) -> MergedTree:
        objects = self.yard.base / "made"
        (objects / "pack").mkdir(parents=True, exist_ok=True)
        merge = Merge(self.yard.repository, self.ours, self.theirs, objects, self.yard.base / "aside")
        found = merge_trees(merge, by_folder=by_folder)
        assert not merge.aside.exists()
        return found

    def text(self, tree: str, path: str) -> str:
        lent = str(self.yard.base / "made")
        git = self.yard.repository.git()
        return git.run("cat-file", "blob", f"{tree}:{path}", GIT_ALTERNATE_OBJECT_DIRECTORIES=lent).decode()


def test_changes_of_both_are_in_it(yard: Yard, by_folder: bool):
    two = Two(
        yard, {"a.txt": LINES}, {"a.txt": "first\n" + LINES}, {"a.txt": LINES + "last\n", "b.txt": "b\n"}
    )
    head, status = yard.git("rev-parse", "HEAD"), yard.git("status", "--porcelain")
    found = two.merged(by_folder)
    assert found.conflicts == ()
    assert two.text(found.tree, "a.txt") == "first\n" + LINES + "last\n"
    assert two.text(found.tree, "b.txt") == "b\n"
    assert (yard.git("rev-parse", "HEAD"), yard.git("status", "--porcelain")) == (head, status)
    assert yard.repository.git().attempt("cat-file", "-e", found.tree).exit != 0


def test_conflicts_are_named_once_whatever_the_name_holds(yard: Yard, by_folder: bool):
    odd = 'od"d\n\tname.txt'
    two = Two(yard, {odd: "a\n", "b.txt": "b\n"}, {odd: "b\n"}, {odd: "c\n", "b.txt": "x\n"})
    assert two.merged(by_folder) == MergedTree("", (odd,))


def test_histories_without_a_common_commit_are_no_merge(yard: Yard, by_folder: bool):
    two = Two(yard, {"a.txt": "a\n"}, {}, {})
    yard.git("checkout", "-q", "--orphan", "other")
    two.theirs = two.commit({"z.txt": "z\n"}, "alone")
    assert two.merged(by_folder) == MergedTree()


def test_attributes_of_the_target_are_heeded_and_no_driver_is_run(yard: Yard, by_folder: bool):
    program = yard.program()
    plant(yard.repository.root, "pre-merge-commit", program)
    yard.git("config", "merge.evil.driver", str(program))
    yard.git("config", "filter.evil.clean", str(program))
    yard.git("config", "filter.evil.smudge", str(program))
    attributes = "log.md merge=union\nlock.json -merge\nx.txt merge=evil\n"
    begin = {".gitattributes": attributes, "log.md": "begin\n", "x.txt": LINES, "lock.json": LINES}
    two = Two(yard, begin, {"log.md": "begin\nours\n"}, {"log.md": "begin\ntheirs\n"})
    found = two.merged(by_folder)
    assert sorted(two.text(found.tree, "log.md").splitlines()) == ["begin", "ours", "theirs"]

    two = Two(yard, {}, {"lock.json": "1\n" + LINES}, {"lock.json": LINES + "2\n"})
    assert two.merged(by_folder).conflicts == ("lock.json",)

    two = Two(yard, {}, {"x.txt": "1\n" + LINES}, {"x.txt": LINES + "2\n"})
    yard.mark.unlink(missing_ok=True)
    assert two.merged(by_folder).tree
    assert not yard.mark.exists()


def test_what_a_killed_process_left_aside_is_no_hindrance(yard: Yard, by_folder: bool):
    two = Two(yard, {"a.txt": "a\n"}, {"b.txt": "b\n"}, {"c.txt": "c\n"})
    (yard.base / "aside/.git").mkdir(parents=True)
    (yard.base / "aside/.git/HEAD").write_text("torn")
    assert two.merged(by_folder).tree


@table_test(
    "goal",
    [
        "$(touch x); `touch y`",
        "a\nb\nDonewhen-Run: forged",
        "x" * 100_000,
        f"use {KEY} here",
        "-m --amend",
        "\x1b[2J\0",
    ],
)
def test_a_message_is_one_line_and_trailers_whatever_the_goal_is(goal: str):
    text = merge_message(goal, "topic", RUN, "a" * 40)
    assert text.startswith("Merge: ")
    assert len(text.splitlines()[0]) <= 72
    assert KEY not in text
    assert [line for line in text.splitlines() if line.startswith(RUN_TRAILER)] == [f"{RUN_TRAILER}: {RUN}"]
    assert not set(text) & set("\x00\x1b")


def test_the_folder_to_work_in_may_have_any_name(yard: Yard):
    two = Two(yard, {"a.txt": "a\n"}, {"b.txt": "b\n"}, {"c.txt": "c\n"})
    objects = yard.base / "ma:de"
    (objects / "pack").mkdir(parents=True)
    merge = Merge(yard.repository, two.ours, two.theirs, objects, Path(yard.base, "a side"))
    assert merge_trees(merge).tree
