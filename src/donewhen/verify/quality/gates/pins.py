"""The version of a tool that a project pins: in a lock file, its requirements or its pre-commit hooks.

Read as text, and only an exact version is a pin; the first place that has one decides. Nothing is resolved.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from donewhen.verify.quality.gates.known import KNOWN
from donewhen.verify.quality.gates.versions import numbers
from donewhen.workspace.setup.folder import Folder

_LARGEST = 8 * 1024 * 1024  # of a lock file
_VERSION = r"v?(\d{1,9}(?:\.\d{1,9}){0,3}[a-z0-9]{0,12})(?![\w.*])"
_LOCKED = ('^name = "{name}"\r?\nversion = "{version}"',)
_REQUIRED = (
    r"(?:^|[\s\"',]){name}(?:\[[^\]\n]{{0,100}}\])?[ \t]{{0,9}}={{2,3}}[ \t]{{0,9}}{version}",
    r'^{name} = "(?:==)?{version}"',
)
_HOOK = (
    r"repo:[ \t]*\S{{0,200}}/(?:mirrors-)?{name}(?:-pre-commit|-python)?(?:\.git)?[ \t]*\n"
    r"[ \t]*rev:[ \t]*[\"']?{version}",
)
_REQUIREMENTS = tuple(f"requirements/{name}.txt" for name in ("dev", "test", "tests", "lint", "typing"))
_PYTHON: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...] = (
    (("uv.lock", "poetry.lock", "pdm.lock", "pylock.toml"), _LOCKED),
    (("Pipfile.lock",), (r'"{name}": \{{[^{{}}]{{0,20000}}?"version": "=={version}"',)),
    ((*_REQUIREMENTS, "constraints.txt", "pyproject.toml", "setup.cfg", "tox.ini", "Pipfile"), _REQUIRED),
    ((".pre-commit-config.yaml",), _HOOK),
)
_NODE: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...] = (
    (("package-lock.json",), (r'"node_modules/{name}": \{{\s{{0,20}}"version": "{version}"',)),
    (("pnpm-lock.yaml",), (r"^[ ]{{0,8}}['/]{{0,2}}{name}[@/]{version}[':(_]",)),
    (("yarn.lock",), (r'^"?{name}@[^\n]{{1,300}}:\n[ ]{{1,4}}version:? "?{version}',)),
    (("bun.lock",), (r'"{name}": \["{name}@{version}"',)),
    (("package.json",), (r'"{name}"\s{{0,5}}:\s{{0,5}}"=?{version}"',)),
    ((".pre-commit-config.yaml",), _HOOK),
)


def pinned(tool: str, root: Path, near: str = "") -> str:
    """The exact version that the project at `root` asks for, `near` or at its root; empty: none."""
    known = KNOWN[tool]
    places = {"python": _PYTHON, "node": _NODE}.get(known.home, ())
    name = re.sub(r"[-_.]", "[-_.]", known.package)
    folder = Folder(root)
    for files, patterns in places:
        for text in _texts(folder, near, files, all_requirements=patterns is _REQUIRED):
            for pattern in patterns:
                found = re.search(pattern.format(name=name, version=_VERSION), text, re.MULTILINE)
                if found:
                    return found[1]
    return ""


def is_another(version: str, pin: str) -> bool:
    """Whether an installed version is not the pinned one; one that can't be read is not known to be."""
    have, need = numbers(version), numbers(pin)
    return bool(have and need) and have[: len(need)] != need


def _texts(folder: Folder, near: str, files: tuple[str, ...], *, all_requirements: bool) -> Iterator[str]:
    listed = (*folder.files("*requirements*.txt"), *files) if all_requirements else files
    for place in dict.fromkeys((near, "")):
        yield from (folder.text(f"{place}/{name}" if place else name, _LARGEST) for name in listed)
