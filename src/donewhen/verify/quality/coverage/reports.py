"""Reports of coverage: found where tools put them, told apart by what they hold, read as lines that ran.

They are written by code that we don't trust: bounded, without entities, and a path that leaves the tree is no
path. One that is older than the run, or that knows a line which a file does not have, is of another tree.
"""

import json
import os
import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote
from xml.parsers import expat

from donewhen.core.paths import LONGEST_PATH
from donewhen.core.quality.coverage import Covered, Lines, merge
from donewhen.core.quality.model import Unreadable
from donewhen.core.shown import visible
from donewhen.core.texts import Phrase
from donewhen.project.folder import Folder, read_inside
from donewhen.project.others import used_modules
from donewhen.project.syntax import parse, walk

if TYPE_CHECKING:
    from tree_sitter import Node

_PLACES = (
    "coverage.xml coverage.json lcov.info cobertura.xml cover.out coverage.out coverage.txt"
    " coverage/coverage-final.json coverage/lcov.info coverage/cobertura-coverage.xml"
    " .nyc_output/*.json coverage/tmp/*.json"
).split()
_MODULES = ("*", "packages/*", "apps/*", "modules/*", "services/*", "crates/*")  # of one repository
_MADE = ("coverage", ".nyc_output")  # folders that tools make for their reports
_MOST = 400
_MOST_FOLDERS = 200
_MOST_FILES = 100_000
_MOST_WORK = 20_000_000
_LARGEST = 64 * 2**20
_LARGEST_SOURCE = 8 * 2**20
_HIGHEST = 10_000_000
_DEEPEST = 64
Read = Callable[[bytes, Path, str], Covered]


def read_newer(root: Path, since_ns: int) -> Covered:
    """What the run wrote; refused when all there is was there before it."""
    reports = reports_in(root)
    newer = [path for path in reports if path.stat().st_mtime_ns >= since_ns]
    if reports and not newer:
        raise Unreadable("coverage.stale", file=visible(str(reports[0].relative_to(root)), 200))
    return merge(read_report(path, root) for path in newer) if newer else Covered()


def reports_in(root: Path) -> list[Path]:
    """All reports at the usual places, whatever their age, those of the root first."""
    found: dict[Path, None] = {}
    modules = (path for pattern in _MODULES for path in sorted(islice(root.glob(pattern), _MOST)))
    inner = (path for path in modules if path.name != "node_modules" and not path.name.startswith("."))
    for folder in islice((root, *inner), _MOST_FOLDERS):
        paths = (path for place in _PLACES for path in sorted(islice(folder.glob(place), _MOST)))
        found.update(dict.fromkeys(path for path in paths if _is_plain(path, root)))
    return list(found)[:_MOST]


def _is_plain(path: Path, root: Path) -> bool:
    inside = f"{os.path.realpath(path.parent)}/".startswith(f"{os.path.realpath(root).rstrip('/')}/")
    return inside and path.is_file() and not path.is_symlink()


def read_report(path: Path, root: Path, folder: str | None = None) -> Covered:
    """One report of any form. Its relative paths start in `folder`, else in the folder it belongs to."""
    try:
        with path.open("rb") as file:
            data = file.read(_LARGEST + 1)
    except OSError:
        data = b""
    read = reader_for(data)
    if read is None:
        raise _wrong_form(visible(path.name, 200))
    if folder is None:
        parts = path.parent.relative_to(root).parts
        made = (parts.index(name) for name in _MADE if name in parts)
        folder = "/".join(parts[: min(made, default=len(parts))])
    return read(data, root, folder)


def reader_for(data: bytes) -> Read | None:
    """The reader for these bytes, by what they hold and not by a name; None: they are no coverage report."""
    head = data[:4096].lstrip(b"\xef\xbb\xbf \t\r\n")
    if head.startswith(b"mode: "):
        return read_go_profile
    if head.startswith((b"TN:", b"SF:")):
        return read_lcov
    if head.startswith(b"<"):
        return read_cobertura if b"<coverage" in head else None
    if not head.startswith(b"{"):
        return None
    if b'"executed_lines"' in data or b'"meta"' in head:
        return read_coverage_json
    return read_v8 if b'"startOffset"' in data or b'"result"' in head else read_istanbul


