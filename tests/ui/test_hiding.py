"""A key in a variable of any name is hidden by whatever shows or reports, once the configuration declared it."""

import subprocess
import sys

from donewhen.core.events import run
from donewhen.ui.hiding import redactor, remember
from donewhen.ui.live import RunView
from tests.helpers import Cli

KEY = "word-that-looks-like-nothing"


def config_with(name: str):
    from donewhen.config import config_from_mapping

    return config_from_mapping({"tools": {"llm": {"key_env": name}}})


def test_a_declared_variable_is_hidden_from_then_on(monkeypatch, capsys):
    monkeypatch.setenv("PLAINLY", KEY)
    assert KEY in redactor().text(f"say {KEY}")
    remember(config_with("PLAINLY"))
    assert KEY not in redactor().text(f"say {KEY}")
    with RunView() as view:
        view.saw(run.Noted(f"the endpoint said {KEY}", "warning"))
    said = capsys.readouterr()
    assert said.out + said.err
    assert KEY not in said.out + said.err


def test_the_report_of_a_bug_holds_no_declared_key(cli: Cli):
    cli.config.mkdir()
    (cli.config / "config.yml").write_text("tools: {llm: {key_env: PLAINLY}}\n")
    script = (
        "import sys, donewhen.ui.cli as c, donewhen.store as s\n"
        "def broken(*_, **__): raise RuntimeError('boom ' + sys.argv[-1])\n"
        "s.open_store = broken\n"
        "c.main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, "list", "--goal", KEY],
        capture_output=True,
        text=True,
        env={**cli.env, "PLAINLY": KEY},
        cwd=cli.folder,
        check=False,
    )
    assert done.returncode == 70, done.stderr
    (report,) = (cli.state / "reports").iterdir()
    assert "RuntimeError" in report.read_text()
    assert KEY not in report.read_text()
