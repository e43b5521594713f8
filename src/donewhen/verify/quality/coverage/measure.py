"""How a command of the exam is measured without changing what it examines; running it is another's work.

The languages of the changed source decide what is measured; where none changed, those that the project is
written in. Reports that the run writes itself fill in for a language that we can't measure. A run that leaves
no data is unreadable, never uncovered and never covered.
"""

import re
import time
from collections.abc import Callable, Mapping
from itertools import islice
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from donewhen.core.accept import Accept
from donewhen.core.integrity.roles import role_of
from donewhen.core.quality.coverage import Covered, family_of, merge
from donewhen.core.quality.model import Unreadable
from donewhen.core.texts import Phrase
from donewhen.verify.exam.environment import said_by
from donewhen.verify.quality.coverage.measure_model import Job, Part, Way
from donewhen.verify.quality.coverage.measure_node import measure_node
from donewhen.verify.quality.coverage.measure_others import measure_go, measure_java, measure_rust
from donewhen.verify.quality.coverage.measure_python import measure_python
from donewhen.verify.quality.coverage.reading import read_newer
from donewhen.verify.quality.model import Missing, Scope
from donewhen.verify.reports.frames import visible

_WAYS: Mapping[str, Way] = MappingProxyType(
    {
        "python": measure_python,
        "javascript": measure_node,
        "go": measure_go,
        "rust": measure_rust,
        "java": measure_java,
    }
)
_MARKS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "python": ("pyproject.toml", "setup.py", "setup.cfg", "requirements.txt", "tox.ini", "manage.py"),
        "javascript": ("package.json",),
        "go": ("go.mod",),
        "rust": ("Cargo.toml",),
        "java": ("pom.xml", "build.gradle", "build.gradle.kts"),
    }
)
NAMES = {"python": "Python", "javascript": "JavaScript", "go": "Go", "rust": "Rust", "java": "Java"}


_MOST_NAMES = 2000
_WRITES = re.compile(
    r"lcov|cobertura|jacoco|coverprofile|--cov-report|--coverage\b|\bcoverage (?:xml|json)\b|\b(?:nyc|c8)\b"
)


class Measure(NamedTuple):
    """`argv` differs from the entry's where the tool needs options: then the run is no exam, only a measure.

    `env` is set over what the command has; `python_path` goes first in its PYTHONPATH. Then each of `after`
    is run in the same folder and may write the desk. That one of them fails is no verdict: a language of
    which nothing ran leaves nothing to put together, and `read` knows whether anything else did.
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
    parts: list[Part] = []
    missing: dict[str, Missing] = {}
    for family in families:
        way = _WAYS[family](job)
        if isinstance(way, Missing):
            missing[family] = way
        elif way is not None and (way.argv is None or not any(part.argv for part in parts)):
            parts.append(way)
    if not parts and missing and not _WRITES.search(said_by(scope.root, entry)):
        return next(iter(missing.values()))
    if not families:
        languages = ", ".join(sorted({_ending(path) for path in scope.files if _ending(path)})) or "-"
        return Missing(
            Phrase("coverage.no_way", {"languages": languages, "command": visible(entry.label, 200)})
        )
    return _joined(job, parts, families)._replace(missing=MappingProxyType(missing))


def _joined(job: Job, parts: list[Part], families: tuple[str, ...]) -> Measure:
    env = {name: value for part in parts for name, value in part.env.items()}
    tools = [part.tool for part in parts]
    return Measure(
        next((part.argv for part in parts if part.argv), job.entry.argv),
        MappingProxyType(env),
        ":".join(part.python_path for part in parts if part.python_path),
        tuple(command for part in parts for command in part.after),
        lambda root: _read(parts, root, families, job),
        " + ".join(tools) or "report",
        next((part.install for part in parts if part.install), ""),
    )


def _read(parts: list[Part], root: Path, families: tuple[str, ...], job: Job) -> Covered:
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
    known = frozenset(family for covered in found for family in covered.families)
    lacking = frozenset(families) - known
    if lacking:
        written = _written(root, job, must=not found and not failed).only(lacking)
        if written.files:
            found.append(written)
    if not any(covered.files for covered in found):
        raise failed[0].again() if failed else _nothing(lacking, job)
    return merge(found)


def _written(root: Path, job: Job, *, must: bool) -> Covered:
    """Reports of the run; an old one is an error only where nothing else was hoped for."""
    try:
        return read_newer(root, job.since_ns)
    except Unreadable as error:
        if must or error.key != "coverage.stale":
            raise
        return Covered()


def _nothing(families: frozenset[str], job: Job) -> Unreadable:
    names = ", ".join(NAMES[each] for each in sorted(families))
    return Unreadable("coverage.no_way", languages=names, command=visible(job.entry.label, 200))


def _families(job: Job) -> tuple[str, ...]:
    changed = {family_of(path) for path in job.scope.files if role_of(path) == "source"} - {""}
    if changed:
        return tuple(each for each in _WAYS if each in changed)
    folders = dict.fromkeys((job.folder, job.scope.root))
    marked = [
        family
        for family, names in _MARKS.items()
        if any((each / name).is_file() for each in folders for name in names)
    ]
    return tuple(marked) or _at_the_top(job)


def _at_the_top(job: Job) -> tuple[str, ...]:
    """Languages of the files beside the tests' command, in a project without any manifest."""
    try:
        there = {family_of(each.name) for each in islice(job.folder.iterdir(), _MOST_NAMES)}
    except OSError:
        return ()
    return tuple(each for each in _WAYS if each in there)


def _ending(path: str) -> str:
    return Path(path).suffix.removeprefix(".")[:20]
