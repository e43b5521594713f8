"""What of a git directory must not change behind our back: what git would run, and where it would look.

Looked at after every writing command, so a look at nothing new is a handful of `lstat`; content is read only
when one of those moved. Commits, branches, tags, stashes and who the author is are an agent's own affair.
Nothing is put right here, and git is never run in the directory that is watched.
"""

import base64
import contextlib
import hashlib
import json
import os
import stat
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from donewhen.config.files import read_bytes, read_regular, write_whole
from donewhen.core.errors import DonewhenError
from donewhen.run.shipping.site import Site
from donewhen.run.shipping.watching_keys import harmful_changes
from donewhen.workspace.git.runner import Git

_FIXED = ("", "objects")  # folders that stay the very ones they were
_FOLDERS = ("objects/info", "refs", "info", "hooks")  # may come and go, but lead nowhere else
_FILES = (
    "commondir",
    "gitdir",
    "info/attributes",
    "info/grafts",
    "objects/info/alternates",
    "objects/info/http-alternates",
)
_SETTINGS = ("config", "config.worktree")
_MOST_HOOKS = 500
_IDLE = ".sample"  # git runs no file that ends so
_FRESH_NS = 50_000_000  # what changed just now may change again within one tick of the file system's clock
_UNREAD = b"?"
_IDENTITIES = frozenset({".git", ".git/objects"})

_Sign = tuple[int, ...]
_Key = tuple[str, str]  # name as people know it, and the git directory


class _State(NamedTuple):
    files: Mapping[_Key, str]  # what a file or folder is, as a text to compare
    settings: Mapping[_Key, bytes | None]  # content of the files of settings; None: not there


class Watched:
    """To be made when the agent has not acted yet."""

    def __init__(self, site: Site) -> None:
        self._git = Git(Path("/"), site.user.env, Path(os.devnull))
        self._entry = os.fspath(site.folder / ".git")
        # of a worktree git reads two: the one that all share, and its own
        self._roots = tuple(dict.fromkeys(map(os.fspath, (site.repository.common, site.repository.git_dir))))
        self._start = self._state()
        self._last: tuple[str, ...] = ()
        self._seen: dict[str, _Sign] = {}

    def harms(self) -> tuple[str, ...]:
        """The names of what differs from the start and must not: `.git/hooks/pre-commit`; mostly empty."""
        signs = self._signs()
        if signs == self._seen:
            return self._last
        self._last = tuple(dict.fromkeys(self._compare(self._state())))
        newest = max(sign[-1] for sign in signs.values())
        self._seen = signs if newest < time.time_ns() - _FRESH_NS else {}
        return self._last

    def keep(self, file: Path) -> None:
        """Write the start down, for a process that goes on with the run."""
        files = [[*key, text] for key, text in self._start.files.items() if key[0] not in _IDENTITIES]
        settings = [
            [*key, None if data is None else base64.b64encode(data).decode()]
            for key, data in self._start.settings.items()
        ]
        kinds = {name: _kind(f"{self._roots[0]}/{name}") for name in _FIXED}
        data = {"files": files, "settings": settings, "kinds": kinds}
        write_whole(file, json.dumps(data).encode())

    def recall(self, file: Path) -> None:
        """Compare with the start that another process wrote down; which folders are meant is known now."""
        data = read_bytes(file, file.name)
        if data is None:  # killed before the agent could act
            self.keep(file)
            return
        said = json.loads(data)
        now = {key: text for key, text in self._start.files.items() if key[0] in _IDENTITIES}
        for name, kind in said["kinds"].items():
            if _kind(f"{self._roots[0]}/{name}") != kind:
                now[_named(name), self._roots[0]] = "replaced"
        then = {(name, root): text for name, root, text in said["files"]}
        settings = {
            (name, root): None if text is None else base64.b64decode(text)
            for name, root, text in said["settings"]
        }
        self._start = _State({**now, **then}, {**self._start.settings, **settings})
        self._seen = {}

    def _signs(self) -> dict[str, _Sign]:
        found = {self._entry: _identity(self._entry)}
        for root in self._roots:
            for name in (*_FIXED, *_FOLDERS):
                found[f"{root}/{name}"] = _identity(f"{root}/{name}")
            for name in (*_FILES, *_SETTINGS):
                found[f"{root}/{name}"] = _sign(f"{root}/{name}")
            for path in _hooks(root):
                found[path] = _sign(path)
        return found

    def _state(self) -> _State:
        files = {(".git", ""): f"{_identity(self._entry)} {_plain_file(self._entry)}"}
        settings: dict[_Key, bytes | None] = {}
        for root in self._roots:
            for name in _FIXED:
                files[_named(name), root] = str(_identity(f"{root}/{name}"))
            for name in _FOLDERS:
                files[_named(name), root] = "" if _is_folder_or_none(f"{root}/{name}") else "elsewhere"
            for path in (*(f"{root}/{name}" for name in _FILES), *_hooks(root)):
                files[_named(path[len(root) + 1 :]), root] = _digest(path)
            for name in _SETTINGS:
                settings[_named(name), root] = _content(f"{root}/{name}")
        return _State(files, settings)

    def _compare(self, now: _State) -> Iterator[str]:
        start = self._start
        for key in sorted({*start.files, *now.files}):
            if start.files.get(key, "") != now.files.get(key, ""):
                yield key[0]
        for key, data in now.settings.items():
            if data != start.settings[key]:
                yield from self._harmful(key[0], start.settings[key], data)

    def _harmful(self, name: str, before: bytes | None, after: bytes | None) -> Iterator[str]:
        then, now = self._listed(before), self._listed(after)
        if then is None or now is None:
            yield name
            return
        for key in harmful_changes(then, now):
            yield f"{name}: {key}"

    def _listed(self, data: bytes | None) -> list[tuple[str, str]] | None:
        """The settings of a file; None when nobody can read it."""
        if data is None:
            return []
        ran = self._git.attempt("config", "--file", "-", "--no-includes", "--null", "--list", stdin=data)
        if ran.exit:
            return None
        entries = (os.fsdecode(entry).partition("\n") for entry in ran.out.split(b"\0") if entry)
        return [(name, value if given else "true") for name, given, value in entries]


