"""`run` with `ship.mode: pr`, and hand-overs: a bare remote and a forge on this machine, real HTTP, real git."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from donewhen.core.events import facts, run
from donewhen.testing.forge import FakeForge
from donewhen.testing.forge_model import Fault
from tests.forges import PATH, bare_remote, remote_heads
from tests.helpers import Cli, Result
from tests.projects import CART, TESTS, git, write
from tests.run.shipping.yard import KEY, SECRET
from tests.runs import (
    CLAIM,
    FIX,
    QUICK,
    Step,
    bodies,
    broken_cart,
    own_refs,
    play,
    program,
    refs,
    script,
    settings,
)

GATES = False
TOKEN = "ghp_" + "a9B3xK7mQ2wE5rT8yU1iO4pL6sD0fG3hJ5kZ"
KINDS = ("github", "gitlab")
TOKENS = {"github": "GITHUB_TOKEN", "gitlab": "GITLAB_TOKEN"}
NO_TRIES = ("--set", "correction.max_retries=0", *QUICK)


class Yard:
    """A broken cart with a remote, and whoever runs the forge behind it."""

    def __init__(self, cli: Cli, kind: Any = "github", faults: Sequence[Fault] = ()) -> None:
        self.cli = cli
        self.kind = kind
        self.folder = broken_cart(cli)
        self.bare = bare_remote(cli.folder.parent, self.folder)
        self.forge = FakeForge(kind, PATH, token=TOKEN, remote=self.bare, faults=faults)
        cli.env[TOKENS[kind]] = TOKEN

    def configure(self, **more: Any) -> None:
        ship = {"mode": "pr", "forge": self.kind, "api_url": self.forge.url}
        settings(self.cli, **{"ship": ship, **more})

    @property
    def heads(self) -> dict[str, str]:
        return remote_heads(self.bare)

    @property
    def pulls(self) -> list[dict[str, Any]]:
        return self.forge.pulls


@pytest.fixture(params=["github", pytest.param("gitlab", marks=pytest.mark.runs)])
def yard(request: pytest.FixtureRequest, cli: Cli) -> Iterator[Yard]:
    made = Yard(cli, request.param)
    with made.forge:
        made.configure()
        yield made


def effects(cli: Cli, run_id: str) -> list[tuple[str, bool]]:
    found = bodies(cli, run_id)
    intended = {body.key: body.effect for body in found if isinstance(body, facts.EffectIntended)}
    done = [body for body in found if isinstance(body, facts.EffectDone)]
    return [(intended[body.key], body.ok) for body in done if intended[body.key] in ("push", "pull_request")]


def notes(cli: Cli, run_id: str) -> str:
    return "\n".join(body.text for body in bodies(cli, run_id) if isinstance(body, run.Noted))


def test_accepted_work_becomes_one_pull_request_with_its_proofs(yard: Yard):
    done = play(yard.cli, FIX, CLAIM, goal="Fix the cart", more=QUICK)
    assert done.exit == 0, done.err
    branch, commit = done.json["branch"], done.json["commit"]
    assert yard.heads[branch] == commit
    (pull,) = yard.pulls
    assert (pull["title"], pull["head"], pull["base"], pull["draft"]) == (
        "Fix the cart",
        branch,
        "main",
        False,
    )
    tree = git(yard.folder, "rev-parse", f"{commit}^{{tree}}")
    body = pull["body"]
    assert body.startswith(f"<!-- donewhen:key {done.json['run']}:")
    for part in (tree, TESTS, "cart.py", "donewhen audit --record", "in-toto.io/Statement", "by harness"):
        assert part in body, part
    assert effects(yard.cli, done.json["run"]) == [("push", True), ("pull_request", True)]
    assert TOKEN not in str(bodies(yard.cli, done.json["run"]))
    assert own_refs(yard.folder).keys() <= {"refs/heads/main", "refs/remotes/origin/main"}


@pytest.mark.runs
def test_a_hand_over_is_a_draft_that_the_accepted_run_completes(yard: Yard):
    cli = yard.cli
    more: Step = {"write": {"path": "later.txt", "content": "later\n"}}
    done = play(cli, more, CLAIM, FIX, CLAIM, more=NO_TRIES)
    run_id = done.json["run"]
    assert (done.exit, done.json["decision"]["stop_reason"]) == (4, "escalated"), done
    (draft,) = yard.pulls
    assert draft["draft"] is True
    for part in ("not accepted", f"donewhen resume {run_id}", TESTS, "Missing proofs", "later.txt"):
        assert part in draft["body"], part
    branch = f"donewhen/{run_id}-handover"
    first = yard.heads[branch]
    assert git(yard.folder, "show", f"{first}:later.txt") == "later"
    assert draft["head"] == branch
    still = cli("resume", run_id, "--json")  # it is handed over once more, with nothing new
    assert (still.exit, len(yard.pulls), yard.heads[branch]) == (4, 1, first)
    again = cli("resume", run_id, "--json", "--set", "correction.max_retries=3")
    assert again.exit == 0, again
    (pull,) = yard.pulls
    assert (pull["draft"], pull["head"]) == (False, branch)
    assert not pull["title"].startswith("Draft")
    assert "**accepted**" in pull["body"]
    tip = yard.heads[branch]
    assert git(yard.folder, "rev-parse", f"{tip}^{{tree}}") == git(
        yard.folder, "rev-parse", f"{again.json['commit']}^{{tree}}"
    )
    assert git(yard.bare, "merge-base", first, tip) == first
    assert set(yard.heads) == {"main", branch}


# -- what can go wrong: the work stays on its branch, one sentence says why -----------------------------


@pytest.mark.runs
@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (Fault(401, b'{"message": "Bad credentials"}', "POST"), "GITHUB_TOKEN"),
        (Fault(403, b'{"message": "Resource not accessible"}', "POST"), "Resource not accessible"),
        (Fault(404, b'{"message": "Not Found"}', "POST"), "HTTP 404"),
        (
            Fault(422, b'{"message": "Validation Failed", "errors": [{"message": "no such base"}]}', "POST"),
            "no such base",
        ),
        (Fault(302, b"{}", "POST", {"location": "http://127.0.0.1:9/steal"}), "redirect"),
    ],
    ids=["401", "403", "404", "422", "redirect"],
)
def test_a_forge_that_refuses_leaves_the_accepted_branch(cli: Cli, fault: Fault, said: str):
    yard = Yard(cli, "github", [fault])
    with yard.forge:
        yard.configure()
        done = play(cli, FIX, CLAIM, more=QUICK)
    assert (done.exit, done.json["decision"]["status"]) == (0, "accepted")
    text = notes(cli, done.json["run"])
    assert said in text
    assert TOKEN not in text
    assert yard.pulls == []
    assert git(yard.folder, "rev-parse", done.json["branch"]) == done.json["commit"]
    assert effects(cli, done.json["run"])[-1] == ("pull_request", False)


@pytest.mark.runs
@pytest.mark.parametrize("kind", KINDS)
def test_an_answer_that_got_lost_makes_no_second_one(cli: Cli, kind: Any):
    yard = Yard(cli, kind, [Fault(502, b"<html>", "POST", after=True)])
    with yard.forge:
        yard.configure()
        done = play(cli, FIX, CLAIM, more=QUICK)
    assert done.exit == 0, done.err
    assert len(yard.pulls) == 1
    assert effects(cli, done.json["run"])[-1] == ("pull_request", True)


@pytest.mark.runs
def test_a_busy_forge_is_asked_again(cli: Cli):
    yard = Yard(cli, "github", [Fault(429, headers={"retry-after": "0"}), Fault(503, b"no json", "POST")])
    with yard.forge:
        yard.configure()
        done = play(cli, FIX, CLAIM, more=QUICK)
    assert (done.exit, len(yard.pulls)) == (0, 1)


@pytest.mark.runs
def test_a_remote_that_declines_is_quoted(yard: Yard):
    declining = yard.bare / "hooks/pre-receive"
    declining.write_text("#!/bin/sh\necho 'branches are made by robots only' >&2\nexit 1\n")
    declining.chmod(0o755)
    done = play(yard.cli, FIX, CLAIM, more=QUICK)
    assert done.exit == 0
    text = notes(yard.cli, done.json["run"])
    assert "branches are made by robots only" in text
    assert (yard.pulls, set(yard.heads)) == ([], {"main"})


@pytest.mark.runs
def test_the_users_own_hook_may_say_no(yard: Yard):
    mine = yard.folder / ".git/hooks/pre-push"
    mine.parent.mkdir(exist_ok=True)
    mine.write_text("#!/bin/sh\necho 'not on a Friday' >&2\nexit 1\n")
    mine.chmod(0o755)
    done = play(yard.cli, FIX, CLAIM, more=QUICK)
    assert done.exit == 0
    assert "not on a Friday" in notes(yard.cli, done.json["run"])
    assert "pre-push" in notes(yard.cli, done.json["run"])
    assert (yard.pulls, set(yard.heads)) == ([], {"main"})


@pytest.mark.runs
def test_foreign_commits_at_the_remote_are_not_overwritten(yard: Yard):
    other = yard.cli.folder.parent / "other"
    git(yard.cli.folder.parent, "clone", "-q", str(yard.bare), str(other))
    git(other, "commit", "-q", "--allow-empty", "-m", "mine")
    git(other, "push", "-q", "origin", "HEAD:refs/heads/cart")
    before = yard.heads["cart"]
    done = play(yard.cli, FIX, CLAIM, more=(*QUICK, "--branch", "cart"))
    assert (done.exit, yard.heads["cart"], yard.pulls) == (0, before, [])
    assert "not of this run" in notes(yard.cli, done.json["run"])


@pytest.mark.runs
def test_a_hook_before_the_pull_request_stops_it_and_not_the_branch(yard: Yard):
    yard.configure(
        hooks={
            "commands": [{"name": "mine", "point": "before_pr", "command": ["sh", "-c", "cat >&2; exit 2"]}]
        }
    )
    done = play(yard.cli, FIX, CLAIM, more=QUICK)
    assert (done.exit, yard.pulls, set(yard.heads)) == (0, [], {"main"})
    assert "mine" in notes(yard.cli, done.json["run"])
    assert git(yard.folder, "rev-parse", done.json["branch"]) == done.json["commit"]


@pytest.mark.runs
def test_a_secret_that_was_not_accepted_leaves_no_machine(yard: Yard):
    key = "AKIA" + "Q3EGMUW5RXYZ2BCD"
    leak: Step = {"write": {"path": "settings.py", "content": f"aws_key = '{key}'\n"}}
    done = play(yard.cli, leak, CLAIM, more=NO_TRIES)
    assert done.exit == 4
    assert (yard.pulls, set(yard.heads)) == ([], {"main"})
    assert "secret" in notes(yard.cli, done.json["run"])


@pytest.mark.runs
def test_a_secret_in_the_goal_is_in_nothing_that_leaves(yard: Yard):
    key = "AKIA" + "Q3EGMUW5RXYZ2BCD"
    done = play(yard.cli, FIX, CLAIM, goal=f"Fix the cart, aws_key = '{key}'", more=QUICK)
    assert done.exit == 0, done.err
    assert len(yard.pulls) == 1
    assert key not in str(yard.pulls)
    assert key not in git(yard.bare, "log", "--all", "--format=%B")


# -- what a run starts from leaves with it ------------------------------------------------------------------


def unpushed(folder: Path, kind: str) -> None:
    """A secret that only this machine has."""
    write(folder, {"conf.py": SECRET})
    if kind in ("committed", "removed"):
        git(folder, "add", "-A")
        git(folder, "commit", "-q", "-m", "local")
    if kind == "removed":
        git(folder, "rm", "-q", "conf.py")
        git(folder, "commit", "-q", "-m", "gone again")


@pytest.mark.runs
@pytest.mark.parametrize("kind", ["committed", "removed", "taken along"])
def test_a_secret_that_the_run_started_from_is_not_pushed(cli: Cli, kind: str):
    yard = Yard(cli)
    unpushed(yard.folder, kind)
    along = ("--with-changes",) if kind == "taken along" else ()
    with yard.forge:
        yard.configure()
        done = play(cli, FIX, CLAIM, more=(*QUICK, *along))
    assert (done.exit, yard.pulls, set(yard.heads)) == (0, [], {"main"})
    warnings = done.json["warnings"]
    assert "conf.py" in warnings[-1]
    assert "git push" not in warnings[-1]
    assert len(warnings) == 1 + len(along)
    assert all("secret" in each for each in warnings)
    assert KEY not in str(done.json)
    assert git(yard.folder, "rev-parse", done.json["branch"]) == done.json["commit"]


@pytest.mark.runs
def test_a_draft_takes_no_secret_along_either(cli: Cli):
    yard = Yard(cli)
    unpushed(yard.folder, "removed")
    with yard.forge:
        yard.configure()
        done = play(cli, LATER, CLAIM, more=NO_TRIES)
    handed_over(cli, done)
    assert (yard.pulls, set(yard.heads)) == ([], {"main"})
    assert "conf.py" in done.json["warnings"][0]


@pytest.mark.runs
def test_what_others_pushed_meanwhile_is_no_reason_to_refuse(cli: Cli):
    """The remote's branch is at a commit that is not here; what was fetched of it before counts as there."""
    yard = Yard(cli)
    unpushed(yard.folder, "removed")
    git(yard.folder, "push", "-q", "origin", "main")  # it is out already: none of this run's doing
    other = cli.folder.parent / "other"
    git(cli.folder.parent, "clone", "-q", str(yard.bare), str(other))
    git(other, "commit", "-q", "--allow-empty", "-m", "theirs")
    git(other, "push", "-q", "origin", "HEAD:refs/heads/main")
    with yard.forge:
        yard.configure()
        done = play(cli, FIX, CLAIM, more=QUICK)
    assert (done.exit, len(yard.pulls), done.json["warnings"]) == (0, 1, [])


