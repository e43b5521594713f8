"""Was it this tree that a Python exam imported? An editable install of another checkout tests other code.

What the processes of the exam noted is compared with the tree. A process that said nothing proves nothing;
installers and runners that work on environments of their own are not asked.
"""

import os
import re
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from donewhen.core.shown import visible
from donewhen.core.texts import Phrase
from donewhen.verify.exam.probe import Note

# Programs that load packages of their own, not of what they install or test.
_INSTALLERS = re.compile(
    r"(?:tox|nox|pip[\d.]*|uv|poetry|pdm|hatch|hatchling|pipenv|virtualenv|venv|build|pre-commit|meson|cmake"
    r"|ensurepip|_in_process|pyproject_hooks|wheel|setuptools|conda|rye|flit|twine)(?:\.py|\.exe)?"
)
_RUNNER_FOLDERS = frozenset((".tox", ".nox", ".hatch"))  # filled from this tree by the run itself
_INSTALLED = frozenset(("site-packages", "dist-packages"))


class Elsewhere(NamedTuple):
    package: str
    path: str


def imported_elsewhere(notes: Iterable[Note], folder: Path, packages: Iterable[str]) -> tuple[Elsewhere, ...]:
    """Own packages that were loaded, and by no process from this tree."""
    own = frozenset(packages)
    root = os.path.realpath(folder)
    inside: set[str] = set()
    outside: dict[str, str] = {}
    for note in notes:
        if _INSTALLERS.fullmatch(_program(note.program)):
            continue
        for name, place in note.places:
            if name in own and _is_inside(os.path.realpath(place), root):
                inside.add(name)
            elif name in own:
                outside.setdefault(name, place)
    return tuple(Elsewhere(name, path) for name, path in sorted(outside.items()) if name not in inside)


def _program(path: str) -> str:
    """`…/bin/tox` is tox, `…/pip/__main__.py` is pip."""
    parts = [part for part in path.split("/") if part]
    if len(parts) > 1 and parts[-1] == "__main__.py":
        return parts[-2]
    return parts[-1] if parts else ""


def _is_inside(path: str, root: str) -> bool:
    """In the tree; a copy that was installed somewhere in it is not what the tree holds."""
    if path != root and not path.startswith(f"{root.rstrip('/')}/"):
        return False
    parts = path[len(root) :].split("/")
    return not _INSTALLED.intersection(parts) or bool(_RUNNER_FOLDERS.intersection(parts))


def wrong_tree(found: tuple[Elsewhere, ...]) -> Phrase | None:
    if not found:
        return None
    return Phrase(
        "exam.wrong_tree", {"package": visible(found[0].package), "path": visible(found[0].path, 400)}
    )
