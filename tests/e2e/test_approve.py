"""`donewhen approve` and `deny`, as a user answers from another terminal."""

import json
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from donewhen.core.chain import GENESIS, Head, link
from donewhen.core.codec import dumps, to_json
from donewhen.core.errors import UserError
from donewhen.core.events import facts, run, type_of, version_of
from donewhen.core.protocols import Control
from donewhen.store import open_store
from donewhen.store.owner import this_process
from donewhen.ui.commands.approve import check_in_time
from tests.helpers import RUN, Cli
from tests.tables import table_test

OTHER = "r-20261115043751-0a1fff"
ENDED = "r-20261115043752-eeeeee"
WHY = "it would publish (npm)"


@pytest.fixture
def asking(cli: Cli) -> Cli:
    """Two runs with open questions, one that has ended with one."""
    with open_store("user", state=cli.state, folder=cli.folder) as opened:
        store = opened.store
        store.append(
            RUN,
            run.RunStarted("goal"),
            run.StateChanged("idle", "executing"),
            facts.Asked("0a1b2c-1", f"{WHY}\nnpm publish", "run_command", "publish"),
            facts.Answered("0a1b2c-1", True, "human"),
            facts.Asked("0a1b2c-2", f"{WHY}\nnpm publish --tag x", "run_command", "publish"),
        )
        store.append(
            OTHER, run.RunStarted("goal"), facts.Asked("0a1fff-1", "why\nsudo ls", "run_command", "privilege")
        )
        store.append(
            ENDED,
            run.RunStarted("goal"),
            facts.Asked("eeeeee-1", "why\nsudo ls", "run_command", "privilege"),
            run.StateChanged("idle", "fail"),
        )
    return cli


def rows(cli: Cli) -> list[tuple]:
    db = sqlite3.connect(cli.db)
    found = db.execute("SELECT run_id, kind, target, payload, who, taken FROM control").fetchall()
    db.close()
    return found


def test_open_questions_of_all_runs_are_listed_oldest_first(asking: Cli):
    done = asking("approve")
    assert (done.exit, done.err) == (0, "")
    head, *lines = done.out.splitlines()
    assert head.split() == ["QUESTION", "RUN", "ASKED", "ACTION", "WHY"]
    assert [line.split()[:2] for line in lines] == [["0a1b2c-2", RUN], ["0a1fff-1", OTHER]]
    assert "npm publish --tag x" in lines[0]
    assert WHY in lines[0]
    assert asking("approve", "-q").out == "0a1b2c-2\n0a1fff-1\n"
    data = asking("approve", "--json").json
    assert data["broken"] == []
    assert [question["ask"] for question in data["questions"]] == ["0a1b2c-2", "0a1fff-1"]
    first = data["questions"][0]
    assert first["waiting"] >= 0
    assert first["asked"][:4] == time.strftime("%Y")
    del first["waiting"], first["asked"]
    assert first == {
        "ask": "0a1b2c-2",
        "run": RUN,
        "tool": "run_command",
        "rule": "publish",
        "action": "npm publish --tag x",
        "reason": WHY,
    }


def test_without_questions_or_a_store_nothing_is_made(cli: Cli):
    done = cli("approve")
    assert (done.exit, done.out, done.err) == (0, "", "no question waits for an answer\n")
    assert cli("approve", "--json").json == {"version": 1, "questions": [], "broken": []}
    assert cli("deny", "0a1b2c-1").exit == 2
    assert not cli.state.exists()


def test_an_answer_waits_for_the_resume_and_says_so(asking: Cli):
    done = asking("approve", "0a1b2c-2", "--run", "--note", "go")
    assert done.exit == 0
    assert done.out == f"question 0a1b2c-2 is allowed for the rest of run {RUN}\n"
    assert done.err == f"run {RUN} is not running now; the answer takes effect when it is resumed\n"
    (row,) = rows(asking)
    assert row[:3] == (RUN, "approve", "0a1b2c-2")
    assert json.loads(row[3]) == {"scope": "run", "note": "go"}
    assert row[4]
    assert row[5] == ""
    assert "0a1b2c-2" not in asking("approve", "-q").out