# -- without a forge, a remote, a network or a token ------------------------------------------------------


def handed_over(cli: Cli, done: Result) -> None:
    """What a human finds in each case: the work, the report, and how to go on."""
    data = done.json
    assert (done.exit, data["state"], data["decision"]["stop_reason"]) == (4, "paused", "escalated")
    assert data["next"] == f"donewhen resume {data['run']}"
    work = git(cli.folder, "rev-parse", f"refs/donewhen/{data['run']}/work")
    assert git(cli.folder, "show", f"{work}:later.txt") == "later"
    assert cli("report", data["run"]).exit == 0


LATER: Step = {"write": {"path": "later.txt", "content": "later\n"}}


@pytest.mark.runs
def test_without_a_remote_the_run_waits(cli: Cli):
    broken_cart(cli)
    done = play(cli, LATER, CLAIM, more=NO_TRIES)
    handed_over(cli, done)
    assert "no remote origin" in notes(cli, done.json["run"])


@pytest.mark.runs
def test_a_pull_request_that_could_not_be_opened_is_what_is_left_to_do(cli: Cli):
    folder = broken_cart(cli)
    done = play(cli, FIX, CLAIM, more=("--ship", "pr", *QUICK))
    branch = done.json["branch"]
    assert done.json["next"] == f"git remote add origin URL && git push origin {branch}"
    bare_remote(cli.folder.parent, folder, "git@github.com:acme/shop.git")
    done = play(cli, FIX, CLAIM, more=("--ship", "pr", *QUICK))
    push = f"git push origin {done.json['branch']}"
    assert (done.exit, done.json["next"]) == (0, push)
    shown = cli("show", done.json["run"], "--json").json
    assert (shown["next"][0], "gh auth login" in shown["waits"]) == (push.split(), True)
    assert cli("report", done.json["run"], "--json").json["next"]["command"] == push


