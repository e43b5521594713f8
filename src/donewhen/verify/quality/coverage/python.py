"""Python: coverage.py in every process of the run, by a `sitecustomize`; the command stays as it is.

What the project measures itself, with pytest-cov or `coverage run`, takes the place of ours in its process,
so its data is sent to the desk as well; the two are put together when they are read. No program is run here:
which Python has coverage.py its folders say, and where they can't, as behind a shim, the answer is None.
"""

import configparser
import os
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from donewhen.core.paths import Patterns
from donewhen.core.quality.coverage import Covered, merge
from donewhen.core.quality.model import Unreadable
from donewhen.core.texts import Phrase
from donewhen.verify.exam.probe import STEP_ASIDE
from donewhen.verify.quality.coverage.reports import read_report
from donewhen.verify.quality.model import Job, Missing, Way
from donewhen.verify.quality.tools import is_script
from donewhen.workspace.setup.folder import read_inside

INSTALL = "python -m pip install coverage"
_TOOL = "coverage"
_PYTHON = re.compile(r"python(?:\d(?:\.\d{1,2})?)?")
_SHEBANG = re.compile(rb"#!\s{0,10}(/\S{1,400})(?:\s{1,10}(\S{1,200}))?")
_LIBRARIES = ("lib/python3*/site-packages", "lib64/python3*/site-packages")
_SYSTEM = (*_LIBRARIES, "lib/python3/dist-packages", "local/lib/python3*/dist-packages")
_SHARED = re.compile(r"^include-system-site-packages\s{0,10}=\s{0,10}true", re.MULTILINE | re.IGNORECASE)
_HOME = re.compile(r"^home\s{0,10}=\s{0,10}(/[^\n]{1,400})", re.MULTILINE)
_BARE = re.compile(r"(?:pip|setuptools|wheel|pkg_resources|distribute)-")  # what an empty environment has
_PLACES = (".coveragerc", "setup.cfg", "tox.ini", "pyproject.toml")

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
    _measure({settings!a}, {folder!a}, {data!a})
except Exception:
    pass"""


def measure_python(job: Job) -> Way | Missing:
    python = python_for(job.entry.argv, job.path, job.folder)
    if python is None:
        return Missing(Phrase("coverage.no_python"), INSTALL)
    places = job.desk / "python"
    ours, own = sorts = (places / "ours", places / "own")
    for sort in sorts:
        (sort / "whole").mkdir(parents=True)
    folder = job.folder if settings_of(job.folder).file else job.scope.root
    name = settings_of(folder).file
    settings = str(folder / name) if name else ""
    text = _START + STEP_ASIDE
    for key, value in (
        ("settings", settings),
        ("folder", str(folder)),
        ("data", str(ours / ".coverage.ours")),
    ):
        text = text.replace(f"{{{key}!a}}", ascii(value))
    (places / "start").mkdir()
    (places / "start" / "sitecustomize.py").write_text(text, encoding="ascii")
    env = {} if "COVERAGE_FILE" in dict(job.entry.env) else {"COVERAGE_FILE": str(own / ".coverage.own")}
    after = tuple(words for sort in sorts for words in _after(str(python), sort, settings))
    cwd = job.entry.cwd
    return Way(_TOOL, lambda root: _read(sorts, root, cwd), env, str(places / "start"), None, after, INSTALL)


def _after(python: str, sort: Path, settings: str) -> tuple[tuple[str, ...], ...]:
    coverage = (python, "-I", "-m", "coverage")
    common = (f"--data-file={sort / 'whole' / '.coverage'}", f"--rcfile={settings}")
    report = str(sort / "whole" / "coverage.json")
    return (
        (*coverage, "combine", "-q", "--keep", *common, str(sort)),
        (*coverage, "json", "-q", "-i", "--fail-under=0", *common, "-o", report),
    )


def _read(sorts: tuple[Path, ...], root: Path, cwd: str) -> Covered:
    found: list[Covered] = []
    elsewhere = Unreadable("coverage.nothing", languages="Python", tool=_TOOL)
    for sort in sorts:
        report = sort / "whole" / "coverage.json"
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


def find_program(name: str, path: Sequence[str]) -> Path | None:
    """The first program of this name; `path` holds absolute folders, anything else is not looked into."""
    folders = [folder for folder in path if folder.startswith("/")] if "/" not in name else []
    places = [Path(name)] if name.startswith("/") else [Path(folder, name) for folder in folders if name]
    for place in places:
        try:
            if place.is_file() and os.access(place, os.X_OK):
                return place
        except (OSError, ValueError):
            continue
    return None


def python_for(argv: Sequence[str], path: Sequence[str], folder: Path) -> Path | None:
    """The interpreter with coverage.py that the command most likely runs on; None: none has it."""
    seen = {place: _has(place, "coverage/__init__.py") for place in _interpreters(argv, path, folder)}
    sure = (place for place, has in seen.items() if has)
    maybe = (place for place, has in seen.items() if has is None)
    return next(sure, None) or next(maybe, None)


def _interpreters(argv: Sequence[str], path: Sequence[str], folder: Path) -> Iterator[Path]:
    head = argv[0] if argv else ""
    program = find_program(str(folder / head) if "/" in head else head, path)
    named = program if program is None or _PYTHON.fullmatch(program.name) else _named_by(program, path)
    yield from (
        found for found in (named, find_program("python", path), find_program("python3", path)) if found
    )


def _named_by(script: Path, path: Sequence[str]) -> Path | None:
    """The interpreter that a script's first line names."""
    try:
        with script.open("rb") as file:
            found = _SHEBANG.match(file.read(1024))
    except OSError:
        return None
    words = [os.fsdecode(word) for word in found.groups() if word] if found else []
    words = words[1:] if len(words) == 2 and words[0].endswith("/env") else words
    place = find_program(words[0], path) if words else None
    return place if place is not None and _PYTHON.fullmatch(place.name) else None


