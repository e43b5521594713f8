"""list, show, audit, export, import, gc as a user types them."""

import json
import os
import shutil
import sqlite3
import subprocess
from pathlib import Path
from typing import Any

import pytest

from donewhen.core.events import facts, run
from donewhen.core.texts import say
from donewhen.store import open_store
from donewhen.workspace.git.repository import find_repository
from donewhen.workspace.rooms.lease import lease
from donewhen.workspace.rooms.places import places
from tests.helpers import RUN, Cli, small_run

OLD = "r-20250101000000-aaaaaa"


@pytest.fixture
def recorded(cli: Cli) -> Cli:
    with open_store("user", state=cli.state, folder=cli.folder) as opened:
        small_run(opened.store, OLD, "an older goal")
        small_run(opened.store, RUN, "fix the \x1b[31mdiscount\u202e 修复折扣")
        digest = opened.artifacts.put(b"the whole output\n")
        opened.store.append(RUN, run.ArtifactKept(digest, "pytest.log", 17))
    return cli


def test_an_empty_store_lists_nothing_and_is_not_made(cli: Cli):
    assert cli("list") == (0, "", "no runs yet; `donewhen demo` shows what one looks like\n")
    assert cli("list", "--json").json == {"version": 1, "runs": [], "more": False}
    assert not cli.state.exists()


def test_list_shows_newest_first_without_what_could_harm_a_terminal(recorded: Cli):
    done = recorded("list")
    lines = done.out.splitlines()
    assert lines[0].split() == ["RUN", "STATE", "CREATED", "UPDATED", "COST", "BUDGET", "GOAL"]
    assert lines[1].startswith(f"{RUN}  done (accepted)")
    assert lines[1].endswith("$0.25  12.5%   fix the discount 修复折扣")
    assert lines[2].startswith(OLD)
    assert recorded("list", "-q").out.split() == [RUN, OLD]
    assert "\x1b" not in done.out


def test_list_filters_and_speaks_json(recorded: Cli):
    data = recorded("list", "--json", "--state", "done", "--since", "1h", "--limit", "1").json
    assert data["version"] == 1
    (row,) = data["runs"]
    assert row["run"] == RUN
    assert row["cost"] == {"total": 0.25, "llm": 0.25, "api": 0.0, "other": 0.0}
    assert row["metrics"]["budget_used"] == 12.5
    assert recorded("list", "--json", "--state", "fail").json["runs"] == []
    assert recorded("list", "--json", "--until", "2020-01-01").json["runs"] == []
    assert recorded("list", "-q", "--repo", "/srv/shop").out.split() == [RUN, OLD]


def test_list_shows_the_runs_of_this_repository_that_worked(cli: Cli):
    def started(number: int, repo: Path | str, agent: str, *more: Any) -> str:
        run_id = f"r-2026110{number}000000-aaaaa{number}"
        session = {"session": "s", "client": agent} if agent == "claude" else {}
        opened.store.append(run_id, run.RunStarted("a goal", repo=str(repo), agent=agent, metadata=session))
        for each in more:
            opened.store.append(run_id, each)
        return run_id

    here = cli.folder / "shop"
    here.mkdir()
    subprocess.run(["git", "init", "-q", here], check=True)
    nothing = run.Noted(say("sessions.nothing_changed", "en"), "info")
    with open_store("user", state=cli.state, folder=cli.folder) as opened:
        work, verify = started(1, here, "llm"), started(2, here, "verify")
        asked, changed = started(3, here, "claude", nothing), started(4, here, "claude")
        other = started(5, "/srv/other", "llm")

    def listed(*words: str) -> list[str]:
        return cli("list", "-q", *words, cwd=here).out.split()

    assert listed() == [changed, work]
    assert listed("--all") == [other, changed, work]
    assert listed("--all-kinds") == [changed, asked, verify, work]
    assert listed("--agent", "verify") == [verify]
    assert "REPO" in cli("list", "--all", cwd=here).out
    assert "other" in cli("list", "--all", cwd=here).out.splitlines()[1].split()
    (cli.folder / "empty").mkdir()
    subprocess.run(["git", "init", "-q", cli.folder / "empty"], check=True)
    assert "no such run in this repository; `--all`" in cli("list", cwd=cli.folder / "empty").err


