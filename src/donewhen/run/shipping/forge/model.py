"""What a pull request is to us, and the seam to whoever opens it: `gh`, `glab` or a forge's REST API.

A door raises SetupError with one sentence for people. What a forge answers is hostile: it is bounded, read as
data and shown only after it was made harmless.
"""

import re
from typing import Literal, NamedTuple, Protocol

from donewhen.core.errors import SetupError
from donewhen.secrets.redact import Redactor

Kind = Literal["github", "gitlab"]
LONGEST_SAID = 300
_LOGIN = re.compile(r"://[^/\s@]*@")
_NUMBER = re.compile(r"[0-9]{1,12}")


class Repo(NamedTuple):
    """A repository at a forge, as a remote's address names it; nothing of a login is in here."""

    kind: Kind
    host: str  # with a port where the web address has one; empty: only an API address is known
    path: str  # owner/name, or group/…/name

    @property
    def owner(self) -> str:
        return self.path.partition("/")[0]

    @property
    def shown(self) -> str:
        return f"{self.host}/{self.path}" if self.host else self.path


class Wanted(NamedTuple):
    """A pull request as it should be."""

    title: str
    body: str
    head: str  # a branch of the same repository
    base: str
    draft: bool = False


class Pull(NamedTuple):
    """A pull request that is there and open."""

    number: int
    url: str
    body: str = ""
    draft: bool = False
    node: str = ""  # how GitHub's other API calls it


class Opened(NamedTuple):
    """What became of one that was wanted."""

    url: str
    number: int
    how: Literal["opened", "updated", "found"]
    door: str = ""


class Exists(SetupError):
    """The forge says that there is one for this branch already."""


class Unsure(SetupError):
    """Nobody can tell whether it was done: it has to be looked for before it is tried again."""

    def __init__(self, key: str, /, retry_after: float = 0.0, **values: object) -> None:
        super().__init__(key, **values)
        self.retry_after = retry_after


class Door(Protocol):
    @property
    def name(self) -> str:
        """As people and the ledger call it."""

    async def find(self, head: str) -> tuple[Pull, ...]:
        """The open pull requests of a branch."""

    async def create(self, wanted: Wanted) -> Pull:
        """Open one; Exists, Unsure or SetupError."""

    async def update(self, pull: Pull, wanted: Wanted) -> Pull:
        """Make one say what is wanted, and ready where it was a draft."""


def harmless(said: str, secrets: tuple[str, ...] = ()) -> str:
    """What somebody at the other end said, as one short line without secrets."""
    bare = _LOGIN.sub("://***@", said[: 20 * LONGEST_SAID])
    text = Redactor([secret for secret in secrets if secret]).text(bare)
    line = " ".join("".join(mark if mark.isprintable() else " " for mark in text).split())
    return line if len(line) <= LONGEST_SAID else line[: LONGEST_SAID - 1] + "…"


def number_of(value: object) -> int:
    """The number of a pull request, or 0 for what is none."""
    if isinstance(value, bool) or not isinstance(value, int | str):
        return 0
    return int(value) if _NUMBER.fullmatch(str(value)) else 0


def address(value: object) -> str:
    """A web address that may be shown; empty for anything else."""
    if not isinstance(value, str) or len(value) > 2000 or not re.fullmatch(r"https?://[!-~]+", value):
        return ""
    return _LOGIN.sub("://", value)
