"""One run of a gate's tool: judged by the guard, confined like an exam, what it prints read apart from noise.

Whatever goes wrong with a tool (missing, crashed, hung, talking nonsense) is told as the reason why the gate
could not run; only a reader that understood its output says that nothing was found.
"""

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
from donewhen.verify.exam.walls import desk_of, exam_scratch, lay_home
from donewhen.verify.place import ExamPlace
from donewhen.verify.quality.model import Ask
from donewhen.verify.record import discard
from donewhen.workspace.environment import command_environment
from donewhen.workspace.processes.command import Command, Finished, Output
from donewhen.workspace.processes.running import run

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
    why = _trouble(ask, finished, timeout)
    if why is None:
        try:
            found = ask.read(printed, os.path.realpath(place.folder / ask.cwd))
            shown = tuple(dict.fromkeys(_shown(each, ask.cwd, place) for each in found))
            return Ran(
                shown, None, finished.exit, finished.duration_ms, last_line(finished.output), ask.tool.name
            )
        except Unreadable as error:
            why = Phrase(error.key, error.values)
    return Ran((), why, finished.exit, finished.duration_ms)


def _refusal(ask: Ask, place: ExamPlace, caches: Path, given: Given) -> Phrase | None:
    """The folder of caches is ours to write, so words that name it are not judged."""
    from donewhen.guard.configured import guard_at

    ours = str(caches)
    words = tuple(word for word in ask.argv if ours not in word)
    env = tuple((name, value) for name, value in sorted(ask.env.items()) if ours not in value)
    looked = place.bench.looked
    guard = guard_at(str(place.folder), looked.rules.loaded, place.bench.means.env)
    entry = Accept(ask.tool.name, join(words), words, ask.cwd, env)
    refused = judge(entry, guard, place.bench.config.verification.execution, given)
    return refused.reason if refused else None


async def _run(
    ask: Ask, place: ExamPlace, scratch: Path, caches: Path, timeout: float
) -> tuple[Finished, str]:
    bench = place.bench
    walls = place.put_up(ask.argv[0], scratch, (caches,), _OURS)
    desk = desk_of(scratch)
    desk.mkdir(parents=True, exist_ok=True, mode=0o700)
    stdout = desk / "stdout"
    env = command_environment(bench.means.env, bench.config.sandbox.env)
    env |= {**place.prepared.env, "CI": "1", "GIT_TERMINAL_PROMPT": "0", "PYTHONDONTWRITEBYTECODE": "1"}
    env["PATH"] = ":".join((*place.prepared.path, env.get("PATH", "")))
    home = lay_home(desk / "home", bench.means.env.get("HOME", ""))
    env |= {"HOME": str(home)} if home else {}
    apart = ask.stream == "stdout"
    finished = await run(
        Command(
            place.folder / ask.cwd,
            bench.outputs,
            (*_APART, str(stdout), *ask.argv) if apart else ask.argv,
            env={**env, **walls.env, **ask.env},
            timeout=timeout,
            plan=walls,
            redactor=bench.redactor,
        )
    )
    printed = _read(stdout if apart else finished.output.file)
    discard(finished.output)
    return finished, printed


def _read(file: Path) -> str:
    """What a tool printed, as far as anybody reads; a link or a pipe in its place is nothing."""
    with suppress(OSError):
        handle = os.open(file, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        with os.fdopen(handle, "rb") as opened:
            return opened.read(_LARGEST).decode(errors="surrogateescape")
    return ""


def _trouble(ask: Ask, finished: Finished, timeout: float) -> Phrase | None:
    name = {"tool": ask.tool.name}
    if finished.failure is not None:
        return Phrase("quality.not_started", {**name, "why": finished.failure})
    if finished.timed_out:
        return Phrase("quality.timed_out", {**name, "seconds": f"{timeout:g}"})
    if finished.exit is None or finished.exit not in ask.ok:
        said = {**name, "exit": finished.exit, "said": last_line(finished.output)}
        return Phrase("quality.crashed", said)
    return None


def last_line(output: Output) -> str:
    lines = [line.strip() for line in (output.tail or output.head).splitlines() if line.strip()]
    return lines[-1][:_TAIL] if lines else "-"


def _shown(violation: Violation, cwd: str, place: ExamPlace) -> Violation:
    """Seen from the root, and without secrets that a tool quotes."""
    file = violation.file
    if file and not file.startswith("/"):
        file = posixpath.normpath(f"{cwd}/{file}" if cwd else file)
    message = violation.message
    if violation.rule in _SHOWS_SECRETS:
        message = _QUOTED.sub("(…)", message)
    redactor = place.bench.redactor
    return violation._replace(file=file, message=redactor.text(message), fix=redactor.text(violation.fix))
