"""No path, link or race leads a file tool out of the workspace or into a git directory."""

import os
import threading
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from donewhen.core.errors import AgentError, SetupError
from donewhen.tools.inside import inside, is_git, resolved
from tests.tables import table_test
from tests.tools.files.bench import Bench, names

EVERY = [
    ("read_file", {"path": "{}"}),
    ("write_file", {"path": "{}", "content": "planted\n"}),
    ("edit_file", {"path": "{}", "edits": [{"old": "secret", "new": "planted"}]}),
    ("delete_file", {"path": "{}"}),
    ("move_file", {"source": "{}", "target": "taken"}),
    ("move_file", {"source": "README.md", "target": "{}"}),
    ("list_dir", {"path": "{}"}),
    ("glob", {"pattern": "*", "path": "{}"}),
    ("grep", {"pattern": "secret", "path": "{}"}),
    ("file_info", {"path": "{}"}),
]


def filled(args: dict, path: str) -> dict:
    return {name: path if value == "{}" else value for name, value in args.items()}


LEAVING = ("../outside/f", "/etc/passwd", "~/x", "a\0b", "src/../../outside/f", "/", "..")
GIT = (".git/config", ".GIT/config", "sub/.git/HEAD", ".git", ".g\u200cit/config")


@table_test(("tool", "args"), EVERY)
def test_a_path_that_leaves_is_refused_by_every_tool(bench: Bench, tool, args):
    (bench.outside / "f").write_text("secret\n")
    before = bench.seen()
    for path in LEAVING:
        result = bench(tool, **filled(args, path))
        assert not result.ok and result.error, path
    assert (bench.outside / "f").read_text() == "secret\n"
    assert bench.seen() == before


@pytest.mark.parametrize(("tool", "args"), EVERY)
def test_no_tool_follows_a_link_to_the_outside(bench: Bench, tool, args):
    (bench.outside / "f").write_text("secret\n")
    (bench.root / "out").symlink_to(bench.outside)
    for path in ("out/f", "out"):
        result = bench(tool, **filled(args, path))
        assert "secret\n" not in result.output
        assert (bench.outside / "f").read_text() == "secret\n"
        assert sorted(names(bench.outside)) == ["f"]
        itself = path == "out" and (tool in ("delete_file", "file_info") or args.get("source") == "{}")
        assert result.ok is itself, result  # the link itself may be told of, deleted and moved


@table_test(("tool", "args"), EVERY)
def test_a_git_directory_is_closed_to_every_tool(bench: Bench, tool, args):
    config = (bench.root / ".git/config").read_bytes()
    for path in GIT:
        result = bench(tool, **filled(args, path))
        assert not result.ok
        assert "git directory" in result.error
    assert (bench.root / ".git/config").read_bytes() == config


def test_a_link_into_the_git_directory_is_no_way_in(bench: Bench):
    (bench.root / "door").symlink_to(".git/config")
    assert "git directory" in bench("read_file", path="door").error
    (bench.root / "folder").symlink_to(".git")
    assert "git directory" in bench("read_file", path="folder/config").error
    assert not bench("write_file", path="folder/config", content="x").ok


def test_an_absolute_path_inside_is_taken(bench: Bench):
    assert "answer" in bench("read_file", path=str(bench.root / "src/app.py")).output
    assert not bench("read_file", path=f"{bench.root}x/src/app.py").ok


def test_reading_follows_links_that_stay_inside(bench: Bench):
    (bench.root / "link.py").symlink_to("src/app.py")
    (bench.root / "code").symlink_to(bench.root / "src")
    for path in ("link.py", "code/app.py"):
        result = bench("read_file", path=path)
        assert "answer = 41" in result.output
        assert result.metadata["path"] == "src/app.py"


def test_a_link_to_a_credential_is_the_credential(bench: Bench):
    bench.write(".env", "KEY=hidden\n")
    (bench.root / "notes.txt").symlink_to(".env")
    result = bench("read_file", path="notes.txt")
    assert "credential" in result.error
    assert "hidden" not in result.output + result.error


def test_links_in_a_circle_end(bench: Bench):
    (bench.root / "a").symlink_to("b")
    (bench.root / "b").symlink_to("a")
    assert not bench("read_file", path="a").ok
    assert not bench("write_file", path="a/x", content="x").ok


@pytest.mark.parametrize(
    ("tool", "args"),
    [
        ("write_file", {"content": "new\n"}),
        ("edit_file", {"edits": [{"old": "41", "new": "42"}]}),
    ],
)
@pytest.mark.parametrize("path", ["link.py", "code/app.py"])
def test_nothing_is_changed_through_a_link_and_the_real_path_is_named(bench: Bench, tool, args, path):
    (bench.root / "link.py").symlink_to("src/app.py")
    (bench.root / "code").symlink_to("src")
    before = bench.seen()
    result = bench(tool, path=path, **args)
    assert "`src/app.py`" in result.error
    assert bench.seen() == before


def test_a_folder_that_becomes_a_link_while_one_edits_leads_nowhere(bench: Bench):
    folder, spare = bench.root / "dir", bench.root / "spare"
    bench.write("dir/f.txt", "0")
    (bench.outside / "f.txt").write_text("0")
    done = threading.Event()

    def exchange() -> None:
        while not done.is_set():
            folder.rename(spare)
            folder.symlink_to(bench.outside)
            folder.unlink()
            spare.rename(folder)

    thread = threading.Thread(target=exchange)
    thread.start()
    try:
        turns = ({"old": "0", "new": "1"}, {"old": "1", "new": "0"})
        results = [bench("edit_file", path="dir/f.txt", edits=[turns[n % 2]]) for n in range(100)]
    finally:
        done.set()
        thread.join()
    assert {path.name: path.read_text() for path in bench.outside.iterdir()} == {"f.txt": "0"}
    assert all(result.ok or result.error for result in results)


def test_a_workspace_that_is_gone_is_a_matter_for_the_operator(bench: Bench):
    bench.root.rename(bench.outside / "away")
    for tool, args in (
        ("read_file", {"path": "a"}),
        ("write_file", {"path": "a", "content": "x"}),
        ("list_dir", {}),
    ):
        with pytest.raises(SetupError):
            bench(tool, **args)


def test_a_hard_link_to_the_outside_is_cut_not_written(bench: Bench):
    (bench.outside / "f").write_text("theirs\n")
    os.link(bench.outside / "f", bench.root / "f")
    assert bench("write_file", path="f", content="ours\n").ok
    assert (bench.outside / "f").read_text() == "theirs\n"


@given(st.text(alphabet="a./~\0 \udcff-\n", max_size=20))
def test_what_is_taken_stays_below_the_root(path):
    root = Path("/nowhere/root")
    try:
        short = inside(path, root)
    except AgentError:
        return
    assert os.path.normpath(root / short).startswith(str(root))
    assert ".." not in short.split("/")
    assert resolved(root, short) == short


@given(st.text(max_size=6))
def test_only_names_like_git_are_git(name):
    assert not is_git(name + "x")
    assert is_git(".GiT")
