"""All that leaves with a commit: every commit that the other end lacks is looked through for secrets.

What a run started from leaves too: commits that nobody pushed yet, also such whose secret a later one took
away, and files that were taken along. More than can be looked through is not let pass.
"""

import os
import signal
from contextlib import suppress
from typing import NamedTuple

from donewhen.core.errors import SetupError
from donewhen.core.texts import Language, say
from donewhen.run.shipping.leaks import named, told
from donewhen.run.shipping.naming import shown
from donewhen.secrets.diff import GIT_DIFF_ARGUMENTS
from donewhen.secrets.scan import scan_text
from donewhen.workspace.git.repository import Repository
from donewhen.workspace.git.runner import Git, names

MESSAGE = ""  # stands for a commit's message among the names of files
_MOST_COMMITS = 500
_LARGEST = 50 * 1000 * 1000  # bytes of diff
# of a merge only what it has from none of its parents: these are looked at themselves, or known
_EACH = ("diff-tree", "--stdin", "-r", "-c", "--root", "--no-commit-id")


class Outgoing(NamedTuple):
    user: Repository
    commit: str
    there: tuple[str, ...]  # what the other end has, as far as it is told; what is not here is passed over
    lent: str = ""  # folders of objects that may be read as well, as git takes them


class Rules(NamedTuple):
    known: str  # the base's list of what is no secret
    patterns: tuple[str, ...] = ()  # names of files that are secrets


class Found(NamedTuple):
    """The first commit with what looks like a secret, and the files that it is in."""

    commit: str
    files: tuple[str, ...]


class TooMuch(NamedTuple):
    commits: int


def look_through(outgoing: Outgoing, rules: Rules) -> Found | TooMuch | None:
    """What must not leave; None when all of it may."""
    git = outgoing.user.git()
    if outgoing.lent:
        git = git._replace(more={"GIT_ALTERNATE_OBJECT_DIRECTORIES": outgoing.lent})
    ends = "".join([f"{outgoing.commit}\n", *(f"^{id}\n" for id in _here(git, outgoing.there))]).encode()
    listed = git.run("rev-list", "--reverse", f"--max-count={_MOST_COMMITS + 1}", "--stdin", stdin=ends)
    commits = listed.decode().split()
    diff = _diff(git, commits) if len(commits) <= _MOST_COMMITS else None
    if diff is None:
        return TooMuch(int(git.run("rev-list", "--count", "--stdin", stdin=ends)))
    files = _files(git, commits, diff, rules)
    if not files:
        return None
    for commit in commits:
        own = _files(git, [commit], _diff(git, [commit]) or b"", rules)
        if own:
            return Found(commit, own)
    return Found(outgoing.commit, files)


def places(found: Found, language: Language) -> str:
    """Where it is, for people; a secret in a name is not repeated."""
    files = [file for file in found.files if file != MESSAGE]
    said = (say("gittools.in_message", language),) if len(files) < len(found.files) else ()
    return ", ".join((*((shown(files),) if files else ()), *said))


def _here(git: Git, ids: tuple[str, ...]) -> list[str]:
    """Those of some commits that this repository has."""
    asked = "".join(f"{id}\n" for id in dict.fromkeys(ids)).encode()
    lines = git.run("cat-file", "--batch-check=%(objectname) %(objecttype)", stdin=asked).decode().split("\n")
    return [line.removesuffix(" commit") for line in lines if line.endswith(" commit")]


def _files(git: Git, commits: list[str], diff: bytes, rules: Rules) -> tuple[str, ...]:
    if not commits:
        return ()
    added = names(git.run(*_EACH, "--diff-filter=A", "--name-only", "-z", stdin=_lines(commits)))
    found = {*named(added, rules.patterns), *told(diff.decode(errors="surrogateescape"), rules.known)}
    return tuple(sorted({*found, MESSAGE} if _said(git, commits) else found))


def _said(git: Git, commits: list[str]) -> bool:
    """Whether a message holds a secret."""
    said = git.run("rev-list", "--no-walk", "--stdin", "--format=%B", stdin=_lines(commits))
    lines = said.decode(errors="replace").split("\n")
    return bool(scan_text("", "\n".join(line for line in lines if not line.startswith("commit "))))


def _diff(git: Git, commits: list[str]) -> bytes | None:
    """What commits change; None when it is too much to look through."""
    if not commits:
        return b""
    words = (*_EACH, "-p", "-U0", "-M", "--irreversible-delete", *GIT_DIFF_ARGUMENTS)
    started = git.start(*words)
    process = started.process
    if process.stdin is None or process.stdout is None:
        raise SetupError("git.failed", command=started.command, why="no pipe")
    with suppress(BrokenPipeError):
        process.stdin.write(_lines(commits))
        process.stdin.close()
    process.stdin = None
    out = process.stdout.read(_LARGEST + 1)
    if len(out) > _LARGEST:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        started.finish()
        return None
    ended = started.finish()
    if ended.exit:
        raise SetupError("git.failed", command=started.command, why=" ".join(ended.err.split())[:300])
    return out


def _lines(commits: list[str]) -> bytes:
    return "".join(f"{commit}\n" for commit in commits).encode()