def test_a_run_that_is_executed_gets_its_answer_now(asking: Cli):
    with open_store("user", state=asking.state, folder=asking.folder) as opened:
        opened.store.lease(RUN, this_process(), 60)
        done = asking("deny", "0a1b2c-2", "--note", "no", "--json")
    assert done.err == ""
    assert done.json == {
        "version": 1,
        "ask": "0a1b2c-2",
        "run": RUN,
        "allowed": False,
        "scope": "once",
        "note": "no",
        "executed": True,
    }


@pytest.mark.parametrize("name", ["0a1b", "0a1b2c-2", "0a1b2c", f"{RUN}-2", RUN])
def test_the_beginning_of_an_id_is_enough_when_one_open_question_has_it(asking: Cli, name):
    assert asking("approve", name, "--json").json["ask"] == "0a1b2c-2"


@table_test(
    ("words", "said"),
    [
        (["approve", "ffffff-1"], "there is no question ffffff-1; `donewhen approve` lists the open ones"),
        (["deny", "0a1b2c-3"], "there is no question 0a1b2c-3"),
        (["approve", ""], "ASK is empty"),
        (
            ["deny", "0a1"],
            "0a1 begins the ids of several questions (0a1fff-1, 0a1b2c-2); give more of the id",
        ),
        (["approve", "0a1b2c-1"], "question 0a1b2c-1 was already answered by a human at "),
        (["deny", "eeeeee-1"], f"question eeeeee-1 belongs to run {ENDED}, which has ended (fail)"),
        (["approve", "0a1b2c-2", "--run", "--always"], "give either --run or --always, not both"),
        (["deny", "0a1b2c-2", "--note", "x" * 2001], "--note is longer than 2000 characters"),
        (["deny"], "ASK is missing"),
        (["deny", "0a1b2c-2", "--always"], "there is no option --always"),
    ],
)
def test_what_can_not_be_answered_is_one_sentence(asking: Cli, words, said):
    done = asking(*words)
    assert (done.exit, done.out) == (2, "")
    assert said in done.err
    assert done.err.count("\n") == 1
    assert rows(asking) == []


def test_a_question_is_answered_once(asking: Cli):
    first = asking("approve", "0a1b2c-2", "--always")
    assert "allowed always" in first.out
    again = asking("deny", "0a1b2c-2")
    assert again.exit == 2
    assert "question 0a1b2c-2 was already answered by " in again.err
    with open_store("user", state=asking.state, folder=asking.folder) as opened:
        who = opened.store.requests(RUN)[0].control.who
        opened.store.append(RUN, facts.Answered("0a1b2c-2", True, "human", scope="always"))
        opened.store.take(RUN, 1)
    taken = asking("approve", "0a1b2c-2")
    assert taken.exit == 2
    assert f"question 0a1b2c-2 was already answered by {who} at 2" in taken.err
    assert "(allowed)" in taken.err


def test_two_runs_that_end_alike_are_told_apart_by_the_whole_id(asking: Cli):
    twin = "r-20261115043759-0a1fff"
    with open_store("user", state=asking.state, folder=asking.folder) as opened:
        opened.store.append(
            twin, run.RunStarted("goal"), facts.Asked("0a1fff-1", "why\nx", "run_command", "r")
        )
    done = asking("approve", "0a1fff-1")
    assert done.exit == 2
    assert f"{OTHER}-1" in done.err
    assert f"{twin}-1" in done.err
    assert asking("approve", f"{twin}-1", "--json").json["run"] == twin


def test_a_broken_ledger_hides_no_other_runs_questions(asking: Cli):
    db = sqlite3.connect(asking.db)
    db.execute('UPDATE events SET payload = \'{"goal":"other"}\' WHERE run_id = ? AND seq = 1', (RUN,))
    db.commit()
    db.close()
    done = asking("approve", "-v")
    assert done.exit == 0
    assert "0a1fff-1" in done.out
    assert f"the questions of run {RUN} can't be read; `donewhen audit {RUN}` says why" in done.err
    assert asking("approve", "--json").json["broken"] == [RUN]
    meant = asking("approve", "0a1b2c-2")
    assert meant.exit == 5
    assert "is broken at event 1" in meant.err


