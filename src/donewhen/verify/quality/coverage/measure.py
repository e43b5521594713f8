"""How the tests are watched, by language: coverage.py in every process, jest and vitest by their own options,
Node by V8, Go by a cover profile; reports that the run writes itself fill in for any other language.

The languages of the changed source decide what is measured, else those that the project is written in. A run
that leaves no data is unreadable, never uncovered and never covered.
"""

import json
import os
import posixpath
import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from donewhen.core.accept import Accept
from donewhen.core.integrity.roles import role_of
from donewhen.core.paths import Patterns
from donewhen.core.quality.coverage import Covered, Lines, family_of, merge
from donewhen.core.quality.model import Unreadable
from donewhen.core.texts import Phrase
from donewhen.verify.exam.command import run_entry
from donewhen.verify.exam.environment import said_by
from donewhen.verify.exam.probe import STEP_ASIDE
from donewhen.verify.exam.walls import desk_of, exam_scratch
from donewhen.verify.failures import visible
from donewhen.verify.place import ExamPlace
from donewhen.verify.quality.coverage.gate import Measured
from donewhen.verify.quality.coverage.reports import Tree, code_lines, read_newer, read_report, read_v8
from donewhen.verify.quality.model import Missing, Scope
from donewhen.verify.quality.project_files import Project, words
from donewhen.verify.quality.running import command_at, last_line
from donewhen.verify.quality.tools import python_of
from donewhen.verify.record import discard
from donewhen.workspace.processes.running import run
from donewhen.workspace.setup.folder import read_inside

INSTALL = "python -m pip install coverage"
_RED = "quality.red_measured"
_NOTHING = ("coverage.nothing", "coverage.no_way")  # no obstacle as long as another command has something
_NAMES = {"python": "Python", "javascript": "JavaScript", "go": "Go", "rust": "Rust", "java": "Java"}
_MARKS = {
    "python": "pyproject.toml setup.py setup.cfg requirements.txt tox.ini manage.py".split(),
    "javascript": ["package.json"],
    "go": ["go.mod"],
    "rust": ["Cargo.toml"],
    "java": ["pom.xml", "build.gradle", "build.gradle.kts"],
}
_WRITES = re.compile(
    r"lcov|cobertura|coverprofile|--cov-report|--coverage\b|\bcoverage (?:xml|json)\b|\b(?:nyc|c8)\b"
)
_DECLARING = (".d.ts", ".d.mts", ".d.cts")
_MOST_NAMES = 2000
Command = tuple[str, ...]


class Way(NamedTuple):
    """How one language is measured. `argv` None: the command stays as it is. Each of `after` is run next."""

    tool: str
    read: Callable[[Path], Covered]  # given the tree's root
    env: Mapping[str, str] = MappingProxyType({})
    python_path: str = ""  # goes first in the command's PYTHONPATH
    argv: Command | None = None
    after: tuple[Command, ...] = ()


class Job(NamedTuple):
    """One command, the tree that it is run in and the folder of this run alone that we may write."""

    entry: Accept
    scope: Scope
    desk: Path

    @property
    def folder(self) -> Path:
        return self.scope.root / self.entry.cwd

    @property
    def path(self) -> tuple[str, ...]:
        own = dict(self.entry.env).get("PATH", self.scope.env.get("PATH", ""))
        return tuple(each for each in (*self.scope.path, *own.split(":")) if each.startswith("/"))


