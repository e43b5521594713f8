"""Reports of coverage: found where tools put them, told apart by what they hold, read as lines that ran.

They are written by code that we don't trust: bounded, without entities, and a path that leaves the tree is no
path. One that is older than the run, or that knows a line which a file does not have, is of another tree.
"""

import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any
from xml.parsers import expat

from donewhen.core.paths import LONGEST_PATH, STATE_FOLDERS
from donewhen.core.quality.coverage import Covered, Lines, merge
from donewhen.core.quality.model import Unreadable
from donewhen.core.texts import Phrase
from donewhen.verify.failures import visible
from donewhen.verify.quality.coverage.code import code_lines
from donewhen.workspace.setup.folder import read_inside

_PLACES = (
    *(
        "coverage.xml",
        "coverage.json",
        "lcov.info",
        "cobertura.xml",
        "cover.out",
        "coverage.out",
        "coverage.txt",
    ),
    *("coverage/coverage-final.json", "coverage/lcov.info", "coverage/cobertura-coverage.xml"),
    *(".nyc_output/*.json", "coverage/tmp/*.json", "target/site/jacoco*/jacoco.xml"),
    *("build/reports/jacoco/*.xml", "build/reports/jacoco/*/*.xml", "build/reports/kover/*.xml"),
)
_MODULES = ("*", "packages/*", "apps/*", "modules/*", "services/*", "crates/*")  # of one repository
_MOST = 400
_MOST_FOLDERS = 200
_MOST_FILES = 100_000
_MOST_WORK = 20_000_000
_LARGEST = 64 * 2**20
_LARGEST_SOURCE = 8 * 2**20
_HIGHEST = 10_000_000
_DEEPEST = 64
_HEAD = 4096
Read = Callable[[bytes, Path, str], Covered]
Start = Callable[[str, Mapping[str, str]], None]


class _Refused(Exception):
    """A document that is made to do harm, or is of another kind."""


def read_newer(root: Path, since_ns: int) -> Covered:
    """What the run wrote; refused when all there is was there before it."""
    reports = reports_in(root)
    newer = [path for path in reports if _written_at(path) >= since_ns]
    if reports and not newer:
        raise Unreadable("coverage.stale", file=visible(str(reports[0].relative_to(root)), 200))
    return merge(read_report(path, root) for path in newer) if newer else Covered()


def reports_in(root: Path) -> list[Path]:
    """All reports at the usual places, whatever their age, those of the root first."""
    found: dict[Path, None] = {}
    for folder in islice(_folders(root), _MOST_FOLDERS):
        for place in _PLACES:
            paths = sorted(islice(folder.glob(place), _MOST)) if "*" in place else [folder / place]
            found.update(
                dict.fromkeys(path for path in paths if len(found) < _MOST and _is_plain(path, root))
            )
    return list(found)


def _folders(root: Path) -> Iterator[Path]:
    yield root
    for pattern in _MODULES:
        for folder in sorted(islice(root.glob(pattern), 4 * _MOST_FOLDERS)):
            if folder.name != "node_modules" and not folder.name.startswith(".") and folder.is_dir():
                yield folder


def _is_plain(path: Path, root: Path) -> bool:
    try:
        real = os.path.realpath(path.parent)
        inside = f"{real}/".startswith(f"{os.path.realpath(root).rstrip('/')}/")
        return inside and path.is_file() and not path.is_symlink()
    except OSError:
        return False


