"""What lies beside the tree that would be shipped, as one digest: ignored and temporary files, installed
packages, and what links lead to outside.

It is no part of the fingerprint: proof is about what ships. But a command that ran in place may have used
such a file (a generated module, a local setting, a package), so a result is used again only while nobody
touched them since. Names, sizes and times are enough: a command can't set back the time of a change. Nothing
is read, and caches of tools are left out.
"""

import contextlib
import hashlib
import os
import secrets
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from donewhen.core.paths import STATE_FOLDERS, TEMPORARY_FOLDERS, TOOL_FOLDERS
from donewhen.workspace.fingerprint.ignoring import ENVIRONMENT_FILE
from donewhen.workspace.fingerprint.own import Own
from donewhen.workspace.git.repository import Repository
from donewhen.workspace.git.runner import names

_PACKAGES = "node_modules"
_ENVIRONMENTS = (".venv", "venv", "env")
_OF_ENVIRONMENTS = (".tox", ".nox")  # folders full of them, and of logs and temporary files
_TOOLS = ((STATE_FOLDERS | TOOL_FOLDERS) - {".venv", _PACKAGES}) | {
    ".hypothesis", ".gradle", ".vscode", ".cache", ".eggs", ".DS_Store",
}  # fmt: skip
_BESIDE_PACKAGES = (".bin", ".vite", ".tmp")  # how names begin of what tools keep among packages
_ENDINGS = (".pyc", ".pyo")
_LINK = b"120000 "
_MOST = 400_000
_INSTALLED = frozenset((_PACKAGES, *"bower_components .bundle Pods elm-stuff .yarn vendor deps".split()))
_REMADE = frozenset(
    "target .next .nuxt .turbo coverage htmlcov .nyc_output .coverage coverage.xml .eslintcache".split()
)  # made again by the next build or test run
_MOST_LISTED = 20_000


class Beside(NamedTuple):
    """A file, or a folder that git ignores as a whole."""

    path: str
    environment: bool = False


def beside_tree(repository: Repository, excludes: Path) -> tuple[Beside, ...]:
    """What git ignores in a folder, without caches; `excludes` is the file of what the user ignores."""
    git = repository.git()
    git = git._replace(settings=(*git.settings, f"core.excludesFile={excludes}"))
    ran = git.attempt("ls-files", "-o", "-i", "-z", "--exclude-standard", "--directory")
    paths = sorted(path.rstrip("/") for path in names(ran.out)[:_MOST_LISTED])
    kept = (path for path in paths if not stays_away(path))
    return tuple(Beside(path, is_environment_folder(repository.root / path)) for path in kept)


def ignored_files(repository: Repository, excludes: Path) -> Iterator[str]:
    """The single files of it, outside of environments."""
    root, left = repository.root, _MOST_LISTED
    waiting = [each.path for each in beside_tree(repository, excludes) if not each.environment][::-1]
    while waiting and left > 0:
        left -= 1
        path = waiting.pop()
        if not (root / path).is_dir() or (root / path).is_symlink():
            yield path
        elif not is_environment_folder(root / path):
            with contextlib.suppress(OSError):
                inside = sorted((f"{path}/{name}" for name in os.listdir(root / path)), reverse=True)  # noqa: PTH208
                waiting += [below for below in inside if not stays_away(below)]


def stays_away(path: str) -> bool:
    name = path.rpartition("/")[2]
    return name != _PACKAGES and (name in _REMADE or is_cache(path, name))


def is_environment_folder(place: Path) -> bool:
    return place.name in _INSTALLED or (place / ENVIRONMENT_FILE).is_file()


def beside(own: Own, root: Path, index: Path, *, most: int = _MOST) -> str:
    """Changes when any such file does; the same while none does. Empty when there are none."""
    git = own.reading(root, index)
    asked = git.start("ls-files", "-o", "-i", "-z", "--exclude-standard", "--directory")
    tracked = git.attempt("ls-files", "-c", "-s", "-z").out.split(b"\0")
    ignored = [path.rstrip("/") for path in (*names(asked.finish().out), *TEMPORARY_FOLDERS)]
    real = os.path.realpath(root)
    lines = set(_outside(real, tracked))
    for line in _all(real, sorted({*ignored, *_environments(real, ignored, tracked)})):
        lines.add(line)
        if len(lines) > most:
            return f"more-{secrets.token_hex(12)}"  # equals no other: nothing is known about the rest
    whole = hashlib.sha256("\n".join(sorted(lines)).encode("utf-8", "surrogateescape"))
    return whole.hexdigest()[:32] if lines else ""


