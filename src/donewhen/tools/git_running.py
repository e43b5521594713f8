"""git for the agent: run behind the same walls as every command of the agent's.

The settings of a workspace's repository are the agent's own, and git runs programs that they name (filters
when it looks at files, to begin with). Most are switched off, and what can't be runs confined. Words are
given one by one, never through a shell; no hook of a repository is run. Nothing is decided here.
"""

import asyncio
import re
from contextlib import suppress
from typing import NamedTuple

from donewhen.core.errors import SetupError
from donewhen.core.lazy import lazy
from donewhen.core.shown import LONGEST_LINE, one_name
from donewhen.core.texts import Phrase, say
from donewhen.tools.inside import inside
from donewhen.tools.model import ToolContext, ToolResult
from donewhen.workspace.git.runner import HARMLESS
from donewhen.workspace.processes.background import Status
from donewhen.workspace.processes.command import Finished
from donewhen.workspace.sandbox.support import find_program

_DATA = ("core.excludesFile=", "core.attributesFile=")  # what the user ignores everywhere stays ignored
_OFF = tuple(setting for setting in HARMLESS if not setting.startswith(_DATA))
_ENV = {
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "",
    "GIT_PAGER": "cat",
    "GIT_EDITOR": "false",
    "LC_ALL": "C",  # errors are read
}
WRITING = 600.0  # seconds for a call that changes the repository: ended softly, it leaves no lock behind
_FOR_EVER = 24 * 3600.0  # nothing of ours goes on in the background
_MOST_LISTED = 4 * 1024 * 1024  # bytes of names that are read
_MOST_SPECS = 200
_PLAIN_REF = re.compile(r"[^\x00-\x20\x7f-][^\x00-\x20\x7f]*\Z")


class Ran(NamedTuple):
    exit: int | None  # None: it did not come to its own end
    text: str  # what it printed, without secrets and control sequences, head and tail
    data: bytes = b""  # the same as it came, when asked for
    finished: Finished | None = None

    @property
    def ok(self) -> bool:
        return self.exit == 0


class Failed(Exception):
    """git did not do it; carries the answer to the agent."""

    def __init__(self, result: ToolResult) -> None:
        super().__init__(result.error)
        self.result = result


async def ran(
    context: ToolContext, *words: str, stdin: bytes = b"", timeout: float | None = None, listed: bool = False
) -> Ran:
    """How a call of git went. `listed`: it prints names apart by NUL, which `data` then holds."""
    made = context.shell.make("", context.root, timeout)
    command = made._replace(
        text=None, argv=_argv(context, words), stdin=stdin, env={**made.env, **_ENV}, keep_left=False
    )
    done = await context.shell.background.foreground(command, _FOR_EVER)
    if isinstance(done, Status):  # can't be: nothing runs that long
        return Ran(None, done.output.text)
    file, data = done.output.file, b""
    with suppress(OSError):
        if listed:
            with file.open("rb") as stream:
                data = stream.read(_MOST_LISTED)
        file.unlink()
    return Ran(done.exit if done.signal is None else None, done.output.text, data, done)


def _argv(context: ToolContext, words: tuple[str, ...]) -> tuple[str, ...]:
    settings = (word for setting in _OFF for word in ("-c", setting))
    where = (f"--git-dir={context.repository.git_dir}", f"--work-tree={context.root}")
    return (find_program("git") or "git", *settings, *where, *words)


async def asked(context: ToolContext, *words: str) -> str:
    """One line that git says about objects alone: nothing of the agent's is run for it. Empty: nothing."""
    done = await asyncio.to_thread(context.repository.git().attempt, *words)
    return done.out.decode(errors="surrogateescape").strip() if done.exit == 0 else ""


def refused(context: ToolContext, key: str, error_class: str, **values: object) -> ToolResult:
    return ToolResult(
        False, error=say(f"gittools.{key}", context.language, **values), error_class=error_class
    )


def checked_ref(ref: str, context: ToolContext, *, with_path: bool = False) -> str:
    """A name for a commit that git can take for nothing else; Failed when it could."""
    if not _PLAIN_REF.match(ref) or (":" in ref and not with_path):
        raise Failed(refused(context, "bad_ref", "bad_arguments", ref=one_name(ref)))
    return ref


def spec(path: str, context: ToolContext) -> str:
    """A path as git is given it: from the root, every character as it stands."""
    short = inside(path, context.root)
    return ":(top)" if short == "." else f":(top,literal){short}"


def without(hidden: list[str], context: ToolContext) -> list[str]:
    if len(hidden) > _MOST_SPECS:
        raise Failed(refused(context, "too_many_hidden", "too_large", count=len(hidden)))
    return [f":(top,exclude,literal){path}" for path in hidden]


# What git says in English, and how that is told. The first that matches counts.
_WHY: tuple[tuple[re.Pattern[str], str, str], ...] = tuple(
    (lazy(pattern), key, error_class)
    for pattern, key, error_class in (
        (r"does not have any commits yet", "no_commits", "not_found"),
        (r"unknown revision|bad revision|invalid object name", "unknown_ref", "not_found"),
        (r"bad object|not a valid object|invalid reference|Invalid (?:symm|rev)", "unknown_ref", "not_found"),
        (r"did not match any file", "unknown_path", "not_found"),
        (r"paths are ignored by one of your", "ignored", "refused"),
        (r"cannot do a partial commit during", "partial", "refused"),
        (r"unmerged files|unresolved conflict", "conflict", "refused"),
        (r"nothing to commit|nothing added to commit|no changes added to commit", "nothing", "refused"),
        (r"empty commit message", "empty_message", "bad_arguments"),
        (r"\.lock': File exists", "locked", "refused"),
        (r"Read-only file system|Permission denied|not a git repository", "read_only", "refused"),
        (r"is already checked out|already exists", "exists", "exists"),
    )
)  # fmt: skip
# Lines in which git says at their end, where no name of the agent's stands, that there was no space. Why
# it could not write a reference or the index it keeps to itself; who may not write them fails before that.
_FULL = lazy(
    r"^(?:fatal|error): .*(?:: No space left on device|: Disk quota exceeded|write error\. Out of diskspace"
    r"|: couldn't write '[^'\n]*'|unable to write new[_ ]index file)\.?$",
    re.MULTILINE,
)
_ROOM = 20_000  # characters of what was printed that are looked through


def answer(done: Ran, context: ToolContext, **values: object) -> ToolResult:
    """What the agent is told of a call that failed; SetupError for a full disk, which it could not mend."""
    if done.exit is None:
        finished = done.finished
        late = finished is not None and finished.timed_out
        why = finished.failure if finished is not None and finished.failure else Phrase("gittools.ended")
        return refused(context, "not_ended", "timeout" if late else "not_started", why=why)
    text = done.text[-_ROOM:]
    shown = {name: one_name(str(value)) for name, value in values.items()}
    for pattern, key, error_class in _WHY:
        if pattern.search(text):
            said = {"ref": "HEAD", "names": "", "path": "", "why": _first(text), **shown}
            return refused(context, key, error_class, **said)
    full = _FULL.search(text)
    if full:
        raise SetupError("gittools.no_room", why=one_name(full.group(), LONGEST_LINE))
    return refused(context, "failed", "exit", why=_first(text), code=done.exit)


def _first(text: str) -> str:
    """The line that says most."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    serious = [line for line in lines if line.startswith(("fatal:", "error:"))]
    return one_name((serious or lines or ["-"])[0], LONGEST_LINE)
