"""An OpenSpec change from `run --spec` over the fake endpoint to a merged branch, and where it ends otherwise."""

import json
from pathlib import Path
from typing import Any

import pytest

from donewhen.core.events import facts, run
from donewhen.testing import Call
from tests.helpers import Cli
from tests.llm_support import Played, heard
from tests.projects import git
from tests.review_support import finding, judged, reply, reviews, told
from tests.runs import attempts, once, program
from tests.spec_project import (
    BEGIN,
    CHANGE,
    CLAIM,
    DECK,
    DISCOUNT,
    DISCOUNT_TEST,
    FINISH,
    FOLDER,
    SCENARIOS,
    TASK_LIST,
    TASKS,
    WRITE,
    WRITE_TESTS,
    moved,
    play_spec,
    spec_project,
)

GATES = False
MERGE: dict[str, Any] = {"ship": {"mode": "merge", "to_protected": True}}
JUDGE: dict[str, Any] = {"verification": {"semantic": {"model": "openai:judge"}}}
TICKED = TASK_LIST.replace("[ ]", "[x]")
QUOTES = (
    {"file": "cart.py", "line": 8, "text": "return total(prices) * (100 - percent) / 100"},
    {"file": "cart.py", "line": 6, "text": "if not 0 <= percent <= 100:"},
)
MET = reply(
    criteria=tuple(
        judged(name, "met", quote)
        for name, quote in zip(("cart/discount", "cart/discount-limits"), QUOTES, strict=True)
    )
)
FINE = reply()
COMMIT = "git -c user.name=a -c user.email=a@example.org commit -q"


def at(cli: Cli, rev: str, path: str) -> str:
    return git(cli.folder, "show", f"{rev}:{path}") + "\n"


def proven(played: Played) -> dict[str, tuple[str, tuple[str, ...]]]:
    """The last word on each scenario, and the files of its tests."""
    found = [each for each in played.bodies if isinstance(each, facts.Verified)]
    return {
        each.scope: (each.verdict, tuple(str(one).partition(":")[0] for one in each.details["linked"]))
        for each in found
        if each.verifier == "scenario"
    }


ALL = dict.fromkeys(SCENARIOS, ("passed", ("test_discount.py",)))


def off_main(cli: Cli) -> Path:
    """The project, its user on another branch at the same commit."""
    spec_project(cli)
    git(cli.folder, "switch", "-q", "-c", "mine")
    return cli.folder


def meanwhile(cli: Cli, text: str) -> dict[str, Any]:
    """Somebody commits to main, once, just before the run is accepted."""
    work = f"git worktree add -q ../elsewhere main -f; cd ../elsewhere; {text}; {COMMIT} -m theirs; cd -; git worktree remove -f ../elsewhere"
    hook = program(cli, "meanwhile.sh", once(cli, "had", f"cd '{cli.folder}'\nexec >/dev/null\n{work}"))
    return {"hooks": {"commands": [{"name": "mine", "point": "before_accept", "command": [hook]}]}}


# -- all goes well ---------------------------------------------------------------------------------


@pytest.mark.runs
def test_a_change_is_accepted_with_all_scenarios_linked_and_tasks_ticked(cli: Cli):
    played = play_spec(cli)
    assert played.why == (0, "accepted", ""), played.done
    assert (played.fake.problems, played.fake.left) == ([], 0)
    assert proven(played) == ALL
    data = played.done.json
    assert at(cli, data["commit"], TASKS) == TICKED
    assert data["changed"] == ["cart.py", TASKS, "test_discount.py"]
    assert (cli.folder / TASKS).read_text() == TASK_LIST
    (ticked,) = [each for each in played.bodies if isinstance(each, facts.FileChanged) and each.path == TASKS]
    assert ticked.by == "harness"


