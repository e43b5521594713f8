"""Going on with a run: killed, interrupted, handed over, ended; and ending one from outside."""

import os
import signal
from pathlib import Path

import pytest

from donewhen.core.events import facts, run
from tests.helpers import Cli
from tests.projects import CART, TESTS, everything, git
from tests.run.engine.test_stopping import begun, live, seen, told
from tests.runs import CLAIM, FIX, QUICK, Step, bodies, broken_cart, refs, script, settings
from tests.runs import told as agent_told

GATES = False
LOOK: Step = {"bash": "cat cart.py"}


def killed(cli: Cli, point: str, *steps: Step, more: tuple[str, ...] = ()) -> None:
    """A run that dies at this point."""
    words = ("run", "Fix it", "--accept", TESTS, "--script", script(cli, steps), *QUICK, *more)
    done = cli.cold(*words, DONEWHEN_TEST_CRASH=point)
    assert done.exit == -signal.SIGKILL, done.out + done.err


@pytest.mark.runs
@pytest.mark.parametrize(
    "point",
    ["committed:RunStarted", "committed:CallBegun", "before:ToolReturned@2", "committed:EffectIntended"],
)
def test_a_killed_run_goes_on_to_the_same_end(cli: Cli, point: str):
    user = broken_cart(cli)
    killed(cli, point, LOOK, FIX, CLAIM)
    done = cli("resume", "last", "--json")
    assert (done.exit, done.json["state"]) == (0, "done"), done.err
    assert git(user, "show", f"{done.json['branch']}:cart.py") == CART.rstrip()
    assert done.json["metrics"]["attempts"] == 1
    shown = cli("show", "last", "--json").json
    assert not Path(shown["worktree"]).exists()
    assert shown["metrics"]["turns"] == 3
    assert cli("audit", "last").exit == 0


def test_an_interrupted_call_is_undone_and_the_agent_hears_of_it(cli: Cli):
    broken_cart(cli)
    half: Step = {"calls": [{"tool": "run_command", "args": {"command": "echo once >> log.txt"}}, FIX_CALL]}
    killed(cli, "committed:CallBegun@2", half, CLAIM)
    done = cli("resume", "last", "--json")
    assert done.exit == 0, done.err
    run_id = done.json["run"]
    assert "interrupted and undone" in agent_told(cli, run_id) or "were undone" in agent_told(cli, run_id)
    cut = [body for body in bodies(cli, run_id) if isinstance(body, facts.CallInterrupted)]
    assert [(each.tool, each.undone) for each in cut] == [("edit_file", True)]
    assert git(cli.folder, "show", f"{done.json['branch']}:log.txt") == "once"


FIX_CALL = {
    "tool": "edit_file",
    "args": {"path": "cart.py", "edits": [{"old": "sum(prices) + 1", "new": "sum(prices)"}]},
}


@pytest.mark.runs
def test_what_an_interrupted_command_may_have_done_outside_is_told_to_the_human(cli: Cli):
    broken_cart(cli)
    killed(cli, "committed:CallBegun", {"bash": "echo hi > note.txt"}, {"bash": "rm note.txt"}, FIX, CLAIM)
    done = cli("resume", "last")
    assert done.exit == 0, done.err
    assert "can't be undone: echo hi > note.txt" in done.out + done.err


@pytest.mark.runs
def test_a_hook_after_acceptance_is_called_once_however_often_the_run_dies(cli: Cli):
    broken_cart(cli)
    counted = cli.folder.parent / "accepted.txt"
    told_by = cli.folder.parent / "told.sh"
    told_by.write_text(f"#!/bin/sh\necho yes >> {counted}\n")
    told_by.chmod(0o755)
    settings(cli, hooks={"commands": [{"name": "mine", "point": "after_accept", "command": [str(told_by)]}]})
    killed(cli, "hooked:after_accept", FIX, CLAIM)
    done = cli("resume", "last", "--json")
    assert (done.exit, done.json["state"]) == (0, "done"), done.err
    assert counted.read_text() == "yes\n"


