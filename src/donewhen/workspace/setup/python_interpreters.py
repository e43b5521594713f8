"""The Pythons that a machine has: found on the PATH, and asked who they are.

A name proves nothing (a version manager's stand-in may refuse to start), so each is started once, isolated,
in a folder that is not the project's, and only for a moment. No code of a project is run.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from donewhen.workspace.environment import command_environment
from donewhen.workspace.setup.python_versions import Version, satisfies

_NAMES = ("python3", "python", *(f"python3.{minor}" for minor in range(14, 7, -1)))
_SECONDS = 20
_ASK = """
import json, os, sys
base = getattr(sys, "_base_executable", "") or sys.executable
folders = [p for p in sys.path if os.path.isdir(p)]
print(json.dumps([list(sys.version_info[:3]), sys.prefix, sys.executable, base, folders]))
"""


class Interpreter(NamedTuple):
    version: Version
    prefix: str
    executable: str
    base: str  # the interpreter behind a virtual environment
    folders: tuple[str, ...]  # where it imports from

    @property
    def is_ours(self) -> bool:
        """Whether the harness itself lives there: what it brought says nothing about a project."""
        return Path(self.prefix).resolve() == Path(sys.prefix).resolve()


def find_interpreter(env: Mapping[str, str], wanted: str) -> Interpreter | None:
    """The first Python of the PATH that fits `requires-python`."""
    fits = (found for found in interpreters(env) if satisfies(found.version, wanted))
    return next(fits, None)


def interpreters(env: Mapping[str, str]) -> Iterator[Interpreter]:
    seen: set[str] = set()
    clean = command_environment(env)
    for name in _NAMES:
        for folder in clean.get("PATH", os.defpath).split(os.pathsep):
            path = f"{folder}/{name}"
            if path not in seen and os.access(path, os.X_OK) and Path(path).is_file():
                seen.add(path)
                found = ask(path, tuple(sorted(clean.items())))
                if found:
                    yield found


@cache
def ask(path: str, env: tuple[tuple[str, str], ...] = ()) -> Interpreter | None:
    """Who an interpreter is; None when it does not start or makes no sense."""
    try:
        done = subprocess.run(
            [path, "-I", "-c", _ASK],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_SECONDS,
            env=dict(env),
            cwd="/",
            check=False,
        )
        version, prefix, executable, base, folders = json.loads(done.stdout)
        return Interpreter(
            tuple(int(part) for part in version),
            str(prefix),
            str(executable),
            str(base),
            tuple(str(folder) for folder in folders),
        )
    except (OSError, ValueError, TypeError, subprocess.TimeoutExpired):
        return None