class Tree:
    """Looks up files below `root`; relative paths start in `folder`, then in the root."""

    def __init__(self, root: Path, folder: str = "") -> None:
        self.root = root
        self._top = os.path.realpath(root)
        self._starts = (str(Path(self._top, folder)), self._top)
        self._found: dict[str, str] = {}
        self._texts: dict[str, str | None] = {}

    def find(self, path: str, starts: Iterable[str] = ()) -> str:
        """The file's path from the root; empty when the tree has no such file."""
        if not path or len(path) > LONGEST_PATH or "\0" in path:
            return ""
        if path not in self._found:
            places = (str(Path(start, path)) for start in (*starts, *self._starts))
            self._found[path] = next((known for place in places if (known := self._inside(place))), "")
        return self._found[path]

    def _inside(self, place: str) -> str:
        real = os.path.realpath(place)
        inside = place.startswith("/") and real.startswith(f"{self._top.rstrip('/')}/")
        known = inside and os.path.isfile(real) and not os.path.islink(os.path.normpath(place))  # noqa: PTH113, PTH114
        return os.path.relpath(real, self._top) if known else ""

    def text(self, path: str) -> str | None:
        """The file's text; None for one that can't be read or is too large to be source."""
        if path not in self._texts:
            try:
                with (self.root / path).open("rb") as file:
                    data = file.read(_LARGEST_SOURCE + 1)
            except OSError:
                data = b" " * (_LARGEST_SOURCE + 1)
            self._texts[path] = data.decode("utf-8", "replace") if len(data) <= _LARGEST_SOURCE else None
        return self._texts[path]

    def line_count(self, path: str) -> int:
        """How many lines it may have at most."""
        text = self.text(path)
        if text is None:
            return _HIGHEST
        return text.count("\n") + text.count("\r") - text.count("\r\n") + 1


class _Hits:
    """What a report says, line by line: one ran if any entry says so."""

    def __init__(self, form: str, root: Path, folder: str = "") -> None:
        self.form, self.tree = form, Tree(root, folder)
        self.files: dict[str, dict[int, bool]] = {}
        self.named: set[str] = set()  # files that the report speaks of, in this tree or not
        self._work = 0

    def name(self, name: str, starts: Iterable[str] = ()) -> str:
        self.named.add(name)
        if len(self.named) > _MOST_FILES:
            raise _wrong_form(self.form)
        path = self.tree.find(name, starts)
        if path:
            self.files.setdefault(path, {})
        return path

    def note(self, path: str, line: object, hit: object) -> None:
        at = _number(line, _HIGHEST)
        if at is None:
            raise _wrong_form(self.form)
        if path and at:
            lines = self.files.setdefault(path, {})
            lines[at] = lines.get(at, False) or bool(hit)

    def work(self, lines: int) -> None:
        """A small report may speak of very many lines."""
        self._work += lines
        if self._work > _MOST_WORK:
            raise Unreadable("coverage.unreadable", form=self.form, why=Phrase("coverage.why_large"))

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
    for raw in _bounded(data, "lcov").split(b"\n"):
        line = os.fsdecode(raw).removesuffix("\r")
        if line.startswith("SF:"):
            path, is_open = hits.name(line[3:]), True
        elif line.startswith("DA:"):
            at, _, rest = line[3:].partition(",")
            count = rest.partition(",")[0].strip()
            if not is_open or not count:
                raise _wrong_form("lcov")
            hits.note(path, at, _number(count))
        elif line == "end_of_record":
            path, is_open = "", False
    if is_open or not hits.named:  # cut, or no tracefile at all
        raise _wrong_form("lcov")
    return hits.covered()


def read_coverage_json(data: bytes, root: Path, folder: str = "") -> Covered:
    """`coverage json` of coverage.py; excluded lines are neither executed nor missing."""
    form = "coverage.py JSON"
    report, hits = _json(data, form), _Hits(form, root, folder)
    meta, files = report.get("meta"), report.get("files")
    if not isinstance(meta, dict) or "version" not in meta or not isinstance(files, dict):
        raise _wrong_form(form)
    for name, told in files.items():
        path = hits.name(name)
        for key, hit in (("missing_lines", False), ("executed_lines", True)):
            lines = told.get(key) if isinstance(told, dict) else None
            if not isinstance(lines, list):
                raise _wrong_form(form)
            for line in lines:
                hits.note(path, line, hit)
    return hits.covered()


def read_istanbul(data: bytes, root: Path, folder: str = "") -> Covered:
    """`coverage-final.json`, `.nyc_output`: statements, each counted where it begins."""
    form = "istanbul JSON"
    hits = _Hits(form, root, folder)
    for name, told in _json(data, form).items():
        inner = told.get("data", told) if isinstance(told, dict) else {}  # as babel's plugin wraps it
        inner = inner if isinstance(inner, dict) else {}
        places, counts = inner.get("statementMap"), inner.get("s")
        if not isinstance(places, dict) or not isinstance(counts, dict):
            raise _wrong_form(form)
        path = hits.name(name)
        for key, place in places.items():
            start = place.get("start") if isinstance(place, dict) else None
            hits.note(path, start.get("line") if isinstance(start, dict) else None, _number(counts.get(key)))
    return hits.covered()