def test_it_goes_on_to_the_merged_branch(cli: Cli):
    user = off_main(cli)
    played = play_spec(cli, **MERGE)
    data = played.done.json
    assert (played.why, data["target"]) == ((0, "accepted", ""), "main"), played.done
    assert git(user, "rev-parse", "main") == data["merged"]
    assert (at(cli, "main", TASKS), at(cli, "main", "cart.py")) == (TICKED, DISCOUNT)
    assert proven(played) == ALL
    assert cli("audit", "--record", data["record"], "--commit", "main").exit == 0


@pytest.mark.runs
def test_scenario_test_and_evidence_stand_in_summary_report_and_record(cli: Cli):
    played = play_spec(cli)
    listed = played.done.json["scenarios"]
    assert [(each["id"], each["verdict"]) for each in listed] == [(name, "passed") for name in SCENARIOS]
    shown = cli("resume", played.id).out
    report = cli("report", played.id).out
    record = json.loads(Path(played.done.json["record"]).read_text())["predicate"]["evidence"]
    of_record = {each["scope"]: each for each in record if each.get("verifier") == "scenario"}
    for each in listed:
        (test,) = each["tests"]
        assert f"{each['id']} → {test} (event {each['event']})" in shown
        assert f"scenario {each['id']}" in report and test in report
        kept = of_record[each["id"]]
        assert (kept["verdict"], kept["tests"], kept["seq"]) == ("passed", [test], each["event"])


@pytest.mark.runs
def test_the_model_reads_criteria_scenarios_and_tasks(cli: Cli):
    played = play_spec(cli)
    first = heard(played.asked[0])
    for word in ("The cart SHALL take a percentage off its total.", "A fifth off", "cart/discount"):
        assert word in first.system
    assert "1.2 Refuse percentages below 0 and above 100" in first.said[-1]
    assert CHANGE in first.said[0]


@pytest.mark.runs
def test_archiving_is_proposed_and_not_done(cli: Cli):
    played = play_spec(cli)
    (note,) = [each for each in played.done.json["notes"] if "archive" in each]
    assert f"`openspec archive {CHANGE}` writes openspec/specs/cart/spec.md" in note
    assert "openspec/changes/archive/20" in note and note.endswith(f"-{CHANGE}")
    assert note in played.notes
    assert git(
        cli.folder, "ls-tree", "-r", "--name-only", played.done.json["commit"], "openspec/changes"
    ).split() == [
        f"{FOLDER}/proposal.md",
        f"{FOLDER}/specs/cart/spec.md",
        TASKS,
    ]


# -- boxes -----------------------------------------------------------------------------------------


@pytest.mark.runs
def test_an_open_task_holds_acceptance_back_and_its_box_open(cli: Cli):
    deck = [
        BEGIN,
        WRITE,
        WRITE_TESTS,
        moved("completed", "1.1", "2.1"),
        CLAIM,
        moved("completed", "1.2"),
        CLAIM,
    ]
    played = play_spec(cli, deck)
    assert played.why == (0, "accepted", ""), played.done
    assert attempts(cli, played.id) == ["continue", "accepted"]
    assert at(cli, played.done.json["commit"], TASKS) == TICKED
    ticked = [each for each in played.bodies if isinstance(each, facts.FileChanged) and each.path == TASKS]
    assert len(ticked) == 2


@pytest.mark.runs
def test_a_plan_splits_a_task_but_the_task_itself_ticks_its_box(cli: Cli):
    plan = Call(
        "plan_update",
        {
            "todos": [
                {"id": "a", "content": "refuse below 0", "supersedes": ["1.2"]},
                {"id": "b", "content": "refuse above 100", "supersedes": ["1.2"]},
            ]
        },
    )
    ids = ("1.1", "2.1", "a", "b")
    deck = [plan, moved("in_progress", *ids), WRITE, WRITE_TESTS, moved("completed", *ids), CLAIM]
    rest = [moved("canceled", "1.2"), moved("in_progress", "1.2"), moved("completed", "1.2"), CLAIM]
    played = play_spec(cli, [*deck, *rest])
    assert played.why == (0, "accepted", ""), played.done
    assert attempts(cli, played.id) == ["continue", "accepted"]
    assert at(cli, played.done.json["commit"], TASKS) == TICKED
    (refused,) = [each for each in played.results if each.tool == "todo_write" and not each.ok]
    assert "1.2 comes from the user's spec and can't be canceled" in refused.output
    (revised,) = [each for each in played.bodies if isinstance(each, run.PlanRevised)]
    assert revised.refused == ("todos from the user's spec stay beside what a plan adds: 1.1, 1.2, 2.1",)


