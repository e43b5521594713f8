"""What every command shares: help, languages, errors, exit codes."""

import json
import os
import re
import subprocess
import sys
from typing import Any

import pytest

from donewhen.ui.cli import COMMANDS
from tests.helpers import Cli
from tests.tables import table_test

pytestmark = pytest.mark.walls

GATES = False  # they have tests of their own


def test_help_lists_every_command_in_both_languages(cli: Cli):
    english, chinese = cli("--help"), cli("--help", DONEWHEN_LANGUAGE="zh")
    assert english.exit == chinese.exit == 0
    for name in COMMANDS:
        assert f"\n  {name} " in english.out
        assert f"\n  {name} " in chinese.out
    assert "Usage: donewhen" in english.out
    assert "用法：donewhen" in chinese.out


@pytest.mark.runs
@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_in_both_languages(cli: Cli, name):
    english, chinese = cli(name, "--help"), cli(name, "--help", LANG="zh_CN.UTF-8")
    assert (english.exit, chinese.exit) == (0, 0)
    assert "Show this page." in english.out
    assert "显示本页。" in chinese.out


def test_without_arguments_help_is_shown(cli: Cli):
    assert cli() == cli("--help")


def test_the_version_is_told(cli: Cli):
    from donewhen import __version__

    assert cli("--version").out == f"donewhen {__version__}\n"


@pytest.mark.runs
def test_the_users_language_holds_for_help_and_errors(cli: Cli):
    cli.config.mkdir()
    (cli.config / "config.yml").write_text("language: zh\n")
    assert "用法" in cli("--help").out
    assert "没有运行" in cli("show", "r-x").err
    assert "there is no run" in cli("show", "r-x", DONEWHEN_LANGUAGE="en").err


@table_test(
    ("words", "sentence"),
    [
        (["lst"], "there is no command lst (did you mean list?); `donewhen --help` lists the commands"),
        (
            ["config", "shw"],
            "there is no command shw (did you mean show?); `donewhen config --help` lists the commands",
        ),
        (["show"], "RUN is missing; see `donewhen show --help`"),
        (
            ["list", "--stat"],
            "there is no option --stat (did you mean --state, --set?); see `donewhen list --help`",
        ),
        (["list", "--limit", "x"], "--limit must be a whole number, 0 or more; see `donewhen list --help`"),
        (["fake-model", "x", "--port", "99999"], "--port must be a whole number, 0 to 65535"),
        (["list", "--state", "happy"], "--state must be one of idle, parsing"),
        (["list", "--since", "soon"], "--since soon is no moment"),
        (["completion", "csh"], "SHELL must be one of bash, zsh, fish; see `donewhen completion --help`"),
        (["export", "last", "-o"], "see `donewhen export --help`"),
        (["list", "extra"], "extra is one argument too many; see `donewhen list --help`"),
        (
            ["list", "--since"],
            "--since needs exactly the value that its help names; see `donewhen list --help`",
        ),
        (["list", "--frobnicate"], "there is no option --frobnicate; see `donewhen list --help`"),
        (["demo", "--set", "nonsense=1"], "unknown key `nonsense`"),
        (["audit", "x", "--all"], "give either a RUN or --all, not both"),
    ],
)
def test_wrong_usage_is_one_sentence_with_exit_2(cli: Cli, words, sentence):
    done = cli(*words)
    assert (done.exit, done.out) == (2, "")
    assert sentence in done.err
    assert done.err.startswith("donewhen: ")
    assert done.err.count("\n") == 1


def test_an_error_with_json_is_an_object_too(cli: Cli):
    done = cli("show", "r-x", "--json")
    assert done.exit == 2
    assert done.json == {
        "version": 1,
        "error": {"key": "store.no_run", "message": done.err[10:-1], "exit": 2},
    }


def test_a_traceback_only_on_demand(cli: Cli):
    assert "Traceback" not in cli("show", "r-x").err
    assert "Traceback" in cli("show", "r-x", "--debug").err


def test_a_bug_of_ours_is_exit_70_with_a_report_that_holds_no_secret(cli: Cli):
    secret = "ghp_" + "A1b2C3d4" * 4 + "E5f6"
    script = (
        "import sys, donewhen.ui.cli as c, donewhen.ui.app as a\n"
        "def broken(self): raise RuntimeError('boom ' + sys.argv[-1])\n"
        "a.App.config = broken\n"
        "c.main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, "list", "--repo", secret],
        capture_output=True,
        text=True,
        env=cli.env,
        cwd=cli.folder,
        check=False,
    )
    assert done.returncode == 70
    (report,) = (cli.state / "reports").iterdir()
    assert str(report) in done.stderr
    assert "RuntimeError" in report.read_text()
    assert secret not in report.read_text()


