"""What a goal says about its own exam, as frozen data. Nothing here decides."""

from typing import Literal, NamedTuple

from donewhen.core.texts import Language

LARGEST_GOAL = 256 * 1024  # bytes

Frame = Literal[
    "marker", "predicate", "list", "continued", "reference", "ordered", "stated",
    "negated", "waived", "optional", "history", "setup", "report", "question", "remark", "content",
    "behaviour", "replaced", "example", "elsewhere", "later", "failure", "mention", "not_command", "too_many",
]  # fmt: skip
# These count only in a goal that asks for work: without any, they are a wish to know.
WEAK: frozenset[Frame] = frozenset({"ordered", "stated"})
TAKEN: frozenset[Frame] = WEAK | {"marker", "predicate", "list", "continued", "reference"}


class Place(NamedTuple):
    """Where something stands in the goal as it was given: characters from its start, and the line from 1."""

    offset: int
    line: int


class GoalCommand(NamedTuple):
    label: str
    cwd: str
    place: Place
    why: str  # a key of the catalogue


class GoalFile(NamedTuple):
    path: str
    place: Place
    empty: bool = False  # complete without any content


class Ignored(NamedTuple):
    text: str
    kind: Literal["command", "file"]
    place: Place
    why: str  # a key of the catalogue


class Goal(NamedTuple):
    commands: tuple[GoalCommand, ...] = ()
    active: bool = False
    files: tuple[GoalFile, ...] = ()
    ignored: tuple[Ignored, ...] = ()
    language: Language = "en"
    work: bool = False  # the text asks for work, whatever its commands


class Part(NamedTuple):
    """One command of a chain."""

    label: str
    cwd: str


class Mention(NamedTuple):
    """Text that is, or may be, a command; offsets are those of the cleaned text."""

    start: int
    end: int
    parts: tuple[Part, ...]
    known: bool  # a program that we know, or a script by its path
    quoted: bool
