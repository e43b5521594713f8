"""One command of an exam: run by the harness, confined and watched, and what its end says.

Whether it may run is `policy`'s, whether a change is accepted is the gate's. What could not run is said as
such, with the reason: it is neither a pass nor a failure, and gets neither counts nor output, so that nothing
of it can be taken for a red or a green.
"""

import hashlib
import os
import re
import shutil
import signal
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from itertools import islice
from pathlib import Path

from donewhen.commands import parse
from donewhen.commands.calls import name_call
from donewhen.commands.counts import own_counts, read_counts
from donewhen.commands.counts.text import readable
from donewhen.core.accept import Accept
from donewhen.core.counts import Counts, nothing_ran
from donewhen.core.errors import SetupError
from donewhen.core.events.facts import CommandEnded
from donewhen.core.shown import visible
from donewhen.core.target import accept_target
from donewhen.core.texts import Phrase, say
from donewhen.core.tree import Simple, Statement, Word
from donewhen.project.behind import behind
from donewhen.project.folder import read_inside
from donewhen.project.programs import heads_of
from donewhen.shell import unwrap
from donewhen.shell.words import simples
from donewhen.verify.exam.environment import HarnessFolder, lay_harness_folder, variables
from donewhen.verify.exam.model import OFFLINE, Execution, Progress, Where
from donewhen.verify.exam.probe import imported_elsewhere, read_notes, wrong_tree
from donewhen.verify.exam.report import (
    Seen,
    Sources,
    counted,
    made_up,
    named_in,
    noted,
    read_cases,
    read_reports,
    written_by_builds,
)
from donewhen.workspace.processes.background import Background
from donewhen.workspace.processes.command import Command, Finished, Output
from donewhen.workspace.setup.makers import maker
from donewhen.workspace.setup.python_tools import PROGRAMS

_TICK = 0.25  # seconds between two looks
_LONGEST_LINE = 200
_TAIL = 16_000  # characters of output in a fact
_PYTEST_USAGE = 4  # its exit for options that it does not know
_OUR_LINES = re.compile(r"^-* ?generated xml file: |^cachedir: ")
_OUR_OPTIONS = re.compile(r"--junitxml|\bcache_dir\b|--test-reporter")
_NO_TERMINAL = re.compile(
    r"/dev/tty\S{0,3}:? [^\n]{0,80}No such device|No such device or address:? '?/dev/tty"
)
TIMED_OUT, _NOT_EXECUTED, _NOT_FOUND, _KILLED = 124, 126, 127, 137
_EXITS = {
    "exam.timed_out": TIMED_OUT,
    "exam.killed": _KILLED,
    "exam.no_program": _NOT_FOUND,
    "exam.no_program_install": _NOT_FOUND,
    "exam.no_module": _NOT_FOUND,
    "exam.missing_inside": _NOT_FOUND,
}  # of what proves nothing; all else was not executed
Tell = Callable[[Progress], None]


async def run_entry(entry: Accept, where: Where, progress: Tell = lambda _: None) -> Execution:
    """Run one acceptance command; whatever happens to it shows in what is returned."""
    folder, top = os.path.realpath(where.folder / entry.cwd), os.path.realpath(where.folder)
    if not f"{folder}/".startswith(f"{top.rstrip('/')}/"):
        why = Phrase("exam.folder_outside", {"folder": entry.cwd})
        return _ending(Finished(None, Output("", "", 0, 0, Path(os.devnull)), 0, failure=why), None, why)
    try:
        where.scratch.mkdir(parents=True, exist_ok=True, mode=0o700)
        harness = Path(tempfile.mkdtemp(prefix="exam-", dir=where.scratch))
    except OSError as error:
        raise SetupError("exam.no_scratch", folder=where.scratch, why=error.strerror) from None
    try:
        return await _run_watched(entry, where, Path(folder), harness, progress)
    finally:
        shutil.rmtree(harness, ignore_errors=True)


def fact(
    entry: Accept,
    execution: Execution,
    key: str,
    *,
    before: str,
    after: str = "",
    environment: str = "",
    output: str = "",
) -> CommandEnded:
    """The fact for the ledger; `output` is the digest under which the whole output is kept."""
    text = (
        say(execution.why_not.key, **execution.why_not.values)
        if execution.why_not
        else execution.finished.output.text[-_TAIL:]
    )
    counts = execution.counts._asdict() if execution.counts else {}
    numbers = ("executed", "passed", "failed", "errors", "skipped")
    return CommandEnded(
        key,
        entry.text,
        entry.argv,
        entry.cwd,
        "harness",
        execution.exit,
        execution.state,
        execution.finished.duration_ms,
        output,
        text,
        {name: counts[name] for name in numbers if counts.get(name) is not None},
        before,
        after,
        environment,
    )


