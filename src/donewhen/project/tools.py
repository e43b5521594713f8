"""The tools that gates ask: where each comes from, how old it may be, and which one is at hand.

The project's own comes first (`bin` of its environment for Python's tools, `node_modules` for those of node),
then what PATH has, then ours, which only advises. Nothing is started: versions and pins are read. No other
folder of the repository is searched, and no environment that the change itself touches.
"""

import os
import re
import sys
import tomllib
from collections.abc import Iterator, Mapping
from importlib import metadata
from pathlib import Path
from types import MappingProxyType
from typing import Literal, NamedTuple

from donewhen.config.files import is_file
from donewhen.core.texts import Language, Phrase, say
from donewhen.project.folder import Folder

Home = Literal["python", "node", "system"]


class Scope(NamedTuple):
    """A tree and what of it changed; the same gate is asked about the change and about its base."""

    root: Path  # where the tree lies; read, never written
    files: tuple[str, ...]  # that the change added or modified, as they are in this tree, sorted
    path: tuple[str, ...] = ()  # folders of the project's own programs, absolute, first ones first
    env: Mapping[str, str] = MappingProxyType({})  # the user's environment; PATH says what else is at hand
    caches: Path | None = None  # a folder outside of the tree that tools may write
    fresh: frozenset[str] = frozenset()  # of `files`, those added in folders that the base did not have
    required: bool = False  # the gate must pass: a tool that donewhen brings itself does not answer


class Tool(NamedTuple):
    """A program that was found: the project's own first, then what PATH has, then ours."""

    name: str
    argv: tuple[str, ...]  # absolute program, and the words before its arguments (python -m lizard)
    version: str = ""
    origin: Literal["project", "ours", "path"] = "project"
    pinned: str = ""  # the version that the project pins, where this is another

    @property
    def is_foreign(self) -> bool:
        """Whether what it says is not what the project's own tool says."""
        return self.origin == "ours" or bool(self.pinned)

    def called(self, language: Language) -> str:
        """Name and version; and whose it is, where that is not the project's."""
        plain = f"{self.name} {self.version}".strip()
        if not self.is_foreign:
            return plain
        whose = "ours" if self.origin == "ours" else "other"
        key = f"gates.tool_{whose}_pinned" if self.pinned else f"gates.tool_{whose}"
        return say(key, language, tool=plain, pinned=self.pinned)


class Missing(NamedTuple):
    why: Phrase
    install: str = ""  # the command that brings it


class Known(NamedTuple):
    """`least` is the oldest version whose flags and output are understood; empty: any."""

    home: Home
    package: str  # as its registry has it
    least: str = ""
    install: str = ""  # where the registry's usual command is not the one
    ours: bool = False  # what it checks is our choice: one too old gives way to another
    program_only: bool = False  # can't be started with `python -m`
    in_modules: bool = False  # a system's program that a package of node_modules may bring as well


_DATA = tomllib.loads(Path(__file__).with_name("tools.toml").read_text(encoding="utf-8"))
KNOWN = {name: Known(**known) for name, known in _DATA["known"].items()}
_COMMANDS = {  # that install a package, and that bring one that is new enough
    "python": ("python -m pip install {0}", "python -m pip install --upgrade '{0}>={1}'"),
    "node": ("npm install --save-dev {0}", "npm install --save-dev '{0}@>={1}'"),
    "system": ("", ""),
}
_ENVIRONMENTS = (".venv", "venv")
_MARKS = ("pyvenv.cfg", "conda-meta")  # what makes a folder an environment
_MODULES, _BIN = "node_modules", ".bin"
_NUMBERS = re.compile(r"\d{1,9}(?:\.\d{1,9}){0,3}")
_LARGEST = 256 * 1024


def find(name: str, scope: Scope, what: str, near: str = "") -> Tool | Missing:
    """The tool; `what` is what it would check, `near` the folder in the tree that is to be checked."""
    known = KNOWN[name]
    too_old: Tool | None = None
    for tool in _candidates(name, scope, near):
        if not tool.version or at_least(tool.version, known.least):
            pin = pinned(name, scope.root, near)
            have, need = _numbers(tool.version), _numbers(pin)
            return tool._replace(pinned=pin) if have and need and have[: len(need)] != need else tool
        too_old = too_old or tool
        if tool.origin == "project" and not known.ours:
            break  # what the project has chosen is not replaced behind its back
    install, upgrade = (each.format(known.package, known.least) for each in _COMMANDS[known.home])
    if too_old:
        place, version = too_old.argv[0], too_old.version
        values = {"tool": name, "version": version, "place": place, "least": known.least, "command": upgrade}
        return Missing(Phrase("gates.too_old", values), upgrade)
    command = known.install or install
    how = Phrase("gates.install", {"command": command}) if command else Phrase("gates.install_yourself")
    return Missing(Phrase("gates.missing", {"tool": name, "what": what, "how": how}), command)


