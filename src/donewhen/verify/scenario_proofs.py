"""Scenarios of a promise proven or not: the tests that name them, and what became of those in the exam.

A linked test that the change brought must fail on the base's source, so the exam is run once more with the
source as it was; only where there is such a test. Where a report leaves open which of two tests it means,
both are meant: a failure of either counts against the link, so that a doubt never proves anything.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import NamedTuple

from donewhen.core.checks import promised_scenarios
from donewhen.core.scenarios import Case, Link, Proof, Tried, prove
from donewhen.project.roles import role_of
from donewhen.verify.change import Looked
from donewhen.verify.failures import same_file
from donewhen.verify.inspecting import GitTree
from donewhen.verify.new_tests import on_base_code
from donewhen.verify.rerun import ExamContext
from donewhen.verify.scenario_links import gather
from donewhen.verify.test_functions import TestFunction, read_test_functions

_CODE = (".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".mts", ".cts")


class Reported:
    """The cases of one run of the exam, found again by the tests that they are runs of."""

    def __init__(self, cases: Iterable[Case]) -> None:
        self.cases = tuple(cases)
        self._indexes: dict[str, dict[str, list[Case]]] = {}

    def of(self, link: Link) -> tuple[Case, ...]:
        """The cases that are runs of the linked test."""
        way = _WAYS.get(link.language)
        if way is None:
            return _by_line(link, self.cases)
        key = way.key(link.test)
        near = self._index(link.language, way).get(key, ()) if key else self.cases
        found = tuple(case for case in near if way.matches(link, case)) if link.test else ()
        return _of_package(link, found) if link.language == "go" else found

    def _index(self, language: str, way: "_Way") -> dict[str, list[Case]]:
        if language not in self._indexes:
            index: dict[str, list[Case]] = {}
            for case in self.cases:
                for key in dict.fromkeys(way.keys(case)):
                    index.setdefault(key, []).append(case)
            self._indexes[language] = index
        return self._indexes[language]


def _python(link: Link, case: Case) -> bool:
    own = _plain(case.name)
    told = f"{case.group}.{own}" if case.group else own
    leaf = link.test.rpartition(".")[2]
    if case.file:
        if not same_file(case.file, link.file):
            return False
        inside = case.line and link.first <= case.line <= link.last and own == leaf
        return bool(inside) or told == link.test or told.endswith(f".{link.test}")
    module = link.file.rpartition(".")[0].replace("/", ".")
    full = f"{module}.{link.test}"
    least = f"{PurePosixPath(link.file).stem}.{link.test}"
    return _ends(told, least) and (_ends(full, told) or _ends(told, full))


def _plain(name: str) -> str:
    """Without the row of a table: `test_adds[1-2]`, `test_adds (n=1)`."""
    return name.partition("[")[0].partition(" ")[0]


def _ends(text: str, end: str) -> bool:
    return text == end or text.endswith(f".{end}")


def _javascript(link: Link, case: Case) -> bool:
    file = case.file or (case.group if case.group.endswith(_CODE) else "")
    if file and not same_file(file, link.file):
        return False
    parts = link.test.split(" > ")
    return any(
        fits(parts, titles) for titles, whole in _told(case) if whole or len(parts) > 1 or not case.suites
    )


def _told(case: Case) -> Iterator[tuple[tuple[str, ...], bool]]:
    """The titles that a case may stand for; False: its name alone, which may leave out those around it."""
    suites = tuple(title for title in case.suites if not title.endswith((*_CODE, "undefined")))
    yield (*suites, case.name), True
    yield ("" if case.group.endswith(_CODE) else case.group, case.name), True
    yield (case.name,), not suites
    for end in range(1, len(suites) + 1):  # a test with parts is the suite of those
        yield suites[:end], True


def _of_package(link: Link, cases: tuple[Case, ...]) -> tuple[Case, ...]:
    """Those of the package in the test's folder. A module's own folder may have any name: then the only
    package, and at the root of the tree the one with the shortest path."""
    folder = PurePosixPath(link.file).parent.name
    groups = sorted({case.group for case in cases}, key=len)
    chosen = [group for group in groups if folder and group.rpartition("/")[2] == folder]
    if not chosen and (len(groups) == 1 or not folder):
        chosen = groups[:1]
    return tuple(case for case in cases if case.group in chosen)


def _rust(link: Link, case: Case) -> bool:
    if case.name == link.test:
        return True
    path = PurePosixPath(link.file).with_suffix("").parts
    inner = path[len(path) - path[::-1].index("src") :] if "src" in path else path[-1:]
    modules = [part for part in inner if part not in ("lib", "main", "mod")]
    return case.name == "::".join((*modules, link.test))


def _java(link: Link, case: Case) -> bool:
    owner, _, method = link.test.rpartition(".")
    name = _method(case.name)
    group = case.group.replace("$", ".")
    if name != method or not (_ends(group, owner) or not owner):
        return False
    package = group.removesuffix(owner).strip(".")
    return not package or _ends(str(PurePosixPath(link.file).parent).replace("/", "."), package)


def _method(name: str) -> str:
    """`adds(int, int)[1]`, `adds{int}[1]` → `adds`."""
    return name.partition("(")[0].partition("[")[0].partition("{")[0].strip()


def _by_line(link: Link, cases: Iterable[Case]) -> tuple[Case, ...]:
    """Of a language that nobody reads: the case that the report puts at the comment, or last before it."""
    here = [case for case in cases if case.line and case.file and same_file(case.file, link.file)]
    lines = sorted({case.line for case in here})
    below = [line for line in lines if link.line < line <= link.line + 1]
    before = [line for line in lines if line <= link.line]
    chosen = (below or before[-1:] or [0])[0]
    return tuple(case for case in here if case.line == chosen)


class _Way(NamedTuple):
    """How the runners of a language name tests. Keys only find candidates; `matches` decides."""

    matches: Callable[[Link, Case], bool]
    key: Callable[[str], str]  # of a test's name; "" where every case must be looked at
    keys: Callable[[Case], Iterable[str]]


_TITLES = _Way(
    _javascript,
    lambda test: "" if has_places(test) else flat(test.split(" > ")),
    lambda case: [flat(titles) for titles, _ in _told(case)],
)
_WAYS: Mapping[str, _Way] = {
    "python": _Way(_python, lambda test: test.rpartition(".")[2], lambda case: [_plain(case.name)]),
    "javascript": _TITLES,
    "typescript": _TITLES,
    "go": _Way(lambda link, case: case.name == link.test, str, lambda case: [case.name]),
    "rust": _Way(_rust, lambda test: test.rpartition("::")[2], lambda case: [case.name.rpartition("::")[2]]),
    "java": _Way(_java, lambda test: test.rpartition(".")[2], lambda case: [_method(case.name)]),
}


# Titles of JavaScript tests: how runners join them, and titles with places for the values of a row.

_BETWEEN = re.compile(r" [>›] ")
_PLACE = re.compile(r"%[sdifjoOpc#$%]|\$\{[^}]{0,200}\}|\$#|\$[A-Za-z_][\w.]{0,80}")
_LONGEST = 2000


def fits(parts: Iterable[str], titles: Iterable[str]) -> bool:
    """Whether the titles that a report tells are those of the test, joined in whatever way."""
    told = flat(titles)
    wanted = flat(parts)
    if told == wanted:
        return bool(told)
    fixed = _PLACE.split(wanted)
    return len(fixed) > 1 and any(piece.strip() for piece in fixed) and _in_order(fixed, told)


def has_places(title: str) -> bool:
    return _PLACE.search(title[:_LONGEST]) is not None


def flat(titles: Iterable[str]) -> str:
    """All in one, with single blanks between, whatever stood there."""
    joined = " ".join(title for title in titles if title)
    return " ".join(_BETWEEN.sub(" ", joined[:_LONGEST]).split())


def _in_order(fixed: list[str], told: str) -> bool:
    """Every fixed piece, one after another; the first at the start, the last at the end."""
    first, *middle, last = fixed
    if not told.startswith(first) or not told.endswith(last) or len(told) < len(first) + len(last):
        return False
    at, end = len(first), len(told) - len(last)
    for piece in middle:
        found = told.find(piece, at, end)
        if found < 0:
            return False
        at = found + len(piece)
    return True


# What the exam proves.


class ChangedTests(NamedTuple):
    """The tests of one changed file; None where it is not there."""

    path: str
    before: tuple[TestFunction, ...] | None
    now: tuple[TestFunction, ...] | None


class AtBase(NamedTuple):
    """The exam with the change's tests on the base's source: was it green, and what became of each test?"""

    green: bool
    cases: tuple[Case, ...] = ()


def prove_scenarios(
    ids: Iterable[str],
    links: Sequence[Link],
    cases: Sequence[Case],
    files: Sequence[ChangedTests],
    at_base: AtBase | None = None,
) -> tuple[Proof, ...]:
    """What the exam proves of each scenario; `cases` are of the change's exam, `files` the changed ones."""
    needed = frozenset(ids := tuple(ids))
    mine = [link for link in links if link.id in needed]
    new = new_links(mine, files)
    here, there = Reported(cases), Reported(at_base.cases if at_base else ())
    tried = [
        Tried(link, here.of(link), link in new, fails_there(link, at_base, there) if link in new else None)
        for link in mine
    ]
    return prove(ids, tried, reported=bool(cases))


