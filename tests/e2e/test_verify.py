"""`donewhen verify` as a user runs it: the verdict, its reasons, its exit code, and what it leaves alone."""

import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.helpers import Cli
from tests.projects import BUG, CART, CART_TEST, TESTS, UNITTEST, everything, git, repository, write

pytestmark = pytest.mark.walls

GATES = False  # they have tests of their own
ACCEPT = ("--accept", TESTS)


@pytest.fixture
def project(cli: Cli) -> Path:
    return repository(cli.folder)


def test_a_clean_tree_passes_with_nothing_configured(cli: Cli, project):
    done = cli("verify")
    assert done.exit == 0, done.out + done.err
    assert "accepted" in done.out
    assert "python3 -m unittest" in done.out or "python -m unittest" in done.out
    assert "1 test" in done.out or "1 passed" in done.out


def test_a_bug_fails_with_the_place_and_the_code(cli: Cli, project):
    write(project, {"cart.py": BUG})
    done = cli("verify", *ACCEPT)
    assert done.exit == 1
    assert "not accepted" in done.out
    assert "test_cart.py:8" in done.out
    assert "self.assertEqual(total([1, 2]), 3)" in done.out  # the code frame
    assert "4 != 3" in done.out
    assert "1 file changed since HEAD" in done.out


def test_json_is_one_versioned_object_with_the_shared_decision(cli: Cli, project):
    write(project, {"cart.py": BUG})
    done = cli("verify", *ACCEPT, "--json")
    data = done.json
    assert (done.exit, data["exit_code"], data["version"]) == (1, 1, 1)
    assert data["decision"]["status"] == "failed"
    assert data["decision"]["stop_reason"] == "verification_failed"
    assert data["changed"] == {"cart.py": "modified"}
    (command,) = data["commands"]
    assert (command["status"], command["exit"], command["way"]) == ("failed", 1, "ran")
    assert command["counts"]["failed"] == 1
    assert data["feedback"][0]["location"] == {"file": "test_cart.py", "line": 8}
    assert data["environment"]["place"] == "in_place"
    assert cli("verify", *ACCEPT, "--format", "json").json["decision"] == data["decision"]


@pytest.mark.runs
@pytest.mark.parametrize(
    "command",
    [
        "python3 -m pytest --collect-only",
        "make -i test",
        "make -n test",
        f'sh -c "{TESTS} || true"',
        "true",
        "echo ok",
    ],
)
def test_a_command_that_can_not_fail_proves_nothing(cli: Cli, project, command):
    write(project, {"Makefile": f"test:\n\t{TESTS}\n"})
    done = cli("verify", "--accept", command)
    assert done.exit == 1, done.out + done.err
    assert "not accepted" in done.out


@pytest.mark.runs
@pytest.mark.parametrize(
    ("files", "command"),
    [
        ({"Makefile": f"test:\n\t-{TESTS}\n"}, "make test"),
        ({"Makefile": f"test:\n\t{TESTS} || true\n"}, "make test"),
        ({"package.json": '{"scripts": {"test": "node --test || true"}}'}, "npm test"),
        ({"package.json": '{"scripts": {"test": "echo no tests"}}'}, "npm test"),
    ],
)
def test_what_hides_the_status_behind_a_name_is_found(cli: Cli, project, files, command):
    write(project, files)
    done = cli("verify", "--accept", command)
    assert done.exit == 1, done.out + done.err


@pytest.mark.parametrize(
    "command", [f"{TESTS} | tail -1", f"{TESTS} || true", "pytest $ARGS", "pytest > out"]
)
def test_shell_syntax_in_a_command_is_refused_with_the_way_out(cli: Cli, project, command):
    done = cli("verify", "--accept", command)
    assert done.exit == 2
    assert done.err.count("\n") == 1


def test_no_test_executed_is_no_pass(cli: Cli):
    repository(cli.folder, {"test_nothing.py": "import unittest\n"})
    done = cli("verify", *ACCEPT)
    assert done.exit != 0
    assert "no test" in (done.out + done.err).lower()


def test_a_missing_tool_is_the_machines_fault(cli: Cli, project):
    done = cli("verify", "--accept", "no-such-runner --all")
    assert done.exit == 5
    assert "no-such-runner" in done.out
    assert "could not be verified" in done.out


