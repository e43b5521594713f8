"""Planning with a model over the fake endpoint: what it may do, what is refused, and what a human says to it."""

import json
from typing import Any

import pytest

from donewhen.core.events import facts, run
from donewhen.testing import Answer, Call, FakeModel
from tests.helpers import Cli
from tests.llm_support import (
    CHAT,
    FIX,
    LOOK,
    WIRES,
    WORK,
    Played,
    Protocol,
    configured,
    heard,
    play,
    run_words,
)
from tests.projects import TESTS
from tests.runs import bodies, broken_cart, program

pytestmark = pytest.mark.models

GATES = False
PLANNER = {"roles": {"plan": "openai:planner"}}
PLAN: dict[str, Any] = {
    "todos": [
        {"id": "t1", "content": "find the sum", "paths": ["cart.py"]},
        {"id": "t2", "content": "mend it", "dependencies": ["t1"], "paths": ["cart.py"]},
    ],
    "checks": [{"id": "there", "kind": "file_exists", "target": "cart.py"}],
    "files": ["cart.py"],
}
SET = Call("plan_update", PLAN)
DONE = [
    Call("todo_write", {"todos": [{"id": name, "status": status}]})
    for name in ("t1", "t2")
    for status in ("in_progress", "completed")
]
KEPT = [*DONE[:3], WORK[0], DONE[3], WORK[1]]  # the work, while the second todo is in progress


def models(played: Played) -> list[str]:
    return [each.body["model"] for each in played.asked]


def plans(played: Played) -> list[run.PlanRevised]:
    return [each for each in played.bodies if isinstance(each, run.PlanRevised)]


def test_a_plan_of_todos_checks_and_files_holds_for_the_work(cli: Cli):
    played = play(cli, CHAT, [LOOK, SET, *KEPT], llm=PLANNER)
    assert played.why == (0, "accepted", ""), played.done
    assert models(played) == ["planner"] * 2 + ["fake-model"] * 6
    (plan,) = plans(played)
    assert (plan.files, plan.refused, [each["id"] for each in plan.checks]) == (("cart.py",), (), ["there"])
    assert any(each["id"] == "there" and each["passed"] for each in played.done.json["decision"]["results"])


@pytest.mark.runs
def test_a_required_todo_of_the_plan_holds_acceptance_back(cli: Cli):
    played = play(cli, CHAT, [SET, *DONE[:3], *WORK, DONE[3], WORK[1]], llm=PLANNER)
    assert played.why == (0, "accepted", "")
    assert [each.status for each in played.bodies if isinstance(each, run.Decided)] == [
        "continue",
        "accepted",
    ]


@pytest.mark.runs
def test_the_model_is_told_what_a_todo_and_a_check_are_made_of(cli: Cli):
    played = play(cli, CHAT, [SET, *KEPT], llm=PLANNER)
    tools = {each["function"]["name"]: each["function"] for each in played.asked[0].body["tools"]}
    schema = tools["plan_update"]["parameters"]["properties"]
    text = json.dumps(schema)
    for word in ("dependencies", "paths", "required", "command_success", "content_contains", "target"):
        assert f'"{word}"' in text


@pytest.mark.runs
@pytest.mark.parametrize("protocol", WIRES, ids=lambda each: each.name)
def test_a_model_that_wants_no_plan_just_begins(cli: Cli, protocol: Protocol):
    roles = {"roles": {"plan": f"{protocol.provider}:planner"}}
    played = play(cli, protocol, ["This is one small step.", *WORK], llm=roles)
    assert (played.why, played.fake.problems) == ((0, "accepted", ""), [])
    assert plans(played) == []


@pytest.mark.runs
def test_without_a_role_for_plans_no_model_is_asked_for_one(cli: Cli):
    played = play(cli, CHAT, WORK)
    assert played.why[0] == 0
    assert all("Now: plan" not in heard(each).said[-1] for each in played.asked)


