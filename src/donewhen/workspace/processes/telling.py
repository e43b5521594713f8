"""What a supervisor said, and the result that it makes. Pure.

A supervisor that fell silent before the end makes a result without an exit code: nothing is guessed.
"""

import errno
from typing import NamedTuple

from donewhen.core.texts import Phrase
from donewhen.workspace.processes.command import Command, Finished, Output
from donewhen.workspace.sandbox.support import find_program

_COULD_NOT = {errno.ENOENT: 127, errno.ENOTDIR: 127}
_SHOWN = 400


class Told(NamedTuple):
    supervisor: int = 0  # its process
    leader: int = 0  # the command's process; 0 while it was not started
    left: int = 0  # how many live on after the command
    ended: bool = False
    status: int | None = None  # as Popen has it; None when it is not known
    killed: int = 0
    failed: tuple[int, str, str] | None = None  # error number, at what, why

    @property
    def untouched(self) -> bool:
        """Whether nothing of the command can have happened: nobody came to it, or nobody had its orders."""
        return not self.supervisor or (self.failed is not None and self.failed[1] == "ahead")

    @property
    def lost(self) -> bool:
        """Whether it says nothing of the end of a command that was, or may have been, started."""
        return bool(self.leader) and not self.ended and self.failed is None


def read_told(said: bytes) -> Told:
    """The last line may be cut; it counts once it is whole."""
    told = Told()
    *lines, last = said.decode(errors="replace").split("\n")
    for line in lines:
        match line.split(" "):
            case ["here", pid]:
                told = told._replace(supervisor=int(pid))
            case ["started", pid]:
                told = told._replace(leader=int(pid))
            case ["left", status, count]:
                told = told._replace(left=int(count), status=_status(status))
            case ["ended", status, count]:
                told = told._replace(ended=True, status=_status(status), killed=int(count))
    word, _, rest = last.partition(" ")
    if word == "failed":
        number, what, why = (*rest.split(" ", 2), "", "")[:3]
        told = told._replace(failed=(int(number or 0), what, why))
    return told


def _status(word: str) -> int | None:
    return None if word == "lost" else int(word)


def unusable(command: Command) -> Phrase | None:
    """What is wrong with a command before anything is tried."""
    words = (*command.argv, command.text or "", str(command.folder), *command.env, *command.env.values())
    if any("\0" in word for word in words):
        return Phrase("process.bad_word")
    if command.text is not None and not find_program("bash"):
        return Phrase("process.no_bash")
    if command.text is None and not command.argv:
        return Phrase("process.nothing_to_run")
    return None


def result(
    command: Command, told: Told, output: Output, duration: int, asked: str, failure: Phrase | None
) -> Finished:
    failure = failure or _failure(command, told, output)
    if failure is None and not (told.ended or told.left):
        failure = Phrase("process.lost")
    status = told.status
    number = -status if status is not None and status < 0 else None
    code = status if number is None else 128 + number
    if told.failed is not None and failure is not None and failure.key == "process.no_program":
        code = _COULD_NOT.get(told.failed[0], 126)
    return Finished(
        None if asked else code,
        output,
        duration,
        number,
        asked == "timed_out",
        asked == "killed",
        told.killed,
        failure,
        0 if told.ended or asked else told.left,
    )


def _failure(command: Command, told: Told, output: Output) -> Phrase | None:
    """Why a command was not started, from what the supervisor, or what should have started it, said."""
    if told.failed is not None:
        _, what, why = told.failed
        program = command.argv[0] if command.text is None else "bash"
        if what == "program":
            return Phrase("process.no_program", {"program": program, "why": why})
        if what == "folder":
            return Phrase("process.no_folder", {"folder": str(command.folder), "why": why})
        return Phrase("process.no_sandbox" if what == "sandbox" else "process.not_started", {"why": why})
    if not told.leader:
        key = "process.no_sandbox" if command.plan.prefix else "process.not_started"
        return Phrase(key, {"why": output.text.strip()[:_SHOWN]})
    return None
