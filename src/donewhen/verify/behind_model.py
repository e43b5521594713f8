"""What stands behind a command's name, as data: the lines that it runs, and what became clear of them."""

import os
import re
import stat
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

from donewhen.config.files import read_regular
from donewhen.core.errors import DonewhenError
from donewhen.core.paths import relative
from donewhen.core.texts import Phrase

LARGEST_FILE = 512 * 1024
MOST_LINES = 200
# a test run; a file named like one; a linter or type checker; a program of which nothing is known
Kind = Literal["test", "script", "lint", "act"]


class Line(NamedTuple):
    """One line that is run, and where it is written."""

    source: str
    text: str


class Behind(NamedTuple):
    """What a command runs; `masked` and `proves_nothing` only when that is certain."""

    lines: tuple[Line, ...] = ()
    masked: Phrase | None = None  # its status can't show that its tests failed
    is_test: bool = False
    proves_nothing: Phrase | None = None  # it only prints, or does nothing
    counted: Phrase | None = None  # it also passes when no test is found: a pass needs counts above zero

    @property
    def trouble(self) -> Phrase | None:
        return self.masked or self.proves_nothing


class Step(NamedTuple):
    """A text for a shell of its own, as a runner would start it."""

    source: str
    text: str
    folder: str = ""
    ignored: bool = False  # the runner goes on, and ends well, whatever its status is
    options: frozenset[str] = frozenset()  # of its shell: errexit, pipefail
    unknown: bool = False  # something is run here, and nobody can say what
    left_out: bool = False  # there is more than can be looked at
    aside: bool = False  # it is run before or after what was asked for, and is no test by itself
    borrows: bool = False  # it reads in a file that nobody can follow: bare names may be its functions


class Run(NamedTuple):
    """A command that judges the project, somewhere behind the name."""

    kind: Kind
    command: str
    source: str
    hidden: Phrase | None = None  # why its failure can't be seen
    asks: bool = False  # a question to text, files or values: it is the test only if its answer is waited for
    bare: bool = False  # a mere name, which may be a function of a file that was read in


class Judged(NamedTuple):
    """What is known of a command or a sequence of steps."""

    runs: tuple[Run, ...] = ()
    acts: bool = False  # something in it does more than print
    can_fail: bool = False
    idle: tuple[Phrase, ...] = ()  # test runners that are only asked to show something
    counted: Phrase | None = None
    last: Run | None = None  # the last command that may be a test of its own
    weak: Run | None = None  # the same, of those that more likely prepare or clear away


class Ground:
    """The files of a project, read only below its root, never through a link that leads out of it."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._real = Path(os.path.realpath(root))
        self._texts: dict[str, str | None] = {}

    def text(self, path: str) -> str | None:
        """The text of a file; None when there is none that may be read."""
        if path not in self._texts:
            self._texts[path] = self._read(path)
        return self._texts[path]

    def first(self, folder: str, names: Mapping[str, object] | tuple[str, ...]) -> str:
        """The first of the names that is a file in the folder, as a path; empty when none is."""
        paths = (join(folder, name) for name in names)
        return next((path for path in paths if path is not None and self.is_file(path)), "")

    def is_file(self, path: str) -> bool:
        found = self._inside(path)
        try:
            return found is not None and stat.S_ISREG(found.stat().st_mode)
        except (OSError, ValueError):
            return False

    def _inside(self, path: str) -> Path | None:
        short = relative(path)
        if short is None:
            return None
        try:
            real = Path(os.path.realpath(self.root / short))
        except (OSError, ValueError):
            return None
        return real if real.is_relative_to(self._real) else None

    def _read(self, path: str) -> str | None:
        found = self._inside(path)
        if found is None:
            return None
        try:
            read = read_regular(found, path, largest=LARGEST_FILE, follow=False)
        except DonewhenError:
            return None
        return read.data.decode("utf-8", "replace").removeprefix("\ufeff") if read else None


def join(folder: str, path: str) -> str | None:
    """A path seen from a folder of the project, as a path from its root; None when it leaves the project."""
    if path.startswith(("/", "~")):
        return None
    short = relative(f"{folder or '.'}/{path or '.'}")
    return "" if short == "." else short


def shell_options(words: Sequence[str]) -> frozenset[str]:
    """What the words after a shell's name, or of a `#!` line, switch on."""
    errexit = "errexit" in words or any(re.fullmatch(r"-[a-z]{0,8}e[a-z]{0,8}", word) for word in words)
    return frozenset((["errexit"] if errexit else []) + (["pipefail"] if "pipefail" in words else []))