def has_packages(interpreter: Path) -> bool | None:
    """Whether anything at all was installed into it; None: its folders can't be told."""
    return _has(interpreter, "*.dist-info")


def _has(interpreter: Path, what: str) -> bool | None:
    prefix = interpreter.parent.parent
    settings = read_inside(prefix, "pyvenv.cfg")
    if not settings and is_script(interpreter):
        return None
    places = [(prefix, _LIBRARIES if settings else _SYSTEM)]
    home = _HOME.search(settings) if _SHARED.search(settings) else None
    places += [(Path(home[1].strip()).parent, _SYSTEM)] if home else []
    places += [] if settings else [(Path(os.path.realpath(interpreter)).parent.parent, _SYSTEM)]
    try:
        found = (
            each
            for start, libraries in places
            for library in libraries
            for each in start.glob(f"{library}/{what}")
        )
        return any(not _BARE.match(each.name) for each in found)
    except OSError:
        return False


class Settings(NamedTuple):
    """What a project keeps for coverage.py in one file; `file` empty: there is none."""

    file: str = ""
    told: bool = False  # what is to be measured: then the report has it all, loaded or not
    omit: tuple[str, ...] = ()

    def leaves_out(self, path: str) -> bool:
        """Whether they keep a file that no report has out of what is measured."""
        return self.told or any(Patterns((_pattern(each),)).match(path) for each in self.omit)


def settings_of(folder: Path) -> Settings:
    """Read as text, as coverage.py finds them; what can't be read leaves nothing out."""
    for name in _PLACES:
        text = read_inside(folder, name)
        sections = _sections(name, text)
        if sections or (name == _PLACES[0] and text):
            run, report = sections.get("run", {}), sections.get("report", {})
            told = any(run.get(key) for key in ("source", "source_pkgs", "include")) or bool(
                report.get("include")
            )
            return Settings(name, told, (*_list(run.get("omit")), *_list(report.get("omit"))))
    return Settings()


def _sections(name: str, text: str) -> Mapping[str, Mapping[str, Any]]:
    try:
        if name.endswith(".toml"):
            found = tomllib.loads(text).get("tool", {}).get("coverage", {})
            return {key: each for key, each in found.items() if isinstance(each, dict)}
        parser = configparser.RawConfigParser(strict=False)
        parser.read_string(text)
    except (ValueError, RecursionError, AttributeError, configparser.Error):
        return {}
    names = [each for each in parser.sections() if each.startswith("coverage:") or name == _PLACES[0]]
    return {each.removeprefix("coverage:"): dict(parser.items(each)) for each in names}


def _list(value: object) -> tuple[str, ...]:
    words = value.replace(",", "\n").split("\n") if isinstance(value, str) else value
    texts = (word.strip() for word in words[:500] if isinstance(word, str)) if isinstance(words, list) else ()
    return tuple(text for text in texts if 0 < len(text) <= 300)


def _pattern(text: str) -> str:
    """As coverage.py matches: a pattern starts at the root, unless it starts with a star."""
    text = text.removeprefix("./")
    return (
        f"**/{text[2:]}"
        if text.startswith("*/")
        else text
        if text.startswith("*")
        else f"/{text.lstrip('/')}"
    )
