"""Files that the base's exam reads, or runs by a glob, and that the change made, changed or took away.

Cases that a script loops over, lists of what to skip, start-up files that it sources: part of the exam,
though nothing in them is a test. What the product reads as well, what an exam without product is about, and
what the goal names is the work itself. Whether anything was gained is told by sitting the base's exam.
"""

import re
from collections.abc import Collection, Iterator, Mapping
from functools import cached_property

from donewhen.core.integrity.finding import found
from donewhen.core.integrity.model import Finding
from donewhen.core.integrity.roles import CODE
from donewhen.core.integrity.roles import role_of
from donewhen.core.texts import Phrase
from donewhen.core.view import Change as Kind
from donewhen.verify.integrity.exam_files import role_in
from donewhen.verify.integrity.exam_goal import is_content, orders_data, speaks_of
from donewhen.verify.integrity.exam_index import Index, Named
from donewhen.verify.integrity.exam_reach import Reach, Tree
from donewhen.verify.integrity.exam_scripts import asks, judges, named_so
from donewhen.verify.integrity.exam_words import Word

_MOST_SOURCES = 400  # files of the product
_LARGEST = 256 * 1024
_MOST_TOLD = 20
_MOST_CHANGED = 2000
_PRODUCT_FOLDERS = frozenset("src lib app pkg internal source sources cmd".split())
_BUILDERS = frozenset("go cargo java javac mvn gradle dotnet swift zig gcc cc clang g++ rustc".split())
_RUNNABLE = frozenset("py js mjs cjs ts sh bash rb pl php lua".split())
_HOW: Mapping[Kind, str] = {"deleted": "gone", "added": "made", "modified": "edited"}


