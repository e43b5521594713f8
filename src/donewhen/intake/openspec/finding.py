"""Which folder is meant: a change's folder, a file in it, or its id below an `openspec/` folder further up.

A folder of a repository is hostile ground: links are not followed, and a name that leads elsewhere is
refused.
"""

import stat
from pathlib import Path
from typing import NamedTuple

from donewhen.config.places import harmless
from donewhen.core.errors import UserError
from donewhen.core.texts import Phrase

ARCHIVE = "archive"
_MOST_NAMED = 8
_HIGHEST = 64
_MARKS = ("proposal.md", "tasks.md", "design.md", ".openspec.yaml", "specs")


class Home(NamedTuple):
    """A change's folder, and the `openspec/` folder it belongs to (None: it stands alone)."""

    folder: Path
    root: Path | None

    def name(self, path: Path) -> str:
        """The path as people write it, seen from the project."""
        base = self.root.parent if self.root else self.folder.parent
        return path.relative_to(base).as_posix()


def find_change(given: Path, start: Path) -> Home:
    """The change that `given` means, seen from the folder `start`."""
    if "\0" in str(given):
        raise _unknown(given, start)
    path, base = _plain(start / given), _plain(start)
    by_id = _below_roots(given, base)
    if by_id and len(given.parts) == 1:  # an id wins over a folder of the same name that happens to be here
        return _around(by_id, given)
    kind = _kind(path)
    if kind == "link":
        raise UserError("openspec.link", place=harmless(str(given)))
    if kind:
        return _around(path if kind == "folder" else path.parent, given)
    if by_id:
        return _around(by_id, given)
    raise _unknown(given, base)


def _below_roots(given: Path, start: Path) -> Path | None:
    """The folder of that name below the changes of an `openspec/` folder further up."""
    if given.is_absolute() or ".." in given.parts or not given.parts:
        return None
    for root in _roots(start):
        for path in (root / "changes" / given, root / given, root.parent / given):
            kind = _kind(path)
            if kind == "link":
                raise UserError("openspec.link", place=harmless(str(given)))
            if kind and path.is_relative_to(root / "changes"):
                return path if kind == "folder" else path.parent
    return None


def change_ids(root: Path) -> list[str]:
    """The changes of an `openspec/` folder that are not archived."""
    try:
        found = [entry for entry in (root / "changes").iterdir() if _is_change(entry)]
    except OSError:
        return []
    return sorted(entry.name for entry in found)


def _is_change(entry: Path) -> bool:
    return entry.name != ARCHIVE and not entry.name.startswith(".") and _kind(entry) == "folder"


def _around(folder: Path, given: Path) -> Home:
    """The change that the folder is, or is part of; or the only one of the root that it is."""
    ups = (folder, *list(folder.parents)[:_HIGHEST])
    for inner in ups:
        above = inner.parent
        if above.name == ARCHIVE and above.parent.name == "changes":
            raise UserError("openspec.archived", place=harmless(str(given)))
        if above.name == "changes" and above.parent.name == "openspec" and _is_change(inner):
            return Home(inner, above.parent)
    root = _root_at(folder)
    if root:
        known = change_ids(root)
        if len(known) == 1:
            return Home(root / "changes" / known[0], root)
        raise _which(given, known)
    if folder.parent.name == "changes" and _is_change(folder):
        return Home(folder, folder.parent.parent)
    if any(_kind(folder / mark) for mark in _MARKS):
        return Home(folder, next(iter(_roots(folder)), None))
    raise _unknown(given, folder)


def _root_at(folder: Path) -> Path | None:
    """The `openspec/` folder that `folder` is, holds or is the `changes` of."""
    if folder.name == "changes" and folder.parent.name == "openspec":
        return folder.parent
    return next((each for each in (folder / "openspec", folder) if _kind(each / "changes") == "folder"), None)


def _roots(start: Path) -> list[Path]:
    ups = (start, *list(start.parents)[:_HIGHEST])
    return [up / "openspec" for up in ups if _kind(up / "openspec") == "folder"]


def _unknown(given: Path, start: Path) -> UserError:
    known = next((ids for root in _roots(start) if (ids := change_ids(root))), [])
    hint = Phrase("openspec.known", {"known": _listed(known)}) if known else Phrase("openspec.none_known")
    return UserError("openspec.no_change", place=harmless(str(given)), hint=hint)


def _which(given: Path, known: list[str]) -> UserError:
    if not known:
        return UserError("openspec.no_changes", place=harmless(str(given)))
    return UserError("openspec.which_change", place=harmless(str(given)), known=_listed(known))


def _listed(known: list[str]) -> str:
    more = ", …" if len(known) > _MOST_NAMED else ""
    return ", ".join(harmless(name) for name in known[:_MOST_NAMED]) + more


def _plain(path: Path) -> Path:
    """Absolute, its folders resolved, its own last name not: a link must still show as one."""
    full = Path.cwd() / path
    return full.parent.resolve() / full.name if full.name not in ("", "..") else full.resolve()


def _kind(path: Path) -> str:
    """`folder`, `file`, `link` or, when there is nothing, the empty text."""
    try:
        mode = path.lstat().st_mode
    except (OSError, ValueError):
        return ""
    if stat.S_ISLNK(mode):
        return "link"
    return "folder" if stat.S_ISDIR(mode) else "file"
