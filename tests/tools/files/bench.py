"""A real repository with the file tools at work in it."""

import asyncio
from pathlib import Path
from typing import Any

from donewhen.core.paths import Exempt
from donewhen.secrets.redact import Redactor
from donewhen.tools.describing import validated
from donewhen.tools.model import Shell, ToolContext, ToolResult
from donewhen.tools.registry import Toolbox, built_in
from donewhen.workspace.git.repository import find_repository
from donewhen.workspace.processes.background import Background
from tests.workspace.git_ground import Ground

TOOLS = Toolbox(built_in())


def names(folder: Path) -> list[str]:
    """What is in a folder."""
    return sorted(each.name for each in folder.iterdir())


def _no_shell(text: str, folder: Path, timeout: float | None) -> Any:
    raise AssertionError("file tools run no commands of the agent")


class Bench:
    def __init__(self, base: Path, secrets: tuple[str, ...] = ()) -> None:
        self.ground = Ground(base)
        self.root = self.ground.root
        self.outside = base / "outside"
        self.outside.mkdir()
        self.context = ToolContext(
            self.root,
            find_repository(self.root, self.ground.env),
            self.ground.env,
            "en",
            Exempt().match,
            lambda path: path.rpartition("/")[2].startswith(".env"),
            Redactor(secrets).text,
            Shell(Background(lambda handle, finished: None), _no_shell, 10.0, lambda: 600.0),
        )

    def write(self, path: str, text: str | bytes = "text\n") -> Path:
        return self.ground.write(path, text)

    async def acall(self, name: str, **args: Any) -> ToolResult:
        tool = TOOLS.get(name)
        assert tool is not None
        valid = validated(tool, args)
        assert not isinstance(valid, str), valid
        return await tool.execute(valid, self.context)

    def __call__(self, name: str, **args: Any) -> ToolResult:
        return asyncio.run(self.acall(name, **args))

    def seen(self) -> dict[str, bytes]:
        """Every file of the working tree, links as their target."""
        found = {}
        for path in sorted(self.root.rglob("*")):
            where = str(path.relative_to(self.root))
            if where.split("/")[0] == ".git" or (path.is_dir() and not path.is_symlink()):
                continue
            found[where] = str(path.readlink()).encode() if path.is_symlink() else path.read_bytes()
        return found
