"""How a JavaScript project that wrote no test script is tested, and what has to be built before.

Evidence only: packages of a monorepo with scripts of their own (a manager that runs them "where present"
would pass with none, so each is named), a declared runner, or files that node's own runner would find.

A fresh folder has no output of a build, and in the user's own it may be older than the source: a build comes
first where git ignores its folder, the package's entry lies in it, and a test names it.
"""

import re
from collections.abc import Iterator, Mapping
from shlex import quote
from typing import Any

from donewhen.project.folder import Folder
from donewhen.project.node_package import MANIFEST, member_manifest, read_package
from donewhen.project.node_scripts import Script

_MOST_MEMBERS = 40
_LINES = {
    "npm": "npm test -w {path}",
    "pnpm": "pnpm --filter {here} test",
    "yarn": "yarn workspace {name} test",
    "bun": "bun run --filter {here} test",
}


def member_tests(root: Folder, manager: str) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """(command, source, scripts) of each package that has a test script."""
    package = read_package(root.folder)
    for member in package.members[:_MOST_MEMBERS] if package else ():
        data = member_manifest(root.folder, member)
        scripts = data.get("scripts")
        if not isinstance(scripts, dict) or not isinstance(scripts.get("test"), str):
            continue
        name = str(data.get("name") or member)
        line = _LINES[manager].format(path=quote(member), here=quote(f"./{member}"), name=quote(name))
        yield line, f"{member}/{MANIFEST} scripts.test", scripts


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
            below = sorted(Folder(root.folder / folder).names)[:_MOST]
            names = [name for name in below if wanted.fullmatch(name)]
            found += [f"{folder}/{name}" for name in names]
    return found


# What has to be built before.

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
    return any(used.search(root.text(path)[:_START]) for path in test_files(root)[:_MOST_FILES])
