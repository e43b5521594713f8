"""The accepted tree reaches the run's branch, whatever an agent did to its workspace."""

import os
import shutil

import pytest

from donewhen.core.errors import SetupError
from donewhen.run.shipping.commit import Shipped, ship
from donewhen.run.shipping.message import message_of
from donewhen.workspace.git.repository import find_repository
from tests.run.shipping.yard import KEY, SECRET, Yard, plant
from tests.workspace.rooms_scene import RUN, contents

BRANCH = f"donewhen/{RUN}"


def worked(yard: Yard, **more):
    site = yard.open(**more)
    yard.write("app.py", "one = 2\n", site.folder)
    yard.write("pkg/new.py", "new\n", site.folder)
    (site.folder / "pkg/deep/module.py").unlink()
    return site


def others(yard: Yard) -> dict[str, object]:
    state = yard.state()
    refs = state["refs"]
    assert isinstance(refs, list)
    return state | {"refs": [line for line in refs if not line.endswith(f"refs/heads/{BRANCH}")]}


@pytest.mark.parametrize("how", ["clone", "worktree", "in_place", "with_changes"])
def test_uncommitted_work_becomes_one_commit_on_the_base(yard, how):
    if how == "with_changes":
        yard.dirty()
        site = yard.open(with_changes=True)
    else:
        site = yard.worktree() if how == "worktree" else yard.open(in_place=how == "in_place")
    yard.write("app.py", "one = 2\n", site.folder)
    yard.write("pkg/new.py", "new\n", site.folder)
    before = others(yard)
    tree = site.fingerprints.take().tree
    shipped = yard.ship(site, tree)
    assert shipped == Shipped(BRANCH, yard.git("rev-parse", BRANCH), tree)
    assert yard.tree_of(BRANCH) == tree
    assert yard.git("rev-parse", f"{BRANCH}^") == site.base
    assert yard.git("show", f"{BRANCH}:pkg/new.py") == "new"
    assert others(yard) == before
    assert yard.git("rev-parse", "--abbrev-ref", "HEAD") == "main"
    shutil.rmtree(yard.cache)
    assert yard.git("fsck", "--strict", "--no-dangling") == ""


def test_author_message_and_trailers(yard):
    site = worked(yard)
    goal = 'Fix the `$(touch x)` login; it\'s "broken"\nsecond line'
    shipped = yard.ship(
        site, message=message_of(goal, f"All green.\nDonewhen-Run: forged\ntoken {KEY}\x1b[2J")
    )
    said = yard.git("show", "-s", "--format=%an <%ae> %cn <%ce>%n%B", shipped.commit)
    assert said.splitlines() == [
        "Somebody <somebody@example.org> Somebody <somebody@example.org>",
        'Fix the `$(touch x)` login; it\'s "broken"',
        "",
        "All green.",
        said.splitlines()[4],
        "",
        f"Donewhen-Run: {RUN}",
        f"Donewhen-Tree: {shipped.tree}",
    ]
    assert said.splitlines()[4].startswith("token ")
    assert KEY not in said
    assert "\x1b" not in said


def test_without_an_author_the_harness_signs(yard):
    yard.git("config", "--unset", "user.name")
    yard.git("config", "user.email", "<>")
    shipped = yard.ship(worked(yard))
    assert yard.git("show", "-s", "--format=%an <%ae>", shipped.commit) == "donewhen <donewhen@localhost>"


def test_the_users_global_settings_name_the_author(yard):
    yard.git("config", "--remove-section", "user")
    (yard.home / ".gitconfig").write_text("[user]\n\tname = Global\n\temail = global@example.org\n")
    shipped = yard.ship(worked(yard))
    assert yard.git("show", "-s", "--format=%an <%ae>", shipped.commit) == "Global <global@example.org>"


@pytest.mark.parametrize("how", ["clone", "worktree", "in_place"])
def test_clean_commits_of_the_agent_are_kept_and_the_rest_comes_on_top(yard, how):
    site = yard.worktree() if how == "worktree" else yard.open(in_place=how == "in_place")
    yard.write("app.py", "one = 2\n", site.folder)
    first = yard.commit("step one", site.folder)
    assert yard.ship(site).commit == first  # nothing to add
    yard.git("branch", "-D", "-q", BRANCH) if how != "worktree" else None
    yard.write("app.py", "one = 3\n", site.folder)
    yard.ship(site)
    assert yard.log(BRANCH)[:3] == ["Make it work", "step one", "second"]
    assert yard.tree_of(BRANCH) == site.fingerprints.take().tree


def bad_message(yard, site, message: bytes) -> None:
    (yard.base / "message").write_bytes(message)
    yard.git("commit", "-q", "-a", "--cleanup=verbatim", "-F", str(yard.base / "message"), cwd=site.folder)