def test_hostile_text_in_a_question_is_harmless(cli: Cli):
    evil = "\x1b[2J\x1b]0;pwn\x07rm\u202e\n-rf"
    with open_store("user", state=cli.state, folder=cli.folder) as opened:
        opened.store.append(
            RUN, run.RunStarted("goal"), facts.Asked(f"0a1b2c-1{evil}", f"{evil}\n{evil}", evil, evil)
        )
    for words in (
        ["approve"],
        ["approve", "-q"],
        ["approve", "--json"],
        ["approve", "--verbose"],
        ["approve", "0a1b2c-1"],
    ):
        done = cli(*words)
        assert done.exit == 0
        assert "\x1b" not in done.out
        assert "\u202e" not in done.out


def test_chinese_is_spoken(asking: Cli):
    assert "问题" in asking("approve", DONEWHEN_LANGUAGE="zh").out
    assert "没有问题 x" in asking("deny", "x", DONEWHEN_LANGUAGE="zh").err
    assert "已准许" in asking("approve", "0a1fff", DONEWHEN_LANGUAGE="zh").out


EXECUTE = """
import asyncio, os, sys
from functools import partial
from pathlib import Path
from donewhen.config.user_rules import add_rule
from donewhen.core.events import run
from donewhen.guard import Guard
from donewhen.guard.cases import GROUND
from donewhen.run.approvals import Approvals, Question
from donewhen.run.approvals_askers import Stored
from donewhen.store import open_store
from donewhen.store.owner import this_process
state, name = Path(sys.argv[1]), sys.argv[2]
question = Question(Guard(GROUND).command("npm publish"), "npm publish", "run_command")
with open_store("user", state=state, folder=state) as opened:
    if name not in opened.store.run_ids():
        opened.store.append(name, run.RunStarted("goal"))
    lease = opened.store.lease(name, this_process(), 600)
    asker = Stored(lambda shown: print(shown.ask, flush=True))
    keep = partial(add_rule, env=os.environ)
    answer = asyncio.run(Approvals(opened.store, name, asker, lease=lease, keep=keep).ask(question))
    print(answer.allowed, answer.scope, answer.text, flush=True)
"""


def start(cli: Cli) -> subprocess.Popen[str]:
    """A process that executes the run and asks; the id of its question is its first line."""
    return subprocess.Popen(
        [sys.executable, "-c", EXECUTE, str(cli.state), RUN], stdout=subprocess.PIPE, text=True, env=cli.env
    )


def end(child: subprocess.Popen[str]) -> None:
    child.kill()
    child.wait()
    if child.stdout:
        child.stdout.close()


def line_of(child: subprocess.Popen[str]) -> str:
    assert child.stdout
    return child.stdout.readline().strip()


@pytest.mark.runs
def test_an_answer_to_a_killed_run_is_neither_lost_nor_used_twice(cli: Cli):
    first = start(cli)
    try:
        assert line_of(first) == "0a1b2c-1"
    finally:
        end(first)
    done = cli("approve", "0a1b2c-1")
    assert (done.exit, "when it is resumed" in done.err) == (0, True)
    assert cli("approve", "0a1b2c-1").exit == 2
    second = start(cli)
    try:
        assert [line_of(second), line_of(second)] == ["0a1b2c-1", "True once"]
    finally:
        end(second)
    third = start(cli)
    try:
        assert line_of(third) == "0a1b2c-2"
        assert cli("deny", "0a1b2c-2").exit == 0
        assert line_of(third) == "False once"
    finally:
        end(third)
    types = [json.loads(line)["type"] for line in cli("show", "last", "--events").out.splitlines()]
    assert types == ["run_started", "asked", "answered", "noted", "asked", "answered", "noted", "denied"]


