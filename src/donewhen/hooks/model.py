"""What a hook is to the runner, whatever its kind: points, a place in the order, and one `ask`.

An answer is what the hook itself said or what went wrong with it; what that means at a point is decided
elsewhere, in one place for all kinds.
"""

from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

from donewhen.config.load import Loaded
from donewhen.core.codec import Json
from donewhen.core.hooking import Occasion, Point
from donewhen.core.texts import Language, Phrase
from donewhen.secrets.redact import Redactor

if TYPE_CHECKING:
    from donewhen.workspace.processes.command import Command, Finished
    from donewhen.workspace.rooms.leaving import Kept, Removed

Layer = Literal["built_in", "user", "project"]
Kind = Literal["built_in", "installed", "command"]
LAYERS: tuple[Layer, ...] = ("built_in", "user", "project")

Spawn = Callable[["Command"], Awaitable["Finished"]]
Remove = Callable[[], Awaitable["Removed | Kept"]]


class Answer(NamedTuple):
    """What came of one call; `failed` overrides all else."""

    block: Phrase | str = ""
    note: Phrase | str = ""
    args: Mapping[str, Json] | None = None
    failed: Phrase | None = None


PASS = Answer()
Ask = Callable[[Occasion], Awaitable[Answer]]


class Hook(NamedTuple):
    name: str
    points: frozenset[Point]
    ask: Ask
    kind: Kind
    layer: Layer = "built_in"
    priority: int = 0
    fail_open: bool = False
    last: bool = False
    quiet: bool = False  # that it passed is no event

    @property
    def rank(self) -> tuple[bool, int, int, str]:
        return self.last, LAYERS.index(self.layer), self.priority, self.name


class Kit(NamedTuple):
    """What hooks are made from."""

    loaded: Loaded
    env: Mapping[str, str]
    workspace: Path
    run_id: str
    redactor: Redactor
    spawn: Spawn
    remove: Remove | None = None
    language: Language = "en"