@pytest.mark.runs
def test_red_outweighs_what_could_not_run(cli: Cli, project):
    write(project, {"cart.py": BUG})
    assert cli("verify", *ACCEPT, "--accept", "no-such-runner").exit == 1


def test_the_guard_and_the_list_of_denied_programs_hold_for_the_harness_too(cli: Cli, project):
    for command in ("rm -rf cart.py", "sudo make test", "git push --force origin main"):
        done = cli("verify", "--accept", command)
        assert done.exit == 5, done.out
    assert (project / "cart.py").exists()


def test_without_tests_and_command_nothing_can_be_proven_and_that_is_said(cli: Cli):
    project = repository(cli.folder, {"notes.txt": "hello\n", "cart.py": CART})
    for _ in ("nothing changed", "and with a change"):
        done = cli("verify")
        assert done.exit == 2, done.out + done.err
        assert "nothing can be proven here" in done.out
        assert "--accept" in done.out
        assert "accepted" not in done.out
        write(project, {"cart.py": BUG})
    data = cli("verify", "--json").json
    assert (data["exit_code"], data["unproven"], data["record"]) == (2, True, None)
    assert data["decision"]["status"] == "failed"
    assert data["decision"]["stop_reason"] == "verification_config_missing"


def test_who_can_live_with_nothing_proven_is_told_so(cli: Cli):
    project = repository(cli.folder, {"notes.txt": "hello\n", "cart.py": CART})
    write(project, {"cart.py": BUG})
    done = cli("verify", "--allow-unproven", "--output", "md=report.md")
    assert done.exit == 0, done.out + done.err
    assert "nothing proven" in done.out
    assert "accepted" not in done.out + (project / "report.md").read_text()
    secret = "ghp_" + "A1b2C3d4" * 4 + "E5f6"
    write(project, {"cart.py": f'{CART}TOKEN = "{secret}"\n'})
    assert cli("verify", "--allow-unproven", DONEWHEN_VERIFICATION__QUALITY__ENABLED="true").exit == 1


def test_a_command_that_only_the_goal_names_replaces_no_tests(cli: Cli, project):
    write(project, {"cart.py": BUG})
    goal = "Make it faster; `python3 -m compileall -q cart.py` and `python3 -c 'import cart'` must pass"
    done = cli("verify", "--goal", goal, "--json")
    lines = [command["command"] for command in done.json["commands"]]
    assert lines == ["python3 -m compileall -q cart.py", "python3 -c 'import cart'", "python -m unittest"]
    assert done.exit == 1, done.out


LOCKED = {
    **UNITTEST,
    "pyproject.toml": '[project]\nname = "cart"\nversion = "1"\n',
    "uv.lock": "version = 1\n",
}


def offline(cli: Cli, name: str) -> str:
    """A PATH with such a tool, on a machine without network."""
    tool = cli.folder.parent / "tools" / name
    tool.parent.mkdir(exist_ok=True)
    tool.write_text("#!/bin/sh\necho 'error: Failed to fetch the index: dns error' >&2\nexit 2\n")
    tool.chmod(0o755)
    return f"{tool.parent}:{cli.env['PATH']}"


def test_known_tests_are_run_by_what_is_at_hand_not_by_the_tool_of_the_lock_file(cli: Cli):
    repository(cli.folder, LOCKED)
    (command,) = cli("verify", "--json", PATH=offline(cli, "uv")).json["commands"]
    assert (command["command"].replace("python3", "python"), command["status"]) == (
        "python -m unittest",
        "passed",
    )


def test_a_tool_that_makes_an_environment_could_not_run_without_network(cli: Cli):
    repository(cli.folder, {**LOCKED, "Makefile": "check:\n\tuv run python -m unittest\n"})
    for declared in ("uv run python -m unittest", "make check"):
        done = cli("verify", "--accept", declared, PATH=offline(cli, "uv"))
        assert done.exit == 5, done.out + done.err
        assert "uv makes an environment of its own" in done.out
    assert cli("verify", "--accept", "poetry-of-nobody run python -m unittest").exit == 5


