"""find, fd, xargs and parallel: what they would run, and on which paths.

They read names only; the commands behind them are followed by the walker with the paths (or the words of
their input) put in. Input that is not known is a hole among the words, never left out.
"""

from collections.abc import Iterator, Sequence

from donewhen.guard.call import Call, Nested, Reader, Words
from donewhen.guard.effects import Deletes, Effect, Reads, Writes
from donewhen.guard.marks import BELOW, HOLE, anything
from donewhen.guard.programs.finding import paths as finding_paths
from donewhen.guard.programs.finding import runners as finding_runners
from donewhen.guard.programs.finding.parallel import parallel
from donewhen.guard.programs.finding.paths import Search
from donewhen.guard.programs.finding.xargs import xargs
from donewhen.guard.programs.printing.lines import put

_MOST_PATHS = 64
_PLACEHOLDERS = ("{}", "{/}", "{//}", "{.}", "{/.}")


def _find(call: Call) -> Iterator[Effect | Nested]:
    found = finding_paths.find(call)
    yield from _looks(call, found)
    for path in found.written:
        yield Writes(call.at(path))
    for path in found.read:
        yield Reads(call.at(path))
        if found.deletes:
            yield Deletes(HOLE, deep=True)
    if found.deletes and found.empty:
        yield from (Writes(call.at(path)) for path in found.paths)
    elif found.deletes:
        yield from (Deletes(call.at(path), deep=not found.narrowed) for path in found.paths)
    paths = (HOLE,) if found.read else found.paths
    for option, words in found.commands:
        if not words:
            continue
        if option in ("-execdir", "-okdir"):
            yield from _in_folders(call, words, found, paths)
        else:
            yield from _with_paths(words, paths, call.name)


def _looks(call: Call, found: Search) -> Iterator[Effect]:
    """With a test for names only these are told, else all that a root holds."""
    for path in found.paths if found.named else found.roots:
        yield Reads(call.at(path), names=True)


def _with_paths(words: Sequence[str], paths: Sequence[str], by: str) -> Iterator[Nested]:
    """One command a path, `{}` replaced wherever it stands."""
    if not any("{}" in word for word in words):
        yield Words(tuple(words), by)
        return
    if len(paths) > _MOST_PATHS:
        paths = (*paths[:_MOST_PATHS], HOLE)
    for path in paths:
        yield Words(put(words, "{}", path), by)


def _in_folders(call: Call, words: Sequence[str], found: Search, paths: Sequence[str]) -> Iterator[Nested]:
    """-execdir runs in the folder of each file, so that other relative paths lie there."""
    if len(paths) > _MOST_PATHS or len(found.roots) > _MOST_PATHS:
        paths = (HOLE,)
    for path in paths:
        root = next((root for root in found.roots if path.startswith(root)), HOLE)
        folder = HOLE if anything(path) else f"{call.at(root)}/{BELOW}"
        yield Words(put(words, "{}", path if anything(path) else call.at(path)), call.name, folder=folder)


def _fd(call: Call) -> Iterator[Effect | Nested]:
    found = finding_paths.fd(call)
    yield from _looks(call, found)
    for _, words in found.commands:
        if not words:
            continue
        if not any(mark in word for word in words for mark in _PLACEHOLDERS):
            words = (*words, "{}")
        paths = found.paths if len(found.paths) <= _MOST_PATHS else (*found.paths[:_MOST_PATHS], HOLE)
        for path in paths:
            yield Words(_placed(words, path), call.name)


def _placed(words: tuple[str, ...], path: str) -> tuple[str, ...]:
    """Parts of a path ({/}, {.}) are names that nobody knows, below the same folder."""
    folder = path.rpartition("/")[0] or "."
    stem = path.rpartition(".")[0] if "." in path.rpartition("/")[2] else path
    name = path.rpartition("/")[2]
    for mark, text in (("{/.}", name), ("{//}", folder), ("{/}", name), ("{.}", stem), ("{}", path)):
        words = put(words, mark, text)
    return words


READERS: dict[str, Reader] = {
    "find": _find,
    "gfind": _find,
    "fd": _fd,
    "fdfind": _fd,
    "xargs": xargs,
    "gxargs": xargs,
    "parallel": parallel,
    **finding_runners.READERS,
}