@pytest.mark.runs
def test_no_colour_when_not_a_terminal_or_not_wanted(cli: Cli):
    import pty

    def on_terminal(**env: str) -> str:
        leader, follower = pty.openpty()
        child = subprocess.Popen(
            [sys.executable, "-m", "donewhen", "doctor"], stdout=follower, env=cli.env | env, cwd=cli.folder
        )
        os.close(follower)
        out = b""
        while True:
            try:
                part = os.read(leader, 4096)
            except OSError:
                break
            if not part:
                break
            out += part
        child.wait()
        os.close(leader)
        return out.decode()

    assert "\x1b[32m" in on_terminal(TERM="xterm")
    assert "\x1b" not in on_terminal(TERM="xterm", NO_COLOR="1")
    assert "\x1b" not in on_terminal(TERM="dumb")
    assert "\x1b" not in cli("doctor").out


@pytest.mark.runs
def test_output_survives_a_terminal_that_is_not_utf8(cli: Cli):
    done = cli("doctor", PYTHONIOENCODING="latin-1", DONEWHEN_LANGUAGE="zh")
    assert done.exit == 0
    assert "\\u" in done.out
    json.loads(cli("doctor", "--json", PYTHONIOENCODING="ascii", DONEWHEN_LANGUAGE="zh").out)


def test_doctor_checks_and_says_what_to_do(cli: Cli):
    data = cli("doctor", "--json").json
    assert data["ok"] is True
    assert [check["name"] for check in data["checks"]][:9] == [  # then clients, as far as there are any
        "python",
        "sqlite",
        "git",
        "shell",
        "sandbox",
        "config",
        "state",
        "store",
        "models",
    ]
    (cli.folder / ".donewhen").mkdir()
    (cli.folder / ".donewhen" / "config.yml").write_text("nonsense: 1\n")
    broken = cli("doctor")
    assert broken.exit == 2
    assert "✗ config:" in broken.out
    assert "✓ python" in broken.out


def test_doctor_misses_git(cli: Cli, tmp_path):
    (tmp_path / "bin").mkdir()
    done = cli("doctor", PATH=str(tmp_path / "bin"))
    assert done.exit == 5
    assert "git is not installed" in done.out


def test_doctor_finds_a_damaged_store(cli: Cli):
    cli.state.mkdir()
    cli.db.write_bytes(b"x" * 5000)
    done = cli("doctor")
    assert done.exit == 5
    assert "is damaged" in done.out


def test_doctor_finds_out_what_can_not_work(cli: Cli, tmp_path):
    (tmp_path / "file").touch()
    done = cli("doctor", DONEWHEN_STATE_DIR=str(tmp_path / "file"))
    assert done.exit == 5
    assert "✗ state" in done.out
    assert "✗ store" in done.out
    done = cli("doctor", DONEWHEN_STATE_DIR="/proc/nowhere")
    assert done.exit == 5
    assert "✗ state" in done.out


BAD_ENVIRONMENTS = {
    "no home at all": ({"HOME": "", "DONEWHEN_CONFIG_DIR": "", "DONEWHEN_STATE_DIR": ""}, 2),
    "relative config folder": ({"DONEWHEN_CONFIG_DIR": "rel"}, 2),
    "relative state folder": ({"DONEWHEN_STATE_DIR": "rel"}, 2),
    "name too long": ({"DONEWHEN_STATE_DIR": "/" + "x" * 300}, 5),
    "unknown variable": ({"DONEWHEN_NONSENSE": "1"}, 2),
}


@pytest.mark.parametrize("name", BAD_ENVIRONMENTS)
def test_a_bad_environment_is_one_sentence(cli: Cli, name):
    env: Any
    env, code = BAD_ENVIRONMENTS[name]
    done = cli("list", **env)
    assert (done.exit, done.out) == (code, ""), done
    assert done.err.count("\n") == 1
    assert done.err.startswith("donewhen: ")
    assert cli("--help", **env).exit == 0


def shell(cli: Cli, line: str, **env: str) -> subprocess.CompletedProcess[str]:
    program = f"donewhen() {{ '{sys.executable}' -m donewhen \"$@\"; }}; {line}"
    return subprocess.run(
        ["bash", "-c", program],
        env=cli.env | env,
        cwd=cli.folder,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.runs
@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("donewhen doctor >/dev/full", 5),
        ("donewhen show nope --json >/dev/full", 5),
        ("donewhen --version >/dev/full", 5),
        ("donewhen doctor >&-", 0),
        ("donewhen show nope 2>&-", 2),
        ("donewhen import - <&-", 2),
        ("donewhen show $'\\xff'", 2),
        ("donewhen list --repo $'/\\xff'", 0),
        ("donewhen list --limit 99999999999999999999", 2),
        ("mkdir gone; cd gone; rmdir ../gone; donewhen list", 5),
        ("donewhen list --set store.url=sqlite:////dev/null", 5),
        (f"donewhen export last -o /tmp/{'x' * 300}", 2),
    ],
)
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_no_stream_or_folder_brings_a_traceback(cli: Cli, line, code, unbuffered):
    done = shell(cli, line, PYTHONUNBUFFERED=unbuffered)
    assert "Traceback" not in done.stderr
    assert done.stderr.count("\n") <= 2
    assert done.returncode == code, done


