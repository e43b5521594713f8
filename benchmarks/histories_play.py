"""A clone of a public project at one of its commits, with the environment its developers would have.

`prepare` sets a project up once: a checkout with its `.venv` or `node_modules`, its own package installed in place.
Each play copies what git ignores there into a fresh clone and rewrites the paths, so that the tests import the very
clone that is judged. Tests get no network but loopback, where this system can take it away.
"""

import base64
import functools
import hashlib
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

OUTCOMES = {
    0: "accepted",
    4: "asked",
    1: "not accepted",
    5: "could not run",
    2: "nothing provable",
}
BY_HAND_SECONDS = 300
VERIFY_SECONDS = 900
_IDENTITY = (
    "-c",
    "user.name=histories",
    "-c",
    "user.email=histories@example.org",
    "-c",
    "commit.gpgsign=false",
)
_LEAVINGS = {
    "__pycache__",
    ".pytest_cache",
    ".mypy_cache",
    ".ruff_cache",
    ".hypothesis",
    ".coverage",
    "coverage",
}
_OFFLINE = ("unshare", "-n", "--", "sh", "-c", 'ip link set lo up && exec "$@"', "sh")
_PASSED_ON = ("PATH", "LANG", "LC_ALL", "TZ", "TERM", "GOROOT")


class Project(NamedTuple):
    """One entry of the list: how it is set up and tested by hand, and the commits that the rule chose."""

    name: str
    repo: str
    language: str
    newest: str
    setup: tuple[str, ...]
    test: str
    commits: tuple[str, ...] = ()
    tried: int = 0
    red: int = 0


class Ran(NamedTuple):
    exit: int
    seconds: float
    output: str
    errors: str
    processor: float = 0.0  # seconds, of all its processes


class Verdict(NamedTuple):
    outcome: str
    reason: str
    ran: Ran
    questions: str  # as JSON, to look names up in
    run: str = ""


class NotPrepared(Exception):
    pass


def repository(clones: Path, name: str) -> Path | None:
    """The git directory of a project, however it was cloned."""
    return next(
        (
            at
            for at in (clones / name / ".git", clones / name / "repo", clones / name)
            if (at / "HEAD").is_file()
        ),
        None,
    )


def prepare(project: Project, clones: Path) -> None:
    """Sets the project up at its newest commit; does nothing if that was done with this very set-up."""
    source = repository(clones, project.name)
    if source is None:
        raise NotPrepared(f"{project.name}: no clone")
    folder = clones.resolve() / ".envs" / project.name
    checkout = folder / "project"
    wanted = {"newest": project.newest, "setup": list(project.setup)}
    ready = folder / "ready.json"
    if ready.is_file() and {**json.loads(ready.read_text()), "paths": 0} == {**wanted, "paths": 0}:
        return
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    _clone(source, checkout, project.newest)
    if project.language == "python":
        subprocess.run([sys.executable, "-m", "venv", ".venv"], cwd=checkout, check=True)
    env = _activated({**os.environ, "GOCACHE": str(folder / "go-build")}, checkout / ".venv")
    for command in project.setup:
        ran = run(shlex.split(command), checkout, env, 1200)
        if ran.exit:
            raise NotPrepared(f"{project.name}: {command!r} failed: {_last_line(ran.errors or ran.output)}")
    named = subprocess.run(
        ["grep", "-rlI", str(checkout), ".venv"], cwd=checkout, capture_output=True, text=True, check=False
    )
    ready.write_text(json.dumps({**wanted, "paths": named.stdout.split("\n")[:-1]}))


