"""The shell line of a hook, and how one of ours is known again.

The line runs in the folder of a repository that nobody has looked at: no module may come from there, nor from
anything that the environment names. And a program that can't start must not read as an answer.
"""

import re
import shlex
from typing import NamedTuple

STOPS = ("Stop", "SubagentStop", "AfterAgent")
_APART = "PYTHONPATH= PYTHONHOME= PYTHONSAFEPATH=1 "
_STOP_COMMAND = (
    "{call}; c=$?; case $c in 0|2) exit $c;; 1|126|127) echo 'donewhen could not start, so this stop was NOT "
    "checked; run: donewhen doctor' >&2; exit 1;; *) exit 2;; esac"
)
_CALL = re.compile(
    rf"""(?P<apart>{re.escape(_APART)})?
    (?P<program>donewhen | /[\w@%+=:,./-]* | '/(?:[^'] | '"'"')*')
    [ ]hook[ ](?P<client>[a-z]+)[ ](?P<event>[A-Za-z]+)
    (?P<deadline>[ ]--deadline[ ][0-9]+)?
    (?=;[ ]c= | [ ]\|\|[ ])""",
    re.VERBOSE | re.DOTALL,
)


class Call(NamedTuple):
    """What a line of ours calls; `apart`: free of modules from elsewhere, which older lines are not."""

    client: str
    event: str
    program: str
    deadline: str = ""
    apart: bool = True

    @property
    def line(self) -> str:
        words = f"{shlex.quote(self.program)} hook {self.client} {self.event}{self.deadline}"
        call = f"{_APART if self.apart else ''}{words}"
        return _STOP_COMMAND.format(call=call) if self.event in STOPS else f"{call} || exit 2"


def command_of(client: str, event: str, program: str) -> str:
    """The command line of a hook."""
    short = (client, event) == ("codex", "SessionEnd")  # it waits for three seconds at most
    return Call(client, event, program, " --deadline 2" if short else "").line


def call_of(command: object) -> Call | None:
    """What a line calls that is, to the character, one that we write or wrote; None for all others."""
    found = _CALL.match(command) if isinstance(command, str) else None
    if found is None:
        return None
    program = shlex.split(found["program"])[0]
    if program.rpartition("/")[2] != "donewhen":
        return None
    call = Call(found["client"], found["event"], program, found["deadline"] or "", bool(found["apart"]))
    return call if call.line == command else None


def is_ours(client: str, command: object) -> bool:
    call = call_of(command)
    return call is not None and call.client == client


def program_of(command: str) -> str:
    """The program that an entry of ours calls."""
    call = call_of(command)
    return call.program if call else ""