@pytest.mark.runs
def test_views_of_a_run_with_a_pull_request_name_it(yard: Yard):
    data = play(yard.cli, FIX, CLAIM, more=QUICK).json
    shown = yard.cli("show", data["run"]).out
    assert data["pull_request"] in shown and "git merge" not in shown
    assert data["pull_request"] in yard.cli("report", data["run"]).out


@pytest.mark.runs
def test_without_a_login_the_run_waits(cli: Cli):
    folder = broken_cart(cli)
    bare_remote(cli.folder.parent, folder, "git@github.com:acme/shop.git")
    done = play(cli, LATER, CLAIM, more=NO_TRIES)
    handed_over(cli, done)
    assert "gh auth login" in notes(cli, done.json["run"])


@pytest.mark.runs
def test_without_a_network_people_are_told_instead(cli: Cli):
    folder = broken_cart(cli)
    git(folder, "remote", "add", "origin", "https://127.0.0.1:9/acme/shop.git")
    heard = cli.folder.parent / "heard"
    settings(
        cli,
        ship={"forge": "github", "api_url": "http://127.0.0.1:9/api/v3"},
        notify={"commands": [["sh", "-c", f"cat > '{heard}'"]], "on": ["escalation"]},
    )
    cli.env["GITHUB_TOKEN"] = TOKEN
    done = play(cli, LATER, CLAIM, more=NO_TRIES)
    handed_over(cli, done)
    text = notes(cli, done.json["run"])
    assert re.search(r"origin can.t be reached.*people were notified", text, re.DOTALL), text
    assert "resume" in heard.read_text()