def read_v8(data: bytes, root: Path, folder: str = "") -> Covered:
    """What Node writes for each process: ranges of characters; a line ran if the innermost one round it did.

    A script whose text is another, as one that was translated before it ran, counts as not measured.
    """
    form = "V8 JSON"
    hits, report = _Hits(form, root, folder), _json(data, form)
    scripts, maps = report.get("result"), report.get("source-map-cache")
    if not isinstance(scripts, list):
        raise _wrong_form(form)
    for script in scripts:
        url = script.get("url") if isinstance(script, dict) else None
        if not isinstance(url, str):
            raise _wrong_form(form)
        is_source = url.startswith("file:///") and "/node_modules/" not in url
        if is_source and not (isinstance(maps, dict) and url in maps):
            name = unquote(url.removeprefix("file://").partition("?")[0], errors="surrogateescape")
            path = hits.tree.find(name)
            if path:
                _note_script(hits, path, _ranges(script.get("functions"), form))
    return hits.covered()


def _note_script(hits: _Hits, path: str, ranges: Sequence[tuple[int, int, int]]) -> None:
    text = hits.tree.text(path) or ""
    bare = text.removeprefix("\ufeff")
    code, starts, ends, at = code_lines(bare, "javascript"), list[int](), list[int](), 0
    for line in bare.split("\n"):  # as JavaScript counts: characters beyond the first plane are two
        first = len(line) - len(line.lstrip())
        starts.append(at + _units(line[:first]))
        ends.append(at + _units(line.rstrip()))
        at += _units(line) + 1
    length, whole = at - 1, max((end for _, end, _ in ranges), default=0)
    if whole > length + len(text) - len(bare):
        raise Unreadable("coverage.other_tree", file=visible(path, 200), line=len(starts) + 1)
    if whole < length:  # the script as a whole is the outermost range
        return
    mark = whole - length  # some versions of Node take the byte order mark away
    ran: dict[int, bool] = {}
    for start, end, count in ranges:
        first, last = bisect_left(starts, start - mark), bisect_right(ends, end - mark)
        hits.work(max(0, last - first))
        ran.update(dict.fromkeys(range(first + 1, last + 1), count > 0))
    for number in code & ran.keys():
        hits.note(path, number, ran[number])


