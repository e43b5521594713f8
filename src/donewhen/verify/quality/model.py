"""What a gate is told about a change, and what it wants run: plain data between planning and running."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Literal, NamedTuple

from donewhen.config.sections_verify import Gate as GateConfig
from donewhen.core.quality.model import Violation
from donewhen.core.texts import Phrase
from donewhen.project.tools import Missing, Scope, Tool

Stream = Literal["stdout", "both"]


class Ask(NamedTuple):
    """One run of a tool. Exit codes beside `ok` mean that it did not do its work."""

    tool: Tool
    argv: tuple[str, ...]  # whole, program included
    read: Callable[[str, str], tuple[Violation, ...]]  # (what it printed, the folder it ran in)
    cwd: str = ""  # relative to the root
    ok: frozenset[int] = frozenset((0, 1))
    stream: Stream = "stdout"  # what is read; stderr is only for people unless "both"
    env: Mapping[str, str] = MappingProxyType({})
    files: int = 0  # how many it looks at
    whole: bool = False  # it looks at more than the changed files: the base must be asked as widely


class Planned(NamedTuple):
    """What a gate wants, language by language; `missing` says what it could not plan and why."""

    asks: tuple[Ask, ...] = ()
    missing: tuple[Missing, ...] = ()
    configured: bool = False  # the project configures the tool itself
    why: Phrase | None = None  # why there is nothing to do, where there is nothing


class Gate(NamedTuple):
    name: str
    plan: Callable[[Scope], Planned]
    own: GateConfig | None = None  # a command of the user's