def test_help_groups_the_commands(cli: Cli):
    text = cli("--help").out
    heads = [line.rstrip(":") for line in text.splitlines() if line.endswith(":") and line[:1].strip()]
    assert heads == ["Work", "Judge", "Gate the agents you use", "Look", "Set up", "Options"]
    assert len(text.splitlines()) < 75


def test_show_takes_an_id_a_prefix_or_last(recorded: Cli):
    for name in (RUN, "r-2026", "last"):
        assert recorded("show", name, "--json").json["run"] == RUN
    text = recorded("show", "last").out
    assert "DECISION\n  accepted" in text
    assert "pytest.log" in text
    assert "$2.00, 12.5% used" in text
    data = recorded("show", "last", "--json").json
    assert data["decision"]["status"] == "accepted"
    assert data["promise"]["objective"].startswith("fix the")
    assert data["artifacts"][0]["name"] == "pytest.log"


def test_show_events_prints_one_json_line_each(recorded: Cli):
    events = [json.loads(line) for line in recorded("show", RUN, "--events").out.splitlines()]
    assert [event["seq"] for event in events] == list(range(1, 10))
    assert events[3]["body"]["exit"] == 1


def test_a_prefix_of_several_runs_or_of_none_is_an_error(recorded: Cli):
    done = recorded("show", "r-20")
    assert done.exit == 2
    assert done.err == f"donewhen: r-20 begins the ids of several runs ({OLD}, {RUN}); give more of the id\n"
    assert recorded("show", "r-1").exit == 2
    assert recorded("show", "").exit == 2


def tamper(cli: Cli, sql: str) -> None:
    db = sqlite3.connect(cli.db)
    db.execute(sql)
    db.commit()
    db.close()


def test_audit_passes_and_then_names_the_edited_event(recorded: Cli):
    assert recorded("audit", "last").out.startswith(f"✓ {RUN}: chain intact, events 1 to 9")
    tamper(
        recorded,
        f"UPDATE events SET payload = replace(payload, '1 failed', '1 passed') WHERE run_id = '{RUN}'",
    )
    done = recorded("audit", "last")
    assert done.exit == 1
    assert "event 4 was edited" in done.out
    assert recorded("audit", "--all").exit == 1
    data = recorded("audit", "--all", "--json").json
    assert data["ok"] is False
    assert [(each["run"], each["ok"]) for each in data["audits"]] == [(RUN, False), (OLD, True)]
    assert recorded("audit", OLD, "-q") == (0, "", "")
    shown = recorded("show", "last")
    assert shown.exit == 5
    assert "donewhen audit" in shown.err


def test_audit_knows_a_run_whose_rows_are_all_gone(recorded: Cli):
    tamper(recorded, f"DELETE FROM events WHERE run_id = '{RUN}'")
    tamper(recorded, f"DELETE FROM runs WHERE run_id = '{RUN}'")
    done = recorded("audit", RUN)
    assert done.exit == 1
    assert "cut off at the end: events 1 to 8" in done.out
    assert recorded("audit", "--all").exit == 1


@pytest.mark.runs
def test_a_cut_ledger_is_neither_shown_exported_nor_thrown_away(recorded: Cli, tmp_path):
    tamper(recorded, f"DELETE FROM events WHERE run_id = '{RUN}' AND seq > 5")
    tamper(
        recorded,
        f"UPDATE runs SET head_seq = 5, head_hash = (SELECT hash FROM events WHERE run_id = '{RUN}' AND seq = 5) WHERE run_id = '{RUN}'",
    )
    for words in (["show", RUN], ["export", RUN], ["export", RUN, "-o", str(tmp_path / "x.jsonl")]):
        done = recorded(*words)
        assert (done.exit, done.out) == (5, ""), words
        assert "cut off before event 6" in done.err
    assert not (tmp_path / "x.jsonl").exists()
    gone = recorded("gc", "--max-size", "0")
    assert RUN in gone.err
    assert recorded("list", "-q").out.split() == [RUN]
    assert recorded("audit", RUN).exit == 1


