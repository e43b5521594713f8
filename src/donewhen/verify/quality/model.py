"""What a gate is told about a change, and what it wants run: plain data between planning and running."""

from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Literal, NamedTuple

from donewhen.config.sections_verify import Gate as GateConfig
from donewhen.core.quality.model import Violation
from donewhen.core.texts import Language, Phrase, say

Stream = Literal["stdout", "both"]


class Scope(NamedTuple):
    """A tree and what of it changed; the same gate is asked about the change and about its base."""

    root: Path  # where the tree lies; read, never written
    files: tuple[str, ...]  # that the change added or modified, as they are in this tree, sorted
    path: tuple[str, ...] = ()  # folders of the project's own programs, absolute, first ones first
    env: Mapping[str, str] = MappingProxyType({})  # the user's environment; PATH says what else is at hand
    caches: Path | None = None  # a folder outside of the tree that tools may write
    fresh: frozenset[str] = frozenset()  # of `files`, those added in folders that the base did not have
    required: bool = False  # the gate must pass: a tool that donewhen brings itself does not answer


class Tool(NamedTuple):
    """A program that was found: the project's own first, then what PATH has, then ours."""

    name: str
    argv: tuple[str, ...]  # absolute program, and the words before its arguments (python -m lizard)
    version: str = ""
    origin: Literal["project", "ours", "path"] = "project"
    pinned: str = ""  # the version that the project pins, where this is another

    @property
    def is_foreign(self) -> bool:
        """Whether what it says is not what the project's own tool says."""
        return self.origin == "ours" or bool(self.pinned)

    def called(self, language: Language) -> str:
        """Name and version; and whose it is, where that is not the project's."""
        plain = f"{self.name} {self.version}".strip()
        if not self.is_foreign:
            return plain
        whose = "ours" if self.origin == "ours" else "other"
        key = f"gates.tool_{whose}_pinned" if self.pinned else f"gates.tool_{whose}"
        return say(key, language, tool=plain, pinned=self.pinned)


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
    missing: tuple["Missing", ...] = ()
    configured: bool = False  # the project configures the tool itself
    why: Phrase | None = None  # why there is nothing to do, where there is nothing


class Missing(NamedTuple):
    why: Phrase
    install: str = ""  # the command that brings it


class Gate(NamedTuple):
    name: str
    plan: Callable[[Scope], Planned]
    own: GateConfig | None = None  # a command of the user's
