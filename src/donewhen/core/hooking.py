"""The seam to hooks: where they are called, what they are told, and what they may answer."""

from collections.abc import Mapping
from typing import Literal, NamedTuple, Protocol, get_args

from donewhen.core.codec import EMPTY, Json

Point = Literal[
    "run_start",
    "run_end",
    "state_change",
    "before_model",
    "after_model",
    "before_tool",
    "after_tool",
    "on_tool_fail",
    "before_accept",
    "after_accept",
    "before_commit",
    "before_pr",
    "on_escalate",
    "on_fail",
]
POINTS: tuple[Point, ...] = get_args(Point)
# At these a block has an effect; elsewhere what a hook says is a note and a failure a warning.
BLOCKING: frozenset[Point] = frozenset(
    {
        "run_start",
        "before_model",
        "before_tool",
        "after_tool",
        "before_accept",
        "before_commit",
        "before_pr",
    }
)


class Occasion(NamedTuple):
    """What a hook is told: JSON for programs, the same for Python."""

    point: Point
    run_id: str
    workspace: str
    data: Mapping[str, Json] = EMPTY  # tool, args, result, state, message, files, diff … by point


class Verdict(NamedTuple):
    """What all hooks of a point came to."""

    blocked: str = ""  # the reason; empty: nobody blocks
    by: str = ""  # which hook
    notes: tuple[str, ...] = ()  # for the agent
    args: Mapping[str, Json] | None = None  # changed arguments, to be guarded again


PASSED = Verdict()


class HookRunner(Protocol):
    async def call(self, occasion: Occasion) -> Verdict:
        """Ask all hooks of a point, in order; the first block stops. Never raises for what a hook does."""
