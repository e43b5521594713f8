"""What the base's exam says: its commands, recipes and scripts behind them, and which of these are its own.

A script that a command runs is the exam's if its name or its content says so; what a script of the exam runs
in turn may be the product, so there only names and assertions count. Nothing is run.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, Protocol

from donewhen.core.accept import Accept
from donewhen.core.integrity.roles import role_of
from donewhen.core.tree import Refused
from donewhen.shell import parse
from donewhen.verify.behind_model import Line
from donewhen.verify.behind_status import Text
from donewhen.verify.integrity.exam_files import role_in
from donewhen.verify.integrity.exam_pages import examples_of, pages_in, pages_of
from donewhen.verify.integrity.exam_scripts import Started, is_subject, judges, named_so, started

_DEEPEST = 4
_MOST = 100  # scripts
_MOST_TESTS = 200  # files
_LARGEST = 256 * 1024
_SHELL = (".sh", ".bash")
_SHEBANG = re.compile(rb"#![^\n]{0,80}\b(?:ba|da|z|k)?sh\b")
_IMPORTS = re.compile(
    r"^[ \t]{0,40}(?:from[ \t]+([\w.]{1,120})[ \t]+import\b|import[ \t]+([\w., \t]{1,200}))"
    r"|(?:from|require\(|import\()[ \t]{0,9}[\"'`]([./][^\"'`\n]{1,200})[\"'`]",
    re.MULTILINE,
)


class Tree(Protocol):
    def paths(self) -> Collection[str]: ...

    def read(self, paths: Iterable[str]) -> Mapping[str, bytes]: ...


class Spoken(NamedTuple):
    """One text of the exam; `folders` are those that its relative paths may be seen from."""

    source: str
    text: str
    shell: bool
    folders: tuple[str, ...] = ("",)
    loose: bool = True  # a name without a folder counts: no test, where such names are mostly made up


class Reach(NamedTuple):
    spoken: tuple[Spoken, ...] = ()
    runs: tuple[Started, ...] = ()  # what commands run by name
    programs: frozenset[str] = frozenset()  # in command position
    pages: frozenset[str] = frozenset()  # documents whose examples are the exam

    def imported(self) -> frozenset[str]:
        """Modules that the texts load, as paths without an ending."""
        return frozenset(name for each in self.spoken if not each.shell for name in _imported(each))


def reach(entries: Sequence[Accept], lines: Sequence[Line], base: Tree, goal: str = "") -> Reach:
    """`lines`: what stands behind the entries, as the base has it."""
    finder = _Finder(base, goal)
    for entry in entries:
        finder.say(Spoken(entry.label, entry.text, True, (entry.cwd, "")), 0)
    for line in lines:
        if line.source not in finder.there:  # scripts are found from the commands that run them
            finder.say(Spoken(line.source, line.text, True), 0)
    finder.tests()
    return Reach(
        tuple(finder.spoken.values()),
        tuple(dict.fromkeys(finder.runs)),
        frozenset(finder.programs),
        frozenset(finder.pages),
    )


class _Finder:
    def __init__(self, base: Tree, goal: str) -> None:
        self.there = frozenset(base.paths())
        self.spoken: dict[str, Spoken] = {}
        self.runs: list[Started] = []
        self.programs: set[str] = set()
        self.pages: set[str] = set()
        self._base = base
        self._goal = goal

    def say(self, text: Spoken, depth: int) -> None:
        key = text.source if text.source in self.there else f"{text.source}\n{text.text}"
        if key in self.spoken or len(self.spoken) >= _MOST:
            return
        self.spoken[key] = text
        if not text.shell:
            self._read_pages(pages_in(text.text, text.folders, self.there))
        if not text.shell or depth >= _DEEPEST:
            return
        for words in _invocations(text.text):
            self.programs.add(words[0])
            for folder in text.folders:
                self._read_pages(pages_of(words, folder, self.there))
                self._start(started(words, folder, text.source in self.there), depth)

    def _read_pages(self, paths: Iterable[str]) -> None:
        """What the examples of a document load and call, is what it examines."""
        fresh = [path for path in paths if path not in self.pages][:_MOST_TESTS]
        for path, data in self._base.read(fresh).items():
            self.pages.add(path)
            examples = examples_of(data[:_LARGEST].decode(errors="replace"))
            folders = tuple(dict.fromkeys(("", path.rpartition("/")[0])))
            self.spoken.setdefault(path, Spoken(path, examples, False, folders, loose=False))

    def _start(self, run: Started | None, depth: int) -> None:
        if run is None or run.path not in self.there:
            return
        self.runs.append(run)
        data = self._base.read((run.path,)).get(run.path, b"")[:_LARGEST]
        if b"\0" in data or not self._is_exams(run, data):
            return
        shell = run.path.endswith(_SHELL) or bool(_SHEBANG.match(data))
        folders = tuple(dict.fromkeys(("", run.path.rpartition("/")[0])))
        self.say(Spoken(run.path, data.decode(errors="replace"), shell, folders), depth + 1)

    def _is_exams(self, run: Started, data: bytes) -> bool:
        role = role_in(run.path, data, None, (run.path,))
        if role not in ("source", "other") or named_so(run.path):
            return True
        text = data.decode(errors="replace")
        return not run.nested and not run.operands and judges(text) and not is_subject(run.path, self._goal)

    def tests(self) -> None:
        """The tests that a runner collects: what they read belongs to the exam as well."""
        paths = sorted(path for path in self.there if role_of(path) == "test")[:_MOST_TESTS]
        for path, data in self._base.read(paths).items():
            folders = tuple(dict.fromkeys(("", path.rpartition("/")[0])))
            text = data[:_LARGEST].decode(errors="replace")
            self.spoken.setdefault(path, Spoken(path, text, path.endswith(_SHELL), folders, loose=False))
            self._read_pages(pages_in(text, folders, self.there))


def _invocations(text: str) -> Iterator[tuple[str, ...]]:
    tree = parse(text[:60_000])
    if isinstance(tree, Refused):
        return
    try:
        for place in Text(tree).places():
            words = tuple(word.text for word in place.invocation.words)
            if words and words[0]:
                yield words
    except RecursionError:
        return


def _imported(text: Spoken) -> Iterator[str]:
    folder = text.folders[-1]
    for match in _IMPORTS.finditer(text.text[:_LARGEST]):
        module, several, path = match.groups("")
        for name in (module, *re.split(r"[\s,]+", several)):
            parts = name.strip(".").split(".")
            yield from ("/".join(parts[:count]) for count in range(1, len(parts) + 1) if parts[0])
        if path:
            stem = re.sub(r"\.[cm]?[jt]sx?$", "", path.removeprefix("./"))
            while stem.startswith("../"):
                stem, folder = stem[3:], folder.rpartition("/")[0]
            yield f"{folder}/{stem}".lstrip("/")
