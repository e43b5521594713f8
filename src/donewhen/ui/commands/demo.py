"""`donewhen demo`: a small story with the real commands, in a folder of its own.

First the exam: a bundled repository is verified as it is, with a bug, and by a command that can't fail. Then
proof: what a goal asks for, what a line proves, what the gate says to a claim. Then the ledger: an example
run is recorded through the Python API, listed, shown, audited, altered behind donewhen's back, and audited
again. Nothing of the user's is read or written.
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
from donewhen.ui.demo_run import record_example
from donewhen.ui.output import paint, print_json, print_line
from donewhen.ui.words import language, t

_CONFIG = """\
budget: {total: 2.5}
guardrails:
  protected_branches: [trunk]
hooks:
  commands:
    - {name: greet, point: run_start, command: [echo, hello]}
"""
_GOAL = "Fix the discount in price.py. Done when `pytest` and `ruff check .` pass."
_CASES = Path(__file__).parents[1] / "demo_cases"
_EXAMPLE = Path(__file__).parents[1] / "demo_project"
_AUTHOR = ("-c", "user.name=demo", "-c", "user.email=demo@example.org", "-c", "commit.gpgSign=false")
_BUG = ("(1 - discount / 100)", "(1 - discount / 200)")
_SKIP = ("    def test_takes_off", '    @unittest.skip("later")\n    def test_takes_off')
_MASKED = 'sh -c "python3 -m unittest || true"'
_REPLACE = """UPDATE events SET payload = replace(payload, '"exit":{old}', '"exit":{new}')
WHERE run_id = ? AND seq = {seq}"""
_MOVE_HEAD = """UPDATE runs SET head_seq = 14, head_hash = (SELECT hash FROM events WHERE seq = 14)
WHERE run_id = ?"""


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
            _remove(folder)
    if app.as_json:
        exits = {name: got for name, (got, _) in steps.items()}
        print_json({"ok": not wrong, "steps": exits, "folder": str(folder) if keep else None})
    elif wrong:
        raise SetupError("demo.unexpected", steps=", ".join(wrong), folder=folder)
    else:
        print_line(paint("✓ ", "green") + t("demo.end"))
        if keep:
            print_line(t("demo.kept", folder=folder))
    return 1 if wrong else 0


def _remove(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)


class _Story:
    def __init__(self, folder: Path, *, quiet: bool) -> None:
        self._quiet = quiet
        self._state = folder / "state"
        self._project = folder / "project"
        self._shop = folder / "shop"
        self._exits: dict[str, tuple[int, int]] = {}
        (self._project / ".donewhen").mkdir(parents=True)
        (self._project / ".donewhen" / "config.yml").write_text(_CONFIG)
        for corpus in _CASES.iterdir():
            shutil.copy(corpus, self._project)
        kept = ("PATH", "HOME", "LANG", "LC_ALL", "TERM", "NO_COLOR", "PYTHONPATH")
        self._env = {name: os.environ[name] for name in kept if name in os.environ} | {
            "DONEWHEN_STATE_DIR": str(self._state),
            "DONEWHEN_CONFIG_DIR": str(folder / "config"),
            "DONEWHEN_CACHE_DIR": str(folder / "cache"),
            "LC_ALL": "zh_CN.UTF-8" if language() == "zh" else "C.UTF-8",
            "PYTHONUTF8": "1",
        }
        shutil.copytree(_EXAMPLE, self._shop, ignore=shutil.ignore_patterns("__pycache__"))
        for words in (("init", "-q"), ("add", "-A"), (*_AUTHOR, "commit", "-q", "-m", "a shop")):
            subprocess.run(["git", *words], cwd=self._shop, env=self._env, check=True)

    def tell(self) -> dict[str, tuple[int, int]]:
        self._verify()
        self._prove()
        self._keep()
        self._say("demo.config")
        self._run("config", "config", "show", "--changed")
        self._guard()
        return self._exits

    def _verify(self) -> None:
        source = self._shop / "price.py"
        self._say("demo.clean")
        self._run("verify", "verify", folder=self._shop)
        source.write_text(source.read_text().replace(*_BUG))
        self._say("demo.bug")
        self._run("verify with a bug", "verify", expected=1, folder=self._shop)
        self._say("demo.masked")
        self._run("verify masked", "verify", "--accept", _MASKED, expected=1, folder=self._shop)
        test = self._shop / "tests" / "test_price.py"
        test.write_text(test.read_text().replace(*_SKIP))
        self._say("demo.weakened")
        self._run("verify weakened", "verify", expected=1, folder=self._shop)

    def _prove(self) -> None:
        self._say("demo.plan")
        self._run("plan", "plan", _GOAL)
        self._say("demo.match")
        self._run("match", "match", "pytest", "uv run pytest -q")
        self._run("match masked", "match", "pytest", "pytest -q 2>&1 | tail -3", expected=1)
        self._say("demo.claim")
        self._run("gate", "gate", "decide", "claim.json", expected=1)
        self._say("demo.corpus")
        for name, corpus in (("goal", "goals"), ("match", "matches"), ("gate", "gate")):
            self._run(f"{name} test", name, "test", f"{corpus}.jsonl")

    def _guard(self) -> None:
        self._say("demo.guard")
        self._run("guard allows", "guard", "check", "-q", 'grep -rn "rm -rf" .')
        self._run("guard denies", "guard", "check", "x=rm; sudo env A=1 $x -rf ~", expected=1)
        self._run("guard test", "guard", "test", "guard.jsonl")

    def _keep(self) -> None:
        self._say("demo.record")
        run_id = record_example(self._state, self._project)
        self._run("list", "list")
        self._run("show", "show", "last")
        self._say("demo.asked")
        self._run("gate while red", "gate", "decide", "--run", "last", "--at", "9", expected=1)
        self._run("gate at the end", "gate", "decide", "--run", "last")
        self._say("demo.audit")
        self._run("audit", "audit", "last")
        shutil.copytree(self._state, self._state.with_name("intact"))
        self._say("demo.tamper")
        self._alter(run_id, _REPLACE.format(old=1, new=0, seq=9))
        self._run("audit after edit", "audit", "last", expected=1)
        self._alter(run_id, _REPLACE.format(old=0, new=1, seq=9))
        self._say("demo.cut")
        self._alter(run_id, "DELETE FROM events WHERE run_id = ? AND seq > 14")
        self._alter(run_id, _MOVE_HEAD)
        self._run("audit after cut", "audit", "last", expected=1)

    def _alter(self, run_id: str, sql: str) -> None:
        with sqlite3.connect(self._state / "donewhen.db") as db:
            db.execute(sql, (run_id,))
        db.close()

    def _say(self, key: str) -> None:
        if not self._quiet:
            print_line(f"\n{paint(t(key), 'bold')}")

    def _run(self, name: str, *words: str, expected: int = 0, folder: Path | None = None) -> None:
        if not self._quiet:
            print_line(paint(f"$ donewhen {shlex.join(words)}", "cyan"))
            sys.stdout.flush()
        done = subprocess.run(
            [sys.executable, "-m", "donewhen", *words],
            env=self._env,
            cwd=folder or self._project,
            stdout=subprocess.DEVNULL if self._quiet else None,
            check=False,
        )
        self._exits[name] = (done.returncode, expected)
