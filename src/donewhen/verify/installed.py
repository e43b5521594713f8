"""Installed packages that were edited since the base: a runner that answers for the tests is not shipped.

An installer writes a package whole, so a package that is older than the base has no younger file. Python's
say what their files were; what starts with every interpreter belongs to some package or was planted. Names,
times and digests only: nothing of a package is loaded. Packages that the project patches itself are left out.
"""

import base64
import csv
import hashlib
import os
import stat
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

from donewhen.config.files import read_regular
from donewhen.core.errors import DonewhenError

_MOST = 60_000  # entries that are looked at
_MOST_ALTERED = 20
_LARGEST = 8 * 1024 * 1024
_LARGEST_HASHED = 256 * 1024 * 1024
_PACKAGES = "node_modules"
_LOADED = (".js", ".cjs", ".mjs", ".json", ".node", ".py", ".so")
_STARTED = frozenset(("sitecustomize.py", "usercustomize.py"))
_PATCHES = ("patches", ".yarn/patches")
_PATCHED = (b"patch-package", b"patchedDependencies")


def altered(root: Path, folders: Iterable[Path], began: int) -> list[Path]:
    """Files of installed packages below these folders that nobody installed."""
    found: list[Path] = []
    for folder in folders:
        if folder.name == _PACKAGES and not _patches_own(root):
            found += islice(_of_node(folder, began), _MOST_ALTERED)
            found += islice(_planted(folder, began), _MOST_ALTERED)
        elif (folder / "pyvenv.cfg").is_file():
            for site in sorted(folder.glob("lib/python*/site-packages")):
                found += islice(_of_python(site, began), _MOST_ALTERED)
    return found[:_MOST_ALTERED]


def hooks_at_home(home: str, began: int) -> list[Path]:
    """What every Python of the user's loads from his home, if it is younger than the base."""
    if not home.startswith("/"):
        return []
    sites = sorted(Path(home).glob(".local/lib/python*/site-packages"))
    return [site / name for site in sites for name in sorted(_STARTED) if _time(site / name) > began]


def _patches_own(root: Path) -> bool:
    said = read_small(root / "package.json")
    return any((root / name).is_dir() for name in _PATCHES) or any(word in said for word in _PATCHED)


def _of_node(folder: Path, began: int) -> Iterator[Path]:
    """Younger files in packages whose own description is older."""
    left = _MOST
    waiting: list[tuple[Path, bool]] = [(folder, False)]  # with whether it is inside an older package
    while waiting and left > 0:
        here, old = waiting.pop()
        for name, mode, written in listed(here):
            left -= 1
            path = here / name
            if stat.S_ISDIR(mode):
                outside = here.name == _PACKAGES or (here.name.startswith("@") and not old)
                if not (outside and name.startswith(".")):
                    waiting.append((path, _is_older(path, began) if outside else old and name != _PACKAGES))
            elif old and stat.S_ISREG(mode) and written > began and name.endswith(_LOADED):
                yield path


def _planted(folder: Path, began: int) -> Iterator[Path]:
    """Young packages that no installer wrote: they have no description of themselves."""
    for name, mode, _ in listed(folder):
        package = folder / name
        if name.startswith((".", "@")) or not stat.S_ISDIR(mode):
            continue
        files = [(package / each, written) for each, kind, written in listed(package) if stat.S_ISREG(kind)]
        young = [path for path, written in files if written > began and path.suffix in _LOADED]
        described = any(path.name == "package.json" for path, _ in files)
        if young and not described:
            yield young[0]


def _is_older(package: Path, began: int) -> bool:
    written = _time(package / "package.json")
    return 0 < written <= began


def _of_python(site: Path, began: int) -> Iterator[Path]:
    young = sorted(_young(site, began), reverse=True)
    if not young:
        return
    known = recorded(site)
    for _, path in young[: _MOST_ALTERED * 50]:
        name = str(path.relative_to(site))
        said = known.get(name)
        if not (_is_harmless(path, name) if said is None else is_as_said(path, said)):
            yield path


def _is_harmless(path: Path, name: str) -> bool:
    """Whether a file that no installer noted waits until somebody imports it."""
    return name not in _STARTED and not (name.endswith(".pth") and b"import" in read_small(path))


def _young(site: Path, began: int) -> Iterator[tuple[int, Path]]:
    """With the time, so that the latest are looked at first where there are many."""
    left = _MOST
    waiting = [site]
    while waiting and left > 0:
        here = waiting.pop()
        for name, mode, written in listed(here, moved=True):
            left -= 1
            if stat.S_ISDIR(mode) and name != "__pycache__":
                waiting.append(here / name)
            elif stat.S_ISREG(mode) and written > began and name.endswith((*_LOADED, ".pth")):
                yield written, here / name


def recorded(site: Path) -> dict[str, str]:
    """Path → digest as the installers noted them; an empty one where they noted none."""
    known: dict[str, str] = {}
    for record in sorted(site.glob("*.dist-info/RECORD"))[:2000]:
        text = read_small(record).decode("utf-8", "replace")
        try:
            known |= {row[0]: row[1] for row in csv.reader(text.splitlines()) if len(row) >= 2}
        except csv.Error:
            continue
    return known


def is_as_said(path: Path, said: str) -> bool:
    """Whether a file is what its installer noted; so it counts too where that is nothing, or it is huge."""
    if not said.startswith("sha256="):
        return True
    try:
        with os.fdopen(
            os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC), "rb"
        ) as file:
            facts = os.fstat(file.fileno())
            if not stat.S_ISREG(facts.st_mode) or facts.st_size > _LARGEST_HASHED:
                return stat.S_ISREG(facts.st_mode)
            whole = hashlib.file_digest(file, "sha256").digest()
    except OSError:
        return False
    return said == "sha256=" + base64.urlsafe_b64encode(whole).rstrip(b"=").decode()


def read_small(path: Path, largest: int = _LARGEST) -> bytes:
    try:
        found = read_regular(path, path.name, largest=largest, follow=False)
    except DonewhenError:
        return b""
    return found.data if found else b""


def listed(folder: Path, moved: bool = False) -> Iterator[tuple[str, int, int]]:
    """Name, mode and time of writing of what is in a folder; links as themselves.

    `moved`: also the time that nobody can set, which a copy or another link to the file renews as well.
    """
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                facts = entry.stat(follow_symlinks=False)
                written = max(facts.st_mtime_ns, facts.st_ctime_ns) if moved else facts.st_mtime_ns
                yield entry.name, facts.st_mode, written
    except OSError:
        return


def _time(path: Path) -> int:
    try:
        return path.lstat().st_mtime_ns
    except OSError:
        return 0
