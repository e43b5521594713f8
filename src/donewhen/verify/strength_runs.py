"""How the measurement of strength runs some test functions: which runner, with which words, and what it told.

Python's functions are chosen by a plugin that goes with the run, JavaScript's by file and title. What is read
back comes from the project's processes and is only ever compared with itself.
"""

import json
import os
import re
import shlex
import shutil
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Literal, NamedTuple

from donewhen.core.accept import Accept
from donewhen.verify import strength_plugin
from donewhen.verify.behind import behind
from donewhen.verify.exam.files import small_text
from donewhen.verify.exam.model import Where
from donewhen.verify.exam.running import run_entry
from donewhen.verify.exam.surroundings import said_by
from donewhen.verify.exam.walls import desk_of, exam_scratch
from donewhen.verify.mutants import Mutant
from donewhen.verify.place import ExamPlace
from donewhen.verify.record import discard
from donewhen.workspace.processes.command import MIB, Limits

Outcome = Literal["passed", "failed"]
Kind = Literal["pytest", "unittest", "node", "mocha", "jest", "vitest"]
_MEMORY = {"pytest": 2048 * MIB, "unittest": 2048 * MIB}
_OTHER_MEMORY = 4096 * MIB
_OUTPUT = 4 * MIB
_LARGEST_REPORT = 32 * MIB
_MOST_TITLES = 40
_VALUED = frozenset(  # options whose value is a word of its own, and which a run needs to be the same
    "-r --require --import --loader --experimental-loader -u --ui -c --config --project --environment --env"
    " --extension --conditions -p -o -W --rootdir --confcutdir --root -C".split()
)
_UNWANTED = re.compile(
    r"--?(cov|no-cov|n\b|numprocesses|dist|x$|exitfirst|maxfail|k$|lf|ff|reruns|junit|durations|watch|bail|b$"
    r"|reporter|R$|coverage|test-reporter|experimental-test-coverage|test-coverage|grep|g$|t$|outputFile"
    r"|parallel|j$|runInBand|i$|collect|q|v|tb|s$|check-leaks|forbid|test$|run$|json|silent|verbose|ci$)"
)


class Runner(NamedTuple):
    kind: Kind
    head: tuple[str, ...]  # the program with what comes before its options
    options: tuple[str, ...] = ()
    env: tuple[tuple[str, str], ...] = ()
    cwd: str = ""

    @property
    def language(self) -> str:
        return "python" if self.kind in ("pytest", "unittest") else "javascript"


class Ran(NamedTuple):
    """What a run told; functions by `file::name`."""

    outcomes: Mapping[str, Outcome] = {}
    lines: Mapping[str, frozenset[int]] = {}  # of product files that were executed, where they were asked for
    seconds: float = 0.0
    timed_out: bool = False
    last: str = ""  # line of output, for a run that told nothing


Select = Mapping[str, Collection[str]]  # file → names of functions


def runner_of(entries: Iterable[Accept], folder: Path, language: str) -> Runner | None:
    """The first runner of that language that the exam starts, by itself or behind a name."""
    for entry in entries:
        texts = dict.fromkeys((entry.text, *(line.text for line in behind(entry, folder).lines)))
        for text in texts:
            found = _runner(text, folder / entry.cwd)
            if found is not None and found.language == language:
                return found._replace(env=(*entry.env, *found.env), cwd=entry.cwd)
    return None


def _runner(text: str, folder: Path) -> Runner | None:
    try:
        words = shlex.split(text)
    except ValueError:
        return None
    env = tuple(
        (name, value)
        for word in words[:20]
        for name, _, value in [word.partition("=")]
        if _NAME(name) and value
    )
    for at, word in enumerate(words[:60]):
        rest = words[at + 1 :]
        name = word.rpartition("/")[2].removesuffix(".js").removesuffix(".mjs")
        before = words[max(0, at - 2) : at]
        module = len(before) == 2 and before[1] == "-m" and "python" in before[0]
        if name in ("pytest", "py.test"):
            head = (
                (before[0], "-m", "pytest")
                if module
                else ("python", "-m", "pytest")
                if before[-1:] == ["-m"]
                else (word,)
            )
            return Runner("pytest", head, _kept(rest))
        if name == "unittest" and module:
            return Runner("unittest", (before[0],), tuple(_until_operator(rest)))
        if name == "node" and "--test" in rest:
            return Runner("node", (word,), _kept(rest), env)
        if name in ("mocha", "_mocha", "jest", "vitest") and "=" not in word:
            local = folder / "node_modules" / ".bin" / name.removeprefix("_")
            head = (f"node_modules/.bin/{name.removeprefix('_')}",) if local.exists() else (word,)
            return Runner(name.removeprefix("_"), head, _kept(rest), env)
    return None