class Measure(NamedTuple):
    """A command as it is watched; where the tool needs options, the run is no exam, only a measure."""

    job: Job
    since_ns: int
    ways: Mapping[str, Way]
    missing: Mapping[str, Missing]  # by language: why it is not measured

    @property
    def argv(self) -> Command:
        return next((way.argv for way in self.ways.values() if way.argv), self.job.entry.argv)

    @property
    def env(self) -> dict[str, str]:
        return {name: value for way in self.ways.values() for name, value in way.env.items()}

    @property
    def python_path(self) -> str:
        return ":".join(way.python_path for way in self.ways.values() if way.python_path)

    @property
    def after(self) -> tuple[Command, ...]:
        return tuple(command for way in self.ways.values() for command in way.after)

    @property
    def tool(self) -> str:
        return " + ".join(way.tool for way in self.ways.values()) or "report"

    def read(self, root: Path) -> Covered:
        """What we measured, and for languages that we did not, what the run wrote itself."""
        found: list[Covered] = []
        failed: list[Unreadable] = []
        for way in self.ways.values():
            try:
                found.append(way.read(root))
            except Unreadable as error:
                failed.append(error)
        for wrong in (each for each in failed if each.key != "coverage.nothing"):
            raise wrong.again()
        lacking = frozenset(_families(self.job)) - {family for one in found for family in one.families}
        try:
            found.append(read_newer(root, self.since_ns).only(lacking) if lacking else Covered())
        except Unreadable as error:  # an old one is an error only where nothing else was hoped for
            if error.key != "coverage.stale" or not (found or failed):
                raise
        if any(covered.files for covered in found):
            return merge(covered for covered in found if covered.files)
        if failed:
            raise failed[0].again()
        names = ", ".join(_NAMES[each] for each in sorted(lacking))
        raise Unreadable("coverage.no_way", languages=names, command=visible(self.job.entry.label, 200))


async def measure(
    entries: Sequence[Accept], place: ExamPlace, scope: Scope, changed: Mapping[str, frozenset[int]]
) -> Measured:
    """What the tests run of the tree in `place`."""
    measured = await _measure_all(entries, place, scope, changed)
    if measured.why is not None and measured.install == INSTALL and place.prepared.kind == "own":
        why = Phrase("coverage.require", {"why": measured.why})  # we set it up: nobody can install there
        return measured._replace(why=why, install="")
    return measured


async def _measure_all(
    entries: Sequence[Accept], place: ExamPlace, scope: Scope, changed: Mapping[str, frozenset[int]]
) -> Measured:
    """A command that has nothing to tell is no obstacle."""
    found: list[Measured] = []
    missing: dict[str, Missing] = {}
    for entry in entries:
        found.append(await _measure(entry, place, scope, missing))
        if found[-1].why is not None and found[-1].why.key == _RED:
            return found[-1]._replace(duration_ms=sum(each.duration_ms for each in found))
    spent = sum(each.duration_ms for each in found)
    told = [each.covered for each in found if each.covered is not None]
    real = [each for each in found if each.why is not None and each.why.key not in _NOTHING]
    if not told:
        obstacle = next(iter((*real, *found)), Measured(why=Phrase("quality.no_tests")))
        return obstacle._replace(duration_ms=spent)
    covered, folder = merge(told), entries[0].cwd if len(entries) == 1 else ""
    tools = ", ".join(dict.fromkeys(each.tool for each in found if each.covered is not None))
    lacks = None
    for family, file in unknown_families(covered, changed, place.folder).items():
        name = _NAMES[family]
        lacks = missing.get(family) or next(
            (Missing(each.why, each.install) for each in real if each.why), None
        )
        why = (
            lacks.why
            if lacks
            else Phrase("coverage.nothing_of", {"languages": name, "file": visible(file, 200)})
        )
        install = lacks.install if lacks else ""
        lacks = Missing(Phrase("coverage.lacks", {"languages": name, "why": why}), install)
        break
    whole = with_unmeasured(covered, changed, place.folder, folder)
    return Measured(whole, tool=tools, duration_ms=spent, lacks=lacks)


async def _measure(entry: Accept, place: ExamPlace, scope: Scope, missing: dict[str, Missing]) -> Measured:
    """One command; `missing` gains the languages that it can't measure."""
    with exam_scratch(place.bench.scratch) as scratch:
        desk = desk_of(scratch) / "coverage"
        desk.mkdir(parents=True, mode=0o700)
        plan = plan_measure(entry, scope, desk)
        if isinstance(plan, Missing):
            return Measured(why=plan.why, install=plan.install)
        missing |= plan.missing
        place.bench.means.progress(Phrase("quality.measuring", {"command": entry.line}))
        env = {**dict(entry.env), **plan.env}
        if plan.python_path:  # PYTHONPATH of the environment would be replaced by the command's own
            known = env.get("PYTHONPATH", place.prepared.env.get("PYTHONPATH", ""))
            env["PYTHONPATH"] = f"{plan.python_path}:{known}" if known else plan.python_path
        watched = entry._replace(argv=plan.argv, env=tuple(env.items()))
        sat = await run_entry(watched, place.where(entry, scratch))
        said = sat.why_not or last_line(sat.finished.output)
        discard(sat.finished.output)
        measured = Measured(tool=plan.tool, duration_ms=sat.finished.duration_ms)
        if sat.exit != 0 or sat.why_not is not None:
            return measured._replace(why=Phrase(_RED, {"command": entry.line, "said": said}))
        began = time.monotonic()
        wrong = [said for argv in plan.after if (said := await _after(argv, entry, place, scratch))]
        measured = measured._replace(
            duration_ms=measured.duration_ms + round((time.monotonic() - began) * 1000)
        )
        try:
            return measured._replace(covered=plan.read(place.folder))
        except Unreadable as error:
            if not wrong or error.key != "coverage.nothing":
                return measured._replace(why=Phrase(error.key, error.values))
            if "No module named" in wrong[0]:
                return measured._replace(why=Phrase("quality.no_coverage"), install=INSTALL)
            why = Phrase("quality.after_failed", {"tool": plan.tool, "said": wrong[0]})
            return measured._replace(why=why)