def new_links(links: Iterable[Link], files: Sequence[ChangedTests]) -> frozenset[Link]:
    """The links whose tests the base does not have, under their name or with their text.

    Tests inside of a source file (Rust, doctests) come and go with it: they can't be tried on another one.
    """
    changed = {each.path: each for each in files}
    texts = {test.digest for each in files for test in each.before or ()}
    return frozenset(
        link
        for link in links
        if link.file in changed and role_of(link.file) != "source" and _is_new(link, changed, texts)
    )


def _is_new(link: Link, changed: dict[str, ChangedTests], texts: set[str]) -> bool:
    file = changed[link.file]
    if file.before is not None and not link.language:
        return False  # what is in there can't be told apart
    if any(test.name == link.test for test in file.before or ()):
        return False
    return not any(test.name == link.test and test.digest in texts for test in file.now or ())


def fails_there(link: Link, at_base: AtBase | None, reported: Reported) -> bool | None:
    """Whether the linked test fails on the base's source; one that can't even be loaded there fails, too."""
    if at_base is None:
        return None
    outcomes = {case.outcome for case in reported.of(link)}
    if "failed" in outcomes:
        return True
    if "passed" in outcomes:
        return False
    return None if at_base.green else True


def needs_base(ids: Iterable[str], links: Sequence[Link], files: Sequence[ChangedTests]) -> bool:
    """Whether the base's source must be examined with the change's tests: only new tests ask for it."""
    needed = frozenset(ids)
    return bool(new_links([link for link in links if link.id in needed], files))


