"""What a script is once it is read: turns in order, and what is done for ever after the last one.

It holds steps as the engine takes them, nothing of the file they came from. It knows no reactions: a script
that could answer would no longer be the same run twice.
"""

from typing import Literal, NamedTuple

from donewhen.core.agent import Step

Sort = Literal["plan", "work", "claim", "words"]
AfterLast = Literal["repeat_done", "repeat_last", "stop"]


class Turn(NamedTuple):
    """One step, and what sort of step it is: only that decides what is repeated after the end."""

    step: Step
    sort: Sort
    line: int = 0  # of the file
    note: str = ""  # for whoever reads the script


class Script(NamedTuple):
    turns: tuple[Turn, ...]
    after_last: AfterLast
    ending: Step  # what is done for ever when the turns are over