@pytest.mark.runs
def test_one_ctrl_c_lets_the_step_end_and_a_resume_goes_on(cli: Cli):
    broken_cart(cli)
    wait = "until [ -e go.txt ]; do sleep 0.05; done; rm go.txt; echo through > seen.txt"
    process = live(cli, {"bash": wait}, {"bash": "rm seen.txt"}, FIX, CLAIM)
    try:
        folder = Path(seen(process, "workspace_opened")["body"]["path"])
        begun(process, "go.txt")
        os.kill(process.pid, signal.SIGINT)
        told(process, "under way has ended; press Ctrl-C again")
        (folder / "go.txt").touch()
        process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == 130
    assert (folder / "seen.txt").read_text() == "through\n"
    assert cli("show", "last", "--json").json["state"] == "paused"
    done = cli("resume", "last", "--json")
    assert (done.exit, done.json["state"]) == (0, "done"), done.err
    assert cli("show", "last", "--json").json["metrics"]["turns"] == 4


@pytest.mark.runs
def test_a_run_that_has_ended_owes_nothing_and_says_how_it_ended(cli: Cli):
    broken_cart(cli)
    words = ("run", "Fix it", "--accept", TESTS, "--script", script(cli, (FIX, CLAIM)), *QUICK, "--json")
    first = cli(*words)
    again = cli("resume", "last", "--json")
    assert (again.exit, again.json["decision"]) == (0, first.json["decision"])
    assert len(bodies(cli, first.json["run"])) == cli("show", "last", "--json").json["events"]


@pytest.mark.runs
def test_options_that_change_nothing_about_an_ended_run_are_named(cli: Cli):
    broken_cart(cli)
    cli("run", "Fix it", "--accept", TESTS, "--script", script(cli, (FIX, CLAIM)), *QUICK, "--json")
    done = cli("resume", "last", "--budget", "9", "--json")
    assert (done.exit, done.json["decision"]["status"]) == (0, "accepted")
    assert "has ended, so this has no effect: --budget" in done.err
    assert "no effect" not in cli("resume", "last", "--json").err
    assert "no effect" not in cli("resume", "last", "--budget", "9", "--json", "-q").err


@pytest.mark.runs
def test_a_run_that_another_process_executes_is_not_taken_up(cli: Cli):
    broken_cart(cli)
    process = live(cli, {"bash": "sleep 600"}, CLAIM)
    try:
        seen(process, "command_started")
        refused = cli("resume", "last")
        assert refused.exit in (4, 5), refused.err
        assert "Traceback" not in refused.err
        ended = cli("abort", "last", "--json")
        assert (ended.exit, ended.json["state"], ended.json["stop_reason"]) == (0, "fail", "user_interrupt")
        process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode not in (0, 70)


@pytest.mark.runs
def test_a_run_that_nobody_executes_is_ended_and_its_work_kept(cli: Cli):
    user = broken_cart(cli)
    killed(cli, "committed:CallBegun@2", FIX, {"bash": "echo more >> log.txt"}, CLAIM)
    ended = cli("abort", "last", "--json")
    assert (ended.exit, ended.json["state"], ended.json["stop_reason"]) == (0, "fail", "user_interrupt")
    kept = next(name for name in refs(user) if name.startswith("refs/donewhen/") and name.endswith("/work"))
    assert git(user, "show", f"{kept}:cart.py") == CART.rstrip()
    again = cli("abort", "last")
    assert (again.exit, "has ended" in again.err + again.out) == (0, True)


@pytest.mark.runs
def test_a_promise_that_is_amended_while_a_command_runs_is_heard_at_once(cli: Cli):
    broken_cart(cli)
    process = live(cli, {"bash": "sleep 600"}, CLAIM)
    try:
        seen(process, "command_started")
        assert cli("amend", "last", "--permit", "docs/**", "--yes").exit == 0
        seen(process, "promise_amended")  # the command still sleeps
        assert cli("abort", "last").exit == 0
        process.communicate(timeout=60)
    finally:
        process.kill()


@pytest.mark.runs
def test_a_hand_over_is_gone_on_with_from_where_it_was(cli: Cli):
    broken_cart(cli)
    claims = [CLAIM] * 2
    limits = ("--set", "correction.max_retries=1", "--set", "correction.max_total_attempts=2")
    words = ("run", "Fix it", "--accept", TESTS, "--script", script(cli, (*claims, FIX, CLAIM)), *QUICK)
    first = cli(*words, *limits, "--json")
    assert (first.exit, first.json["state"]) == (4, "paused"), first.err
    second = cli("resume", "last", "--json")
    assert (second.exit, second.json["state"]) == (0, "done"), second.err
    resumed = [body for body in bodies(cli, first.json["run"]) if isinstance(body, run.Resumed)]
    assert len(resumed) == 1


