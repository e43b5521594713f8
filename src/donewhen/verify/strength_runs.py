"""How the measurement of strength runs some test functions: which runner, with which words, and what it told.

Python's functions are chosen by a plugin that goes with the run and puts the mutants into the loaded code.
JavaScript's and Go's are chosen by file and title, and run once for each mutant that is written into the
room. What is read back comes from the project's processes and is only ever compared with itself.
"""

import json
import os
import re
import shlex
import shutil
import time
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Literal, NamedTuple

from donewhen.core.accept import Accept
from donewhen.core.scenarios import Case, Outcome
from donewhen.project.behind import behind
from donewhen.project.folder import read_inside
from donewhen.verify import strength_plugin
from donewhen.verify.exam.command import run_entry
from donewhen.verify.exam.model import Where
from donewhen.verify.exam.walls import harness_folder_of
from donewhen.verify.machine_reports import read_any, read_go_json
from donewhen.verify.place import ExamPlace
from donewhen.verify.record import discard
from donewhen.workspace.processes.command import MIB, Limits
from donewhen.workspace.sandbox.scratch import exam_scratch

_WORSE: tuple[Outcome, ...] = ("skipped", "xfailed", "passed", "failed")  # which row speaks for a function
Kind = Literal["pytest", "unittest", "node", "mocha", "jest", "vitest", "go"]
_MEMORY = {"python": 2048 * MIB, "javascript": 4096 * MIB, "go": 4096 * MIB}
_PATIENCE = {"javascript": 5.0, "go": 2.0}  # how much longer a mutant may take; Go's first run compiles more
_OUTPUT = 4 * MIB
_FIRST = 12.0  # seconds of the first round, which is traced
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
        return {"pytest": "python", "unittest": "python", "go": "go"}.get(self.kind, "javascript")


class Ran(NamedTuple):
    """What one round told; functions by `file::name`."""

    outcomes: Mapping[str, Outcome] = {}
    lines: Mapping[str, frozenset[int]] = {}  # of product files that were executed, where they were asked for


class Rounds(NamedTuple):
    """`plain` without a mutant, then one for each mutant (None: it was not run), then once more without."""

    plain: Ran = Ran()
    mutants: tuple[Ran | None, ...] = ()
    again: Ran | None = None
    last: str = ""  # line of output, for a run that told nothing
    late: bool = False


class Started(NamedTuple):
    """What a process printed, its last line that says something, and whether it was stopped."""

    printed: str
    last: str
    late: bool


Select = Mapping[str, Collection[str]]  # file → names of functions
Mutants = Sequence[tuple[str, bytes]]  # files of the product with another text each


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
        words = shlex.split(text)[:60]
    except ValueError:
        return None
    pairs = (word.partition("=") for word in words[:20])
    env = tuple((name, value) for name, _, value in pairs if _NAME(name) and value)
    for at, word in enumerate(words):
        rest, before = words[at + 1 :], words[max(0, at - 2) : at]
        name = word.rpartition("/")[2].removesuffix(".js").removesuffix(".mjs")
        module = before[1:] == ["-m"] and "python" in before[0]
        if name in ("pytest", "py.test"):
            python = before[0] if module else "python"
            return Runner(
                "pytest", (python, "-m", "pytest") if before[-1:] == ["-m"] else (word,), _kept(rest)
            )
        if name == "unittest" and module:
            return Runner("unittest", (before[0],), tuple(_until_operator(rest)))
        if name == "go" and rest[:1] == ["test"]:
            built = tuple(each for each in _until_operator(rest) if each.startswith(_GO_BUILD))
            return Runner("go", (word, "test"), built, env)
        if name == "node" and "--test" in rest:
            return Runner("node", (word,), _kept(rest), env)
        if name in _KINDS and "=" not in word:
            local = f"node_modules/.bin/{_KINDS[name]}"
            return Runner(_KINDS[name], (local if (folder / local).exists() else word,), _kept(rest), env)
    return None


