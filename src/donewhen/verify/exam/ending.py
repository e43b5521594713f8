"""What the end of an exam's command says: why it proves nothing, and the fact that goes into the ledger.

Pure. What could not run gets an exit status that the core reads as such, and neither counts nor output, so
that nothing of it can be taken for a red or a green.
"""

import re
import signal
from typing import NamedTuple

from donewhen.core.accept import Accept
from donewhen.core.counts import Counts, nothing_ran
from donewhen.core.events.facts import CommandEnded
from donewhen.core.texts import Phrase, say
from donewhen.verify.exam.finishing import left_halfway
from donewhen.verify.exam.heads import heads_of
from donewhen.verify.exam.missing import install, makes_nothing, missing_inside
from donewhen.verify.exam.model import Sat
from donewhen.workspace.processes.command import Finished

_TAIL = 16_000
_TIMED_OUT, _NOT_EXECUTED, _NOT_FOUND, _KILLED = 124, 126, 127, 137
_NO_TERMINAL = re.compile(
    r"/dev/tty\S{0,3}:? [^\n]{0,80}No such device|No such device or address:? '?/dev/tty"
)
_OURS = re.compile(r"--junitxml|\bcache_dir\b|--test-reporter")
_PYTEST_USAGE = 4
_EXITS = {
    "exam.timed_out": _TIMED_OUT,
    "exam.killed": _KILLED,
    **dict.fromkeys(
        ("exam.no_program", "exam.no_program_install", "exam.no_module", "exam.missing_inside"), _NOT_FOUND
    ),
}


class Watched(NamedTuple):
    """What the harness saw of a command beside its own end."""

    counts: Counts | None = None
    unreported: bool = False  # pytest was asked for a report, ended with 0, and gave none
    elsewhere: Phrase | None = None  # the wrong tree was imported
    python3: bool = False  # there is a python3 where the command looked for programs
    maker: str = ""  # the tool that makes an environment before it tests anything


def is_direct_pytest(entry: Accept) -> bool:
    """pytest itself, or as a module of Python: its report is the whole truth, and is always written."""
    name, words = entry.argv[0].rpartition("/")[2], entry.argv[1:3]
    return name in ("pytest", "py.test") or (name.startswith("python") and words == ("-m", "pytest"))


def refuses_ours(finished: Finished, counts: Counts | None) -> bool:
    """Whether the runner stumbled over the options that the harness added."""
    if finished.exit in (None, 0) or (counts is not None and not nothing_ran(counts)):
        return False
    return finished.exit == _PYTEST_USAGE or bool(_OURS.search(finished.output.text))


def why_not(entry: Accept, finished: Finished, seconds: float, seen: Watched) -> Phrase | None:
    """Why the command proves nothing; None: its exit status and counts speak for themselves."""
    return (
        _not_run(entry, finished, seen)
        or _ended_early(finished, seconds)
        or seen.elsewhere
        or (Phrase("exam.no_report") if seen.unreported else left_halfway(entry, finished))
        or _lacking(entry, finished, seen)
    )


def _not_run(entry: Accept, finished: Finished, seen: Watched) -> Phrase | None:
    failure = finished.failure
    if failure is None or failure.key != "process.no_program":
        return failure
    values = {"program": entry.argv[0], "why": failure.values.get("why", "")}
    if finished.exit != _NOT_FOUND or "/" in entry.argv[0]:
        return Phrase("exam.no_program", values)
    how = install(entry.argv[0], lambda name: name == "python3" and seen.python3)
    return Phrase("exam.no_program_install", {**values, "install": how})


def _ended_early(finished: Finished, seconds: float) -> Phrase | None:
    if finished.timed_out:
        return Phrase("exam.timed_out", {"seconds": f"{seconds:g}"})
    if finished.killed:
        return Phrase("exam.killed")
    if finished.signal == signal.SIGKILL:
        return Phrase("exam.out_of_memory")
    if finished.signal is not None:
        known = finished.signal in signal.valid_signals()
        name = signal.Signals(finished.signal).name if known else str(finished.signal)
        return Phrase("exam.signalled", {"signal": name})
    return None


def _lacking(entry: Accept, finished: Finished, seen: Watched) -> Phrase | None:
    if finished.exit == 0 or (seen.counts is not None and not nothing_ran(seen.counts)):
        return None
    text = finished.output.text
    if _NO_TERMINAL.search(text):
        return Phrase("exam.needs_terminal")
    module = any("python" in names and len(names) > 1 for names in heads_of(entry.argv).last)
    return missing_inside(text, finished.exit, module) or makes_nothing(text, seen.maker)


def ending(finished: Finished, counts: Counts | None, why: Phrase | None) -> Sat:
    if why is None:
        return Sat(finished, "completed" if finished.exit is not None else "failed", finished.exit, counts)
    code = _EXITS.get(why.key, _NOT_EXECUTED)
    if finished.signal is not None and finished.exit is not None:
        code = finished.exit
    return Sat(finished, "failed", code, why_not=why)


def fact(
    entry: Accept,
    sat: Sat,
    key: str,
    *,
    before: str,
    after: str = "",
    environment: str = "",
    output: str = "",
) -> CommandEnded:
    """The fact for the ledger; `output` is the digest under which the whole output is kept."""
    text = say(sat.why_not.key, **sat.why_not.values) if sat.why_not else sat.finished.output.text[-_TAIL:]
    counts = sat.counts._asdict() if sat.counts else {}
    numbers = ("executed", "passed", "failed", "errors", "skipped")
    return CommandEnded(
        key,
        entry.text,
        entry.argv,
        entry.cwd,
        "harness",
        sat.exit,
        sat.state,
        sat.finished.duration_ms,
        output,
        text,
        {name: counts[name] for name in numbers if counts.get(name) is not None},
        before,
        after,
        environment,
    )