def python_of(scope: Scope, near: str = "") -> str:
    """The interpreter of the project's own environment, so that a checker sees what is installed there."""
    for folder in _own(scope, near):
        found = _program(folder, "python") if folder.name != _BIN else None
        if found and not is_script(found) and not _is_brought(found, scope):
            return str(found)
    return ""


def _candidates(name: str, scope: Scope, near: str) -> Iterator[Tool]:
    known = KNOWN[name]
    for folder in _own(scope, near):
        program = _program(folder, name)
        of_node = folder.name == _BIN
        fits = known.home == "node" or known.in_modules if of_node else known.home == "python"
        if program and fits and not _is_brought(program, scope):
            yield Tool(name, (str(program),), _version(program, known))
        elif program and known.home == "system" and not of_node and not _is_inside(str(program), scope.root):
            yield Tool(name, (str(program),))
    folders = [text for text in scope.env.get("PATH", "").split(os.pathsep) if text.startswith("/")]
    outside = (_program(Path(text), name) for text in folders if not _is_inside(text, scope.root))
    at_hand = [Tool(name, (str(each),), _version(each, known), "path") for each in outside if each]
    yield from (tool for tool in at_hand if tool.version)
    if not scope.required:
        yield from _ours(name)
    yield from (tool for tool in at_hand if not tool.version)  # perhaps only a shim that starts nothing


def _ours(name: str) -> Iterator[Tool]:
    """`-P`: a module in the tree must not stand in for the tool's own ones."""
    known = KNOWN[name]
    try:
        version = metadata.version(known.package) if known.home == "python" else ""
    except metadata.PackageNotFoundError:
        return
    program = _program(Path(sys.executable).parent, name)
    if version and not known.program_only:
        yield Tool(name, (sys.executable, "-P", "-m", name), version, "ours")
    elif version and program:
        yield Tool(name, (str(program),), version, "ours")


def _is_brought(program: Path, scope: Scope) -> bool:
    """Whether the change touches the environment that the program is part of."""
    home = os.path.relpath(program.parent.parent, scope.root)
    return not home.startswith("..") and any(file.startswith(f"{home}/") for file in scope.files)


def _is_inside(place: str, root: Path) -> bool:
    return f"{os.path.realpath(place)}/".startswith(f"{os.path.realpath(root)}/")


def is_script(program: Path) -> bool:
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


def _program(folder: Path, name: str) -> Path | None:
    path = folder / name
    return path if is_file(path) and os.access(path, os.X_OK) else None


def _version(program: Path, known: Known) -> str:
    """What the installer wrote down beside the program; empty when nothing did."""
    if known.home == "system":
        return ""
    real = Path(os.path.realpath(program))
    name = re.sub(r"[-_.]+", "[-_.]", known.package)
    for environment in (program.parent.parent, real.parent.parent):
        for info in sorted((environment / "lib").glob("python*/*-packages/*.dist-info")):
            found = re.fullmatch(rf"{name}-(\d.*)\.dist-info", info.name, re.IGNORECASE)
            if found:
                return found[1]
    places = [program.parent.parent / known.package, *list(real.parents)[:4]]
    manifests = (Folder(place).json("package.json") for place in places)
    versions = (str(data.get("version")) for data in manifests if data.get("name") == known.package)
    return next((version for version in versions if _numbers(version)), "")


def _numbers(version: str) -> tuple[int, ...]:
    """The leading numbers: 1.11.0rc1 is (1, 11, 0); nothing for what is no version."""
    found = _NUMBERS.match(version.strip().removeprefix("v"))
    return tuple(int(part) for part in found[0].split(".")) if found else ()


def at_least(version: str, least: str) -> bool:
    """Whether a version is new enough; one that can't be read is not known to be."""
    have, need = _numbers(version), _numbers(least)
    width = max(len(have), len(need))
    return not need or (have != () and (*have, *(0,) * width)[:width] >= (*need, *(0,) * width)[:width])


_EXACT = r"v?(\d{1,9}(?:\.\d{1,9}){0,3}[a-z0-9]{0,12})(?![\w.*])"


def pinned(tool: str, root: Path, near: str = "") -> str:
    """The exact version that a lock, requirements or hooks of the project ask for; empty: none."""
    known, folder = KNOWN[tool], Folder(root)
    name = re.sub(r"[-_.]", "[-_.]", known.package)
    for files, pattern in _DATA["pins"].items() if known.home != "system" else ():
        wanted = pattern.replace("{name}", name).replace("{version}", _EXACT)
        for place in dict.fromkeys((near, "")):
            start = f"{place}/" if place else ""
            for file in files.split():
                texts = folder.files(file, 1) if "*" in file else (f"{start}{file}",)
                for text in (folder.text(each, 32 * _LARGEST) for each in texts):
                    found = re.search(wanted, text, re.MULTILINE)
                    if found:
                        return str(found[1])
    return ""
