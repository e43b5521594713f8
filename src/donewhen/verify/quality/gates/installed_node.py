"""Whether a program in `node_modules/.bin` is what a package manager put there.

It is a link to the file that the package itself names as its program, or the shell script that pnpm and npm
write where they make no links. The package must lie among packages: a folder of the repository that is linked
in (a workspace's member) is code of the project, whatever it is called.
"""

import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from donewhen.verify.quality.gates.versions import manifest_of, version_in

_MODULES = "node_modules"
_LARGEST_SHIM = 64 * 1024
_SAID = frozenset(
    (
        "#!/bin/sh",
        r"""basedir=$(dirname "$(echo "$0" | sed -e 's,\\,/,g')")""",
        "case `uname` in",
        '*CYGWIN*) basedir=`cygpath -w "$basedir"`;;',
        "*CYGWIN*|*MINGW*|*MSYS*)",
        "if command -v cygpath > /dev/null 2>&1; then",
        'basedir=`cygpath -w "$basedir"`',
        ";;",
        "esac",
        'if [ -z "$NODE_PATH" ]; then',
        'if [ -x "$basedir/node" ]; then',
        "else",
        "fi",
        "exit $?",
    )
)
_SEARCHED = re.compile(r'export NODE_PATH="([^"$`\\]{1,60000})(?:\$NODE_PATH)?"')
_STARTED = re.compile(r'(?:exec +)?(?:(?:"\$basedir/node"|node) +)?"\$basedir/([^"$`\\]{1,4000})" +"\$@"')


def node_install(program: Path, package: str) -> str:
    """The version of the package that the program belongs to; empty when it belongs to none."""
    places = program.parent
    if places.name != ".bin" or places.parent.name != _MODULES:
        return ""
    home = places.parent / package
    manifest = manifest_of(home / "package.json")
    target = _target(home, manifest, program.name)
    if not target or not _leads(program, target) or not _is_plain_node(places, program.name):
        return ""
    return version_in(manifest, package)


def _target(home: Path, manifest: Mapping[str, object], name: str) -> str:
    """The file that the package names as this program, where it lies in the package; else empty."""
    entry = manifest.get("bin")
    named = entry.get(name) if isinstance(entry, dict) else entry if home.name == name else None
    if not isinstance(named, str) or not named or "\0" in named:
        return ""
    folder = os.path.realpath(home)
    found = os.path.realpath(home / named)
    inside = found.startswith(f"{folder}/") and _MODULES in Path(folder).parts
    return found if inside and Path(found).is_file() else ""


def _leads(program: Path, target: str) -> bool:
    if program.is_symlink():
        return os.path.realpath(program) == target
    started = list(_started(program))
    return bool(started) and all(os.path.realpath(program.parent / each) == target for each in started)


def _started(program: Path) -> Iterator[str]:
    """What a generated script starts; a text that says anything else starts nothing that is known."""
    try:
        text = program.read_bytes().decode() if program.stat().st_size <= _LARGEST_SHIM else ""
    except (OSError, UnicodeDecodeError):
        return
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    others = [line for line in lines if line not in _SAID and not _is_search(line)]
    found = [_STARTED.fullmatch(line) for line in others]
    if lines[:1] == ["#!/bin/sh"] and all(found):
        yield from (each[1] for each in found if each)


def _is_search(line: str) -> bool:
    found = _SEARCHED.fullmatch(line)
    folders = found[1].removesuffix(":").split(":") if found else []
    return bool(folders) and all(folder.endswith(f"/{_MODULES}") for folder in folders)


def _is_plain_node(places: Path, name: str) -> bool:
    """Scripts are started with the `node` beside them, where there is one: that must be a package's too."""
    beside = places / "node"
    return name == "node" or not os.path.lexists(beside) or node_install(beside, "node") != ""
