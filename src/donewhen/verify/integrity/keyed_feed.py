"""What keyed answers are looked for with: the tests that could ask new source, and the data that it reads.

Tests are those by name, and scripts that assert whatever they are called. Data counts only where changed
source speaks of it; documents, catalogues of translations and what the goal names are nobody's answers.
"""

import posixpath
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Protocol

from donewhen.core.integrity.keyed_data import LARGEST, tables
from donewhen.core.integrity.model import Branch, Pair, Sheet
from donewhen.core.integrity.roles import role_of
from donewhen.verify.integrity.keyed_tables import (
    may_hold_tables,
    rows_of_files,
    tables_beside,
    takes_from_elsewhere,
)
from donewhen.verify.integrity.reading import LANGUAGES, SOURCES, read_sheet
from donewhen.verify.integrity.shellscript.reader import asked_by
from donewhen.verify.integrity.shellscript.reader import read as shell_sheet

_MOST_TESTS = 400  # files that are read to see which literals only tests have
_MOST_SCRIPTS = 150  # other files that may turn out to assert
_MOST_BYTES = 8 * 1024 * 1024
_ASSERTS = re.compile(
    rb"^[ \t]{0,40}(?:assert\b|console\.assert\b|t?\.?(?:ok|is|equal|deepEqual)\(|expect\(|check\("
    rb"|(?:expect|check)[\w-]{0,40}[ \t])"
    rb"|\braise (?:AssertionError|SystemExit)\b|\bsys\.exit\(|\bprocess\.exit(?:Code)?\b|\bexit [1$\"]",
    re.MULTILINE,
)
_SHEBANG = re.compile(rb"#![^\n]{0,80}\b(?:ba|da|z|k)?sh\b")
_DATA = frozenset("json json5 csv tsv txt dat data yaml yml toml ini cfg conf properties tbl map".split())
_ELSEWHERE = re.compile(
    r"(?:^|/)(?:docs?|examples?|samples?|locales?|i18n|l10n|lang|langs|translations?|messages|node_modules)/"
    r"|(?:^|/)(?:messages|translations?|strings|[a-z]{2}(?:[-_][A-Za-z]{2})?)\.\w{1,10}$"
    r"|lock(?:file)?\.\w{1,5}$|(?:^|/)(?:readme|changelog|license|requirements)[^/]{0,40}$",
    re.IGNORECASE,
)


class Files(Protocol):
    """The files of one tree."""

    def paths(self) -> Collection[str]: ...

    def read(self, paths: Iterable[str]) -> Mapping[str, bytes]: ...


def exam_sheets(pairs: Sequence[Pair], base: Files, now: Files) -> tuple[Sheet, ...]:
    """Tests, changed or not, that could speak of what new source answers by literals."""
    sources = [pair for pair in pairs if pair.now is not None and pair.now.role in ("source", "other")]
    if not any(_says_more(pair) for pair in sources):
        return ()
    changed = [sheet for pair in pairs for sheet in pair if sheet is not None and sheet.tests]
    known = {sheet.path for sheet in changed}
    mentions = _mentions(_names(sources))
    others: list[Sheet] = []
    for tree in (now, base):
        paths = sorted(path for path in tree.paths() if path not in known and _is_readable(path))
        tests = [path for path in paths if role_of(path) == "test"][:_MOST_TESTS]
        rest = [path for path in paths if role_of(path) in ("source", "config")]
        scripts = sorted(rest, key=lambda path: (path.count("/"), path))[:_MOST_SCRIPTS]
        data = tree.read([*tests, *scripts])
        known.update(path for path in tests if path in data)
        asking = frozenset(tests)
        for path, each in _bounded(data):
            if mentions(each) and (path in asking or _ASSERTS.search(each)):
                others.append(asked_by(path, each) if _is_shell(path) else read_sheet(path, each, "test"))
    asking_too = [*changed, *(sheet for sheet in others if sheet.tests)]
    return (*asking_too, *(sheet for tree in (now, base) for sheet in _beside(tree, asking_too)))


