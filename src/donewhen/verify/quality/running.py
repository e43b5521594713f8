"""One run of a tool: within walls, what it prints is read; it looks at a tree and writes only its caches."""

import os
import posixpath
import re
from contextlib import suppress
from pathlib import Path
from shlex import join
from typing import NamedTuple

import donewhen
from donewhen.core.accept import Accept
from donewhen.core.quality.model import Unreadable, Violation
from donewhen.core.texts import Phrase
from donewhen.verify.exam.policy import Given, judge
from donewhen.verify.exam.walls import harness_folder_of
from donewhen.verify.place import ExamPlace
from donewhen.verify.quality.model import Ask
from donewhen.verify.record import discard
from donewhen.workspace.environment import command_environment
from donewhen.workspace.processes.command import Command, Finished, Output
from donewhen.workspace.processes.running import run
from donewhen.workspace.sandbox.plan import Plan
from donewhen.workspace.sandbox.scratch import exam_scratch, lay_home

_LARGEST = 32 * 1024 * 1024  # bytes of what a tool printed that are read
_TAIL = 400
_OURS = (str(Path(donewhen.__file__).parent),)  # rules and helpers that we give to tools
_APART = ("/bin/sh", "-c", 'out=$1; shift; exec "$@" >"$out"', "sh")  # words are arguments, never spliced
_QUOTED = re.compile(r"(['\"]).*\1")
_SHOWS_SECRETS = frozenset(("S105", "S106", "S107", "B105", "B106", "B107"))  # their messages quote it


class Ran(NamedTuple):
    """What a tool found; `why` is set where it did not do its work."""

    violations: tuple[Violation, ...] = ()
    why: Phrase | None = None
    exit: int | None = None
    duration_ms: int = 0
    said: str = ""  # the last line that it printed beside its findings
    tool: str = ""


async def run_ask(ask: Ask, place: ExamPlace, caches: Path, timeout: float, given: Given = "user") -> Ran:
    refused = _refusal(ask, place, caches, given)
    if refused is not None:
        return Ran(why=refused)
    with exam_scratch(place.bench.scratch) as scratch:
        caches.mkdir(parents=True, exist_ok=True, mode=0o700)
        finished, printed = await _run(ask, place, scratch, caches, timeout)
    why, name = None, {"tool": ask.tool.name}
    if finished.failure is not None:
        why = Phrase("quality.not_started", {**name, "why": finished.failure})
    elif finished.timed_out:
        why = Phrase("quality.timed_out", {**name, "seconds": f"{timeout:g}"})
    elif finished.exit is None or finished.exit not in ask.ok:
        said = {**name, "exit": finished.exit, "said": last_line(finished.output)}
        why = Phrase("quality.crashed", said)
    try:
        found = ask.read(printed, os.path.realpath(place.folder / ask.cwd)) if why is None else ()
    except Unreadable as error:
        found, why = (), Phrase(error.key, error.values)
    shown = tuple(dict.fromkeys(_shown(each, ask.cwd, place) for each in found))
    return Ran(shown, why, finished.exit, finished.duration_ms, last_line(finished.output), ask.tool.name)


def _refusal(ask: Ask, place: ExamPlace, caches: Path, given: Given) -> Phrase | None:
    """The folder of caches is ours to write, so words that name it are not judged."""
    from donewhen.guard.configured import guard_at

    ours = str(caches)
    words = tuple(word for word in ask.argv if ours not in word)
    env = tuple((name, value) for name, value in sorted(ask.env.items()) if ours not in value)
    guard = guard_at(str(place.folder), place.bench.looked.rules.loaded, place.bench.means.env)
    entry = Accept(ask.tool.name, join(words), words, ask.cwd, env)
    refused = judge(entry, guard, place.bench.config.verification.execution, given)
    return refused.reason if refused else None


async def _run(
    ask: Ask, place: ExamPlace, scratch: Path, caches: Path, timeout: float
) -> tuple[Finished, str]:
    walls = place.put_up(ask.argv[0], scratch, (caches,), _OURS)
    harness = harness_folder_of(scratch)
    harness.mkdir(parents=True, exist_ok=True, mode=0o700)
    stdout = harness / "stdout"
    home = lay_home(harness / "home", place.bench.means.env.get("HOME", ""))
    more = {"CI": "1", "GIT_TERMINAL_PROMPT": "0", "PYTHONDONTWRITEBYTECODE": "1"}
    more |= {"HOME": str(home)} if home else {}
    apart = ask.stream == "stdout"
    argv = (*_APART, str(stdout), *ask.argv) if apart else ask.argv
    finished = await run(command_at(place, ask.cwd, argv, walls, timeout, {**more, **walls.env, **ask.env}))
    printed = _read(stdout if apart else finished.output.file)
    discard(finished.output)
    return finished, printed


def command_at(
    place: ExamPlace, cwd: str, argv: tuple[str, ...], walls: Plan, timeout: float, more: dict[str, str]
) -> Command:
    """A command with the environment of the exam, inside of these walls."""
    bench = place.bench
    env = {**command_environment(bench.means.env, bench.config.sandbox.env), **place.prepared.env}
    env["PATH"] = ":".join((*place.prepared.path, env.get("PATH", "")))
    folder, env = place.folder / cwd, {**env, **walls.env, **more}
    return Command(folder, bench.outputs, argv, env=env, timeout=timeout, plan=walls, redactor=bench.redactor)


def _read(file: Path) -> str:
    """What a tool printed, as far as anybody reads; a link or a pipe in its place is nothing."""
    with suppress(OSError):
        handle = os.open(file, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        with os.fdopen(handle, "rb") as opened:
            return opened.read(_LARGEST).decode(errors="surrogateescape")
    return ""


def last_line(output: Output) -> str:
    lines = [line.strip() for line in (output.tail or output.head).splitlines() if line.strip()]
    return lines[-1][:_TAIL] if lines else "-"


def _shown(violation: Violation, cwd: str, place: ExamPlace) -> Violation:
    """Seen from the root, and without secrets that a tool quotes."""
    file, message, redactor = violation.file, violation.message, place.bench.redactor
    if file and not file.startswith("/"):
        file = posixpath.normpath(f"{cwd}/{file}" if cwd else file)
    if violation.rule in _SHOWS_SECRETS:
        message = _QUOTED.sub("(…)", message)
    return violation._replace(file=file, message=redactor.text(message), fix=redactor.text(violation.fix))
