"""A target that somebody has checked out is moved only where their files can follow without loss."""

from pathlib import Path

import pytest

from tests.helpers import Cli
from tests.projects import BUG, CART, TESTS, git, write
from tests.runs import CLAIM, FIX, broken_cart, refs, script
from tests.ships import COMMIT, MERGE, configured, merged

GATES = False


def status(folder: Path) -> str:
    return git(folder, "status", "--porcelain", "--untracked-files=all")


def test_a_clean_working_tree_follows(cli: Cli):
    user = broken_cart(cli, {".gitignore": "*.log\n"})
    write(user, {"own.txt": "mine\n", "a.log": "ignored\n"})
    configured(cli)
    data = merged(cli, steps=({"write": {"path": "new/deep.py", "content": "A = 1\n"}}, FIX, CLAIM)).json
    assert (data["state"], data["target"], data["warnings"]) == ("done", "main", [])
    assert (user / "cart.py").read_text() == CART
    assert (user / "new/deep.py").read_text() == "A = 1\n"
    assert status(user) == "?? own.txt"
    assert git(user, "rev-parse", "HEAD") == data["merged"]
    assert (user / "a.log").read_text() == "ignored\n"


@pytest.mark.runs
def test_a_clean_working_tree_follows_a_merge(cli: Cli):
    user = broken_cart(cli)
    configured(cli, f"printf 'VALUE = 1\\n' > other.py; git add other.py; {COMMIT} -m theirs")
    data = merged(cli).json
    assert (data["state"], data["target"], data["warnings"]) == ("done", "main", []), data["decision"][
        "summary"
    ]
    assert status(user) == ""
    assert (user / "cart.py").read_text() == CART
    assert git(user, "log", "--format=%s", "--first-parent").splitlines()[:2] == [
        "Merge: Fix the cart",
        "theirs",
    ]


@pytest.mark.runs
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("echo '# thinking' >> cart.py", "not committed (cart.py)"),
        ("echo 1 > staged.txt; git add staged.txt", "not committed (staged.txt)"),
        ("echo 1 > new.py", "files that git does not track are in the way (new.py)"),
        ("echo '*.py' > .git/info/exclude; echo 1 > new.py", "in the way (new.py)"),
        ("git update-index --assume-unchanged cart.py; echo '# mine' >> cart.py", "not committed (cart.py)"),
        ("touch .git/index.lock", "another git is at work"),
        ("git rev-parse HEAD > .git/MERGE_HEAD", "a merge is not finished"),
        ("mkdir .git/rebase-merge; echo refs/heads/main > .git/rebase-merge/head-name; git checkout -q --detach", "a rebase is not finished"),
    ],
)  # fmt: skip
def test_one_that_could_lose_something_is_left_alone(cli: Cli, text: str, said: str):
    user = broken_cart(cli)
    head = git(user, "rev-parse", "main")
    configured(cli, text)
    done = merged(cli, steps=({"write": {"path": "new.py", "content": "A = 1\n"}}, FIX, CLAIM))
    data = done.json
    assert (done.exit, data["state"], data["target"]) == (0, "done", None), data["decision"]["summary"]
    assert said in data["warnings"][0]
    assert f"`git merge --ff-only {data['branch']}`" in data["warnings"][0]
    assert git(user, "rev-parse", "main") == head
    assert (user / "cart.py").read_text().startswith(BUG)
    assert git(user, "show", f"{data['branch']}:cart.py") + "\n" == CART
    assert not [name for name in refs(user) if name.startswith("refs/donewhen/")]
    assert data["next"] == f"git merge --ff-only {data['branch']}"
    assert "first" in data["warnings"][0] or ".lock" in text
    shown = cli("show", data["run"], "--json").json
    assert shown["next"][0] == data["next"].split()
    assert said in shown["waits"]
    assert cli("report", data["run"], "--json").json["next"]["command"] == data["next"]


@pytest.mark.runs
def test_what_can_not_follow_says_so_to_people_too(cli: Cli):
    user = broken_cart(cli)
    configured(cli, "echo '# thinking' >> cart.py")
    done = cli("run", "Fix the cart", *cli_words(cli))
    assert done.exit == 0
    assert "not merged: main is checked out in" in " ".join(done.out.split())
    assert (user / "cart.py").read_text() == BUG + "# thinking\n"


def cli_words(cli: Cli) -> list[str]:
    return ["--accept", TESTS, "--script", script(cli, [FIX, CLAIM]), *MERGE]


