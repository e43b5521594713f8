"""What a stop gets, as the hook hears it."""

from typing import Literal, NamedTuple

Kind = Literal[
    "accepted",
    "nothing_changed",
    "documents",
    "unchanged",
    "not_finished",
    "blocked",
    "let_go",
    "not_repository",
    "nothing_to_prove",
    "subagent",
]


class Verdict(NamedTuple):
    answer: Literal["allow", "block"]
    kind: Kind
    text: str = ""  # for the agent where it is blocked
    human: str = ""  # one line for the user; empty: nothing to say
