"""Command hooks: a program of the user that is told the occasion as JSON and answers by exit code or JSON.

Not confined, because it is the user's. So what it is made of must not change under it: a file of the
workspace that its command names runs only as it was when the run started, for an agent can write there. A
program or script that is missing stops the run before it starts instead of blocking every tool call in it.
"""

import tempfile
from collections.abc import Mapping
from pathlib import Path

from donewhen.config.places import harmless
from donewhen.config.sections_guard import HookCommand
from donewhen.core.codec import dumps
from donewhen.core.hooking import Occasion
from donewhen.core.texts import Phrase
from donewhen.hooks.answers import LONGEST, Said, read
from donewhen.hooks.digests import digest_of
from donewhen.hooks.model import Answer, Kit
from donewhen.hooks.standing import files_of, refuse_missing
from donewhen.hooks.stdout import Stdout, stdout_in
from donewhen.workspace.environment import command_environment
from donewhen.workspace.processes.command import Command, Finished, Limits

VERSION = 1
# The words of the command are arguments of the shell's own, never part of what it reads.
_APART = ("/bin/sh", "-c", 'out=$1; shift; exec "$@" >"$out"', "sh")
_LIMITS = Limits(output=LONGEST)


class Program:
    """One command hook of a run. Raises SetupError when there is nothing that could be run."""

    def __init__(self, command: HookCommand, kit: Kit) -> None:
        self._kit = kit
        self._argv = command.command
        self._timeout = command.timeout or kit.loaded.config.hooks.timeout
        self._env = _environment(kit)
        refuse_missing(command, kit.workspace, self._env.get("PATH", ""))
        self.made_of = files_of(self._argv, kit.workspace, self._env.get("PATH", ""))
        if self.made_of:  # else a module beside the script could take the place of one of the library
            self._env["PYTHONSAFEPATH"] = "1"

    def pin(self, known: Mapping[str, str]) -> None:
        """Hold the files to what they were at an earlier time, when no agent had been there yet."""
        words = {word: digest for word, digest in known.items() if word in self._argv or word in self.made_of}
        self.made_of = {**self.made_of, **words}

    async def ask(self, occasion: Occasion) -> Answer:
        changed = [
            name for name, digest in self.made_of.items() if digest_of(self._kit.workspace / name) != digest
        ]
        if changed:
            return Answer(failed=Phrase("hooks.changed_file", {"file": harmless(changed[0])}))
        try:
            told = dumps(_told(occasion)).encode()
        except (ValueError, TypeError, RecursionError) as error:
            return Answer(failed=Phrase("hooks.untold", {"why": harmless(str(error))}))
        try:
            with (
                tempfile.TemporaryDirectory(prefix="donewhen-hook-") as desk,
                stdout_in(Path(desk), LONGEST + 1) as stdout,
            ):
                finished = await self._kit.spawn(self._command(occasion, told, stdout, Path(desk)))
                printed = stdout.whole()
        except OSError as error:
            return Answer(failed=Phrase("hooks.not_run", {"why": error.strerror or "-"}))
        return self._answer(finished, printed)

    def _command(self, occasion: Occasion, told: bytes, stdout: Stdout, desk: Path) -> Command:
        env = {**self._env, "DONEWHEN_RUN": occasion.run_id, "DONEWHEN_POINT": occasion.point}
        folder = self._kit.workspace
        return Command(
            folder if folder.is_dir() else Path("/"),  # at the end of a run it may be gone
            desk,
            (*_APART, str(stdout.path), *self._argv),
            env=env,
            stdin=told,
            timeout=self._timeout,
            limits=_LIMITS,
            redactor=self._kit.redactor,
        )

    def _answer(self, finished: Finished, printed: bytes) -> Answer:
        if finished.timed_out:
            return Answer(failed=Phrase("hooks.timed_out", {"seconds": f"{self._timeout:g}"}))
        if finished.failure is not None:
            return Answer(failed=Phrase("hooks.not_run", {"why": finished.failure}))
        return read(Said(finished.exit, printed, finished.output.text))


def _told(occasion: Occasion) -> dict[str, object]:
    return {
        "version": VERSION,
        "point": occasion.point,
        "run": occasion.run_id,
        "workspace": occasion.workspace,
        "data": occasion.data,
    }


def _environment(kit: Kit) -> dict[str, str]:
    return command_environment(kit.env, kit.loaded.config.sandbox.env)
