"""Where the base's exam names a file: its words, looked up by path, not tried one after the other. Pure."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from donewhen.verify.integrity.exam_reach import Spoken
from donewhen.verify.integrity.exam_words import Word, matches, words_of

_MOST_GLOBS = 2000


class Named(NamedTuple):
    word: Word
    source: str

    @property
    def place(self) -> str:
        return f"{self.source}:{self.word.line}"


class _Apart(NamedTuple):
    """A name without folder, beside folders that the same text names: `Path("checks") / "skip.txt"`."""

    named: Named
    folders: frozenset[str]


class Index:
    def __init__(self, spoken: Sequence[Spoken]) -> None:
        self._exact: dict[str, list[Named]] = {}  # files and folders
        self._globs: list[tuple[str, Named]] = []
        self._apart: dict[str, list[_Apart]] = {}
        self._apart_globs: list[_Apart] = []
        for each in spoken:
            self._add(each)

    def _add(self, spoken: Spoken) -> None:
        words = words_of(spoken.text, shell=spoken.shell)
        held = frozenset(word.text for word in words)
        for word in words:
            named, bare = Named(word, spoken.source), "/" not in word.text
            if bare and word.is_glob:
                self._apart_globs.append(_Apart(named, held))
            elif bare:
                self._apart.setdefault(word.text, []).append(_Apart(named, held))
            if bare and not word.is_glob and not spoken.loose:
                continue
            for folder in spoken.folders:
                full = f"{folder}/{word.text}" if folder else word.text
                if word.is_glob:
                    self._globs.append((full, named))
                else:
                    self._exact.setdefault(full, []).append(named)
        del self._globs[_MOST_GLOBS:], self._apart_globs[_MOST_GLOBS:]

    def files(self, path: str) -> Iterator[Named]:
        """Where the file itself is named, by its path or by a glob."""
        yield from self._exact.get(path, ())
        yield from self.globs(path)
        folder, _, name = path.rpartition("/")
        yield from (each.named for each in self._apart.get(name, ()) if folder and folder in each.folders)

    def globs(self, path: str) -> Iterator[Named]:
        yield from (named for full, named in self._globs if matches(full, path))
        folder, _, name = path.rpartition("/")
        for each in self._apart_globs:
            if folder and folder in each.folders and matches(each.named.word.text, name):
                yield each.named

    def folders(self, path: str) -> Iterator[tuple[str, Named]]:
        """Where a folder that it lies in is named."""
        parts = path.split("/")[:-1]
        for count in range(1, len(parts) + 1):
            folder = "/".join(parts[:count])
            yield from ((folder, named) for named in self._exact.get(folder, ()))