def test_list_says_when_there_is_more_and_when_filters_match_nothing(recorded: Cli):
    assert recorded("list", "-n", "1").err == "there are more than the 1 shown; `-n 0` lists all\n"
    assert recorded("list", "-n", "1", "--json").json["more"] is True
    assert recorded("list", "--repo", "/nowhere").err == "no run matches these filters\n"


@pytest.mark.runs
def test_verbose_and_quiet_mean_something(recorded: Cli):
    assert "/srv/shop" in recorded("list", "-v").out
    assert str(recorded.db) in recorded("list", "-v").err
    assert '"objective"' in recorded("show", "last", "-v").out
    assert recorded("show", "last", "-q").out == f"{RUN} done accepted\n"
    assert len(recorded("audit", "last", "-v").out.split("head ")[1].split()[0]) == 64
    assert recorded("-q", "list").out == recorded("list", "-q").out


def test_an_export_goes_only_into_a_folder_that_is_there(recorded: Cli, tmp_path):
    done = recorded("export", "last", "-o", str(tmp_path / "none" / "x.jsonl"))
    assert done.exit == 2
    assert "does not exist" in done.err
    assert not (tmp_path / "none").exists()


def test_audit_wants_to_know_what(recorded: Cli):
    assert recorded("audit").exit == 2
    assert recorded("audit", RUN, "--all").exit == 2


@pytest.mark.runs
def test_export_and_import_into_another_store(recorded: Cli, tmp_path):
    file = tmp_path / "run.jsonl"
    assert recorded("export", "last", "-o", str(file)).exit == 0
    assert recorded("export", "last", "-o", str(file)).exit == 2
    assert recorded("export", "last", "-o", str(file), "--force").exit == 0
    assert recorded("export", "last").out.encode() == file.read_bytes()
    other: Any = {"DONEWHEN_STATE_DIR": str(tmp_path / "other")}
    assert recorded("import", str(file), "--json", **other).json["imported"] is True
    assert recorded("import", str(file), "--json", **other).json["imported"] is False
    assert recorded("import", "-", stdin=file.read_bytes(), **other).exit == 0
    assert recorded("audit", RUN, **other).exit == 0
    assert recorded("export", RUN, **other).out.encode() == file.read_bytes()


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "is empty"),
        (b"\x00\xff binary", "is not whole"),
        (b"{}\n", "not an exported run"),
        (b'{"donewhen":"run","version":7,"head":{}}\n', "has format 7"),
    ],
)
def test_a_bad_import_is_one_sentence_and_makes_no_store(cli: Cli, tmp_path, content, why):
    file = tmp_path / "bad.jsonl"
    file.write_bytes(content)
    done = cli("import", str(file))
    assert done.exit == 2
    assert why in done.err
    assert done.err.count("\n") == 1
    assert str(file) in done.err
    assert not cli.state.exists()


def test_a_missing_import_file_is_one_sentence(cli: Cli, tmp_path):
    done = cli("import", str(tmp_path / "none.jsonl"))
    assert done.exit == 2
    assert "can't be read (No such file or directory)" in done.err


@pytest.mark.runs
def test_gc_takes_only_what_it_is_asked_for(recorded: Cli):
    assert recorded("gc", "--json").json == {
        "version": 1,
        "dry_run": False,
        "runs": [],
        "artifacts": [],
        "broken": [],
        "kept": [],
        "bytes": 0,
        "cache": [],
        "cache_kept": [],
        "leftovers": [],
        "leftovers_kept": [],
    }
    with open_store("user", state=recorded.state, folder=recorded.folder) as opened:
        opened.store.append("r-20260101000000-bbbbbb", run.RunStarted("still going"))
    would = recorded("gc", "--max-size", "0", "--dry-run")
    assert would.out.splitlines()[:2] == [OLD, RUN]
    assert recorded("gc", "--max-size", "0").exit == 0
    assert recorded("list", "-q").out.split() == ["r-20260101000000-bbbbbb"]
    assert recorded("audit", "--all").exit == 0


