"""One simple command as it would be run, everything resolved that can be, and what its reader answers.

A reader knows one program: it takes a `Call` and yields the effects, and what the program runs in its turn
(`Text`, `Words`, `File`), which the walker follows. Readers see neither the rules nor the rest of the line.
"""

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Literal, NamedTuple

from donewhen.guard.effects import Effect
from donewhen.guard.ground import Ground, absolute

NO_VARIABLES: Mapping[str, str] = MappingProxyType({})
Where = Literal["", "host", "container"]  # here, on another machine, in a container


class Call(NamedTuple):
    argv: tuple[str, ...]  # marked texts; the first is the program as written
    ground: Ground
    folder: str  # absolute, may hold marks
    env: Mapping[str, str] = NO_VARIABLES  # what the line itself sets for it
    stdin: str | None = None  # marked text that it would read; None: nothing but the terminal
    elsewhere: Where = ""
    by: tuple[str, ...] = ()  # wrappers it was reached through, outermost first

    @property
    def name(self) -> str:
        """The program without its folder."""
        return self.argv[0].rpartition("/")[2]

    def at(self, path: str) -> str:
        """An argument as a path from the root. A `~` that no shell expanded is taken as the home folder too:
        it came out of a variable or quotes, and whoever wrote it meant that."""
        if path[:1] == "~" and path[1:2] in ("", "/"):
            path = self.ground.home + path[1:]
        return absolute(path, self.folder)


class Text(NamedTuple):
    """A shell text that the program runs (`bash -c`, `find … -exec sh -c`, a git alias with `!`)."""

    text: str
    by: str
    folder: str = ""  # empty: where the program itself runs
    env: Mapping[str, str] = NO_VARIABLES
    elsewhere: Where = ""


class Words(NamedTuple):
    """A command that the program runs."""

    argv: tuple[str, ...]
    by: str
    folder: str = ""
    env: Mapping[str, str] = NO_VARIABLES
    stdin: str | None = None
    elsewhere: Where = ""


class File(NamedTuple):
    """A file whose text the program runs: `bash x.sh`, `python3 x.py`, `make -f x.mk`."""

    path: str
    by: str  # the interpreter
    argv: tuple[str, ...] = ()  # what it is given, $1 …
    env: Mapping[str, str] = NO_VARIABLES


Nested = Text | Words | File
Reader = Callable[[Call], Iterable[Effect | Nested]]
Output = Callable[[Call], str]  # what the program prints, marked; a reader of text programs