_KINDS: Mapping[str, Kind] = {"mocha": "mocha", "_mocha": "mocha", "jest": "jest", "vitest": "vitest"}
_NAME = re.compile(r"[A-Z][A-Z0-9_]*").fullmatch
_GO_BUILD = ("-tags=", "-mod=", "--tags=", "--mod=")  # options that decide what is compiled


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

    def __init__(self, place: ExamPlace, runner: Runner, harness: Path, where: Where) -> None:
        self.place = place
        self.runner = runner
        self.desk = harness
        self._where = where

    @property
    def folder(self) -> Path:
        return self.place.folder

    async def run(
        self, select: Select, seconds: float, mutants: Mutants = (), trace: Collection[str] = ()
    ) -> Rounds:
        """The functions of `select` without a mutant, on each of these, and once more without.

        With `trace` the first round tells which lines of these files are executed.
        """
        here = {path: names for path, names in select.items() if (self.folder / path).is_file()}
        if not here or seconds <= 0:
            return Rounds(late=seconds <= 0)
        if self.runner.language == "python":
            return await self._python(here, seconds, mutants, trace)
        return await self._one_by_one(here, seconds, mutants, trace)

    async def _python(
        self, select: Select, seconds: float, mutants: Mutants, trace: Collection[str]
    ) -> Rounds:
        out = self._fresh_desk()
        told = {
            "root": str(self.folder),
            "select": {path: sorted(names) for path, names in select.items()},
            "trace": sorted(trace),
            "mutants": [(path, new.decode(errors="surrogateescape")) for path, new in mutants],
            "out": str(out),
            "first": min(_FIRST, seconds),
            "seconds": max(0.5, seconds - 0.5),
        }
        (out / "told.json").write_text(json.dumps(told))
        env = dict(self.runner.env)
        known = env.get("PYTHONPATH", self.place.prepared.env.get("PYTHONPATH", ""))
        env["PYTHONPATH"] = f"{self.desk}:{known}" if known else str(self.desk)
        env[strength_plugin.VARIABLE] = str(out / "told.json")
        started = await self._start(self._argv(select, out), env, seconds)
        found = [_read_rows(_text(out / f"{number}.json"), select) for number in range(len(mutants) + 2)]
        return Rounds(found[0] or Ran(), tuple(found[1:-1]), found[-1], started.last, started.late)

    async def _one_by_one(
        self, select: Select, seconds: float, mutants: Mutants, trace: Collection[str]
    ) -> Rounds:
        begun = time.monotonic()
        plain, last, late = await self._file_run(select, min(_FIRST, seconds), trace)
        limit = max(2.0, _PATIENCE[self.runner.language] * (time.monotonic() - begun))
        found: list[Ran | None] = []
        for path, new in mutants:
            if seconds - (time.monotonic() - begun) < limit:
                break
            with self._replaced(path, new):
                ran, _, _ = await self._file_run(select, limit)
            compiled = self.runner.kind != "go" or bool(ran.outcomes)
            found.append(ran if compiled else None)
        again = None
        if any("failed" in ran.outcomes.values() for ran in found if ran):
            again, _, _ = await self._file_run(select, limit)
        found += [None] * (len(mutants) - len(found))
        return Rounds(plain, tuple(found), again, last, late)

    async def _file_run(
        self, select: Select, limit: float, trace: Collection[str] = ()
    ) -> tuple[Ran, str, bool]:
        out = self._fresh_desk()
        env = dict(self.runner.env)
        if trace:
            env["NODE_V8_COVERAGE"] = str(out / "v8")
        started = await self._start(self._argv(select, out, traced=bool(trace)), env, limit)
        if self.runner.kind == "go":
            outcomes = _go_outcomes(read_go_json(started.printed.encode()), select)
            lines = _go_lines(out / "profile", self.folder, self.runner.cwd)
        else:
            cases = read_any(_text(out / "report").encode(), os.path.realpath(self.folder))
            outcomes, lines = _by_title(cases, select), _v8_lines(out / "v8", self.folder)
        if started.late and not outcomes:
            outcomes = all_failed(select)
        return Ran(outcomes, lines), started.last, started.late

    def _fresh_desk(self) -> Path:
        out = self.desk / "out"
        shutil.rmtree(out, ignore_errors=True)
        out.mkdir()
        return out

    async def _start(self, argv: tuple[str, ...], env: Mapping[str, str], limit: float) -> "Started":
        text = shlex.join(argv)
        entry = Accept(text, text, argv, self.runner.cwd, tuple(env.items()))
        limits = Limits(memory=_MEMORY[self.runner.language], output=_OUTPUT)
        execution = await run_entry(entry, self._where._replace(timeout=limit, limits=limits))
        output = execution.finished.output
        printed = _text(output.file) or output.text
        said = [line.strip() for line in output.text.splitlines() if line.strip()]
        discard(output)
        errors = [line for line in said if line.startswith("E ")]  # pytest's own word for why
        last = (errors or said or [""])[-1].removeprefix("E ").strip()[:200]
        return Started(printed, last, execution.finished.timed_out)

    @contextmanager
    def _replaced(self, name: str, new: bytes) -> Iterator[None]:
        """A file of the product with another text, and as it was afterwards; only the room is written."""
        path = self.folder / name
        if path.is_symlink() or Path(os.path.realpath(path)) != Path(os.path.realpath(self.folder)) / name:
            raise OSError(f"{name} leads out of the room")
        facts, old = path.stat(), path.read_bytes()
        try:
            path.write_bytes(new)
            yield
        finally:
            path.write_bytes(old)
            os.utime(path, ns=(facts.st_atime_ns, facts.st_mtime_ns))

    def _argv(self, select: Select, out: Path, *, traced: bool = False) -> tuple[str, ...]:
        runner = self.runner
        if runner.kind == "go":
            return (*runner.head, *runner.options, *self._go_words(select, out, traced=traced))
        files = [os.path.relpath(self.folder / path, self.folder / runner.cwd) for path in sorted(select)]
        if runner.kind == "unittest":
            return (*runner.head, str(self.desk / "strength_plugin.py"), *runner.options)
        titles = _titles(select)
        picked = {"mocha": ("--grep", titles), "jest": ("-t", titles)} if titles else {}
        ours = (each.format(report=out / "report") for each in _ASKED[runner.kind].split())
        before = ("run", *runner.options) if runner.kind == "vitest" else runner.options
        last = ("--runTestsByPath",) if runner.kind == "jest" else ()
        return (*runner.head, *before, *ours, *picked.get(runner.kind, ()), *last, *files)

    def _go_words(self, select: Select, out: Path, *, traced: bool) -> tuple[str, ...]:
        """Whole functions by name, with what is inside them, in the packages of their files."""
        top = {name.partition(" > ")[0] for names in select.values() for name in names}
        places = {(self.folder / path).parent for path in select}
        packages = sorted(os.path.relpath(place, self.folder / self.runner.cwd) for place in places)
        trace = (f"-coverprofile={out / 'profile'}", "-coverpkg=./...") if traced else ()
        asked = ("-json", "-count=1", "-vet=off", "-run", f"^({'|'.join(sorted(top))})$")
        return (*asked, *trace, *(f"./{each}" for each in packages))