# -- where else a run may work ----------------------------------------------------------------------------


def test_a_pull_request_from_in_place_is_refused_before_the_run(cli: Cli):
    yard = Yard(cli)
    with yard.forge:
        yard.configure()
        done = play(cli, FIX, CLAIM, more=(*QUICK, "--in-place"), form="")
    assert (done.exit, yard.pulls, set(yard.heads)) == (2, [], {"main"})
    assert "run without --in-place, or with --ship branch and push the branch yourself" in done.err
    assert set(refs(yard.folder)) == {"refs/heads/main", "refs/remotes/origin/main"}
    assert cli("list", "--json").json["runs"] == []


@pytest.mark.runs
def test_a_hand_over_in_place_runs_no_hook_and_pushes_nothing(cli: Cli):
    """The user's hook calls a script of the repository, which the agent rewrites."""
    yard = Yard(cli)
    mark = cli.folder.parent / "ran"
    hook = yard.folder / ".git/hooks/pre-push"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\nexec sh ./later.txt\n")
    hook.chmod(0o755)
    evil: Step = {"write": {"path": "later.txt", "content": f"touch '{mark}'\n"}}
    with yard.forge:
        ship = {"forge": "github", "api_url": yard.forge.url}
        settings(cli, ship=ship, correction={"escalate_action": "create_pr"})
        done = play(cli, evil, CLAIM, FIX, CLAIM, more=(*NO_TRIES, "--in-place"))
        (warning,) = done.json["warnings"]
        again = cli("resume", done.json["run"], "--json", "--set", "ship.mode=pr")
    assert (done.exit, done.json["state"], done.json["decision"]["stop_reason"]) == (4, "paused", "escalated")
    assert "a run in place pushes nothing" in warning
    assert f"donewhen resume {done.json['run']}" in warning
    assert again.exit in (0, 4)
    assert (yard.pulls, set(yard.heads), mark.exists()) == ([], {"main"}, False)