async def _after(argv: Command, entry: Accept, place: ExamPlace, scratch: Path) -> str:
    """What a command that failed said last; empty when it did its work, or had nothing to do."""
    walls = place.put_up(argv[0], scratch)
    timeout = place.bench.config.verification.execution.timeout
    finished = await run(command_at(place, entry.cwd, argv, walls, timeout, dict(walls.env)))
    said = "" if finished.exit == 0 else last_line(finished.output)
    discard(finished.output)
    return "" if said.startswith("No data ") else said  # of two sorts of data one is often missing


def plan_measure(entry: Accept, scope: Scope, desk: Path) -> Measure | Missing:
    """How to measure one test command; `desk` is a folder of this run alone. Call it right before the run."""
    job = Job(entry, scope, desk)
    families = _families(job)
    ways: dict[str, Way] = {}
    missing: dict[str, Missing] = {}
    plan = Measure(job, time.time_ns(), ways, missing)
    for family in families:
        way = _WAYS[family](job) if family in _WAYS else None
        if isinstance(way, Missing):
            missing[family] = way
        elif way is not None and (way.argv is None or not any(one.argv for one in ways.values())):
            ways[family] = way
    if not ways and missing and not _WRITES.search(said_by(scope.root, entry)):
        return next(iter(missing.values()))
    if not families:
        endings = {Path(path).suffix.removeprefix(".")[:20] for path in scope.files} - {""}
        values = {"languages": ", ".join(sorted(endings)) or "-", "command": visible(entry.label, 200)}
        return Missing(Phrase("coverage.no_way", values))
    return plan


def _families(job: Job) -> tuple[str, ...]:
    folders = dict.fromkeys((job.folder, job.scope.root))
    changed = {family_of(path) for path in job.scope.files if role_of(path) == "source"} - {""}
    changed = changed or {
        family
        for family, names in _MARKS.items()
        if any((folder / name).is_file() for folder in folders for name in names)
    }
    if not changed and job.folder.is_dir():  # in a project without any manifest, what lies beside the tests
        changed = {family_of(each.name) for each in islice(job.folder.iterdir(), _MOST_NAMES)}
    return tuple(each for each in _NAMES if each in changed)


def _written(report: Path, root: Path, cwd: str, language: str, tool: str) -> Covered:
    covered = read_report(report, root, cwd) if report.is_file() else Covered()
    if not covered.files:
        raise Unreadable("coverage.nothing", languages=language, tool=tool)
    return covered


def _go(job: Job) -> Way | None:
    argv, report, cwd = job.entry.argv, job.desk / "go.out", job.entry.cwd
    if argv[:2] != ("go", "test") or any("-coverprofile" in word for word in argv):
        return None
    measured = (*argv[:2], f"-coverprofile={report}", "-coverpkg=./...", *argv[2:])

    def read(root: Path) -> Covered:
        return _written(report, root, cwd, "Go", "go test")._replace(complete=True)

    return Way("go", read, argv=measured)