def test_a_pipe_as_the_users_file_keeps_nobody_waiting(cli: Cli):
    cli.config.mkdir()
    os.mkfifo(cli.config / "config.yml")
    assert cli("--help").exit == 0
    assert cli("list").exit == 2


def test_the_language_of_a_flag_counts(cli: Cli):
    assert (
        "没有符合" in cli("list", "--repo", "/x", "--set", "language=zh").err
        or "还没有运行" in cli("list", "--set", "language=zh").err
    )


def test_the_demo_tells_its_story_and_leaves_nothing(cli: Cli, tmp_path):
    (tmp_path / "tmp").mkdir()
    done = cli("demo", TMPDIR=str(tmp_path / "tmp"))
    said = {line for line in done.err.splitlines() if not re.match(r"[a-z]+: \w", line)}  # gates: tools
    steps = {"preparing the workspace", "comparing with the base", "running python3 -m unittest"}
    assert (done.exit, said) == (0, steps)
    told = [
        "The agent of this demo is a script",
        "is run, but the line can return 0 when it fails",
        "✓ the harness ran python3 -m unittest",
        "the change only switches it off and leaves the code as it was",
        "denied by the guard",
        "committed to donewhen/demo",
        "price.py | 2 +-",
        "chain intact",
        "was edited: its hash does not fit its content",
    ]
    places = [done.out.index(text) for text in told]
    assert places == sorted(places)
    assert list((tmp_path / "tmp").iterdir()) == []
    assert not cli.state.exists()
    assert cli("demo", "--json").json["ok"] is True
    assert "DONEWHEN_LANGUAGE" not in done.out


@pytest.mark.runs
def test_a_kept_demo_leaves_an_intact_run_to_look_at(cli: Cli, tmp_path):
    (tmp_path / "tmp").mkdir()
    told = cli("demo", "--keep", "--json", TMPDIR=str(tmp_path / "tmp")).json
    folder = told["folder"]
    assert cli("show", "last", DONEWHEN_STATE_DIR=f"{folder}/intact").exit == 0
    assert cli("show", "last", DONEWHEN_STATE_DIR=f"{folder}/state").exit == 5
    events = cli("show", "last", "--events", DONEWHEN_STATE_DIR=f"{folder}/state")
    assert (events.exit, events.out) == (5, "")
    assert "intact" in cli("demo", "--keep", TMPDIR=str(tmp_path / "tmp"), DONEWHEN_LANGUAGE="zh").out


def test_importing_the_package_loads_nothing_heavy():
    script = (
        "import sys, donewhen; "
        "heavy = {'pydantic', 'yaml', 'click', 'sqlite3', 'detect_secrets', 'asyncio', 'json'} & set(sys.modules); "
        "print(sorted(heavy))"
    )
    env = {name: value for name, value in os.environ.items() if not name.startswith("COV")}
    out = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, env=env
    ).stdout
    assert out == "[]\n"


def test_help_loads_no_command_and_nothing_heavy():
    script = (
        "import sys\nsys.argv = ['donewhen', '--help']\nfrom donewhen.ui.cli import main\n"
        "try: main()\nexcept SystemExit: pass\n"
        "loaded = [m for m in sys.modules if m.startswith('donewhen.ui.commands.')]\n"
        "print('LOADED', loaded, sorted({'pydantic', 'yaml', 'sqlite3', 'detect_secrets'} & set(sys.modules)))"
    )
    env = {name: value for name, value in os.environ.items() if not name.startswith("COV")}
    out = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, env=env
    ).stdout
    assert out.endswith("LOADED [] []\n")


def test_the_names_of_the_package_are_there():
    import donewhen

    for name in donewhen.__all__:
        assert getattr(donewhen, name) is not None
    assert set(donewhen.__all__) == set(dir(donewhen))
    with pytest.raises(AttributeError):
        donewhen.nonsense  # noqa: B018


def test_completion_scripts_are_printed(cli: Cli):
    for shell in ("zsh", "fish"):
        assert "_DONEWHEN_COMPLETE" in cli("completion", shell).out


def test_doctor_says_what_confines_commands_or_that_nothing_does(cli: Cli):
    found = {check["name"]: check for check in cli("doctor", "--json").json["checks"]}["sandbox"]
    assert "confined" in found["found"]
    off = {
        check["name"]: check for check in cli("doctor", "--json", "--set", "sandbox.mode=off").json["checks"]
    }
    assert off["sandbox"]["status"] == "warning"
    assert "not confined" in off["sandbox"]["found"]