def _named(name: str) -> str:
    return f".git/{name}" if name else ".git"


def _hooks(root: str) -> list[str]:
    """The programs that git might run; a folder with very many is told by its own name."""
    found = []
    with contextlib.suppress(OSError), os.scandir(f"{root}/hooks") as entries:
        for entry in entries:
            if not entry.name.endswith(_IDLE):
                found.append(entry.path)
            if len(found) > _MOST_HOOKS:
                break
    return found


def _sign(path: str) -> _Sign:
    """Whatever a change of a file can't leave as it was."""
    try:
        facts = os.lstat(path)
    except OSError:
        return (0,)
    return (facts.st_mode, facts.st_ino, facts.st_size, facts.st_mtime_ns, facts.st_ctime_ns)


def _identity(path: str) -> _Sign:
    """Of a folder only which one it is: its times change with every command."""
    try:
        facts = os.lstat(path)
    except OSError:
        return (0,)
    return (stat.S_IFMT(facts.st_mode), facts.st_dev, facts.st_ino, 0)


def _kind(path: str) -> int:
    return int(_identity(path)[0])


def _is_folder_or_none(path: str) -> bool:
    return _identity(path)[0] in (0, stat.S_IFDIR)


def _plain_file(path: str) -> str:
    """What the `.git` of a worktree says; that of others is a folder."""
    return "" if _is_folder_or_none(path) else _digest(path)


def _content(path: str) -> bytes | None:
    try:
        found = read_regular(Path(path), path, follow=False)
    except DonewhenError:
        return _UNREAD
    return found.data if found else None


def _digest(path: str) -> str:
    """Content and whether it may be run; empty when there is no such file."""
    data = _content(path)
    if data is None:
        return ""
    mode = 0
    with contextlib.suppress(OSError):
        mode = os.lstat(path).st_mode & 0o111
    return f"{mode:o} {hashlib.sha256(data).hexdigest()}"
