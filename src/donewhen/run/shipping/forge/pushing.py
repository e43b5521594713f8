"""A commit goes to a branch of the remote: never by force, never onto a protected branch or foreign commits.

The user's own git does it, with the user's settings, helpers and hooks, because it is the user's remote. What
is there already is asked first, so that a push that was made before is not made again.
"""

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from donewhen.core.errors import SetupError
from donewhen.guard.branches import protected
from donewhen.run.shipping.forge.model import harmless
from donewhen.run.shipping.forge.programs import Ran, run
from donewhen.workspace.git.repository import Repository

LOOK_TIMEOUT = 60.0
PUSH_TIMEOUT = 600.0  # hooks of the user's may run tests
_ID = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_NAME = re.compile(r"[A-Za-z0-9_.][A-Za-z0-9_./-]*")
_HEADS = "refs/heads/"
_LOGIN = re.compile(
    r"authentication failed|could not read (?:username|password)|permission denied|access denied"
    r"|terminal prompts disabled|invalid username|403|host key verification failed",
    re.IGNORECASE,
)
_NETWORK = re.compile(
    r"could not resolve host|connection (?:refused|timed out|reset)|network is unreachable"
    r"|couldn't connect|failed to connect|no route to host|temporary failure in name resolution",
    re.IGNORECASE,
)
_GONE = re.compile(
    r"repository .{0,300}not found|does not (?:appear to be|exist)|no such remote", re.IGNORECASE
)


class Remote(NamedTuple):
    """A remote of the user's repository."""

    user: Repository
    name: str
    env: Mapping[str, str]  # the user's own

    async def git(self, *words: str, timeout: float = LOOK_TIMEOUT) -> Ran:
        return await run(["git", *words], self.user.root, self.env, timeout)


class Seen(NamedTuple):
    """What a remote has."""

    default: str  # its main branch; empty when it does not tell
    heads: Mapping[str, str]  # commits, by the names of branches that were asked for


async def addresses_of(remote: Remote) -> tuple[str, ...]:
    """The remote's address as written and as git reads it; they may hold a login and are never shown."""
    if not _NAME.fullmatch(remote.name):
        raise SetupError("forge.bad_remote", remote=harmless(remote.name))
    written = await remote.git("config", "--get", f"remote.{remote.name}.url")
    if written.exit != 0 or not written.out.strip():
        return ()
    read = await remote.git("ls-remote", "--get-url", "--", remote.name)
    return tuple(dict.fromkeys(ran.out.strip() for ran in (written, read) if ran.exit == 0))


async def look(remote: Remote, *branches: str) -> Seen:
    """Where branches of the remote stand now."""
    refs = [f"{_HEADS}{branch}" for branch in branches]
    ran = await remote.git("ls-remote", "--symref", "--", remote.name, "HEAD", *refs)
    if ran.exit != 0:
        raise _trouble(ran, remote)
    default, heads = "", dict[str, str]()
    for line in ran.out.splitlines():
        what, _, name = line.partition("\t")
        if what.startswith(f"ref: {_HEADS}") and name == "HEAD":
            default = what.removeprefix(f"ref: {_HEADS}")
        elif _ID.fullmatch(what) and name in refs:
            heads[name.removeprefix(_HEADS)] = what
    return Seen(default if _is_name(remote.user, default) else "", heads)


async def had_by(remote: Remote) -> tuple[str, ...]:
    """Commits that the remote has: its branches as it shows them now, and as they were seen here before.

    A branch that others moved on is at a commit which is not here; where it was when it was fetched still is.
    """
    ran = await remote.git("ls-remote", "--heads", "--", remote.name)
    if ran.exit != 0:
        raise _trouble(ran, remote)
    pairs = [(id, name) for id, _, name in (line.partition("\t") for line in ran.out.splitlines())]
    shown = {name.removeprefix(_HEADS): id for id, name in pairs if _ID.fullmatch(id)}
    seen = f"refs/remotes/{remote.name}/"
    listed = remote.user.git().run("for-each-ref", "--format=%(objectname) %(refname)", seen)
    before = (line.partition(" ") for line in os.fsdecode(listed).splitlines())
    return (*shown.values(), *(id for id, _, name in before if name.removeprefix(seen) in shown))