GARBAGE: list[tuple[Any, str]] = [
    ({"todos": "everything"}, "`todos`"),
    ({"todos": [{"content": "no id"}]}, "id"),
    ({"todos": [{"id": "a", "content": "x", "dependencies": ["b"]}]}, "b"),
    ({"checks": [{"id": "x", "kind": "no_such_kind"}]}, "no_such_kind"),
    ({"steps": []}, "steps"),
]


@pytest.mark.runs
def test_a_model_that_plans_garbage_is_told_each_time_and_then_works_without_a_plan(cli: Cli):
    played = play(cli, CHAT, [*(Call("plan_update", args) for args, _ in GARBAGE), *WORK], llm=PLANNER)
    assert played.why == (0, "accepted", "")
    told = [each for each in played.results if each.tool == "plan_update"]
    assert [each.ok for each in told] == [False] * len(GARBAGE)
    for each, (_, word) in zip(told, GARBAGE, strict=True):
        assert word in each.output
    assert models(played) == ["planner"] * 5 + ["fake-model"] * 2
    assert "no plan in 5 rounds" in played.notes
    assert plans(played) == []


@pytest.mark.runs
def test_who_works_while_planning_is_told_to_plan_first(cli: Cli):
    command = Call("run_command", {"command": "rm cart.py"})
    played = play(cli, CHAT, [Answer(calls=(FIX, command, WORK[1])), SET, *KEPT], llm=PLANNER)
    assert played.why == (0, "accepted", "")
    refused = played.results[:3]
    assert [(each.ok, "has to wait until the plan is made" in each.output) for each in refused] == [
        (False, True)
    ] * 3
    assert not any(
        isinstance(each, facts.CommandStarted) and "rm cart" in each.command for each in played.bodies
    )


@pytest.mark.runs
def test_a_plan_that_weakens_is_refused_entry_by_entry(cli: Cli):
    first = {"checks": [{"id": "own", "kind": "command_success", "target": TESTS, "match": "exact"}]}
    weaker = {"checks": [{"id": "own", "kind": "command_success", "target": TESTS, "match": "prefix"}]}
    dropped: dict[str, Any] = {"checks": []}
    answers = [Call("plan_update", first), Call("plan_update", weaker), Call("plan_update", dropped), *WORK]
    played = play(cli, CHAT, answers, llm=PLANNER)
    assert played.why == (0, "accepted", ""), played.done
    made = plans(played)
    assert [len(each.refused) for each in made] == [0, 1, 1]
    assert all([check["match"] for check in each.checks] == ["exact"] for each in made)


@pytest.mark.runs
def test_a_check_that_the_guard_would_not_allow_is_refused_when_the_plan_is_read(cli: Cli):
    bad = [
        {"id": "push", "kind": "command_success", "target": "git push --force origin main"},
        {"id": "keys", "kind": "command_success", "target": "cat .env"},
    ]
    played = play(cli, CHAT, [Call("plan_update", {**PLAN, "checks": bad}), *KEPT], llm=PLANNER)
    assert played.why == (0, "accepted", "")
    (plan,) = plans(played)
    assert (plan.checks, len(plan.refused)) == ((), 2)
    assert all("the guard would not allow its command" in each for each in plan.refused)


# -- a human says yes or no ------------------------------------------------------------------------


def paused(cli: Cli, fake: FakeModel) -> str:
    configured(cli, CHAT, fake.openai_url)
    done = cli(*run_words("--approve-plan", "--on-ask", "pause"))
    assert done.exit == 4, done
    return str(done.json["run"])


def asked(cli: Cli) -> Any:
    (question,) = cli("approve", "--json").json["questions"]
    return question


