"""The one door to fingerprints: what a working tree holds as an id, what differs, and the way back.

Nothing is ever written into the user's repository; the working tree is written by `restore` alone.
"""

import contextlib
import hashlib
import os
import re
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from donewhen.config.files import locked, private_folder
from donewhen.config.paths import cache_folder, state_folder
from donewhen.core.errors import SetupError, UserError
from donewhen.core.view import Change
from donewhen.secrets.diff import GIT_DIFF_ARGUMENTS
from donewhen.workspace.fingerprint import laying
from donewhen.workspace.fingerprint.beside import beside
from donewhen.workspace.fingerprint.composing import composed
from donewhen.workspace.fingerprint.contents import Entry, contents, entries
from donewhen.workspace.fingerprint.files import LARGEST
from donewhen.workspace.fingerprint.ignoring import KEPT_RULES, Ignored, ignored_now, ignored_then
from donewhen.workspace.fingerprint.keeping import secure, tidy
from donewhen.workspace.fingerprint.memory import recall, remember
from donewhen.workspace.fingerprint.model import Fingerprint
from donewhen.workspace.fingerprint.own import Own, make_own
from donewhen.workspace.fingerprint.relevant import Matched, Patterns, without
from donewhen.workspace.fingerprint.restoring import restore
from donewhen.workspace.fingerprint.touched import touched
from donewhen.workspace.fingerprint.worktree import Taken, WorkTree, digest
from donewhen.workspace.git.repository import Repository
from donewhen.workspace.git.runner import Git, names
from donewhen.workspace.git.user import user_settings

_WAIT = 900.0  # seconds; the first fingerprint of a large working tree takes its time
_ID = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_CHANGES: dict[str, Change] = {"A": "added", "D": "deleted"}
_KEPT = "refs/checkpoints/"
_TREES = 4  # of which the entries are held


