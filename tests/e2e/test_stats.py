"""The key figures against their targets, `--check`, and what became of accepted changes, as a user sees them."""

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from donewhen.core.events import Body, facts, run
from donewhen.store import Opened, open_store
from donewhen.testing import Answer, Call, Fault
from tests.helpers import RUN, Cli, Result, small_run
from tests.llm_support import CHAT, CLAIM, FIX
from tests.llm_support import play as ask
from tests.projects import git, write
from tests.runs import CLAIM as DONE
from tests.runs import FIX as MEND
from tests.runs import QUICK, broken_cart, play, program, settings

GATES = False
GREEN = {"id": "c1", "kind": "command_success", "target": "pytest", "passed": True}
RED = {**GREEN, "passed": False}
NAMES = ["success", "corrections", "handed_over", "time", "cost", "compression", "verification"]


def opened(cli: Cli) -> Opened:
    return open_store("user", state=cli.state, folder=cli.folder, create=True)


def run_id(number: int) -> str:
    return f"r-20261115043751-{number:06x}"


def good(*more: Body) -> tuple[Body, ...]:
    return (
        run.RunStarted("fix it", repo="/srv/shop", agent="llm"),
        run.CostBooked("k", "llm", 500_000, 10, 5, "m"),
        *more,
        run.StateChanged("executing", "validating"),
        facts.Verified("lint", "change", "passed"),
        run.Decided("accepted", "accepted", results=(GREEN,) * 9),
        run.StateChanged("validating", "done"),
    )


def bad() -> tuple[Body, ...]:
    return (
        run.RunStarted("break it", repo="/srv/other", agent="llm"),
        run.CostBooked("k", "llm", 9_000_000, 10, 5, "m"),
        run.Decided("continue", results=(RED, RED)),
        run.Decided("stopped", "escalated", "pre-ship"),
        run.StateChanged("executing", "fail"),
    )


def stored(cli: Cli, *ledgers: tuple[Body, ...]) -> Cli:
    with opened(cli) as store:
        for number, bodies in enumerate(ledgers):
            store.store.append(run_id(number), *bodies)
    return cli


def figures(done: Result) -> dict[str, dict[str, Any]]:
    return {each["name"]: each for each in done.json["figures"]}


def verdicts(done: Result) -> dict[str, str]:
    return {name: each["verdict"] for name, each in figures(done).items()}


# -- figures and targets ---------------------------------------------------------------------------


def test_every_figure_is_shown_with_value_target_and_verdict(cli: Cli):
    squeezed = run.ContextCompressed(90_000, 20_000, 4)
    stored(cli, *[good(squeezed)] * 5)
    text = cli("stats").out
    shown = text.split("KEY FIGURES\n")[1].split("\n\n")[0].splitlines()
    assert [" ".join(line.split()) for line in shown] == [
        "FIGURE VALUE TARGET RUNS VERDICT",
        "success rate 100% > 80% 5 ✓ met",
        "corrections per run 0.0 < 2 5 ✓ met",
        "handed over to a human 0% < 20% 5 ✓ met",
        "time per run (median) 0.0s < 10m00s 5 ✓ met",
        "cost per run $0.50 < $2.00 5 ✓ met",
        "compression of history 4.5:1 > 3:1 5 ✓ met",
        "verification pass rate 100% > 90% 5 ✓ met",
    ]
    assert max(map(len, shown)) < 80
    done = cli("stats", "--check", "--json")
    assert (done.exit, done.json["missed"], list(figures(done))) == (0, [], NAMES)
    assert figures(done)["compression"] == {
        "name": "compression",
        "value": 4.5,
        "unit": "ratio",
        "target": 3.0,
        "above": True,
        "runs": 5,
        "verdict": "met",
        "met": True,
    }
    assert cli("stats", "--check").err == "every key figure meets its target\n"


def test_check_is_exit_1_when_a_figure_misses_its_target(cli: Cli):
    stored(cli, *[bad()] * 3, *[good()] * 3)
    done = cli("stats", "--check", "--json")
    assert done.exit == 1
    assert done.json["missed"] == ["success", "handed_over", "cost", "verification"]
    assert verdicts(done) == {
        "success": "missed",
        "corrections": "met",
        "handed_over": "missed",
        "time": "met",
        "cost": "missed",
        "compression": "unknown",
        "verification": "missed",
    }
    text = cli("stats", "--check")
    assert text.exit == 1
    names = "success rate, handed over to a human, cost per run, verification pass rate"
    assert text.err == f"key figures that miss their target: {names}\n"
    assert cli("stats").exit == 0
    assert cli("stats", "--check", "--repo", "/srv/shop").exit == 0
    assert cli("stats", "--check", "--failures").exit == 1