class Clone:
    """A fresh clone with its environment; `root` is the working tree."""

    def __init__(self, project: Project, clones: Path, folder: Path, commit: str, beside: bool) -> None:
        self.project = project
        self.root = folder / "project"
        self._venv = folder / "venv" if beside else self.root / ".venv"
        self._folder = folder
        prepared = clones.resolve() / ".envs" / project.name
        source = repository(clones, project.name)
        if source is None or not (prepared / "ready.json").is_file():
            raise NotPrepared(f"{project.name}: not prepared")
        _clone(source, self.root, commit)
        self._bring_environment(prepared)
        env = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
        env |= {"HOME": str(folder / "home"), "GOPROXY": "off", "npm_config_update_notifier": "false"}
        env |= {
            f"XDG_{kind}_HOME": str(folder / "home" / kind.lower())
            for kind in ("CONFIG", "STATE", "CACHE", "DATA")
        }
        env |= {
            f"DONEWHEN_{kind}_DIR": str(folder / "donewhen" / kind.lower())
            for kind in ("CONFIG", "STATE", "CACHE")
        }
        env |= {"GOCACHE": str(prepared / "go-build")} if project.language == "go" else {}  # warm, as at home
        (folder / "home").mkdir()
        self._env = _activated(env, self._venv)

    def git(self, *words: str) -> str:
        return _git(self.root, *words)

    def commit_all(self, message: str) -> str:
        """The id of a commit with everything that git doesn't ignore."""
        self.git("add", "-A")
        self.git("commit", "-q", "--no-verify", "--allow-empty", "-m", message)
        return self.git("rev-parse", "HEAD")

    def test_by_hand(self) -> Ran:
        """The project's own test command; what it leaves behind and git would show is removed again."""
        words = shlex.split(self.project.test)
        ran = run([*offline(), *words], self.root, self._env, BY_HAND_SECONDS)
        self.git("reset", "-q", "--hard")
        self.git("clean", "-fdq")
        return ran

    def verify(self, donewhen: str, base: str, goal: str = "") -> Verdict:
        words = [
            *offline(),
            donewhen,
            "verify",
            "--base",
            base,
            "--json",
            *([f"--goal={goal}"] if goal else []),
        ]
        ran = run(words, self.root, self._env, VERIFY_SECONDS)
        return read_verdict(ran)

    def exam_seconds(self, donewhen: str, run_id: str) -> float:
        """What the commands of the exam took in that verification, all their runs together."""
        words = [donewhen, "logs", run_id, "--type", "command_ended", "--json"]
        lines = run(words, self.root, self._env, VERIFY_SECONDS).output.splitlines()
        took: list[int] = [json.loads(line)["body"]["duration_ms"] for line in lines]
        return sum(took) / 1000

    def _bring_environment(self, prepared: Path) -> None:
        checkout = prepared / "project"
        ignored = _git(checkout, "ls-files", "--others", "--ignored", "--exclude-standard", "--directory")
        for name in (line.rstrip("/") for line in ignored.splitlines()):
            if _LEAVINGS & set(Path(name).parts):
                continue
            target = self._venv if name == ".venv" else self.root / name
            if not target.exists():
                target.parent.mkdir(parents=True, exist_ok=True)
                # tools replace files of an environment, they don't write into them
                subprocess.run(["cp", "-al", checkout / name, target], check=True)
        moved = [self._venv / Path(name).relative_to(".venv") for name in _named_paths(prepared)]
        for path in moved:
            text = path.read_text().replace(str(checkout / ".venv"), str(self._venv))
            _rewrite(path, text.replace(str(checkout), str(self.root)))
        if moved:
            _record_anew(self._venv, set(moved))


@contextmanager
def fresh_clone(project: Project, clones: Path, commit: str, beside: bool = False) -> Iterator[Clone]:
    folder = Path(tempfile.mkdtemp(prefix="histories-")).resolve()
    try:
        yield Clone(project, clones, folder, commit, beside)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def read_verdict(ran: Ran) -> Verdict:
    """What `donewhen verify --json` said: the outcome by its exit code, and the first reason or question."""
    outcome = OUTCOMES.get(ran.exit, f"crash ({ran.exit})")
    try:
        told = json.loads(ran.output)
    except ValueError:
        return Verdict(outcome, _last_line(ran.errors or ran.output), ran, "")
    decision = told.get("decision") or {}
    questions = told.get("questions") or decision.get("questions") or []
    if isinstance(questions, Mapping):
        questions = list(questions.values())
    details = decision.get("details") or [decision.get("summary") or told.get("error") or ""]
    first = questions[0] if questions and outcome == "asked" else details[0]
    if isinstance(first, Mapping):
        first = next(
            (first[key] for key in ("text", "question", "ask", "message") if key in first), json.dumps(first)
        )
    return Verdict(outcome, str(first), ran, json.dumps(questions), str(told.get("run", "")))


