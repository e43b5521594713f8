"""A reviewer that is a program of the user: the prompt on stdin, the review as JSON on stdout.

It is started from its words, never by a shell that reads them, with the environment of any command: no key
of a model is in it. It runs in a checkout of the base and hears of the change by its prompt alone, for a
change does not choose who reviews it: neither the program, nor a module, rule or script that it loads.
"""

import os
import re
import shutil
import tempfile
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import NamedTuple

from donewhen.config.places import harmless
from donewhen.core.errors import SetupError
from donewhen.core.semantic.fields import LONGEST_REPLY
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
    """Where the program runs, and what it is kept away from."""

    judged: Path  # the working tree with the change: nothing of it is run
    base: Callable[[], AbstractContextManager[Path]]  # opens a fresh folder with what was there before
    env: Mapping[str, str]  # of the user
    passed: tuple[str, ...]  # variables that he lets commands see
    redactor: Redactor


class ProgramJudge:
    model = ""
    cost = 0.0

    def __init__(self, argv: tuple[str, ...], around: Around, timeout: float) -> None:
        self.name = harmless(Path(argv[0]).name)
        self._argv = argv
        self._around = around
        self._timeout = timeout
        self._roots = tuple(dict.fromkeys((str(around.judged), os.path.realpath(around.judged))))
        self._env = command_environment(around.env, around.passed)
        self._env["PATH"] = self._path(self._env.get("PATH", ""))

    async def review(self, prompt: str) -> str:
        told = self._around.redactor.text(prompt).encode("utf-8", "backslashreplace")
        try:
            with (
                self._around.base() as folder,
                tempfile.TemporaryDirectory(prefix="donewhen-review-") as desk,
                stdout_in(Path(desk), _MOST + 1) as stdout,
            ):
                argv = (*_APART, str(stdout.path), *self._words(folder))
                finished = await run(self._command(argv, folder, told, Path(desk)))
                printed = stdout.whole()
        except OSError as error:
            raise JudgeError("hooks.not_run", why=error.strerror or "-") from None
        except JudgeError:
            raise
        except SetupError as error:  # no room for the base
            raise JudgeError(error.key, **error.values) from None
        return self._said(finished, printed)

    def _command(self, argv: tuple[str, ...], folder: Path, told: bytes, desk: Path) -> Command:
        return Command(
            folder,
            desk,
            argv,
            env=self._env,
            stdin=told,
            timeout=self._timeout,
            limits=Limits(output=_MOST),
            redactor=self._around.redactor,
        )

    def _words(self, folder: Path) -> tuple[str, ...]:
        """The command, with files of the judged tree as those of the base; JudgeError where it can't run."""
        words = tuple(self._of_base(word, folder) for word in self._argv)
        program = words[0]
        found = shutil.which(folder / program if "/" in program else program, path=self._env["PATH"])
        if found is None:
            raise JudgeError("semantic.program_absent", program=harmless(self._argv[0]))
        return words

    def _of_base(self, word: str, folder: Path) -> str:
        below = self._below(word) if word.startswith("/") else None
        if below is not None:
            return str(folder / below)
        if any(re.search(rf"(?<![\w./-]){re.escape(root)}(?![\w.-])", word) for root in self._roots):
            raise JudgeError("semantic.program_inside", word=harmless(word), folder=self._around.judged)
        return word

    def _below(self, path: str) -> str | None:
        """A whole path as one from the judged tree's root; None for what lies elsewhere."""
        try:
            forms = (os.path.normpath(path), os.path.realpath(path))
        except (OSError, ValueError):  # a word may be anything
            return None
        for form in forms:
            for root in self._roots:
                if form == root or form.startswith(f"{root}/"):
                    return os.path.relpath(form, root)
        return None

    def _path(self, path: str) -> str:
        """Without folders of the judged tree, and those that depend on where it is run."""
        kept = (each for each in path.split(":") if each.startswith("/") and self._below(each) is None)
        return ":".join(kept)

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
