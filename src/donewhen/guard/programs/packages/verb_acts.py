"""Acts for programs that rule over things elsewhere: clusters, clouds, databases, services.

The tables of `package_engine` name them. A trial run or a request for help does nothing; everything else
that a table does not call ordinary is said.
"""

from collections.abc import Mapping
from typing import Literal

from donewhen.guard.effects import (
    Alters,
    Destroys,
    Fetches,
    Installs,
    Persists,
    Publishes,
    Reveals,
    Sends,
    Signals,
)
from donewhen.guard.programs.packages.engine import Act, Found, Turn

Kind = Literal["database", "cluster", "cloud", "container", "disk", "remote"]
HELP = frozenset(("--help", "-h", "-help", "--version", "-version", "help"))
_TRIALS = frozenset(
    "--dry-run --dry-run=client --dry-run=server --dry-run=true --dryrun --dry "
    "--noop --what-if --whatif "
    "--check-only --validate-only --just-print".split()
)


def trial(words: tuple[str, ...]) -> bool:
    """Asked for help or for a trial run; a switch that is set back does not count."""
    for at, word in enumerate(words):
        if word == "--":
            break
        if word in HELP and word != "help":
            return True
        if word in _TRIALS and words[at + 1 : at + 2] not in (("false",), ("none",)):
            return not any(
                later.startswith(("--dry-run=none", "--dry-run=false", "--no-dry")) for later in words
            )
    return False


def called(turn: Turn) -> str:
    return f"{turn.call.name} {turn.verb}".strip()


def _tried(turn: Turn) -> bool:
    return trial((*turn.before, *turn.rest))


def alter(turn: Turn) -> Found:
    if not _tried(turn):
        yield Alters(called(turn))


def persist(turn: Turn) -> Found:
    if not _tried(turn):
        yield Persists(called(turn))


def reveal(turn: Turn) -> Found:
    if not _tried(turn):
        yield Reveals("credential", called(turn))


def publish(turn: Turn) -> Found:
    if not _tried(turn):
        yield Publishes(turn.call.name, turn.verb)


def fetch(turn: Turn) -> Found:
    if not _tried(turn):
        yield Fetches(turn.call.name)


def send(turn: Turn) -> Found:
    if not _tried(turn):
        yield Sends(turn.call.name, "content")


def install(turn: Turn) -> Found:
    if not _tried(turn):
        yield Installs(turn.call.name, "user")


def signal(turn: Turn) -> Found:
    yield Signals("named", called(turn))


def signal_all(turn: Turn) -> Found:
    yield Signals("everything", called(turn))


def destroying(kind: Kind, sure: bool) -> Act:
    """The act that loses, or may lose, things of one kind."""

    def act(turn: Turn) -> Found:
        if not _tried(turn):
            yield Destroys(kind, called(turn), sure)

    return act


_SHARED: Mapping[str, Act] = {
    "alter": alter,
    "persist": persist,
    "reveal": reveal,
    "publish": publish,
    "fetch": fetch,
    "send": send,
    "install": install,
    "signal": signal,
    "signal_all": signal_all,
}


def acts(kind: Kind, **own: Act) -> Mapping[str, Act]:
    """All acts of a table: `sure` and `unsure` are about things of this kind."""
    return {**_SHARED, "sure": destroying(kind, True), "unsure": destroying(kind, False), **own}
