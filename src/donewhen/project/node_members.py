"""A monorepo whose root has no test script: the scripts of its packages stand for it, each by name.

Asking the manager to run them "where present" would pass with none, so every package is named.
"""

from collections.abc import Iterator
from shlex import quote
from typing import Any

from donewhen.project.folder import Folder
from donewhen.project.node_package import MANIFEST, member_manifest, read_package

_MOST = 40
_LINES = {
    "npm": "npm test -w {path}",
    "pnpm": "pnpm --filter {here} test",
    "yarn": "yarn workspace {name} test",
    "bun": "bun run --filter {here} test",
}


def member_tests(root: Folder, manager: str) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """(command, source, scripts) of each package that has a test script."""
    package = read_package(root.folder)
    for member in package.members[:_MOST] if package else ():
        data = member_manifest(root.folder, member)
        scripts = data.get("scripts")
        if not isinstance(scripts, dict) or not isinstance(scripts.get("test"), str):
            continue
        name = str(data.get("name") or member)
        line = _LINES[manager].format(path=quote(member), here=quote(f"./{member}"), name=quote(name))
        yield line, f"{member}/{MANIFEST} scripts.test", scripts
