"""What other processes want of a live run reaches it while a command is still running."""

import json
from pathlib import Path

import pytest

from tests.faults.aftermath import orphans
from tests.faults.plays import CLAIM, FIX, Play
from tests.faults.scenes import Scene, ended, plain, seen
from tests.faults.stage import Stage

pytestmark = pytest.mark.faults


def test_an_abort_ends_a_live_run_while_its_command_sleeps(tmp_path: Path):
    scene = Scene(tmp_path)
    process = scene.under_way()
    asked = scene.stage.call("abort", "last", "-q")
    done = ended(process)
    assert (asked.exit, done.exit, "Traceback" in done.err) == (0, 130, False), (asked, done)
    assert (scene.stage.row.state, scene.stage.row.stop_reason) == ("fail", "user_interrupt")
    refs = scene.stage.git("for-each-ref", "--format=%(refname)").splitlines()
    assert any(name.endswith("/work") for name in refs)
    assert orphans(scene.stage.base) == []
    assert scene.stage.call("resume", "last", "-q").exit != 70


@pytest.mark.parametrize(
    ("words", "event"),
    [
        (("confirm", "last", "looks good"), "answered"),
        (("amend", "last", "--accept", "python3 -c pass", "--yes"), "promise_amended"),
    ],
    ids=["confirm", "amend"],
)
def test_a_wish_reaches_the_run_while_its_command_runs(tmp_path: Path, words: tuple[str, ...], event: str):
    promise = tmp_path / "promise.json"
    confirmed = [{"type": "user-confirmed", "target": "looks good"}] if event == "answered" else []
    promise.write_text(json.dumps({"objective": "the cart adds up", "done_when": confirmed}))
    play = plain(tmp_path.resolve())._replace(words=("--promise", str(promise), "--yes"))
    scene = Scene(tmp_path, play, rehearse=False)
    process = scene.under_way()
    asked = scene.stage.call(*words)
    assert asked.exit == 0, asked
    seen(process, event)
    assert not (scene.folder / "open").exists()  # the command was still waiting
    scene.let_go()
    done = ended(process)
    assert (done.exit, scene.stage.row.stop_reason) == (0, "accepted"), done


def test_an_answer_reaches_a_run_that_waits_for_it(tmp_path: Path):
    asks = {"bash": "kill 2147483646; echo asked > asked.txt"}
    stage = Stage(tmp_path / "s", Play("asks", [FIX, asks, CLAIM]))
    process = stage.start(*stage.run_words, "--events")
    ask = seen(process, "asked")
    name = ask.get("ask") or ask["body"]["ask"]
    assert stage.call("approve", name).exit == 0
    done = ended(process)
    assert (done.exit, stage.row.stop_reason) == (0, "accepted"), done
    assert stage.git("show", f"{stage.row.branch}:asked.txt") == "asked"
