"""One command that a line would run, with wrappers, redirections and assignments taken off."""

from collections.abc import Mapping
from typing import NamedTuple

from donewhen.core.codec import EMPTY
from donewhen.core.tree import Word


class Invocation(NamedTuple):
    words: tuple[Word, ...]
    env: Mapping[str, Word] = EMPTY  # variables that the line sets for it, the last value of each
    folder: str | None = ""  # relative to where the line started; None: outside the workspace or unknown
    elsewhere: bool = False  # on another machine, in another container
    proven: bool = True  # 0 from the line means that this ran and returned 0
    reached: bool = True  # the line can get to it at all
    spoiled: str = ""  # why it proves nothing here: a key of the catalogue (another program may answer, …)


class Comparison(NamedTuple):
    """Is an executed command the declared one, or more? And could it have failed?"""

    same: bool
    masked: bool = False  # by a flag or a variable: it returns 0 whatever happens, or rewrites what it checks
    reason: str = ""  # a key of the catalogue; empty when it simply is the same
    detail: str = ""  # the word that decided, e.g. the narrowing option
