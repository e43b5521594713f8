"""What a run may change: folders stand for what is in them, and undoing is always open."""

import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from donewhen.guard import Bounds, Guard, ToolCall
from donewhen.guard.bounds import Spot
from donewhen.guard.cases import GROUND
from donewhen.guard.disk import RealDisk, ground_at
from tests.tables import table_test

NOT_VENDOR = Bounds(disallowed_scope=("vendor/**",))
ONLY_APP = Bounds(allowed_scope=("app/**",))
WHO = ("-c", "user.name=a", "-c", "user.email=a@example.org")


def git(folder: Path, *words: str) -> None:
    subprocess.run(["git", *WHO, *words], cwd=folder, check=True, capture_output=True, timeout=60)


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with links, ignored data, a patch."""
    root = tmp_path_factory.mktemp("scope") / "ws"
    for path in ("vendor/x/a", "app/b", "docs/guide/r.md", "data/rows", "src/gen/g", "src/m"):
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text("one\n")
    (root / ".gitignore").write_text("data\n.env\n")
    git(root, "init", "-q", "-b", "main")
    (root / "app/to-vendor").symlink_to("../vendor")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "x")
    git(root, "branch", "other")
    git(root, "checkout", "-qb", "run")
    (root / "vendor.patch").write_text("--- a/vendor/x/a\n+++ b/vendor/x/a\n@@ -1 +1 @@\n-one\n+two\n")
    return root


@pytest.fixture(scope="module")
def ground(workspace: Path):
    """All that is there counts as made by the run, where git does not track it."""
    (workspace / "vendor/new").mkdir()
    (workspace / "vendor/new/file").write_text("drift")
    return ground_at(str(workspace), {"HOME": "/home/dev"})._replace(since=0.0)


VENDOR_CHANGED = """
rm -rf vendor | rm -rf ./vendor/ | rm -rf "$PWD/vendor" | rm -rf app/../vendor | rm -rf vendor/* | rm -rf vend*
mv vendor old | git rm -rq vendor | git -C vendor rm -rq x | cd vendor && rm -rf x | rmdir vendor
cp -r app/. vendor | cp -t vendor app/b | git mv app/b vendor/ | mv app/b vendor | install -m644 app/b vendor/
rsync -a app/ vendor/ | rsync -a --delete app/ vendor/ | tar -C vendor -xf x.tar | unzip -d vendor a.zip
ln -s ../app/b vendor/l | ln -sfn app vendor | echo x > app/to-vendor/y | sed -i s/a/b/ */x/*
git checkout other -- vendor | git checkout other vendor/x | git restore -s other vendor/x/a
git --git-dir=/tmp/o/.git checkout HEAD -- vendor/x | cd vendor && git checkout other -- .
git apply vendor.patch | git am vendor.patch | mkdir vendor/q | chmod -R u+w vendor | find vendor -name '*.js' -delete
git show HEAD:app/b > vendor/x/a | git show other:vendor/x/a > vendor/x/a | git rm -q vendor/x/a
python3 -c "import shutil; shutil.rmtree('vendor')" | git checkout --theirs vendor/x/a
"""
UNDOING = """
git checkout HEAD -- vendor | git checkout -- vendor/x | git checkout @ vendor/x/a | git checkout vendor/x/a
git checkout vendor/x/a app/b | git checkout run -- vendor | git checkout HEAD~1 -- vendor/x | git restore vendor
git restore --source=HEAD vendor/x/a | git restore -SW -s HEAD vendor | git stash | git stash push -- vendor
cd vendor && git checkout -- . | git -C vendor checkout -- x | git clean -fd vendor | rm -rf vendor/new
rm vendor/new/file | git show HEAD:vendor/x/a > vendor/x/a | git apply -R vendor.patch | git reset --hard | git checkout -- .
"""
IN_APP = """
mkdir -p app/new | mkdir app | mkdir -p app/a/b/c | rm -r app | cp -r vendor app/copy | mv app/b app/c
find . -name '*.py' -not -path './vendor/*' -exec sed -i s/a/b/ {} +
find . -path ./vendor -prune -o -name '*.py' -exec sed -i s/a/b/ {} +
touch app/c | rm app/to-vendor | find . -name '*.pyc' -delete | rm -rf __pycache__ .pytest_cache tmp
"""


def lines(text: str) -> list[str]:
    """Commands stand between bars with blanks round them."""
    return [one.strip() for row in text.strip().splitlines() for one in row.split(" | ")]


@table_test("bounds", [NOT_VENDOR, ONLY_APP], ids=["disallowed", "allowed"])
@table_test("command", lines(VENDOR_CHANGED))
def test_a_folder_outside_the_scope_stands_for_all_that_is_in_it(ground, bounds, command) -> None:
    assert Guard(ground, bounds).command(command).rule in ("scope", "write-outside")


@table_test("bounds", [NOT_VENDOR, ONLY_APP], ids=["disallowed", "allowed"])
@table_test("command", lines(UNDOING) + lines(IN_APP))
def test_undoing_and_work_inside_the_scope_are_allowed(ground, bounds, command) -> None:
    decision = Guard(ground, bounds).command(command)
    assert (decision.action, decision.rule) == ("allow", "")


@table_test(
    ("globs", "command", "rule"),
    [
        (("vendor/x/**",), "rm -rf vendor", "scope"),
        (("vendor/x",), "mv vendor old", "scope"),
        (("vendor/x/**",), "rm -rf vendor/new", ""),
        (("vendor/x/**",), "mkdir -p vendor/y", ""),
        (("*.md",), "rm -rf docs", "scope"),
        (("**/guide/**",), "rm -rf docs", "scope"),
        (("*.md",), "rm -rf src", ""),
        (("vendor/**",), "rm -rf vendors", ""),
        (("vendor/**", "!vendor/new/**"), "touch vendor/new/y", ""),
    ],
)
def test_what_is_disallowed_below_a_folder_goes_with_it(ground, globs, command, rule) -> None:
    assert Guard(ground, Bounds(disallowed_scope=globs)).command(command).rule == rule


@table_test(
    ("globs", "command", "rule"),
    [
        (("src/gen/**",), "mkdir src", ""),
        (("lib/deep/**",), "mkdir lib", ""),
        (("lib/deep/**",), "mkdir lib/other", "scope"),
        (("lib/*/deep/**",), "mkdir -p lib/any", ""),
        (("src/gen/**",), "rm -rf src", "scope"),
        (("src/**", "!src/gen/**"), "rm -rf src", "scope"),
        (("src/**", "!src/gen/**"), "rm src/m", ""),
        (("*.md",), "rm -rf docs", "scope"),
        (("*.md",), "touch docs/new.md", ""),
        (("src",), "rm -rf src", ""),
    ],
)
def test_what_is_allowed_does_not_take_its_surroundings_along(ground, globs, command, rule) -> None:
    assert Guard(ground, Bounds(allowed_scope=globs)).command(command).rule == rule


def test_ignored_files_that_were_there_before_the_run_are_not_its_own_to_delete(ground) -> None:
    bounds = Bounds(disallowed_scope=("data/**",))
    commands = ("rm -rf data", "rm -rf data/*", "git clean -fdx data", "git clean -fd data")
    before = Guard(ground._replace(since=float("inf")), bounds)
    assert [before.command(one).rule for one in commands] == ["scope", "scope", "scope", ""]
    assert Guard(ground, bounds).command("rm -rf data").rule == ""


def test_what_is_made_after_the_guard_began_counts_as_the_run_s_own(workspace: Path) -> None:
    ground = ground_at(str(workspace), {"HOME": "/home/dev"})
    (workspace / "later").mkdir()
    (workspace / "later/file").write_text("x")
    first = RealDisk().untouched(str(workspace / "later"))
    assert first is not None and first >= ground.since


def test_tools_are_bound_like_commands(ground) -> None:
    guard = Guard(ground, NOT_VENDOR)
    assert guard.tool(ToolCall("delete_file", {"path": "vendor"})).rule == "scope"
    assert guard.tool(ToolCall("move_file", {"source": "app/b", "target": "vendor/b"})).rule == "scope"
    assert guard.tool(ToolCall("write_file", {"path": "app/to-vendor/b"})).rule == "scope"
    assert guard.tool(ToolCall("delete_file", {"path": "vendor/new/file"})).action == "allow"


def test_without_a_disk_the_text_decides() -> None:
    guard = Guard(GROUND, NOT_VENDOR)
    for command in ("rm -rf vendor", "rm -rf vend*", "mv vendor old", "cp -r app/. vendor", "rm vendor/x"):
        assert guard.command(command).rule == "scope", command
    for command in ("git checkout HEAD -- vendor", "git clean -fd vendor", "rm -rf vendors", "rm -rf app"):
        assert guard.command(command).action == "allow", command


def test_kept_files_go_with_their_folder_but_may_be_put_back() -> None:
    guard = Guard(GROUND, Bounds(kept=("tests/acceptance/**",)))
    assert guard.command("rm -rf tests").rule == "kept-file"
    assert guard.command("mv tests/acceptance /tmp/x").rule == "kept-file"
    assert guard.command("git checkout HEAD -- tests/acceptance").action == "allow"
    assert guard.command("ruff format tests").action == "allow"


def test_forced_adding_of_everything_takes_in_the_secrets_that_are_there(ground, workspace) -> None:
    guard = Guard(ground)
    assert guard.command("git add -Af").action == "allow"
    (workspace / ".env").write_text("TOKEN=x")
    try:
        rules = {line: guard.command(line).rule for line in ("git add -Af", "git add -f .", "git add -A")}
        assert rules == {"git add -Af": "secret-read", "git add -f .": "secret-read", "git add -A": ""}
        assert guard.command("git clean -fdx").rule == "data-change"
        assert guard.command("git clean -fd").action == "allow"
    finally:
        (workspace / ".env").unlink()


_NAMES = st.lists(st.sampled_from(["a", "b", "c"]), min_size=1, max_size=4).map("/".join)


@given(_NAMES, _NAMES)
def test_deleting_a_folder_is_outside_when_anything_in_it_is(folder: str, rest: str) -> None:
    bounds = Bounds(disallowed_scope=(f"{folder}/{rest}/**",))
    for depth in range(1, len(folder.split("/")) + 1):
        assert bounds.outside_scope(Spot("/".join(folder.split("/")[:depth]), "whole"))
    assert bounds.outside_scope(Spot(f"{folder}/{rest}/x", "one"))


@given(_NAMES, _NAMES)
def test_making_the_folders_above_an_allowed_path_is_inside(folder: str, rest: str) -> None:
    bounds = Bounds(allowed_scope=(f"{folder}/{rest}/**",))
    assert not bounds.outside_scope(Spot(folder, "made"))
    assert not bounds.outside_scope(Spot(f"{folder}/{rest}", "whole"))
    assert bounds.outside_scope(Spot(f"z/{folder}", "made"))
