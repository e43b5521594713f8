"""The git tools on a real repository, run by real git behind the walls that this machine has."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from donewhen.core.paths import Exempt
from donewhen.secrets.redact import Redactor
from donewhen.tools.describing import validated
from donewhen.tools.git import git_tools
from donewhen.tools.model import Shell, ToolContext, ToolResult
from donewhen.tools.registry import Toolbox
from donewhen.workspace.git.repository import find_repository
from donewhen.workspace.processes.background import Background
from donewhen.workspace.processes.command import Command
from donewhen.workspace.sandbox.confinement import confine
from donewhen.workspace.sandbox.plan import plan
from donewhen.workspace.sandbox.support import probe
from tests.tables import table_test
from tests.workspace.git_ground import Ground

pytestmark = pytest.mark.walls

TOOLS = Toolbox(git_tools())
KEY = "ghp_" + "a9B3xK7mQ2wE5rT8yU1iO4pL6sD0fG3hJ5kZ"  # put together: no scanner takes this file for a leak


class Bench:
    def __init__(self, base: Path) -> None:
        self.ground = Ground(base)
        self.root = self.ground.root
        env = {
            **self.ground.env,
            **{f"GIT_{who}_NAME": "Ann" for who in ("AUTHOR", "COMMITTER")},
            **{f"GIT_{who}_EMAIL": "ann@example.org" for who in ("AUTHOR", "COMMITTER")},
        }
        self.outputs = base / "outputs"
        walls = plan(confine(self.root, base / "scratch", self.ground.env), probe())
        self.confined = walls.confined

        def make(text: str, folder: Path, timeout: float | None) -> Command:
            return Command(
                folder, self.outputs, text=text, env={**env, **walls.env}, timeout=timeout, plan=walls
            )

        self.context = ToolContext(
            self.root,
            find_repository(self.root, self.ground.env),
            env,
            "en",
            Exempt().match,
            lambda path: path.rpartition("/")[2].startswith(".env"),
            Redactor().text,
            Shell(Background(lambda handle, finished: None), make, 10.0, lambda: 600.0),
        )

    def __call__(self, name: str, **args: Any) -> ToolResult:
        tool = TOOLS.get(f"git_{name}")
        assert tool is not None
        valid = validated(tool, args)
        assert not isinstance(valid, str), valid

        async def call() -> ToolResult:
            async with Background(lambda handle, finished: None) as background:
                shell = self.context.shell._replace(background=background)
                return await tool.execute(valid, self.context._replace(shell=shell))

        return asyncio.run(call())

    def write(self, path: str, text: str | bytes = "text\n") -> Path:
        return self.ground.write(path, text)

    def git(self, *words: str, **more: Any) -> str:
        return self.ground.git(*words, **more)

    @property
    def head(self) -> str:
        return self.git("rev-parse", "HEAD")


@pytest.fixture
def bench(disk_path: Path) -> Bench:
    return Bench(disk_path)


def conflict(bench: Bench) -> None:
    """A merge that stops with src/app.py in conflict."""
    bench.git("checkout", "-q", "-b", "other")
    bench.write("src/app.py", "answer = 1\n")
    bench.ground.commit("one")
    bench.git("checkout", "-q", "main")
    bench.write("src/app.py", "answer = 2\n")
    bench.ground.commit("two")
    bench.git("merge", "other", ok=False)


def test_there_are_seven_and_three_of_them_write():
    assert {tool.name: tool.writes for tool in TOOLS} == {
        "git_status": False,
        "git_diff": False,
        "git_log": False,
        "git_show": False,
        "git_commit": True,
        "git_push": True,
        "git_worktree_create": True,
    }


def test_status_names_the_branch_and_what_differs(bench):
    assert bench("status").output == "## main\n[nothing differs from the last commit]"
    bench.write("src/app.py", "answer = 42\n")
    bench.write("new file\n", "x")
    result = bench("status")
    assert result.ok
    assert result.output.splitlines() == ["## main", " M src/app.py", '?? "new file\\n"']
    assert bench("status", path="src").output.splitlines() == ["## main", " M src/app.py"]


def test_diff_shows_files_index_and_commits(bench):
    assert "no difference" in bench("diff").output
    bench.write("src/app.py", "answer = 42\n")
    assert "+answer = 42" in bench("diff").output
    assert "nothing is staged" in bench("diff", staged=True).output
    bench.git("add", "-A")
    assert "+answer = 42" in bench("diff", staged=True).output
    bench.git("commit", "-qm", "more", GIT_AUTHOR_NAME="Ann")
    assert "+answer = 42" in bench("diff", ref="HEAD~1..HEAD").output
    assert "+answer" not in bench("diff", ref="HEAD~1", path="README.md").output


def test_log_is_one_line_for_each_commit_newest_first(bench):
    bench.write("new.txt")
    bench.ground.commit("second\n\nwith a body")
    lines = bench("log").output.splitlines()
    assert [line.partition(": ")[2].partition(" (")[0] for line in lines] == ["second", "more"]
    assert len(bench("log", limit=1).output.splitlines()) == 1
    assert "more" in bench("log", path="src/app.py").output
    assert bench("log", path="nowhere").output == "[no commit touches that]"


def test_show_gives_a_commit_or_a_file_of_one(bench):
    bench.write("src/app.py", "answer = 42\n")
    bench.ground.commit("wiser")
    shown = bench("show").output
    assert f"commit {bench.head}" in shown
    assert "    wiser" in shown
    assert "+answer = 42" in shown
    assert bench("show", ref="HEAD~1:src/app.py").output == "answer = 41"
    assert "+answer" not in bench("show", path="README.md").output


@table_test(
    ("tool", "args", "error_class"),
    [
        ("diff", {"ref": "--output=stolen"}, "bad_arguments"),
        ("diff", {"ref": "HEAD:src/app.py"}, "bad_arguments"),
        ("diff", {"ref": "a b"}, "bad_arguments"),
        ("diff", {"ref": "nowhere"}, "not_found"),
        ("diff", {"ref": "nowhere...HEAD"}, "not_found"),
        ("diff", {"path": "../other"}, "bad_arguments"),
        ("diff", {"path": ".git/config"}, "bad_arguments"),
        ("log", {"ref": "nowhere"}, "not_found"),
        ("log", {"ref": "-1"}, "bad_arguments"),
        ("log", {"path": "/etc"}, "bad_arguments"),
        ("show", {"ref": "--all"}, "bad_arguments"),
        ("show", {"ref": "HEAD~7"}, "not_found"),
        ("show", {"ref": "HEAD^@"}, "not_found"),
        ("show", {"ref": "HEAD:nowhere"}, "not_found"),
        ("show", {"ref": "HEAD..HEAD"}, "not_found"),
        ("status", {"path": "../.."}, "bad_arguments"),
    ],
)
def test_what_can_not_be_looked_at_is_said(bench, tool, args, error_class):
    result = bench(tool, **args)
    assert not result.ok
    assert result.error_class == error_class
    assert result.error
    assert not (bench.root / "stolen").exists()


def test_a_credential_is_left_out_of_what_is_shown_and_that_is_said(bench):
    bench.write(".env", "PASSWORD=first\n")
    bench.ground.commit()
    bench.write(".env", "PASSWORD=hunter2\n")
    bench.write("src/app.py", "answer = 42\n")
    diff = bench("diff").output
    assert "hunter2" not in diff
    assert "+answer = 42" in diff
    assert "1 files left out" in diff
    assert ".env" in diff
    bench.ground.commit()
    bench.git("tag", "-a", "v1", "-m", "hunted")
    for ref in ("HEAD", "v1", bench.head):
        shown = bench("show", ref=ref).output
        assert "hunter2" not in shown
        assert "+answer = 42" in shown
    for ref in ("HEAD:.env", "HEAD:./.env", ":0:.env", ":.env"):
        assert bench("show", ref=ref).error_class == "denied"
    blob = bench.git("rev-parse", "HEAD:.env")
    assert "hunter2" not in bench("show", ref=blob).output
    assert "hunter2" not in bench("diff", ref="HEAD~1").output


def test_secrets_and_control_characters_are_taken_out(bench):
    bench.write("src/app.py", f"token = '{KEY}'\x1b[2J\n")
    output = bench("diff").output
    assert "+token" in output
    assert KEY not in output
    assert "\x1b" not in output


def test_a_large_difference_is_cut_in_the_middle(bench):
    bench.write("src/app.py", "".join(f"line {number}\n" for number in range(40_000)))
    output = bench("diff").output
    assert len(output.encode()) <= 64 * 1024
    assert "+line 0\n" in output
    assert "+line 39999" in output


def test_nothing_of_what_was_printed_stays_on_disk(bench):
    bench.write("src/app.py", "answer = 42\n")
    bench("diff")
    bench("commit", message="x")
    assert list(bench.outputs.iterdir()) == []


def test_commit_takes_all_changes_and_says_its_id(bench):
    bench.write("src/app.py", "answer = 42\n")
    bench.write("new.txt")
    (bench.root / "README.md").unlink()
    result = bench("commit", message="Wiser\n\n# not a comment\n")
    assert result.ok, result.error
    assert result.metadata == {"commit": bench.head}
    assert bench.head in result.output
    assert bench.git("status", "--short") == ""
    assert (
        bench.git("log", "-1", "--format=%an <%ae>%n%B") == "Ann <ann@example.org>\nWiser\n\n# not a comment"
    )


def test_commit_of_paths_leaves_the_rest(bench):
    bench.write("src/app.py", "answer = 42\n")
    bench.write("-odd *.txt")
    bench.write("other.txt")
    bench.write("staged.txt")
    bench.git("add", "staged.txt")
    (bench.root / "README.md").unlink()
    assert bench("commit", message="x", paths=["-odd *.txt", "README.md"]).ok
    assert bench.git("show", "--name-only", "--format=").splitlines() == ["-odd *.txt", "README.md"]
    left = sorted(line.strip() for line in bench.git("status", "--short").splitlines())
    assert left == ["?? other.txt", "A  staged.txt", "M src/app.py"]


@pytest.mark.parametrize(
    ("args", "error_class", "said"),
    [
        ({"message": " \n"}, "bad_arguments", "needs a message"),
        ({"message": "x"}, "refused", "nothing to commit"),
        ({"message": "x", "paths": ["nowhere.py"]}, "not_found", "nowhere.py"),
        ({"message": "x", "paths": ["../x"]}, "bad_arguments", "../x"),
        ({"message": "x", "paths": [".git/config"]}, "bad_arguments", ".git"),
        ({"message": "x", "paths": ["a.log"]}, "refused", ".gitignore"),
        ({"message": "x", "paths": ["README.md"]}, "refused", "nothing to commit"),
    ],
)
def test_what_can_not_be_committed_is_said(bench, args, error_class, said):
    bench.write("a.log")
    before = bench.head
    result = bench("commit", **args)
    assert (result.ok, result.error_class) == (False, error_class), result.error
    assert said in result.error
    assert bench.head == before


def test_files_in_conflict_are_not_committed_until_they_are_resolved(bench):
    conflict(bench)
    refused = bench("commit", message="x")
    assert refused.error_class == "refused"
    assert "src/app.py" in refused.error
    bench.write("src/app.py", "answer = 3\n")
    bench.git("add", "src/app.py")
    assert "leave out `paths`" in bench("commit", message="x", paths=["src/app.py"]).error
    assert bench("commit", message="merged").ok
    assert bench.git("log", "-1", "--format=%P").count(" ") == 1


def test_a_lock_that_somebody_left_is_told(bench):
    bench.write("src/app.py", "answer = 42\n")
    (bench.root / ".git/index.lock").touch()
    assert "left its lock" in bench("commit", message="x").error


def test_no_hook_editor_or_signer_of_the_repository_runs(bench):
    mark = bench.root / "mark.log"
    for name in ("pre-commit", "commit-msg", "post-commit", "reference-transaction", "post-index-change"):
        hook = bench.write(f".git/hooks/{name}", f"#!/bin/sh\ntouch '{mark}'\n")
        hook.chmod(0o755)
    program = bench.write(".git/evil", f"#!/bin/sh\ntouch '{mark}'\ncat\n")
    program.chmod(0o755)
    settings = {
        "core.hooksPath": str(bench.root / ".git/hooks"),
        "core.editor": str(program),
        "core.pager": str(program),
        "core.fsmonitor": str(program),
        "commit.gpgSign": "true",
        "gpg.program": str(program),
        "log.showSignature": "true",
        "format.pretty": "%G?",
        "diff.external": str(program),
        "diff.evil.command": str(program),
        "diff.evil.textconv": str(program),
    }
    for name, value in settings.items():
        bench.git("config", name, value)
    bench.write(".gitattributes", "*.py diff=evil\n")
    bench.write("src/app.py", "answer = 42\n")
    mark.unlink(missing_ok=True)
    results = [bench("status"), bench("diff"), bench("commit", message="x"), bench("log"), bench("show")]
    assert [result.error for result in results if not result.ok] == []
    assert not mark.exists()


def test_a_filter_of_the_repository_stays_behind_the_walls(bench):
    if not bench.confined:
        pytest.skip("no walls on this machine")
    program = bench.ground.program()
    bench.write(".git/filter", program.read_bytes()).chmod(0o755)
    bench.git("config", "filter.evil.clean", str(bench.root / ".git/filter"))
    bench.write(".gitattributes", "*.py filter=evil\n")
    bench.write("src/app.py", "answer = 42\n")
    results = [bench("status"), bench("diff"), bench("commit", message="x")]
    assert [result.error for result in results if not result.ok] == []
    assert not bench.ground.marker.exists()


def test_push_says_what_happens_instead(bench):
    bench.git("remote", "add", "origin", str(bench.ground.base / "elsewhere"))
    result = bench("push", remote="origin", branch="main", force=True)
    assert (result.ok, result.error_class) == (False, "refused")
    assert "`complete`" in result.error
    assert "the run's branch" in result.error


def test_a_second_working_tree_is_no_part_of_the_first(bench):
    bench.write("src/app.py", "answer = 42\n")
    bench.ground.commit()
    before = bench.ground.fingerprints().take()
    result = bench("worktree_create", path=".scratch/before", ref="HEAD~1")
    assert result.ok, result.error
    assert (bench.root / ".scratch/before/src/app.py").read_text() == "answer = 41\n"
    assert bench.git("status", "--short") == ""
    assert bench.ground.fingerprints().take() == before
    assert bench("worktree_create", path=".scratch/before").error_class == "exists"
    assert bench("worktree_create", path=".scratch/again").ok


@pytest.mark.parametrize(
    ("args", "error_class"),
    [
        ({"path": "src/tree"}, "refused"),
        ({"path": ".scratch"}, "refused"),
        ({"path": "../tree"}, "bad_arguments"),
        ({"path": ".git/tree"}, "bad_arguments"),
        ({"path": ".scratch/tree", "ref": "nowhere"}, "not_found"),
        ({"path": ".scratch/tree", "ref": "-b"}, "bad_arguments"),
        ({"path": "out/tree.tmp"}, "refused"),
    ],
)
def test_a_second_working_tree_has_its_place(bench, args, error_class):
    result = bench("worktree_create", **args)
    assert (result.ok, result.error_class) == (False, error_class), result.error
    assert bench.git("worktree", "list").count("\n") == 0


def test_a_link_leads_no_working_tree_outside(bench):
    outside = bench.ground.base / "outside"
    outside.mkdir()
    (bench.root / ".scratch").symlink_to(outside)
    assert not bench("worktree_create", path=".scratch/tree").ok
    assert list(outside.iterdir()) == []
