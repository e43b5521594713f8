"""Manifests that changed in nothing that is compared here: versions, dependencies, people.

Most changed manifests are of this kind, and following their commands is what costs. A file that can't be read
is never still; neither is one that changed in a key nobody knows.
"""

import json
import tomllib
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from donewhen.verify.integrity.settings.model import ChangedFile

Keys = tuple[str, ...]
_LARGEST = 512 * 1024
_PEOPLE = (
    "version description keywords author authors maintainers contributors license homepage repository".split()
)
_NPM: tuple[Keys, ...] = tuple(
    (key,)
    for key in (
        *_PEOPLE,
        *"dependencies devDependencies peerDependencies optionalDependencies bugs funding engines".split(),
    )
)
_PYTHON: tuple[Keys, ...] = (
    *(("project", key) for key in (*_PEOPLE, "dependencies", "optional-dependencies", "urls", "classifiers")),
    *(("project", key) for key in ("readme", "requires-python")),
    *(("tool", "poetry", key) for key in (*_PEOPLE, "dependencies", "group", "readme", "classifiers")),
    *(("tool", key) for key in ("bumpversion", "bumpver", "commitizen", "semantic_release", "towncrier")),
    ("dependency-groups",),
)
_CARGO: tuple[Keys, ...] = (
    *(("package", key) for key in (*_PEOPLE, "readme", "categories", "documentation", "rust-version")),
    *((key,) for key in ("dependencies", "dev-dependencies", "build-dependencies")),
    ("workspace", "dependencies"),
)


def _toml(data: bytes) -> Any:
    text = data.decode()
    if any(line.count(".") > 200 for line in text.splitlines()):  # a key of many parts costs their square
        raise ValueError
    return tomllib.loads(text)


_IDLE: dict[str, tuple[Callable[[bytes], Any], tuple[Keys, ...]]] = {
    "package.json": (json.loads, _NPM),
    "pyproject.toml": (_toml, _PYTHON),
    "Cargo.toml": (_toml, _CARGO),
}


def stilled(files: Iterable[ChangedFile]) -> list[ChangedFile]:
    """The files, those that are still as if they had not changed."""
    return [each._replace(base=each.now) if _is_still(each) else each for each in files]


def _is_still(file: ChangedFile) -> bool:
    kind = _IDLE.get(file.path.rpartition("/")[2])
    if kind is None or file.base is None or file.now is None or file.base == file.now:
        return False
    read, idle = kind
    if max(len(file.base), len(file.now)) > _LARGEST:
        return False
    try:
        before, now = (_without(read(data), idle) for data in (file.base, file.now))
        return bool(before == now)
    except (ValueError, RecursionError):
        return False


def _without(data: Any, idle: Sequence[Keys]) -> Any:
    if not isinstance(data, dict):
        raise ValueError
    for *path, last in idle:
        here: Any = data
        for key in path:
            here = here.get(key) if isinstance(here, dict) else None
        if isinstance(here, dict):
            here.pop(last, None)
    return data
