"""What an exam can't reach: the user's repository, the network; and what is watched where no wall stands."""

import pytest

from donewhen.config.sections_guard import Sandbox
from donewhen.verify.exam.walls import exam_plan, unguarded
from donewhen.workspace.sandbox.confinement import confine
from donewhen.workspace.sandbox.plan import Plan, plan
from donewhen.workspace.sandbox.support import Support
from tests.verify.exams import BIN, verdict, why

pytestmark = pytest.mark.walls


def test_the_repository_of_the_user_can_not_be_written(exams):
    exams.git("init", "-q")
    exams.file("plant.sh", "echo evil >.git/hooks/pre-commit; echo ok >made; ls .git >/dev/null")
    where = exams.walled()
    if where.plan.mechanism != "bubblewrap":
        pytest.skip("only bubblewrap keeps a place inside the tree from being written")
    assert exams.run("bash plant.sh", where).exit == 0
    assert {"made"} <= exams.names() and not (exams.folder / ".git/hooks/pre-commit").exists()
    moved = exams.run("mv .git .git2", where)
    assert moved.exit == 1 and (exams.folder / ".git").is_dir()


def test_a_planted_hook_is_seen_where_no_wall_stops_it(exams):
    exams.git("init", "-q")
    exams.file("plant.sh", "ln -s /bin/true .git/hooks/pre-commit")
    where = exams.where(guarded=(exams.folder / ".git",))
    assert exams.run("git status", where).why_not is None
    execution = exams.run("bash plant.sh", where)
    assert (execution.exit, verdict("bash plant.sh", execution)) == (126, "nothing")
    assert f"{exams.folder}/.git/hooks/pre-commit" in why(execution)
    exams.file("plant.sh", "git config core.fsmonitor /bin/true")
    assert ".git/config" in why(exams.run("bash plant.sh", where))


def test_what_no_wall_keeps_is_to_be_watched(exams):
    exams.git("init", "-q")
    git = exams.folder / ".git"
    assert unguarded(Plan(), [git]) == (git,)
    wish = confine(exams.folder, exams.scratch, exams.env, read_only=[git])
    landlock = Support(landlock=7, bash="/bin/bash")
    assert unguarded(plan(wish, landlock), [git]) == (git,)
    assert unguarded(plan(wish, Support("/usr/bin/bwrap", "", True)), [git]) == ()


def test_in_a_room_git_may_be_used(exams):
    exams.git("init", "-q")
    room = exam_plan(exams.folder, exams.env, Sandbox(), exams.scratch, room=True, path=[BIN])
    assert exams.run("git config a.b c", exams.where(plan=room)).exit == 0


def test_git_of_a_linked_working_tree_can_not_be_written_either(exams):
    exams.file("a", "")
    exams.git("init", "-q")
    exams.git("add", "-A")
    exams.git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "x")
    linked = exams.base / "linked"
    exams.git("worktree", "add", "-q", str(linked))
    exams.folder = linked
    where = exams.walled()
    if where.plan.mechanism != "bubblewrap":
        pytest.skip("only bubblewrap keeps a place inside the tree from being written")
    for command in ("cp a .git", "rm -f .git", f"touch {exams.base}/project/.git/hooks/x"):
        assert exams.run(command, where).exit == 1
    assert exams.run("git status", where).exit == 0


def test_an_exam_has_no_network_unless_it_is_given(exams):
    where = exams.walled()
    if not where.plan.confined:
        pytest.skip("nothing confines commands here")
    alone = exams.run("python -c \"print(open('/proc/net/dev').read().count(':'))\"", where)
    assert alone.finished.output.text.strip() == "1"
    assert exams.walled(exam_network="full").plan != where.plan
