"""A client: a coding agent of others that is started as a program, once for each piece of work.

What it prints is hostile until it is read; that it says "success" proves nothing.
"""

from collections.abc import Callable, Mapping
from typing import Literal, NamedTuple

Why = Literal["", "budget", "error"]


class Ask(NamedTuple):
    """One call of a client: what it is told, and the session that it goes on with."""

    prompt: str
    session: str = ""  # empty: a new one
    run: str = ""  # the id of the run, for programs that want a name for all their calls
    micros: int | None = None  # that it may spend
    words: tuple[str, ...] = ()  # that make it call our hook


class Started(NamedTuple):
    """How the program is started; no shell reads any of it."""

    argv: tuple[str, ...]
    stdin: bytes = b""


class Spent(NamedTuple):
    """What a client reports, of its whole session so far; None for money that it does not tell."""

    micros: int | None = None
    tokens_in: int = 0
    tokens_out: int = 0
    model: str = ""


class Report(NamedTuple):
    """What a client said at its end."""

    ok: bool
    text: str = ""
    session: str = ""
    spent: Spent | None = None  # None: nothing was reported
    why: Why = ""


class Kind(NamedTuple):
    """What is known of one client."""

    name: str
    start: Callable[["Client", Ask], Started]
    read: Callable[[str], Report]
    get: str  # how people install it
    passed: tuple[str, ...] = ()  # how the names of variables begin that it needs
    env: Mapping[str, str] = {}
    homes: tuple[str, ...] = ()  # its own places: below home, or a variable that names one
    remembers: bool = True  # a session can be gone on with
    adds_up: bool = False  # its report is of the whole session, not of the call
    limits_money: bool = False
    silent: bool = False  # an end without a word is an end all the same


class Client(NamedTuple):
    """A client as it is used in a run."""

    kind: Kind
    argv: tuple[str, ...]  # the program, absolute, and words of the user's own
    model: str = ""
    passed: tuple[str, ...] = ()  # variables that the user lets it see
    timeout: float | None = None  # seconds of one call
