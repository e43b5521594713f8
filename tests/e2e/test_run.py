"""`donewhen run` as a user calls it: who is accepted, who is not, and what lies where afterwards."""

import json
from pathlib import Path

import pytest

from donewhen.core.events import facts, run
from tests.helpers import Cli
from tests.projects import BUG, CART, CART_TEST, TESTS, everything, git, write
from tests.runs import (
    CLAIM,
    FIX,
    LOOK,
    QUICK,
    attempts,
    bodies,
    broken_cart,
    donewhen,
    hook,
    once,
    play,
    refs,
    told,
    untouched,
)

pytestmark = pytest.mark.walls

GATES = False
WEAKER = CART_TEST.replace("self.assertEqual(total([1, 2]), 3)", "self.assertTrue(total([1, 2]))")
LATER = {"write": {"path": "notes.md", "content": "later\n"}}


def promise(cli: Cli, **parts: object) -> tuple[str, ...]:
    path = cli.folder.parent / "promise.json"
    path.write_text(json.dumps({"objective": "the cart adds up", "accept": [TESTS], **parts}))
    return ("--promise", str(path), *QUICK)


def test_an_honest_run_is_accepted_and_only_its_branch_is_new(cli: Cli):
    user = broken_cart(cli)
    write(user, {"mine.txt": "not committed"})
    git(user, "stash", "push", "-q", "-u")
    write(user, {"draft.txt": "not committed either", "cart.py": BUG + "# thinking\n"})
    git(user, "add", "draft.txt")
    before, head = everything(user), git(user, "rev-parse", "HEAD")
    copy = cli.folder.parent / "record.json"

    done = play(cli, FIX, LOOK, CLAIM, more=["--record", str(copy)])

    data = done.json
    assert (done.exit, data["state"], data["decision"]["stop_reason"]) == (0, "done", "accepted")
    assert untouched(before, everything(user)) == []
    branch = data["branch"]
    assert branch == f"donewhen/fix-cart-{data['run'][-4:]}"
    assert set(refs(user)) == {"refs/heads/main", f"refs/heads/{branch}", "refs/stash"}
    assert git(user, "rev-parse", f"{branch}^") == head
    assert git(user, "show", f"{branch}:cart.py") == CART.rstrip()
    assert git(user, "diff", "--name-only", head, branch) == "cart.py"
    tree = git(user, "rev-parse", f"{branch}^{{tree}}")
    decided = [body for body in bodies(cli, data["run"]) if isinstance(body, run.Decided)]
    assert decided[-1].fingerprint == tree
    subject = json.loads(copy.read_text())["subject"]
    assert tree in json.dumps(subject)
    assert data["workspace"] is None
    opened = next(body for body in bodies(cli, data["run"]) if isinstance(body, run.WorkspaceOpened))
    assert not Path(opened.path).exists()
    assert cli("audit", "--record", str(copy), "--commit", branch).exit == 0
    assert cli("audit", "--record", str(copy), "--commit", "main").exit == 1
    assert cli("audit", data["run"]).exit == 0
    assert "accepted" in cli("show", data["run"]).out
    assert data["run"] in cli("list").out


@pytest.mark.runs
def test_json_has_the_documented_shape_and_stdout_holds_nothing_else(cli: Cli):
    broken_cart(cli)
    done = play(cli, FIX, CLAIM, more=QUICK)
    data = done.json
    assert {"run", "state", "decision", "verification", "metrics", "branch", "record"} <= data.keys()
    assert data["version"] == 1
    assert set(data["decision"]) >= {"status", "stop_reason", "cause", "summary", "details", "results"}
    assert set(data["metrics"]) >= {"duration", "cost", "attempts", "budget_used"}
    assert {"id", "kind", "target", "passed", "reason", "evidence"} <= data["decision"]["results"][0].keys()
    assert (data["metrics"]["attempts"], data["metrics"]["cost"], data["metrics"]["budget_used"]) == (1, 0, 0)
    assert Path(data["record"]).is_file()


@pytest.mark.runs
def test_a_masked_look_proves_nothing_and_the_agent_hears_why(cli: Cli):
    user = broken_cart(cli)
    done = play(
        cli,
        {"bash": f"{TESTS} 2>&1 | tail -3; true"},
        {"done": "All tests pass."},
        FIX,
        CLAIM,
        more=QUICK,
    )
    data = done.json
    assert (done.exit, attempts(cli, data["run"])) == (0, ["continue", "accepted"])
    assert "the line can return 0 when it fails" in told(cli, data["run"])
    assert git(user, "show", f"{data['branch']}:cart.py") == CART.rstrip()


