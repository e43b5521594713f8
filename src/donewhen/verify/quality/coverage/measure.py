"""How the tests are watched, by language: coverage.py in every process, jest and vitest by their own options,
Node by V8, Go by a cover profile; reports that the run writes itself fill in for any other language.

A run that leaves no data is unreadable, never uncovered and never covered.
"""

import posixpath
import re
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from donewhen.core.accept import Accept
from donewhen.core.paths import Patterns
from donewhen.core.quality.coverage import Covered, Lines, family_of, merge
from donewhen.core.quality.model import Unreadable
from donewhen.core.shown import visible
from donewhen.core.texts import Phrase
from donewhen.project.folder import Folder, read_inside
from donewhen.project.languages import words
from donewhen.project.roles import role_of
from donewhen.project.tools import Missing, Scope
from donewhen.verify.exam.command import run_entry
from donewhen.verify.exam.probe import STEP_ASIDE
from donewhen.verify.exam.walls import harness_folder_of
from donewhen.verify.place import ExamPlace
from donewhen.verify.quality.coverage.gate import Measured
from donewhen.verify.quality.coverage.reports import Tree, code_lines, read_newer, read_report, read_v8
from donewhen.verify.quality.running import command_at, last_line
from donewhen.verify.record import discard
from donewhen.workspace.processes.running import run
from donewhen.workspace.sandbox.scratch import exam_scratch

_RED = "quality.red_measured"
_NOTHING = ("coverage.nothing", "coverage.no_way")  # no obstacle as long as another command has something
_NAMES = {"python": "Python", "javascript": "JavaScript", "go": "Go", "rust": "Rust", "java": "Java"}
_DECLARING = (".d.ts", ".d.mts", ".d.cts")
_MOST_PROCESSES = 2000
_MOST_BYTES = 512 * 2**20
Command = tuple[str, ...]


class Measure:
    """One command as it is watched; `desk` is a folder of this run alone that we may write.

    Where the tool needs options, the run is no exam, only a measure.
    """

    def __init__(self, entry: Accept, scope: Scope, harness: Path) -> None:
        self.entry, self.scope, self.desk = entry, scope, harness
        self.argv, self.env = entry.argv, dict[str, str]()
        self.python_path = ""  # goes first in the command's PYTHONPATH
        self.tools: list[str] = []
        self.reads: list[Callable[[Path], Covered]] = []  # given the tree's root
        self.missing: dict[str, Missing] = {}  # by language: why it is not measured
        self.since_ns = time.time_ns()
        changed = {family_of(path) for path in scope.files if role_of(path) == "source"}
        self.families = [each for each in _NAMES if each in changed]
        for family in self.families:
            if family in _WAYS:
                _WAYS[family](self)

    @property
    def folder(self) -> Path:
        return self.scope.root / self.entry.cwd

    def after(self) -> list[Command]:
        """What makes one report of the data of all Python processes, by the interpreter that they ran on."""
        place = self.desk / "python"
        python = read_inside(place, "interpreter")
        found: list[Command] = []
        for sort in (place / "ours", place / "own") if python else ():
            common = (f"--data-file={sort / 'whole' / '.coverage'}", f"--rcfile={_settings_file(self)}")
            tool = (python, "-I", "-m", "coverage")
            report = str(sort / "whole" / "coverage.json")
            found.append((*tool, "combine", "-q", "--keep", *common, str(sort)))
            found.append((*tool, "json", "-q", "-i", "--fail-under=0", *common, "-o", report))
        return found

    def read(self, root: Path) -> Covered:
        """What we measured, and for languages that we did not, what the run wrote itself."""
        found: list[Covered] = []
        failed: list[Unreadable] = []
        for read in self.reads:
            try:
                found.append(read(root))
            except Unreadable as error:
                failed.append(error)
        for wrong in (each for each in failed if each.key != "coverage.nothing"):
            raise wrong.again()
        lacking = frozenset(self.families) - {family for one in found for family in one.families}
        try:
            found.append(read_newer(root, self.since_ns).only(lacking) if lacking else Covered())
        except Unreadable as error:  # an old one is an error only where nothing else was hoped for
            if error.key != "coverage.stale" or not (found or failed):
                raise
        if any(covered.files for covered in found):
            return merge(covered for covered in found if covered.files)
        if failed:
            raise failed[0].again()
        names = ", ".join(_NAMES[each] for each in _NAMES if each in lacking) or "-"
        raise Unreadable("coverage.no_way", languages=names, command=visible(self.entry.label, 200))