def run(words: Sequence[str], cwd: Path, env: Mapping[str, str], limit: float) -> Ran:
    """Ends the whole process group when the time is up; exit 124 then."""
    began = time.perf_counter()
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        try:
            process = subprocess.Popen(
                words,
                cwd=cwd,
                env=dict(env),
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=err,
                start_new_session=True,
            )
        except OSError as error:
            return Ran(127, 0.0, "", str(error))
        killed = threading.Event()

        def kill() -> None:
            killed.set()
            os.killpg(process.pid, signal.SIGKILL)

        timer = threading.Timer(limit, kill)
        timer.start()
        _, status, usage = os.wait4(process.pid, 0)
        timer.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
        code = 124 if killed.is_set() else process.returncode
        seconds = time.perf_counter() - began
        texts = []
        for file in (out, err):
            file.seek(0)
            texts.append(file.read().decode(errors="replace"))
        output = re.sub(r"\x1b\[[0-9;]*m", "", texts[0])
        return Ran(code, seconds, output, texts[1], usage.ru_utime + usage.ru_stime)


@functools.cache
def offline() -> tuple[str, ...]:
    """The words that take the network away from a command, none where this system does not let us."""
    worked = (
        shutil.which("unshare")
        and subprocess.run([*_OFFLINE, "true"], capture_output=True, check=False).returncode == 0
    )
    return _OFFLINE if worked else ()


def _clone(source: Path, target: Path, commit: str) -> None:
    subprocess.run(
        ["git", "clone", "-q", "--shared", "--no-checkout", str(source), str(target)],
        check=True,
        capture_output=True,
    )
    with (target / ".git" / "info" / "exclude").open("a") as file:
        file.write(".venv\nnode_modules\n")
    _git(target, "checkout", "-q", "-B", "work", commit)


def _named_paths(prepared: Path) -> list[str]:
    """The files of the environment that name the folder it was made in."""
    paths: list[str] = json.loads((prepared / "ready.json").read_text())["paths"]
    return paths


def _rewrite(path: Path, text: str) -> None:
    """Keeps the times: to whoever looks, the file is as old as its environment. The prepared one is untouched."""
    before = path.stat()
    path.unlink()
    path.write_text(text)
    path.chmod(before.st_mode)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def _record_anew(venv: Path, moved: set[Path]) -> None:
    """The installer's records with the digests of the files that now name another folder."""
    for record in venv.glob("lib/python*/site-packages/*.dist-info/RECORD"):
        lines = record.read_text().splitlines()
        for number, line in enumerate(lines):
            name, digest, _ = line.rsplit(",", 2)
            path = Path(os.path.normpath(record.parents[1] / name.strip('"')))
            if digest and path in moved:
                content = path.read_bytes()
                told = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
                lines[number] = f"{name},sha256={told},{len(content)}"
        _rewrite(record, "\n".join(lines) + "\n")


def _git(folder: Path, *words: str) -> str:
    done = subprocess.run(["git", *_IDENTITY, *words], cwd=folder, capture_output=True, check=True)
    return done.stdout.decode(errors="replace").rstrip("\n")


def _activated(env: dict[str, str], venv: Path) -> dict[str, str]:
    """As after `source .venv/bin/activate`, and without the environment that this benchmark itself runs in."""
    own = str(Path(sys.prefix) / "bin")
    path = [part for part in env["PATH"].split(os.pathsep) if part != own]
    env.pop("VIRTUAL_ENV", None)
    if (venv / "bin").is_dir():
        env["VIRTUAL_ENV"] = str(venv)
        path.insert(0, str(venv / "bin"))
    return {**env, "PATH": os.pathsep.join(path)}


def _last_line(text: str) -> str:
    return next((line.strip() for line in reversed(text.splitlines()) if line.strip()), "")