@pytest.mark.runs
def test_a_human_sees_the_whole_plan_and_says_yes(cli: Cli):
    long = "mend it " + "very carefully " * 80
    plan = {
        **PLAN,
        "todos": [PLAN["todos"][0], {"id": "t2", "content": long.strip(), "dependencies": ["t1"]}],
    }
    broken_cart(cli)
    with FakeModel([Call("plan_update", plan), *KEPT]) as fake:
        run_id = paused(cli, fake)
        question = asked(cli)
        assert question["action"].splitlines() == [
            "Todos:",
            "- [pending] t1: find the sum; in cart.py",
            f"- [pending] t2: {long.strip()}; after t1",
            "Checks that the agent adds:",
            "- there (file_exists): cart.py",
            "Files that it expects to touch:",
            "- cart.py",
        ]
        assert cli("approve", question["ask"]).exit == 0
        done = cli("resume", run_id, "--json")
        assert (done.exit, fake.problems, fake.left) == (0, [], 0), done
    assert sum(isinstance(each, facts.Asked) for each in bodies(cli, run_id)) == 1


@pytest.mark.runs
def test_a_no_with_a_reason_gets_another_plan(cli: Cli):
    second = {"todos": [{"id": "u1", "content": "mend only the sum"}]}
    done_now = [
        Call("todo_write", {"todos": [{"id": "u1", "status": status}]})
        for status in ("in_progress", "completed")
    ]
    broken_cart(cli)
    with FakeModel([SET, Call("plan_update", second), done_now[0], WORK[0], done_now[1], WORK[1]]) as fake:
        run_id = paused(cli, fake)
        assert cli("deny", asked(cli)["ask"], "--note", "One step is enough.").exit == 0
        assert cli("resume", run_id, "--json").exit == 4
        again = heard(fake.requests[1])
        assert "One step is enough." in "\n".join(again.said)
        assert "Now: plan" in again.said[-1]
        question = asked(cli)
        assert "u1: mend only the sum" in question["action"]
        assert "Checks" not in question["action"]
        assert cli("approve", question["ask"]).exit == 0
        done = cli("resume", run_id, "--json")
        assert (done.exit, fake.problems, fake.left) == (0, [], 0), done


@pytest.mark.runs
def test_a_no_without_a_reason_ends_the_run(cli: Cli):
    broken_cart(cli)
    with FakeModel([SET]) as fake:
        run_id = paused(cli, fake)
        assert cli("deny", asked(cli)["ask"]).exit == 0
        done = cli("resume", run_id, "--json")
    assert (done.json["decision"]["stop_reason"], done.json["decision"]["cause"]) == (
        "user_interrupt",
        "plan",
    )


@pytest.mark.runs
def test_the_third_no_ends_the_run_also_across_processes(cli: Cli):
    broken_cart(cli)
    with FakeModel([SET], then="repeat-last") as fake:
        run_id = paused(cli, fake)
        for number in (1, 2, 3):
            assert cli("deny", asked(cli)["ask"], "--note", f"No, {number}.").exit == 0
            done = cli("resume", run_id, "--json")
        assert len(fake.requests) == 3
    assert (done.json["decision"]["stop_reason"], done.json["decision"]["cause"]) == (
        "user_interrupt",
        "plan",
    )


@pytest.mark.runs
def test_who_owes_a_plan_to_a_human_is_reminded_and_the_human_is_told_that_there_is_none(cli: Cli):
    broken_cart(cli)
    with FakeModel(["I just begin."], then="repeat-last") as fake:
        paused(cli, fake)
        assert len(fake.requests) == 5
        assert "a human waits to read your plan" in "\n".join(heard(fake.requests[1]).said)
    assert asked(cli)["action"] == "The agent set no plan: no todos, no checks, no files."


def test_hooks_look_at_the_calls_for_a_plan_too(cli: Cli):
    broken_cart(cli)
    refusing = program(cli, "hook.sh", "echo 'no models today' >&2; exit 2")
    hooks = {"commands": [{"name": "mine", "point": "before_model", "command": [refusing]}]}
    played = play(cli, CHAT, [SET], llm=PLANNER, hooks=hooks)
    assert (played.why[1:], played.asked) == (("fatal_error", "hook"), []), played.done
