"""Python: coverage.py in every process of the run, by a folder in PYTHONPATH; the command stays as it is.

What the project measures itself, with pytest-cov or `coverage run`, takes the place of ours in its process,
so its data is sent to the desk as well. The two stay apart until they are read: one may know branches and
the other lines alone, which coverage.py does not put together. Either may be missing.
"""

from pathlib import Path

from donewhen.core.quality.coverage import Covered, merge
from donewhen.core.quality.model import Unreadable
from donewhen.core.texts import Phrase
from donewhen.verify.quality.coverage.interpreters import python_for
from donewhen.verify.quality.coverage.measure_model import Job, Part
from donewhen.verify.quality.coverage.settings import settings_of
from donewhen.verify.quality.coverage.starter import lay_starter
from donewhen.verify.quality.model import Missing

_TOOL = "coverage"
_SORTS = ("ours", "own")
INSTALL = "python -m pip install coverage"


def measure_python(job: Job) -> Part | Missing:
    python = python_for(job.entry.argv, job.path, job.folder)
    if python is None:
        return Missing(Phrase("coverage.no_python"), INSTALL)
    places = job.desk / "python"
    ours, own = sorts = tuple(places / name for name in _SORTS)
    for sort in sorts:
        (sort / "whole").mkdir(parents=True)
    folder = job.folder if settings_of(job.folder).file else job.scope.root
    name = settings_of(folder).file
    settings = str(folder / name) if name else ""
    lay_starter(places / "start", settings, folder, ours / ".coverage.ours")
    after = tuple(words for sort in sorts for words in _after(str(python), sort, settings))
    named = "COVERAGE_FILE" in dict(job.entry.env)
    env = {} if named else {"COVERAGE_FILE": str(own / ".coverage.own")}
    cwd = job.entry.cwd
    return Part(_TOOL, lambda root: _read(sorts, root, cwd), env, str(places / "start"), None, after, INSTALL)


def _after(python: str, sort: Path, settings: str) -> tuple[tuple[str, ...], ...]:
    coverage = (python, "-I", "-m", "coverage")
    common = (f"--data-file={sort / 'whole' / '.coverage'}", f"--rcfile={settings}")
    return (
        (*coverage, "combine", "-q", "--keep", *common, str(sort)),
        (*coverage, "json", "-q", "-i", "--fail-under=0", *common, "-o", str(_report(sort))),
    )


def _report(sort: Path) -> Path:
    return sort / "whole" / "coverage.json"


def _read(sorts: tuple[Path, ...], root: Path, cwd: str) -> Covered:
    from donewhen.verify.quality.coverage.reading import read_report

    found: list[Covered] = []
    elsewhere: list[Unreadable] = []
    for report in map(_report, sorts):
        try:
            found += [read_report(report, root, cwd)] if report.is_file() else []
        except Unreadable as error:
            if error.key != "coverage.other_files":  # what one of them saw elsewhere, the other may have here
                raise
            elsewhere.append(error)
    covered = merge(found)
    if not covered.files and elsewhere:
        raise elsewhere[0].again()
    if not covered.files:
        raise Unreadable("coverage.nothing", languages="Python", tool=_TOOL)
    return covered
