"""The parts of a monorepo that a change concerns: those with changed files, and those that depend on them.

A part is a folder with a manifest and a test command of its own. One depends on another where its manifest
names it, by name, path or folder; whatever is not clear (a changed file outside of all parts, a part without
a manifest that is known) concerns all of them.
"""

import re
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path

from donewhen.config.files import read_regular
from donewhen.core.errors import DonewhenError
from donewhen.project.programs import MANIFESTS
from donewhen.project.project import Project

_MANIFESTS = tuple(name for names in MANIFESTS.values() for name in names)
_NAMING = (  # those of them that tell the part's own name
    "package.json", "pyproject.toml", "setup.py", "setup.cfg", "go.mod", "Cargo.toml", "pom.xml",
    "build.gradle", "build.gradle.kts",
)  # fmt: skip
_NAME = re.compile(
    r'^\s{0,20}(?:"?name"?\s{0,9}[=:]\s{0,9}["\']?([\w@./-]{1,200})|module\s+(\S{1,200})'
    r"|<artifactId>([\w.-]{1,200})<)",
    re.MULTILINE,
)
_WORD = re.compile(r"[\w@][\w@./-]*")
_LARGEST = 1024 * 1024


def of_changed_parts(root: Path, project: Project, changed: Iterable[str]) -> tuple[Project, tuple[str, ...]]:
    """The project with the tests of these parts alone, and the folders of those left out."""
    tests = project.tests()
    folders = {each.source: part_of(root, each.source.partition(" ")[0].strip("/")) for each in tests}
    parts = sorted(set(folders.values()))
    if len(parts) < 2 or not all(parts):
        return project, ()
    concerned = _concerned(root, parts, changed)
    left_out = tuple(part for part in parts if part not in concerned)
    commands = [c for c in project.commands if c not in tests or folders[c.source] in concerned]
    return project._replace(commands=tuple(commands)), left_out


def part_of(root: Path, folder: str) -> str:
    """The folder of the project that a command there belongs to: the nearest one upward with a manifest."""
    while folder and not any((root / folder / name).is_file() for name in _MANIFESTS):
        folder = folder.rpartition("/")[0]
    return folder


def _concerned(root: Path, parts: Collection[str], changed: Iterable[str]) -> Collection[str]:
    touched = {_part_of(path, parts) for path in changed}
    if not touched or "" in touched:
        return parts
    texts = {part: _manifests(root / part) for part in parts}
    if not all(texts.values()):
        return parts
    found, waiting = set(touched), list(touched)
    while waiting:
        names = _names(waiting.pop(), texts)
        for part in parts:
            if part not in found and not names.isdisjoint(_words(texts[part])):
                found.add(part)
                waiting.append(part)
    return found


def _part_of(path: str, parts: Collection[str]) -> str:
    """The nearest part that a file lies in; empty: none."""
    return max((part for part in parts if path.startswith(f"{part}/")), key=len, default="")


def _names(part: str, texts: Mapping[str, str]) -> set[str]:
    """How others may name it."""
    said = {name for match in _NAME.findall(texts[part]) for name in match if name}
    return said | {part.rpartition("/")[2]}


def _words(text: str) -> set[str]:
    """Every word of a manifest, and of a path its last folder."""
    words = set(_WORD.findall(text))
    return words | {word.rstrip("/").rpartition("/")[2] for word in words}


def _manifests(folder: Path) -> str:
    texts = []
    for name in _NAMING:
        try:
            found = read_regular(folder / name, name, largest=_LARGEST, follow=False)
        except DonewhenError:
            return ""
        texts.append(found.data.decode(errors="replace") if found else "")
    return "\n".join(texts).strip()
