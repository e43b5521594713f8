"""How a command of the exam is measured without changing what it examines; running it is another's work.

The languages of the changed source decide what is measured: Python, JavaScript and Go; else those that the
project is written in. Reports that the run writes itself fill in for any other. A run that leaves no data is
unreadable, never uncovered and never covered; a changed file that no report knows is not covered.
"""

import json
import posixpath
import re
import shlex
import time
from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from donewhen.core.accept import Accept
from donewhen.core.integrity.roles import role_of
from donewhen.core.quality.coverage import Covered, Lines, family_of, merge
from donewhen.core.quality.model import Unreadable
from donewhen.core.texts import Phrase
from donewhen.verify.exam.environment import said_by
from donewhen.verify.failures import visible
from donewhen.verify.quality.coverage.code import code_lines
from donewhen.verify.quality.coverage.python import measure_python, settings_of
from donewhen.verify.quality.coverage.reports import Tree, read_newer, read_report
from donewhen.verify.quality.model import Job, Missing, Scope, Way
from donewhen.workspace.setup.folder import read_inside

NAMES = {"python": "Python", "javascript": "JavaScript", "go": "Go", "rust": "Rust", "java": "Java"}
_PYTHON = ("pyproject.toml", "setup.py", "setup.cfg", "requirements.txt", "tox.ini", "manage.py")
_MARKS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "python": _PYTHON,
        "javascript": ("package.json",),
        "go": ("go.mod",),
        "rust": ("Cargo.toml",),
        "java": ("pom.xml", "build.gradle", "build.gradle.kts"),
    }
)
_MOST_NAMES = 2000
_WRITES = re.compile(
    r"lcov|cobertura|jacoco|coverprofile|--cov-report|--coverage\b|\bcoverage (?:xml|json)\b|\b(?:nyc|c8)\b"
)
_MANAGERS = ("npm", "pnpm", "yarn", "bun")
_CALLERS = ("npx --no-install", "npx --no", "pnpm exec", "npx", "yarn", "pnpm", "bunx")  # longer ones first
_OPERATORS = frozenset(";&|<>`$(\n")
_PROVIDERS = ("@vitest/coverage-v8", "@vitest/coverage-istanbul")
_MOST_PROCESSES = 2000
_MOST_BYTES = 512 * 2**20
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
_DECLARING = (".d.ts", ".d.mts", ".d.cts")


class Measure(NamedTuple):
    """`argv` differs from the entry's where the tool needs options: then the run is no exam, only a measure.

    `env` is set over what the command has; `python_path` goes first in its PYTHONPATH. Then each of `after`
    is run in the same folder and may write the desk; that one of them fails is no verdict.
    """

    argv: tuple[str, ...]
    env: Mapping[str, str]
    python_path: str
    after: tuple[tuple[str, ...], ...]
    read: Callable[[Path], Covered]  # given the tree's root; Unreadable when there is nothing
    tool: str
    install: str = ""  # what brings the tool, should `after` fail for the lack of it
    missing: Mapping[str, Missing] = MappingProxyType({})  # by family: languages that are not measured


def plan_measure(entry: Accept, scope: Scope, desk: Path) -> Measure | Missing:
    """How to measure one test command; `desk` is a folder of this run alone. Call it right before the run."""
    job = Job(entry, scope, desk, time.time_ns())
    families = _families(job)
    parts: list[Way] = []
    missing: dict[str, Missing] = {}
    for family in families:
        way = _WAYS[family](job) if family in _WAYS else None
        if isinstance(way, Missing):
            missing[family] = way
        elif way is not None and (way.argv is None or not any(part.argv for part in parts)):
            parts.append(way)
    if not parts and missing and not _WRITES.search(said_by(scope.root, entry)):
        return next(iter(missing.values()))
    if not families:
        endings = {Path(path).suffix.removeprefix(".")[:20] for path in scope.files} - {""}
        values = {"languages": ", ".join(sorted(endings)) or "-", "command": visible(entry.label, 200)}
        return Missing(Phrase("coverage.no_way", values))
    return Measure(
        next((part.argv for part in parts if part.argv), entry.argv),
        MappingProxyType({name: value for part in parts for name, value in part.env.items()}),
        ":".join(part.python_path for part in parts if part.python_path),
        tuple(command for part in parts for command in part.after),
        lambda root: _read(parts, root, families, job),
        " + ".join(part.tool for part in parts) or "report",
        next((part.install for part in parts if part.install), ""),
        MappingProxyType(missing),
    )


def _read(parts: list[Way], root: Path, families: tuple[str, ...], job: Job) -> Covered:
    """What we measured, and for languages that we did not, what the run wrote itself."""
    found: list[Covered] = []
    failed: list[Unreadable] = []
    for part in parts:
        try:
            found.append(part.read(root))
        except Unreadable as error:
            failed.append(error)
    wrong = [error for error in failed if error.key != "coverage.nothing"]
    if wrong:
        raise wrong[0].again()
    lacking = frozenset(families) - {family for covered in found for family in covered.families}
    if lacking:
        try:
            found.append(read_newer(root, job.since_ns).only(lacking))
        except Unreadable as error:  # an old one is an error only where nothing else was hoped for
            if error.key != "coverage.stale" or not (found or failed):
                raise
    if any(covered.files for covered in found):
        return merge(covered for covered in found if covered.files)
    if failed:
        raise failed[0].again()
    names = ", ".join(NAMES[each] for each in sorted(lacking))
    raise Unreadable("coverage.no_way", languages=names, command=visible(job.entry.label, 200))


