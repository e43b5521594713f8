"""Commits that came with a call: found, looked through, and taken back when they would carry out a secret.

Where branches stand is read from files, so a call that committed nothing costs a few small reads. Commits are
read with the user's git directory and the workspace's objects; a branch is moved back by git behind the
agent's own walls, and files and index stay. What can't be read, or is too much, is not judged here: history
that was not seen to be clean is never shipped (`run/shipping/history.py`).
"""

import asyncio
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import NamedTuple

from donewhen.core.errors import SetupError
from donewhen.core.shown import one_name
from donewhen.core.texts import Language, Phrase, say
from donewhen.run.engine.committing_held import Held, pending
from donewhen.run.shipping.before import ToCommit
from donewhen.run.shipping.history import own_objects
from donewhen.run.shipping.leaks import baseline, named, told
from donewhen.run.shipping.site import Site
from donewhen.secrets.diff import GIT_DIFF_ARGUMENTS
from donewhen.secrets.scan import scan_text
from donewhen.tools.git_running import WRITING, ran
from donewhen.tools.model import ToolContext
from donewhen.workspace.git.runner import Git, names
from donewhen.workspace.rooms.results import lending

_ID = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_HEADS = "refs/heads/"
_LONGEST = 4096  # bytes of a reference
_LARGEST = 16 * 1024 * 1024  # bytes of packed references
_MOST_REFS = 2000
_MOST_COMMITS = 500
_MOST_OBJECTS = 50_000
_LARGEST_NEW = 64 * 1024 * 1024
_MOST_NAMED = 10
_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


class Taken(NamedTuple):
    """Where HEAD and the branches stand."""

    head: str  # `ref: refs/heads/NAME`, or a commit
    heads: Mapping[str, str]  # by full name

    @property
    def branch(self) -> str:
        """The full name of the branch that HEAD is on; empty when it is on none."""
        name = self.head.removeprefix("ref: ")
        return name if name != self.head and name.startswith(_HEADS) else ""

    @property
    def commit(self) -> str:
        return self.heads.get(self.branch, "") if self.branch else self.head

    @property
    def tips(self) -> frozenset[str]:
        return frozenset(each for each in (self.head, *self.heads.values()) if _ID.fullmatch(each))


class Leak(NamedTuple):
    """What new commits would carry out."""

    commits: tuple[str, ...]
    files: tuple[str, ...]
    said: bool = False  # a message holds a secret