def cached(cli: Cli, name: str, days: float = 0, size: int = 1000) -> Path:
    """The cache of a working tree of that name, last used so many days ago."""
    root = cli.folder / name
    root.mkdir()
    subprocess.run(["git", "init", "-q", str(root)], env=cli.env, check=True)
    where = places(find_repository(root, cli.env), cli.env)
    (where.rooms / "exam").mkdir()
    (where.rooms / "exam/file").write_bytes(b"x" * size)
    note = where.rooms.with_name("root")
    os.utime(note, (note.stat().st_atime, note.stat().st_mtime - days * 86_400))
    return where.rooms.parent


def test_gc_removes_caches_that_nobody_needs_and_tells_what_that_gave(cli: Cli):
    fresh, stale, orphan = cached(cli, "fresh"), cached(cli, "stale", 31), cached(cli, "orphan")
    shutil.rmtree(cli.folder / "orphan")
    would = cli("gc", "--dry-run")
    assert f"cache of {cli.folder / 'stale'}: " in would.out
    assert "caches of repositories 2" in would.out
    assert stale.is_dir()
    said = cli("gc", "--json").json
    assert {each["repository"] for each in said["cache"]} == {
        str(cli.folder / n) for n in ("stale", "orphan")
    }
    assert all(each["bytes"] >= 1000 for each in said["cache"])
    assert said["bytes"] == sum(each["bytes"] for each in said["cache"])
    assert (fresh.is_dir(), stale.exists(), orphan.exists()) == (True, False, False)
    assert cli("gc", "--json").json["cache"] == []


def test_gc_keeps_caches_by_the_age_that_is_asked_for(cli: Cli):
    young, old = cached(cli, "young", 1), cached(cli, "old", 3)
    assert cli("gc", "--older-than", "2d").exit == 0
    assert (young.is_dir(), old.exists()) == (True, False)


@pytest.mark.runs
def test_gc_cache_removes_every_cache_but_those_in_use(cli: Cli):
    free, busy = cached(cli, "free"), cached(cli, "busy\x1b[31m")
    with lease(busy / "rooms/exam"):
        said = cli("gc", "--cache", "--json").json
        assert [each["repository"] for each in said["cache"]] == [str(cli.folder / "free")]
        assert "in use by another process" in said["cache_kept"][0]["why"]
        told = cli("gc", "--cache", LANG="zh_CN.UTF-8")
        assert "正被另一个进程使用" in told.err
        assert "\x1b" not in told.err
        assert (free.exists(), busy.is_dir()) == (False, True)
    assert cli("gc", "--cache", "-v").out.startswith(f"cache of {cli.folder / 'busy'}: ")
    assert not busy.exists()


@pytest.mark.parametrize(
    "words", [("--older-than", "soon"), ("--max-size", "big"), ("--older-than", "0000-99-99")]
)
def test_gc_does_not_guess(cli: Cli, words):
    assert cli("gc", *words).exit == 2


def test_a_store_of_a_newer_donewhen_is_refused(recorded: Cli):
    tamper(recorded, "PRAGMA user_version = 9")
    done = recorded("list")
    assert done.exit == 5
    assert done.err == (
        f"donewhen: the store {recorded.db} has version 9, this donewhen knows up to 4; "
        "upgrade donewhen, the file was not changed\n"
    )


def test_a_corrupt_store_is_one_sentence_in_every_command(cli: Cli):
    cli.state.mkdir()
    cli.db.write_bytes(b"not a database, but long enough to look like one\n" * 100)
    for words in (["list"], ["show", "last"], ["audit", "--all"], ["gc"], ["export", "last"]):
        done = cli(*words)
        assert (done.exit, done.out) == (5, ""), words
        assert "is damaged" in done.err
        assert done.err.count("\n") == 1