class Fingerprints:
    """`home`: a folder for this working tree alone; `exempt`, `irrelevant`: what evidence need not prove.

    `ignored`: the rules of a run or session that began earlier; else those that `home` keeps, else the ones
    that hold now.
    """

    def __init__(
        self,
        repository: Repository,
        home: Path,
        *,
        exempt: Sequence[str] = (),
        irrelevant: Sequence[str] = (),
        ignored: Ignored | None = None,
    ) -> None:
        self._repository = repository
        self._ignored = ignored
        self._own = Own(Path(os.path.realpath(home)), repository.format, repository.env)
        self._patterns = Patterns(self._own, exempt, irrelevant)
        self._tree = WorkTree(self._own, repository.root, self._own.home, _inside(repository, self._own.home))
        self._entries: dict[str, dict[str, Entry]] = {}
        self._tree_ids: dict[str, str] = {}  # by commit
        self._beside: tuple[float, str] | None = None
        self._open = False

    @property
    def objects(self) -> Path:
        """The folder of the objects that are not in the user's repository."""
        return self._own.made

    def take(self) -> Fingerprint:
        """The fingerprint of the working tree as it is now."""
        with self._use():
            return self._fingerprint(self._tree.take())

    def beside(self, *, within: float = 0.0) -> str:
        """A digest of ignored and temporary files, which no fingerprint holds; empty when there are none.

        `within`: the last answer will do where it is not older than so many seconds.
        """
        now = time.monotonic()
        if not self._beside or now - self._beside[0] > within:
            with self._use():
                self._beside = now, beside(self._own, self._repository.root, self._tree.index)
        return self._beside[1]

    def touched_since(self, moment_ns: int) -> tuple[str, ...]:
        """Paths of the fingerprint taken last that somebody wrote or moved since, also if they are as before.

        `moment_ns`: by the clock of the system, as `time.time_ns()` has it.
        """
        with self._use():
            return tuple(touched(self._own, self._tree.all(), moment_ns))

    def changed(self, before: str, after: str) -> dict[str, Change]:
        """What differs between two trees or commits; a renamed file is deleted and added."""
        with self._use():
            return self._changed(before, after)

    def changed_ids(self, before: str, after: str) -> dict[str, str]:
        """The ids that `after` has of the files that differ; empty where one is gone."""
        ids = [_id(one) if one else self._empty() for one in (before, after)]
        words = ("diff-tree", "-r", "-z", "--no-renames", "--raw", "--no-abbrev", "--no-commit-id", *ids)
        with self._use():
            listed = self._reading().run(*words).split(b"\0")
        pairs = zip(listed[::2], listed[1::2], strict=False)
        ids_now = {os.fsdecode(path): os.fsdecode(facts.split()[3]) for facts, path in pairs}
        return {path: id if id.strip("0") else "" for path, id in ids_now.items()}

    def diff(self, before: str, after: str, context: int = 0) -> str:
        """The lines that differ, with so many around them, whatever the repository's settings say."""
        ids = [_id(one) if one else self._empty() for one in (before, after)]
        words = ("diff-tree", "-r", "-p", f"-U{context}", "-M", "--no-commit-id", *GIT_DIFF_ARGUMENTS, *ids)
        with self._use():
            return self._reading().run(*words).decode(errors="surrogateescape")

    def lines_changed(self, before: str, after: str) -> int:
        """How many lines were added or taken away between two trees; binary files count as none."""
        if before == after:
            return 0
        ids = [_id(one) if one else self._empty() for one in (before, after)]
        words = (
            "diff-tree",
            "-r",
            "--numstat",
            "--no-renames",
            "--no-commit-id",
            "-z",
            *GIT_DIFF_ARGUMENTS,
            *ids,
        )
        with self._use():
            listed = self._reading().run(*words).split(b"\0")
        counts = [part for line in listed for part in line.split(b"\t")[:2]]
        return sum(int(part) for part in counts if part.isdigit())

    def tree(self, commit: str) -> str:
        """The tree of a commit; of none, the empty tree."""
        if not commit:
            return self._empty()
        if commit == self._repository.head and self._repository.tree:
            return self._repository.tree
        if commit not in self._tree_ids:
            with self._use():
                found = self._reading().line("rev-parse", "--verify", f"{_id(commit)}^{{tree}}")
            self._tree_ids[commit] = found
        return self._tree_ids[commit]

    def content(self, tree: str, path: str) -> bytes | None:
        """What a file has in a tree; None when there is no such file or it is too large."""
        if not tree or not path or "\0" in path:
            return None
        with self._use():
            git = self._reading()
            words = ("ls-tree", "-z", "-l", "--full-tree", _id(tree), "--", path)
            listed = git.attempt(*words, GIT_LITERAL_PATHSPECS="1").out.split(b"\0")
            for line in listed:
                facts, _, name = line.partition(b"\t")
                if os.fsdecode(name) == path and b" blob " in facts:
                    _, _, id, size = os.fsdecode(facts).split()
                    small = size.isdecimal() and int(size) <= LARGEST  # no number: the object is not here
                    return git.run("cat-file", "blob", id) if small else None
        return None

    def entries(self, tree: str) -> Mapping[str, Entry]:
        """Every file of a tree, by path; each object on the way is checked against its name."""
        if not tree or tree == self._empty():
            return {}
        if tree not in self._entries:
            with self._use():
                found = entries(self._reading(), _id(tree), self._own.format)
            self._entries = {**dict(list(self._entries.items())[1 - _TREES :]), tree: found}
        return self._entries[tree]

    def folders(self, tree: str) -> frozenset[str]:
        """The folders at the top of a tree."""
        with self._use():
            listed = self._reading().attempt("ls-tree", "-d", "-z", "--name-only", _id(tree)).out
        return frozenset(names(listed))

    def contents(self, ids: Iterable[str], largest: int = LARGEST) -> dict[str, bytes | int]:
        """What files have, by the ids of their entries; of those that are too large, the size."""
        with self._use():
            return contents(self._reading(), map(_id, ids), self._own.format, largest)

    def composed(
        self, base: str, now: str, paths: Iterable[str], written: Mapping[str, bytes] | None = None
    ) -> str:
        """The tree `now` with these paths as `base` has them, and `written` as given; kept by us alone."""
        ids = [_id(one) if one else self._empty() for one in (base, now)]
        wanted = sorted(paths)
        contents = [
            f"{path} {hashlib.sha256(data).hexdigest()}" for path, data in sorted((written or {}).items())
        ]
        question = "composed " + digest(*ids, *wanted, *contents)
        with self._use():
            file = self._own.home / "answers.json"
            known = recall(file).answer(question)
            if known and self._reading().attempt("cat-file", "-e", known[0]).exit == 0:
                return known[0]
            made = composed(self._own, ids[0] if ids[0] != self._empty() else "", ids[1], wanted, written)
            remember(file, recall(file).learnt(question, (made,)))
            return made

    def not_ignored_by(self, tree: str, paths: Sequence[str]) -> tuple[str, ...]:
        """Those of `paths` that neither the user's rules nor the ignore files of `tree` hide."""
        found = self.entries(tree).items()
        rules = {path: one.id for path, one in found if path.rpartition("/")[2] == ".gitignore"}
        texts = self.contents(rules.values())
        listed = b"".join(os.fsencode(path) + b"\0" for path in paths)
        with self._use(), tempfile.TemporaryDirectory(dir=self._own.home) as folder:
            for path, id in rules.items():
                if isinstance(text := texts.get(id), bytes):
                    (Path(folder) / path).parent.mkdir(parents=True, exist_ok=True)
                    (Path(folder) / path).write_bytes(text)
            words = ("check-ignore", "--no-index", "-z", "--stdin")
            ran = self._own.reading(Path(folder)).attempt(*words, stdin=listed)
        hidden = set(names(ran.out))
        return tuple(path for path in paths if path not in hidden) if ran.exit in (0, 1) else ()

    def keep(self, name: str, tree: str) -> None:
        """Keep a tree as a checkpoint; of the one taken last, also the files of repositories inside."""
        with self._use():
            whole = recall(self._own.home / "answers.json").answer(tree)
            kept = whole[0] if whole else _id(tree)
            secure(self._own, self._repository.root, self._repository.commit("HEAD") or self._empty(), kept)
            self._reading().run("update-ref", f"{_KEPT}{name}", kept)

    def kept(self) -> dict[str, str]:
        """The checkpoints, by name."""
        with self._use():
            ran = self._reading().attempt("for-each-ref", "--format=%(objectname) %(refname)", _KEPT)
            if ran.exit or "broken ref" in ran.err:
                raise SetupError(
                    "git.checkpoints_broken", folder=self._own.directory, why=ran.err.strip()[:300]
                )
        pairs = (os.fsdecode(line).split(" ", 1) for line in ran.out.split(b"\n") if line)
        return {name.removeprefix(_KEPT): id for id, name in pairs}

    def restore(self, tree: str) -> dict[str, Change]:
        """Make the working tree hold `tree`; ignored files stay. What that changed."""
        target = _id(tree) if tree else self._empty()
        with self._use():
            before = self._tree.take()
            restore(self._own, self._tree, before, target)
            return self._changed(before.whole, self._tree.take().whole)

    def lay(self, tree: str, folder: Path) -> None:
        """Make a folder of the harness hold exactly this tree, beside what was not laid by us."""
        target = _id(tree) if tree else self._empty()
        with self._use():
            try:
                laying.lay(self._own, target, folder)
            except SetupError:
                # objects that were lost or altered (a cleared repository, a torn disk, a hostile hand)
                # are made again from the files
                self._tree.forget()
                self._tree.take()
                laying.lay(self._own, target, folder)

    def _fingerprint(self, taken: Taken) -> Fingerprint:
        file = self._own.home / "answers.json"
        memory = before = recall(file)
        question = "relevant " + digest(self._patterns.name, taken.whole, *taken.absent)
        known = memory.answer(question)
        if known is None:
            latest = memory.answer(self._patterns.name)
            last = Matched(latest[0], latest[1:]) if latest else None
            index = self._tree.index if taken.whole == taken.plain else None
            matched = self._patterns.match(taken.whole, last, index)
            known = (without(self._own, taken.whole, (*matched.paths, *taken.absent)),)
            memory = memory.learnt(self._patterns.name, (matched.tree, *matched.paths)).learnt(
                question, known
            )
        if taken.whole != taken.tree:
            memory = memory.learnt(taken.tree, (taken.whole,))
        if memory != before:
            remember(file, memory)
        return Fingerprint(taken.tree, known[0], len(taken.absent), whole=taken.whole)

    def _changed(self, before: str, after: str) -> dict[str, Change]:
        ids = [_id(one) if one else self._empty() for one in (before, after)]
        if ids[0] == ids[1]:
            return {}
        words = ("diff-tree", "-r", "-z", "--no-renames", "--name-status", "--no-commit-id", *ids)
        listed = self._reading().run(*words).split(b"\0")
        pairs = zip(listed[::2], listed[1::2], strict=False)
        return {os.fsdecode(path): _CHANGES.get(os.fsdecode(letter), "modified") for letter, path in pairs}

    def _reading(self) -> Git:
        return self._own.reading(self._repository.root)

    def _empty(self) -> str:
        return hashlib.new(self._own.format, b"tree 0\0", usedforsecurity=False).hexdigest()

    def _rules(self) -> Ignored:
        held = self._ignored or ignored_then(self._own.home / KEPT_RULES)
        return held or ignored_now(self._repository, self._own.env)

    @contextlib.contextmanager
    def _use(self) -> Iterator[None]:
        private_folder(self._own.home)
        with locked(self._own.home / "lock", _WAIT):
            if not self._open or not (self._own.directory / "HEAD").is_file():
                self._tree.ignored = self._rules()
                known = recall(self._own.home / "memory.json").environments
                excludes = self._tree.ignored.text(known)
                make_own(self._own, self._repository, user_settings(self._own.env), excludes)
                tidy(self._own, self._repository.root, self._tree.index)
                self._open = True
            yield


def _id(text: str) -> str:
    """An object id; anything else could be an option or a name that the repository gives a meaning."""
    if not _ID.fullmatch(text):
        raise SetupError("git.no_id", text=text[:80])
    return text


def _inside(repository: Repository, home: Path) -> tuple[str, ...]:
    """Folders of the harness that lie in the working tree: they are no part of it."""
    folders = [home]
    for find in (state_folder, cache_folder):
        with contextlib.suppress(UserError):
            folders.append(Path(os.path.realpath(find(repository.env))))
    root = repository.root
    below = (folder for folder in folders if folder.is_relative_to(root) and folder != root)
    return tuple(dict.fromkeys(str(folder.relative_to(root)) for folder in below))