async def _run_watched(entry: Accept, where: Where, folder: Path, place: Path, progress: Tell) -> Execution:
    is_test = accept_target(entry, parse).is_test
    harness = lay_harness_folder(place, entry, where, is_test)
    before = _reports(folder, where, harness, is_test)
    git = _git_state(where.guarded)
    finished = await _run(_command(entry, where, folder, harness), progress)
    if harness.options and _refuses_ours(finished):
        harness = harness._replace(options={})
        finished = await _run(_command(entry, where, folder, harness), progress)
    finished = finished._replace(output=_without_ours(finished.output, str(harness.folder)))
    harmed = _git_altered(git, _git_state(where.guarded))
    if harmed is not None:
        return _ending(finished, None, Phrase("exam.git_changed", {"path": visible(str(harmed), 400)}))
    return _read(entry, where, folder, harness, finished, before, is_test)


def _command(entry: Accept, where: Where, folder: Path, harness: HarnessFolder) -> Command:
    return Command(
        folder,
        where.outputs,
        entry.argv,
        env=variables(entry, where, harness),
        timeout=where.timeout,
        limits=where.limits,
        plan=where.plan,
        redactor=where.redactor,
    )


async def _run(command: Command, progress: Tell) -> Finished:
    begun = time.monotonic()
    async with Background(lambda handle, finished: None) as background:
        handle = background.start(command)
        status = await background.wait(handle, _TICK)
        while status.finished is None:
            progress(Progress(time.monotonic() - begun, _last_line(status.output)))
            status = await background.wait(handle, _TICK)
        return status.finished


def _last_line(output: Output) -> str:
    end = (output.tail or output.head)[-4 * _LONGEST_LINE :]
    lines = [line.strip() for line in end.splitlines() if line.strip()]
    return lines[-1][:_LONGEST_LINE] if lines else ""


def _reports(folder: Path, where: Where, harness: HarnessFolder, is_test: bool) -> tuple[Seen, Seen]:
    """Files of reports in the tree, as they are now: of builds, and those that the project names."""
    builds = written_by_builds(folder) if is_test else {}
    return builds, named_in(harness.said, (folder, where.folder))


def _refuses_ours(finished: Finished) -> bool:
    """Whether the runner stumbled over the options that the harness added."""
    counts = read_counts(finished.output.text)
    if finished.exit in (None, 0) or (counts is not None and not nothing_ran(counts)):
        return False
    return finished.exit == _PYTEST_USAGE or bool(_OUR_OPTIONS.search(finished.output.text))


def _without_ours(output: Output, harness: str) -> Output:
    """Without what runners say about files of the harness: nobody asked for those."""

    def clean(text: str) -> str:
        lines = text.splitlines(keepends=True) if harness in text else [text]
        return "".join(line for line in lines if harness not in line or not _OUR_LINES.search(line))

    return output._replace(head=clean(output.head), tail=clean(output.tail))


def _read(
    entry: Accept,
    where: Where,
    folder: Path,
    harness: HarnessFolder,
    finished: Finished,
    before: tuple[Seen, Seen],
    is_test: bool,
) -> Execution:
    builds, named = _reports(folder, where, harness, is_test)
    report = read_reports(where.folder, harness.reports, before[0], builds, where.redactor)
    printed = read_counts(finished.output.text) if is_test else None
    alone = finished.exit == 0 and _runner_of(entry) == "unittest"  # itself, no command that starts several
    own = own_counts(finished.output.text, noted(harness.recorded)) if alone else None
    printed = own or printed
    counts = counted(report.counts if report else None, printed, _is_direct_pytest(entry))
    why = _why_not(entry, finished, where, harness, counts, is_test)
    if why:
        return _ending(finished, None, why)
    fresh = tuple(path for path, state in named.items() if before[1].get(path) != state)
    sources = Sources(
        where.folder, entry.argv, harness.plugin_lines, harness.recorded, fresh, finished.output.file
    )
    cases = read_cases(report, sources, where.redactor)
    if own is not None:  # what failed did so inside a test that passed
        cases = tuple(case for case in cases if case.outcome != "failed")
    execution = _ending(finished, counts, None)
    return execution._replace(report=report, cases=cases, made_up=made_up(harness.recorded, printed))


def _ending(finished: Finished, counts: Counts | None, why: Phrase | None) -> Execution:
    if why is None:
        return Execution(
            finished, "completed" if finished.exit is not None else "failed", finished.exit, counts
        )
    code = _EXITS.get(why.key, _NOT_EXECUTED)
    if finished.signal is not None and finished.exit is not None:
        code = finished.exit
    return Execution(finished, "failed", code, why_not=why)


# Why a command proves nothing.