async def measure(
    entries: Sequence[Accept], place: ExamPlace, scope: Scope, changed: Mapping[str, frozenset[int]]
) -> Measured:
    """What the tests run of the tree in `place`; a command that has nothing to tell is no obstacle."""
    found: list[Measured] = []
    missing: dict[str, Missing] = {}
    for entry in entries:
        found.append(await _measure(entry, place, scope, missing))
        if found[-1].why is not None and found[-1].why.key == _RED:
            found = found[-1:]
            break
    told = [each.covered for each in found if each.covered is not None]
    real = [each for each in found if each.why is not None and each.why.key not in _NOTHING]
    spent = sum(each.duration_ms for each in found)
    if not told:
        obstacle = next(iter((*real, *found)), Measured(why=Phrase("quality.no_tests")))
        return obstacle._replace(duration_ms=spent)
    folder = entries[0].cwd if len(entries) == 1 else ""
    covered, unknown = with_unmeasured(merge(told), changed, place.folder, folder)
    tools = ", ".join(dict.fromkeys(each.tool for each in found if each.covered is not None))
    measured = Measured(covered, tool=tools, duration_ms=spent)
    if not unknown:
        return measured
    family, file = next(iter(unknown.items()))
    told_of = {"languages": _NAMES[family], "file": visible(file, 200)}
    known = [missing[family]] if family in missing else [Missing(x.why, x.install) for x in real if x.why]
    lacks = next(iter(known), Missing(Phrase("coverage.nothing_of", told_of)))
    why = Phrase("coverage.lacks", {"languages": _NAMES[family], "why": lacks.why})
    return measured._replace(lacks=lacks._replace(why=why))


async def _measure(entry: Accept, place: ExamPlace, scope: Scope, missing: dict[str, Missing]) -> Measured:
    """One command; `missing` gains the languages that it can't measure."""
    with exam_scratch(place.bench.scratch) as scratch:
        harness = harness_folder_of(scratch) / "coverage"
        harness.mkdir(parents=True, mode=0o700)
        plan = Measure(entry, scope, harness)
        missing |= plan.missing
        if plan.missing and not plan.reads:
            lacking = next(iter(plan.missing.values()))
            return Measured(why=lacking.why, install=lacking.install)
        place.bench.means.progress(Phrase("quality.measuring", {"command": entry.line}))
        env = {**dict(entry.env), **plan.env}
        if plan.python_path:  # PYTHONPATH of the environment would be replaced by the command's own
            known = env.get("PYTHONPATH", place.prepared.env.get("PYTHONPATH", ""))
            env["PYTHONPATH"] = f"{plan.python_path}:{known}" if known else plan.python_path
        watched = entry._replace(argv=plan.argv, env=tuple(env.items()))
        execution = await run_entry(watched, place.where(entry, scratch))
        said = execution.why_not or last_line(execution.finished.output)
        discard(execution.finished.output)
        measured = Measured(
            tool=" + ".join(plan.tools) or "report", duration_ms=execution.finished.duration_ms
        )
        if execution.exit != 0 or execution.why_not is not None:
            return measured._replace(why=Phrase(_RED, {"command": entry.line, "said": said}))
        began = time.monotonic()
        wrong = [said for argv in plan.after() if (said := await _after(argv, entry, place, scratch))]
        spent = measured.duration_ms + round((time.monotonic() - began) * 1000)
        measured = measured._replace(duration_ms=spent)
        try:
            return measured._replace(covered=plan.read(place.folder))
        except Unreadable as error:
            why, install = Phrase(error.key, error.values), ""
            if error.key == "coverage.nothing" and (harness / "python" / "none").is_file():
                why, install = Phrase("quality.no_coverage"), "python -m pip install coverage"
                if place.prepared.kind == "own":  # we set it up: nobody can install there
                    why, install = Phrase("coverage.require", {"why": why}), ""
            elif error.key == "coverage.nothing" and wrong:
                why = Phrase("quality.after_failed", {"tool": measured.tool, "said": wrong[0]})
            return measured._replace(why=why, install=install)