@pytest.mark.runs
def test_a_plan_can_not_do_without_the_tasks_of_the_change(cli: Cli):
    plan = Call("plan_update", {"todos": [{"id": "t1", "content": "have a look"}]})
    deck = [plan, moved("in_progress", "t1"), WRITE, WRITE_TESTS, moved("completed", "t1"), CLAIM]
    played = play_spec(cli, deck, then="repeat-last")
    assert played.why[1] == "accept_continue_exhausted", played.done
    decided = [each for each in played.bodies if isinstance(each, run.Decided)]
    assert all({"1.1", "1.2", "2.1"} <= set(each.pending) for each in decided)
    assert not any(isinstance(each, facts.FileChanged) and each.path == TASKS for each in played.bodies)


@pytest.mark.runs
def test_nothing_else_of_the_file_is_touched(cli: Cli):
    odd = (
        TASK_LIST.replace("\n", "\r\n").replace("## 1. Cart", "\ufeff## 1. Cart")
        + "- [ ] \t  odd  \r\nLast line"
    )
    spec_project(cli, {TASKS: odd})
    ids = ("1.1", "1.2", "2.1")
    optional = Call("todo_write", {"todos": [{"id": "task-4", "status": "in_progress"}]})
    done = Call("todo_write", {"todos": [{"id": "task-4", "status": "completed"}]})
    deck = [BEGIN, optional, WRITE, WRITE_TESTS, moved("completed", *ids), done, CLAIM]
    played = play_spec(cli, deck)
    assert played.why == (0, "accepted", ""), played.done
    shipped = git(cli.folder, "cat-file", "-p", f"{played.done.json['commit']}:{TASKS}")
    assert shipped.replace("\r\n", "\n") == odd.replace("[ ]", "[x]").replace("\r\n", "\n")


@pytest.mark.runs
def test_boxes_out_of_scope_stay_and_that_is_said(cli: Cli):
    spec_project(cli)
    promise = cli.folder.parent / "promise.yml"
    promise.write_text('{"allowed_scope": ["*.py"]}')
    played = play_spec(cli, DECK, "--promise", str(promise))
    assert played.why == (0, "accepted", ""), played.done
    assert at(cli, played.done.json["commit"], TASKS) == TASK_LIST
    assert "were not ticked" in played.notes
    assert "with open tasks (3)" in played.notes


@pytest.mark.runs
def test_ticking_alone_is_no_work(cli: Cli):
    played = play_spec(cli, [BEGIN, FINISH, CLAIM], then="repeat-last")
    assert played.why[1] != "accepted"
    assert not any(isinstance(each, facts.FileChanged) for each in played.bodies)


@pytest.mark.runs
def test_tasks_that_became_a_link_are_left_alone(cli: Cli):
    swap = Call("run_command", {"command": f"rm {TASKS} && ln -s ../../../cart.py {TASKS}"})
    played = play_spec(cli, [BEGIN, WRITE, WRITE_TESTS, swap, FINISH, CLAIM])
    assert played.why == (0, "accepted", ""), played.done
    assert at(cli, played.done.json["commit"], "cart.py") == DISCOUNT
    assert "were not ticked" in played.notes