def _why_not(
    entry: Accept,
    finished: Finished,
    where: Where,
    harness: HarnessFolder,
    counts: Counts | None,
    is_test: bool,
) -> Phrase | None:
    """None: its exit status and counts speak for themselves."""
    notes = read_notes(harness.probe) if harness.probe else ()
    return (
        _not_run(entry, finished, where)
        or _ended_early(finished, where.timeout)
        or wrong_tree(imported_elsewhere(notes, where.folder, harness.packages))
        or (_left_halfway(entry, finished, harness, counts, is_test) if finished.exit == 0 else None)
        or (_lacks(entry, finished, where) if not counts or nothing_ran(counts) else None)
    )


def _is_direct_pytest(entry: Accept) -> bool:
    """pytest itself, or as a module of Python: its report is the whole truth, and is always written."""
    name, words = entry.argv[0].rpartition("/")[2], entry.argv[1:3]
    return name in ("pytest", "py.test") or (name.startswith("python") and words == ("-m", "pytest"))


def _not_run(entry: Accept, finished: Finished, where: Where) -> Phrase | None:
    failure = finished.failure
    if failure is None or failure.key != "process.no_program":
        return failure
    values = {"program": entry.argv[0], "why": failure.values.get("why", "")}
    if finished.exit != _NOT_FOUND or "/" in entry.argv[0]:
        return Phrase("exam.no_program", values)
    folders = ":".join((*where.path, where.env.get("PATH", "")))
    if entry.argv[0] == "python" and shutil.which("python3", path=folders):
        return Phrase("exam.no_program_install", {**values, "install": Phrase("exam.install_python3")})
    return Phrase("exam.no_program_install", {**values, "install": _install(entry.argv[0], where.folder)})


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


_RAN = r".{0,400}\bRan \d{1,9} tests? in \S.{0,40}"
_PYTEST = r".{0,200}\b\d{1,9} (?:passed|failed|skipped|deselected|xfailed|errors?)\b.{0,300}"
_GO = r"ok\s+\S.{0,400}|FAIL\b.{0,400}|\?\s+\S.{0,400}|PASS|\s+\S{1,300}\s+coverage: .{0,80}|\{.*"
# Runners that always say at their end what they ran: lines that begin a run (none: every run has an end), and
# those that end one. Code under test that calls an exit of its own takes the runner with it, and 0 would look
# like a pass. Only where they are called directly.
_SUMMARIES: Mapping[str, tuple[str, str]] = {
    "unittest": ("", _RAN),
    "manage.py test": ("", f"{_RAN}|{_PYTEST}"),
    "node --test": ("", r"(?:ℹ|#) tests \d{1,9}"),
    "go test": ("", _GO),
    "cargo test": (r"running \d{1,9} tests?", r".{0,400}\btest result: (?:ok|FAILED)\. .{0,200}"),
}
_OTHER_WORDS = ("--test-reporter", "--testrunner", "--version", "--help", "-h", "--format", "--logfile")


def _left_halfway(
    entry: Accept, finished: Finished, harness: HarnessFolder, counts: Counts | None, is_test: bool
) -> Phrase | None:
    """Why 0 is no pass here: the runner did not come to its own end."""
    if _is_direct_pytest(entry):
        asked = "--junitxml" in harness.options.get("PYTEST_ADDOPTS", "")
        there = harness.pytest_report.is_file() if asked else counts is not None
        return Phrase("exam.no_report") if is_test and not there else None
    runner = _runner_of(entry)
    if not runner:
        return None
    begins, said = _SUMMARIES[runner]
    lines = readable(finished.output.text)
    ends = sum(1 for line in lines if re.fullmatch(said, line))
    missing = not ends
    if begins:
        begun = sum(1 for line in lines if re.fullmatch(begins, line))
        missing = ends < begun and not finished.output.left_out
    return Phrase("exam.no_summary", {"runner": runner}) if missing else None


def _runner_of(entry: Accept) -> str:
    """The runner with a summary that the entry calls, also through `env`, `timeout` or `uv run`."""
    words = tuple(map(Word, entry.argv))
    last = list(simples((Statement(Simple(words, inner=unwrap(words))),)))
    if len(last) != 1 or "test-reporter" in dict(entry.env).get("NODE_OPTIONS", ""):
        return ""
    call = name_call(last[0].words)
    otherwise = any(word.text.partition("=")[0] in _OTHER_WORDS for word in last[0].words)
    runs = not otherwise and all(each.effect != "norun" for each in call.settings)
    return call.name if runs and call.name in _SUMMARIES else ""


# Programs that are not there: a tool that is missing is no failed test. Only what programs themselves print
# about it is read, and only where no test was counted.