async def _after(argv: Command, entry: Accept, place: ExamPlace, scratch: Path) -> str:
    """What a command that failed said last; empty when it did its work, or had nothing to do."""
    walls = place.put_up(argv[0], scratch)
    timeout = place.bench.config.verification.execution.timeout
    finished = await run(command_at(place, entry.cwd, argv, walls, timeout, dict(walls.env)))
    said = "" if finished.exit == 0 else last_line(finished.output)
    discard(finished.output)
    return "" if said.startswith("No data ") else said  # of two sorts of data one is often missing


def _written(report: Path, root: Path, cwd: str, language: str, tool: str) -> Covered:
    covered = read_report(report, root, cwd) if report.is_file() else Covered()
    if not covered.files:
        raise Unreadable("coverage.nothing", languages=language, tool=tool)
    return covered


def _go(plan: Measure) -> None:
    argv, report, cwd = plan.entry.argv, plan.desk / "go.out", plan.entry.cwd
    if argv[:2] == ("go", "test") and not any("-coverprofile" in word for word in argv):
        plan.argv = (*argv[:2], f"-coverprofile={report}", "-coverpkg=./...", *argv[2:])
        plan.tools.append("go")
        plan.reads.append(lambda root: _written(report, root, cwd, "Go", "go test")._replace(complete=True))


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


def _node(plan: Measure) -> None:
    """jest and vitest run translated code, so they measure themselves where the command is a plain call of
    theirs, or the package's script behind it is; else V8 does. c8 and nyc leave their data in the tree.
    """
    argv, cwd = plan.entry.argv, plan.entry.cwd
    script = _script(plan) if argv and argv[0] in _MANAGERS else ""
    text = script or " ".join(argv)
    runner = _RUNNER.match(text)
    if runner is None:
        data = plan.desk / "v8"
        data.mkdir(parents=True)
        plan.env["NODE_V8_COVERAGE"] = str(data)
        plan.tools.append("node")
        plan.reads.append(lambda root: _read_v8(data, root))
        return
    tool, folders = runner[1], dict.fromkeys((plan.folder, plan.scope.root))
    brought = (each / "node_modules" / name / "package.json" for each in folders for name in _PROVIDERS)
    if _MEASURED.search(text):
        return  # it writes its own report
    if tool == "vitest" and not any(each.is_file() for each in brought):
        command = f"npm install --save-dev {_PROVIDERS[0]}"
        plan.missing["javascript"] = Missing(Phrase("coverage.no_vitest"), command)
        return
    options, place, told = _OWN[tool]
    names = ("package.json", *(f"{tool}.config.{end}" for end in ("js", "ts", "mjs", "cjs", "json")))
    complete = told.search("\n".join(read_inside(plan.folder, name) for name in names)) is not None
    report = plan.desk / tool / "coverage-final.json"
    joint = ("--",) if script and argv[0] != "yarn" else ()
    plan.argv = (*argv, *joint, *options, f"{place}{report.parent}")
    plan.tools.append(tool)
    plan.reads.append(
        lambda root: _written(report, root, cwd, "JavaScript", tool)._replace(complete=complete)
    )


def _script(plan: Measure) -> str:
    """The package's script that the command names."""
    rest = [word for word in plan.entry.argv[1:] if word != "run"]
    script = Folder(plan.folder).table("package.json", "scripts").get(rest[0]) if len(rest) == 1 else ""
    return script if isinstance(script, str) else ""


def _read_v8(data: Path, root: Path) -> Covered:
    """All processes together; those of npm and the like name no file of the tree and weigh nothing."""
    paths = sorted(path for path in data.glob("*.json") if path.is_file() and not path.is_symlink())
    if sum(path.stat().st_size for path in paths[:_MOST_PROCESSES]) > _MOST_BYTES:
        raise Unreadable("coverage.unreadable", form="V8 JSON", why=Phrase("coverage.why_large"))
    covered = merge(read_v8(path.read_bytes(), root) for path in paths[:_MOST_PROCESSES])
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
        note, said = NONE, ""
    else:
        note, said = PYTHON, sys.executable
    with open(note, "w") as file:
        file.write(said)
    if not said:
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