@pytest.mark.runs
def test_of_two_processes_that_answer_at_once_one_is_told_no(asking: Cli):
    command = [sys.executable, "-m", "donewhen"]
    children = [
        subprocess.Popen(
            [*command, word, "0a1b2c-2", "-q"], env=asking.env, cwd=asking.folder, stderr=subprocess.PIPE
        )
        for word in ("approve", "deny", "approve")
    ]
    said = [child.communicate()[1] for child in children]
    assert sorted(child.returncode for child in children) == [0, 2, 2]
    assert sum(b"already answered" in each for each in said) == 2
    assert len(rows(asking)) == 1


def test_an_answer_that_another_one_came_before_is_not_said_to_count(asking: Cli):
    with open_store("user", state=asking.state, folder=asking.folder) as opened:
        store = opened.store
        made = store.request(RUN, Control("deny", "0a1b2c-2", who="ada"))
        check_in_time("0a1b2c-2", made, store)
        store.append(RUN, facts.Answered("0a1b2c-2", False))
        check_in_time("0a1b2c-2", made, store)
        with pytest.raises(UserError, match=r"already answered by a human at .* \(denied\)"):
            check_in_time("0a1b2c-2", made._replace(control=Control("approve", "0a1b2c-2")), store)
        with pytest.raises(UserError, match="already answered"):
            check_in_time("0a1b2c-2", made._replace(at="9999-01-01T00:00:00.000Z"), store)


def test_every_id_that_is_listed_can_be_answered(cli: Cli):
    with open_store("user", state=cli.state, folder=cli.folder) as opened:
        opened.store.append(RUN, run.RunStarted("goal"), facts.Asked("问题-7", "why\nx", "ask_user", ""))
    (name,) = cli("approve", "-q").out.split()
    assert cli("approve", name, "--json").json["ask"] == "问题-7"
    long = cli("approve", "x" * 50_000)
    assert (long.exit, len(long.err) < 300) == (2, True)


def test_a_moment_of_an_imported_ledger_that_is_none_is_no_bug_of_ours(cli: Cli):
    head, records = Head(0, GENESIS), []
    for body in (run.RunStarted("goal"), facts.Asked("0a1b2c-1", "why\nx", "run_command", "r")):
        kind = type_of(body)
        records.append(link(head, RUN, "yesterday", kind, version_of(kind), dumps(to_json(body))))
        head = Head(records[-1].seq, records[-1].hash)
    with open_store("user", state=cli.state, folder=cli.folder) as opened:
        opened.store.restore(records)
    assert "yesterday" in cli("approve").out
    (question,) = cli("approve", "--json").json["questions"]
    assert (question["asked"], question["waiting"]) == ("yesterday", None)


def test_a_store_of_a_newer_version_is_refused_also_in_json(asking: Cli):
    db = sqlite3.connect(asking.db)
    db.execute("PRAGMA user_version = 99")
    db.close()
    for words in (["approve"], ["approve", "0a1b2c-2"], ["deny", "0a1b2c-2"]):
        done = asking(*words, "--json")
        assert done.exit == done.json["error"]["exit"] == 5
        assert done.json["error"]["key"] == "store.newer_schema"


@pytest.mark.runs
def test_a_waiting_process_is_answered_from_another_one(cli: Cli, tmp_path: Path):
    child = start(cli)
    try:
        ask = line_of(child)
        assert ask == "0a1b2c-1"
        assert cli("approve", "-q").out == f"{ask}\n"
        done = cli("approve", ask, "--always", "--note", "ship it")
        assert (done.exit, done.err) == (0, "")
        assert line_of(child) == "True always ship it"
        assert child.wait(60) == 0
    finally:
        end(child)
    assert (
        (cli.config / "config.yml")
        .read_text()
        .startswith("guardrails:\n  rules:\n    - name: always-ada7eb99\n")
    )
    assert cli("config", "validate").exit == 0
    assert cli("audit", "last").exit == 0
    types = [json.loads(line)["type"] for line in cli("show", "last", "--events").out.splitlines()]
    assert types == ["run_started", "asked", "answered", "noted", "noted"]
    assert cli("approve", ask).exit == 2
