"""What is no part of a change: what the user's git ignores, and environments and folders of tools anywhere.

Tracked files count whatever these rules say. Of a repository only `info/exclude` is read, never its settings.
Whoever works in a tree could write such a rule to hide work, so a run or a session keeps the rules that held
when it began (`Ignored.keep`) and asks with those.
"""

import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from donewhen.config.files import read_regular, write_whole
from donewhen.core.errors import DonewhenError
from donewhen.core.paths import TOOL_FOLDERS
from donewhen.workspace.git.repository import Repository
from donewhen.workspace.git.user import user_settings

ENVIRONMENT_FILE = "pyvenv.cfg"
KEPT_RULES = "ignored.json"  # where the rules of a run or a session are kept
_STARTED_BY = ("bin/python", "bin/python3", "Scripts/python.exe")
_TOOLS = "".join(f"{name}\n" for name in (*sorted(TOOL_FOLDERS), ".DS_Store")).encode()
_SPECIAL = "\\*?[]!# "
_LARGEST = 4 * 1024 * 1024


class Ignored(NamedTuple):
    """Rules as an ignore file of git has them; a later line wins over an earlier one."""

    everywhere: str = ""  # the user's, for all repositories
    here: str = ""  # of this repository alone, `info/exclude`

    def keep(self, file: Path) -> None:
        """Write them down, so that they hold whatever is written elsewhere later."""
        write_whole(file, json.dumps(self._asdict()).encode())

    def text(self, environments: Iterable[str] = ()) -> bytes:
        """All of it, with the folders of environments that were found."""
        found = b"".join(os.fsencode(f"/{_escaped(path)}/\n") for path in environments)
        return b"".join((_TOOLS, _lines(self.everywhere), _lines(self.here), found))


def ignored_now(repository: Repository, env: Mapping[str, str]) -> Ignored:
    """As the user's files and the repository's `info/exclude` say at this moment."""
    exclude = _read(repository.common / "info/exclude")
    return Ignored(os.fsdecode(user_settings(env).excludes), os.fsdecode(exclude))


def ignored_then(file: Path) -> Ignored | None:
    """The rules that somebody kept; None where nobody did."""
    try:
        return ignored_from(json.loads(_read(file)))
    except ValueError:
        return None


def ignored_from(data: object) -> Ignored | None:
    if not isinstance(data, dict):
        return None
    everywhere, here = data.get("everywhere"), data.get("here")
    if not isinstance(everywhere, str) or not isinstance(here, str):
        return None
    return Ignored(everywhere, here)


def environment_files(root: Path) -> list[str]:
    """The files that mark environments directly below `root`, where most are."""
    try:
        with os.scandir(root) as entries:
            folders = [each.name for each in entries if each.is_dir(follow_symlinks=False)]
    except OSError:
        return []
    marked = (f"{name}/{ENVIRONMENT_FILE}" for name in sorted(folders))
    return [path for path in marked if os.path.lexists(root / path)]


def environments_in(root: Path, files: Iterable[str], tracked: Iterable[str]) -> tuple[str, ...]:
    """The folders of Python environments, by their files called `pyvenv.cfg`.

    A folder with tracked files is none: a file of that name in it would hide what is written beside it.
    """
    folders = (path.rpartition("/")[0] for path in files)
    kept = tuple(tracked)
    return tuple(
        folder
        for folder in dict.fromkeys(folders)
        if is_environment(root / folder, folder) and not any(path.startswith(f"{folder}/") for path in kept)
    )


def is_environment(place: Path, path: str) -> bool:
    """Whether the folder `place`, called `path` in its tree, is an environment and not the tree itself."""
    return (
        bool(path)
        and os.path.isfile(place / ENVIRONMENT_FILE)  # noqa: PTH113
        and any(os.path.lexists(place / name) for name in _STARTED_BY)
    )


def _read(file: Path) -> bytes:
    try:
        found = read_regular(file, file.name, largest=_LARGEST)
    except DonewhenError:
        return b""
    return found.data if found else b""


def _lines(text: str) -> bytes:
    data = os.fsencode(text)
    return data if not data or data.endswith(b"\n") else data + b"\n"


def _escaped(path: str) -> str:
    return "".join(f"\\{letter}" if letter in _SPECIAL else letter for letter in path)
