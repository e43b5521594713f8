"""JavaScript and TypeScript: the runner's own coverage where it translates the code, else V8's raw one.

jest and vitest run translated code, so they must measure themselves; they are asked to where the command, or
the package's script behind it, is nothing but a call of theirs. c8 and nyc leave their data in the tree.
"""

import json
import re
import shlex
from collections.abc import Sequence
from pathlib import Path

from donewhen.core.quality.coverage import Covered, merge
from donewhen.core.quality.model import Unreadable
from donewhen.core.texts import Phrase
from donewhen.verify.exam.files import small_text
from donewhen.verify.quality.coverage.measure_model import Job, Part
from donewhen.verify.quality.model import Missing

_MANAGERS = ("npm", "pnpm", "yarn", "bun")
_CALLERS = (
    ("npx",),
    ("npx", "--no-install"),
    ("npx", "--no"),
    ("pnpm", "exec"),
    ("yarn",),
    ("pnpm",),
    ("bunx",),
)
_OPERATORS = frozenset(";&|<>`$(\n")
_PROVIDERS = ("@vitest/coverage-v8", "@vitest/coverage-istanbul")
_MOST_PROCESSES = 2000
_MOST_BYTES = 512 * 2**20
_JEST_OWN = ("--coverage", "--coverageReporters=json", "--coverageThreshold={}")
_TOLD = {  # then a file that is not in the report was left out on purpose
    "jest": re.compile(r"\bcollectCoverageFrom\b"),
    "vitest": re.compile(r"\bcoverage\b(?s:.{0,4000}?)\binclude\b"),
}
_VITEST_OWN = ("--coverage.enabled=true", "--coverage.reporter=json", "--coverage.reportOnFailure=true")


def measure_node(job: Job) -> Part | Missing | None:
    words, joint = _behind(job)
    runner = _runner(words)
    if runner == "jest" and not _measures(words, "--coverage", "--collectCoverage"):
        return _own(job, joint, _JEST_OWN, "--coverageDirectory=", "jest")
    if runner == "vitest" and not _measures(words, "--coverage"):
        if not any(_installed(job, name) for name in _PROVIDERS):
            return Missing(Phrase("coverage.no_vitest"), f"npm install --save-dev {_PROVIDERS[0]}")
        return _own(job, joint, _VITEST_OWN, "--coverage.reportsDirectory=", "vitest")
    if runner:
        return None  # it writes its own report
    data = job.desk / "v8"
    data.mkdir(parents=True)
    return Part("node", lambda root: _read_v8(data, root), {"NODE_V8_COVERAGE": str(data)})


def _behind(job: Job) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The words of the runner's call, and what joins more of them to the command."""
    argv = job.entry.argv
    if argv[:1] and argv[0] in _MANAGERS:
        rest = argv[1:] if argv[1:2] != ("run",) else argv[2:]
        script = _scripts(job.folder).get(rest[0] if rest else "", "")
        if script and len(rest) == 1 and not _OPERATORS.intersection(script):
            try:
                return tuple(shlex.split(script)), () if argv[0] == "yarn" else ("--",)
            except ValueError:
                return (), ()
    return argv, ()


def _runner(words: Sequence[str]) -> str:
    """`jest` or `vitest`, when the words are one call of it and nothing else."""
    rest = list(words)
    while rest and "=" in rest[0] and not rest[0].startswith("-"):
        rest.pop(0)
    if rest[:1] in (["cross-env"], ["env"]):
        return _runner(rest[1:])
    for caller in sorted(_CALLERS, key=len, reverse=True):
        if tuple(rest[: len(caller)]) == caller:
            rest = rest[len(caller) :]
            break
    name = Path(rest[0]).name.removesuffix(".js") if rest else ""
    if name == "node" and len(rest) > 1:
        name = Path(rest[1]).name.removesuffix(".js")
    return name if name in ("jest", "vitest") else ""


def _measures(words: Sequence[str], *options: str) -> bool:
    return any(word.partition("=")[0].partition(".")[0] in options for word in words)


def _own(job: Job, joint: tuple[str, ...], options: tuple[str, ...], place: str, tool: str) -> Part:
    folder = job.desk / tool
    report, cwd = folder / "coverage-final.json", job.entry.cwd
    complete = _TOLD[tool].search(_configs(job.folder, tool)) is not None
    argv = (*job.entry.argv, *joint, *options, f"{place}{folder}")
    return Part(tool, lambda root: _read_own(report, root, cwd, tool, complete), argv=argv)


def _configs(folder: Path, tool: str) -> str:
    endings = ("js", "ts", "mjs", "cjs", "json")
    names = ("package.json", *(f"{tool}.config.{end}" for end in endings))
    return "\n".join(small_text(folder / name) for name in names)


def _read_own(report: Path, root: Path, cwd: str, tool: str, complete: bool) -> Covered:
    from donewhen.verify.quality.coverage.reading import read_report

    covered = read_report(report, root, cwd) if report.is_file() else Covered()
    if not covered.files:
        raise Unreadable("coverage.nothing", languages="JavaScript", tool=tool)
    return covered._replace(complete=complete)


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


def _scripts(folder: Path) -> dict[str, str]:
    try:
        data = json.loads(small_text(folder / "package.json"))
    except (ValueError, RecursionError):
        return {}
    scripts = data.get("scripts") if isinstance(data, dict) else None
    known = scripts if isinstance(scripts, dict) else {}
    return {name: text for name, text in known.items() if isinstance(text, str)}


def _installed(job: Job, package: str) -> bool:
    places = dict.fromkeys((job.folder, job.scope.root))
    return any((place / "node_modules" / package / "package.json").is_file() for place in places)