async def prove_change(
    context: ExamContext | None, looked: Looked, cases: Sequence[Case]
) -> tuple[Proof, ...]:
    ids = promised_scenarios(looked.judged.plan.promise.checks)
    links, files = _links(looked, ids), _changed_tests(looked)
    at_base = await _at_base(context) if context and needs_base(ids, links, files) else None
    return prove_scenarios(ids, links, cases, files, at_base)


def _links(looked: Looked, ids: Sequence[str]) -> tuple[Link, ...]:
    """Every link of the tree; files without any of the ids are not even parsed."""
    tree = GitTree(looked.fingerprints, looked.change.fingerprint.tree)
    words = [name.encode() for name in ids]
    read = {p: data for p, data in tree.read(tree.paths()).items() if any(word in data for word in words)}
    return gather(sorted(read), lambda path: read[path])


def _changed_tests(looked: Looked) -> tuple[ChangedTests, ...]:
    change, fingerprints = looked.change, looked.fingerprints
    paths = sorted(change.changed)
    base = GitTree(fingerprints, fingerprints.tree(change.base.commit)).read(paths)
    now = GitTree(fingerprints, change.fingerprint.tree).read(paths)
    return tuple(
        ChangedTests(path, _tests(path, base.get(path)), _tests(path, now.get(path))) for path in paths
    )


def _tests(path: str, data: bytes | None) -> tuple[TestFunction, ...] | None:
    return None if data is None else read_test_functions(path, data)


async def _at_base(context: ExamContext) -> AtBase | None:
    """The change's tests on the base's source; None where that can't be tried."""
    there = await on_base_code(context)
    if there.why is not None and not there.commands:
        return None
    return AtBase(there.green, tuple(case for each in there.commands for case in each.result.cases))
