"""What a package.json and the files beside it say about installing: manager, lock, dependencies, members.

Only names and texts are read; what is broken counts as absent. Nothing is asked of a registry.
"""

import re
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, NamedTuple

from donewhen.core.lazy import lazy
from donewhen.project.folder import Folder

MANIFEST = "package.json"
# the first that is there decides; what package.json names wins over all
_LOCKS = {
    "pnpm-lock.yaml": "pnpm",
    "yarn.lock": "yarn",
    "bun.lock": "bun",
    "bun.lockb": "bun",
    "npm-shrinkwrap.json": "npm",
    "package-lock.json": "npm",
}
_SETTINGS = {"pnpm-workspace.yaml": "pnpm", ".yarnrc.yml": "yarn", "bunfig.toml": "bun"}  # where no lock is
MANAGERS = ("npm", "pnpm", "yarn", "bun")
_BESIDE = (
    ".npmrc",
    ".yarnrc",
    ".yarnrc.yml",
    "pnpm-workspace.yaml",
    ".pnpmfile.cjs",
    "bunfig.toml",
)  # they steer what is installed
_NEEDED = ("dependencies", "devDependencies")
_ALSO = ("optionalDependencies", "peerDependencies")
_NAME = lazy(r"(?:@[\w.~-]{1,100}/)?[\w~-][\w.~-]{0,200}")
_AT_INSTALL = ("preinstall", "install", "postinstall", "prepublish", "preprepare", "prepare", "postprepare")
_ITEM = lazy(r"[ \t]*-[ \t]+['\"]?([^'\"#\n]{1,200}?)['\"]?[ \t]*(?:#.*)?$")
_LINKER = lazy(r"^nodeLinker:[ \t]*[\"']?(?:node-modules|pnpm)\b", re.MULTILINE)
_MOST_MEMBERS = 300
_DEEPEST = 4  # of `**` in a pattern


class Package(NamedTuple):
    manager: str
    berry: bool  # yarn 2 and later
    lock: str  # the lock file of the manager; "" when there is none
    needed: tuple[str, ...]  # direct dependencies without which the project can't be tested
    depends: bool  # on anything at all, its members included
    members: tuple[str, ...]  # folders of a monorepo's packages
    inputs: tuple[str, ...]
    own_scripts: bool  # it runs scripts of its own when it is installed
    links_folders: bool  # dependencies go to node_modules


def read_package(path: Path) -> Package | None:
    """The package in the folder `path`; None when there is no package.json that can be read."""
    folder = Folder(path)
    data = folder.json(MANIFEST)
    if not data:
        return None
    manager, lock = node_manager(folder)
    members = tuple(_members(folder, _patterns(folder, data, manager)))
    manifests = [folder.json(f"{member}/{MANIFEST}") for member in members]
    scripts = _mapping(data, "scripts")
    berry = manager == "yarn" and _is_berry(folder, data, lock)
    return Package(
        manager,
        berry,
        lock,
        tuple(_names(data, _NEEDED)),
        any(next(_names(each, _NEEDED + _ALSO), "") for each in (data, *manifests)),
        members,
        (
            MANIFEST,
            *((lock,) if lock else ()),
            *folder.there(*_BESIDE),
            *(f"{member}/{MANIFEST}" for member in members),
        ),
        any(isinstance(scripts.get(name), str) for name in _AT_INSTALL),
        not berry or bool(_LINKER.search(folder.text(".yarnrc.yml"))),
    )


def member_manifest(path: Path, member: str) -> dict[str, Any]:
    """The package.json of a member of the monorepo at `path`; empty when it can't be read."""
    return Folder(path).json(f"{member}/{MANIFEST}")


def needed_by_members(path: Path, package: Package) -> Iterator[tuple[str, str]]:
    """(member, name) of every dependency that a member of a monorepo declares."""
    folder = Folder(path)
    for member in package.members:
        for name in _names(folder.json(f"{member}/{MANIFEST}"), _NEEDED):
            yield member, name


def node_manager(folder: Folder) -> tuple[str, str]:
    """Who runs the scripts of package.json, and the lock file of that manager; "" when there is none."""
    wanted = folder.json(MANIFEST).get("packageManager")
    name = wanted.partition("@")[0] if isinstance(wanted, str) else ""
    if name in MANAGERS:
        return name, folder.first(*(each for each, manager in _LOCKS.items() if manager == name))
    lock = folder.first(*_LOCKS)
    return _LOCKS[lock] if lock else _SETTINGS.get(folder.first(*_SETTINGS), "npm"), lock


def _is_berry(folder: Folder, data: dict[str, Any], lock: str) -> bool:
    wanted = str(data.get("packageManager", ""))
    if wanted.startswith("yarn@"):
        return not wanted.startswith(("yarn@0.", "yarn@1."))
    if folder.has(".yarnrc.yml"):
        return True
    return "\n__metadata:" in folder.text(lock, 32 * 1024 * 1024)[:4000] if lock else False


def _mapping(data: dict[str, Any], key: str) -> dict[str, Any]:
    found = data.get(key)
    return found if isinstance(found, dict) else {}


def _names(data: dict[str, Any], keys: tuple[str, ...]) -> Iterator[str]:
    """The declared dependencies; a name that could lead elsewhere on disk is none."""
    for key in keys:
        yield from (name for name in _mapping(data, key) if _NAME.fullmatch(name))


def _patterns(folder: Folder, data: dict[str, Any], manager: str) -> list[str]:
    """Where the members of a monorepo are, as the project writes it."""
    if manager == "pnpm":
        lines = folder.text("pnpm-workspace.yaml").splitlines()
        start = next((at + 1 for at, line in enumerate(lines) if line.startswith("packages:")), len(lines))
        found = []
        for line in lines[start:]:
            item = _ITEM.match(line[:300])
            if item:
                found.append(item[1])
            elif line.strip() and not line.lstrip().startswith("#"):
                break
        return found
    declared = data.get("workspaces")
    if isinstance(declared, dict):
        declared = declared.get("packages")
    return [each for each in declared if isinstance(each, str)] if isinstance(declared, list) else []


def _members(folder: Folder, patterns: list[str]) -> list[str]:
    found: dict[str, None] = {}
    for pattern in patterns[:100]:
        words = [word for word in pattern.strip("!").split("/") if word not in ("", ".")]
        matching = [path for path in _matching(folder, words) if folder.has(f"{path}/{MANIFEST}")]
        if pattern.startswith("!"):
            found = {path: None for path in found if path not in matching}
        else:
            found.update(dict.fromkeys(matching))
    return list(found)[:_MOST_MEMBERS]


def _matching(folder: Folder, words: list[str]) -> list[str]:
    level = [""]
    for word in words[:10]:
        if word == "**":
            every = list(level)
            for _ in range(_DEEPEST):
                level = [below for path in level[:_MOST_MEMBERS] for below in folder.folders_in(path)]
                every += level
            level = every
        else:
            level = [
                below
                for path in level[:_MOST_MEMBERS]
                for below in folder.folders_in(path)
                if fnmatchcase(below.rpartition("/")[2], word)
            ]
    return [path for path in dict.fromkeys(level) if path]
