"""Machine reports that a command left: those that were asked for, and those its build tool writes anyway.

Files are what a command of others wrote: regular ones only, bounded in number and size. A report that can't
be read is none.
"""

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from donewhen.commands.counts import Noted
from donewhen.core.counts import Counts, add_up, reports_failures
from donewhen.project.programs import MANIFESTS
from donewhen.secrets.redact import Redactor

if TYPE_CHECKING:
    from donewhen.core.scenarios import Case
    from donewhen.verify.machine_reports import JunitReport

_LARGEST = 64 * 2**20  # of all reports together
_MOST_FILES = 4000
_MOST_FOLDERS = 20_000
_RESULTS = ("/target/surefire-reports", "/target/failsafe-reports", "/build/test-results")
_PASSED_OVER = frozenset((".git", "node_modules", ".gradle", ".venv", "src", ".idea"))
_NAMED = re.compile(
    r"--(?:junit-?xml|output-?[fF]ile(?:\.\w{1,20})?|test-reporter-destination|junitfile|jsonfile|logger-file)"
    r"[= ]{1,4}([^\s,;&|)\]]{1,200})"
)  # options of pytest, jest, vitest, node and gotestsum that name a report
_MOST_NAMED = 20
Seen = Mapping[Path, tuple[int, int, int]]


def written_by_builds(folder: Path) -> Seen:
    """The reports of Maven and Gradle below `folder` as they are now; none where neither builds."""
    if not any((folder / name).is_file() for name in MANIFESTS["java"]):
        return {}
    return _states(_results(folder))


def _states(paths: Iterable[Path]) -> Seen:
    found = {}
    for path in paths:
        with suppress(OSError):
            state = path.lstat()
            found[path] = (state.st_mtime_ns, state.st_size, state.st_ino)
    return found


def named_in(said: str, folders: Iterable[Path]) -> Seen:
    """The reports that the project's own commands and settings name, as they are now."""
    names = [found[1].strip("\"'") for found in islice(_NAMED.finditer(said), _MOST_NAMED)]
    inner = [name for name in names if not name.startswith(("/", "~", "-")) and ".." not in name]
    return _states(folder / name for folder in dict.fromkeys(folders) for name in dict.fromkeys(inner))


def _results(folder: Path) -> Iterator[Path]:
    count = 0
    for number, (place, folders, files) in enumerate(os.walk(folder)):
        folders[:] = [name for name in folders if name not in _PASSED_OVER]
        if number > _MOST_FOLDERS or count > _MOST_FILES:
            return
        if any(f"{place}/".find(f"{each}/") >= 0 for each in _RESULTS):
            for name in files:
                if name.startswith("TEST-") and name.endswith(".xml"):
                    count += 1
                    yield Path(place, name)


def read_reports(
    folder: Path, asked: Path, before: Seen, after: Seen, redactor: Redactor
) -> "JunitReport | None":
    """All that the command reported, as one; `asked` is where it was asked to, `before` what was there."""
    fresh = sorted(path for path, state in after.items() if before.get(path) != state)
    parts = list(_read((*sorted(asked.glob("*.xml")), *fresh), str(folder)))
    if not parts:
        return None
    counts = add_up([part.counts for part in parts]) or Counts()
    failures = tuple(failure for part in parts for failure in part.failures)[:50]
    clean = tuple(
        each._replace(
            name=redactor.text(each.name),
            message=redactor.text(each.message),
            details=redactor.text(each.details),
        )
        for each in failures
    )
    cases = tuple(
        case._replace(message=redactor.text(case.message)) if case.message else case
        for part in parts
        for case in part.cases
    )
    return parts[0]._replace(counts=counts, failures=clean, cases=cases)


def _read(paths: Iterable[Path], root: str) -> Iterator["JunitReport"]:
    from donewhen.verify.machine_reports import read_junit

    left = _LARGEST
    for path in paths:
        data = _bytes(path, left)
        left -= len(data)
        found = read_junit(data, root) if data else None
        if found is not None:
            yield found


def _bytes(path: Path, most: int) -> bytes:
    """A regular file's content; empty when it is none, too large or gone."""
    with suppress(OSError):
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        with os.fdopen(handle, "rb") as file:
            data = file.read(most + 1)
            return data if len(data) <= most else b""
    return b""


_MODULE = re.compile(r"\w{1,100}(?:\.\w{1,100}){0,30}")


class Sources(NamedTuple):
    """Where one command's tests may be told, beside the reports that count them."""

    root: Path
    argv: tuple[str, ...]
    plugin: Path
    recorded: Path
    named: tuple[Path, ...] = ()  # files of the project's own, written by the run
    output: Path = Path(os.devnull)  # all that was printed


def read_cases(told: "JunitReport | None", sources: Sources, redactor: Redactor) -> "tuple[Case, ...]":
    """Every test that a machine report names, one by one."""
    from donewhen.core.scenarios import MOST_CASES, read_case
    from donewhen.verify.machine_reports import printed_reader, read_any, read_plugin_lines, read_recorded

    root = str(sources.root)
    cases = list(told.cases if told else ())
    cases += read_plugin_lines(_bytes(sources.plugin, _LARGEST), root)
    cases += read_recorded(_bytes(sources.recorded, _LARGEST), root)
    for path in sources.named:
        cases += read_any(_bytes(path, _LARGEST), root)
    printed = printed_reader(sources.argv)
    if printed is not None:
        cases += printed(_bytes(sources.output, _LARGEST), root)
    if not any(case.file for case in cases):
        cases = _with_files(cases, sources.root)
    rows = redactor.data([list(case) for case in cases[:MOST_CASES]])
    return tuple(read_case(row) for row in rows)


def _with_files(cases: "list[Case]", root: Path) -> "list[Case]":
    """pytest's report tells no file, but puts each test under the path of its module, written with dots."""
    files = {group: _module_file(group, root) for group in dict.fromkeys(case.group for case in cases)}
    return [case._replace(file=files[case.group]) for case in cases]


def _module_file(group: str, root: Path) -> str:
    parts = group.split(".") if _MODULE.fullmatch(group) else []
    paths = ("/".join(parts[:count]) + ".py" for count in range(len(parts), 0, -1))
    return next((path for path in paths if (root / path).is_file()), "")


def noted(recorded: Path) -> Noted:
    """How many tests unittest told of from inside, and how many of them failed."""
    from donewhen.verify.machine_reports import read_recorded

    cases = read_recorded(_bytes(recorded, _LARGEST))
    return Noted(len(cases), sum(case.outcome == "failed" for case in cases))


def made_up(recorded: Path, printed: Counts | None) -> bool:
    """Whether a summary of unittest was printed that unittest did not write."""
    from donewhen.verify.machine_reports import claims_too_much

    if printed is None or printed.runner != "unittest" or not printed.executed:
        return False
    return claims_too_much(_bytes(recorded, _LARGEST), printed.executed)


def counted(report: Counts | None, printed: Counts | None, direct: bool) -> Counts | None:
    """What counts: the report of a runner that was called directly; else what was printed, which may be more
    than one runner's, unless only the report tells of failures."""
    if report is None or printed is None:
        return report or printed
    return report if direct or (reports_failures(report) and not reports_failures(printed)) else printed
