"""What a command hook is made of: that it is there when a run starts, and which of it an agent could change.

Looks at files and runs none.
"""

import os
import re
import shutil
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from donewhen.config.places import harmless
from donewhen.config.sections_guard import HookCommand
from donewhen.core.errors import SetupError
from donewhen.hooks.digests import digest_of

# Interpreters that end with 2 when their script is missing, and the flags that may stand before it.
_INTERPRETERS = (
    (re.compile(r"python[0-9.]{0,8}"), frozenset("-u -I -E -B -P -s -S -OO -O".split())),
    (re.compile(r"(?:ba|da|z|k)?sh"), frozenset("--noprofile --norc -e -u -x -eu -ex -eux".split())),
    (re.compile(r"perl[0-9.]{0,8}"), frozenset("-w -T".split())),
)
_LONGEST = 1000  # of a path


class _Missing(NamedTuple):
    key: str
    file: str


def refuse_missing(command: HookCommand, workspace: Path, path: str) -> None:
    missing = _missing(command.command, workspace, path)
    if missing is not None:
        values = {"hook": command.name, "file": harmless(missing.file), "folder": workspace}
        raise SetupError(missing.key, **values)


def _missing(argv: tuple[str, ...], workspace: Path, path: str) -> _Missing | None:
    """The program, or the script that an interpreter is given, if it is not there.

    A missing script would read as a block of everything: those interpreters end with 2.
    """
    program = argv[0]
    found = shutil.which(workspace / program) if "/" in program else shutil.which(program, path=path)
    if found is None:
        return _Missing("hooks.no_program", program)
    script = _script(argv)
    if not script or os.path.lexists(workspace / script) or shutil.which(script, path=path):
        return None
    return _Missing("hooks.no_script", script)


def _script(argv: tuple[str, ...]) -> str:
    """The word that must be a script; empty when none is, or it can't be told."""
    name = Path(argv[0]).name
    flags = next((flags for pattern, flags in _INTERPRETERS if pattern.fullmatch(name)), None)
    if flags is None:
        return ""
    first = next((word for word in argv[1:] if word not in flags), "")
    return "" if first.startswith("-") or len(first) > _LONGEST else first


def files_of(argv: tuple[str, ...], workspace: Path, path: str) -> Mapping[str, str]:
    """The files of the workspace that a command names, with the digest of what they hold."""
    root = os.path.realpath(workspace)
    program = argv[0] if "/" in argv[0] else shutil.which(argv[0], path=path) or argv[0]
    found = {}
    for word in (program, *argv[1:]):
        file = os.path.normpath(os.path.join(root, word))  # noqa: PTH118 - pathlib keeps `..` as it is
        if (_is_below(file, root) or _is_below(os.path.realpath(file), root)) and _is_file(file):
            found[word] = digest_of(workspace / word)
    return found


def _is_file(path: str) -> bool:
    """A word may be anything, also too long for a name."""
    try:
        return stat.S_ISREG(os.stat(path).st_mode)  # noqa: PTH116 - of any text
    except (OSError, ValueError):
        return False


def _is_below(path: str, root: str) -> bool:
    return path.startswith(root.rstrip("/") + "/")