def test_an_environment_that_only_git_knows_to_ignore_is_no_part_of_the_change(cli: Cli, project):
    """Its files would be taken for new work, and for secrets."""
    leak = 'TOKEN = "' + "ghp_" + "A1b2C3d4" * 4 + 'E5f6"\n'
    place = "tools/environment/lib/python3.12/site-packages/pygments/lexers.py"
    write(
        project,
        {
            "tools/environment/pyvenv.cfg": "home = /usr/bin\n",
            "tools/environment/bin/python": "",
            place: leak,
            "scratch.py": leak,
            "cart.py": CART + "# said\n",
            ".git/info/exclude": "scratch.py\n",
        },
    )
    done = cli("verify", *ACCEPT, "--json")
    assert done.json["changed"] == {"cart.py": "modified"}
    assert done.exit == 0, done.out + done.err
    write(project, {".git/info/exclude": ""})
    assert cli("verify", *ACCEPT, "--json").json["changed"] == {"cart.py": "modified", "scratch.py": "added"}


def test_outside_a_repository(cli: Cli):
    write(cli.folder, UNITTEST)
    done = cli("verify", *ACCEPT)
    assert done.exit == 5
    assert "git" in done.err


def test_before_the_first_commit(cli: Cli):
    write(cli.folder, UNITTEST)
    git(cli.folder, "init", "-q", "-b", "main")
    done = cli("verify", *ACCEPT)
    assert done.exit == 0, done.out + done.err
    assert "no commit yet" in done.out


def test_a_detached_head(cli: Cli, project):
    git(project, "checkout", "-q", "--detach")
    assert cli("verify", *ACCEPT).exit == 0


def test_an_unresolved_merge_is_never_accepted(cli: Cli, project):
    git(project, "checkout", "-q", "-b", "other")
    write(project, {"notes.txt": "one\n"})
    git(project, "add", "-A")
    git(project, "commit", "-q", "-m", "one")
    git(project, "checkout", "-q", "main")
    write(project, {"notes.txt": "two\n"})
    git(project, "add", "-A")
    git(project, "commit", "-q", "-m", "two")
    subprocess.run(
        ["git", "-c", "user.name=a", "-c", "user.email=a@example.org", "merge", "-q", "other"],
        cwd=project,
        capture_output=True,
        check=False,
    )
    done = cli("verify", *ACCEPT)
    assert done.exit == 1
    assert "notes.txt" in done.out
    assert "merge" in done.out


def test_a_subfolder_judges_the_whole_repository(cli: Cli, project):
    (project / "docs").mkdir()
    assert cli("verify", *ACCEPT, cwd=project / "docs").exit == 0


@pytest.mark.runs
def test_nothing_of_the_user_is_changed(cli: Cli, project):
    write(project, {"cart.py": BUG, "new.txt": "x\n"})
    git(project, "stash", "push", "-q", "new.txt", "-u")
    write(project, {"staged.txt": "y\n"})
    git(project, "add", "staged.txt")
    before = everything(project)
    cli("verify", *ACCEPT)
    cli("verify", *ACCEPT, "--clean-room")
    cli("verify", "--accept", "make nothing")
    assert everything(project) == before