def _beside(tree: Files, tests: Sequence[Sheet]) -> Iterator[Sheet]:
    """What the tests ask by tables that they have from other files of the exam."""
    yield from rows_of_files(tree)
    if any(takes_from_elsewhere(test) for sheet in tests for test in sheet.tests):
        texts = tree.read([sheet.path for sheet in tests])
        exam = sorted(path for path in tree.paths() if role_of(path) in ("test", "support"))
        files = [path for path in exam if path not in texts and may_hold_tables(path)][:_MOST_TESTS]
        yield from tables_beside(tests, texts, dict(_bounded(tree.read(files))))


def _names(sources: Iterable[Pair]) -> set[str]:
    """By which tests may call what changed: functions, whatever is defined there, or the files."""
    branches = {
        branch.function.rpartition(".")[2] for pair in sources for branch in _fresh(pair) if branch.function
    }
    defined = {name for pair in sources if pair.now for name in pair.now.defines if "." not in name}
    stems = {posixpath.basename(pair.path).partition(".")[0] for pair in sources}
    return branches | defined | stems


def _says_more(pair: Pair) -> bool:
    """New branches or new literals: without those nothing can be keyed."""
    had = pair.base.literals if pair.base else frozenset()
    return any(_fresh(pair)) or bool(pair.now and pair.now.literals - had)


def _fresh(pair: Pair) -> Iterator[Branch]:
    """Branches of the change that the base had not."""
    if pair.now is not None:
        had = {branch._replace(line=0) for branch in pair.base.branches} if pair.base else set()
        yield from (branch for branch in pair.now.branches if branch._replace(line=0) not in had)


def _is_readable(path: str) -> bool:
    return path.rpartition(".")[2].lower() in LANGUAGES or _is_shell(path)


def _is_shell(path: str) -> bool:
    return path.rpartition(".")[2].lower() in (*SOURCES, "bats")


def _mentions(names: Collection[str]) -> Callable[[bytes], bool]:
    wanted = [re.escape(name.encode(errors="surrogateescape")) for name in sorted(names) if name][:2000]
    found = re.compile(b"|".join(wanted)) if wanted else None
    return lambda data: found is None or found.search(data) is not None


def _bounded(data: Mapping[str, bytes]) -> Iterator[tuple[str, bytes]]:
    left = _MOST_BYTES
    for path, each in data.items():
        left -= len(each)
        if left < 0:
            return
        yield path, each


def data_pairs(
    paths: Iterable[str], before: Mapping[str, bytes], after: Mapping[str, bytes], goal: str
) -> tuple[Pair, ...]:
    """Changed files of data that changed source speaks of, and scripts whose names tell nothing."""
    return (*_scripts(paths, before, after), *_data(paths, before, after, goal))


def _scripts(paths: Iterable[str], before: Mapping[str, bytes], after: Mapping[str, bytes]) -> Iterator[Pair]:
    """Shell scripts that only their first line says to be ones: bin/pad."""
    for path in paths:
        if role_of(path) == "other" and _SHEBANG.match(after.get(path, b"")):
            old = shell_sheet(path, before[path], "source") if path in before else None
            yield Pair(old, shell_sheet(path, after[path], "source"))


def _data(
    paths: Iterable[str], before: Mapping[str, bytes], after: Mapping[str, bytes], goal: str
) -> tuple[Pair, ...]:
    told = goal.lower()
    wanted = [path for path in paths if path in after and _is_data(path)]
    wanted = [path for path in wanted if posixpath.basename(path).lower() not in told]
    if not wanted:
        return ()
    code = [after[path] for path in after if role_of(path) == "source"]
    return tuple(
        Pair(_sheet(path, before[path]) if path in before else None, _sheet(path, after[path]))
        for path in wanted
        if any(_speaks_of(path, each) for each in code)
    )


def _is_data(path: str) -> bool:
    known = path.rpartition(".")[2].lower() in _DATA
    return known and role_of(path) == "other" and not _ELSEWHERE.search(path)


def _speaks_of(path: str, code: bytes) -> bool:
    name = posixpath.basename(path)
    stem, _, suffix = name.rpartition(".")
    quoted = (f"{name}", f"/{stem}'", f'/{stem}"', f'"{stem}"', f"'{stem}'", f".{suffix}")
    return any(each.encode(errors="surrogateescape") in code for each in quoted)


def _sheet(path: str, data: bytes) -> Sheet:
    text = data[: LARGEST + 1].decode(errors="replace")
    return Sheet(path, "other", branches=tables(text))