class Commits:
    """To be made when the agent has not acted yet; `after` is called when a writing call is over."""

    def __init__(self, site: Site, patterns: tuple[str, ...] = ()) -> None:
        self._site = site
        self._patterns = patterns
        self._own = os.fspath(site.repository.git_dir)
        self._common = os.fspath(site.repository.common)
        self._packed: tuple[tuple[int, ...], dict[str, str]] = ((), {})
        self._last = self.taken()

    @property
    def last(self) -> Taken:
        """As it was after the last call."""
        return self._last

    def pending(self, held: Held) -> ToCommit:
        """What a call that means to commit this would commit, for hooks."""
        return pending(self._site, held, self.taken().commit, self._site.fingerprints.take().tree)

    def taken(self) -> Taken:
        """As it is now."""
        head = _line(f"{self._own}/HEAD")
        if self._site.kind != "clone":  # all other branches are the user's own affair
            name = Taken(head, {}).branch
            return Taken(head, {name: self._one(name)} if name else {})
        return Taken(head, {**self._read_packed(), **self._loose()})

    async def after(self, context: ToolContext) -> Phrase | None:
        """Why a call is refused for what was committed since the last one; that is taken back by then."""
        before, now = self._last, self.taken()
        if now == before:
            return None
        self._last = now
        leak = await asyncio.to_thread(self.leak, before, now)
        if leak is None:
            return None
        back = await self.take_back(before, now, leak, context)
        self._last = self.taken()
        key = "gittools.taken_back" if back else "gittools.not_taken_back"
        return Phrase(key, {"names": _named(leak, context.language)})

    def new(self, before: Taken, now: Taken) -> tuple[str, ...]:
        """The commits that came since, newest first; too many are none."""
        tips = now.tips - before.tips
        if not tips:
            return ()
        listed = self._git().attempt(
            "rev-list", f"--max-count={_MOST_COMMITS + 1}", *sorted(tips), *self._known(before)
        )
        found = tuple(listed.out.decode().split()) if listed.exit == 0 else ()
        return found if len(found) <= _MOST_COMMITS else ()

    def leak(self, before: Taken, now: Taken) -> Leak | None:
        """What the new commits hold that looks like a secret."""
        commits = self.new(before, now)
        try:
            if not commits or not self._is_readable(commits, before):
                return None
            files, said = self._files(commits), self._said(commits)
        except SetupError:
            return None
        return Leak(commits, files, said) if files or said else None

    async def take_back(self, before: Taken, now: Taken, leak: Leak, context: ToolContext) -> bool:
        """Put the branch that HEAD is on back to before; False when the commits are not on it."""
        tip = now.commit
        if self._site.kind == "in_place" or tip not in leak.commits:
            return False
        old = before.heads.get(now.branch, "") if now.branch else ""
        old = old or await asyncio.to_thread(self._root, tip, before)
        if not _ID.fullmatch(old):
            return False
        words = ("update-ref", "--no-deref", "-m", "donewhen: taken back", now.branch or "HEAD", old, tip)
        return (await ran(context, *words, timeout=WRITING)).ok

    def _root(self, tip: str, before: Taken) -> str:
        """Where a new line of commits began; empty for one that began with nothing."""
        git = self._git()
        listed = git.attempt("rev-list", "--first-parent", tip, *self._known(before))
        first = listed.out.decode().split()[-1:]
        if listed.exit or not first:
            return ""
        asked = git.attempt("rev-parse", "--verify", "--quiet", f"{first[0]}^1")
        return asked.out.decode().strip() if asked.exit == 0 else ""

    def _known(self, before: Taken) -> list[str]:
        glob = [f"--glob={_HEADS}*"] if self._site.kind == "clone" else []
        return ["--not", *sorted({*before.tips, self._site.base}), *glob]

    def _is_readable(self, commits: tuple[str, ...], before: Taken) -> bool:
        git = self._git()
        listed = git.run("rev-list", "--objects", "--no-object-names", *commits, *self._known(before))
        if listed.count(b"\n") > _MOST_OBJECTS:
            return False
        sizes = git.run("cat-file", "--batch-check=%(objectsize)", stdin=listed).split()
        return all(size.isdigit() for size in sizes) and sum(map(int, sizes)) <= _LARGEST_NEW

    def _files(self, commits: tuple[str, ...]) -> tuple[str, ...]:
        git, listed = self._git(), "\n".join(commits).encode() + b"\n"
        # of a merge only what it has from none of its parents: the rest was looked at before
        words = ("diff-tree", "--stdin", "-r", "-c", "--root", "--no-commit-id")
        added = names(git.run(*words, "--diff-filter=A", "--name-only", "-z", stdin=listed))
        diff = git.run(*words, "-p", "-U0", "-M", *GIT_DIFF_ARGUMENTS, stdin=listed)
        known = baseline(self._site.fingerprints, self._site.base_tree)
        found = {*named(added, self._patterns), *told(diff.decode(errors="surrogateescape"), known)}
        return tuple(sorted(found))

    def _said(self, commits: tuple[str, ...]) -> bool:
        words = ("rev-list", "--no-walk", "--stdin", "--format=%an%n%ae%n%B")
        said = self._git().run(*words, stdin="\n".join(commits).encode() + b"\n").decode(errors="replace")
        lines = (line for line in said.split("\n") if not line.startswith("commit "))
        return bool(scan_text("", "\n".join(lines)))

    def _git(self) -> Git:
        lent = lending(own_objects(self._site))
        return self._site.user.git()._replace(more={"GIT_ALTERNATE_OBJECT_DIRECTORIES": lent})

    def _loose(self) -> dict[str, str]:
        top = f"{self._common}/{_HEADS}"
        found = {}
        for path in _files_below(top):
            found[_HEADS + path[len(top) :]] = _line(path)
            if len(found) >= _MOST_REFS:
                break
        return found

    def _one(self, name: str) -> str:
        return _line(f"{self._common}/{name}") or self._read_packed().get(name, "")

    def _read_packed(self) -> dict[str, str]:
        path = f"{self._common}/packed-refs"
        sign = _sign(path)
        if sign != self._packed[0]:
            self._packed = (sign, _packed(path))
        return self._packed[1]


def _named(leak: Leak, language: Language) -> str:
    shown = [one_name(file) for file in leak.files[:_MOST_NAMED]]
    if leak.said:
        shown.append(say("gittools.in_message", language))
    return ", ".join(shown)


def _files_below(top: str) -> Iterator[str]:
    """Without following links; names of locks are no references."""
    waiting = [top.rstrip("/")]
    while waiting:
        with suppress(OSError), os.scandir(waiting.pop()) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(entry.path)
                elif not entry.name.endswith(".lock"):
                    yield entry.path


def _packed(path: str) -> dict[str, str]:
    lines = _content(path, _LARGEST).split("\n")
    pairs = (line.split(" ", 1) for line in lines if " " in line and line[0] not in "#^")
    return {name: id for id, name in pairs if name.startswith(_HEADS)}


def _line(path: str) -> str:
    return _content(path, _LONGEST).strip()


def _content(path: str, longest: int) -> str:
    try:
        handle = os.open(path, _READ)
    except OSError:
        return ""
    with os.fdopen(handle, "rb") as file, suppress(OSError):
        return os.fsdecode(file.read(longest))
    return ""


def _sign(path: str) -> tuple[int, ...]:
    try:
        facts = os.lstat(path)
    except OSError:
        return (0,)
    return (facts.st_ino, facts.st_size, facts.st_mtime_ns, facts.st_ctime_ns)