@pytest.mark.parametrize(("words", "exit_code"), [(("resume", "r-none"), 2), (("abort", "r-none"), 2)])
def test_a_run_that_is_not_there_is_told_in_one_sentence(cli: Cli, words: tuple[str, ...], exit_code: int):
    broken_cart(cli)
    done = cli(*words)
    assert (done.exit, len(done.err.strip().splitlines())) == (exit_code, 1), done.err


def test_a_verification_has_nothing_to_go_on_with(cli: Cli):
    broken_cart(cli)
    cli("verify", "--accept", TESTS)
    done = cli("resume", "last")
    assert (done.exit, "donewhen verify" in done.err) == (2, True), done.err


@pytest.mark.runs
def test_a_workspace_that_is_gone_leaves_the_run_waiting(cli: Cli):
    broken_cart(cli)
    killed(cli, "committed:CallBegun", FIX, CLAIM)
    folder = Path(cli("show", "last", "--json").json["worktree"])
    aside = folder.with_name("aside")
    folder.rename(aside)
    gone = cli("resume", "last")
    assert (gone.exit, "Traceback" in gone.err) == (5, False), gone.err
    aside.rename(folder)
    assert cli("resume", "last").exit == 0


@pytest.mark.runs
def test_a_git_directory_that_the_interrupted_call_poisoned_is_no_new_beginning(cli: Cli):
    program = (
        "import os; folder = '.g' + 'it/hooks'; os.makedirs(folder, exist_ok=True)\n"
        "with open(folder + '/pre-commit', 'w') as file:\n"
        "    file.write('#!/bin/sh'); os.fchmod(file.fileno(), 0o755)\n"
    )
    broken_cart(cli, {"make.py": program})
    killed(cli, "before:CommandEnded", {"bash": "python3 make.py"}, FIX, CLAIM)
    done = cli("resume", "last", "--json")
    assert (done.exit, done.json["decision"]["stop_reason"]) == (1, "unsafe"), done.out


@pytest.mark.runs
def test_what_a_human_changed_while_the_run_waited_is_told_as_theirs(cli: Cli):
    broken_cart(cli)
    limits = ("--set", "correction.max_retries=1", "--set", "correction.max_total_attempts=2")
    words = ("run", "Fix it", "--accept", TESTS, "--script", script(cli, (CLAIM, CLAIM)), *QUICK, *limits)
    assert cli(*words).exit == 4
    folder = Path(cli("show", "last", "--json").json["worktree"])
    (folder / "cart.py").write_text(CART)
    done = cli("resume", "last", "--json")
    assert (done.exit, done.json["state"]) == (0, "done"), done.err
    changed = [body for body in bodies(cli, done.json["run"]) if isinstance(body, facts.FileChanged)]
    assert [(each.path, each.by) for each in changed] == [("cart.py", "human")]


@pytest.mark.runs
def test_last_is_the_newest_run_of_this_repository(cli: Cli, tmp_path: Path):
    broken_cart(cli)
    words = ("run", "Fix it", "--accept", TESTS, "--script", script(cli, (FIX, CLAIM)), *QUICK, "--json")
    mine = cli(*words).json["run"]
    other = tmp_path / "other"
    other.mkdir()
    git(other, "init", "-q")
    git(
        other,
        "-c",
        "user.name=u",
        "-c",
        "user.email=u@example.org",
        "commit",
        "-q",
        "--allow-empty",
        "-m",
        "x",
    )
    assert cli("verify", "--accept", TESTS, cwd=other).exit != 70
    assert cli("show", "last", "--json").json["run"] == mine
    assert cli("show", "last", "--json", cwd=other).json["run"] != mine


def test_an_acceptance_command_that_can_not_fail_needs_a_yes(cli: Cli):
    broken_cart(cli)
    done = cli("run", "Fix it", "--accept", "true", "--script", script(cli, (CLAIM,)))
    assert (done.exit, "proves nothing" in done.err) == (2, True), done.err
    assert cli("list", "-q").out == ""