@pytest.mark.runs
def test_a_resumed_run_in_place_that_wants_a_pull_request_is_accepted_without_one(cli: Cli):
    yard = Yard(cli)
    with yard.forge:
        settings(cli, ship={"forge": "github", "api_url": yard.forge.url})
        done = play(cli, LATER, CLAIM, FIX, CLAIM, more=(*NO_TRIES, "--in-place"))
        words = ("--set", "ship.mode=pr", "--set", "correction.max_retries=3")
        again = cli("resume", done.json["run"], "--json", *words)
    assert (again.exit, again.json["state"], yard.pulls, set(yard.heads)) == (0, "done", [], {"main"})
    assert "a run in place pushes nothing" in again.json["warnings"][0]


@pytest.mark.runs
def test_a_hand_over_from_a_worktree_is_completed_too(cli: Cli):
    yard = Yard(cli)
    with yard.forge:
        yard.configure()
        done = play(cli, LATER, CLAIM, FIX, CLAIM, more=(*NO_TRIES, "--set", "workspace.kind=worktree"))
        assert (done.exit, [pull["draft"] for pull in yard.pulls]) == (4, [True])
        again = cli("resume", done.json["run"], "--json", "--set", "correction.max_retries=3")
    assert (again.exit, [pull["draft"] for pull in yard.pulls]) == (0, [False])


@pytest.mark.runs
def test_work_that_could_not_be_merged_is_a_draft(cli: Cli):
    yard = Yard(cli)
    git(yard.folder, "checkout", "-q", "-b", "mine")
    theirs = "git -c user.name=A -c user.email=a@example.org commit -q -am theirs"
    moved = f"cd '{yard.folder}' && git checkout -q main && sed -i 's/[+] 1/+ 2/' cart.py && {theirs} && git checkout -q mine"
    with yard.forge:
        command = [program(cli, "hook.sh", moved)]
        ship = {"mode": "merge", "to_protected": True, "forge": "github", "api_url": yard.forge.url}
        settings(
            cli, ship=ship, hooks={"commands": [{"name": "m", "point": "before_accept", "command": command}]}
        )
        done = play(cli, FIX, CLAIM, more=QUICK)
    assert (done.exit, done.json["decision"]["cause"]) == (4, "merge_conflict"), done
    (draft,) = yard.pulls
    assert draft["draft"] is True
    tip = yard.heads[draft["head"]]
    assert git(yard.bare, "show", f"{tip}:cart.py") == CART.rstrip("\n")