@pytest.mark.runs
def test_a_weakened_test_is_seen_and_must_be_put_back(cli: Cli):
    user = broken_cart(cli)
    done = play(
        cli,
        {"write": {"path": "test_cart.py", "content": WEAKER}},
        CLAIM,
        {"write": {"path": "test_cart.py", "content": CART_TEST}},
        FIX,
        CLAIM,
    )
    data = done.json
    assert (done.exit, attempts(cli, data["run"])) == (0, ["continue", "accepted"])
    assert "test_cart.py" in told(cli, data["run"])
    assert git(user, "diff", "--name-only", "main", data["branch"]) == "cart.py"


@pytest.mark.runs
def test_claims_that_stay_false_are_handed_over_and_the_work_is_kept(cli: Cli):
    user = broken_cart(cli)
    before = everything(user)
    done = play(cli, LATER, CLAIM, after_last="repeat_done", more=QUICK)
    data = done.json
    assert (done.exit, data["state"]) == (4, "paused")
    decision = data["decision"]
    assert (decision["status"], decision["stop_reason"]) == ("stopped", "escalated")
    assert decision["cause"] in ("accept_continue_exhausted", "max_retries")
    assert attempts(cli, data["run"]) == ["continue"] * 4 + ["stopped"]
    assert untouched(before, everything(user)) == []
    assert (Path(data["workspace"]) / "notes.md").read_text() == "later\n"
    work = refs(user)[f"refs/donewhen/{data['run']}/work"]
    assert work == data["work"]
    assert git(user, "show", f"{work}:notes.md") == "later"
    assert "escalated" in cli("show", data["run"]).out
    assert cli("audit", data["run"]).exit == 0


def test_an_agent_that_only_talks_is_reminded_and_then_let_go(cli: Cli):
    user = broken_cart(cli)
    done = play(cli, {"say": "I looked at it."}, {"say": "It is fine."}, more=QUICK)
    data = done.json
    assert (done.exit, data["state"]) == (1, "fail")
    assert data["decision"]["stop_reason"] == "missing_completion_signal"
    kept = [body.text for body in bodies(cli, data["run"]) if isinstance(body, facts.CandidateKept)]
    assert (len(kept), kept[:2]) == (6, ["I looked at it.", "It is fine."])
    assert (data["workspace"], data["work"], data["branch"]) == (None, None, None)
    assert set(refs(user)) == {"refs/heads/main"}


@pytest.mark.runs
def test_a_json_signal_is_a_claim_like_any_other(cli: Cli):
    user = broken_cart(cli)
    done = play(cli, {"signal": "done already"}, FIX, {"signal": "now it adds up"}, more=QUICK)
    data = done.json
    assert (done.exit, attempts(cli, data["run"])) == (0, ["continue", "accepted"])
    message = git(user, "log", "-1", "--format=%B", data["branch"])
    assert "now it adds up" in message
    assert "task_completion" not in message


@pytest.mark.runs
def test_a_gate_that_an_option_names_must_pass_and_others_only_advise(cli: Cli):
    broken_cart(cli, {".flake8": "[flake8]\n", "pyproject.toml": "[tool.mypy]\n"})
    accepted = play(cli, FIX, CLAIM, more=(*QUICK, "--set", "verification.quality.enabled=true"))
    assert (accepted.exit, accepted.json["decision"]["stop_reason"]) == (0, "accepted")
    refused = play(cli, FIX, CLAIM, more=(*QUICK, "--gate", "lint"))
    assert refused.exit != 0
    assert "python -m pip install flake8" in refused.out


@pytest.mark.runs
@pytest.mark.parametrize(
    ("setting", "steps", "reason", "cause"),
    [
        ("loop.max_turns=3", [LATER, LOOK, FIX, CLAIM], "max_turn_exceeded", "turns"),
        ("loop.max_tool_calls=2", [LATER, LOOK, FIX, CLAIM], "budget_exceeded", "tool-calls"),
        ("loop.max_total_time=1", [{"bash": "sleep 2"}, FIX, CLAIM], "time_exceeded", "time"),
    ],
)
def test_limits_end_the_run_with_their_own_reason(
    cli: Cli, setting: str, steps: list, reason: str, cause: str
):
    broken_cart(cli)
    done = play(cli, *steps, more=["--set", setting, *QUICK])
    decision = done.json["decision"]
    assert (done.exit, decision["status"], decision["stop_reason"]) == (3, "stopped", reason)
    assert decision["cause"] == cause