class TestTheSecondTime:
    @pytest.mark.runs
    def test_an_unchanged_tree_is_not_tested_twice(self, cli: Cli, project):
        first = cli("verify", *ACCEPT, "--json").json
        second = cli("verify", *ACCEPT, "--json")
        assert (second.exit, second.json["run"]) == (0, first["run"])
        assert second.json["commands"][0]["way"] == "cached"
        said = cli("verify", *ACCEPT).out
        assert "accepted" in said and f"nothing it rests on has changed since {first['run']}" in said
        assert len(cli("list", "--all-kinds", "--json").json["runs"]) == 1
        again = cli("verify", *ACCEPT, "--json", "--no-cache").json
        assert (again["commands"][0]["way"], again["run"] == first["run"]) == ("ran", False)

    @pytest.mark.runs
    def test_a_verdict_stands_only_for_the_same_question(self, cli: Cli, project):
        first = cli("verify", *ACCEPT, "--json").json["run"]
        runs = {first}
        for words in (("--goal", "Add up"), ("--set", "sandbox.mode=off"), ("--permit", "test_cart.py")):
            runs.add(cli("verify", *ACCEPT, *words, "--json").json["run"])
        git(project, "commit", "--allow-empty", "-qm", "more")
        runs.add(cli("verify", *ACCEPT, "--json").json["run"])
        assert len(runs) == 5

    @pytest.mark.runs
    def test_a_verdict_falls_with_a_later_red_on_the_same_tree(self, cli: Cli, project):
        mark = _outside(cli) / "mark"
        write(project, {"test_flaky.py": _flaky(mark)})
        mark.write_text("")
        off = ("--set", "sandbox.mode=off")
        assert cli("verify", *ACCEPT, *off).exit == 0
        mark.unlink()
        assert cli("verify", *ACCEPT, *off, "--no-cache").exit == 1
        assert cli("verify", *ACCEPT, *off).exit == 1

    @pytest.mark.runs
    def test_an_edit_runs_the_tests_again_and_its_undoing_does_not(self, cli: Cli, project):
        assert cli("verify", *ACCEPT).exit == 0
        write(project, {"cart.py": BUG})
        assert cli("verify", *ACCEPT, "--json").json["commands"][0]["way"] == "ran"
        write(project, {"cart.py": CART})
        assert cli("verify", *ACCEPT, "--json").json["commands"][0]["way"] == "cached"

    @pytest.mark.runs
    def test_only_what_is_declared_irrelevant_may_change(self, cli: Cli, project):
        cli.config.mkdir()
        (cli.config / "config.yml").write_text("evidence: {irrelevant: ['*.md']}\n")
        assert cli("verify", *ACCEPT).exit == 0
        write(project, {"README.md": "hello\n"})
        assert cli("verify", *ACCEPT, "--json").json["commands"][0]["way"] == "cached"
        write(project, {"README.txt": "hello\n"})
        assert cli("verify", *ACCEPT, "--json").json["commands"][0]["way"] == "ran"

    @pytest.mark.runs
    def test_another_command_folder_or_variable_is_another_result(self, cli: Cli, project):
        assert cli("verify", *ACCEPT).exit == 0
        done = cli("verify", "--accept", f"LEVEL=2 {TESTS}", "--accept", f"{TESTS} -v", "--json")
        assert {command["way"] for command in done.json["commands"]} == {"ran"}

    @pytest.mark.runs
    def test_a_red_is_tried_again_and_red_and_green_are_flaky(self, cli: Cli, project):
        mark = _outside(cli) / "mark"
        write(project, {"test_flaky.py": _flaky(mark)})
        assert cli("verify", *ACCEPT, "--set", "sandbox.mode=off").exit == 1
        done = cli("verify", *ACCEPT, "--json", "--set", "sandbox.mode=off")
        assert done.exit == 1
        assert done.json["commands"][0]["status"] == "flaky"
        allowed = ("--set", "evidence.flaky.passes=1", "--set", "evidence.flaky.of=2")
        assert cli("verify", *ACCEPT, *allowed, "--set", "sandbox.mode=off").exit == 0

    @pytest.mark.runs
    def test_a_flaky_pass_that_is_allowed_is_found_in_one_go(self, cli: Cli, project):
        mark = _outside(cli) / "mark"
        write(project, {"test_flaky.py": _flaky(mark)})
        allowed = ("--set", "evidence.flaky.passes=1", "--set", "evidence.flaky.of=2")
        done = cli("verify", *ACCEPT, *allowed, "--json", "--set", "sandbox.mode=off")
        assert done.exit == 0
        assert done.json["commands"][0]["runs"] == 2


def _outside(cli: Cli) -> Path:
    folder = cli.folder.parent / "outside"
    folder.mkdir(exist_ok=True)
    return folder


def _flaky(mark: Path) -> str:
    return f"""\
import pathlib
import unittest


class Flaky(unittest.TestCase):
    def test_passes_the_second_time(self):
        mark = pathlib.Path({str(mark)!r})
        if not mark.exists():
            mark.write_text("seen")
            self.fail("the first time")
"""


class TestTheBase:
    def test_on_the_target_branch_it_is_the_head(self, cli: Cli, project):
        assert cli("verify", *ACCEPT, "--json").json["base"]["name"] == "HEAD"

    @pytest.mark.runs
    def test_on_another_branch_it_is_where_that_began(self, cli: Cli, project):
        git(project, "checkout", "-q", "-b", "feature")
        write(project, {"more.py": "x = 1\n"})
        git(project, "add", "-A")
        git(project, "commit", "-q", "-m", "more")
        data = cli("verify", *ACCEPT, "--json").json
        assert data["base"] == {"commit": git(project, "rev-parse", "main"), "name": "main"}
        assert data["changed"] == {"more.py": "added"}

    def test_a_name_that_means_nothing_is_refused(self, cli: Cli, project):
        for name in ("nowhere", "-x", "--all"):
            done = cli("verify", *ACCEPT, f"--base={name}")
            assert done.exit == 2
            assert done.err.count("\n") == 1

    def test_the_users_word_wins(self, cli: Cli, project):
        write(project, {"more.py": "x = 1\n"})
        git(project, "add", "-A")
        git(project, "commit", "-q", "-m", "more")
        assert cli("verify", *ACCEPT, "--base", "HEAD~1", "--json").json["changed"] == {"more.py": "added"}