@pytest.mark.runs
def test_a_locked_store_is_one_sentence(recorded: Cli, tmp_path):
    file = tmp_path / "r.jsonl"
    recorded("export", "last", "-o", str(file))
    recorded("gc", "--max-size", "0")
    db = sqlite3.connect(recorded.db, isolation_level=None)
    db.execute("BEGIN EXCLUSIVE")
    done = recorded("import", str(file))
    db.execute("ROLLBACK")
    db.close()
    assert done.exit == 5
    assert "locked by another process" in done.err
    assert recorded("list", "-q").out == ""


@pytest.mark.runs
def test_a_closed_pipe_ends_quietly(recorded: Cli):
    with open_store("user", state=recorded.state, folder=recorded.folder) as opened:
        opened.store.append(RUN, *[facts.CommandEnded("k", "x", tail="y" * 3000)] * 200)
    import sys

    line = f"'{sys.executable}' -m donewhen show last --events | head -n 1"
    done = subprocess.run(
        ["bash", "-c", line], env=recorded.env, capture_output=True, cwd=recorded.folder, check=False
    )
    assert done.stdout.count(b"\n") == 1
    assert done.stderr == b""


@pytest.mark.runs
def test_hostile_text_in_any_field_stays_on_its_line(cli: Cli):
    evil = "x\x1b[2J\u202e\nSTATE      done (accepted)"
    with open_store("user", state=cli.state, folder=cli.folder) as opened:
        opened.store.append(
            RUN,
            run.RunStarted(evil, repo=evil, base=evil, agent=evil, profile=evil),
            run.WorkspaceOpened(evil, evil, evil),
            run.TodoChanged(evil, {"status": evil, "content": evil}),
            run.Decided("stopped", evil, summary=evil, results=({"kind": evil, "target": evil},)),
            run.StateChanged("executing", "fail"),
        )
    for words in (
        ["list"],
        ["list", "-v"],
        ["list", "-q"],
        ["show", RUN],
        ["show", RUN, "-q"],
        ["audit", RUN],
    ):
        done = cli(*words)
        assert done.exit == 0
        assert "\x1b" not in done.out + done.err
        assert "\u202e" not in done.out + done.err
        assert "\nSTATE      done" not in done.out
    for words in (["list", "--json"], ["show", RUN, "--json"], ["show", RUN, "--events"]):
        out = cli(*words).out
        assert "\x1b" not in out
        assert "\u202e" not in out


@pytest.mark.runs
def test_a_damaged_row_is_listed_as_such(recorded: Cli):
    tamper(recorded, f"UPDATE runs SET turns = 'many' WHERE run_id = '{RUN}'")
    assert f"{RUN}  damaged" in recorded("list").out
    assert recorded("list", "--json").exit == 0
    assert recorded("audit", "--all").exit == 1
    assert "wrong types in its row" in recorded("audit", RUN).out
    assert recorded("gc", "--max-size", "0").exit == 0
    assert RUN in recorded("list", "-q").out


def test_lost_tables_are_a_finding(recorded: Cli):
    tamper(recorded, "DROP TABLE artifacts")
    done = recorded("audit", "--all")
    assert done.exit == 1
    assert "artifacts" in done.err


def test_the_python_door_redacts_credentials_of_the_environment(cli: Cli):
    script = (
        "import os, sys\nfrom pathlib import Path\nfrom donewhen import new_run_id, open_store\n"
        "from donewhen.core.events import run\n"
        "with open_store('user', state=Path(sys.argv[1]), folder=Path.cwd()) as opened:\n"
        "    opened.store.append(new_run_id(), run.RunStarted(os.environ['MY_API_KEY']))\n"
    )
    import sys

    env = cli.env | {"MY_API_KEY": "Zebra-stripes-0192837465"}
    subprocess.run([sys.executable, "-c", script, str(cli.state)], env=env, check=True)
    assert "[redacted:declared]" in cli("show", "last").out
