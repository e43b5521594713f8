"""Whether a project's tests run against what a build leaves in an ignored folder: then the build comes first.

A fresh folder has no such output, and in the user's own folder it may be older than the source, so that the
tests would judge yesterday's code. Evidence is asked for: the folder is ignored by git, the package's entry
lies in it, and a test names it. A few files are read, each only in part.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from donewhen.project.folder import Folder
from donewhen.project.node_scripts import Script
from donewhen.project.node_tests import test_files, text_of

_BUILDS = ("build", "compile", "prepare")
_ENTRIES = ("main", "module", "exports", "bin")
_PLAIN = re.compile(r"/?([\w.-]{1,60})(?:/\*{0,2})?/?")
_MOST_FILES, _START = 40, 20_000
_DEEPEST = 5


def build_before(root: Folder, data: Mapping[str, Any], test: Script) -> str:
    """The script that must run before the tests; empty when they need none or run it themselves."""
    scripts = data.get("scripts")
    name = next((each for each in _BUILDS if isinstance(scripts, dict) and scripts.get(each)), "")
    if not name or any(step.script in _BUILDS or "build" in step.text for step in test.steps()):
        return ""
    built = _ignored(root) & set(_entry_folders(data))
    return name if built and _is_tested(root, data, built) else ""


def _ignored(root: Folder) -> set[str]:
    """Folders at the root that the project's own ignore file names plainly."""
    lines = (line.strip() for line in root.text(".gitignore").splitlines())
    return {match[1] for line in lines if (match := _PLAIN.fullmatch(line))}


def _entry_folders(data: Mapping[str, Any]) -> Iterator[str]:
    for key in _ENTRIES:
        for path in _leaves(data.get(key), _DEEPEST):
            words = path.removeprefix("./").split("/")
            if len(words) > 1:
                yield words[0]


def _leaves(value: object, depth: int) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list) and depth:
        for each in list(value.values() if isinstance(value, dict) else value)[:50]:
            yield from _leaves(each, depth - 1)


def _is_tested(root: Folder, data: Mapping[str, Any], built: set[str]) -> bool:
    names = "|".join(sorted(map(re.escape, built)))
    own = re.escape(str(data.get("name", "")) or "\n")
    # the folder itself, the package's root, which leads to its entry, or the package by its name
    used = re.compile(rf"""["'](?:(?:\.\.?/)+(?:{names})(?:/|["'])|\.\.?(?:/\.\.)*/?["']|{own}["'])""")
    return any(used.search(text_of(root, path)[:_START]) for path in test_files(root)[:_MOST_FILES])
