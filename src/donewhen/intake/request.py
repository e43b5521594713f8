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
    permits: tuple[str, ...] = ()  # of integrity, `RULE=GLOB` or `GLOB`
    prompts: tuple[tuple[str, str], ...] = ()  # (name, text): each only adds to what else is asked