_RUNNER = re.compile(
    r"(?:(?:cross-env|env|npx|--no(?:-install)?|pnpm|exec|yarn|bunx|[A-Za-z_]\w*=\S*|(?:\S*/)?node)\s+)*"
    r"(?:\S*/)?(jest|vitest)(?:\.js)?(?=\s|$)(?![^;&|<>`$(\n]*[;&|<>`$(\n])"
)
_MANAGERS = ("npm", "pnpm", "yarn", "bun")
_MEASURED = re.compile(r"\s--(?:coverage|collectCoverage)(?:[=.\s]|$)")
_PROVIDERS = ("@vitest/coverage-v8", "@vitest/coverage-istanbul")
_OWN = {  # options, the one for the folder, and what the settings say where a file is left out on purpose
    "jest": (
        ("--coverage", "--coverageReporters=json", "--coverageThreshold={}"),
        "--coverageDirectory=",
        re.compile(r"\bcollectCoverageFrom\b"),
    ),
    "vitest": (
        ("--coverage.enabled=true", "--coverage.reporter=json", "--coverage.reportOnFailure=true"),
        "--coverage.reportsDirectory=",
        re.compile(r"\bcoverage\b(?s:.{0,4000}?)\binclude\b"),
    ),
}


def _node(job: Job) -> Way | Missing | None:
    """jest and vitest run translated code, so they measure themselves where the command is a plain call of
    theirs, or the package's script behind it is; else V8 does. c8 and nyc leave their data in the tree.
    """
    argv = job.entry.argv
    script = _script(job) if argv and argv[0] in _MANAGERS else ""
    text = script or " ".join(argv)
    runner = _RUNNER.match(text)
    if runner is None:
        (job.desk / "v8").mkdir(parents=True)
        env = {"NODE_V8_COVERAGE": str(job.desk / "v8")}
        return Way("node", lambda root: _read_v8(job.desk / "v8", root), env)
    if _MEASURED.search(text):
        return None  # it writes its own report
    tool, folders = runner[1], dict.fromkeys((job.folder, job.scope.root))
    brought = (each / "node_modules" / name / "package.json" for each in folders for name in _PROVIDERS)
    if tool == "vitest" and not any(each.is_file() for each in brought):
        return Missing(Phrase("coverage.no_vitest"), f"npm install --save-dev {_PROVIDERS[0]}")
    options, place, told = _OWN[tool]
    names = ("package.json", *(f"{tool}.config.{end}" for end in ("js", "ts", "mjs", "cjs", "json")))
    complete = told.search("\n".join(read_inside(job.folder, name) for name in names)) is not None
    report, cwd = job.desk / tool / "coverage-final.json", job.entry.cwd

    def read(root: Path) -> Covered:
        return _written(report, root, cwd, "JavaScript", tool)._replace(complete=complete)

    joint = ("--",) if script and argv[0] != "yarn" else ()
    return Way(tool, read, argv=(*argv, *joint, *options, f"{place}{report.parent}"))


def _script(job: Job) -> str:
    """The package's script that the command names."""
    rest = [word for word in job.entry.argv[1:] if word != "run"]
    try:
        script = (
            json.loads(read_inside(job.folder, "package.json"))["scripts"][rest[0]] if len(rest) == 1 else ""
        )
    except (ValueError, RecursionError, KeyError, TypeError):
        return ""
    return script if isinstance(script, str) else ""


def _read_v8(data: Path, root: Path) -> Covered:
    """All processes together; those of npm and the like name no file of the tree and weigh nothing."""
    paths = sorted(path for path in data.glob("*.json") if path.is_file() and not path.is_symlink())
    covered = merge(read_v8(path.read_bytes(), root) for path in paths[:_MOST_NAMES])
    if not covered.files:
        raise Unreadable("coverage.nothing", languages="JavaScript", tool="node")
    return covered


# Runs in the project's interpreters, old ones too: plain words, nothing imported that coverage.py needs not.
# It prints nothing and never makes a process fail; where it can't work there is no data, which is no pass.
_START = """\
# Written by donewhen for one test run; has coverage.py watch the processes of it.
def _measure(settings, folder, data):
    import os, sys
    if sys.version_info < (3, 6) or getattr(sys.flags, "isolated", 0):
        return
    try:
        import coverage
    except ImportError:
        return
    watch = coverage.Coverage(
        data_file=data, data_suffix=True, auto_data=True, config_file=settings or False
    )
    quiet = "already-imported couldnt-parse dynamic-conflict include-ignored module-not-imported"
    quiet += " module-not-measured module-not-python no-ctracer no-data-collected no-sysmon trace-changed"
    watch.set_option("run:disable_warnings", quiet.split())
    watch.set_option("run:dynamic_context", None)
    sources = watch.get_option("run:source") or []
    places = [os.path.join(folder, each) for each in sources]
    pairs = zip(places, sources)
    watch.set_option("run:source", [place if os.path.isdir(place) else each for place, each in pairs] or None)
    try:
        kept = list(watch.get_option("run:patch") or [])
        watch.set_option("run:patch", [each for each in kept if each != "subprocess"] + ["_exit"])
    except Exception:
        pass
    for name in ("_warn_no_data", "_warn_unimported_source", "_warn_preimported_source"):
        setattr(watch, name, False)
    watch.start()


try:
    _measure(SETTINGS, FOLDER, DATA)
except Exception:
    pass"""


