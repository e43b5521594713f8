"""What goes back to the base's version for the base exam, and which files commands name. Pure.

Of files that the product needs as well (package.json, pyproject.toml) only what they say about the exam does.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import NamedTuple

from donewhen.core.accept import Accept
from donewhen.core.integrity.roles import is_mixed
from donewhen.verify.merging import merged

Content = Callable[[str], bytes | None]  # of a path in one tree
_MOST_WORDS = 2000
_LONGEST = 1000  # characters of a word
_TRIM = "\"'`()[]{}<>;,"


class PutBack(NamedTuple):
    paths: tuple[str, ...] = ()  # as at the base; gone where the base has none
    written: Mapping[str, bytes] = {}  # with a content of their own

    def __bool__(self) -> bool:
        return bool(self.paths or self.written)


def with_merged(paths: Iterable[str], base: Content, now: Content) -> PutBack:
    """The same, with what can be taken apart put together again: the base's exam, the rest of the change."""
    whole: list[str] = []
    written: dict[str, bytes] = {}
    for path in paths:
        if not is_mixed(path):
            whole.append(path)
            continue
        before, after = base(path), now(path)
        parts = merged(path, before, after) if before is not None and after is not None else None
        if parts is None:
            whole.append(path)
        else:
            written[path] = parts
    return PutBack(tuple(whole), written)


def named_by(entries: Iterable[Accept], lines: Iterable[str], paths: Collection[str]) -> frozenset[str]:
    """Those of `paths` that the commands name, as a file or as a module.

    `lines` are what stands behind the commands (the recipe of a target, a script).
    """
    words: set[str] = set()
    for entry in entries:
        words.update(f"{entry.cwd}/{word}".lstrip("/") for word in entry.argv)
    for line in lines:
        words.update(line.split()[:_MOST_WORDS])
    plain = {_plain(word) for word in words}
    modules = {".".join(word.split(".")[:count]) for word in plain for count in range(1, word.count(".") + 2)}
    return frozenset(path for path in paths if path in plain or not modules.isdisjoint(_modules(path)))


def _plain(word: str) -> str:
    """`./tests/test_a.py::Case::test_b` is the file."""
    return word.strip(_TRIM).partition("::")[0].removeprefix("./").rstrip("/")[:_LONGEST]


def _modules(path: str) -> set[str]:
    """How a command names a file without its ending: as a path, or as a module of Python."""
    stem = path.rpartition(".")[0]
    return {stem, stem.replace("/", ".")} - {""}