def _written_at(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except OSError:  # gone since
        return 0


def read_report(path: Path, root: Path, folder: str | None = None) -> Covered:
    """One report of any form. Its relative paths start in `folder`, else in the folder it belongs to."""
    try:
        with path.open("rb") as file:
            data = file.read(_LARGEST + 1)
    except OSError:
        data = b""
    read = reader_for(data)
    if read is None:
        raise wrong_form(visible(path.name, 200))
    if folder is None:  # above the folders that tools make for it
        parts = list(path.parent.relative_to(root).parts)
        made = (parts.index(name) for name in ("coverage", ".nyc_output", "target", "build") if name in parts)
        folder = "/".join(parts[: min(made, default=len(parts))])
    return read(data, root, folder)


def reader_for(data: bytes) -> Read | None:
    """The reader for these bytes, by what they hold and not by a name; None: they are no coverage report."""
    head = data[:_HEAD].lstrip(b"\xef\xbb\xbf \t\r\n")
    if head.startswith(b"mode: "):
        return read_go_profile
    if head.startswith((b"TN:", b"SF:")):
        return read_lcov
    if head.startswith(b"<"):
        return read_jacoco if b"<report" in head else read_cobertura if b"<coverage" in head else None
    if not head.startswith(b"{"):
        return None
    if b'"executed_lines"' in data or b'"meta"' in head:
        return read_coverage_json
    if b'"startOffset"' in data or b'"result"' in head:
        from donewhen.verify.quality.coverage.v8 import read

        return read
    return read_istanbul


class Tree:
    """Looks up files below `root`; relative paths start in `folder`, then in the root."""

    def __init__(self, root: Path, folder: str = "") -> None:
        self.root = root
        self._top = os.path.realpath(root)
        self._starts = tuple(dict.fromkeys((str(Path(self._top, folder)), self._top)))
        self._found: dict[str, str] = {}
        self._counts: dict[str, int] = {}

    def find(self, path: str, starts: Iterable[str] = ()) -> str:
        """The file's path from the root; empty when the tree has no such file."""
        if not path or len(path) > LONGEST_PATH or "\0" in path:
            return ""
        if path not in self._found:
            places = (str(Path(start, path)) for start in (*starts, *self._starts))
            self._found[path] = next((known for place in places if (known := self._inside(place))), "")
        return self._found[path]

    def _inside(self, place: str) -> str:
        folder, _, name = os.path.normpath(place).rpartition("/")
        real = Path(os.path.realpath(f"{folder}/"), name)
        if not place.startswith("/") or not str(real).startswith(f"{self._top.rstrip('/')}/"):
            return ""
        try:
            return "" if real.is_symlink() or not real.is_file() else os.path.relpath(real, self._top)
        except OSError:  # a name that is too long for this disk
            return ""

    def text(self, path: str) -> str | None:
        """The file's text; None for one that can't be read or is too large to be source."""
        try:
            with (self.root / path).open("rb") as file:
                data = file.read(_LARGEST_SOURCE + 1)
        except OSError:
            return None
        return data.decode("utf-8", "replace") if len(data) <= _LARGEST_SOURCE else None

    def line_count(self, path: str) -> int:
        """How many lines it may have at most."""
        if path not in self._counts:
            text = self.text(path)
            ends = 0 if text is None else text.count("\n") + text.count("\r") - text.count("\r\n")
            self._counts[path] = _HIGHEST if text is None else ends + 1
        return self._counts[path]


class _Hits:
    """What a report says, line by line: one ran if any entry says so."""

    def __init__(self, form: str, root: Path, folder: str = "") -> None:
        self.form, self.tree = form, Tree(root, folder)
        self.files: dict[str, dict[int, bool]] = {}
        self.named: set[str] = set()  # files that the report speaks of, in this tree or not

    def name(self, name: str, starts: Iterable[str] = ()) -> str:
        self.named.add(name)
        if len(self.named) > _MOST_FILES:
            raise wrong_form(self.form)
        path = self.tree.find(name, starts)
        if path:
            self.files.setdefault(path, {})
        return path

    def note(self, path: str, line: object, hit: object) -> None:
        at = number(line, _HIGHEST)
        if at is None:
            raise wrong_form(self.form)
        if path and at:
            lines = self.files.setdefault(path, {})
            lines[at] = lines.get(at, False) or bool(hit)

    def covered(self) -> Covered:
        if self.named and not self.files:
            raise Unreadable("coverage.other_files")
        files: dict[str, Lines] = {}
        for path, lines in self.files.items():
            if max(lines, default=0) > self.tree.line_count(path):
                raise Unreadable("coverage.other_tree", file=visible(path, 200), line=max(lines))
            ran = frozenset(line for line, hit in lines.items() if hit)
            files[path] = Lines(ran, frozenset(lines) - ran)
        return Covered(files)


def read_lcov(data: bytes, root: Path, folder: str = "") -> Covered:
    """`SF:` names a file, `DA:` a line and how often it ran; all else is left aside."""
    hits = _Hits("lcov", root, folder)
    path, is_open = "", False
    for raw in bounded(data, "lcov").split(b"\n"):
        line = os.fsdecode(raw).removesuffix("\r")
        if line.startswith("SF:"):
            path, is_open = hits.name(line[3:]), True
        elif line.startswith("DA:"):
            at, _, rest = line[3:].partition(",")
            count = rest.partition(",")[0].strip()
            if not is_open or not count:
                raise wrong_form("lcov")
            hits.note(path, at, number(count))
        elif line == "end_of_record":
            path, is_open = "", False
    if is_open or not hits.named:  # cut, or no tracefile at all
        raise wrong_form("lcov")
    return hits.covered()


def read_coverage_json(data: bytes, root: Path, folder: str = "") -> Covered:
    """`coverage json` of coverage.py; excluded lines are neither executed nor missing."""
    form = "coverage.py JSON"
    report, hits = load_json(data, form), _Hits(form, root, folder)
    meta, files = report.get("meta"), report.get("files")
    if not isinstance(meta, dict) or "version" not in meta or not isinstance(files, dict):
        raise wrong_form(form)
    for name, told in files.items():
        path = hits.name(name)
        for key, hit in (("missing_lines", False), ("executed_lines", True)):
            lines = told.get(key) if isinstance(told, dict) else None
            if not isinstance(lines, list):
                raise wrong_form(form)
            for line in lines:
                hits.note(path, line, hit)
    return hits.covered()


def read_istanbul(data: bytes, root: Path, folder: str = "") -> Covered:
    """`coverage-final.json`, `.nyc_output`: statements, each counted where it begins."""
    form = "istanbul JSON"
    hits = _Hits(form, root, folder)
    for name, told in load_json(data, form).items():
        inner = told.get("data", told) if isinstance(told, dict) else None  # as babel's plugin wraps it
        places, counts = (
            (inner.get("statementMap"), inner.get("s")) if isinstance(inner, dict) else (None, None)
        )
        if not isinstance(places, dict) or not isinstance(counts, dict):
            raise wrong_form(form)
        path = hits.name(name)
        for key, place in places.items():
            start = place.get("start") if isinstance(place, dict) else None
            hits.note(path, start.get("line") if isinstance(start, dict) else None, number(counts.get(key)))
    return hits.covered()


def read_cobertura(data: bytes, root: Path, folder: str = "") -> Covered:
    """Names are relative to one of the report's sources; methods repeat the lines of their class."""
    form = "cobertura XML"
    hits, sources, here = _Hits(form, root, folder), list[str](), [""]

    def start(tag: str, attributes: Mapping[str, str]) -> None:
        if tag == "class":
            here[0] = hits.name(attributes.get("filename", ""), sources)
        elif tag == "line" and here[0]:
            hits.note(here[0], attributes.get("number"), number(attributes.get("hits")))

    def end(tag: str, text: str) -> None:
        if tag == "source" and text.startswith("/") and len(sources) < _MOST:
            sources.append(text)
        elif tag == "class":
            here[0] = ""

    walk_xml(data, form, "coverage", start, end)
    return hits.covered()


_JVM = (".java", ".kt", ".scala", ".groovy")
_SKIPPED = STATE_FOLDERS | {".gradle", ".idea", "out"}


def read_jacoco(data: bytes, root: Path, folder: str = "") -> Covered:
    """Instructions per line, of packages and source files: the tree is looked through for what they mean."""
    form = "jacoco XML"
    hits, index, here = _Hits(form, root, folder), _jvm_sources(root), ["", ""]

    def start(tag: str, attributes: Mapping[str, str]) -> None:
        if tag == "package":
            here[0] = attributes.get("name", "")
        elif tag == "sourcefile":
            name = attributes.get("name", "")
            wanted = f"{here[0]}/{name}" if here[0] else name
            here[1] = hits.name(_chosen(index.get(name, []), wanted, folder) or f"/{wanted}")
        elif tag == "line":
            ran, missed = number(attributes.get("ci")), number(attributes.get("mi"))
            if ran is None or missed is None:
                raise _Refused
            if ran or missed:
                hits.note(here[1], attributes.get("nr"), ran)

    walk_xml(data, form, "report", start, lambda tag, text: None)
    return hits.covered()


def _jvm_sources(root: Path) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for place, folders, names in os.walk(root):
        folders[:] = sorted(each for each in folders if each not in _SKIPPED)
        for name in names:
            if name.endswith(_JVM):
                found.setdefault(name, []).append(os.path.normpath(os.path.relpath(f"{place}/{name}", root)))
    return found


def _chosen(paths: list[str], wanted: str, folder: str) -> str:
    """The path that ends with package and name; Kotlin may leave folders out, so a single one will do."""
    exact = [path for path in paths if f"/{path}".endswith(f"/{wanted}")]
    found = exact or (paths if len(paths) == 1 else [])
    below = [path for path in found if folder and path.startswith(f"{folder}/")] or found
    main = [path for path in below if "/test/" not in f"/{path}"] or below
    if len(main) > 1:
        raise Unreadable("coverage.ambiguous", file=visible(wanted, 200))
    return main[0] if main else ""


_MODE = re.compile(r"mode: (?:set|count|atomic)\r?")
_BLOCK = re.compile(r"(.{1,4096}):(\d{1,8})\.\d{1,8},(\d{1,8})\.\d{1,8} (\d{1,9}) (\d{1,18})\r?", re.DOTALL)
_MODULE = re.compile(r"^module[ \t]+\"?([^\s\"]{1,500})", re.MULTILINE)
_USED = re.compile(r"^(?:use[ \t]+|[ \t]+)\"?(\.[^\s\"()]{0,300})", re.MULTILINE)


def read_go_profile(data: bytes, root: Path, folder: str = "") -> Covered:
    """Blocks `file:line.column,line.column statements count`, files by their import path.

    A line ran if any block on it did. Lines without code inside a block are no lines that can run.
    """
    form = "Go cover profile"
    lines = os.fsdecode(bounded(data, form)).split("\n")
    hits, work = _Hits(form, root, folder), 0
    if not _MODE.fullmatch(lines[0]) or lines[-1]:
        raise wrong_form(form)
    modules, known = _modules(root, folder), dict[str, str]()
    for line in lines[1:-1]:
        block = _BLOCK.fullmatch(line)
        if block is None and not _MODE.fullmatch(line):  # profiles are often put together with cat
            raise wrong_form(form)
        if block is None or not int(block[4]):
            continue
        if block[1] not in known:
            place = next(
                (
                    f"{root.absolute()}/{modules[m]}/{block[1][len(m) + 1 :]}"
                    for m in modules
                    if block[1].startswith(f"{m}/")
                ),
                "",
            )
            known[block[1]] = hits.name(place or (block[1] if block[1].startswith(("/", "./")) else "/"))
        path, first, last = known[block[1]], int(block[2]), int(block[3])
        work += last - first + 1
        if path and last > hits.tree.line_count(path):
            raise Unreadable("coverage.other_tree", file=visible(path, 200), line=last)
        if work > _MOST_WORK:
            raise Unreadable("coverage.unreadable", form=form, why=Phrase("coverage.why_large"))
        for each in range(first, last + 1) if path else ():
            hits.note(path, each, block[5].strip("0"))
    for path, found in hits.files.items():
        code = code_lines(hits.tree.text(path) or "", "go")
        hits.files[path] = {line: hit for line, hit in found.items() if line in code}
    return hits.covered()


def _modules(root: Path, folder: str) -> dict[str, str]:
    """The modules that go.work, the run's folder and the root have, the longest import path first."""
    used = [os.path.normpath(each[1]) for each in _USED.finditer(read_inside(root, "go.work"))]
    used = [each for each in used if not each.startswith("..")][:_MOST_FOLDERS]
    places = dict.fromkeys(("", *used, folder))
    found = {
        module[1]: place
        for place in places
        if (module := _MODULE.search(read_inside(root / place, "go.mod")))
    }
    return dict(sorted(found.items(), key=lambda each: -len(each[0])))


def wrong_form(form: str) -> Unreadable:
    return Unreadable("coverage.unreadable", form=form, why=Phrase("coverage.why_form"))


def bounded(data: bytes, form: str) -> bytes:
    if len(data) > _LARGEST:
        raise Unreadable("coverage.unreadable", form=form, why=Phrase("coverage.why_large"))
    return data


def load_json(data: bytes, form: str) -> dict[str, Any]:
    try:
        loaded = json.loads(bounded(data, form))
    except (ValueError, RecursionError):
        loaded = None
    if not isinstance(loaded, dict):
        raise wrong_form(form)
    return loaded


def walk_xml(data: bytes, form: str, root: str, start: Start, end: Callable[[str, str], None]) -> None:
    """Calls back with each element below the root, its text (a short one) at its end."""
    text: list[str] = []
    depth = 0

    def opened(tag: str, attributes: dict[str, str]) -> None:
        nonlocal depth
        depth += 1
        name = tag.rpartition(" ")[2]
        if depth > _DEEPEST or (depth == 1 and name != root):
            raise _Refused
        text.clear()
        start(name, attributes)

    def closed(tag: str) -> None:
        nonlocal depth
        depth -= 1
        end(tag.rpartition(" ")[2], "".join(text[:16]).strip())
        text.clear()

    def refuse(*told: object) -> None:
        """A document type is never fetched; one that brings its own entities is refused."""
        if told[3]:
            raise _Refused

    parser = expat.ParserCreate(namespace_separator=" ")
    parser.buffer_text = True
    parser.StartElementHandler = opened
    parser.EndElementHandler = closed
    parser.CharacterDataHandler = lambda said: text.append(said[:4096])
    parser.StartDoctypeDeclHandler = refuse
    try:
        parser.Parse(bounded(data, form), True)
    except (expat.ExpatError, _Refused, LookupError, ValueError):
        raise wrong_form(form) from None


def number(value: object, highest: int = 10**15) -> int | None:
    """A whole number that is written as such, not negative; None for anything else."""
    if isinstance(value, str):
        digits = value.strip()
        value = int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 20 else None
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= highest:
        return None
    return value
