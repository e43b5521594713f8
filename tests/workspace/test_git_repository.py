"""A repository is found where its `.git` is, and asked without being trusted."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from donewhen.core.errors import SetupError
from donewhen.workspace.git.repository import find_repository, repository_at
from donewhen.workspace.git.runner import Git
from donewhen.workspace.git.user import user_settings
from tests.tables import table_test
from tests.workspace.git_ground import Ground


@pytest.fixture
def ground(tmp_path: Path) -> Ground:
    return Ground(tmp_path)


def test_it_is_found_from_any_folder_inside(ground: Ground):
    found = find_repository(ground.root / "src", ground.env)
    assert found == ground.find()
    assert (found.root, found.git_dir, found.common) == (
        ground.root,
        ground.root / ".git",
        ground.root / ".git",
    )
    assert (found.format, found.branch, found.busy) == ("sha1", "main", "")
    assert found.head == ground.git("rev-parse", "HEAD")


def test_a_link_to_it_leads_to_the_same(ground: Ground):
    (ground.base / "link").symlink_to(ground.root / "src")
    assert find_repository(ground.base / "link", ground.env) == ground.find()


def test_no_commit_and_no_branch_are_empty(tmp_path: Path):
    empty = Ground(tmp_path / "empty", commit=False)
    assert (empty.find().head, empty.find().branch) == ("", "main")
    ground = Ground(tmp_path / "full")
    ground.git("checkout", "-q", "--detach")
    assert ground.find().branch == ""


def test_a_linked_worktree_knows_both_of_its_directories(ground: Ground):
    ground.git("worktree", "add", "-q", "-b", "side", str(ground.base / "side"))
    found = find_repository(ground.base / "side", ground.env)
    assert (found.root, found.common, found.branch) == (ground.base / "side", ground.root / ".git", "side")
    assert found.objects == ground.root / ".git/objects"


def test_a_git_file_is_followed(ground: Ground):
    (ground.root / ".git").rename(ground.base / "elsewhere")
    (ground.root / ".git").write_text("gitdir: ../elsewhere\n")
    assert find_repository(ground.root, ground.env).git_dir == ground.base / "elsewhere"


@pytest.mark.parametrize("setting", [("core.worktree", "/"), ("core.bare", "true")])
def test_settings_do_not_move_the_working_tree(ground: Ground, setting: tuple[str, str]):
    before = ground.find()
    ground.git("config", *setting)
    assert ground.find() == before
    assert ground.find().commit("HEAD") == before.head


@pytest.mark.parametrize("name", ["GIT_DIR", "GIT_WORK_TREE", "GIT_CEILING_DIRECTORIES", "GIT_COMMON_DIR"])
def test_variables_do_not_move_it_either(ground: Ground, name: str):
    before = ground.find()
    ground.env[name] = "/nowhere"
    assert ground.find()._replace(env=before.env) == before


def test_what_is_no_repository_says_so(tmp_path: Path, ground: Ground):
    plain = tmp_path / "plain"
    plain.mkdir()
    with pytest.raises(SetupError, match="not in a git repository"):
        find_repository(plain, ground.env)
    with pytest.raises(SetupError, match="gone"):
        find_repository(tmp_path / "none", ground.env)


def test_a_git_directory_without_working_tree_says_so(ground: Ground):
    ground.git("clone", "-q", "--bare", ".", str(ground.base / "bare.git"))
    for folder in (ground.base / "bare.git", ground.root / ".git", ground.root / ".git/refs"):
        with pytest.raises(SetupError, match="without a working tree"):
            find_repository(folder, ground.env)


def test_a_repository_that_git_refuses_is_named_with_its_cause(ground: Ground):
    ground.git("config", "core.repositoryformatversion", "1")
    ground.git("config", "extensions.fromTheFuture", "true")
    with pytest.raises(SetupError, match="fromthefuture"):
        ground.find()
    assert repository_at(ground.root, ground.env) is None
    assert repository_at(ground.root / "src", ground.env) is None


def test_a_git_that_is_not_installed_says_so(ground: Ground):
    with pytest.raises(SetupError, match="install git"):
        find_repository(ground.root, {"PATH": "/nowhere"})


def test_names_of_commits(ground: Ground):
    first = ground.git("rev-parse", "HEAD")
    second = ground.commit()
    found = ground.find()
    assert (found.commit("main"), found.commit("HEAD~1"), found.merge_base(first, second)) == (
        second,
        first,
        first,
    )
    assert [found.commit(name) for name in ("", "none", "--all", "HEAD:src", "a\0b")] == [""] * 5
    assert found.upstream() == ""
    ground.git("branch", "-q", "old", first)
    ground.git("branch", "-q", "--set-upstream-to=old")
    assert found.commit(found.upstream()) == first


BUSY = {
    "MERGE_HEAD": "merge",
    "rebase-merge": "rebase",
    "CHERRY_PICK_HEAD": "cherry-pick",
    "REVERT_HEAD": "revert",
    "BISECT_LOG": "bisect",
}


@pytest.mark.parametrize("name", BUSY)
def test_what_is_not_finished_is_known(ground: Ground, name: str):
    (ground.root / ".git" / name).write_text("x\n")
    assert ground.find().busy == BUSY[name]


def test_odd_folder_names(tmp_path: Path):
    ground = Ground(tmp_path / os.fsdecode(b"caf\xe9 line\nbreak"))
    assert ground.find().root == ground.root
    assert ground.fingerprints().take().tree == ground.head()


def test_settings_of_the_user_are_read_without_those_of_a_repository(ground: Ground):
    (ground.user / ".gitconfig").write_text(
        '[filter "big.files"]\n\tclean = "tool \\"x\\""\n\trequired\n\tother = no\n'
        "[core]\n\tautocrlf = input\n\teditor = vi\n\tattributesFile = ~/attributes\n"
    )
    (ground.user / ".config/git").mkdir(parents=True)
    (ground.user / ".config/git/ignore").write_text("*.swp\n")
    (ground.user / "attributes").write_text("*.bin -text\n")
    ground.git("config", "filter.planted.clean", "false")
    assert user_settings(ground.env) == (
        (
            ("filter.big.files.clean", 'tool "x"'),
            ("filter.big.files.required", "true"),
            ("core.autocrlf", "input"),
        ),
        b"*.swp\n",
        b"*.bin -text\n",
    )


def test_a_relative_exclude_file_is_none_of_the_users(ground: Ground):
    (ground.user / ".gitconfig").write_text("[core]\n\texcludesFile = rules\n")
    ground.write("rules", "*\n")
    assert user_settings(ground.env).excludes == b""


def test_two_calls_may_go_on_at_once(ground: Ground):
    git = Git(ground.root, ground.env, ground.root / ".git")
    one, other = git.start("rev-parse", "HEAD"), git.start("hash-object", "--stdin")
    assert other.finish(b"x").exit == 0
    assert one.finish().out.decode().strip() == ground.find().head


def test_settings_of_the_user_that_change_are_seen_at_once(ground: Ground):
    file = ground.user / ".gitconfig"
    assert user_settings(ground.env).pairs == ()
    for value in ("input", "false", "true"):
        file.write_text(f"[core]\n\tautocrlf = {value}\n")
        assert user_settings(ground.env).pairs == (("core.autocrlf", value),)
        assert user_settings(ground.env).pairs == (("core.autocrlf", value),)
    file.unlink()
    assert user_settings(ground.env).pairs == ()


def test_settings_that_another_file_brings_in_are_read_every_time(ground: Ground):
    (ground.user / ".gitconfig").write_text("[include]\n\tpath = more\n")
    for value in ("lf", "crlf"):
        (ground.user / "more").write_text(f"[core]\n\teol = {value}\n")
        assert user_settings(ground.env).pairs == (("core.eol", value),)


def test_settings_of_one_user_are_not_those_of_another(tmp_path: Path):
    one, other = Ground(tmp_path / "one"), Ground(tmp_path / "other")
    (one.user / ".gitconfig").write_text("[core]\n\teol = lf\n")
    for _ in range(2):
        assert user_settings(one.env).pairs == (("core.eol", "lf"),)
        assert user_settings(other.env).pairs == ()


def a_tag_of_the_same_name(ground: Ground) -> None:
    ground.git("tag", "main")


def a_branch_called_head(ground: Ground) -> None:
    ground.git("update-ref", "refs/heads/HEAD", "HEAD")


def a_branch_that_is_another(ground: Ground) -> None:
    ground.git("branch", "other")
    ground.git("symbolic-ref", "refs/heads/alias", "refs/heads/other")
    ground.git("symbolic-ref", "HEAD", "refs/heads/alias")


def packed(ground: Ground) -> None:
    ground.git("pack-refs", "--all")


def detached(ground: Ground) -> None:
    ground.git("checkout", "-q", "--detach")


def elsewhere(ground: Ground) -> None:
    ground.git("update-ref", "refs/odd/place", "HEAD")
    ground.git("symbolic-ref", "HEAD", "refs/odd/place")


def deep(ground: Ground) -> None:
    ground.git("checkout", "-q", "-b", "a/b/ünï")


BRANCHES: dict[Callable[[Ground], None], str] = {
    a_tag_of_the_same_name: "main",
    a_branch_called_head: "main",
    a_branch_that_is_another: "other",
    packed: "main",
    detached: "",
    elsewhere: "odd/place",
    deep: "a/b/ünï",
}


@table_test("made", BRANCHES)
@table_test("format", ["sha1", "sha256"])
def test_however_head_is_set_it_is_told(tmp_path: Path, made: Callable[[Ground], None], format: str):
    ground = Ground(tmp_path, format=format)
    made(ground)
    found = ground.find()
    assert (found.format, found.head) == (format, ground.git("rev-parse", "--verify", "HEAD^{commit}"))
    assert found.tree in ("", ground.git("rev-parse", "--verify", "HEAD^{tree}"))
    assert found.branch == BRANCHES[made]