_NO_MODULE = re.compile(r"^[^\n]{0,300}?python[\d.]{0,8}: No module named '?([\w.]{1,80})", re.MULTILINE)
_NAME = r"([\w@./+-]{1,120})"
_NO_PROGRAM = tuple(  # of shells and make, then of runners, which end with 1
    re.compile(pattern, re.MULTILINE)
    for pattern in (
        rf"^[^\n]{{0,200}}?(?:\d: |: ){_NAME}: (?:command )?not found$",
        rf"^g?make(?:\[\d{{1,3}}\])?: {_NAME}: No such file or directory$",
        rf"^env: ['\u2018\"]?{_NAME}['\u2019\"]?: No such file or directory$",
        rf"^error: Failed to spawn: `?{_NAME}`?$",
        rf"^(?:Error: )?Command not found: {_NAME}$",
    )
)
_STATUS = re.compile(r"\bError 127\b")
_NOT_LOADED = re.compile(r"(?:No module named|Cannot find (?:module|package)) '((?:@[\w.-]+/)?[\w.-]{1,80})")


def _lacks(entry: Accept, finished: Finished, where: Where) -> Phrase | None:
    """What a command that failed without any test could not find."""
    text, exit = finished.output.text, finished.exit
    if exit == 0:
        return None
    if _NO_TERMINAL.search(text):
        return Phrase("exam.needs_terminal")
    is_module = any("python" in names and len(names) > 1 for names in heads_of(entry.argv).last)
    found = _NO_MODULE.search(text)
    if found and (is_module or exit != 1):
        name = found[1].partition(".")[0]
        return Phrase("exam.no_module", {"module": name, "install": _pip(name)})
    by_shell = exit == _NOT_FOUND or _STATUS.search(text)
    if by_shell or exit == 1 or "Failed to spawn" in text:
        patterns = _NO_PROGRAM if by_shell else _NO_PROGRAM[3:]
        name = next((said[1] for pattern in patterns if (said := pattern.search(text))), "")
        if name:
            return Phrase("exam.missing_inside", {"program": name, "install": _install(name, where.folder)})
    tool = _maker(entry, where.folder)
    offline = bool(tool) and any(mark in text for mark in OFFLINE)
    return Phrase("exam.no_environment", {"tool": tool}) if offline else None


def missing_package(text: str, folder: Path) -> str:
    """The package that tests could not load, where it is none of the project's own; else empty."""
    names = (found[1].partition(".")[0] for found in _NOT_LOADED.finditer(text))
    own = (folder, folder / "src", folder / "lib", folder / "tests")
    return next((n for n in names if not any((p / n).is_dir() or (p / f"{n}.py").is_file() for p in own)), "")


def _maker(entry: Accept, folder: Path) -> str:
    """The tool with an environment of its own that the command starts, by itself or behind a name."""
    lines = (line.text.split() for line in behind(entry, folder).lines)
    return next((name for words in (entry.argv, *lines) if (name := maker(words))), "")


def _install(program: str, folder: Path) -> Phrase:
    """How a program is got."""
    name = program.rpartition("/")[2]
    if f'"{name}"' in read_inside(folder, "package.json"):
        return Phrase("exam.install_npm")
    return _pip(PROGRAMS[name]) if name in PROGRAMS else Phrase("exam.install_tool", {"tool": name})


def _pip(name: str) -> Phrase:
    return Phrase("exam.install_pip", {"package": name.replace("_", "-")})


# Hooks and settings in a git directory name programs that git starts later, as the user. Where no wall keeps
# a command from writing them they are compared; what differs is told, not undone: it may be the user's own.

_GIT_FILES = ("config", "config.worktree", "info/attributes")
_MOST_HOOKS = 500
_LARGEST_HOOK = 4 * 2**20


def _git_state(places: Iterable[Path]) -> Mapping[Path, str]:
    files = [path for place in places for path in (*(place / name for name in _GIT_FILES), *_hooks(place))]
    return {path: _digest(path) for path in files if os.path.lexists(path)}


def _hooks(place: Path) -> list[Path]:
    with suppress(OSError), os.scandir(place / "hooks") as entries:
        return [Path(entry.path) for entry in islice(entries, _MOST_HOOKS)]
    return []


def _digest(path: Path) -> str:
    """Links are themselves, not what they lead to."""
    try:
        if path.is_symlink():
            return f"link {os.readlink(path)}"  # noqa: PTH115 - as text, whatever is in it
        mode = path.stat().st_mode
        with path.open("rb") if path.is_file() else open(os.devnull, "rb") as file:  # noqa: PTH123
            return f"{mode:o} {hashlib.sha256(file.read(_LARGEST_HOOK)).hexdigest()}"
    except OSError:
        return "unreadable"


def _git_altered(before: Mapping[Path, str], after: Mapping[Path, str]) -> Path | None:
    """The first file that was added, changed or removed."""
    return min((path for path in {*before, *after} if before.get(path) != after.get(path)), default=None)