class ExamData:
    """Which changed files belong to the exam because the base's exam names them."""

    def __init__(self, reach: Reach, base: Tree, goal: str) -> None:
        self._reach = reach
        self._base = base
        self._goal = goal
        self._there = frozenset(base.paths())

    def ran(self, changed: Collection[str]) -> frozenset[str]:
        """Changed code that the exam runs without naming it: `for f in t/*.py`."""
        return frozenset(path for path in changed if self._is_ran(path))

    def findings(self, changed: Mapping[str, Kind], now: Tree) -> tuple[Finding, ...]:
        """One for each changed file that is the exam's and that no table of names knows as such."""
        found_ones = []
        for path, kind in sorted(changed.items())[:_MOST_CHANGED]:
            role = role_of(path)
            known = role not in ("other", "source") and not (role == "config" and kind == "added")
            named = None if known else self._belongs(path, kind)
            if named is not None:
                found_ones.append(_finding(path, kind, named))
        if not any(each.rule == "test-deleted" for each in found_ones):
            return tuple(found_ones[:_MOST_TOLD])
        kept = self._still_read(changed, now)
        return tuple(each for each in found_ones if each.file not in kept)[:_MOST_TOLD]

    def _belongs(self, path: str, kind: Kind) -> Named | None:
        page = path in self._reach.pages
        if kind == "modified" and is_content(path) and not page:
            return None
        named = self._named(path, optional=kind == "added")
        if page and named is None:  # by a path that leads out of a folder
            named = Named(Word(path, 1), path)
        if kind == "added" and named is not None and named.word.is_glob:
            return None  # one more of them
        if named is None or not self._examines_product:
            return None
        code = path.rpartition(".")[2].lower() in CODE
        if code and kind != "added" and not self._is_ran(path):
            return None
        if code and kind == "added" and (path.rpartition(".")[2] not in ("sh", "bash")):
            return None
        if self._product_reads(path) and not code:
            return None
        return None if orders_data(path, kind, self._goal, strictly=page) else named

    def _named(self, path: str, optional: bool) -> Named | None:
        found_ones = [each for each in self._all_named(path) if each.word.optional or not optional]
        return min(
            found_ones, key=lambda each: (each.word.is_glob, each.source, each.word.line), default=None
        )

    def _all_named(self, path: str) -> Iterator[Named]:
        yield from self._index.files(path)
        for folder, named in self._index.folders(path):
            if not named.word.optional and folder not in self._product_folders:
                yield named

    @cached_property
    def _index(self) -> Index:
        return Index(self._reach.spoken)

    @cached_property
    def _own(self) -> frozenset[str]:
        return frozenset(each.source for each in self._reach.spoken)

    @cached_property
    def _sources(self) -> dict[str, bytes]:
        """The product's code at the base."""
        paths = sorted(p for p in self._there if role_of(p) == "source" and p not in self._own)
        read = self._base.read(paths[:_MOST_SOURCES])
        return {path: data[:_LARGEST] for path, data in read.items() if not self._is_ran(path)}

    @cached_property
    def _product_folders(self) -> frozenset[str]:
        parts = (path.split("/")[:-1] for path in self._sources)
        return frozenset("/".join(each[:count]) for each in parts for count in range(1, len(each) + 1))

    @cached_property
    def _examines_product(self) -> bool:
        """Whether the exam runs or loads code of the product: else the data is what is examined."""
        imported = self._reach.imported()
        started = {run.path for run in self._reach.runs}
        for path in self._sources:
            stem = path.rpartition(".")[0]
            if path in started or stem in imported or any(stem.endswith(f"/{name}") for name in imported):
                return True
            if self._named(path, optional=False) is not None:
                return True
        return self._loads_by_glob or bool(self._sources and _BUILDERS & self._reach.programs)

    @cached_property
    def _loads_by_glob(self) -> bool:
        """Checks that a runner loads by a glob have imports of their own."""
        stems = {path.rpartition(".")[0].rpartition("/")[2] for path in self._sources} - {""}
        paths = [path for path in self._there if path not in self._own and self._is_ran(path)][:_MOST_SOURCES]
        texts = b"\n".join(self._base.read(paths).values()).decode(errors="replace")
        return any(re.search(rf"\b{re.escape(stem)}\b", texts) for stem in stems)

    def _is_ran(self, path: str) -> bool:
        if path in self._ran_known:
            return self._ran_known[path]
        self._ran_known[path] = False
        self._ran_known[path] = found_one = self._looks_ran(path)
        return found_one

    @cached_property
    def _ran_known(self) -> dict[str, bool]:
        return {}

    def _looks_ran(self, path: str) -> bool:
        folders = path.split("/")[:-1]
        if not folders or folders[0] in _PRODUCT_FOLDERS or path.rpartition(".")[2] not in _RUNNABLE:
            return False
        if role_of(path) != "source" or path in self._own or not self._by_glob(path):
            return False
        data = self._base.read((path,)).get(path, b"")[:_LARGEST]
        role = role_in(path, data, None, (path,))
        text = data.decode(errors="replace")
        return role != "source" or judges(text) or asks(path, text) or named_so(path)

    def _by_glob(self, path: str) -> bool:
        if any(True for _ in self._index.globs(path)):
            return True
        parent = path.rpartition("/")[0]
        loads = {each.source for each in self._reach.spoken if each.loose and not each.shell}
        return any(folder == parent and named.source in loads for folder, named in self._index.folders(path))

    def _product_reads(self, path: str) -> bool:
        if any(speaks_of(data.decode(errors="replace"), path) for data in self._sources.values()):
            return True
        recipes = [p for p in self._there if "/" not in p and role_of(p) == "config"]
        name = path.rpartition("/")[2]
        for recipe, data in self._base.read(recipes).items():
            said = sum(each.text.count(name) for each in self._reach.spoken if each.source.startswith(recipe))
            if data[:_LARGEST].decode(errors="replace").count(name) > said:
                return True
        return False

    def _still_read(self, changed: Mapping[str, Kind], now: Tree) -> frozenset[str]:
        """Deleted files whose whole content lies where the exam reads it as well."""
        fresh = [path for path, kind in changed.items() if kind == "added"]
        held: dict[bytes, list[str]] = {}
        for path, data in now.read(fresh).items():
            held.setdefault(data, []).append(path)
        gone = self._base.read(path for path, kind in changed.items() if kind == "deleted")
        return frozenset(
            path
            for path, data in gone.items()
            if data and any(self._reads_all(path, other) for other in held.get(data, ()))
        )

    def _reads_all(self, path: str, other: str) -> bool:
        """Whether everything that named the file names the other as well; what is hidden or deeper may not
        be looked for, and the sitting of the base's exam tells."""
        alike = path.count("/") == other.count("/") and _hidden(path) == _hidden(other)
        words = {each.word for each in self._all_named(other)}
        return alike and bool(words) and {each.word for each in self._all_named(path)} <= words


def _hidden(path: str) -> int:
    return sum(part.startswith((".", "_")) for part in path.split("/"))


def _finding(path: str, kind: Kind, named: Named) -> Finding:
    how = _HOW[kind]
    values = {"file": path, "place": named.place, "word": named.word.text}
    message, wanted = Phrase(f"examdata.{how}", values), Phrase(f"examdata.{how}_wanted", values)
    rule = "test-deleted" if kind == "deleted" else "expected-changed"
    return found(rule, path, 1, before=path, message=message, wanted=wanted)._replace(policy="warn")