# -- hostile words ------------------------------------------------------------------------------------------


@pytest.mark.runs
def test_hostile_words_reach_no_shell_and_no_markup(yard: Yard):
    mark = yard.cli.folder.parent / "ran"
    evil = f" --draft $(touch '{mark}') `touch {mark}` @boss fixes #1; touch '{mark}'\n<!-- donewhen:key x:1 -->\n/merge\n"
    goal = evil + "```\n/close\n" + "long " * 20_000
    done = play(yard.cli, FIX, CLAIM, goal=goal, more=(*QUICK, "--yes"))
    assert done.exit == 0, done.err
    assert not mark.exists()
    (pull,) = yard.pulls
    assert pull["draft"] is False
    assert pull["title"].startswith("draft $(touch")
    assert "@boss" not in pull["title"]
    assert "#1" not in pull["title"]
    assert len(pull["title"]) <= 256
    outside = re.sub(r"```(?:text|json)\n.*?\n```", "", pull["body"], flags=re.DOTALL)
    outside = re.sub(r"(`+)(?!`).*?(?<!`)\1(?!`)", "", outside)
    for part in ("@boss", "#1", "/merge", "/close"):
        assert part not in outside


# -- killed on the way ------------------------------------------------------------------------------------


@pytest.mark.runs
@pytest.mark.parametrize(
    "point", ["before:EffectDone@2", "branch pushed", "pull request opened", "before:EffectDone@3"]
)
def test_a_killed_process_makes_no_second_pull_request(yard: Yard, point: str):
    cli = yard.cli
    words = ("--accept", TESTS, "--script", script(cli, (FIX, CLAIM)), *QUICK)
    killed = cli.cold("run", "Fix the cart", *words, DONEWHEN_TEST_CRASH=point)
    assert killed.exit == -9, killed
    done = cli("resume", "last", "--json")
    assert done.exit == 0, done.err
    (pull,) = yard.pulls
    assert yard.heads[pull["head"]] == done.json["commit"]
    assert set(yard.heads) == {"main", done.json["branch"]}


@pytest.mark.runs
@pytest.mark.parametrize("point", ["branch pushed", "pull request opened", "committed:StateChanged@5"])
def test_a_killed_hand_over_has_one_draft(yard: Yard, point: str):
    cli = yard.cli
    words = ("--accept", TESTS, "--script", script(cli, (LATER, CLAIM)), *NO_TRIES)
    killed = cli.cold("run", "Fix the cart", *words, DONEWHEN_TEST_CRASH=point)
    assert killed.exit in (-9, 4), killed
    done = cli("resume", "last", "--json")
    assert done.exit == 4, done.err
    (pull,) = yard.pulls
    assert pull["draft"] is True
    assert set(yard.heads) == {"main", pull["head"]}


@pytest.mark.runs
def test_an_agent_opens_a_draft_that_a_human_allowed(yard: Yard):
    rule = {"name": "drafts", "tool": "pr_create", "action": "allow", "reason": "agreed"}
    yard.configure(guardrails={"rules": [rule]})
    draft: Step = {
        "calls": [{"tool": "pr_create", "args": {"title": "Half of it", "body": "The sum is right."}}]
    }
    note: Step = {"write": {"path": "notes.md", "content": "so far\n"}}
    done = play(yard.cli, note, draft, FIX, CLAIM, more=QUICK)
    assert (done.exit, done.json["decision"]["stop_reason"]) == (0, "accepted"), done.err
    (pull,) = yard.pulls
    assert pull["number"] == 1
    told = [body for body in bodies(yard.cli, done.json["run"]) if isinstance(body, facts.ToolReturned)]
    answer = next(body for body in told if body.tool == "pr_create")
    assert answer.ok
    assert "/1" in answer.output