def test_too_few_runs_are_told_and_fail_no_check(cli: Cli):
    stored(cli, *[bad()] * 4)
    done = cli("stats", "--check")
    assert done.exit == 0
    assert "not failed for success rate" in done.err
    assert "fewer than 5 runs" in done.err
    assert "~ missed, too few runs" in done.out
    assert cli("stats", "--check", "--set", "stats.least_runs=4").exit == 1


def test_without_runs_no_figure_is_met_or_missed(cli: Cli):
    done = cli("stats", "--check")
    assert (done.exit, done.out.count("· no data")) == (0, 7)
    assert done.err.startswith("no key figure is known yet")
    assert {each["met"] for each in figures(cli("stats", "--json")).values()} == {None}
    assert not cli.state.exists()


def test_targets_can_be_others(cli: Cli):
    stored(cli, *[good()] * 6)
    for setting in ("cost=0.5", "success=1", "time=600", "corrections=0"):
        done = cli("stats", "--check", "--json", "--set", f"stats.targets.{setting}")
        name = setting.partition("=")[0]
        assert (done.exit, done.json["missed"]) == ((0, []) if name == "time" else (1, [name]))
    for wrong in ("success=1.5", "time=0", "cost=many", "nothing=1"):
        assert cli("stats", "--set", f"stats.targets.{wrong}").exit == 2


def test_a_value_is_told_apart_from_its_target(cli: Cli):
    stored(cli, *[good()] * 6)
    line = cli("stats", "--set", "stats.targets.cost=0.4999").out.split("cost per run")[1].split("\n")[0]
    assert line.split()[:3] == ["$0.50", "<", "$0.4999"]


def test_a_ledger_that_can_not_be_read_is_named_and_left_out(cli: Cli):
    stored(cli, *[good()] * 6)
    with sqlite3.connect(cli.db) as db:
        db.execute("UPDATE events SET payload = '{}' WHERE run_id = ? AND seq = 2", (run_id(0),))
    done = cli("stats", "--check")
    assert done.exit == 0
    assert run_id(0) in done.err
    assert figures(cli("stats", "--json"))["verification"]["runs"] == 5


def test_bad_words_are_refused(cli: Cli):
    for words in (["--since", "yesterdayish"], ["--most-events", "-1"], ["--reason", "tired"]):
        assert cli("stats", "--check", *words).exit == 2


def test_figures_in_chinese(cli: Cli):
    stored(cli, *[bad()] * 6)
    done = cli("stats", "--check", DONEWHEN_LANGUAGE="zh")
    assert done.exit == 1
    assert "成功率" in done.out
    assert "✗ 未达标" in done.out
    assert done.err.startswith("未达标的关键指标：成功率")


# -- telling ---------------------------------------------------------------------------------------


def test_a_miss_is_told_to_whom_the_configuration_names(cli: Cli):
    stored(cli, *[bad()] * 6)
    told = cli.folder.parent / "told"
    script = program(cli, "tell.sh", f"cat > {told}")
    settings(cli, notify={"commands": [[script]]})
    assert cli("stats").exit == 0
    assert not told.exists()
    assert cli("stats", "--check", "--json").exit == 1
    first = json.loads(told.read_text())
    assert (first["kind"], first["run"]) == ("figures", "")
    assert first["title"].startswith("key figures miss their target: success rate")
    assert "success rate: 0% (target > 80%, runs 6)" in first["text"]
    assert [each["name"] for each in first["data"]["missed"]][:2] == ["success", "handed_over"]
    cli("stats", "--check")
    assert json.loads(told.read_text())["key"] == first["key"]
    told.unlink()
    settings(cli, notify={"commands": [[script]], "on": ["completion"]})
    assert cli("stats", "--check").exit == 1
    assert not told.exists()