@pytest.mark.runs
def test_linked_working_trees_are_held_to_the_same_rule(cli: Cli):
    user = broken_cart(cli)
    git(user, "switch", "-q", "-c", "mine")
    linked = user.parent / "linked"
    git(user, "worktree", "add", "-q", str(linked), "main")
    configured(cli)
    data = merged(cli).json
    assert (data["target"], data["warnings"]) == ("main", [])
    assert (status(linked), (linked / "cart.py").read_text()) == ("", CART)
    assert (user / "cart.py").read_text() == BUG

    git(user, "update-ref", "refs/heads/main", "main~1")
    git(linked, "reset", "-q", "--hard")
    write(linked, {"cart.py": BUG + "# mine\n"})
    data = merged(cli).json
    assert data["target"] is None
    assert str(linked) in data["warnings"][0]
    assert data["next"] == f"git -C {linked} merge --ff-only {data['branch']}"
    assert (linked / "cart.py").read_text() == BUG + "# mine\n"


@pytest.mark.runs
def test_a_linked_working_tree_that_is_gone_is_named(cli: Cli):
    user = broken_cart(cli)
    git(user, "switch", "-q", "-c", "mine")
    linked = user.parent / "linked"
    git(user, "worktree", "add", "-q", str(linked), "main")
    linked.rename(user.parent / "away")
    configured(cli)
    data = merged(cli).json
    assert data["target"] is None
    assert "git worktree prune" in data["warnings"][0]


@pytest.mark.runs
def test_in_place_the_index_follows(cli: Cli):
    user = broken_cart(cli)
    configured(cli)
    steps = ({"write": {"path": "new.py", "content": "A = 1\n"}}, FIX, CLAIM)
    data = merged(cli, "--in-place", steps=steps).json
    assert (data["state"], data["target"], data["warnings"]) == ("done", "main", [])
    assert status(user) == ""
    assert git(user, "rev-parse", "HEAD") == data["merged"]


@pytest.mark.runs
@pytest.mark.parametrize("where", [(), ("--in-place",)])
def test_a_filter_of_the_repository_is_not_run_on_what_an_agent_wrote(cli: Cli, where: tuple[str, ...]):
    files = {"tools/f.sh": "cat\n", ".gitattributes": "*.py filter=own\n"}
    user = broken_cart(cli, files)
    for key in ("clean", "smudge"):
        git(user, "config", f"filter.own.{key}", "sh tools/f.sh")
    configured(cli)
    mark, main = user.parent / "ran", git(user, "rev-parse", "main")
    evil = {"write": {"path": "tools/f.sh", "content": f"touch '{mark}'\ncat\n"}}
    done = merged(cli, *where, steps=(evil, FIX, CLAIM))
    data = done.json
    assert (done.exit, data["state"], data["target"]) == (0, "done", None)
    assert not mark.exists()
    assert "filter own" in data["warnings"][0]
    assert git(user, "rev-parse", "main") == main
    git(user, "config", "--remove-section", "filter.own")
    git(user, *data["next"].split()[1:])  # what it says to type
    assert git(user, "rev-parse", "main") == data["commit"]
    assert status(user) == ""


@pytest.mark.runs
def test_with_changes_the_dirty_tree_stays_as_it_is(cli: Cli):
    user = broken_cart(cli)
    write(user, {"draft.txt": "mine\n"})
    git(user, "add", "draft.txt")
    configured(cli)
    data = merged(cli, "--with-changes").json
    assert (data["state"], data["target"]) == ("done", None)
    assert status(user) == "A  draft.txt"


@pytest.mark.runs
def test_line_ends_of_the_owner_are_kept(cli: Cli):
    user = broken_cart(cli)
    git(user, "config", "core.autocrlf", "true")
    for name in ("cart.py", "test_cart.py"):
        (user / name).unlink()
    git(user, "checkout", "-q", "--", ".")
    assert b"\r\n" in (user / "cart.py").read_bytes()
    configured(cli)
    data = merged(cli).json
    assert (data["target"], status(user)) == ("main", "")
    assert (user / "cart.py").read_bytes() == CART.replace("\n", "\r\n").encode()


@pytest.mark.runs
def test_hooks_and_fsmonitor_of_the_repository_are_not_run(cli: Cli):
    user = broken_cart(cli)
    for name in (
        "post-checkout",
        "post-merge",
        "pre-merge-commit",
        "commit-msg",
        "reference-transaction",
        "pre-commit",
    ):
        hook = user / ".git/hooks" / name
        hook.parent.mkdir(exist_ok=True)
        hook.write_text(f"#!/bin/sh\ntouch '{user.parent}/ran-{name}'\nexit 1\n")
        hook.chmod(0o755)
    git(user, "config", "core.fsmonitor", f"touch '{user.parent}/ran-fsmonitor'; false")
    configured(cli)
    data = merged(cli).json
    assert (data["state"], data["target"]) == ("done", "main"), data["decision"]["summary"]
    assert list(user.parent.glob("ran-*")) == []
    assert (user / "cart.py").read_text() == CART