@pytest.mark.runs
def test_many_calls_in_one_turn_do_not_get_past_the_limit(cli: Cli):
    broken_cart(cli)
    calls = [{"tool": "write_file", "args": {"path": f"{n}.txt", "content": "x\n"}} for n in range(12)]
    done = play(cli, {"calls": calls}, CLAIM, more=["--set", "loop.max_tool_calls=3", *QUICK])
    data = done.json
    assert (done.exit, data["decision"]["stop_reason"]) == (3, "budget_exceeded")
    assert len(data["changed"]) <= 3


def test_work_that_a_limit_cut_off_is_kept_as_a_commit(cli: Cli):
    user = broken_cart(cli)
    data = play(cli, LATER, FIX, CLAIM, more=["--set", "loop.max_turns=1", *QUICK]).json
    work = refs(user)[f"refs/donewhen/{data['run']}/work"]
    assert (data["work"], git(user, "show", f"{work}:notes.md")) == (work, "later")
    assert data["branch"] is None


def test_answer_only_proves_nothing_and_says_so(cli: Cli):
    user = broken_cart(cli)
    done = play(cli, {"done": "It adds one too many."}, accept=(), more=["--answer-only"], form="")
    assert done.exit == 0
    assert "answer only, nothing proven" in done.out
    assert set(refs(user)) == {"refs/heads/main"}


def test_an_answer_with_nothing_in_it_is_no_answer(cli: Cli):
    broken_cart(cli)
    done = play(cli, {"done": " "}, accept=(), more=["--answer-only"], after_last="repeat_done")
    assert done.exit != 0
    assert done.json["decision"]["stop_reason"] != "accepted"


@pytest.mark.runs
def test_open_todos_of_the_promise_block_until_they_are_done(cli: Cli):
    broken_cart(cli)
    todo = {"id": "t1", "content": "tell the others"}
    finish = [
        {"tool": "todo_write", "args": {"todos": [{"id": "t1", "status": status}]}}
        for status in ("in_progress", "completed")
    ]
    done = play(cli, FIX, CLAIM, *finish, CLAIM, accept=(), more=promise(cli, todos=[todo]))
    data = done.json
    assert (done.exit, attempts(cli, data["run"])) == (0, ["continue", "accepted"])
    assert "t1" in told(cli, data["run"])


@pytest.mark.runs
@pytest.mark.parametrize(
    ("todo", "exit", "reason"),
    [
        ({"status": "failed", "failure_reason": "no way"}, 1, "required_todo_failed"),
        ({"status": "blocked", "blocked_reason": "user_input_wait"}, 4, "todo_waiting_external"),
    ],
)
def test_a_todo_that_can_not_be_done_ends_the_run(cli: Cli, todo: dict, exit: int, reason: str):
    broken_cart(cli)
    step = {"tool": "todo_write", "args": {"todos": [{"id": "t1", **todo}]}}
    given = {"id": "t1", "content": "ask for the price list"}
    done = play(cli, FIX, LOOK, step, CLAIM, accept=(), more=promise(cli, todos=[given]))
    assert (done.exit, done.json["decision"]["stop_reason"]) == (exit, reason)


@pytest.mark.runs
def test_a_plan_can_add_to_the_exam_and_never_take_away(cli: Cli):
    user = broken_cart(cli)
    notes = {"id": "notes", "kind": "file_exists", "target": "notes.md"}
    unsafe = {"id": "push", "kind": "command_success", "target": "git push origin +x"}
    done = play(
        cli,
        {"plan": {"checks": [notes, unsafe], "files": ["cart.py"]}},
        FIX,
        CLAIM,
        {"plan": {"checks": []}},
        CLAIM,
        LATER,
        CLAIM,
        more=QUICK,
    )
    data = done.json
    assert (done.exit, attempts(cli, data["run"])) == (0, ["continue", "continue", "accepted"])
    revised = [body for body in bodies(cli, data["run"]) if isinstance(body, run.PlanRevised)]
    assert [[check["id"] for check in body.checks] for body in revised] == [["notes"], ["notes"]]
    assert "the guard would not allow its command" in revised[0].refused[0]
    assert "notes" in revised[1].refused[0]
    assert all(text in told(cli, data["run"]) for body in revised for text in body.refused)
    assert git(user, "show", f"{data['branch']}:notes.md") == "later"


