"""A census of the environment: path, size and time of what is installed, and of what git ignores.

Taken when a run or session begins and compared at its exam: a file that changed since and that no package
manager wrote was edited where it is installed. Package managers note what they write (`RECORD`, the notes in
`node_modules`); only such notes are read. Who writes a note as well is not seen.
"""

import csv
import json
import os
import stat
import zlib
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from pathlib import Path

from donewhen.config.files import read_own, write_whole
from donewhen.workspace.fingerprint.ignoring import ENVIRONMENT_FILE, environment_files

CENSUS = "census"  # the file that keeps it
_MOST = 200_000
_LARGEST = 64 * 1024 * 1024
_LOADED = (".py", ".pth", ".so", ".js", ".cjs", ".mjs", ".json", ".node", "RECORD", ENVIRONMENT_FILE)
_PACKAGES = "node_modules"
_NOTES = (".package-lock.json", ".yarn-integrity", ".modules.yaml", ".yarn-state.yml")
_SHOWN = (".bin", ".pnpm", *_NOTES)  # all else that begins with a dot is a cache of some tool
_MADE = ("python", "pydoc", "activate", "deactivate", "_virtualenv")  # by who makes an environment
Census = Mapping[str, str]  # absolute path → size and time


def take_census(root: Path, env: Mapping[str, str], ignored: Iterable[str] = ()) -> Census | None:
    """What is installed in and beside a project, and these files of it; None where that is too much."""
    found: dict[str, str] = {}
    for path, facts in chain(_installed(root, env), _facts([root / path for path in ignored])):
        found[path] = f"{facts.st_size} {facts.st_mtime_ns}"
        if len(found) > _MOST:
            return None
    return found


def keep_census(file: Path, census: Census | None) -> None:
    if census is not None:
        write_whole(file, zlib.compress(json.dumps(census).encode(), 1))


def kept_census(file: Path) -> Census | None:
    """None where nobody took one."""
    data = read_own(file, _LARGEST)
    try:
        found = json.loads(zlib.decompress(data)) if data else None
    except (ValueError, zlib.error):
        return None
    return found if isinstance(found, dict) else None


def edited(then: Census, now: Census | None) -> list[str]:
    """Files that changed or came since, and that no package manager wrote."""
    now = now or {}
    changed = {path for path, facts in now.items() if then.get(path) != facts}
    noted = {path for record in changed if record.endswith("/RECORD") for path in _recorded(Path(record))}
    managed = {path.rpartition("/")[0] for path in changed if path.endswith(_NOTES)}
    return sorted(path for path in changed if not _is_managed(path, changed, noted, managed))


def _is_managed(path: str, changed: set[str], noted: set[str], managed: set[str]) -> bool:
    top, packages, inside = path.partition(f"/{_PACKAGES}/")
    if packages:
        if f"{top}/{_PACKAGES}" not in managed:
            return False
        return inside.startswith(".") or _manifest(path) in changed
    name = path.rpartition("/")[2]
    return path in noted or name in ("RECORD", ENVIRONMENT_FILE) or name.lower().startswith(_MADE)


def _manifest(path: str) -> str:
    """The description of the package that a file belongs to: who writes a package writes that too."""
    above, packages, inside = path.rpartition(f"/{_PACKAGES}/")
    parts = inside.split("/")
    return "/".join((f"{above}{packages}{parts[0]}", *parts[1:2] * parts[0].startswith("@"), "package.json"))


def _recorded(record: Path) -> Iterator[str]:
    site = record.parent.parent
    rows = csv.reader(record.read_text(errors="replace").splitlines())
    return (os.path.normpath(site / row[0]) for row in rows if row)


def _installed(root: Path, env: Mapping[str, str]) -> Iterator[tuple[str, os.stat_result]]:
    prefixes = [(root / file).parent for file in environment_files(root)]
    prefixes += [
        Path(env[name]) for name in ("VIRTUAL_ENV", "CONDA_PREFIX") if env.get(name, "").startswith("/")
    ]
    for prefix in dict.fromkeys(prefixes):
        yield from _facts([prefix / ENVIRONMENT_FILE])
        yield from _facts(_listed(prefix / "bin"))
        for site in sorted(prefix.glob("lib/python*/site-packages")):
            yield from _walk(site)
    for pattern in (_PACKAGES, f"*/{_PACKAGES}", f"*/*/{_PACKAGES}"):
        for folder in sorted(root.glob(pattern)):
            if not folder.is_symlink() and _PACKAGES not in folder.relative_to(root).parts[:-1]:
                yield from _walk(folder)
    home = env.get("HOME", "")
    for site in sorted(Path(home).glob(".local/lib/python*/site-packages")) if home.startswith("/") else ():
        yield from _facts([path for path in _listed(site) if path.name.endswith((".pth", "customize.py"))])


def _walk(folder: Path) -> Iterator[tuple[str, os.stat_result]]:
    for here, folders, files in os.walk(folder):
        above = here.endswith(_PACKAGES)
        folders[:] = [name for name in folders if name != "__pycache__" and not (above and _is_cache(name))]
        loaded = here.endswith("/.bin")
        names = (name for name in files if loaded or name.endswith(_LOADED) or (above and name in _NOTES))
        yield from _facts([Path(here, name) for name in names])


def _is_cache(name: str) -> bool:
    return name.startswith(".") and name not in _SHOWN


def _facts(paths: list[Path]) -> Iterator[tuple[str, os.stat_result]]:
    for path in paths:
        try:
            facts = os.lstat(path)
        except OSError:
            continue
        if not stat.S_ISDIR(facts.st_mode):
            yield str(path), facts


def _listed(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir())
    except OSError:
        return []
