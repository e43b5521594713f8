"""Order, layers, trust, what is recorded, and what the next hook sees."""

from typing import Any

import pytest

from donewhen.core.hooking import PASSED, POINTS
from tests.hooks.ground import Ground


def noting(name: str, point: str = "before_tool", **more: Any) -> dict[str, Any]:
    command = ["/bin/sh", "-c", f'printf \'{{"note": "{name}"}}\'']
    return {"name": name, "point": point, "command": command, **more}


def blocking(name: str, **more: Any) -> dict[str, Any]:
    return noting(name, **more) | {"command": ["/bin/sh", "-c", f"echo {name} >&2; exit 2"]}


def test_user_comes_before_project_then_priority_then_name(ground: Ground):
    ground.user(commands=[noting("z"), noting("m", priority=5), noting("first", priority=-5), noting("b")])
    ground.project(trusted=True, commands=[noting("p2", priority=-900), noting("p1", priority=-900)])
    assert ground.call("before_tool").notes == ("first", "b", "z", "m", "p1", "p2")


def test_hooks_of_environment_and_flags_count_as_the_users(ground: Ground):
    ground.project(trusted=True, commands=[noting("a", priority=-5)])
    ground.env["DONEWHEN_HOOKS__COMMANDS"] = (
        '[{"name": "z", "point": "before_tool", "command": ["/bin/sh", "-c", "exit 0"]}]'
    )
    ground.call("before_tool")
    assert [event.hook for event in ground.recorded] == ["z", "a"]


def test_the_first_block_stops_and_keeps_earlier_notes(ground: Ground):
    ground.user(commands=[noting("a"), blocking("b"), blocking("c")])
    verdict = ground.call("before_tool")
    assert (verdict.blocked, verdict.by, verdict.notes) == ("b", "b", ("a",))
    assert [(event.hook, event.outcome) for event in ground.recorded] == [("a", "noted"), ("b", "blocked")]


def test_where_nothing_can_be_blocked_all_are_called(ground: Ground):
    ground.user(commands=[blocking("a", point="run_end"), noting("b", "run_end")])
    verdict = ground.call("run_end")
    assert (verdict.blocked, verdict.notes) == ("", ("a", "b"))


def test_hooks_of_an_untrusted_project_never_run(ground: Ground):
    ground.user()
    mark = ground.workspace / "ran"
    hostile = {"name": "evil", "point": "before_tool", "command": ["/usr/bin/touch", str(mark)]}
    ground.project(trusted=False, commands=[hostile])
    hooks = ground.hooks()
    assert not hooks.listens("before_tool")
    assert ground.call("before_tool", hooks) == PASSED and not mark.exists()
    assert [ignored.path for ignored in ground.loaded().ignored] == [("hooks", "commands", "evil")]


def test_an_untrusted_project_cannot_replace_a_hook_of_the_user_or_slow_it(ground: Ground):
    ground.user(commands=[blocking("mine")])
    ground.project(
        trusted=False, timeout=0.001, enabled=[], commands=[noting("mine", fail_open=True, timeout=0.001)]
    )
    assert ground.call("before_tool").blocked == "mine"


def test_arguments_changed_by_one_are_what_the_next_one_sees(ground: Ground):
    double = "import json, sys\nargs = json.load(sys.stdin)['data']['args']\nprint(json.dumps({'args': {'n': args['n'] * 2}}))"
    command = ground.script("double.py", double)
    ground.user(commands=[{"name": name, "point": "before_tool", "command": command} for name in ("a", "b")])
    verdict = ground.call("before_tool", tool="t", args={"n": 3})
    assert (verdict.args, verdict.by, verdict.blocked) == ({"n": 12}, "b", "")
    assert [event.outcome for event in ground.recorded] == ["changed", "changed"]


def test_changed_arguments_of_a_blocked_call_are_not_handed_on(ground: Ground):
    change = {
        "name": "a",
        "point": "before_tool",
        "command": ["/bin/sh", "-c", 'printf \'{"args": {"n": 1}}\''],
    }
    ground.user(commands=[change, blocking("b")])
    verdict = ground.call("before_tool", args={"n": 3})
    assert (verdict.blocked, verdict.args) == ("b", None)


def test_arguments_can_be_changed_before_a_tool_alone(ground: Ground):
    ground.only(["/bin/sh", "-c", "printf '{\"args\": {}}'"], "before_commit")
    assert "only a hook at before_tool can" in ground.call("before_commit").blocked


@pytest.mark.parametrize("point", POINTS)
def test_a_hook_is_called_at_its_point_alone(ground: Ground, point):
    ground.user(commands=[noting("only", point)])
    hooks = ground.hooks()
    assert [each for each in POINTS if hooks.listens(each)] == [point]
    others = [ground.call(each, hooks) for each in POINTS if each != point]
    assert set(others) == {PASSED} and not ground.recorded
    assert ground.call(point, hooks).notes == ("only",)


def test_at_a_point_that_nobody_listens_to_nothing_is_made_or_written(ground: Ground):
    ground.user()
    hooks = ground.hooks()
    assert ground.call("before_tool", hooks, tool="x") is PASSED
    assert not ground.recorded and not any(hooks.listens(point) for point in POINTS)


def test_reasons_are_said_in_the_users_language(ground: Ground):
    ground.only(["/bin/sh", "-c", "exit 9"])
    ground.env["LANG"] = "zh_CN.UTF-8"
    assert "钩子 mine" in ground.call("before_tool").blocked


def test_which_built_in_hooks_are_on_by_default(ground: Ground):
    hooks = ground.hooks()
    listening = {point for point in POINTS if hooks.listens(point)}
    assert listening == {
        "before_commit",
        "before_pr",
        "after_tool",
        "on_tool_fail",
        "state_change",
        "on_fail",
    }


def test_a_hook_that_on_failure_names_is_called_when_a_run_fails(ground: Ground):
    ground.user(on_failure=["log-operations"])
    hooks = ground.hooks()
    assert [point for point in POINTS if hooks.listens(point)] == ["on_fail"]
    assert ground.call("on_fail", hooks, reason="budget") == PASSED
    assert "budget" in (ground.state / "logs/r-1.jsonl").read_text()