@pytest.mark.runs
def test_a_condition_that_only_a_human_can_meet(cli: Cli):
    broken_cart(cli)
    met = {"type": "acceptance-met", "target": "*"}
    seen = {"type": "user-confirmed", "target": "the new price list"}
    confirm = donewhen(cli, "confirm", "last", "the new price list")
    hook(cli, "before_tool", f"grep -q cart.py && {{ {once(cli, 'confirmed', confirm)}; }} >&2; true")
    done = play(cli, FIX, CLAIM, accept=(), more=promise(cli, done_when=[met, seen]))
    data = done.json
    assert (done.exit, attempts(cli, data["run"])) == (0, ["accepted"])
    answered = [body for body in bodies(cli, data["run"]) if isinstance(body, facts.Answered)]
    assert [(body.text, body.by, body.allowed) for body in answered] == [
        ("the new price list", "human", True)
    ]


@pytest.mark.runs
def test_the_promise_of_a_live_run_can_be_amended_by_a_human(cli: Cli):
    broken_cart(cli)
    amend = donewhen(
        cli, "amend", "last", "--accept", "test -s notes.md", "--yes", "--reason", "we need notes"
    )
    hook(cli, "before_tool", f"{{ {once(cli, 'amended', amend)}; }} >&2")
    done = play(cli, FIX, CLAIM, LATER, CLAIM, more=QUICK)
    data = done.json
    assert (done.exit, attempts(cli, data["run"])) == (0, ["continue", "accepted"])
    assert [result["target"] for result in data["decision"]["results"][:2]] == [TESTS, "test -s notes.md"]
    assert "the promise was amended" in told(cli, data["run"])


@pytest.mark.runs
def test_the_promise_of_a_paused_run_can_be_amended_too(cli: Cli):
    broken_cart(cli)
    data = play(cli, LATER, CLAIM, after_last="repeat_done", more=QUICK).json
    assert data["state"] == "paused"
    assert cli("amend", data["run"], "--accept", "test -s cart.py", "--yes").exit == 0
    shown = cli("show", data["run"], "--json").json
    assert shown["promise"]["accept"] == [TESTS, "test -s cart.py"]


@pytest.mark.runs
def test_a_spec_gives_criteria_todos_and_commands(cli: Cli):
    user = broken_cart(cli)
    page = f"# The cart adds up\n\n## Acceptance\n\n- `{TESTS}` passes\n- `test -s notes.md` passes\n"
    (cli.folder.parent / "spec.md").write_text(page)
    spec = str(cli.folder.parent / "spec.md")
    done = play(cli, FIX, CLAIM, LATER, CLAIM, accept=(), more=["--spec", spec, *QUICK])
    data = done.json
    assert (done.exit, attempts(cli, data["run"])) == (0, ["continue", "accepted"])
    assert git(user, "show", f"{data['branch']}:notes.md") == "later"


@pytest.mark.runs
def test_in_place_the_working_tree_has_the_work_and_the_branch_the_commit(cli: Cli):
    user = broken_cart(cli)
    head = git(user, "rev-parse", "HEAD")
    done = play(cli, FIX, CLAIM, more=["--in-place", *QUICK])
    data = done.json
    assert done.exit == 0
    assert (user / "cart.py").read_text() == CART
    assert (git(user, "rev-parse", "HEAD"), git(user, "symbolic-ref", "HEAD")) == (head, "refs/heads/main")
    assert git(user, "show", f"{data['branch']}:cart.py") == CART.rstrip()


@pytest.mark.runs
def test_in_place_needs_a_clean_tree_unless_changes_are_wanted(cli: Cli):
    user = broken_cart(cli)
    write(user, {"draft.txt": "mine\n"})
    before = everything(user)
    refused = play(cli, FIX, CLAIM, more=["--in-place"], form="")
    assert (refused.exit, untouched(before, everything(user))) == (2, [])
    assert "--with-changes" in refused.err
    assert len(refused.err.splitlines()) == 1
    done = play(cli, FIX, CLAIM, more=["--in-place", "--with-changes", *QUICK])
    assert (done.exit, (user / "draft.txt").read_text()) == (0, "mine\n")
    assert git(user, "show", f"{done.json['branch']}:draft.txt") == "mine"


