"""How a shell was started: with a text, a file, or to run what it reads.

Only the shell's own words are read here; what they run is for the walk.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from donewhen.guard.marks import WILD
from donewhen.guard.walk.base import TRACE

SHELLS = frozenset(
    "sh bash zsh dash ksh ksh93 mksh oksh loksh ash rbash rksh yash bash5 zsh5 fish csh tcsh "
    "pwsh powershell nu elvish xonsh".split()
)
FOREIGN = frozenset("pwsh powershell nu elvish xonsh".split())  # languages of their own
STDIN = frozenset(("-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"))
_FILES = frozenset(("--rcfile", "--init-file"))
_IDLE = frozenset(("--help", "--version", "--dump-strings", "--dump-po-strings"))
_TEXTS = frozenset(("--command", "-command", "-commands", "--commands", "--init-command"))


class Start(NamedTuple):
    text: str | None = None  # of -c
    file: str = ""
    arguments: tuple[str, ...] = ()  # $0 and on with a text, $1 and on with a file
    first: tuple[str, ...] = ()  # files that it runs before
    stdin: bool = False
    unsure: bool = False  # an option is not known
    shown: str = ""  # a file that is printed, not run
    traced: bool = False  # what it runs is printed


def started(argv: Sequence[str]) -> Start:
    letters, first, at, unsure = _options(argv)
    rest = tuple(argv[at:])
    if letters is None:
        return Start(unsure=unsure)
    if "n" in letters:
        return Start(unsure=unsure, shown=rest[0] if rest and "v" in letters and "c" not in letters else "")
    start = Start(first=first, unsure=unsure, traced="x" in letters or ("-o", TRACE) in pairwise(argv))
    if "c" in letters:
        return start._replace(text=rest[0] if rest else "", arguments=rest[1:])
    if not rest or "s" in letters or rest[0] in STDIN:
        return start._replace(stdin=True, arguments=rest)
    return start._replace(file=rest[0], arguments=rest[1:])


def _options(argv: Sequence[str]) -> tuple[str | None, tuple[str, ...], int, bool]:
    """Letters (None: it runs nothing), files run before, where operands begin, whether one is unknown."""
    letters, at, unsure = "", 1, False
    first: list[str] = []
    while at < len(argv):
        word = argv[at]
        if word[:1] in WILD and "c" not in letters and at + 1 < len(argv):
            unsure = True  # options in a variable
            at += 1
            continue
        if len(word) < 2 or word[0] not in "-+":
            break
        at += 1
        if word == "--":
            break
        if word in _IDLE:
            return None, (), at, unsure
        if word.lower() in _TEXTS:
            letters += "c"
        elif word in _FILES:
            first += argv[at : at + 1]
            at += 1
        elif not word.startswith("--"):
            letters += word[1:] if word[0] == "-" else ""
            at += sum(letter in "oO" for letter in word[1:])
    return letters, tuple(first), at, unsure
