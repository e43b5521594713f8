"""One command of an exam, from start to verdict material: run by the harness, confined, watched, read.

Whether it may run is `policy`'s, whether a change is accepted is the gate's. What could not run is said as
such, with the reason: it is neither a pass nor a failure.
"""

import os
import re
import shutil
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from donewhen.core.accept import Accept
from donewhen.core.counts import own_counts, read_counts
from donewhen.core.errors import SetupError
from donewhen.core.target import accept_target
from donewhen.core.texts import Phrase
from donewhen.shell import parse
from donewhen.verify.exam.ending import Watched, ending, is_direct_pytest, refuses_ours, why_not
from donewhen.verify.exam.finishing import runs_unittest
from donewhen.verify.exam.imports import imported_elsewhere, wrong_tree
from donewhen.verify.exam.keeping import altered, state_of
from donewhen.verify.exam.model import Progress, Sat, Where
from donewhen.verify.exam.probe import read_notes
from donewhen.verify.exam.reported import (
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
from donewhen.verify.exam.surroundings import Desk, lay_desk, variables
from donewhen.verify.reports.frames import visible
from donewhen.workspace.processes.background import Background
from donewhen.workspace.processes.command import Command, Finished, Output
from donewhen.workspace.setup.makers import maker

_TICK = 0.25  # seconds between two looks
_LONGEST_LINE = 200
_OURS = re.compile(r"^-* ?generated xml file: |^cachedir: ")
Tell = Callable[[Progress], None]


class _Reports(NamedTuple):
    """Files of reports in the tree, as they are at one moment."""

    builds: Seen
    named: Seen


async def run_entry(entry: Accept, where: Where, progress: Tell = lambda _: None) -> Sat:
    """Run one acceptance command; whatever happens to it shows in what is returned."""
    folder = _inside(where.folder, entry.cwd)
    if folder is None:
        return _refused(Phrase("exam.folder_outside", {"folder": entry.cwd}))
    try:
        where.scratch.mkdir(parents=True, exist_ok=True, mode=0o700)
        desk = Path(tempfile.mkdtemp(prefix="exam-", dir=where.scratch))
    except OSError as error:
        raise SetupError("exam.no_scratch", folder=where.scratch, why=error.strerror) from None
    try:
        return await _sit(entry, where, folder, desk, progress)
    finally:
        shutil.rmtree(desk, ignore_errors=True)


def _inside(root: Path, cwd: str) -> Path | None:
    """The folder of the command, links followed; None when it lies outside the tree."""
    real, top = os.path.realpath(root / cwd), os.path.realpath(root)
    return Path(real) if f"{real}/".startswith(f"{top.rstrip('/')}/") else None


def _refused(why: Phrase) -> Sat:
    nothing = Output("", "", 0, 0, Path(os.devnull))
    return ending(Finished(None, nothing, 0, failure=why), None, why)


async def _sit(entry: Accept, where: Where, folder: Path, place: Path, progress: Tell) -> Sat:
    is_test = accept_target(entry, parse).is_test
    desk = lay_desk(place, entry, where, is_test)
    before = _reports(folder, where, desk, is_test)
    git = state_of(where.guarded)
    finished = await _run(_command(entry, where, folder, desk, asking=True), progress)
    if desk.options and refuses_ours(finished, read_counts(finished.output.text)):
        desk = desk._replace(options={})
        finished = await _run(_command(entry, where, folder, desk, asking=False), progress)
    finished = finished._replace(output=_without_ours(finished.output, str(desk.folder)))
    harmed = altered(git, state_of(where.guarded))
    if harmed is not None:
        return ending(finished, None, Phrase("exam.git_changed", {"path": visible(str(harmed), 400)}))
    return _read(entry, where, folder, desk, finished, before, is_test)


def _without_ours(output: Output, desk: str) -> Output:
    """Without what runners say about files of the harness: nobody asked for those."""

    def clean(text: str) -> str:
        kept = (line for line in text.splitlines(keepends=True) if desk not in line or not _OURS.search(line))
        return "".join(kept) if desk in text else text

    return output._replace(head=clean(output.head), tail=clean(output.tail))


def _command(entry: Accept, where: Where, folder: Path, desk: Desk, *, asking: bool) -> Command:
    return Command(
        folder,
        where.outputs,
        entry.argv,
        env=variables(entry, where, desk, asking=asking),
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


def _maker(entry: Accept, folder: Path) -> str:
    """The tool with an environment of its own that the command starts, by itself or behind a name."""
    from donewhen.verify.behind import behind  # many files, for what failed

    lines = (line.text.split() for line in behind(entry, folder).lines)
    return next((name for words in (entry.argv, *lines) if (name := maker(words))), "")


def _last_line(output: Output) -> str:
    end = (output.tail or output.head)[-4 * _LONGEST_LINE :]
    lines = [line.strip() for line in end.splitlines() if line.strip()]
    return lines[-1][:_LONGEST_LINE] if lines else ""


def _read(
    entry: Accept,
    where: Where,
    folder: Path,
    desk: Desk,
    finished: Finished,
    before: _Reports,
    is_test: bool,
) -> Sat:
    after = _reports(folder, where, desk, is_test)
    report = read_reports(where.folder, desk.reports, before.builds, after.builds, where.redactor)
    printed = read_counts(finished.output.text) if is_test else None
    own = (
        own_counts(finished.output.text, noted(desk.recorded))
        if finished.exit == 0 and runs_unittest(entry)
        else None
    )
    printed = own or printed
    direct = is_direct_pytest(entry)
    counts = counted(report.counts if report else None, printed, direct)
    asked = direct and is_test and "--junitxml" in desk.options.get("PYTEST_ADDOPTS", "")
    notes = read_notes(desk.probe) if desk.probe else ()
    seen = Watched(
        counts,
        finished.exit == 0 and direct and is_test and not (desk.pytest_report.is_file() if asked else counts),
        wrong_tree(imported_elsewhere(notes, where.folder, desk.packages)),
        _has_python3(where),
        _maker(entry, where.folder) if finished.exit else "",
    )
    why = why_not(entry, finished, where.timeout, seen)
    sat = ending(finished, counts, why)
    if why:
        return sat
    named = tuple(path for path, state in after.named.items() if before.named.get(path) != state)
    sources = Sources(where.folder, entry.argv, desk.plugin_lines, desk.recorded, named, finished.output.file)
    cases = read_cases(report, sources, where.redactor)
    if own is not None:  # what failed did so inside a test that passed
        cases = tuple(case for case in cases if case.outcome != "failed")
    return sat._replace(report=report, cases=cases, made_up=made_up(desk.recorded, printed))


def _reports(folder: Path, where: Where, desk: Desk, is_test: bool) -> _Reports:
    builds = written_by_builds(folder) if is_test else {}
    return _Reports(builds, named_in(desk.said, (folder, where.folder)))


def _has_python3(where: Where) -> bool:
    return shutil.which("python3", path=":".join((*where.path, where.env.get("PATH", "")))) is not None
