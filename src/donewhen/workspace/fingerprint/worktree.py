"""One working tree, brought into its kept index: the steps of a fingerprint.

The order makes a crash harmless: the index is replaced first, what is remembered about it last.
"""

import hashlib
import os
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from donewhen.core.errors import SetupError
from donewhen.workspace.fingerprint.adding import add_all, remove, write_tree
from donewhen.workspace.fingerprint.ignoring import (
    ENVIRONMENT_FILE,
    Ignored,
    environment_files,
    environments_in,
    is_environment,
)
from donewhen.workspace.fingerprint.indexfile import BadIndex
from donewhen.workspace.fingerprint.kept_index import (
    key_of,
    links_in,
    plant,
    settle,
    throw_away_bad,
    work_copy,
)
from donewhen.workspace.fingerprint.memory import Memory, recall, remember
from donewhen.workspace.fingerprint.nested import Combined, Inside, combine, commit_at, shelf_of, still_inside
from donewhen.workspace.fingerprint.own import EXCLUDES, Own, lend, put, put_if_new
from donewhen.workspace.fingerprint.rereading import MOST, converts, reread
from donewhen.workspace.fingerprint.seeding import seed
from donewhen.workspace.fingerprint.tracked import (
    NOTHING,
    absent_of,
    difference,
    list_tracked,
    parse,
    state_of,
)
from donewhen.workspace.git.repository import git_directory, repository_at
from donewhen.workspace.git.runner import Git, names

_MANY = 200  # so many new entries are compared first, so that content that the user has is not written again
_FEW = 8  # so many unread entries are left to git: it has them read and stored in no time
_LENT = "lent"  # a list of the files of the base, whose objects the user keeps for the run
_DEEPEST = 8  # repositories in repositories
_ENVIRONMENTS = ("ls-files", "-c", "-z", "--", f":(glob)**/{ENVIRONMENT_FILE}")
_MARK = f"/{ENVIRONMENT_FILE}\0".encode()  # in an index
_CLOCK = 1  # seconds that the times of a disk may be behind


class Taken(NamedTuple):
    plain: str  # the tree of plain files: no repository inside
    tree: str
    whole: str
    inside: tuple[Inside, ...]
    absent: tuple[str, ...]


