"""Which cases of a report are runs of a linked test: every runner names tests in its own way.

Where a report leaves open which of two tests it means, both are taken to be meant: a failure of either then
counts against the link, so that a doubt never proves anything.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import PurePosixPath
from typing import NamedTuple

from donewhen.core.scenarios import Case, Link
from donewhen.verify.scenarios.titles import fits, flat, has_places

_CODE = (".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".mts", ".cts")


class Reported:
    """The cases of one sitting, found again by the tests that they are runs of."""

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


def same_file(one: str, other: str) -> bool:
    """Whether two paths, each perhaps seen from another folder, are one file."""
    return one == other or one.endswith(f"/{other}") or other.endswith(f"/{one}")


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


def _go(link: Link, case: Case) -> bool:
    return case.name == link.test


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
    "go": _Way(_go, str, lambda case: [case.name]),
    "rust": _Way(_rust, lambda test: test.rpartition("::")[2], lambda case: [case.name.rpartition("::")[2]]),
    "java": _Way(_java, lambda test: test.rpartition(".")[2], lambda case: [_method(case.name)]),
}
