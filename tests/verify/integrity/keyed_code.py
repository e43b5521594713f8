"""A piece of source with the tests that ask it, for the samples beside this file."""

from typing import NamedTuple


class Code(NamedTuple):
    name: str
    source: str
    test: str  # lines of the tests' bodies
    base: str = ""
    goal: str = ""