HOSTILE = {
    "a link for the branches": (
        "import os; os.rename('.git/refs/heads', '.git/refs/x'); os.symlink(os.environ['VICTIM'], '.git/refs/heads')"
    ),
    "a link for all references": (
        "import os; os.rename('.git/refs', '.git/x'); os.symlink(os.environ['VICTIM'], '.git/refs')"
    ),
    "a pipe for the branch": (
        "import os; ref = open('.git/HEAD').read()[5:].strip(); os.unlink('.git/' + ref); os.mkfifo('.git/' + ref)"
    ),
    "no text in HEAD": "open('.git/HEAD', 'wb').write(b'ref: refs/heads/\\xff\\xfe')",
    "another common folder": "import os; open('.git/commondir', 'w').write(os.environ['VICTIM'] + '/.git')",
}


@pytest.mark.runs
@pytest.mark.parametrize("payload", HOSTILE.values(), ids=HOSTILE.keys())
def test_a_git_directory_prepared_for_the_resume_reaches_nothing_outside(
    cli: Cli, tmp_path: Path, payload: str
):
    victim = tmp_path / "victim"
    (victim / "sub").mkdir(parents=True)
    git(victim, "init", "-q")
    for name in ("poetry.lock", "sub/Cargo.lock", ".bashrc"):
        (victim / name).write_text("mine\n")
    before = everything(victim)
    broken_cart(cli, {"make.py": payload.replace("os.environ['VICTIM']", repr(str(victim))) + "\n"})
    killed(cli, "before:CommandEnded", {"bash": "python3 make.py"}, FIX, CLAIM, more=OFF)
    done = cli("resume", "last", "--json")
    assert done.exit in (0, 1, 5), done.err  # whatever becomes of the run
    assert everything(victim) == before
    assert cli("abort", "last").exit in (0, 5)


OFF = ("--set", "sandbox.mode=off")


@pytest.mark.runs
def test_in_place_what_somebody_wrote_since_is_kept_before_a_call_is_undone(cli: Cli):
    user = broken_cart(cli)
    killed(cli, "committed:CallBegun", FIX, CLAIM, more=("--in-place",))
    (user / "notes.txt").write_text("work\n")
    done = cli("resume", "last")
    assert "kept as commit" in done.out + done.err, done.out + done.err
    kept = next(name for name in refs(user) if name.startswith("refs/donewhen/") and name.endswith("/undone"))
    assert git(user, "show", f"{kept}:notes.txt") == "work"


@pytest.mark.runs
def test_an_attempt_that_was_refused_is_not_judged_again(cli: Cli):
    broken_cart(cli)
    killed(cli, "before:StateChanged@5", LOOK, CLAIM, FIX, CLAIM)
    done = cli("resume", "last", "--json")
    assert (done.exit, done.json["metrics"]["attempts"]) == (0, 2), done.err
    made = [body for body in bodies(cli, done.json["run"]) if isinstance(body, run.CorrectionMade)]
    assert len(made) == 1
    assert "proofs are missing" in agent_told(cli, done.json["run"])


@pytest.mark.runs
def test_questions_are_treated_as_the_run_was_begun(cli: Cli):
    broken_cart(cli)
    ask: Step = {"tool": "ask_user", "args": {"question": "may I?"}}
    killed(cli, "committed:CallBegun", FIX, ask, CLAIM, more=("--on-ask", "deny"))
    done = cli("resume", "last", "--json")
    assert (done.exit, done.json["state"]) == (0, "done"), done.err


@pytest.mark.runs
def test_a_run_that_lives_names_its_process_and_what_to_do_instead(cli: Cli):
    broken_cart(cli)
    process = live(cli, {"bash": "sleep 600"}, CLAIM)
    try:
        seen(process, "command_started")
        refused = cli("resume", "last")
        assert (refused.exit, f"process {process.pid} on " in refused.err) == (5, True)
        assert "logs" in refused.err
        assert f"process {process.pid} on " in cli("show", "last").out
        ended = cli("abort", "last")
        assert (ended.exit, ended.out.count("aborted")) == (0, 1)
        process.communicate(timeout=60)
    finally:
        process.kill()