_NAME = re.compile(r"[A-Z][A-Z0-9_]*").fullmatch


def _until_operator(words: Sequence[str]) -> Iterator[str]:
    for word in words:
        if word in ("&&", "||", ";", "|", "&"):
            return
        yield word


def _kept(words: Sequence[str]) -> tuple[str, ...]:
    """Options that make the run what it is; files, selections and reports are ours."""
    kept: list[str] = []
    takes = False
    for word in _until_operator(words):
        if takes:
            kept.append(word)
            takes = False
        elif word.startswith("-") and not _UNWANTED.match(word):
            kept.append(word)
            takes = word in _VALUED
    return tuple(kept[:-1] if takes else kept)


class Bench:
    """One room in which test functions run again and again, with a mutant in the product or without."""

    def __init__(self, place: ExamPlace, runner: Runner, desk: Path, where: Where) -> None:
        self.place = place
        self.runner = runner
        self.desk = desk
        self._where = where
        self._mutations = 0

    @property
    def folder(self) -> Path:
        return self.place.folder

    async def run(self, select: Select, limit: float, trace: Collection[str] = ()) -> Ran:
        """The functions of `select`; with `trace`, also which lines of these files are executed."""
        here = {path: names for path, names in select.items() if (self.folder / path).is_file()}
        if not here:
            return Ran()
        out = self.desk / "out"
        shutil.rmtree(out, ignore_errors=True)
        out.mkdir()
        entry = self._entry(here, out, trace)
        limits = Limits(memory=_MEMORY.get(self.runner.kind, _OTHER_MEMORY), output=_OUTPUT)
        sat = await run_entry(entry, self._where._replace(timeout=limit, limits=limits))
        said = sat.finished.output.text.strip().splitlines()
        discard(sat.finished.output)
        ran = self._read(out, here)
        timed_out = sat.finished.timed_out
        if timed_out:
            ran = ran._replace(outcomes={**dict.fromkeys(_unfinished(out), "failed"), **ran.outcomes})
        return ran._replace(
            seconds=sat.finished.duration_ms / 1000, timed_out=timed_out, last=said[-1][:200] if said else ""
        )

    @contextmanager
    def mutated(self, mutant: Mutant, data: bytes) -> Iterator[None]:
        """The product with the mutant, and as it was again afterwards; only the room is written."""
        path = self.folder / mutant.path
        if (
            path.is_symlink()
            or Path(os.path.realpath(path)) != Path(os.path.realpath(self.folder)) / mutant.path
        ):
            raise OSError(f"{mutant.path} leads out of the room")
        facts = path.stat()
        self._mutations += 1
        try:
            path.write_bytes(mutant.applied(data))
            # what is compiled is known by size and seconds: each mutant has a second of its own
            os.utime(path, (facts.st_atime, int(facts.st_mtime) - self._mutations))
            yield
        finally:
            path.write_bytes(data)
            os.utime(path, ns=(facts.st_atime_ns, facts.st_mtime_ns))

    def _entry(self, select: Select, out: Path, trace: Collection[str]) -> Accept:
        runner = self.runner
        files = [os.path.relpath(self.folder / path, self.folder / runner.cwd) for path in sorted(select)]
        env = dict(runner.env)
        if runner.language == "python":
            told = {
                "root": str(self.folder),
                "select": {path: sorted(names) for path, names in select.items()},
                "trace": sorted(trace),
                "out": str(out / "rows.jsonl"),
            }
            (out / "told.json").write_text(json.dumps(told))
            known = env.get("PYTHONPATH", self.place.prepared.env.get("PYTHONPATH", ""))
            env["PYTHONPATH"] = f"{self.desk}:{known}" if known else str(self.desk)
            env["PYTHONPYCACHEPREFIX"] = str(self.desk / "compiled")
            env[strength_plugin.VARIABLE] = str(out / "told.json")
        elif trace:
            env["NODE_V8_COVERAGE"] = str(out / "v8")
        argv = self._argv(files, select, out)
        text = shlex.join(argv)
        return Accept(text, text, argv, runner.cwd, tuple(env.items()))

    def _argv(self, files: Sequence[str], select: Select, out: Path) -> tuple[str, ...]:
        runner = self.runner
        report = str(out / "report")
        if runner.kind == "pytest":
            said = said_by(self.folder, Accept("", "", runner.head, runner.cwd))
            quiet = [option for sign, option in _SAID if sign.search(said)]
            ours = ("-p", "strength_plugin", "--tb=no", "-q", *quiet)
            return (*runner.head, *runner.options, *ours, *files)
        if runner.kind == "unittest":
            return (*runner.head, str(self.desk / "strength_plugin.py"), *runner.options)
        if runner.kind == "node":
            ours = ("--test-reporter=junit", f"--test-reporter-destination={report}")
            return (*runner.head, *runner.options, "--test", *ours, *files)
        titles = _titles(select)
        if runner.kind == "mocha":
            ours = ("--reporter", "json", "--reporter-option", f"output={report}", "--exit")
            return (*runner.head, *runner.options, *ours, *(("--grep", titles) if titles else ()), *files)
        if runner.kind == "jest":
            ours = ("--json", f"--outputFile={report}", "--coverage=false", "--silent")
            pattern = ("-t", titles) if titles else ()
            return (*runner.head, *runner.options, *ours, *pattern, "--runTestsByPath", *files)
        ours = ("--reporter=json", f"--outputFile={report}", "--coverage.enabled=false")
        return (*runner.head, "run", *runner.options, *ours, *files)

    def _read(self, out: Path, select: Select) -> Ran:
        if self.runner.language == "python":
            return _read_rows(_text(out / "rows.jsonl"), select)
        data = _text(out / "report")
        told = _junit(data, self.folder) if self.runner.kind == "node" else _json_report(data)
        return Ran(_by_title(told, select, self.folder), _v8_lines(out / "v8", self.folder))


