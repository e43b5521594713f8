"""The tree without what can't matter: exempt paths, declared irrelevant ones, files that are not there.

git matches the patterns, as it does those of an ignore file. After a small change only paths that are new
are matched again.
"""

import hashlib
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from donewhen.core.paths import STATE_FOLDERS, TEMPORARY_ENDINGS, TEMPORARY_FOLDERS, relative
from donewhen.workspace.fingerprint.adding import remove, write_tree
from donewhen.workspace.fingerprint.kept_index import work_copy
from donewhen.workspace.fingerprint.own import Own, put
from donewhen.workspace.git.runner import names

_SMALL = 1000  # paths


class Matched(NamedTuple):
    """The paths of a tree that the patterns match."""

    tree: str
    paths: tuple[str, ...]


class Patterns:
    """What core.paths.Exempt means, and what the project declares irrelevant, as an ignore file for git."""

    def __init__(self, own: Own, exempt: Sequence[str], irrelevant: Sequence[str]) -> None:
        self._own = own
        self._text = _text(exempt, irrelevant)
        self.name = hashlib.sha256(self._text).hexdigest()[:32]

    def match(self, tree: str, before: Matched | None, index: Path | None) -> Matched:
        """The matched paths of `tree`; `index` describes it, `before` is the answer for another tree."""
        if before is not None and len(before.paths) <= _SMALL:
            changed = self._changed(before.tree, tree)
            if changed is not None:
                gone, come = changed
                kept = (path for path in before.paths if path not in gone)
                return Matched(tree, tuple(sorted({*kept, *self._among(come)})))
        return Matched(tree, tuple(self._all(tree, index)))

    def _changed(self, before: str, after: str) -> tuple[set[str], list[str]] | None:
        """The paths that went and those that came; None when they are many or the old tree is not known."""
        words = ("diff-tree", "-r", "-z", "--no-renames", "--diff-filter=AD", "--name-status", before, after)
        ran = self._own.reading(self._own.home).attempt(*words)
        listed = ran.out.split(b"\0")
        if ran.exit or len(listed) > 2 * _SMALL:
            return None
        pairs = list(zip(listed[::2], map(os.fsdecode, listed[1::2]), strict=False))
        gone = {path for letter, path in pairs if letter == b"D"}
        return gone, [path for letter, path in pairs if letter == b"A"]

    def _among(self, paths: Sequence[str]) -> list[str]:
        if not paths:
            return []
        nowhere = self._own.home / "nowhere"  # an empty folder: no ignore file of anybody is found in it
        nowhere.mkdir(exist_ok=True)
        git = self._own.reading(nowhere)
        git = git._replace(settings=(*git.settings, f"core.excludesFile={self._file()}"))
        listed = b"".join(os.fsencode(path) + b"\0" for path in paths)
        return names(git.attempt("check-ignore", "-z", "--no-index", "--stdin", stdin=listed).out)

    def _all(self, tree: str, index: Path | None) -> list[str]:
        words = ("ls-files", "-c", "-i", "-z", f"--exclude-from={self._file()}")
        if index is not None:
            return names(self._own.reading(self._own.home, index).run(*words))
        with work_copy(self._own.home / "matching") as work:
            git = self._own.reading(self._own.home, work)
            git.run("read-tree", tree)
            return names(git.run(*words))

    def _file(self) -> Path:
        file = self._own.home / f"patterns-{self.name}"
        if not file.exists():
            put(file, self._text)
        return file


def without(own: Own, tree: str, paths: Iterable[str]) -> str:
    """The id of a tree without some of its paths."""
    gone = list(dict.fromkeys(paths))
    if not gone:
        return tree
    with work_copy(own.home / "without") as work:
        own.reading(own.home, work).run("read-tree", tree)
        remove(own, own.home, work, gone)
        return write_tree(own, own.home, work)


def _text(exempt: Sequence[str], irrelevant: Sequence[str]) -> bytes:
    lines = []
    for ending in TEMPORARY_ENDINGS:
        lines += [f"*{ending}", f"!*{ending}/"]  # a file's name, not a folder's
    lines += [line.replace("\n", "") for line in irrelevant]
    lines += [_folder(name) for name in dict.fromkeys((*TEMPORARY_FOLDERS, *exempt)) if _is_inside(name)]
    lines += sorted(STATE_FOLDERS)
    return b"".join(os.fsencode(line) + b"\n" for line in lines)


def _is_inside(name: str) -> bool:
    return relative(name.strip().lstrip("/")) not in (None, ".")


def _folder(name: str) -> str:
    """A slash anywhere ties a folder to the root, as in the configuration."""
    text = name.strip().replace("\n", "")
    short = (relative(text.lstrip("/")) or "").replace("\\", "\\\\")
    return f"/{short}/" if "/" in text else f"{short}/"