@pytest.mark.runs
def test_a_scenario_that_no_test_names_is_told_with_what_to_write(cli: Cli):
    text = DISCOUNT_TEST.replace(SCENARIOS[3], "x/y/z")
    half = Call("write_file", {"path": "test_discount.py", "content": text})
    played = play_spec(cli, [BEGIN, WRITE, half, FINISH, CLAIM, WRITE_TESTS, CLAIM])
    assert played.why == (0, "accepted", ""), played.done
    assert attempts(cli, played.id) == ["continue", "accepted"]
    assert SCENARIOS[3] in told(played)


# -- the variants ----------------------------------------------------------------------------------


@pytest.mark.runs
def test_a_reviewer_that_objects_once(cli: Cli):
    user = off_main(cli)
    mended = Call(
        "edit_file",
        {"path": "cart.py", "edits": [{"old": "/ 100", "new": "/ 100  # in the shop's currency"}]},
    )
    objection = reply(
        finding(line=8, message="the currency is not said", suggestion="say it", rule="currency")
    )
    again = reply(criteria=(judged("finding-1", "met", QUOTES[1]),))
    deck = [*DECK, MET, objection, mended, CLAIM, MET, again]
    played = play_spec(cli, deck, **MERGE, **JUDGE)
    assert (played.why, played.fake.left) == ((0, "accepted", ""), 0), played.done
    assert attempts(cli, played.id) == ["continue", "accepted"]
    assert [each.overall for each in reviews(played)] == ["fail", "pass"]
    assert "the currency is not said" in told(played)
    assert "in the shop's currency" in at(cli, "main", "cart.py")
    assert git(user, "rev-parse", "main") == played.done.json["merged"]
    asked = json.dumps([each.body for each in played.asked if each.body["model"] == "judge"])
    assert "A fifth off" in asked


@pytest.mark.runs
def test_a_target_that_moved_is_merged_and_proven_again(cli: Cli):
    user = off_main(cli)
    played = play_spec(cli, **MERGE, **meanwhile(cli, "echo 'VALUE = 1' > other.py; git add other.py"))
    data = played.done.json
    assert (played.why, data["target"]) == ((0, "accepted", ""), "main"), played.done
    assert at(cli, "main", "other.py") == "VALUE = 1\n"
    assert (at(cli, "main", TASKS), at(cli, "main", "cart.py")) == (TICKED, DISCOUNT)
    tree = git(user, "rev-parse", "main^{tree}")
    decided = [each for each in played.bodies if isinstance(each, run.Decided)][-1]
    assert decided.fingerprint == tree
    assert proven(played) == ALL


@pytest.mark.runs
def test_a_conflict_is_handed_over_with_the_branch_kept(cli: Cli):
    off_main(cli)
    theirs = "printf 'def total(prices):\\n    return 4\\n\\n\\ndef other():\\n    pass\\n' > cart.py; git add cart.py"
    played = play_spec(cli, **MERGE, **meanwhile(cli, theirs))
    data = played.done.json
    assert (played.why, data["state"]) == ((4, "escalated", "merge_conflict"), "fail"), played.done
    assert at(cli, data["branch"], "cart.py") == DISCOUNT
    assert git(cli.folder, "log", "--format=%s", "main").splitlines()[0] == "theirs"


@pytest.mark.runs
def test_a_secret_in_the_diff_never_leaves(cli: Cli):
    off_main(cli)
    key = "AKIA" + "Z7QH4M2KX5PLTR3W"
    leak = Call("write_file", {"path": "keys.py", "content": f'KEY = "{key}"\n'})
    played = play_spec(cli, [BEGIN, WRITE, WRITE_TESTS, leak, FINISH, CLAIM], **MERGE, then="repeat-last")
    assert played.why[1] != "accepted", played.done
    for ref in git(cli.folder, "for-each-ref", "--format=%(refname)", "refs/heads").split():
        assert key not in git(cli.folder, "log", ref, "-p")
    assert git(cli.folder, "rev-parse", "main") == git(cli.folder, "rev-parse", "mine")