_SAID = (
    (re.compile(r"--cov\b"), "--no-cov"),
    (re.compile(r"(?m)(^|[\s\"'=])-n[\s=]*(auto|logical|\d+)"), "-n0"),
    (re.compile(r"--reruns\b"), "--reruns=0"),
    (re.compile(r"(?m)(^|[\s\"'=])(-x|--exitfirst|--maxfail)\b"), "--maxfail=100000"),
)


@contextmanager
def opened_bench(place: ExamPlace, runner: Runner) -> Iterator[Bench]:
    """A desk for the runs in this place; gone with everything on it afterwards."""
    with exam_scratch(place.bench.scratch) as scratch:
        desk = desk_of(scratch) / "strength"
        desk.mkdir(parents=True, mode=0o700)
        shutil.copyfile(strength_plugin.__file__, desk / "strength_plugin.py")
        entry = Accept("", "", runner.head, runner.cwd)
        yield Bench(place, runner, desk, place.where(entry, scratch))


def _text(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return file.read(_LARGEST_REPORT).decode(errors="replace")
    except OSError:
        return ""


def _read_rows(text: str, select: Select) -> Ran:
    asked = {f"{path}::{name}" for path, names in select.items() for name in names}
    outcomes: dict[str, Outcome] = {}
    lines: dict[str, frozenset[int]] = {}
    for row in strength_plugin.read_rows(text):
        what, key = row[0], row[1]
        if what == "lines" and len(row) == 3 and isinstance(row[2], list):
            lines[key] = frozenset(each for each in row[2] if isinstance(each, int))
        elif key in asked and (what == "failed" or (what == "passed" and key not in outcomes)):
            outcomes[key] = what
    return Ran(outcomes, lines)


def _unfinished(out: Path) -> list[str]:
    """What had begun and not ended when the run was stopped."""
    open_ones: dict[str, None] = {}
    for row in strength_plugin.read_rows(_text(out / "rows.jsonl")):
        if row[0] == "start":
            open_ones[row[1]] = None
        else:
            open_ones.pop(row[1], None)
    return [key for key in open_ones if key]


# JavaScript: titles joined by a blank, as its runners tell them


def _titles(select: Select) -> str:
    """A pattern for the functions; nothing where titles are made from values, or are too many."""
    names = [name for names in select.values() for name in names]
    if len(names) > _MOST_TITLES or any(re.search(r"[%$\\]", name) for name in names):
        return ""
    return "^(" + "|".join(re.escape(name.replace(" > ", " ")).replace("\\ ", " ") for name in names) + ")"


def _by_title(told: Iterable[tuple[str, str, Outcome]], select: Select, root: Path) -> dict[str, Outcome]:
    """`told`: file ("" where nobody knows), title and outcome of each test."""
    top = os.path.realpath(root)
    patterns = [(path, name, _pattern(name)) for path, names in select.items() for name in names]
    found: dict[str, Outcome] = {}
    for file, title, outcome in told:
        place = os.path.relpath(os.path.realpath(root / file), top) if file else ""
        for path, name, pattern in patterns:
            if (not place or place == path) and pattern.fullmatch(title):
                key = f"{path}::{name}"
                found[key] = "failed" if "failed" in (outcome, found.get(key)) else "passed"
    return found


def _pattern(name: str) -> re.Pattern[str]:
    plain = re.split(r"%[a-z#%]|\$\{[^}]*\}|\$\w+(?:\.\w+)*", name.replace(" > ", " "))
    return re.compile("(?s:.*)".join(re.escape(part) for part in plain))


def _junit(data: str, root: Path) -> Iterator[tuple[str, str, Outcome]]:
    from donewhen.verify.reports.junit import read_junit

    report = read_junit(data.encode(), str(root)) if data else None
    for case in report.cases if report is not None else ():
        if case.outcome in ("passed", "failed"):
            yield case.file, " ".join((*case.suites, case.name)), case.outcome  # type: ignore[misc]


def _json_report(data: str) -> Iterator[tuple[str, str, Outcome]]:
    """Of mocha, or of jest and vitest which write the same."""
    try:
        report = json.loads(data)
    except (ValueError, RecursionError):
        return
    if not isinstance(report, dict):
        return
    for kind, outcome in (("passes", "passed"), ("failures", "failed")):
        for each in report.get(kind) or () if isinstance(report.get(kind), list) else ():
            if isinstance(each, dict):
                yield str(each.get("file") or ""), str(each.get("fullTitle")), outcome  # type: ignore[misc]
    for file in report.get("testResults") or ():
        for each in file.get("assertionResults") or () if isinstance(file, dict) else ():
            if isinstance(each, dict) and each.get("status") in ("passed", "failed"):
                titles = [*(each.get("ancestorTitles") or ()), each.get("title")]
                title = " ".join(str(one) for one in titles if one)
                yield str(file.get("name") or ""), title, each["status"]


def _v8_lines(folder: Path, root: Path) -> dict[str, frozenset[int]]:
    from donewhen.core.quality.model import Unreadable
    from donewhen.verify.quality.coverage.v8 import Reader

    found: dict[str, set[int]] = {}
    reader = Reader(root)
    for path in sorted(folder.glob("*.json"))[:200] if folder.is_dir() else ():
        try:
            covered = reader.read(path.read_bytes())
        except (Unreadable, OSError):
            continue
        for name, lines in covered.files.items():
            found.setdefault(name, set()).update(lines.executed)
    return {name: frozenset(lines) for name, lines in found.items()}


_IMPORT = re.compile(r"""(?:from|require\(|import\(|import)\s*['"](\.{1,2}/[^'"]{1,200})['"]""")
_ENDINGS = ("", ".js", ".mjs", ".cjs", ".ts", ".mts", ".cts", ".tsx", ".jsx", "/index.js", "/index.ts")


def imported_files(root: Path, paths: Iterable[str], most: int = 60) -> frozenset[str]:
    """Files that these JavaScript files load by a relative path, and those that they load."""
    found: dict[str, None] = {}
    waiting = list(paths)
    while waiting and len(found) < most:
        path = waiting.pop(0)
        for place in _IMPORT.findall(small_text(root / path)):
            plain = os.path.normpath(os.path.join(os.path.dirname(path), place))  # noqa: PTH118, PTH120
            stem = re.sub(r"\.[cm]?js$", "", plain)
            names = [plain + end for end in _ENDINGS] + [stem + end for end in _ENDINGS]
            real = next((name for name in names if (root / name).is_file()), "")
            if real and not real.startswith("..") and real not in found:
                found[real] = None
                waiting.append(real)
    return frozenset(found)