_ASKED = {  # options of ours
    "pytest": "-p strength_plugin --continue-on-collection-errors --tb=short -q",
    "node": "--test --test-reporter=junit --test-reporter-destination={report}",
    "mocha": "--reporter json --reporter-option output={report} --exit",
    "jest": "--json --outputFile={report} --coverage=false --silent",
    "vitest": "--reporter=json --outputFile={report} --coverage.enabled=false",
}


@contextmanager
def opened_bench(place: ExamPlace, runner: Runner) -> Iterator[Bench]:
    """A desk for the runs in this place; gone with everything on it afterwards."""
    with exam_scratch(place.bench.scratch) as scratch:
        harness = harness_folder_of(scratch) / "strength"
        harness.mkdir(parents=True, mode=0o700)
        shutil.copyfile(strength_plugin.__file__, harness / "strength_plugin.py")
        entry = Accept("", "", runner.head, runner.cwd)
        yield Bench(place, runner, harness, place.where(entry, scratch))


def _text(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return file.read(_LARGEST_REPORT).decode(errors="replace")
    except OSError:
        return ""


def all_failed(select: Select) -> dict[str, Outcome]:
    return {f"{path}::{name}": "failed" for path, names in select.items() for name in names}


def _read_rows(text: str, select: Select) -> Ran | None:
    """None for a round that was not run, or whose mutant found no place; a row that is cut is left out."""
    asked = all_failed(select)
    outcomes: dict[str, Outcome] = {}
    lines: dict[str, frozenset[int]] = {}
    open_one = ""
    for line in text.splitlines():
        try:
            what, key, *rest = json.loads(line)
        except (ValueError, TypeError):
            continue
        if what == "not placed":
            return None
        if what == "lines" and isinstance(key, str) and rest and isinstance(rest[0], list):
            lines[key] = frozenset(each for each in rest[0] if isinstance(each, int))
        elif what in _WORSE and key in asked:
            outcomes[key] = max(what, outcomes.get(key, "skipped"), key=_WORSE.index)
            open_one = ""
        elif what in ("start", "finished"):
            open_one = key
    if open_one in asked:  # it hangs, or takes the process with it
        outcomes[open_one] = "failed"
    return Ran(outcomes, lines) if text else None


# JavaScript: titles joined by a blank, as its runners tell them


def _titles(select: Select) -> str:
    """A pattern for the functions; nothing where titles are made from values, or are too many."""
    names = [name for names in select.values() for name in names]
    if len(names) > _MOST_TITLES or any(re.search(r"[%$\\]", name) for name in names):
        return ""
    return "^(" + "|".join(re.escape(name.replace(" > ", " ")).replace("\\ ", " ") for name in names) + ")"


def _by_title(cases: Iterable[Case], select: Select) -> dict[str, Outcome]:
    patterns = [(path, name, _pattern(name)) for path, names in select.items() for name in names]
    found: dict[str, Outcome] = {}
    for case in cases:
        title = " ".join((*case.suites, case.name))
        for path, name, pattern in patterns:
            if case.file in ("", path) and pattern.fullmatch(title):
                key = f"{path}::{name}"
                found[key] = max(case.outcome, found.get(key, "skipped"), key=_WORSE.index)
    return found


def _pattern(name: str) -> re.Pattern[str]:
    plain = re.split(r"%[a-z#%]|\$\{[^}]*\}|\$\w+(?:\.\w+)*", name.replace(" > ", " "))
    return re.compile("(?s:.*)".join(re.escape(part) for part in plain))


def _v8_lines(folder: Path, root: Path) -> dict[str, frozenset[int]]:
    from donewhen.core.quality.model import Unreadable
    from donewhen.verify.quality.coverage.reports import read_v8

    found: dict[str, set[int]] = {}
    for path in sorted(folder.glob("*.json"))[:200] if folder.is_dir() else ():
        try:
            covered = read_v8(path.read_bytes(), root)
        except (Unreadable, OSError):
            continue
        for name, lines in covered.files.items():
            found.setdefault(name, set()).update(lines.executed)
    return {name: frozenset(lines) for name, lines in found.items()}


# Go: tests by package and name, one that is inside another after a stroke


def _go_outcomes(cases: Iterable[Case], select: Select) -> dict[str, Outcome]:
    """A function of a file by the import path of its package, which ends with the folder."""
    by_depth = sorted(select, key=lambda path: path.count("/"), reverse=True)
    found: dict[str, Outcome] = {}
    for case in cases:
        for path in by_depth:
            folder = path.rpartition("/")[0]
            name = next((one for one in select[path] if one.replace(" > ", "/") == case.name), None)
            if name is not None and (not folder or f"/{case.group}".endswith(f"/{folder}")):
                found[f"{path}::{name}"] = case.outcome
                break
    return found


def _go_lines(profile: Path, root: Path, folder: str) -> dict[str, frozenset[int]]:
    from donewhen.core.quality.model import Unreadable
    from donewhen.verify.quality.coverage.reports import read_go_profile

    try:
        covered = read_go_profile(profile.read_bytes(), root, folder)
    except (Unreadable, OSError):
        return {}
    return {name: frozenset(lines.executed) for name, lines in covered.files.items()}


_IMPORT = re.compile(r"""(?:from|require\(|import\(|import)\s*['"](\.{1,2}/[^'"]{1,200})['"]""")
_ENDINGS = ("", ".js", ".mjs", ".cjs", ".ts", ".mts", ".cts", ".tsx", ".jsx", "/index.js", "/index.ts")


def imported_files(root: Path, paths: Iterable[str], most: int = 60) -> frozenset[str]:
    """Files that these JavaScript files load by a relative path, and those that they load."""
    found: dict[str, None] = {}
    waiting = list(paths)
    while waiting and len(found) < most:
        path = waiting.pop(0)
        for place in _IMPORT.findall(read_inside(root, path)):
            plain = os.path.normpath(os.path.join(os.path.dirname(path), place))  # noqa: PTH118, PTH120
            stem = re.sub(r"\.[cm]?js$", "", plain)
            names = [plain + end for end in _ENDINGS] + [stem + end for end in _ENDINGS]
            real = next((name for name in names if (root / name).is_file()), "")
            if real and not real.startswith("..") and real not in found:
                found[real] = None
                waiting.append(real)
    return frozenset(found)