def _python(job: Job) -> Way | Missing:
    """By a `sitecustomize`. What the project measures itself, with pytest-cov or `coverage run`, takes the
    place of ours in its process, so its data is sent to the desk as well and the two are put together.
    """
    python = python_for(job)
    if python is None:
        return Missing(Phrase("coverage.no_python"), INSTALL)
    places, cwd = job.desk / "python", job.entry.cwd
    sorts = (places / "ours", places / "own")
    folder = job.folder if settings_of(job.folder).file else job.scope.root
    name = settings_of(folder).file
    settings = str(folder / name) if name else ""
    after: list[Command] = []
    for sort in sorts:
        (sort / "whole").mkdir(parents=True)
        common = (f"--data-file={sort / 'whole' / '.coverage'}", f"--rcfile={settings}")
        coverage = (str(python), "-I", "-m", "coverage")
        report = str(sort / "whole" / "coverage.json")
        after.append((*coverage, "combine", "-q", "--keep", *common, str(sort)))
        after.append((*coverage, "json", "-q", "-i", "--fail-under=0", *common, "-o", report))
    text = _START + STEP_ASIDE
    told = {"SETTINGS": settings, "FOLDER": str(folder), "DATA": str(sorts[0] / ".coverage.ours")}
    for key, value in told.items():
        text = text.replace(key, ascii(value), 1)
    (places / "start").mkdir()
    (places / "start" / "sitecustomize.py").write_text(text, encoding="ascii")
    own = str(sorts[1] / ".coverage.own")
    env = {} if "COVERAGE_FILE" in dict(job.entry.env) else {"COVERAGE_FILE": own}

    def read(root: Path) -> Covered:
        return _read_python([sort / "whole" / "coverage.json" for sort in sorts], root, cwd)

    return Way("coverage", read, env, str(places / "start"), None, tuple(after))


def _read_python(reports: Sequence[Path], root: Path, cwd: str) -> Covered:
    found: list[Covered] = []
    elsewhere = Unreadable("coverage.nothing", languages="Python", tool="coverage")
    for report in reports:
        try:
            found += [read_report(report, root, cwd)] if report.is_file() else []
        except Unreadable as error:
            if error.key != "coverage.other_files":  # what one of them saw elsewhere, the other may have here
                raise
            elsewhere = error
    covered = merge(found)
    if not covered.files:
        raise elsewhere.again()
    return covered


_PYTHON = re.compile(r"python(?:\d(?:\.\d{1,2})?)?")
_SHEBANG = re.compile(r"#!\s{0,10}(?:/\S{0,400}/env\s{1,10})?(\S{1,400})")


def python_for(job: Job) -> Path | None:
    """The interpreter that the command most likely runs on, if it has coverage.py; None: none has."""
    found = list(dict.fromkeys(_interpreters(job)))
    return next((each for each in found if _has_coverage(each)), None) or next(
        (each for each in found if _has_coverage(each) is None), None
    )


def _interpreters(job: Job) -> Iterator[Path]:
    head = job.entry.argv[0] if job.entry.argv else ""
    program = find_program(str(job.folder / head) if "/" in head else head, job.path)
    if program is not None and not _PYTHON.fullmatch(program.name):  # a script's first line names it
        named = _SHEBANG.match(read_inside(program.resolve().parent, program.resolve().name))
        program = find_program(named[1], job.path) if named else None
    own = python_of(job.scope, job.entry.cwd)
    for each in (
        program,
        Path(own) if own else None,
        *(find_program(n, job.path) for n in ("python", "python3")),
    ):
        if each is not None and _PYTHON.fullmatch(each.name):
            yield each