@pytest.mark.runs
@pytest.mark.parametrize("how", ["clone", "worktree"])
@pytest.mark.parametrize(
    "what", ["added and removed", "in a name", "in the message", "forged trailer", "escapes"]
)
def test_commits_that_must_not_be_shipped_are_left_behind(yard, what, how):
    site = yard.worktree() if how == "worktree" else yard.open()
    name = ".env" if what == "in a name" else "settings.py"
    if what in ("added and removed", "in a name"):
        yard.write(name, SECRET if name == "settings.py" else "PORT=1\n", site.folder)
        bad = yard.commit("with it", site.folder)
        (site.folder / name).unlink()
        yard.write("app.py", "one = 2\n", site.folder)
        yard.commit("without it", site.folder)
    else:
        text = {
            "in the message": f"use {KEY}\n".encode(),
            "forged trailer": b"x\n\nDonewhen-Run: r-0\n",
            "escapes": b"x \x1b]0;owned\x07\n",
        }[what]
        yard.write("app.py", "one = 2\n", site.folder)
        bad_message(yard, site, text)
        bad = yard.git("rev-parse", "HEAD", cwd=site.folder)
    yard.ship(site)
    assert yard.log(BRANCH) == ["Make it work", "second", "first"]
    assert yard.tree_of(BRANCH) == site.fingerprints.take().tree
    if how == "clone":
        assert yard.repository.commit(bad) == ""


@pytest.mark.parametrize(
    "what", ["switched", "detached", "deleted", "unrelated", "symbolic", "torn", "packed"]
)
def test_whatever_became_of_the_workspaces_branches_the_tree_arrives(yard, what):
    site = worked(yard)
    own = site.folder / ".git"
    if what == "switched":
        yard.git("switch", "-q", "-c", "other", cwd=site.folder)
        yard.commit("elsewhere", site.folder)
    elif what == "detached":
        yard.git("checkout", "-q", "--detach", cwd=site.folder)
    elif what == "deleted":
        yard.git("checkout", "-q", "--detach", cwd=site.folder)
        yard.git("branch", "-q", "-D", BRANCH, cwd=site.folder)
    elif what == "unrelated":
        yard.git("checkout", "-q", "--orphan", "fresh", cwd=site.folder)
        yard.commit("no parent", site.folder)
        yard.git("branch", "-q", "-f", BRANCH, cwd=site.folder)
    elif what == "symbolic":
        yard.git("symbolic-ref", f"refs/heads/{BRANCH}", "refs/remotes/origin/feature/one", cwd=site.folder)
    elif what == "torn":
        yard.write(f".git/refs/heads/{BRANCH}", "not an id\n", site.folder)
    else:
        yard.commit("packed", site.folder)
        yard.git("pack-refs", "--all", cwd=site.folder)
    yard.ship(site)
    log = ["packed"] if what == "packed" else ["Make it work"]
    assert yard.log(BRANCH) == [*log, "second", "first"]
    assert own.is_dir()


@pytest.mark.parametrize("what", ["main deleted", "main moved"])
def test_what_an_agent_does_to_main_is_not_done_to_the_users(yard, what):
    site = worked(yard)
    main = yard.git("rev-parse", "main")
    yard.git("branch", "main", "HEAD", cwd=site.folder)
    words = ("-D", "main") if what == "main deleted" else ("-f", "main", "HEAD~1")
    yard.git("branch", "-q", *words, cwd=site.folder)
    yard.git("update-ref", "-d", "refs/remotes/origin/main", cwd=site.folder)
    yard.ship(site)
    assert yard.git("rev-parse", "main") == main


def test_nothing_that_an_agent_left_in_its_git_directory_runs(yard):
    site = worked(yard)
    yard.write(".gitattributes", "*.py filter=evil diff=evil\n", site.folder)
    program = yard.program()
    for name in ("pre-commit", "commit-msg", "post-commit", "reference-transaction", "prepare-commit-msg"):
        plant(site.folder, name, program)
    for name in (
        "filter.evil.clean",
        "filter.evil.smudge",
        "diff.evil.textconv",
        "diff.evil.command",
        "core.fsmonitor",
        "gpg.program",
        "core.editor",
        "core.sshCommand",
        "core.alternateRefsCommand",
    ):
        yard.git("config", name, str(program), cwd=site.folder)
    yard.git("config", "commit.gpgSign", "true", cwd=site.folder)
    yard.git("config", "user.name", "Agent Smith", cwd=site.folder)
    for lock in ("index.lock", "HEAD.lock", "config.lock", f"refs/heads/{BRANCH}.lock"):
        yard.write(f".git/{lock}", "", site.folder)
    yard.mark.unlink(missing_ok=True)
    shipped = yard.ship(site)
    assert yard.tree_of(BRANCH) == shipped.tree
    assert yard.git("show", "-s", "--format=%an", BRANCH) == "Somebody"
    assert not yard.mark.exists()


def test_hooks_of_the_users_repository_do_not_run_either(yard):
    site = worked(yard, in_place=True)
    for name in ("reference-transaction", "pre-commit", "post-commit"):
        plant(yard.root, name, yard.program())
        (yard.base / "evil").unlink()
    yard.ship(site)
    assert not yard.mark.exists()


