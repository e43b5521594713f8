"""A message handed to a program of the user: JSON on its standard input, its exit code as the answer.

Only the user's own configuration, or a trusted project's, names such a program. It sees the variables of the
pass list and no others. What it prints is kept nowhere.
"""

import tempfile
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path

from donewhen.config.places import harmless
from donewhen.core.texts import Phrase
from donewhen.run.notifying.model import TIMEOUT, Notice, Sent, message_of
from donewhen.workspace.environment import command_environment
from donewhen.workspace.processes.command import MIB, Command, Finished, Limits

Spawn = Callable[[Command], Awaitable[Finished]]
_LIMITS = Limits(output=MIB)
_LONGEST_NAME = 60


class Program:
    def __init__(
        self,
        argv: tuple[str, ...],
        folder: Path,
        env: Mapping[str, str],
        *,
        name: str = "",
        timeout: float = TIMEOUT,
        spawn: Spawn | None = None,
    ) -> None:
        self._argv = argv
        self._folder = folder
        self._env = command_environment(env)
        self._timeout = timeout
        self._spawn = spawn
        self._program = harmless(Path(argv[0]).name, _LONGEST_NAME)  # arguments may hold a token
        self.name = name or f"command:{self._program}"

    async def send(self, notice: Notice) -> Sent:
        try:
            with tempfile.TemporaryDirectory(prefix="donewhen-notify-") as desk:
                finished = await self._run(notice, Path(desk))
        except OSError as error:
            return self._failed("not_run", why=error.strerror or "-")
        if finished.timed_out:
            return self._failed("program_timed_out", seconds=f"{self._timeout:g}")
        if finished.failure is not None:
            return self._failed("not_run", why=finished.failure)
        if finished.exit != 0:
            return self._failed("exit", exit=finished.exit)
        return Sent(True, "exit 0")

    async def _run(self, notice: Notice, desk: Path) -> Finished:
        if self._spawn is None:
            from donewhen.workspace.processes.running import run

            self._spawn = run
        folder = self._folder if self._folder.is_dir() else Path("/")
        env = {**self._env, "DONEWHEN_RUN": notice.run_id, "DONEWHEN_NOTICE": notice.kind}
        return await self._spawn(
            Command(
                folder,
                desk,
                self._argv,
                env=env,
                stdin=message_of(notice),
                timeout=self._timeout,
                limits=_LIMITS,
            )
        )

    def _failed(self, key: str, **values: object) -> Sent:
        return Sent(False, problem=Phrase(f"notify.{key}", {"program": self._program, **values}))
