"""One way to call git: a clean environment, no prompt, and everything that a repository could run off.

A repository's own settings may name programs (fsmonitor, hooks, filters, diff and merge drivers, ssh). The
ones that git would start by itself are switched off here; no command that needs them is given. Nothing is
decided here, and no output is read as text in a language.
"""

import contextlib
import os
import shutil
import signal
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from donewhen.core.errors import SetupError
from donewhen.workspace.environment import command_environment
from donewhen.workspace.programs import outside_path, outside_program

# Given on the command line, they win over every file of the repository.
HARMLESS = (
    "safe.directory=*",  # whoever owns it: what its settings could start is off
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.attributesFile=/dev/null",
    "core.excludesFile=/dev/null",
    "core.pager=cat",
    "core.editor=false",
    "core.sshCommand=false",
    "core.askPass=",
    "core.quotePath=false",
    "core.untrackedCache=false",
    "core.splitIndex=false",
    "credential.helper=",
    "diff.external=",
    "diff.trustExitCode=false",
    "submodule.recurse=false",
    "fetch.recurseSubmodules=false",
    "gc.auto=0",
    "maintenance.auto=false",
    "commit.gpgSign=false",
    "tag.gpgSign=false",
    "log.showSignature=false",
    "protocol.allow=never",
    "advice.detachedHead=false",
    "advice.addEmbeddedRepo=false",
)
_SETTINGS = {
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "",  # none: `protocol.NAME.allow` of a repository would win over `protocol.allow`
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_PAGER": "cat",
    "LC_ALL": "C",
}
TIMEOUT = 600.0  # a hung file system must not hang the harness for ever


class Ran(NamedTuple):
    exit: int
    out: bytes
    err: str


class Started(NamedTuple):
    """A call of git that goes on while something else is done."""

    process: subprocess.Popen[bytes]
    command: str

    def finish(self, stdin: bytes = b"") -> Ran:
        try:
            out, err = self.process.communicate(stdin, timeout=TIMEOUT)
        except subprocess.TimeoutExpired:
            raise SetupError("git.failed", command=self.command, why="timed out") from None
        finally:
            if self.process.poll() is None:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(self.process.pid, signal.SIGKILL)  # with the filters that it started
                self.process.communicate()
        return Ran(self.process.returncode, out, err.decode(errors="surrogateescape"))


class Git(NamedTuple):
    """git in a folder; with `own`, that git directory and the folder as its work tree."""

    folder: Path
    env: Mapping[str, str]
    own: Path | None = None
    settings: tuple[str, ...] = ()  # beside the harmless ones, `name=value`
    more: Mapping[str, str | None] = {}  # variables beside the harness's own; None takes one away

    def run(self, *words: str, stdin: bytes = b"", **env: str) -> bytes:
        """What git printed; SetupError when it failed."""
        ran = self.attempt(*words, stdin=stdin, **env)
        if ran.exit:
            raise failed(ran, *words)
        return ran.out

    def line(self, *words: str) -> str:
        """The one line that git printed, without its end."""
        return os.fsdecode(self.run(*words)).removesuffix("\n")

    def attempt(self, *words: str, stdin: bytes = b"", **env: str) -> Ran:
        """The same, and whoever asks looks at the exit status."""
        return self.start(*words, **env).finish(stdin)

    def start(self, *words: str, **env: str) -> Started:
        """Begin a call; its end is waited for with `finish`."""
        command = " ".join(words[:3])
        passed = command_environment(self.env)
        program = self._found(passed)
        passed["PATH"] = outside_path(self.folder, passed)  # for what git itself starts
        set = {**passed, **_SETTINGS, **self.more, **env}
        try:
            process = subprocess.Popen(
                [program, *self._settings(), *words],
                cwd=self.folder,
                env={name: value for name, value in set.items() if value is not None},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
            )
        except FileNotFoundError:
            missing = "git.missing" if self.folder.is_dir() else "git.no_folder"
            raise SetupError(missing, folder=self.folder) from None
        except (OSError, ValueError) as error:
            why = (error.strerror if isinstance(error, OSError) else "") or str(error)
            raise SetupError("git.failed", command=command, why=why) from None
        return Started(process, command)

    def _found(self, env: Mapping[str, str]) -> str:
        """git itself, from outside of the project: what lies inside could be anything of that name."""
        found = outside_program("git", self.folder, env)
        if not found:
            inside = shutil.which("git", path=env.get("PATH", os.defpath))
            missing = (
                ("git.only_inside" if inside else "git.missing") if self.folder.is_dir() else "git.no_folder"
            )
            raise SetupError(missing, folder=self.folder, program=inside or "")
        return found

    def _settings(self) -> list[str]:
        words = []
        for setting in (*HARMLESS, *self.settings):
            words += ["-c", setting]
        if self.own is not None:
            words += [f"--git-dir={self.own}", f"--work-tree={self.folder}"]
        return words


def failed(ran: Ran, *words: str) -> SetupError:
    """The error that says how a call of git went wrong."""
    return SetupError("git.failed", command=" ".join(words[:3]), why=_last_line(ran))


def _last_line(ran: Ran) -> str:
    lines = [line.strip() for line in ran.err.splitlines() if line.strip()]
    fatal = [line for line in lines if line.startswith(("fatal:", "error:"))]
    return (fatal or lines or [f"exit {ran.exit}"])[0][:300]


def names(listed: bytes) -> list[str]:
    """Paths that git listed with `-z`."""
    return [os.fsdecode(name) for name in listed.split(b"\0") if name]
