"""What the gate asks of whoever reads command texts; `donewhen.commands` is the one that can."""

from collections.abc import Mapping
from typing import Literal, NamedTuple, Protocol

from donewhen.core.codec import EMPTY
from donewhen.core.counts import Counts
from donewhen.core.tree import Tree

Mode = Literal["argv", "exact", "prefix"]


class Match(NamedTuple):
    match: bool
    masked: bool = False  # it is the check, but 0 does not mean that it passed
    same_check: bool = False
    narrower: bool = False  # not the check, but a part of it, or a softer form, whose status shows
    reason: str = ""  # a key of the catalogue, with its values
    values: Mapping[str, object] = EMPTY


class Described(NamedTuple):
    """What a line is by itself, whatever was declared."""

    program: str = ""
    is_test: bool = False
    sole: bool = False  # one command only, so that a red line means that this one was red
    proven: bool = False  # 0 from the line means that all its commands returned 0


class Parse(Protocol):
    """Reads a command text to its tree, and compares such trees."""

    def __call__(self, text: str, /) -> Tree: ...

    def __hash__(self) -> int: ...

    def key(self, tree: Tree) -> str:
        """The normalised command; empty for what can't be read."""
        ...

    def describe(self, tree: Tree) -> Described: ...

    def match(self, declared: Tree, executed: Tree) -> Match:
        """Does the executed line prove the declared one: the same check or more, its status shown?"""
        ...

    def matches(self, target: str, executed: str, mode: Mode) -> Match:
        """The same for two texts, by a mode."""
        ...

    def whole_tests(self, executed: Tree) -> Match:
        """Does the line run all of the project's tests with some runner, and show their status?"""
        ...

    def read_counts(self, output: str) -> Counts | None:
        """What a runner says about its tests; None when it says nothing that is understood."""
        ...

    def last_counts(self, output: str) -> Counts | None:
        """What unittest says at its end, where inner summaries came before."""
        ...
