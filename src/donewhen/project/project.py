"""What a project says about itself: its languages, and the commands that its own files name.

Reads a few files at the root, bounded and tolerant: a manifest that is broken or hostile gives nothing and a
note. Nothing is run, and nothing below the root is searched.
"""

from pathlib import Path
from typing import Literal, NamedTuple

from donewhen.core.texts import Phrase
from donewhen.project.folder import Folder

Role = Literal["test", "lint", "types", "build", "format"]


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


class Detected(NamedTuple):
    """What one kind of project file gives."""

    languages: tuple[str, ...] = ()
    commands: tuple[ProjectCommand, ...] = ()
    targets: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    notes: tuple[Phrase, ...] = ()


def detect(folder: Path) -> Project:
    """The project in `folder`, as far as its own files tell."""
    from donewhen.project.node import node
    from donewhen.project.others import others
    from donewhen.project.python import python
    from donewhen.project.targets import just, make

    root = Folder(folder)
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
