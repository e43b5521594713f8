"""A plan that a human refuses, beside the tasks of a spec: what holds afterwards, and how it is shown."""

from typing import Any

import pytest

from donewhen.core.events import facts, run
from donewhen.testing import Call, FakeModel
from tests.helpers import Cli
from tests.llm_support import CHAT, KEY, at, configured
from tests.projects import TESTS, git
from tests.runs import bodies
from tests.spec_project import CHANGE, CLAIM, TASK_LIST, TASKS, WRITE, WRITE_TESTS, moved, spec_project

GATES = False
FIRST = Call(
    "plan_update",
    {
        "todos": [{"id": "t1", "content": "write a changelog"}],
        "checks": [{"id": "log", "kind": "file_exists", "target": "CHANGELOG.md"}],
        "files": ["CHANGELOG.md"],
    },
)
SECOND = Call("plan_update", {"todos": [{"id": "t2", "content": "look"}], "files": ["cart.py"]})
STAY = "todos from the user's spec stay beside what a plan adds: 1.1, 1.2"


def begun(cli: Cli, fake: FakeModel) -> str:
    spec_project(cli)
    configured(cli, CHAT, at(fake, CHAT))
    words = ("--spec", CHANGE, "--accept", TESTS, "--approve-plan", "--on-ask", "pause", "--json")
    done = cli("run", *words)
    assert done.exit == 4, done
    return str(done.json["run"])


def asked(cli: Cli) -> Any:
    return cli("approve", "--json").json["questions"][-1]


def test_a_refused_plan_leaves_nothing_behind_and_a_waived_task_stays_open(cli: Cli):
    work = ("1.1", "1.2", "t2")
    deck = [moved("in_progress", *work), WRITE, WRITE_TESTS, moved("completed", *work)]
    with FakeModel([FIRST, SECOND, *deck, moved("canceled", "2.1"), CLAIM], key=KEY) as fake:
        run_id = begun(cli, fake)
        assert "t1: write a changelog" in asked(cli)["action"]
        assert cli("amend", run_id, "--optional", "2.1", "--yes").exit == 0
        assert cli("resume", run_id, "--json").exit == 4  # the plan is another one now, so it is asked again
        assert cli("deny", asked(cli)["ask"], "--note", "No changelog.").exit == 0
        assert cli("resume", run_id, "--json").exit == 4
        question = asked(cli)
        assert question["action"].splitlines() == [
            "Todos:",
            "- [pending] 1.1 Take a percentage off the total",
            "- [pending] 1.2 Refuse percentages below 0 and above 100",
            "- [pending] 2.1 One test for each scenario; optional",
            "- [pending] t2: look",
            "Files that it expects to touch:",
            "- cart.py",
            "What the run did not take over of it:",
            f"- {STAY}",
        ]
        assert cli("approve", question["ask"]).exit == 0
        done = cli("resume", run_id, "--json")
        assert (done.exit, fake.problems, fake.left) == (0, [], 0), done
    (back,) = [each for each in bodies(cli, run_id) if isinstance(each, run.PlanWithdrawn)]
    assert ([each["id"] for each in back.todos], back.checks, back.files) == (["1.1", "1.2", "2.1"], (), ())
    shown = cli("show", run_id, "--json").json
    assert {each["id"]: each.get("status") for each in shown["todos"]} == {
        "1.1": "completed",
        "1.2": "completed",
        "2.1": "canceled",
        "t2": "completed",
    }
    shipped = git(cli.folder, "show", f"{done.json['commit']}:{TASKS}") + "\n"
    assert shipped == TASK_LIST.replace("[ ] 1", "[x] 1")
    undone = "accepted without todos of your spec, which are not ticked: 2.1 (canceled)"
    assert undone in done.json["notes"]
    assert undone in cli("report", run_id, "--html").out


@pytest.mark.runs
def test_a_plan_is_listed_whole_and_what_a_no_means_is_said(cli: Cli):
    with FakeModel([FIRST], key=KEY) as fake:
        run_id = begun(cli, fake)
        page = cli("approve").out
        ask = asked(cli)["ask"]
        for line in ("  | - [pending] 1.1 Take a percentage off the total", "  | - CHANGELOG.md"):
            assert line in page.splitlines()
        below = page.split("\n\n", 1)[1].splitlines()
        assert all(len(line) < 80 for line in below) and "\\n" not in page
        assert "a no without one ends the run" in " ".join(page.split())
        always = cli("approve", ask, "--always")
        assert (always.exit, "no rule can allow plans" in always.err) == (2, True)
        denied = cli("deny", ask)
        assert (
            denied.out == f"the plan of question {ask} is denied; as no --note says why, run {run_id} ends\n"
        )
        done = cli("resume", run_id)
    assert "the work had not begun" in done.out + done.err
    assert "kept as a commit" not in done.out + done.err
    last = [each for each in bodies(cli, run_id) if isinstance(each, run.PlanWithdrawn | facts.Answered)]
    assert [type(each) for each in last] == [facts.Answered, run.PlanWithdrawn]
