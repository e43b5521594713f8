"""Writing, editing, deleting, moving: whole or not at all, and every change is said once."""

import asyncio
import hashlib
import os
import stat

import pytest

from donewhen.core.events.facts import FileChanged
from donewhen.tools.files.moving import MOST_FACTS
from tests.tools.files.bench import Bench, names


def sha(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def test_a_new_file_is_made_with_its_folders(bench: Bench):
    result = bench("write_file", path="new/deep/f.txt", content="hé\n")
    assert (bench.root / "new/deep/f.txt").read_bytes() == "hé\n".encode()
    assert result.facts == (FileChanged("new/deep/f.txt", "write", sha("hé\n".encode())),)
    assert names(bench.root / "new/deep") == ["f.txt"]


def test_writing_what_is_there_is_no_change(bench: Bench):
    before = (bench.root / "src/app.py").stat().st_ino
    result = bench("write_file", path="src/app.py", content="answer = 41\n")
    assert (result.ok, result.facts, result.metadata["changed"]) == (True, (), False)
    assert (bench.root / "src/app.py").stat().st_ino == before


def test_mode_line_ends_and_byte_order_mark_are_kept(bench: Bench):
    file = bench.write("run.sh", b"\xef\xbb\xbfone\r\ntwo\r\n")
    file.chmod(0o755)
    assert bench("write_file", path="run.sh", content="three\nfour\n").ok
    assert file.read_bytes() == b"\xef\xbb\xbfthree\r\nfour\r\n"
    assert stat.S_IMODE(file.stat().st_mode) == 0o755
    assert bench("edit_file", path="run.sh", edits=[{"old": "three\nfour", "new": "3\n4"}]).ok
    assert file.read_bytes() == b"\xef\xbb\xbf3\r\n4\r\n"
    assert stat.S_IMODE(file.stat().st_mode) == 0o755


def test_bytes_that_are_no_text_survive_an_edit(bench: Bench):
    file = bench.write("latin", b"caf\xe9\nname = 1\nmixed\r\n")
    assert bench("edit_file", path="latin", edits=[{"old": "name = 1", "new": "name = 2"}]).ok
    assert file.read_bytes() == b"caf\xe9\nname = 2\nmixed\r\n"


@pytest.mark.parametrize(
    ("tool", "args", "words"),
    [
        ("write_file", {"path": "bin", "content": "x"}, "binary"),
        ("write_file", {"path": "f", "content": "a\0b"}, "binary"),
        ("write_file", {"path": "src", "content": "x"}, "is a folder"),
        ("write_file", {"path": "README.md/x", "content": "x"}, "no folder"),
        ("write_file", {"path": ".", "content": "x"}, "root itself"),
        ("write_file", {"path": "pipe", "content": "x"}, "pipe"),
        ("write_file", {"path": "f", "content": "x" * (10 * 1024 * 1024 + 1)}, "at most 10 MB"),
        ("edit_file", {"path": "bin", "edits": [{"old": "a", "new": "b"}]}, "binary"),
        ("edit_file", {"path": "none", "edits": [{"old": "a", "new": "b"}]}, "there is no"),
        ("edit_file", {"path": "src/app.py", "edits": [{"old": "41", "new": "\0"}]}, "binary"),
        ("delete_file", {"path": "none"}, "there is no"),
        ("delete_file", {"path": "."}, "root itself"),
        ("move_file", {"source": "none", "target": "x"}, "there is no"),
        ("move_file", {"source": "src", "target": "src/deep/er"}, "inside it"),
        ("move_file", {"source": "src", "target": "src"}, "same place"),
        ("move_file", {"source": "src/app.py", "target": "README.md"}, "exists already"),
        ("move_file", {"source": "README.md", "target": "src"}, "`src/README.md`"),
    ],
)
def test_what_cannot_be_changed_is_said_and_nothing_is(bench: Bench, tool, args, words):
    bench.write("bin", b"a\0b")
    os.mkfifo(bench.root / "pipe")
    files = sorted(names(bench.root))
    result = bench(tool, **args)
    assert not result.ok and words in result.error
    assert result.facts == ()
    assert sorted(names(bench.root)) == files
    assert (bench.root / "src/app.py").read_text() == "answer = 41\n"


def test_edits_are_all_made_or_none(bench: Bench):
    bad = [{"old": "41", "new": "42"}, {"old": "no such text anywhere", "new": "x"}]
    result = bench("edit_file", path="src/app.py", edits=bad)
    assert "edit 2 of 2" in result.error
    assert (bench.root / "src/app.py").read_text() == "answer = 41\n"
    good = [{"old": "41", "new": "42"}, {"old": "answer = 42", "new": "answer = 43"}]
    done = bench("edit_file", path="src/app.py", edits=good)
    assert (bench.root / "src/app.py").read_text() == "answer = 43\n"
    assert done.facts == (FileChanged("src/app.py", "edit", sha(b"answer = 43\n")),)


def test_edits_that_cancel_out_are_no_change(bench: Bench):
    there_and_back = [{"old": "41", "new": "42"}, {"old": "42", "new": "41"}]
    result = bench("edit_file", path="src/app.py", edits=there_and_back)
    assert (result.ok, result.facts) == (True, ())


def test_a_folder_is_deleted_with_a_fact_for_each_file(bench: Bench):
    bench.write("d/a", "1")
    bench.write("d/e/-b \n", "2")
    (bench.root / "d/out").symlink_to(bench.outside)
    (bench.outside / "kept").write_text("x")
    result = bench("delete_file", path="d")
    assert {fact.path for fact in result.facts} == {"d/a", "d/e/-b \n", "d/out"}
    assert {fact.change for fact in result.facts} == {"delete"}
    assert not (bench.root / "d").exists()
    assert (bench.outside / "kept").exists()


def test_a_read_only_folder_is_deleted_too(bench: Bench):
    bench.write("d/e/f", "x")
    (bench.root / "d/e").chmod(0o555)
    assert bench("delete_file", path="d").ok
    assert not (bench.root / "d").exists()


def test_a_very_deep_folder_is_told_and_left_whole(bench: Bench):
    here = os.open(bench.root, os.O_RDONLY)
    for _ in range(300):
        os.mkdir("deep", dir_fd=here)
        here, old = os.open("deep", os.O_RDONLY, dir_fd=here), here
        os.close(old)
    os.close(here)
    result = bench("delete_file", path="deep")
    assert "run_command" in result.error
    assert (bench.root / "deep/deep").exists()


def test_many_facts_are_cut_and_that_is_said(bench: Bench):
    for n in range(MOST_FACTS + 5):
        bench.write(f"d/{n}", "")
    result = bench("move_file", source="d", target="e")
    assert len(result.facts) == MOST_FACTS
    assert result.metadata["facts_left_out"] == 5
    assert "5 more are not" in result.output
    assert len(names(bench.root / "e")) == MOST_FACTS + 5


def test_a_move_says_where_each_file_came_from(bench: Bench):
    bench.write("d/a.txt", "1")
    result = bench("move_file", source="d", target="x/y")
    assert result.facts == (FileChanged("x/y/a.txt", "move", sha(b"1"), origin="d/a.txt"),)
    assert (bench.root / "x/y/a.txt").read_text() == "1"


@pytest.mark.parametrize("tool", ["delete_file", "move_file"])
def test_a_folder_with_a_repository_of_its_own_is_left_alone(bench: Bench, tool):
    bench.ground.git("init", "-q", str(bench.root / "lib/inner"))
    args = {"path": "lib"} if tool == "delete_file" else {"source": "lib", "target": "other"}
    result = bench(tool, **args)
    assert "repository of its own" in result.error
    assert (bench.root / "lib/inner/.git/HEAD").exists()


def test_concurrent_edits_of_a_file_leave_one_of_the_results(bench: Bench):
    async def both():
        return await asyncio.gather(
            *(bench.acall("write_file", path="f", content=f"{n}" * 50_000) for n in range(8))
        )

    assert all(result.ok for result in asyncio.run(both()))
    assert len(set((bench.root / "f").read_text())) == 1
    assert [name for name in names(bench.root) if name.endswith(".tmp")] == []
