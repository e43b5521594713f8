"""A reviewer that is a program of the user: the prompt on stdin, the review as JSON on stdout.

It is started from its words, never by a shell that reads them, with the environment of any command: no key
of a model is in it. What it is made of must be as it was before the change, for a change does not choose who
reviews it.
"""

import hashlib
import shutil
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

from donewhen.config.places import harmless
from donewhen.core.semantic.fields import LONGEST_REPLY
from donewhen.hooks.standing import files_of
from donewhen.hooks.stdout import stdout_in
from donewhen.secrets.redact import Redactor
from donewhen.verify.semantic.judge import JudgeError
from donewhen.workspace.environment import command_environment
from donewhen.workspace.processes.command import Command, Finished, Limits
from donewhen.workspace.processes.running import run

_MOST = 4 * LONGEST_REPLY  # bytes
_SHOWN = 300
# The words of the command are arguments of the shell's own, never part of what it reads.
_APART = ("/bin/sh", "-c", 'out=$1; shift; exec "$@" >"$out"', "sh")


class Around(NamedTuple):
    """Where the program runs. `before`: a file's content at the base of the change; None: there is none."""

    folder: Path
    env: Mapping[str, str]  # of the user
    passed: tuple[str, ...]  # variables that he lets commands see
    before: Callable[[str], bytes | None]
    redactor: Redactor


class ProgramJudge:
    model = ""
    cost = 0.0

    def __init__(self, argv: tuple[str, ...], around: Around, timeout: float) -> None:
        self.name = harmless(Path(argv[0]).name)
        self._argv = argv
        self._around = around
        self._timeout = timeout
        self._env = command_environment(around.env, around.passed)

    async def review(self, prompt: str) -> str:
        self._check()
        told = self._around.redactor.text(prompt).encode("utf-8", "backslashreplace")
        try:
            with (
                tempfile.TemporaryDirectory(prefix="donewhen-review-") as desk,
                stdout_in(Path(desk), _MOST + 1) as stdout,
            ):
                argv = (*_APART, str(stdout.path), *self._argv)
                finished = await run(self._command(argv, told, Path(desk)))
                printed = stdout.whole()
        except OSError as error:
            raise JudgeError("hooks.not_run", why=error.strerror or "-") from None
        return self._said(finished, printed)

    def _command(self, argv: tuple[str, ...], told: bytes, desk: Path) -> Command:
        env = dict(self._env)
        if files_of(self._argv, self._around.folder, env.get("PATH", "")):
            env["PYTHONSAFEPATH"] = "1"  # else a module beside the script could take the place of another
        return Command(
            self._around.folder,
            desk,
            argv,
            env=env,
            stdin=told,
            timeout=self._timeout,
            limits=Limits(output=_MOST),
            redactor=self._around.redactor,
        )

    def _check(self) -> None:
        """That it is there, and not of the change's own making."""
        folder, path = self._around.folder, self._env.get("PATH", "")
        program = self._argv[0]
        if shutil.which(folder / program if "/" in program else program, path=path) is None:
            raise JudgeError("semantic.program_absent", program=harmless(program))
        for word, digest in files_of(self._argv, folder, path).items():
            inside = (folder / word).resolve()
            root = folder.resolve()
            name = inside.relative_to(root).as_posix() if inside.is_relative_to(root) else word
            before = self._around.before(name)
            if before is None or hashlib.sha256(before).hexdigest() != digest:
                raise JudgeError("semantic.program_changed", file=harmless(word))

    def _said(self, finished: Finished, printed: bytes) -> str:
        if finished.timed_out:
            raise JudgeError("hooks.timed_out", seconds=f"{self._timeout:g}")
        if finished.failure is not None:
            raise JudgeError("hooks.not_run", why=finished.failure)
        if len(printed) > _MOST:
            raise JudgeError("semantic.program_long", limit=_MOST)
        if finished.exit != 0 or not printed.strip():
            raise self._failed(finished)
        return printed.decode(errors="replace")

    def _failed(self, finished: Finished) -> JudgeError:
        tail = harmless(finished.output.text.strip()[-_SHOWN:])
        if tail:
            return JudgeError("semantic.program_failed", exit=finished.exit, tail=tail)
        return JudgeError("semantic.program_silent", exit=finished.exit)
