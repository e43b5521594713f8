"""Python: coverage.py in every process of the run, by a folder in PYTHONPATH; the command stays as it is.

What the project measures itself, with pytest-cov or `coverage run`, takes the place of ours in its process,
so its data is sent to the desk as well and both are put together.
"""

from pathlib import Path

from donewhen.core.quality.coverage import Covered
from donewhen.core.quality.model import Unreadable
from donewhen.core.texts import Phrase
from donewhen.verify.quality.coverage.interpreters import python_for
from donewhen.verify.quality.coverage.measure_model import Job, Part
from donewhen.verify.quality.coverage.settings import settings_of
from donewhen.verify.quality.coverage.starter import lay_starter
from donewhen.verify.quality.model import Missing

_TOOL = "coverage"
_INSTALL = "python -m pip install coverage"


def measure_python(job: Job) -> Part | Missing:
    python = python_for(job.entry.argv, job.path, job.folder)
    if python is None:
        return Missing(Phrase("coverage.no_python"), _INSTALL)
    places = job.desk / "python"
    data, whole, report = places / "data", places / ".coverage", places / "coverage.json"
    data.mkdir(parents=True)
    folder = job.folder if settings_of(job.folder).file else job.scope.root
    name = settings_of(folder).file
    settings = str(folder / name) if name else ""
    lay_starter(places / "start", settings, folder, data / ".coverage.ours")
    coverage = (str(python), "-I", "-m", "coverage")
    common = (f"--data-file={whole}", f"--rcfile={settings}" if settings else "--rcfile=")
    after = (
        (*coverage, "combine", "-q", "--keep", *common, str(data)),
        (*coverage, "json", "-q", "-i", "--fail-under=0", *common, "-o", str(report)),
    )
    own = {} if "COVERAGE_FILE" in dict(job.entry.env) else {"COVERAGE_FILE": str(data / ".coverage.own")}
    cwd = job.entry.cwd
    return Part(
        _TOOL, lambda root: _read(report, root, cwd), own, str(places / "start"), None, after, _INSTALL
    )


def _read(report: Path, root: Path, cwd: str) -> Covered:
    from donewhen.verify.quality.coverage.reading import read_report

    covered = read_report(report, root, cwd) if report.is_file() else Covered()
    if not covered.files:
        raise Unreadable("coverage.nothing", languages="Python", tool=_TOOL)
    return covered
