"""logs, diff, stats, cost and what list and show tell about waiting, as a user types them."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from donewhen.core.events import facts, run
from donewhen.store import Opened, open_store
from donewhen.store.owner import this_process
from tests.helpers import RUN, Cli, small_run
from tests.projects import git, repository
from tests.pythons import plain_python
from tests.runs import BROKEN, CLAIM, FIX, QUICK, broken_cart, hook, play

GATES = False
OTHER = "r-20261115043751-ffffff"


def opened(cli: Cli) -> Opened:
    return open_store("user", state=cli.state, folder=cli.folder)


@pytest.fixture
def recorded(cli: Cli) -> Cli:
    with opened(cli) as store:
        small_run(store.store)
    return cli


def started(cli: Cli, *words: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "donewhen", *words],
        cwd=cli.folder,
        env=cli.env,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


# -- logs ------------------------------------------------------------------------------------------


def test_logs_show_one_line_an_event_and_json_what_show_prints(recorded: Cli):
    lines = recorded("logs", "last").out.splitlines()
    assert len(lines) == 8
    assert "✗ exit 1: pytest (by agent, 0.0s) · 1 failed" in lines[3]
    assert recorded("logs", "last", "--json").out == recorded("show", "last", "--events").out


def test_logs_can_be_narrowed(recorded: Cli):
    def numbers(*words: str) -> list[int]:
        return [json.loads(line)["seq"] for line in recorded("logs", RUN, "--json", *words).out.splitlines()]

    assert numbers("--tail", "2") == [7, 8]
    assert numbers("--since-seq", "6") == [7, 8]
    assert numbers("--type", "command_ended", "--type", "decided") == [4, 6, 7]
    assert numbers("--type", "command_ended", "-n", "1") == [6]
    assert recorded("logs", RUN, "--type", "nonsense").exit == 2
    assert len(recorded("logs", RUN, "-q").out.splitlines()) == 7


def test_an_output_is_printed_whole_by_key_number_or_digest(recorded: Cli):
    with opened(recorded) as store:
        digest = store.artifacts.put(b"line 1\n\x1b[31mline 2")
        ended = facts.CommandEnded("c9", "pytest", exit=1, output=digest, tail="line 2")
        store.store.append(RUN, ended, facts.ToolReturned("c9", "run_command", True, "cut"))
    for key in ("c9", "9", digest[:8]):
        done = recorded("logs", RUN, "--output", key)
        assert (done.exit, done.out) == (0, "line 1\nline 2\n"), key
    assert recorded("logs", RUN, "--output", "10").out == "cut\n"
    assert recorded("logs", RUN, "--output", "4").out == "1 failed\n"
    assert recorded("logs", RUN, "--output", "c9", "--json").json["whole"] is True
    missing = recorded("logs", RUN, "--output", "nope")
    assert missing.exit == 2
    assert "nothing in" in missing.err


def test_following_an_ended_run_ends_at_once(recorded: Cli):
    assert recorded("logs", RUN, "-f").out == recorded("logs", RUN).out


def test_following_shows_what_another_process_appends_and_ends_with_the_run(cli: Cli):
    with opened(cli) as store:
        store.store.append(RUN, run.RunStarted("go"), run.StateChanged("idle", "executing"))
        lease = store.store.lease(RUN, this_process(), 600)
        child = started(cli, "logs", RUN, "-f")
        assert child.stdout is not None
        assert "started: go" in child.stdout.readline()
        child.stdout.readline()
        for text in ("one", "two"):
            store.store.append(RUN, run.Noted(text, "warning"), lease=lease)
            assert text in child.stdout.readline()
        store.store.append(RUN, run.StateChanged("executing", "fail"), lease=lease)
        assert "fail" in child.stdout.readline()
        store.store.append(RUN, run.Noted("the last word", "warning"), lease=lease)
        store.store.release(lease)
        out, err = child.communicate(timeout=60)
    assert "the last word" in out
    assert (child.returncode, err) == (0, "")


def test_following_a_run_that_nobody_executes_says_so_and_ctrl_c_ends_it(cli: Cli):
    with opened(cli) as store:
        store.store.append(RUN, run.RunStarted("go"), run.StateChanged("idle", "executing"))
    child = started(cli, "logs", RUN, "-f")
    assert child.stderr is not None
    assert "is not running now" in child.stderr.readline()
    child.send_signal(signal.SIGINT)
    out, err = child.communicate(timeout=60)
    assert child.returncode == 130
    assert len(out.splitlines()) == 2
    assert "Traceback" not in err


def test_logs_of_a_ledger_that_was_altered_print_nothing(recorded: Cli):
    import sqlite3

    db = sqlite3.connect(recorded.db)
    db.execute("UPDATE events SET payload = replace(payload, '1 failed', '1 passed')")
    db.commit()
    db.close()
    done = recorded("logs", RUN)
    assert (done.exit, done.out) == (5, "")
    stats = recorded("stats", "--json").json
    assert (stats["runs"], stats["unreadable"]) == (1, [RUN])


# -- diff ------------------------------------------------------------------------------------------


@pytest.mark.runs
def test_diff_of_an_accepted_run_is_what_is_on_its_branch(cli: Cli):
    folder = broken_cart(cli)
    done = play(cli, FIX, CLAIM, more=QUICK)
    assert done.exit == 0, done.err
    text = cli("diff", "last")
    assert "-    return sum(prices) + 1\n+    return sum(prices)\n" in text.out
    assert "accepted commit" in text.err
    assert cli("diff", "last", "--name-only", "-q") == (0, "cart.py\n", "")
    assert cli("diff", "last", "--stat").out.splitlines() == [
        "~ cart.py     2 +-  (+1 −1)",
        "files 1, lines +1 −1",
    ]
    data = cli("diff", "last", "--json").json
    assert data["files"] == [{"path": "cart.py", "kind": "modified", "added": 1, "removed": 1}]
    assert (data["where"], data["added"], data["removed"]) == ("branch", 1, 1)
    assert git(folder, "status", "--porcelain") == ""


@pytest.mark.runs
def test_diff_of_a_run_that_failed_is_the_work_that_was_kept(cli: Cli):
    broken_cart(cli)
    done = play(cli, {"write": {"path": "notes.txt", "content": "half done\n"}}, more=QUICK)
    assert done.exit != 0
    text = cli("diff", "last")
    assert "+half done" in text.out
    assert "not accepted" in text.err
    assert cli("diff", "last", "--json").json["where"] == "work"


def ledger_of(cli: Cli, folder: Path, workspace: Path, **more: str) -> None:
    base = git(folder, "rev-parse", "HEAD")
    with opened(cli) as store:
        store.store.append(
            RUN,
            run.RunStarted("go", repo=str(folder), base=base),
            run.WorkspaceOpened(str(workspace), "donewhen/x", base, **more),  # type: ignore[arg-type]
            run.StateChanged("idle", "executing"),
        )


def test_diff_of_a_run_that_lives_is_its_workspace_now_and_runs_nothing(cli: Cli):
    folder = repository(cli.folder, BROKEN)
    trap = cli.folder.parent / "trap.sh"
    trap.write_text(f"#!/bin/sh\ntouch {cli.folder.parent}/sprung\n")
    trap.chmod(0o755)
    git(folder, "config", "diff.external", str(trap))
    git(folder, "config", "diff.evil.textconv", str(trap))
    git(folder, "config", "core.pager", str(trap))
    odd = "a\n\x1b[31mb.txt"
    (folder / ".gitattributes").write_text("*.py diff=evil\n*.txt binary\n")
    (folder / odd).write_text("hidden?\n")
    (folder / "blob.bin").write_bytes(b"\0\x1b[2J\1")
    ledger_of(cli, folder, folder, kind="in_place")
    done = cli("diff", RUN, GIT_PAGER=str(trap), GIT_EXTERNAL_DIFF=str(trap))
    assert done.exit == 0
    assert "+hidden?" in done.out
    assert "binary file, its content is not shown" in done.out
    assert "\x1b" not in done.out + done.err
    assert not (cli.folder.parent / "sprung").exists()
    names = cli("diff", RUN, "--name-only").out.splitlines()
    assert sorted(names) == [".gitattributes", "a b.txt", "blob.bin"]
    assert odd in [file["path"] for file in cli("diff", RUN, "--json").json["files"]]


def test_diff_of_what_is_gone_is_one_sentence_with_exit_5(cli: Cli):
    folder = repository(cli.folder / "repo", BROKEN)
    ledger_of(cli, folder, cli.folder / "gone")
    no_workspace = cli("diff", RUN)
    (folder / ".git").rename(cli.folder / "elsewhere")
    no_repository = cli("diff", RUN)
    for done in (no_workspace, no_repository):
        assert (done.exit, done.out) == (5, "")
        assert done.err.count("\n") == 1
    assert "workspace" in no_workspace.err
    assert "repository" in no_repository.err


def test_diff_of_a_run_without_workspace_says_so(recorded: Cli):
    done = recorded("diff", RUN)
    assert done.exit == 2
    assert "no workspace yet" in done.err


# -- stats and cost --------------------------------------------------------------------------------


@pytest.fixture
def several(recorded: Cli) -> Cli:
    refused = {"id": "c1", "kind": "command_success", "target": "pytest\x1b[31m", "passed": False}
    with opened(recorded) as store:
        store.store.append(
            OTHER,
            run.RunStarted("other", repo="/srv/other", agent="scripted"),
            facts.Denied("run_command", "force-push", "no"),
            run.CostBooked("k", "llm", 750_000, 10, 5, "model-b"),
            run.Decided("continue", results=(refused,)),
            run.Decided("stopped", "repeat_cycle", "loop"),
            run.StateChanged("executing", "fail"),
        )
    return recorded


def test_stats_tell_how_runs_ended_and_what_refused_them(several: Cli):
    data = several("stats", "--json").json
    assert (data["runs"], data["accepted"], data["acceptance_rate"]) == (2, 1, 0.5)
    assert data["stop_reasons"] == {"accepted": 1, "repeat_cycle": 1}
    assert data["cost"]["total"] == 1.0
    assert data["cost_per_accepted"] == 0.25
    ledgers = data["ledgers"]
    assert (ledgers["claims_refused"], ledgers["refusals"]) == (1, {"force-push": 1})
    assert (ledgers["tokens_in"], ledgers["tokens_out"]) == (1010, 105)
    assert (data["bounded"], data["unreadable"]) == (False, [])
    text = several("stats").out
    assert "1 of 2 (50%)" in text
    assert (
        text.split("success rate")[1].split("\n")[0].split() == "50% > 80% 2 ~ missed, too few runs".split()
    )


def test_stats_take_the_filters_of_list_and_say_when_they_are_bounded(several: Cli):
    assert several("stats", "--json", "--repo", "/srv/other").json["runs"] == 1
    assert several("stats", "--json", "--failed").json["accepted"] == 0
    bounded = several("stats", "--most-events", "6")
    assert "the newest 1 of 2 runs" in bounded.err
    assert several("stats", "--most-events", "6", "--json").json["read"] == 1


def test_failures_are_grouped_with_the_last_run_and_what_to_do(several: Cli):
    groups = several("stats", "--failures", "--json").json["groups"]
    assert [(each["kind"], each["name"], each["last"]) for each in groups][:2] == [
        ("reason", "repeat_cycle: loop", OTHER),
        ("check", "command_success pytest\x1b[31m", OTHER),
    ]
    assert all(each["next"] for each in groups)
    text = several("stats", "--failures").out
    assert f"runs 1, times 1, last {OTHER}: repeat_cycle: loop" in text
    assert "look at the repeated calls" in text
    assert "\x1b" not in text


def test_an_empty_store_has_figures_too(cli: Cli):
    assert cli("stats", "--json").json["acceptance_rate"] is None
    assert cli("stats", "--check").exit == 0
    assert cli("stats", "--failures").err == "nothing failed and no claim was refused\n"
    assert cli("cost").out == "nothing was spent\n"
    assert not cli.state.exists()


def test_cost_is_told_by_kind_model_day_and_run(several: Cli):
    data = several("cost", "--json").json
    assert data["cost"] == {"total": 1.0, "llm": 1.0, "api": 0.0, "other": 0.0}
    assert [(each["model"], each["cost"]) for each in data["models"]] == [
        ("model-b", 0.75),
        ("example-model", 0.25),
    ]
    assert [each["cost"] for each in data["days"]] == [1.0]
    assert [each["run"] for each in data["runs"]] == [OTHER, RUN]
    one = several("cost", RUN).out
    assert "$0.25 in all" in one
    assert "model-b" not in one


# -- list and show ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ([], [OTHER, RUN]),
        (["--agent", "scripted"], [OTHER]),
        (["--reason", "accepted"], [RUN]),
        (["--goal", "DISCOUNT"], [RUN]),
        (["--failed"], [OTHER]),
        (["--failed", "--goal", "discount"], []),
        (["--waiting"], []),
    ],
)
def test_list_filters(several: Cli, words, found):
    assert several("list", "-q", *words).out.split() == found


def test_list_cuts_after_filtering_and_refuses_what_is_no_stop_reason(several: Cli):
    data = several("list", "--goal", "o", "-n", "1", "--json").json
    assert (len(data["runs"]), data["more"]) == (1, True)
    assert several("list", "--reason", "bad_luck").exit == 2


def test_runs_that_wait_for_a_human_are_listed_and_shown_with_the_next_command(cli: Cli):
    paused, left, live = (f"r-20261115043750-00000{n}" for n in (1, 2, 3))
    with opened(cli) as store:
        for run_id in (paused, left, live):
            store.store.append(run_id, run.RunStarted("go"), run.StateChanged("idle", "executing"))
        store.store.append(
            paused,
            facts.Asked("000001-1", "may it push?\ngit push", "run_command"),
            run.StateChanged("executing", "paused", "asked: 000001-1"),
        )
        lease = store.store.lease(live, this_process(), 600)
        assert cli("list", "--waiting", "-q").out.split() == [left, paused]
        data = cli("show", live, "--json").json
        assert data["next"][0] == ["donewhen", "logs", live, "-f"]
        store.store.release(lease)
    text = cli("show", paused).out
    assert "a human's answer to questions (1): 000001-1" in text
    assert "  donewhen approve 000001-1\n  donewhen deny 000001-1\n" in text
    assert f"  donewhen resume {left}" in cli("show", left).out


def test_a_hostile_ledger_harms_no_view(cli: Cli):
    evil = "x\x1b[2J\u202e\nNEXT\n  donewhen rm"
    with opened(cli) as store:
        store.store.append(
            RUN,
            run.RunStarted(evil, repo=evil, agent=evil),
            run.WorkspaceOpened(evil, evil, evil),
            facts.Denied(evil, evil, evil, evil),
            facts.Asked(evil, evil),
            run.CostBooked("k", "llm", 1, model=evil),
            facts.CommandEnded(evil, evil, exit=1, tail=evil),
            run.Decided("continue", results=({"kind": evil, "target": evil, "passed": False},)),
            run.Decided("stopped", evil, evil),
        )
    for words in (
        ["logs", RUN],
        ["logs", RUN, "-v"],
        ["show", RUN],
        ["stats"],
        ["stats", "--failures"],
        ["cost"],
    ):
        done = cli(*words)
        assert done.exit == 0, words
        assert "\x1b" not in done.out + done.err, words
        assert "\u202e" not in done.out + done.err, words
        assert "\n  donewhen rm" not in done.out, words


@pytest.mark.runs
def test_a_hook_reads_the_log_of_the_run_that_calls_it(cli: Cli):
    """While a run lives another process sees its events."""
    broken_cart(cli)
    seen = cli.folder.parent / "seen"
    command = f"{plain_python()} -m donewhen logs last -q > {seen} 2>&1"
    kept = " ".join(f"{name}='{value}'" for name, value in cli.env.items() if name.startswith("DONEWHEN_"))
    path = os.environ.get("PYTHONPATH", "")
    hook(cli, "before_commit", f"env PYTHONPATH='{path}' {kept} {command}\necho '{{}}'")
    assert play(cli, FIX, CLAIM, more=QUICK).exit == 0
    assert "claims: The cart adds up now." in seen.read_text()


def test_a_run_whose_row_is_damaged_is_still_shown(recorded: Cli):
    import sqlite3

    db = sqlite3.connect(recorded.db)
    db.execute("UPDATE runs SET turns = 'many'")
    db.commit()
    db.close()
    assert "DECISION" in recorded("show", RUN).out
    assert recorded("stats").exit == 0
    assert recorded("list", "--waiting", "-q").out == ""
