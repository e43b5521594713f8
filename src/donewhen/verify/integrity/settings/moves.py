"""Files and folders that were moved by the change: a command that names the new place is the same command."""

from collections import Counter
from collections.abc import Iterable
from pathlib import PurePosixPath

from donewhen.core.tree import Word
from donewhen.verify.integrity.settings.model import ChangedFile


class Moves:
    """Old places with their new ones: a file by its content or name, a folder where all its files went."""

    def __init__(self, files: Iterable[ChangedFile]) -> None:
        held = list(files)
        gone = [each for each in held if each.now is None and each.base is not None]
        come = [each for each in held if each.base is None and each.now is not None]
        same = {other.now: other.path for other in come}
        named = {_name(other.path): other.path for other in come}
        places = {each.path: same.get(each.base) or named.get(_name(each.path)) for each in gone}
        self._files = {old: new for old, new in places.items() if new}
        self._folders = self._moved_folders([each.path for each in gone])
        stays = {folder for each in held if each.base and each.now for folder in _above(each.path)}
        self._folders = {old: new for old, new in self._folders.items() if old not in stays}

    def _moved_folders(self, gone: list[str]) -> dict[str, str]:
        wanted: dict[str, Counter[str]] = {}
        for old in gone:
            new = self._files.get(old, "")
            for folder in _above(old):
                rest = old[len(folder) :]
                fits = new.endswith(rest) and new[: -len(rest)]
                wanted.setdefault(folder, Counter())[fits or ""] += 1
        return {
            folder: next(iter(places))
            for folder, places in wanted.items()
            if len(places) == 1 and "" not in places
        }

    def file(self, path: str) -> str:
        return self._files.get(path, path)

    def folder(self, path: str) -> str:
        return self._folders.get(path, path)

    def place(self, path: str) -> str:
        """The new place of a file or folder, spelt as the old one was."""
        bare = path.removeprefix("./").rstrip("/")
        found = self._files.get(bare) or self._folders.get(bare)
        return path if found is None else found + ("/" if path.endswith("/") else "")

    def word(self, word: Word) -> Word:
        if not word.known:
            return word
        option, equals, value = word.text.partition("=")
        if option.startswith("-") and equals:
            return Word(f"{option}={self.place(value)}")
        moved = self.place(word.text)
        return Word(moved) if moved != word.text else word


def _name(path: str) -> str:
    return path.rpartition("/")[2]


def _above(path: str) -> list[str]:
    return [str(each) for each in PurePosixPath(path).parents if str(each) != "."]
