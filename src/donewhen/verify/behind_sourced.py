"""Files that a shell text reads in (`. lib.sh`): the functions and options that it has from them.

Only what changes the meaning of the text is taken over, definitions and switches; what else such a file does
is left to the command that reads it in. A file that can't be found, read or followed is said to be so, as
then nobody knows which names are functions.
"""

from collections.abc import Iterator

from donewhen.core.commands.walk import simples
from donewhen.core.tree import Function, Refused, Script, Simple, Statement
from donewhen.shell import parse
from donewhen.verify.behind_model import Ground, join

_READS_IN = frozenset((".", "source"))
_SWITCHES = frozenset(("set", "trap", "shopt"))
_MOST_FILES = 16
_MOST_TAKEN = 400  # statements


def with_sourced(script: Script, folder: str, ground: Ground | None) -> tuple[Script, bool]:
    """The script with what it has from the files it reads in, and whether one of them can't be followed."""
    reading = _Reading(folder, ground)
    made = tuple(each for statement in script for each in (*reading.taken(statement), statement))
    return made, reading.lost


class _Reading:
    def __init__(self, folder: str, ground: Ground | None) -> None:
        self.folder, self.ground = folder, ground
        self.seen: set[str] = set()
        self.left = _MOST_TAKEN
        self.lost = False

    def taken(self, statement: Statement) -> Iterator[Statement]:
        """Definitions and switches of the files that the statement reads in, and of those that they do."""
        for command in simples(statement):
            if command.words[0].text not in _READS_IN or len(command.words) < 2:
                continue
            for each in self.file(command):
                yield from self.taken(each)
                if self.left > 0 and _is_taken(each):
                    self.left -= 1
                    yield each
                self.lost = self.lost or self.left <= 0

    def file(self, command: Simple) -> Script:
        """The text of the file, once; empty where it is lost."""
        word = command.words[1]
        path = join(self.folder, word.text) if word.known else None
        if path is not None and path in self.seen:
            return ()
        text = self.ground.text(path) if self.ground is not None and path is not None else None
        if path is None or text is None or len(self.seen) >= _MOST_FILES:
            self.lost = True
            return ()
        self.seen.add(path)
        tree = parse(text.replace("\r\n", "\n"))
        if isinstance(tree, Refused):
            self.lost = True
            return ()
        return tree


def _is_taken(statement: Statement) -> bool:
    command = statement.command
    if isinstance(command, Function):
        return True
    return isinstance(command, Simple) and bool(command.words) and command.words[0].text in _SWITCHES
