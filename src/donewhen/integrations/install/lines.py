"""The shell line of a hook, and how one of ours is known again.

The line runs in the folder of a repository that nobody has looked at: no module may come from there, nor from
anything that the environment names. donewhen itself ends with 0 or 2. Any other status means that it is gone
or broken: then the line allows the step, says so once for each process of the client, and leaves a note in
the state folder, by which the next start knows that a session went on unchecked.
"""

import re
import shlex
from typing import NamedTuple

from donewhen.integrations.hook.places import CLIENT_PROCESS, GAPS

STOPS = ("Stop", "SubagentStop", "AfterAgent")
_APART = "PYTHONPATH= PYTHONHOME= PYTHONSAFEPATH=1 "
_PREFIX = f"{_APART}{CLIENT_PROCESS}=$PPID "
# Plain words, so that they may stand in JSON and between quotes of a shell.
_GONE = (
    "donewhen could not start, so nothing is checked in this session. To repair it run: donewhen doctor. "
    "To remove it run: {removal}."
)
_REMOVAL = "donewhen uninstall {client}, or delete its lines from the settings of {client}"
_GUARD = (
    "; c=$?; case $c in 0|2) exit $c;; esac; "
    'd="${{DONEWHEN_STATE_DIR:-${{XDG_STATE_HOME:-$HOME/.local/state}}/donewhen}}/' + GAPS + '"; '
    'if [ -e "$d/$PPID" ]; then exit 0; fi; '
    '(umask 077; mkdir -p "$d" && echo "{client} {event} $c" >"$d/$PPID") 2>/dev/null; '
    "m='" + _GONE + "'; "
    'echo "$m" >&2; echo "{{\\"systemMessage\\":\\"$m\\"}}"; exit 0'
)
# What version 0.1 wrote: known, so that it can be replaced and taken out.
_OLD_PREFIXES = (_APART, "")
_OLD_GUARDS = (
    " || exit 2",
    "; c=$?; case $c in 0|2) exit $c;; 1|126|127) echo 'donewhen could not start, so this stop was NOT "
    "checked; run: donewhen doctor' >&2; exit 1;; *) exit 2;; esac",
)
_CALL = re.compile(
    r"""(?P<prefix>(?:[A-Z_]+=[$\w]*[ ])*)
    (?P<program>donewhen | /[\w@%+=:,./-]* | '/(?:[^'] | '"'"')*')
    [ ]hook[ ](?P<client>[a-z]+)[ ](?P<event>[A-Za-z]+)
    (?P<deadline>[ ]--deadline[ ][0-9]+)?
    (?P<guard>(?:;[ ]c= | [ ]\|\|[ ]).*)""",
    re.VERBOSE | re.DOTALL,
)


class Call(NamedTuple):
    """What a line of ours calls."""

    client: str
    event: str
    program: str
    deadline: str = ""
    removal: str = _REMOVAL

    @property
    def line(self) -> str:
        words = f"{shlex.quote(self.program)} hook {self.client} {self.event}{self.deadline}"
        return f"{_PREFIX}{words}{self._guard}"

    @property
    def _guard(self) -> str:
        removal = self.removal.format(client=self.client)
        return _GUARD.format(client=self.client, event=self.event, removal=removal)


def gone(client: str, removal: str = _REMOVAL) -> str:
    """What is said where donewhen can't start."""
    return _GONE.format(removal=removal.format(client=client))


def command_of(client: str, event: str, program: str, removal: str = _REMOVAL) -> str:
    """The command line of a hook; `removal` says how it is taken out again."""
    short = (client, event) == ("codex", "SessionEnd")  # it waits for three seconds at most
    return Call(client, event, program, " --deadline 2" if short else "", removal).line


def call_of(command: object) -> Call | None:
    """What a line calls that is, to the character, one that we write or wrote; None for all others."""
    found = _CALL.fullmatch(command) if isinstance(command, str) else None
    if found is None:
        return None
    program = shlex.split(found["program"])[0]
    call = Call(found["client"], found["event"], program, found["deadline"] or "")
    old = found["prefix"] in _OLD_PREFIXES and found["guard"] in _OLD_GUARDS
    ours = program.rpartition("/")[2] == "donewhen" and (old or call.line == command)
    return call if ours else None


def is_ours(client: str, command: object) -> bool:
    call = call_of(command)
    return call is not None and call.client == client


def program_of(command: str) -> str:
    """The program that an entry of ours calls."""
    call = call_of(command)
    return call.program if call else ""