def find_program(name: str, path: Sequence[str]) -> Path | None:
    """The first program of this name; `path` holds absolute folders."""
    folders = [] if "/" in name else path
    places = [Path(name)] if name.startswith("/") else [Path(folder, name) for folder in folders if name]
    return next((place for place in places if place.is_file() and os.access(place, os.X_OK)), None)


def _has_coverage(python: Path) -> bool | None:
    """By the folders of its environment; None: they can't tell, as behind a shim."""
    home = python.parent.parent
    if any(home.glob("lib*/python3*/*-packages/coverage/__init__.py")):
        return True
    settings = read_inside(home, "pyvenv.cfg")
    return False if settings and "include-system-site-packages = true" not in settings else None


_WAYS: Mapping[str, Callable[[Job], Way | Missing | None]] = {
    "python": _python,
    "javascript": _node,
    "go": _go,
}


class Settings(NamedTuple):
    """What a project keeps for coverage.py in one file; `file` empty: there is none."""

    file: str = ""
    told: bool = False  # what is to be measured: then the report has it all, loaded or not
    omit: tuple[str, ...] = ()

    def leaves_out(self, path: str) -> bool:
        """Whether they keep a file that no report has out of what is measured.

        As coverage.py matches: a pattern starts at the root, unless it starts with a star.
        """
        omit = (each.removeprefix("./").lstrip("/") for each in self.omit)
        patterns = [f"**/{p[2:]}" if p.startswith("*/") else p if p[0] == "*" else f"/{p}" for p in omit if p]
        return self.told or any(Patterns((each,)).match(path) for each in patterns)


def settings_of(folder: Path) -> Settings:
    """Read as coverage.py finds them; what can't be read leaves nothing out."""
    project = Project(folder)
    for file, above in (
        (".coveragerc", ""),
        ("setup.cfg", "coverage:"),
        ("tox.ini", "coverage:"),
        ("pyproject.toml", ""),
    ):
        tool = project.under(file, "tool", "coverage") if file == "pyproject.toml" else project.data(file)
        run, report = (tool.get(f"{above}{name}", {}) for name in ("run", "report"))
        if run or report or (file == ".coveragerc" and project.has(file)):
            told = any(run.get(key) for key in ("source", "source_pkgs", "include")) or report.get("include")
            return Settings(file, bool(told), (*words(run.get("omit")), *words(report.get("omit"))))
    return Settings()


def with_unmeasured(
    covered: Covered, changed: Mapping[str, frozenset[int]], root: Path, folder: str = ""
) -> Covered:
    """The same with the changed source files of measured languages that it lacks; `folder`: of the tests.

    Their code counts as not executed; where the tool was told what to measure and left one out, that is said.
    """
    settings = settings_of(root / folder)
    if folder and not settings.file:  # as they are looked for when the tests are measured
        settings, folder = settings_of(root), ""
    files, unmeasured, left_out = dict(covered.files), set(covered.unmeasured), set(covered.left_out)
    for path, code in _unknown(covered, changed, root).items():
        inner = posixpath.relpath(path, folder) if folder else path
        python = family_of(path) == "python" and not inner.startswith("../") and settings.leaves_out(inner)
        if family_of(path) not in covered.families:
            continue
        if covered.complete or python:
            left_out.add(path)
        else:
            files[path] = Lines(missing=code)
            unmeasured.add(path)
    return covered._replace(files=files, unmeasured=frozenset(unmeasured), left_out=frozenset(left_out))


def unknown_families(
    covered: Covered, changed: Mapping[str, frozenset[int]], root: Path
) -> Mapping[str, str]:
    """Languages whose changed code no report knows anything of, each with the first file of it."""
    found = {family_of(path): path for path in reversed(_unknown(covered, changed, root))}
    return {family: path for family, path in found.items() if family not in covered.families}


def _unknown(
    covered: Covered, changed: Mapping[str, frozenset[int]], root: Path
) -> dict[str, frozenset[int]]:
    """Changed source files that no report knows, with all lines of code, if some of them changed."""
    tree = Tree(root)
    found: dict[str, frozenset[int]] = {}
    for path in sorted(changed):
        counts = role_of(path) == "source" and not path.endswith(_DECLARING) and family_of(path)
        if path not in covered.files and counts and tree.find(path) == path:
            code = code_lines(tree.text(path) or "", family_of(path))
            if code & changed[path]:
                found[path] = code
    return found
