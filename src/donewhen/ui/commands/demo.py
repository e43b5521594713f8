"""`donewhen demo`: a whole run with the real commands, in a folder of its own.

A bundled repository has a bug, and a scripted agent that lies about it: it claims success on a masked test
run, is refused, switches the failing test off, is caught, and then fixes the code. Afterwards the ledger of
that run is altered behind donewhen's back, and audited. Nothing of the user's is read or written.
"""

import os
import shlex
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path

import click

from donewhen.core.errors import SetupError
from donewhen.ui.app import App, command
from donewhen.ui.output import paint, print_json, print_line
from donewhen.ui.words import language, t

_GOAL = "A discount of 20 % takes off only 10 %. Fix price.py."
_EXAM = "python3 -m unittest"
_EXAMPLE = Path(__file__).parents[1] / "demo_project"
_AGENT = Path(__file__).parents[1] / "demo_agent.yml"
_AUTHOR = ("-c", "user.name=demo", "-c", "user.email=demo@example.org", "-c", "commit.gpgSign=false")
_BRANCH = "donewhen/demo"
_FORGE = """UPDATE events SET payload = replace(payload, '"status":"continue"', '"status":"accepted"')
WHERE type = 'decided'"""


@command("demo", "help.demo")
@click.option("--keep", is_flag=True, help=t("help.demo_keep"))
def demo(app: App, keep: bool) -> int:
    app.config()  # a wrong setting is wrong here too
    folder = Path(tempfile.mkdtemp(prefix="donewhen-demo-"))
    try:
        steps = _Story(folder, quiet=app.quiet or app.as_json).tell()
        wrong = [name for name, (got, expected) in steps.items() if got != expected]
        keep = keep or bool(wrong)  # what went wrong can be looked at
    finally:
        if not keep:
            shutil.rmtree(folder, ignore_errors=True)
    if app.as_json:
        exits = {name: got for name, (got, _) in steps.items()}
        print_json({"ok": not wrong, "steps": exits, "folder": str(folder) if keep else None})
    elif wrong:
        raise SetupError("demo.unexpected", steps=", ".join(wrong), folder=folder)
    else:
        print_line()
        print_line(paint("✓ ", "green") + t("demo.end"))
        print_line(t("demo.real"))
        if keep:
            print_line(t("demo.kept", folder=folder))
    return 1 if wrong else 0


class _Story:
    def __init__(self, folder: Path, *, quiet: bool) -> None:
        self._quiet = quiet
        self._state = folder / "state"
        self._shop = folder / "shop"
        self._exits: dict[str, tuple[int, int]] = {}
        kept = ("PATH", "HOME", "LANG", "LC_ALL", "TERM", "NO_COLOR", "PYTHONPATH")
        self._env = {name: os.environ[name] for name in kept if name in os.environ} | {
            "DONEWHEN_STATE_DIR": str(self._state),
            "DONEWHEN_CONFIG_DIR": str(folder / "config"),
            "DONEWHEN_CACHE_DIR": str(folder / "cache"),
            "LC_ALL": "zh_CN.UTF-8" if language() == "zh" else "C.UTF-8",
            "PYTHONUTF8": "1",
        }
        shutil.copytree(_EXAMPLE, self._shop, ignore=shutil.ignore_patterns("__pycache__"))
        (self._shop / ".gitignore").write_text("__pycache__/\n")
        shutil.copy(_AGENT, folder / "agent.yml")
        for words in (
            ("init", "-q", "-b", "main"),
            ("add", "-A"),
            (*_AUTHOR, "commit", "-q", "-m", "a shop"),
        ):
            subprocess.run(["git", *words], cwd=self._shop, env=self._env, check=True)

    def tell(self) -> dict[str, tuple[int, int]]:
        self._say("demo.scripted")
        self._say("demo.plan")
        self._run("plan", "plan", _GOAL, "--accept", _EXAM)
        self._say("demo.run")
        words = ("--accept", _EXAM, "--script", "../agent.yml", "--on-ask", "deny", "--branch", _BRANCH)
        self._run("run", "run", _GOAL, *words)
        self._say("demo.branch")
        self._git("log", "--oneline", "--stat", f"main..{_BRANCH}")
        self._say("demo.audit")
        self._run("audit", "audit", "last")
        shutil.copytree(self._state, self._state.with_name("intact"))
        self._say("demo.tamper")
        self._alter(_FORGE)
        self._run("audit after edit", "audit", "last", expected=1)
        return self._exits

    def _alter(self, sql: str) -> None:
        with sqlite3.connect(self._state / "donewhen.db") as db:
            db.execute(sql)
        db.close()

    def _say(self, key: str) -> None:
        if not self._quiet:
            print_line(f"\n{paint(t(key), 'bold')}")

    def _git(self, *words: str) -> None:
        self._show("git", *words)
        pager = {"GIT_PAGER": "cat", "PAGER": "cat"}
        self._call("git", ["git", *words], self._env | pager, 0)

    def _run(self, name: str, *words: str, expected: int = 0) -> None:
        self._show("donewhen", *words)
        self._call(name, [sys.executable, "-m", "donewhen", *words], self._env, expected)

    def _show(self, *words: str) -> None:
        if not self._quiet:
            print_line(paint(f"$ {shlex.join(words)}", "cyan"))
            sys.stdout.flush()

    def _call(self, name: str, words: list[str], env: dict[str, str], expected: int) -> None:
        silent = subprocess.DEVNULL if self._quiet else None
        done = subprocess.run(words, env=env, cwd=self._shop, stdout=silent, stderr=silent, check=False)
        self._exits[name] = (done.returncode, expected)