@pytest.mark.runs
def test_a_clean_room_judges_the_commit_alone(cli: Cli, project):
    write(project, {"cart.py": BUG})
    git(project, "commit", "-q", "-a", "-m", "a bug")
    write(project, {"cart.py": CART})  # mended, but not committed
    assert cli("verify", *ACCEPT).exit == 0
    done = cli("verify", *ACCEPT, "--clean-room")
    assert done.exit == 1
    assert "not included" in done.out


@pytest.mark.runs
def test_a_clean_room_holds_nothing_that_is_ignored(cli: Cli):
    files = {**UNITTEST, ".gitignore": "helper.py\n", "cart.py": "from helper import total\n"}
    repository(cli.folder, files)
    write(cli.folder, {"helper.py": CART})
    assert cli("verify", *ACCEPT).exit == 0
    assert cli("verify", *ACCEPT, "--clean-room").exit == 1


@pytest.mark.runs
def test_a_promise_with_files_and_commands(cli: Cli, project):
    promise = f"""\
objective: the cart adds up
acceptance: [{{id: c1, description: tests pass}}]
accept: ['{TESTS}']
checks:
  - {{id: guide, kind: file_exists, target: docs/guide.md}}
"""
    write(cli.folder.parent, {"promise.yml": promise})
    file = str(cli.folder.parent / "promise.yml")
    done = cli("verify", "--promise", file)
    assert done.exit == 1
    assert "docs/guide.md" in done.out
    assert "--all" in done.out  # a stage before the exam failed
    assert cli("verify", "--promise", file, "--all", "--json").json["commands"][0]["way"] == "ran"
    write(project, {"docs/guide.md": "how\n"})
    assert cli("verify", "--promise", file).exit == 0


class TestAHostileCommand:
    @pytest.mark.runs
    def test_one_that_hangs_ends_in_time(self, cli: Cli, project):
        write(project, {"hang.py": "import time\ntime.sleep(600)\n"})
        done = cli("verify", "--accept", "python3 hang.py", "--set", "verification.execution.timeout=1")
        assert done.exit == 5
        assert "1" in done.out

    def test_one_that_wants_a_terminal(self, cli: Cli, project):
        write(project, {"ask.py": "open('/dev/tty').read()\n"})
        done = cli("verify", "--accept", "python3 ask.py")
        assert done.exit in (1, 5)

    def test_one_that_reads_stdin_gets_none(self, cli: Cli, project):
        write(project, {"ask.py": "import sys\nsys.exit(len(sys.stdin.read()))\n"})
        assert cli("verify", "--accept", "python3 ask.py", stdin=b"hello").exit == 0

    @pytest.mark.runs
    def test_what_it_leaves_running_is_ended(self, cli: Cli, project):
        child = "import subprocess, sys\np = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'], "
        child += "start_new_session=True)\nprint('pid', p.pid)\n"
        write(project, {"leave.py": child})
        done = cli("verify", "--accept", "python3 leave.py", "--json", "--set", "sandbox.mode=off")
        pid = int(done.json["commands"][0]["tail"].split()[-1])
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


@pytest.mark.runs
def test_planted_settings_are_neither_run_nor_believed(cli: Cli, project):
    proof = _outside(cli) / "ran"
    script = _outside(cli) / "script"
    script.write_text(f"#!/bin/sh\ntouch {proof}\ncat\n")
    script.chmod(0o755)
    for name, value in {
        "core.fsmonitor": str(script),
        "filter.evil.clean": str(script),
        "filter.evil.process": str(script),
        "core.hooksPath": str(_outside(cli)),
        "diff.external": str(script),
    }.items():
        git(project, "config", name, value)
    for hook in ("post-index-change", "post-checkout", "pre-commit", "reference-transaction"):
        shutil.copy(script, _outside(cli) / hook)
    write(project, {".gitattributes": "* filter=evil\n"})
    proof.unlink(missing_ok=True)
    assert cli("verify", *ACCEPT).exit == 0
    git_off = ("-c", "core.fsmonitor=false", "-c", "filter.evil.clean=", "-c", "filter.evil.process=")
    git(project, *git_off, "update-index", "--assume-unchanged", "cart.py")
    write(project, {"cart.py": BUG})
    proof.unlink(missing_ok=True)
    done = cli("verify", *ACCEPT)
    assert done.exit == 1
    assert "cart.py" in cli("verify", *ACCEPT, "--json").json["changed"]
    assert not proof.exists()