async def push(remote: Remote, commit: str, branch: str, known: str, patterns: tuple[str, ...]) -> None:
    """Put a commit on a branch of the remote; `known` is where that branch is now, empty for nowhere."""
    check_branch(remote.user, branch, patterns)
    if known == commit:
        return
    if known and not await _has(remote, known, commit):
        raise SetupError("forge.foreign", branch=branch, remote=remote.name)
    words = ("push", "--porcelain", "--no-follow-tags", "--recurse-submodules=no", "--")
    ran = await remote.git(*words, remote.name, f"{commit}:{_HEADS}{branch}", timeout=PUSH_TIMEOUT)
    if ran.exit != 0:
        raise await _refused(ran, remote, branch)


def check_branch(user: Repository, branch: str, patterns: tuple[str, ...]) -> None:
    if not _is_name(user, branch):
        raise SetupError("forge.bad_branch", branch=harmless(branch))
    if protected(branch, patterns):
        raise SetupError("forge.protected", branch=branch)


async def _has(remote: Remote, older: str, commit: str) -> bool:
    """Whether a commit builds on what the remote has; one that we don't know is somebody else's."""
    return (await remote.git("merge-base", "--is-ancestor", older, commit)).exit == 0


def _is_name(user: Repository, branch: str) -> bool:
    if not branch or branch.startswith("-") or not branch.isprintable() or len(branch) > 250:
        return False
    return user.git().attempt("check-ref-format", f"{_HEADS}{branch}").exit == 0


async def _refused(ran: Ran, remote: Remote, branch: str) -> SetupError:
    told = re.search(r"^!\t[^\t]*\t(.*)$", ran.out, re.MULTILINE)
    if told is None:
        hook = await _hook(remote)
        general = _trouble(ran, remote)
        if hook and general.key == "forge.git_failed" and not ran.timed_out:
            return SetupError("forge.hook", hook=hook, branch=branch, said=_words(ran))
        return general
    said = harmless(told[1])
    if "[remote rejected]" in said:
        return SetupError(
            "forge.remote_rejected", branch=branch, remote=remote.name, said=_remote_words(ran, said)
        )
    if "[rejected]" in said:
        return SetupError("forge.foreign", branch=branch, remote=remote.name)
    return SetupError("forge.remote_rejected", branch=branch, remote=remote.name, said=said)


def _trouble(ran: Ran, remote: Remote) -> SetupError:
    """Why git could not even speak with the remote."""
    if ran.timed_out:
        return SetupError("forge.git_slow", remote=remote.name)
    said = _words(ran)
    for key, shape in (("no_network", _NETWORK), ("no_access", _LOGIN), ("no_remote", _GONE)):
        if shape.search(ran.err):
            return SetupError(f"forge.{key}", remote=remote.name, said=said)
    return SetupError("forge.git_failed", remote=remote.name, said=said)


async def _hook(remote: Remote) -> str:
    """The pre-push hook of the user's, if there is one."""
    ran = await remote.git("rev-parse", "--git-path", "hooks/pre-push")
    path = remote.user.root / Path(ran.out.strip() or ".")
    return "pre-push" if ran.exit == 0 and path.is_file() and os.access(path, os.X_OK) else ""


def _words(ran: Ran) -> str:
    lines = [line for line in ran.err.splitlines() if line.strip() and not line.startswith(("hint:", "To "))]
    kept = [line for line in lines if "failed to push some refs" not in line]
    return harmless(" / ".join(kept[-6:])) or f"exit {ran.exit}"


def _remote_words(ran: Ran, said: str) -> str:
    lines = [
        line.removeprefix("remote:").strip() for line in ran.err.splitlines() if line.startswith("remote:")
    ]
    return harmless(" / ".join([said, *(line for line in lines if line)][:6]))