def test_a_message_that_does_not_arrive_changes_nothing_else(cli: Cli):
    stored(cli, *[bad()] * 6)
    settings(cli, notify={"commands": [[program(cli, "tell.sh", "exit 3")]]})
    done = cli("stats", "--check")
    assert done.exit == 1
    assert "command:tell.sh was not notified" in done.err
    settings(cli, notify={"urls": ["gopher://nowhere"]})
    wrong = cli("stats", "--check")
    assert wrong.exit == 2
    assert "notify.urls[0]" in wrong.err


# -- what became of accepted changes ---------------------------------------------------------------


@pytest.fixture
def shipped(cli: Cli) -> tuple[Cli, Path, str, str]:
    """An accepted run whose branch is merged: its id and its commit."""
    folder = broken_cart(cli)
    done = play(cli, MEND, DONE, more=QUICK)
    assert done.exit == 0, done.err
    branch = git(folder, "for-each-ref", "--format=%(refname:short)", "refs/heads/donewhen").strip()
    commit = git(folder, "rev-parse", branch).strip()
    return cli, folder, done.json["run"], commit


def audit_of(cli: Cli, *words: str) -> dict[str, Any]:
    done = cli("stats", "--json", *words)
    assert done.exit == 0, done.err
    return dict(done.json["audit"])


def state_of(cli: Cli) -> tuple[str, str]:
    change = audit_of(cli, "--audit")["looked"]["changes"][0]
    return change["state"], change["by"]


@pytest.mark.runs
def test_a_change_is_followed_from_its_branch_to_its_revert(shipped: tuple[Cli, Path, str, str]):
    cli, folder, name, commit = shipped
    assert audit_of(cli)["looked"] is None
    assert state_of(cli) == ("waiting", "")
    git(folder, "merge", "-q", "--no-ff", "-m", "merge it", commit)
    assert state_of(cli) == ("stands", "")
    git(folder, "revert", "--no-edit", "-m", "1", "HEAD")
    by = git(folder, "rev-parse", "HEAD").strip()
    assert state_of(cli) == ("reverted", by)
    assert audit_of(cli, "--audit")["false_accepts"] == [name]
    text = cli("stats", "--audit").out
    assert "reverted 1, in use 0, not merged 0, gone 0, unknown 0" in text
    assert f"✗ {name}: reverted by {by[:12]}, commit {commit[:12]}" in text
    beside = cli("stats", "--audit", "--failures")
    assert f"✗ {name}: reverted by {by[:12]}, commit {commit[:12]}" in beside.out
    assert "nothing failed and no claim was refused" in beside.err
    assert "reverted" not in cli("stats", "--failures").out
    git(folder, "revert", "--no-edit", "HEAD")
    assert state_of(cli) == ("stands", "")


@pytest.mark.runs
def test_a_commit_is_found_reverted_without_a_merge(shipped: tuple[Cli, Path, str, str]):
    cli, folder, _, commit = shipped
    git(folder, "merge", "-q", "--ff-only", commit)
    git(folder, "revert", "--no-edit", commit)
    assert state_of(cli)[0] == "reverted"


@pytest.mark.runs
def test_words_on_a_branch_beside_take_nothing_back(shipped: tuple[Cli, Path, str, str]):
    cli, folder, _, commit = shipped
    git(folder, "merge", "-q", "--ff-only", commit)
    git(folder, "checkout", "-q", "-b", "beside")
    git(folder, "commit", "-q", "--allow-empty", "-m", f"This reverts commit {commit}.")
    git(folder, "checkout", "-q", "main")
    assert state_of(cli)[0] == "stands"


@pytest.mark.runs
def test_what_is_on_no_branch_is_gone_and_no_false_accept(shipped: tuple[Cli, Path, str, str]):
    cli, folder, name, _ = shipped
    branch = git(folder, "for-each-ref", "--format=%(refname:short)", "refs/heads/donewhen").strip()
    git(folder, "branch", "-q", "-D", branch)
    assert state_of(cli)[0] == "gone"
    assert audit_of(cli, "--audit")["false_accepts"] == []
    (folder / ".git").rename(cli.folder.parent / "away")
    assert state_of(cli)[0] == "unknown"
    assert cli("stats", "--audit").exit == 0
    assert name in cli("list", "-q").out


@pytest.mark.runs
def test_looking_writes_nothing(shipped: tuple[Cli, Path, str, str]):
    from tests.projects import everything

    cli, folder, _, commit = shipped
    git(folder, "merge", "-q", "--ff-only", commit)
    write(folder, {"cart.py": "changed\n"})
    before = everything(folder)
    state_of(cli)
    assert everything(folder) == before