class WorkTree:
    """`shelf` keeps its index; `hidden`: folders below the root that are none of its content."""

    def __init__(self, own: Own, root: Path, shelf: Path, hidden: Iterable[str] = (), depth: int = 0) -> None:
        self._own = own
        self.root = root
        self.index = shelf / "index"
        self._shelf = shelf
        self._hidden = tuple(hidden)
        self._depth = depth
        self._checked = ""
        self._anew = False
        self.ignored = Ignored()  # set by who knows the rules

    def take(self) -> Taken:
        memory = recall(self._shelf / "memory.json")
        before = memory
        try:
            memory = self._plain(memory)
        except BadIndex:
            self.index.unlink(missing_ok=True)
            try:
                memory = self._plain(Memory(answers=memory.answers))
            except BadIndex:
                raise SetupError("git.failed", command="add", why="the index can't be read") from None
        inside = tuple(self._inside(memory))
        memory, combined = self._combined(memory, inside)
        if memory != before:
            remember(self._shelf / "memory.json", memory)
        self._checked = memory.kept
        return Taken(memory.tree, combined.tree, combined.whole, inside, memory.absent)

    def child(self, path: str) -> "WorkTree":
        """The working tree of a repository inside."""
        shelf = shelf_of(self._shelf, path)
        shelf.mkdir(parents=True, exist_ok=True)
        own = self._own._replace(excludes=shelf / EXCLUDES)
        inside = WorkTree(own, self.root / path, shelf, (), self._depth + 1)
        inside.ignored = self.ignored._replace(here="")
        return inside

    def all(self, prefix: str = "") -> Iterator[tuple[Path, Path, str]]:
        """Root, index and path of this working tree and of those inside, as they were taken last."""
        yield self.root, self.index, prefix
        memory = recall(self._shelf / "memory.json")
        for path in dict.fromkeys((*dict(memory.links), *memory.found)):
            if (shelf_of(self._shelf, path) / "index").is_file() and self._depth < _DEEPEST:
                yield from self.child(path).all(f"{prefix}{path}/")

    def forget(self) -> None:
        """Read everything anew the next time, and write it too: the user's objects are not relied on."""
        self.index.unlink(missing_ok=True)
        self._anew = True

    def _plain(self, memory: Memory) -> Memory:
        """The memory with the tree of all plain files; the index kept."""
        since = int(time.time()) - _CLOCK
        kept = key_of(self.index)
        if kept != memory.kept or kept != self._checked:
            throw_away_bad(self.index, self._own.format)
        with work_copy(self.index) as work:
            if kept != memory.kept or not work.exists():
                memory = memory._replace(kept="", tree="", absent=(), forced="")
                if not work.exists():
                    memory = self._begin(memory._replace(user="", unread=0), work)
                links = links_in(work, self._own.format)
                if links:
                    remove(self._own, self.root, work, links)
            if _FEW < memory.unread <= MOST and not self._anew:
                self._reread(work)
            memory, listed = self._follow_user(memory, work)
            memory = self._follow_sparse(memory, work, listed)
            memory = self._add(memory, work, listed)
            if key_of(work) != memory.kept:
                memory = self._settle(memory, work, since)
        if listed is not None:
            put(self._shelf / "tracked", listed)
        return memory

    def _begin(self, memory: Memory, work: Path) -> Memory:
        """Make the first index: of a fresh workspace with what is in it, else empty."""
        git_dir = git_directory(self.root)
        state = state_of(git_dir)
        plain = not self._anew and not self._hidden and not converts(self._own)
        start = seed(self._shelf, git_dir, self._own.format) if plain else None
        if start is None:
            self._own.adding(self.root, work).run("read-tree", "--empty")
            return memory
        put(work, start.data)
        put(self._shelf / "tracked", start.listed)
        put(self._shelf / _LENT, start.listed)
        unread = start.listed.count(b"\0")
        return memory._replace(user=state, links=(), sparse=(), absent=(), unread=unread)

    def _reread(self, work: Path) -> None:
        """Before the index learns of objects that only the user's repository or an agent's may have."""
        lent = parse(self._kept(_LENT), self._own.format).files.values()
        ids = frozenset(facts.split(b" ")[1].decode() for facts in lent)
        data = reread(self._own, self.root, work.read_bytes(), ids)
        if data is not None:
            plant(work, data)

    def _settle(self, memory: Memory, work: Path, since: int) -> Memory:
        """Write the tree and keep the index, without repositories inside: git would start itself in them."""
        tree = write_tree(self._own, self.root, work)
        seen = settle(work, self.index, self._own.format, since)
        links = seen.links
        if links:
            remove(self._own, self.root, work, links)
            tree = write_tree(self._own, self.root, work)
            seen = settle(work, self.index, self._own.format, since)
        found = dict.fromkeys((*memory.found, *map(os.fsdecode, links)))
        unread = len(seen.recent)
        return memory._replace(tree=tree, found=tuple(found), kept=key_of(self.index), unread=unread)

    def _follow_user(self, memory: Memory, work: Path) -> tuple[Memory, bytes | None]:
        """Let the index know what the user's tracks; the list, when it had to be read."""
        git_dir = git_directory(self.root)
        state = state_of(git_dir)
        if state == memory.user:
            return memory, None
        listed = list_tracked(Git(self.root, self._own.env, git_dir) if git_dir else None)
        new = parse(listed, self._own.format, self._hidden)
        old = parse(self._tracked(), self._own.format) if memory.user else NOTHING
        info = difference(old, new, self._own.format)
        git = self._own.adding(self.root, work)
        if info.text:
            git.run("update-index", "-z", "--index-info", stdin=info.text)
        if info.come > _MANY and not self._anew:
            git.attempt("update-index", "-q", "--refresh")
        links = tuple((os.fsdecode(path), commit.decode()) for path, commit in new.links.items())
        sparse = tuple(sorted(map(os.fsdecode, new.sparse)))
        return memory._replace(user=state, links=links, sparse=sparse, absent=(), forced=""), listed

    def _follow_sparse(self, memory: Memory, work: Path, listed: bytes | None) -> Memory:
        absent = absent_of(self.root, memory.sparse)
        if absent == memory.absent and listed is None:
            return memory
        files = parse(self._tracked() if listed is None else listed, self._own.format).files
        git = self._own.adding(self.root, work)
        back = [path for path in memory.sparse if path not in set(absent)]
        if back:
            known = b"".join(os.fsencode(path) + b"\0" for path in back)
            git.attempt("update-index", "-z", "--no-skip-worktree", "--stdin", stdin=known)
        if absent:
            paths = [os.fsencode(path) for path in absent]
            info = b"".join(files[path] + b"\t" + path + b"\0" for path in paths if path in files)
            git.run("update-index", "-z", "--index-info", stdin=info)
            git.run("update-index", "-z", "--skip-worktree", "--stdin", stdin=b"\0".join(paths) + b"\0")
        return memory._replace(absent=absent)

    def _add(self, memory: Memory, work: Path, listed: bytes | None) -> Memory:
        tracked, found = still_inside(self._own, self.root, dict(memory.links), memory.found)
        left_out = (*self._hidden, *tracked, *found)
        if left_out != memory.left_out:
            self._drop_below(work, left_out)
        memory = self._without_environments(memory, environment_files(self.root), listed)
        ignored, new = add_all(self._own, self.root, work, left_out)
        if key_of(work) != memory.kept and _MARK in work.read_bytes():  # one that lies deeper
            known = memory.environments
            asked = self._own.reading(self.root, work).run(*_ENVIRONMENTS)
            memory = self._without_environments(memory, names(asked), listed)
            if memory.environments != known:
                ignored, new = add_all(self._own, self.root, work, left_out)
        memory = self._drop_ignored(memory, work, ignored, listed)
        return memory._replace(found=tuple(dict.fromkeys((*found, *new))), left_out=left_out)

    def _without_environments(self, memory: Memory, files: list[str], listed: bytes | None) -> Memory:
        """Ignore the Python environments that have these files, and no longer those that are gone."""
        known = [path for path in memory.environments if is_environment(self.root / path, path)]
        new = [file for file in files if file.rpartition("/")[0] not in known]
        if new:
            tracked = parse(self._tracked() if listed is None else listed, self._own.format).files
            known += environments_in(self.root, new, map(os.fsdecode, tracked))
        put_if_new(self._shelf / EXCLUDES, self.ignored.text(known))
        return memory._replace(environments=tuple(known))

    def _drop_below(self, work: Path, folders: tuple[str, ...]) -> None:
        """What was a plain folder before may have entries left."""
        below = tuple(f"{folder}/" for folder in folders)
        listed = names(self._own.reading(self.root, work).run("ls-files", "-c", "-z"))
        stale = [path for path in listed if path.startswith(below)]
        if stale:
            remove(self._own, self.root, work, stale)

    def _drop_ignored(self, memory: Memory, work: Path, ignored: list[str], listed: bytes | None) -> Memory:
        """An entry that is ignored stays only when the user's index has it."""
        forced = hashlib.sha256("\0".join(ignored).encode("utf-8", "surrogateescape")).hexdigest()
        if not ignored or forced == memory.forced:
            return memory
        files = parse(self._tracked() if listed is None else listed, self._own.format).files
        extra = [path for path in ignored if os.fsencode(path) not in files]
        if extra:
            remove(self._own, self.root, work, extra)
            return memory
        return memory._replace(forced=forced)

    def _inside(self, memory: Memory) -> list[Inside]:
        commits = dict(memory.links)
        tracked, found = still_inside(self._own, self.root, commits, memory.found)
        inside = []
        for path in (*tracked, *found):
            if self._depth >= _DEEPEST:
                raise SetupError("git.too_deep", folder=self.root / path)
            repository = repository_at(self.root / path, self._own.env)
            if repository is not None and repository.format == self._own.format:
                lend(self._own, (repository.objects,))
            commit = commit_at(self._own, self.root / path) or commits.get(path, "")
            inside.append(Inside(path, commit, self.child(path).take().whole))
        return inside

    def _combined(self, memory: Memory, inside: tuple[Inside, ...]) -> tuple[Memory, Combined]:
        if not inside:
            return memory, Combined(memory.tree, memory.tree)
        question = "inside, plain " + digest(memory.tree, *(part for one in inside for part in one))
        known = memory.answer(question)
        if known is None:
            with work_copy(self.index) as work:
                known = tuple(combine(self._own, self.root, work, inside))
            memory = memory.learnt(question, known)
        return memory, Combined(*known)

    def _tracked(self) -> bytes:
        return self._kept("tracked")

    def _kept(self, name: str) -> bytes:
        try:
            return (self._shelf / name).read_bytes()
        except OSError:
            return b""


def digest(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogateescape")).hexdigest()