def _python(plan: Measure) -> None:
    """By a `sitecustomize`. What the project measures itself, with pytest-cov or `coverage run`, takes the
    place of ours in its process, so its data is sent to the desk as well and the two are put together.
    """
    place, cwd = plan.desk / "python", plan.entry.cwd
    for sort in ("ours", "own"):
        (place / sort / "whole").mkdir(parents=True)
    settings, text = _settings_file(plan), _START + STEP_ASIDE
    told = {
        "SETTINGS": settings,
        "FOLDER": settings.rpartition("/")[0] or str(plan.scope.root),
        "DATA": str(place / "ours" / ".coverage.ours"),
        "NONE": str(place / "none"),
        "PYTHON": str(place / "interpreter"),
    }
    text = re.sub(r"\b(?:SETTINGS|FOLDER|DATA|NONE|PYTHON)\b", lambda found: ascii(told[found[0]]), text)
    (place / "start").mkdir()
    (place / "start" / "sitecustomize.py").write_text(text, encoding="ascii")
    if "COVERAGE_FILE" not in dict(plan.entry.env):
        plan.env["COVERAGE_FILE"] = str(place / "own" / ".coverage.own")
    plan.python_path = str(place / "start")
    plan.tools.append("coverage")
    plan.reads.append(lambda root: _read_python(place, root, cwd))


def _read_python(place: Path, root: Path, cwd: str) -> Covered:
    found: list[Covered] = []
    elsewhere = Unreadable("coverage.nothing", languages="Python", tool="coverage")
    for report in (place / sort / "whole" / "coverage.json" for sort in ("ours", "own")):
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


def _settings_file(plan: Measure) -> str:
    folders = {folder: settings_of(folder).file for folder in (plan.folder, plan.scope.root)}
    return next((str(folder / file) for folder, file in folders.items() if file), "")


_WAYS: Mapping[str, Callable[[Measure], None]] = {"python": _python, "javascript": _node, "go": _go}


_SETTINGS = {  # by file: the tables above, and how the name of the last one starts
    ".coveragerc": ("",),
    "setup.cfg": ("coverage:",),
    "tox.ini": ("coverage:",),
    "pyproject.toml": ("tool", "coverage", ""),
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
    project = Folder(folder)
    for file, above in _SETTINGS.items():
        run, report = (project.table(file, *above[:-1], f"{above[-1]}{name}") for name in ("run", "report"))
        if run or report or (file == ".coveragerc" and project.has(file)):
            told = any(run.get(key) for key in ("source", "source_pkgs", "include")) or report.get("include")
            omit = (*words(run.get("omit")), *words(report.get("omit")))
            return Settings(file, bool(told), tuple(each for each in omit if len(each) <= 300))
    return Settings()


def with_unmeasured(
    covered: Covered, changed: Mapping[str, frozenset[int]], root: Path, folder: str = ""
) -> tuple[Covered, Mapping[str, str]]:
    """The same with the changed source files that it lacks; `folder`: of the tests. And the languages that
    no report knows anything of, each with its first file.

    Their code counts as not executed; where the tool was told what to measure and left one out, that is said.
    """
    settings = settings_of(root / folder)
    if folder and not settings.file:  # as they are looked for when the tests are measured
        settings, folder = settings_of(root), ""
    tree, unknown = Tree(root), dict[str, str]()
    files, unmeasured, left_out = dict(covered.files), set(covered.unmeasured), set(covered.left_out)
    for path in sorted(changed):
        family = family_of(path)
        counts = role_of(path) == "source" and not path.endswith(_DECLARING) and family
        if path in covered.files or not counts or tree.find(path) != path:
            continue
        code = code_lines(tree.text(path) or "", family)
        inner = posixpath.relpath(path, folder) if folder else path
        python = family == "python" and not inner.startswith("../") and settings.leaves_out(inner)
        if not code & changed[path]:
            continue
        if family not in covered.families:
            unknown.setdefault(family, path)
        elif covered.complete or python:
            left_out.add(path)
        else:
            files[path] = Lines(missing=code)
            unmeasured.add(path)
    whole = Covered(files, frozenset(unmeasured), frozenset(left_out), covered.complete)
    return whole, unknown