def _units(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def _ranges(functions: object, form: str) -> list[tuple[int, int, int]]:
    """(start, end, how often) of a script, the outer ones first."""
    found: list[tuple[int, int, int]] = []
    for function in functions if isinstance(functions, list) else [None]:
        ranges = function.get("ranges") if isinstance(function, dict) else None
        for told in ranges if isinstance(ranges, list) else [None]:
            row = told if isinstance(told, dict) else {}
            start, end, count = (_number(row.get(name)) for name in ("startOffset", "endOffset", "count"))
            if start is None or end is None or count is None or end < start:
                raise _wrong_form(form)
            found.append((start, end, count))
    return sorted(found, key=lambda each: (each[0], -each[1]))


class _Refused(Exception):
    """A document that is made to do harm, or is of another kind."""


def read_cobertura(data: bytes, root: Path, folder: str = "") -> Covered:
    """Names are relative to one of the report's sources; methods repeat the lines of their class."""
    form = "cobertura XML"
    hits, sources, text = _Hits(form, root, folder), list[str](), list[str]()
    path, depth = "", 0

    def start(tag: str, attributes: Mapping[str, str]) -> None:
        nonlocal path, depth
        depth += 1
        if depth > _DEEPEST or (depth == 1 and tag != "coverage"):
            raise _Refused
        text.clear()
        if tag == "class":
            path = hits.name(attributes.get("filename", ""), sources)
        elif tag == "line" and path:
            hits.note(path, attributes.get("number"), _number(attributes.get("hits")))

    def end(tag: str) -> None:
        nonlocal path, depth
        depth -= 1
        said = "".join(text[:16]).strip()
        if tag == "source" and said.startswith("/") and len(sources) < _MOST:
            sources.append(said)
        path = "" if tag == "class" else path

    def refuse(*told: object) -> None:
        """A document type is never fetched; one that brings its own entities is refused."""
        if told[-1]:
            raise _Refused

    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.CharacterDataHandler = lambda said: text.append(said[:4096])
    parser.StartDoctypeDeclHandler = refuse
    try:
        parser.Parse(_bounded(data, form), True)
    except (expat.ExpatError, _Refused, LookupError, ValueError):
        raise _wrong_form(form) from None
    return hits.covered()


_MODE = re.compile(r"mode: (?:set|count|atomic)\r?")
_BLOCK = re.compile(r"(.{1,4096}):(\d{1,8})\.\d{1,8},(\d{1,8})\.\d{1,8} (\d{1,9}) (\d{1,18})\r?", re.DOTALL)
_MODULE = re.compile(r"^module[ \t]+\"?([^\s\"]{1,500})", re.MULTILINE)


def read_go_profile(data: bytes, root: Path, folder: str = "") -> Covered:
    """Blocks `file:line.column,line.column statements count`, files by their import path.

    A line ran if any block on it did. Lines without code inside a block are no lines that can run.
    """
    form = "Go cover profile"
    lines = os.fsdecode(_bounded(data, form)).split("\n")
    hits, modules = _Hits(form, root, folder), _modules(root, folder)
    if not _MODE.fullmatch(lines[0]) or lines[-1]:
        raise _wrong_form(form)
    for line in lines[1:-1]:
        block = _BLOCK.fullmatch(line)
        if block is None and not _MODE.fullmatch(line):  # profiles are often put together with cat
            raise _wrong_form(form)
        if block is None or not int(block[4]):
            continue
        name = block[1]
        module = next((each for each in modules if name.startswith(f"{each}/")), None)
        if module is not None:
            name = f"{root.absolute()}/{modules[module]}/{name[len(module) + 1 :]}"
        path = hits.name(name if name.startswith(("/", "./")) else "/")
        first, last = int(block[2]), int(block[3])
        if path and last > hits.tree.line_count(path):
            raise Unreadable("coverage.other_tree", file=visible(path, 200), line=last)
        hits.work(last - first + 1)
        for each in range(first, last + 1) if path else ():
            hits.note(path, each, block[5].strip("0"))
    for path, found in hits.files.items():
        code = code_lines(hits.tree.text(path) or "", "go")
        hits.files[path] = {line: hit for line, hit in found.items() if line in code}
    return hits.covered()


def _modules(root: Path, folder: str) -> dict[str, str]:
    """The modules that go.work, the run's folder and the root have, the longest import path first."""
    used = [os.path.normpath(each) for each in used_modules(Folder(root))]
    manifests = {place: read_inside(root / place, "go.mod") for place in ("", *used, folder)}
    found = {module[1]: place for place, text in manifests.items() if (module := _MODULE.search(text))}
    return dict(sorted(found.items(), key=lambda each: -len(each[0])))


def _wrong_form(form: str) -> Unreadable:
    return Unreadable("coverage.unreadable", form=form, why=Phrase("coverage.why_form"))


def _bounded(data: bytes, form: str) -> bytes:
    if len(data) > _LARGEST:
        raise Unreadable("coverage.unreadable", form=form, why=Phrase("coverage.why_large"))
    return data


def _json(data: bytes, form: str) -> dict[str, Any]:
    try:
        loaded = json.loads(_bounded(data, form))
    except (ValueError, RecursionError):
        loaded = None
    if not isinstance(loaded, dict):
        raise _wrong_form(form)
    return loaded


def _number(value: object, highest: int = 10**15) -> int | None:
    """A whole number that is written as such, not negative; None for anything else."""
    if isinstance(value, str):
        digits = value.strip()
        value = int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 20 else None
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= highest:
        return None
    return value


_GRAMMARS = {"python": "python", "javascript": "tsx", "go": "go", "java": "java", "rust": "rust"}
_SHUT = frozenset("{}()[];,")
_NO_CODE = ("comment", "hash_bang_line")


@lru_cache(maxsize=256)  # Node tells of the same files once for each process
def code_lines(text: str, family: str) -> frozenset[int]:
    """The lines that hold code: not blank, not comment alone, not closing brackets alone.

    For tools that tell ranges and not lines, and for files that no tool has measured. Where a text is broken,
    more counts as code rather than less.
    """
    lines = text.split("\n")
    filled = {number for number, line in enumerate(lines, 1) if line.strip()}
    if family not in _GRAMMARS:
        return frozenset(filled)
    found: set[int] = set()
    skipped = -1  # bytes before this one belong to what is no code
    for node in walk(parse(_GRAMMARS[family], text.encode("utf-8", "replace")).root_node):
        if node.start_byte < skipped:
            continue
        if node.type.endswith(_NO_CODE) or _is_docstring(node):
            skipped = node.end_byte
        elif not node.child_count and node.type not in _SHUT and node.end_byte > node.start_byte:
            last = node.end_point[0] + (node.end_point[1] > 0)
            found.update(range(node.start_point[0] + 1, max(last, node.start_point[0] + 1) + 1))
    return frozenset(found & filled)


def _is_docstring(node: "Node") -> bool:
    """A string that is a statement of its own."""
    return (
        node.type == "expression_statement" and len(node.children) == 1 and node.children[0].type == "string"
    )