@pytest.mark.runs
def test_with_changes_starts_from_what_lies_there_and_leaves_it(cli: Cli):
    user = broken_cart(cli)
    write(user, {"draft.txt": "mine\n", "cart.py": BUG + "\n# mine\n"})
    git(user, "add", "draft.txt")
    before = everything(user)
    done = play(cli, FIX, CLAIM, more=["--with-changes", *QUICK])
    data = done.json
    assert (done.exit, untouched(before, everything(user))) == (0, [])
    assert git(user, "show", f"{data['branch']}:draft.txt") == "mine"
    assert git(user, "show", f"{data['branch']}:cart.py").endswith("# mine")


@pytest.mark.runs
def test_a_worktree_serves_as_well_as_a_clone(cli: Cli):
    user = broken_cart(cli)
    before = everything(user)
    done = play(cli, FIX, CLAIM, more=["--set", "workspace.kind=worktree", *QUICK])
    data = done.json
    assert (done.exit, untouched(before, everything(user))) == (0, [])
    assert git(user, "show", f"{data['branch']}:cart.py") == CART.rstrip()
    assert git(user, "worktree", "list", "--porcelain").count("worktree ") == 1


@pytest.mark.runs
def test_what_the_guard_asks_about_waits_for_a_human_or_pauses(cli: Cli):
    broken_cart(cli)
    paused = play(cli, {"bash": "sudo -n true"}, FIX, CLAIM, more=["--on-ask", "pause", *QUICK])
    assert (paused.exit, paused.json["state"]) == (4, "paused")
    assert "approve" in paused.out
    denied = play(cli, {"bash": "sudo -n true"}, FIX, CLAIM, more=["--on-ask", "deny", *QUICK])
    assert denied.exit == 0
    assert "rule privilege" in told(cli, denied.json["run"])


@pytest.mark.runs
def test_the_branch_can_be_named_and_the_workspace_kept(cli: Cli):
    user = broken_cart(cli)
    data = play(cli, FIX, CLAIM, more=["--branch", "fix/cart", "--keep", *QUICK]).json
    assert (data["branch"], data["state"]) == ("fix/cart", "done")
    assert (Path(data["workspace"]) / "cart.py").read_text() == CART
    assert git(user, "show", "fix/cart:cart.py") == CART.rstrip()


@pytest.mark.runs
def test_events_are_json_lines_and_quiet_is_quiet(cli: Cli):
    broken_cart(cli)
    done = play(cli, FIX, CLAIM, form="--events", more=QUICK)
    lines = [json.loads(line) for line in done.out.splitlines()]
    assert done.exit == 0
    kinds = [line["type"] for line in lines]
    assert (kinds[0], kinds.count("decided")) == ("run_started", 1)
    quiet = play(cli, FIX, CLAIM, form="-q", more=QUICK)
    assert (quiet.exit, quiet.err) == (0, "")
    assert len(quiet.out.strip().splitlines()) == 1


@pytest.mark.runs
def test_people_who_read_chinese_are_told_in_chinese(cli: Cli):
    broken_cart(cli)
    done = play(cli, FIX, CLAIM, form="", more=["--set", "language=zh", *QUICK])
    assert done.exit == 0
    assert "已由程序自行证明" in done.out
    assert "下一步" in done.out
    assert "正在准备工作区" in done.err


@pytest.mark.runs
def test_the_script_of_the_documentation_is_accepted_as_it_stands(cli: Cli):
    broken_cart(cli)
    text = (Path(__file__).parents[2] / "docs" / "scripted.md").read_text()
    example = cli.folder.parent / "example.yml"
    example.write_text(text.partition("```yaml\n")[2].partition("```")[0])
    done = cli("run", "Fix the discount", "--accept", TESTS, "--script", str(example), "--json", *QUICK)
    assert (done.exit, done.json["decision"]["stop_reason"]) == (0, "accepted"), done.out + done.err
    assert done.json["metrics"]["attempts"] == 1