def _families(job: Job) -> tuple[str, ...]:
    changed = {family_of(path) for path in job.scope.files if role_of(path) == "source"} - {""}
    folders = dict.fromkeys((job.folder, job.scope.root))
    if not changed:
        marks = _MARKS.items()
        changed = {
            f for f, names in marks if any((each / name).is_file() for each in folders for name in names)
        }
    if not changed:  # languages of the files beside the tests' command, in a project without any manifest
        try:
            changed = {family_of(each.name) for each in islice(job.folder.iterdir(), _MOST_NAMES)}
        except OSError:
            return ()
    return tuple(each for each in NAMES if each in changed)


def _measure_go(job: Job) -> Way | None:
    argv, report, cwd = job.entry.argv, job.desk / "go.out", job.entry.cwd
    if argv[:2] != ("go", "test") or any("-coverprofile" in word for word in argv):
        return None
    measured = (*argv[:2], f"-coverprofile={report}", "-coverpkg=./...", *argv[2:])

    def read(root: Path) -> Covered:
        return _written(report, root, cwd, "Go", "go test")._replace(complete=True)

    return Way("go", read, argv=measured)


def _written(report: Path, root: Path, cwd: str, language: str, tool: str) -> Covered:
    covered = read_report(report, root, cwd) if report.is_file() else Covered()
    if not covered.files:
        raise Unreadable("coverage.nothing", languages=language, tool=tool)
    return covered


def _measure_node(job: Job) -> Way | Missing | None:
    """jest and vitest run translated code, so they measure themselves where the command is a plain call of
    theirs, or the package's script behind it is; else V8 does. c8 and nyc leave their data in the tree.
    """
    words, joint = _behind(job)
    runner = _runner(words)
    names = {word.partition("=")[0].partition(".")[0] for word in words}
    if runner and not names & {"--coverage", "--collectCoverage"}:
        places = dict.fromkeys((job.folder, job.scope.root))
        brought = [
            (place / "node_modules" / name / "package.json") for place in places for name in _PROVIDERS
        ]
        if runner == "vitest" and not any(each.is_file() for each in brought):
            return Missing(Phrase("coverage.no_vitest"), f"npm install --save-dev {_PROVIDERS[0]}")
        return _own(job, joint, runner)
    if runner:
        return None  # it writes its own report
    data = job.desk / "v8"
    data.mkdir(parents=True)
    return Way("node", lambda root: _read_v8(data, root), {"NODE_V8_COVERAGE": str(data)})


def _behind(job: Job) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The words of the runner's call, and what joins more of them to the command."""
    argv = job.entry.argv
    if not argv or argv[0] not in _MANAGERS:
        return argv, ()
    rest = argv[2:] if argv[1:2] == ("run",) else argv[1:]
    try:
        data = json.loads(read_inside(job.folder, "package.json"))
        script = data["scripts"][rest[0]] if len(rest) == 1 else ""
        if script and not _OPERATORS.intersection(script):
            return tuple(shlex.split(script)), () if argv[0] == "yarn" else ("--",)
    except (ValueError, RecursionError, KeyError, TypeError, AttributeError):
        return argv, ()
    return argv, ()


def _runner(words: Sequence[str]) -> str:
    """`jest` or `vitest`, when the words are one call of it and nothing else."""
    rest = list(words)
    while rest and (rest[0] in ("cross-env", "env") or ("=" in rest[0] and not rest[0].startswith("-"))):
        rest.pop(0)
    caller = next((each.split() for each in _CALLERS if rest[: len(each.split())] == each.split()), [])
    rest = rest[len(caller) :]
    rest = rest[1:] if len(rest) > 1 and Path(rest[0]).name == "node" else rest
    name = Path(rest[0]).name.removesuffix(".js") if rest else ""
    return name if name in _OWN else ""


def _own(job: Job, joint: tuple[str, ...], tool: str) -> Way:
    options, place, told = _OWN[tool]
    folder, cwd = job.desk / tool, job.entry.cwd
    names = ("package.json", *(f"{tool}.config.{end}" for end in ("js", "ts", "mjs", "cjs", "json")))
    complete = told.search("\n".join(read_inside(job.folder, name) for name in names)) is not None

    def read(root: Path) -> Covered:
        covered = _written(folder / "coverage-final.json", root, cwd, "JavaScript", tool)
        return covered._replace(complete=complete)

    return Way(tool, read, argv=(*job.entry.argv, *joint, *options, f"{place}{folder}"))


def _read_v8(data: Path, root: Path) -> Covered:
    """All processes together; those of npm and the like name no file of the tree and weigh nothing."""
    from donewhen.verify.quality.coverage.v8 import Reader

    reader = Reader(root)
    found, room = [], _MOST_BYTES
    for path in sorted(data.glob("*.json"))[:_MOST_PROCESSES]:
        if path.is_symlink() or not path.is_file():
            continue
        room -= path.stat().st_size
        if room < 0:
            raise Unreadable("coverage.unreadable", form="V8 JSON", why=Phrase("coverage.why_large"))
        found.append(reader.read(path.read_bytes()))
    covered = merge(found)
    if not covered.files:
        raise Unreadable("coverage.nothing", languages="JavaScript", tool="node")
    return covered


_WAYS: Mapping[str, Callable[[Job], Way | Missing | None]] = MappingProxyType(
    {"python": measure_python, "javascript": _measure_node, "go": _measure_go}
)


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
    found = {path: family_of(path) for path in reversed(_unknown(covered, changed, root))}
    return {family: path for path, family in found.items() if family not in covered.families}


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
