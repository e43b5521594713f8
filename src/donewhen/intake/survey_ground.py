"""Which folders of a tree hold a project of their own, by the names of their files.

Nothing is read here. With the list that git gives, only that is looked at; without one, a bounded walk that
follows no link. Folders whose names can't be shown or written down are counted and left out.
"""

import os
import posixpath
from collections.abc import Iterable, Iterator, Sequence
from fnmatch import fnmatchcase
from itertools import islice
from pathlib import Path
from typing import NamedTuple

MANIFESTS = frozenset(
    (
        "package.json project.json deno.json deno.jsonc pyproject.toml setup.py setup.cfg requirements.txt "
        "Pipfile Cargo.toml go.mod pom.xml build.gradle build.gradle.kts settings.gradle settings.gradle.kts "
        "Gemfile composer.json mix.exs pubspec.yaml Package.swift build.sbt stack.yaml build.zig"
    ).split()
)
ENDINGS = (".csproj", ".fsproj", ".vbproj", ".sln", ".slnx")
_NEVER = frozenset("node_modules bower_components __pycache__ venv site-packages".split())
# they hold projects that are not part of this one, or that its tests only read
_ASIDE = frozenset(
    (
        "vendor third_party third-party external deps dist build out target coverage tmp temp examples "
        "example samples sample demo demos fixtures fixture testdata test-data test tests __tests__ spec "
        "templates template skeleton benchmarks benchmark bench docs doc"
    ).split()
)
DEEPEST_PLAIN = 2
_DEEPEST = 8
_MOST_FOLDERS = 4000
_MOST_WALKED = 100_000
_MOST_PIECES = 40
_LONGEST_FOLDER = 500


class Ground(NamedTuple):
    """The folders below the root that hold a manifest, and the names of those manifests."""

    folders: dict[str, frozenset[str]]
    paths: tuple[str, ...]  # every file that was seen
    odd: int = 0  # folders with names that are no printable text

    def below(self, folder: str) -> dict[str, frozenset[str]]:
        """The same, seen from one of its folders."""
        if not folder:
            return self.folders
        start = f"{folder}/"
        return {
            name.removeprefix(start): held for name, held in self.folders.items() if name.startswith(start)
        }

    def plain(self) -> list[str]:
        """Folders near the root that look like a part of the project by themselves."""
        near = (name for name in self.folders if name and name.count("/") < DEEPEST_PLAIN)
        return sorted(
            name
            for name in near
            if self.folders[name] - {"project.json"} and not _ASIDE.intersection(name.lower().split("/"))
        )


def ground(folder: Path, tracked: Sequence[str] | None) -> Ground:
    paths = tuple(islice(_walked(folder), _MOST_WALKED) if tracked is None else tracked)
    found: dict[str, set[str]] = {}
    odd: set[str] = set()
    for path in paths:
        place, name = posixpath.split(path)
        if not (name in MANIFESTS or name.endswith(ENDINGS)) or _hidden(place):
            continue
        if place in found or len(found) < _MOST_FOLDERS:
            (found.setdefault(place, set()) if _sayable(place) else odd).add(name)
    real = {place: frozenset(held) for place, held in found.items() if _is_real(folder, place)}
    return Ground(dict(sorted(real.items())), paths, len(odd))


def matching(folders: Iterable[str], patterns: Sequence[str]) -> list[str]:
    """The folders that workspace patterns mean; one with `!` takes back, `{a,b}` stands for each."""
    chosen: dict[str, None] = {}
    folders = list(folders)
    for pattern in patterns:
        negated = pattern.startswith("!")
        for plain in _braces(pattern.removeprefix("!")):
            pieces = [piece for piece in plain.strip("/").split("/") if piece not in ("", ".")][:_MOST_PIECES]
            for folder in folders:
                if folder and _fits(folder.split("/"), pieces):
                    chosen.pop(folder, None) if negated else chosen.setdefault(folder)
    return list(chosen)


def _fits(names: list[str], pieces: list[str]) -> bool:
    """Whether the whole path fits; how far each beginning of the pattern reaches is kept in one row."""
    row = [True] + [False] * len(names)
    for piece in pieces:
        if piece == "**":
            first = row.index(True) if True in row else len(row)
            row = [position >= first for position in range(len(row))]
        else:
            row = [False, *(row[i] and fnmatchcase(name, piece) for i, name in enumerate(names))]
    return row[-1]


def _braces(pattern: str) -> list[str]:
    head, opened, rest = pattern.partition("{")
    inside, closed, tail = rest.partition("}")
    if not opened or not closed or "{" in tail or "{" in inside:
        return [pattern]
    return [f"{head}{choice}{tail}" for choice in inside.split(",")[:_MOST_PIECES]]


def _hidden(place: str) -> bool:
    names = place.split("/") if place else []
    return len(names) > _DEEPEST or any(name.startswith(".") or name in _NEVER for name in names)


def _sayable(place: str) -> bool:
    return place.isprintable() and len(place) <= _LONGEST_FOLDER and not place.startswith("-")


def _is_real(folder: Path, place: str) -> bool:
    """Whether no link leads to it: what lies elsewhere is no part of this tree."""
    at = folder
    try:
        for name in place.split("/") if place else ():
            at = at / name
            if at.is_symlink() or not at.is_dir():
                return False
    except (OSError, ValueError):
        return False
    return True


def _walked(folder: Path) -> Iterator[str]:
    waiting, seen = [""], 0
    while waiting and seen < _MOST_FOLDERS:
        place, seen = waiting.pop(0), seen + 1
        for entry in _entries(folder / place):
            path = f"{place}/{entry.name}" if place else entry.name
            if entry.is_dir(follow_symlinks=False):
                if not _hidden(path):
                    waiting.append(path)
            else:
                yield path


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    found: list[os.DirEntry[str]] = []
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                found.append(entry)
                if len(found) >= _MOST_FOLDERS:
                    break
    except OSError:
        return []
    return sorted(found, key=lambda entry: entry.name)
