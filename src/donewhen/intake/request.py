"""What somebody asks a promise from, as plain data."""

from typing import NamedTuple


class Request(NamedTuple):
    """What was given on the command line or by a caller; empty means not given."""

    goal: str | None = None
    goal_name: str = "goal"
    promise: str = ""
    spec: str = ""
    accept: tuple[str, ...] = ()
    answer_only: bool = False
    permits: tuple[str, ...] = ()  # files or tests whose exam may change
    prompts: tuple[tuple[str, str], ...] = ()  # (name, text), in place of the goal's own commands
    adds: bool = False  # commands come beside the project's own tests, not in their place
    dropped: frozenset[str] = frozenset()  # commands and `KIND TARGET` of checks that a human took out