def test_objects_that_lie_about_their_content_are_not_shipped(yard):
    """The exam saw what lies in the folder; a false object of the same name must not take its place."""
    site = yard.open()
    yard.write("app.py", "honest = True\n", site.folder)
    tree = site.fingerprints.take().tree
    honest = yard.git("hash-object", "-w", "app.py", cwd=site.folder)
    yard.write("false.py", "honest = False\n", yard.base)
    false = yard.git("hash-object", "-w", str(yard.base / "false.py"), cwd=site.folder)
    objects = site.folder / ".git/objects"
    target = objects / honest[:2] / honest[2:]
    target.unlink()
    shutil.copyfile(objects / false[:2] / false[2:], target)
    yard.git("add", "app.py", cwd=site.folder)
    yard.ship(site, tree)
    assert yard.git("show", f"{BRANCH}:app.py") == "honest = True"
    assert yard.git("fsck", "--strict", "--no-dangling") == ""


@pytest.mark.parametrize("what", ["removed", "elsewhere", "alternates", "fifo"])
def test_a_spoilt_git_directory_does_not_keep_the_tree_from_arriving(yard, what):
    site = worked(yard)
    tree = site.fingerprints.take().tree
    own = site.folder / ".git"
    if what == "removed":
        shutil.rmtree(own)
    elif what == "elsewhere":
        own.rename(yard.base / "moved")
        own.symlink_to(yard.base / "moved")
    elif what == "alternates":
        (own / "objects/info/alternates").write_text("/somewhere/else\n")
    else:
        (own / "packed-refs").unlink()
        os.mkfifo(own / "packed-refs")
    yard.ship(site, tree)
    assert yard.tree_of(BRANCH) == tree


def test_a_tree_that_nobody_has_is_refused_and_no_branch_made(yard):
    site = worked(yard)
    with pytest.raises(SetupError):
        yard.ship(site, "1" * 40)
    assert yard.repository.commit(BRANCH) == ""


def test_shipping_twice_is_shipping_once(yard):
    site = worked(yard)
    first = yard.ship(site)
    assert yard.ship(site) == first
    assert yard.pins() == [f"refs/donewhen/{RUN}/base", f"refs/donewhen/{RUN}/shipped"]


def test_nothing_changed_ships_the_base_itself(yard):
    site = yard.open()
    assert yard.ship(site).commit == site.base
    assert list((yard.root / ".git/objects/pack").glob("*")) == []


@pytest.mark.parametrize("what", ["head", "branch", "reset"])
def test_a_user_who_moved_on_meanwhile_loses_nothing(yard, what):
    site = worked(yard)
    if what == "head":
        yard.write("mine.py", "mine\n")
        yard.commit("mine")
    elif what == "branch":
        yard.git("switch", "-q", "-c", "mine")
    else:
        yard.git("reset", "-q", "--hard", "HEAD~1")
    before = others(yard)
    yard.ship(site)
    assert yard.git("rev-parse", f"{BRANCH}^") == site.base
    assert others(yard) == before


@pytest.mark.parametrize("what", ["taken", "checked out", "in the way"])
def test_a_branch_name_that_was_taken_meanwhile_loses_nothing(yard, what):
    site = worked(yard)
    name = "donewhen" if what == "in the way" else BRANCH
    yard.git("switch", "-q", "-c", name)
    if what == "taken":
        yard.write("mine.py", "mine\n")
        yard.commit("mine")
        yard.git("switch", "-q", "main")
    before = yard.state()
    with pytest.raises(SetupError, match=f"kept as refs/donewhen/{RUN}/work"):
        yard.ship(site)
    assert yard.state() == before
    assert yard.tree_of(f"refs/donewhen/{RUN}/work") == site.fingerprints.take().tree


def test_another_name_gets_the_result_and_moves_forward(yard):
    site = worked(yard, branch="feature/one")
    yard.ship(site)
    assert yard.log("feature/one") == ["Make it work", "second", "first"]
    assert yard.repository.commit(BRANCH) == ""


def test_in_place_commits_of_the_agent_stay_where_they_are(yard):
    site = yard.open(in_place=True)
    yard.write("app.py", "one = 2\n")
    made = yard.commit("by the agent")
    yard.write("app.py", "one = 3\n")
    before = contents(yard.root)
    ship(site, RUN, site.fingerprints.take().tree, "goal", yard.env)
    assert yard.log(BRANCH) == ["goal", "by the agent", "second", "first"]
    assert yard.git("rev-parse", "main") == made
    assert contents(yard.root) == before
    assert yard.git("status", "--porcelain") == "M app.py"


def test_names_with_line_breaks_and_bytes_that_are_no_text_arrive(yard):
    site = yard.open()
    for name in ("-x", "a\nb", "bytes-\udcff", "sp ace", '"quoted"'):
        yard.write(name, name.encode("utf-8", "replace").decode(), site.folder)
    shipped = yard.ship(site)
    assert yard.tree_of(BRANCH) == shipped.tree == site.fingerprints.take().tree


def test_sha256_repositories_ship_too(tmp_path):
    base = tmp_path / "sha256"
    base.mkdir()
    yard = Yard(base, format="sha256")
    site = worked(yard)
    assert len(yard.ship(site).commit) == 64
    assert find_repository(yard.root, yard.env).format == "sha256"
