"""The test command of a JavaScript project that wrote no script for it: told by its runner or its test files.

Evidence only: a declared runner, or files that node's own runner would find. A few names and the start of a
few files are read.
"""

import os
import re
from collections.abc import Mapping
from typing import Any

from donewhen.project.folder import Folder

_RUNNERS = {
    "vitest": "npx vitest run",
    "jest": "npx jest",
    "ava": "npx ava",
    "mocha": "npx mocha",
    "tap": "npx tap",
    "jasmine": "npx jasmine",
    "uvu": "npx uvu",
}
_NODE_TEST = "node --test"
_BUN_TEST = "bun test"
_NAMED = re.compile(r"(?:.+[._-]test|test-.+|test)\.[cm]?js")  # what node's runner takes for a test, anywhere
_SCRIPT = re.compile(r".+\.[cm]?js")
_USES = re.compile(r"""(?:require\(|from|import)\s*\(?\s*["']node:test["']""")
_FOLDERS = ("test", "tests", "__tests__")
_MOST = 200


def usual_test(root: Folder, data: Mapping[str, Any], manager: str) -> tuple[str, str] | None:
    """(command, source) by which the tests are usually run; None when nothing says that there are any."""
    files = test_files(root)
    for name, command in _RUNNERS.items():
        if any(name in group for key in ("devDependencies", "dependencies") if (group := _group(data, key))):
            return command, f"package.json {name}"
    if manager == "bun" and files:
        return _BUN_TEST, files[0]
    return (_NODE_TEST, files[0]) if files else None


def bare_test(root: Folder) -> tuple[str, str] | None:
    """The same without a package.json: then a file must say itself that node's runner runs it."""
    for name in test_files(root)[:20]:
        if "/" not in name and _USES.search(root.text(name)[:20_000]):
            return _NODE_TEST, name
    return None


def _group(data: Mapping[str, Any], key: str) -> dict[str, Any]:
    found = data.get(key)
    return found if isinstance(found, dict) else {}


def test_files(root: Folder) -> list[str]:
    """Folder that node's own runner would find, at the root and in the folder for tests."""
    found = sorted(name for name in root.names if _NAMED.fullmatch(name))
    for folder in _FOLDERS:
        if folder in root.folders:
            wanted = _SCRIPT if folder == "test" else _NAMED
            names = sorted(name for name in _names(root, folder) if wanted.fullmatch(name))
            found += [f"{folder}/{name}" for name in names]
    return found


def text_of(root: Folder, path: str) -> str:
    """The text of a file at the root or in one of the folders for tests."""
    folder, _, name = path.rpartition("/")
    return Folder(root.folder / folder).text(name) if folder else root.text(path)


def _names(root: Folder, folder: str) -> list[str]:
    try:
        with os.scandir(root.folder / folder) as entries:
            return [entry.name for _, entry in zip(range(_MOST), entries, strict=False)]
    except OSError:
        return []