@pytest.mark.runs
def test_a_verification_is_a_run_in_the_ledger(cli: Cli, project):
    name = cli("verify", *ACCEPT, "--json").json["run"]
    shown = cli("show", name, "--json").json
    assert json.dumps(shown).count("accepted")
    assert cli("audit", name).exit == 0
    assert cli("gate", "decide", "--run", name).exit == 0


@pytest.mark.runs
def test_chinese(cli: Cli, project):
    done = cli("verify", *ACCEPT, DONEWHEN_LANGUAGE="zh")
    assert done.exit == 0
    assert "通过" in done.out


def test_quiet_says_the_verdict_alone(cli: Cli, project):
    done = cli("verify", *ACCEPT, "-q")
    assert (done.exit, done.out.count("\n"), done.err) == (0, 1, "")


@pytest.mark.runs
def test_a_weakened_configuration_does_not_help(cli: Cli, project):
    gates = "verification: {quality: {gates: [{name: tests, command: [python3, -m, unittest]}]}}\n"
    write(project, {".donewhen/config.yml": gates})
    assert cli("trust").exit == 0
    git(project, "add", "-A")
    git(project, "commit", "-q", "-m", "configuration")
    write(project, {"cart.py": BUG, ".donewhen/config.yml": "verification: {quality: {gates: []}}\n"})
    done = cli("verify", DONEWHEN_VERIFICATION__QUALITY__ENABLED="true")
    assert done.exit == 1
    assert "unittest" in done.out


@pytest.mark.runs
def test_a_bug_that_breaks_the_loading_of_tests_is_the_changes_fault(cli: Cli, tmp_path):
    python = Path(sys.executable)
    files = {"cart.py": CART, "conftest.py": "import cart\n", "test_cart.py": "def test_it():\n    pass\n"}
    project = repository(cli.folder, files)
    alone = "PYTEST_DISABLE_PLUGIN_AUTOLOAD=1"  # a plugin of a checkout below /tmp is out of the exam's sight
    accept = ("--accept", f"{alone} {python} -m pytest")
    assert cli("verify", *accept).exit == 0
    write(project, {"cart.py": "def total(prices):\n    return 1\n\n\nraise RuntimeError('broken')\n"})
    done = cli("verify", *accept)
    assert done.exit == 1, done.out
    assert "broken" in done.out


@pytest.mark.runs
def test_files_that_a_command_writes_itself_do_not_age_its_result(cli: Cli):
    writes = (
        CART_TEST
        + "\n\nimport os\n\nos.makedirs('report', exist_ok=True)\nopen('report/index.js', 'w').write('1')\n"
    )
    repository(cli.folder, {"cart.py": CART, "test_cart.py": writes})
    done = cli("verify", *ACCEPT)
    assert done.exit == 0, done.out


@pytest.mark.runs
def test_what_a_command_writes_at_home_is_gone_afterwards(cli: Cli, tmp_path):
    home = tmp_path / "home"
    (home / ".config").mkdir(parents=True)
    (home / "mine.txt").write_text("mine")
    code = """\
import os, pathlib, sys
home = pathlib.Path.home()
assert sys.argv[1] == "auto" or (home / "mine.txt").read_text() == "mine"
for name in (".rc", ".config/app", ".cache/tool"):
    (home / name).write_text("x")
"""
    repository(cli.folder, {"write.py": code})
    for mode in ("off", "auto"):  # the sandbox has a /tmp of its own, and this home lies in the other
        words = ("--accept", f"python3 write.py {mode}", "--set", f"sandbox.mode={mode}")
        done = cli("verify", *words, HOME=str(home))
        assert done.exit == 0, done.out
    assert sorted(path.name for path in home.rglob("*")) == [".config", "mine.txt"]


