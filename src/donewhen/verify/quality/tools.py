"""Finds the program that a gate needs: the project's own first, then what PATH has, then ours.

Nothing is started: versions are read from what installers leave beside a program. The project's own is only
what an installer put into an environment (`bin` of a virtual environment for Python's tools, `node_modules`
for those of node), as its records say. A file that is merely called like a tool is none, wherever it lies;
neither is one of an environment that the change itself touches, and no folder of the repository is searched
because PATH names it. Ours only advises: it is no answer where the gate must pass.
"""

import os
import sys
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

from donewhen.config.files import is_file
from donewhen.core.texts import Phrase
from donewhen.verify.quality.gates.installed import python_install
from donewhen.verify.quality.gates.installed_node import node_install
from donewhen.verify.quality.gates.known import KNOWN, install_of, upgrade_of
from donewhen.verify.quality.gates.pins import is_another, pinned
from donewhen.verify.quality.gates.versions import at_least, node_version, python_version
from donewhen.verify.quality.model import Missing, Scope, Tool

_ENVIRONMENTS = (".venv", "venv")
_MARKS = ("pyvenv.cfg", "conda-meta")  # what makes a folder an environment
_HIGHEST = 8  # folders above the root that a workspace may start in
_MODULES, _BIN = "node_modules", ".bin"


def find(name: str, scope: Scope, what: str, near: str = "") -> Tool | Missing:
    """The tool; `what` is what it would check, `near` the folder in the tree that is to be checked."""
    too_old: Tool | None = None
    for tool in _candidates(name, scope, near):
        if not tool.version or at_least(tool.version, KNOWN[name].least):
            pin = pinned(name, scope.root, near)
            return tool._replace(pinned=pin) if is_another(tool.version, pin) else tool
        chosen = tool.origin == "project" and not KNOWN[name].ours
        if chosen:  # what the project has chosen is not replaced behind its back
            return _too_old(tool)
        too_old = too_old or tool
    if too_old:
        return _too_old(too_old)
    return missing(name, what)


def missing(name: str, what: str) -> Missing:
    command = install_of(name)
    how = Phrase("gates.install", {"command": command}) if command else Phrase("gates.install_yourself")
    return Missing(Phrase("gates.missing", {"tool": name, "what": what, "how": how}), command)


def version_of(tool: Tool) -> str:
    """What the installer wrote down beside the program; empty when nothing did."""
    program = Path(tool.argv[0])
    known = KNOWN[tool.name]
    if tool.origin == "ours":
        try:
            return metadata.version(known.package)
        except metadata.PackageNotFoundError:
            return ""
    if known.home == "system":
        return ""
    return python_version(program, known.package) or node_version(program, known.package)


def python_of(scope: Scope, near: str = "") -> str:
    """The interpreter of the project's own environment, so that a checker sees what is installed there."""
    for folder in _own(scope, near):
        found = _program(folder, "python") if folder.name != _BIN else None
        if found and not _is_script(found) and not _is_brought(found, scope):
            return str(found)
    return ""


def _candidates(name: str, scope: Scope, near: str) -> Iterator[Tool]:
    ours = _ours(name) if not scope.required else None
    first = KNOWN[name].ours
    if ours and first:
        yield ours._replace(version=version_of(ours))
    for folder in _own(scope, near):
        yield from _installed_at(name, folder, scope)
    at_hand = list(_on_path(name, scope))
    yield from (tool for tool in at_hand if tool.version)
    if ours and not first:
        yield ours._replace(version=version_of(ours))
    yield from (tool for tool in at_hand if not tool.version)  # perhaps only a shim that starts nothing


def _on_path(name: str, scope: Scope) -> Iterator[Tool]:
    for text in scope.env.get("PATH", "").split(os.pathsep):
        program = _program(Path(text), name) if Path(text).is_absolute() else None
        if program and not _is_inside(text, scope.root):
            tool = Tool(name, (str(program),), origin="path")
            yield tool._replace(version=version_of(tool))


def _installed_at(name: str, folder: Path, scope: Scope) -> Iterator[Tool]:
    """The project's own, where its records vouch for it."""
    program = _program(folder, name)
    if program is None or _is_brought(program, scope):
        return
    known = KNOWN[name]
    version = ""
    if known.home == "python" and folder.name != _BIN:
        version = python_install(program, known.package)
    elif known.home == "node" or (known.in_modules and folder.name == _BIN):
        version = node_install(program, known.package)
    if version or (known.home == "system" and not _is_inside(str(program), scope.root)):
        yield Tool(name, (str(program),), version if known.home != "system" else "", "project")


def _is_brought(program: Path, scope: Scope) -> bool:
    """Whether the change touches the program or the environment that it is part of."""
    root = os.path.realpath(scope.root)
    real = Path(os.path.realpath(program))
    places = [str(program.parent.parent), os.path.realpath(program.parent.parent), str(real)]
    if _MODULES in real.parts:
        places.append(str(Path(*real.parts[: real.parts.index(_MODULES) + 1])))
    for place in places:
        for start in (str(scope.root), root):
            inside = place.removeprefix(f"{start}/") if place.startswith(f"{start}/") else ""
            if inside and any(file == inside or file.startswith(f"{inside}/") for file in scope.files):
                return True
    return False


def _is_inside(place: str, root: Path) -> bool:
    return f"{os.path.realpath(place)}/".startswith(f"{os.path.realpath(root)}/")


def _is_script(program: Path) -> bool:
    """An interpreter is a binary; a script in its place could be anything."""
    try:
        with program.open("rb") as file:
            return file.read(2) == b"#!"
    except OSError:
        return True


def _own(scope: Scope, near: str) -> Iterator[Path]:
    """Folders of the project's programs, the nearest first."""
    yield from (Path(text) for text in scope.path if Path(text).is_absolute())
    parts = [part for part in near.split("/") if part not in ("", ".", "..")]
    for depth in range(len(parts), -1, -1):
        folder = scope.root.joinpath(*parts[:depth])
        for name in _ENVIRONMENTS:
            if any((folder / name / mark).exists() for mark in _MARKS):
                yield folder / name / "bin"
        yield folder / _MODULES / _BIN
    yield from _above(scope.root)


def _above(root: Path) -> Iterator[Path]:
    """Workspaces keep programs above their members; folders of other users are not asked."""
    try:
        owner = root.stat().st_uid
        for folder in list(root.resolve().parents)[:_HIGHEST]:
            if folder.stat().st_uid != owner or folder.stat().st_mode & 0o002:
                return
            yield folder / _MODULES / _BIN
    except OSError:
        return


def _ours(name: str) -> Tool | None:
    """`-P`: a module in the tree must not stand in for the tool's own ones."""
    known = KNOWN[name]
    if known.home != "python":
        return None
    if known.module and _installed(known.package):
        return Tool(name, (sys.executable, "-P", "-m", known.module), origin="ours")
    program = _program(Path(sys.executable).parent, name) if _installed(known.package) else None
    return Tool(name, (str(program),), origin="ours") if program else None


def _installed(package: str) -> bool:
    try:
        metadata.distribution(package)
    except metadata.PackageNotFoundError:
        return False
    return True


def _program(folder: Path, name: str) -> Path | None:
    path = folder / name
    return path if is_file(path) and os.access(path, os.X_OK) else None


def _too_old(tool: Tool) -> Missing:
    command = upgrade_of(tool.name)
    values = {
        "tool": tool.name,
        "version": tool.version,
        "place": tool.argv[0],
        "least": KNOWN[tool.name].least,
        "command": command,
    }
    return Missing(Phrase("gates.too_old", values), command)