def _environments(root: str, ignored: Iterable[str], tracked: Iterable[bytes]) -> Iterator[str]:
    """Folders of installed packages that are not listed as ignored files are."""
    for path in (*_ENVIRONMENTS, *_kept_in_tree(tracked)):
        if os.path.isfile(f"{root}/{path}/{ENVIRONMENT_FILE}") or path.endswith(_PACKAGES):  # noqa: PTH113
            yield path
    yield _PACKAGES
    for path in ignored:
        if path.rpartition("/")[2] in _OF_ENVIRONMENTS:
            with contextlib.suppress(OSError), os.scandir(f"{root}/{path}") as entries:
                yield from (f"{path}/{entry.name}/{part}" for entry in entries for part in ("bin", "lib"))


def _kept_in_tree(tracked: Iterable[bytes]) -> set[str]:
    """Those that no rule ignores: they are in the tree, but what evidence is about leaves them out."""
    packages, environment = f"/{_PACKAGES}/".encode(), f"/{ENVIRONMENT_FILE}".encode()
    found = set()
    for line in tracked:
        if packages in line:
            found.add(line.partition(b"\t")[2].partition(packages)[0] + packages[:-1])
        elif line.endswith(environment):
            found.add(line.partition(b"\t")[2][: -len(environment)])
    return set(map(os.fsdecode, found))


def _outside(root: str, tracked: Iterable[bytes]) -> Iterator[str]:
    """The files that links of the tree lead to, where that is outside of it."""
    for line in tracked:
        if line.startswith(_LINK):
            path = os.fsdecode(line.partition(b"\t")[2])
            if not os.path.realpath(f"{root}/{path}").startswith(f"{root}/"):
                yield from _known(f"{root}/{path}", path)


def _all(root: str, tops: Iterable[str]) -> Iterator[str]:
    waiting = []
    for path in tops:
        full = f"{root}/{path}"
        if is_cache(path, path.rpartition("/")[2]):
            continue
        if _is_folder(full, path):
            waiting.append(path)
        yield from _known(full, path)
    while waiting:
        within = waiting.pop()
        with contextlib.suppress(OSError), os.scandir(f"{root}/{within}") as entries:  # gone, or closed to us
            for entry in entries:
                path = f"{within}/{entry.name}"
                if is_cache(path, entry.name):
                    continue
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(path)
                elif entry.is_symlink():
                    yield from _known(entry.path, path)
                else:
                    yield _line(path, entry.stat(follow_symlinks=False))


def is_cache(path: str, name: str) -> bool:
    """Whether it is something that a tool writes for itself."""
    if name in _TOOLS or name.endswith(_ENDINGS):
        return True
    return name.startswith(_BESIDE_PACKAGES) and path.endswith(f"{_PACKAGES}/{name}")


def _is_folder(full: str, path: str) -> bool:
    """Through a link only to an environment."""
    named = path.rpartition("/")[2] == _PACKAGES or os.path.isfile(f"{full}/{ENVIRONMENT_FILE}")  # noqa: PTH113
    return os.path.isdir(full) and (named or not os.path.islink(full))  # noqa: PTH112, PTH114


def _known(full: str, path: str) -> Iterator[str]:
    """A file; a link with the file that it leads to. Folders count by what is in them."""
    try:
        facts = os.lstat(full)
        if not stat.S_ISDIR(facts.st_mode):
            yield _line(path, facts)
        if stat.S_ISLNK(facts.st_mode):
            target = os.stat(full)  # noqa: PTH116
            yield (
                _line(f"{path} ->", target) if stat.S_ISREG(target.st_mode) else f"{path} -> {target.st_ino}"
            )
    except OSError:
        return


def _line(path: str, facts: os.stat_result) -> str:
    return f"{path}\0{facts.st_mode} {facts.st_size} {facts.st_mtime_ns} {facts.st_ctime_ns}"
