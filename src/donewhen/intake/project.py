"""What a project says about itself: its languages, and the commands that its own files name.

Reads a few files at the root, bounded and tolerant: a manifest that is broken or hostile gives nothing and a
note. Nothing is run, and nothing below the root is searched.
"""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Literal, NamedTuple

from donewhen.config.files import read_regular
from donewhen.core.errors import DonewhenError
from donewhen.core.texts import Phrase

Role = Literal["test", "lint", "types", "build", "format"]
LARGEST_MANIFEST = 512 * 1024
MOST_NAMES = 5000


class ProjectCommand(NamedTuple):
    role: Role
    command: str
    source: str
    written: bool = False  # the project's own words (a script, a target), not what its language usually runs
    language: str = ""


class Project(NamedTuple):
    languages: tuple[str, ...] = ()
    commands: tuple[ProjectCommand, ...] = ()
    targets: tuple[str, ...] = ()  # of make and just
    sources: tuple[str, ...] = ()  # the files that were understood
    notes: tuple[Phrase, ...] = ()

    def tests(self) -> tuple[ProjectCommand, ...]:
        """The test commands that stand for the project.

        A target `test` that the project wrote stands for what its languages usually run; scripts that it
        wrote itself stay beside it.
        """
        tests = [command for command in self.commands if command.role == "test"]
        runners = [command for command in tests if command.written and not command.language]
        if not runners:
            return tuple(tests)
        return (*(command for command in tests if command.written and command.language), *runners[:1])


class Root:
    """The names at the root of a project, and its files as text."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.names, self.folders = _listed(folder)
        self._texts: dict[str, str] = {}

    def text(self, name: str) -> str:
        """The text of a file at the root; empty when there is none or it can't be read."""
        if name not in self._texts:
            self._texts[name] = self._read(name) if name in self.names else ""
        return self._texts[name]

    def first(self, *names: str) -> str:
        """The first of the names that is there; empty when none is."""
        return next((name for name in names if name in self.names), "")

    def ending(self, *endings: str) -> list[str]:
        return sorted(name for name in self.names if name.lower().endswith(endings))

    def has(self, path: str) -> bool:
        try:
            (self.folder / path).lstat()
        except (OSError, ValueError):
            return False
        return True

    def _read(self, name: str) -> str:
        try:
            found = read_regular(self.folder / name, name, largest=LARGEST_MANIFEST)
        except DonewhenError:
            return ""
        return found.data.decode("utf-8", "replace").removeprefix("\ufeff") if found else ""


class Finding(NamedTuple):
    """What one kind of project file gives."""

    languages: tuple[str, ...] = ()
    commands: tuple[ProjectCommand, ...] = ()
    targets: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    notes: tuple[Phrase, ...] = ()


Detector = Callable[[Root], Finding]


def detect(folder: Path) -> Project:
    """The project in `folder`, as far as its own files tell."""
    from donewhen.intake.project_node import node
    from donewhen.intake.project_others import others
    from donewhen.intake.project_python import python
    from donewhen.intake.project_targets import just, make

    root = Root(folder)
    found = [detector(root) for detector in (node, python, others, make, just)]
    commands = {command.command: command for one in reversed(found) for command in reversed(one.commands)}
    ordered = [c for one in found for c in one.commands if commands.get(c.command) is c]
    return Project(
        tuple(dict.fromkeys(name for one in found for name in one.languages)),
        tuple(ordered),
        tuple(dict.fromkeys(name for one in found for name in one.targets)),
        tuple(dict.fromkeys(name for one in found for name in one.sources)),
        tuple(note for one in found for note in one.notes),
    )


def _listed(folder: Path) -> tuple[frozenset[str], frozenset[str]]:
    files: list[str] = []
    folders: list[str] = []
    try:
        with os.scandir(folder) as entries:
            for entry in _some(entries):
                (folders if _is_folder(entry) else files).append(entry.name)
    except OSError:
        return frozenset(), frozenset()
    return frozenset(files), frozenset(folders)


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:  # a link to itself
        return False


def _some(entries: Iterator[os.DirEntry[str]]) -> Iterator[os.DirEntry[str]]:
    for count, entry in enumerate(entries):
        if count >= MOST_NAMES:
            return
        yield entry