@pytest.mark.runs
def test_what_ci_said_is_told_by_hand_and_the_last_word_counts(shipped: tuple[Cli, Path, str, str]):
    cli, _, name, commit = shipped
    assert audit_of(cli)["ci"] == {"failed": 0, "passed": 0, "not_told": 1}
    done = cli("audit", name, "--ci", "failed", "--note", "nightly 17", "--json")
    assert (done.exit, done.json) == (
        0,
        {"version": 1, "run": name, "ci": "failed", "commit": commit, "note": "nightly 17"},
    )
    assert audit_of(cli)["false_accepts"] == [name]
    assert f"✗ {name}: CI failed, commit {commit[:12]}" in cli("stats").out
    assert (
        f"CI failed, commit {commit[:12]}: nightly 17"
        in cli("logs", name, "--type", "acceptance_audited").out
    )
    assert cli("audit", name, "--ci", "passed").out == f"{name}: CI passed, written down\n"
    assert audit_of(cli)["ci"] == {"failed": 0, "passed": 1, "not_told": 0}
    assert cli("audit", name).exit == 0
    assert cli("show", name, "--json").json["state"] == "done"
    assert cli("stats", "--json").json["accepted"] == 1


def test_ci_is_told_of_accepted_runs_only(cli: Cli):
    stored(cli, bad(), good())
    refused = cli("audit", run_id(0), "--ci", "failed")
    assert refused.exit == 2
    assert "is not accepted (fail)" in refused.err
    for words in (
        ["--ci", "failed"],
        [run_id(1), "--ci", "maybe"],
        ["--all", "--ci", "failed"],
        [run_id(1), "--note", "x"],
        [run_id(1), "--ci", "failed", "--note", "x" * 2001],
        ["r-nothing", "--ci", "failed"],
    ):
        done = cli("audit", *words)
        assert done.exit == 2, words
        assert "Traceback" not in done.err
    assert audit_of(cli)["ci"]["not_told"] == 1


def test_a_hostile_note_and_repository_harm_nobody(cli: Cli):
    with opened(cli) as store:
        small_run(store.store)
    evil = "x\x1b[2J\u202e\n✓ met"
    assert cli("audit", RUN, "--ci", "failed", "--note", evil).exit == 0
    stored(
        cli,
        (
            run.RunStarted("g", repo=f"/srv/{evil}", agent="llm"),
            facts.EffectIntended("1", "branch", evil),
            facts.EffectDone("1", True, "a" * 40),
            run.Decided("accepted", "accepted"),
            run.StateChanged("validating", "done"),
        ),
    )
    for words in (["stats", "--audit"], ["logs", RUN]):
        done = cli(*words)
        assert done.exit == 0
        assert "\x1b" not in done.out + done.err
        assert "\u202e" not in done.out + done.err


# -- whole runs ------------------------------------------------------------------------------------


@pytest.mark.runs
def test_compression_of_a_real_conversation_is_in_the_figures(cli: Cli):
    many = [Call("run_command", {"command": f"seq {number} {number + 4000}"}) for number in range(5)]
    played = ask(cli, CHAT, [*many, FIX, Answer(fault=Fault("too_long")), CLAIM])
    assert played.why[0] == 0
    made = [body for body in played.bodies if isinstance(body, run.ContextCompressed)]
    assert all(each.raw > each.sent > 0 for each in made)
    last = made[-1]
    found = figures(cli("stats", "--json"))["compression"]
    assert (found["value"], found["runs"]) == (last.raw / last.sent, 1)
    assert f"{last.sent} tokens for {last.raw}" in cli("logs", played.id).out


def test_real_runs_fill_the_figures(cli: Cli):
    broken_cart(cli)
    assert play(cli, MEND, DONE, more=QUICK).exit == 0
    git(cli.folder, "checkout", "-q", "main")
    assert play(cli, DONE, more=QUICK).exit != 0
    found = figures(cli("stats", "--json"))
    assert (found["success"]["value"], found["success"]["verdict"]) == (0.5, "few")
    assert found["corrections"]["value"] > 0
    assert 0 < found["verification"]["value"] < 1
    assert found["compression"]["verdict"] == "unknown"
    assert found["time"]["runs"] == 2