class TestWhatIsIgnored:
    @pytest.mark.runs
    def test_an_edit_of_it_is_no_reason_to_believe_an_old_result(self, cli: Cli):
        ignoring = {".gitignore": "helper.py\n", "cart.py": "from helper import total\n"}
        project = repository(cli.folder, {**UNITTEST, **ignoring})
        write(project, {"helper.py": CART})
        assert cli("verify", *ACCEPT).exit == 0
        assert cli("verify", *ACCEPT, "--json").json["commands"][0]["way"] == "cached"
        write(project, {"helper.py": BUG})
        assert cli("verify", *ACCEPT).exit == 1
        (project / "helper.py").unlink()
        assert cli("verify", *ACCEPT).exit == 1

    def test_what_the_command_itself_writes_there_keeps_its_result(self, cli: Cli):
        writes = CART_TEST + "\n\nimport time\n\nopen('out.log', 'a').write(str(time.time()))\n"
        repository(cli.folder, {"cart.py": CART, "test_cart.py": writes, ".gitignore": "out.log\n"})
        assert cli("verify", *ACCEPT).exit == 0
        assert cli("verify", *ACCEPT, "--json").json["commands"][0]["way"] == "cached"


def test_a_masked_script_is_judged_and_found(cli: Cli):
    repository(cli.folder, {"package.json": '{"scripts": {"test": "node --test || true"}}', "a.test.js": "1"})
    done = cli("verify")
    assert done.exit == 1
    assert "masked" in done.out


@pytest.mark.runs
def test_a_part_tells_places_from_the_root(cli: Cli):
    files = {f"backend/{name}": text for name, text in UNITTEST.items()}
    project = repository(cli.folder, {**files, "backend/requirements.txt": ""})
    write(project, {"backend/cart.py": BUG})
    done = cli("verify", "--accept", f"cd backend && {TESTS}")
    assert done.exit == 1
    assert "backend/test_cart.py:8" in done.out
    assert f"- cd backend && {TESTS}: " in done.out


def test_without_tests_the_next_step_is_told(cli: Cli):
    repository(cli.folder, {"notes.txt": "hello\n"})
    done = cli("verify")
    assert done.exit == 2
    assert "--answer-only" not in done.out + done.err
    assert "--accept" in done.out


def test_a_failure_of_the_network_is_explained(cli: Cli, project):
    code = "import socket\nsocket.getaddrinfo('nowhere.invalid', 80)\n"
    write(project, {"ask.py": code})
    assert "sandbox.exam_network" in cli("verify", "--accept", "python3 ask.py").out


