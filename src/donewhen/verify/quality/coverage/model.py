"""What measuring a command takes, as plain data: how it is run, what is run after it, how it is read."""

from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from donewhen.core.accept import Accept
from donewhen.core.quality.coverage import Covered
from donewhen.verify.quality.model import Scope


class Way(NamedTuple):
    """How one language is measured. `argv` None: the command stays as it is."""

    tool: str
    read: Callable[[Path], Covered]
    env: Mapping[str, str] = MappingProxyType({})
    python_path: str = ""
    argv: tuple[str, ...] | None = None
    after: tuple[tuple[str, ...], ...] = ()
    install: str = ""


class Job(NamedTuple):
    """One command, the tree that it is run in and the folder that we may write."""

    entry: Accept
    scope: Scope
    desk: Path
    since_ns: int

    @property
    def folder(self) -> Path:
        return self.scope.root / self.entry.cwd

    @property
    def path(self) -> tuple[str, ...]:
        own = dict(self.entry.env).get("PATH", self.scope.env.get("PATH", ""))
        return (*self.scope.path, *own.split(":"))