@pytest.mark.runs
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_being_asked_to_end_leaves_nothing_running_and_an_ended_run(cli: Cli, project, tmp_path, number):
    ready = tmp_path / "ready"
    os.mkfifo(ready)
    code = f"import os, time\nopen({str(ready)!r}, 'w').write(str(os.getpid()))\ntime.sleep(600)\n"
    write(project, {"wait.py": code})
    words = ["verify", "--accept", "python3 wait.py", "--set", "sandbox.mode=off"]
    with subprocess.Popen(
        [sys.executable, "-m", "donewhen", *words],
        cwd=project,
        env=cli.env,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as running:
        pid = int(ready.read_text())
        running.send_signal(number)
        running.communicate()
    assert running.returncode == 130
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    (run,) = cli("list", "--all-kinds", "--json").json["runs"]
    assert (run["state"], run["stop_reason"]) == ("fail", "user_interrupt")


@pytest.mark.runs
def test_the_gate_says_the_same_about_the_stored_run(cli: Cli, project):
    promise = f"""\
objective: the cart adds up
acceptance: [{{id: c1, description: tests pass}}]
accept: ['{TESTS}']
allowed_scope: ['*.py']
checks: [{{id: there, kind: file_exists, target: cart.py}}]
"""
    write(cli.folder.parent, {"promise.yml": promise})
    words = ("verify", "--promise", str(cli.folder.parent / "promise.yml"), "--all")
    assert cli(*words).exit == 0
    assert cli("gate", "decide", "--run", "last").exit == 0
    write(project, {"README.md": "hi\n"})
    assert cli(*words).exit == 1
    assert cli("gate", "decide", "--run", "last").exit == 1


@pytest.mark.parametrize("option", ["--promise", "--spec", "--base", "--goal"])
def test_an_empty_option_is_a_mistake(cli: Cli, project, option):
    assert cli("verify", *ACCEPT, option, "").exit == 2


def test_a_wrong_profile_or_base_is_a_usage_error(cli: Cli, project):
    assert cli("verify", *ACCEPT, "--profile", "junk").exit == 2
    assert cli("verify", *ACCEPT, "--base", "^HEAD").exit == 2


@pytest.mark.parametrize("name", [".gitignore", ".gitattributes", ".git/index", ".git/config"])
def test_a_pipe_in_the_place_of_a_file_of_git_keeps_nobody_waiting(cli: Cli, project, name):
    (project / name).unlink(missing_ok=True)
    os.mkfifo(project / name)
    done = cli("verify", *ACCEPT)
    assert done.exit == 5
    assert name in done.err


def test_a_damaged_head_is_no_repository_without_commits(cli: Cli, project):
    ref = project / ".git/refs/heads/main"
    ref.write_text("0" * 39 + "1\n")
    assert cli("verify", *ACCEPT).exit == 5


@pytest.mark.runs
def test_each_command_stands_for_itself_alone(cli: Cli):
    files = {f"a/{name}": text for name, text in UNITTEST.items()}
    repository(cli.folder, {**files, "b/notes.txt": "no tests\n"})
    done = cli("verify", "--accept", f"cd a && {TESTS}", "--accept", f"cd b && {TESTS}", "--json")
    assert done.exit == 1
    assert [command["status"] for command in done.json["commands"]] == ["passed", "pending"]


@pytest.mark.runs
def test_a_trusted_configuration_can_not_be_lost(cli: Cli, project):
    gates = "verification: {quality: {gates: [{name: tests, command: [python3, -m, unittest]}]}}\n"
    write(project, {".donewhen/config.yml": gates})
    assert cli("trust").exit == 0
    shutil.rmtree(project / ".donewhen")
    write(project, {"cart.py": BUG})
    done = cli("verify", "--accept", "python3 -c pass", DONEWHEN_VERIFICATION__QUALITY__ENABLED="true")
    assert done.exit == 1
    assert "unittest" in done.out
    assert "donewhen untrust" in done.out
    shutil.rmtree(cli.state / "trusted")
    done = cli("verify", "--accept", "python3 -c pass", DONEWHEN_VERIFICATION__QUALITY__ENABLED="true")
    assert done.exit == 2
    assert "donewhen untrust" in done.err
    assert cli("untrust").exit == 0
    words = ("verify", "--accept", "python3 -c pass", "--set", "evidence.known_tests=off")
    assert cli(*words, DONEWHEN_VERIFICATION__QUALITY__ENABLED="true").exit == 0


@pytest.mark.runs
def test_an_empty_target_does_not_stand_for_the_tests(cli: Cli, project):
    write(project, {"cart.py": BUG, "Makefile": 'test:\n\tpython3 -c "import sys"\n'})
    done = cli("verify")
    assert done.exit == 1, done.out


@pytest.mark.runs
def test_hidden_files_that_are_not_here_do_not_hide_a_failure(cli: Cli):
    project = repository(cli.folder, {**UNITTEST, "test_red.py": CART_TEST.replace("3)", "4)")})
    git(project, "update-index", "--skip-worktree", "test_red.py")
    (project / "test_red.py").unlink()
    assert cli("verify", *ACCEPT).exit == 1


@pytest.mark.runs
def test_the_time_of_tests_is_theirs(cli: Cli, project):
    write(
        project,
        {
            "test_slow.py": CART_TEST.replace(
                "        self", "        import time; time.sleep(60)\n        self"
            )
        },
    )
    done = cli("verify", *ACCEPT, "--set", "verification.execution.test_timeout=2")
    assert done.exit == 5


def test_source_that_is_another_only_while_the_exam_runs_proves_nothing(cli: Cli):
    flips = (
        CART_TEST
        + f"""

import pathlib

SOURCE = pathlib.Path("cart.py")
SOURCE.write_text({CART!r})


def tearDownModule():
    SOURCE.write_text({BUG!r})
"""
    )
    flips = flips.replace("import unittest\n\nfrom cart import total\n", "import unittest\n")
    flips = flips.replace("        self.assert", "        from cart import total\n        self.assert")
    repository(cli.folder, {"cart.py": BUG, "test_cart.py": flips})
    done = cli("verify", *ACCEPT)
    assert done.exit == 5, done.out
    assert "cart.py" in done.out
