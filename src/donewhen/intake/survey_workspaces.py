"""Workspaces that a folder declares: which folders are its members, and whose tests run all of them.

One small reader for each tool. Members are found by name among the folders that are there, so a workspace
that names itself, its parent or nothing at all costs nothing.
"""

import posixpath
import re
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from donewhen.intake.survey_ground import ENDINGS, matching
from donewhen.intake.survey_reading import at, words, yaml_of
from donewhen.project.folder import Folder
from donewhen.project.others import used_modules

_NODE = ("javascript", "typescript")
_MODULE = re.compile(r"<module>([^<]{1,300})</module>")
_INCLUDE = re.compile(r"\binclude\b[ \t\r\n(]{0,50}((?:[\"'][^\"'\n]{1,200}[\"'][ \t\r\n,]{0,50})+)")
_QUOTED = re.compile(r"[\"']([^\"'\n]{1,200})[\"']")
_SLN = re.compile(r'^Project\("[^"\n]{0,60}"\) = "[^"\n]{0,200}", "([^"\n]{1,300}proj)"', re.MULTILINE)
_SLNX = re.compile(r'<Project [^>\n]{0,200}?Path="([^"\n]{1,300}proj)"')
# packages that these name by path belong to a workspace without being listed
_CARGO_TABLES = (
    ("dependencies",),
    ("dev-dependencies",),
    ("build-dependencies",),
    ("workspace", "dependencies"),
)
_MOST = 500


class Workspace(NamedTuple):
    source: str  # the words that declare it: `package.json workspaces`
    languages: tuple[str, ...]  # of the tests that the whole's own command runs
    members: tuple[str, ...]  # folders, relative to the one that declares it


Folders = Mapping[str, frozenset[str]]


def workspaces(root: Folder, folders: Folders) -> tuple[Workspace, ...]:
    """What the folder of `root` declares; `folders` are those below it that hold a manifest."""
    found = (reader(root, folders) for reader in _READERS)
    return tuple(each for each in found if each is not None and each.members)


def _holding(folders: Folders, *manifests: str) -> list[str]:
    return [name for name, held in folders.items() if held.intersection(manifests)]


def _node(root: Folder, folders: Folders) -> Workspace | None:
    package = root.json("package.json")
    listed = package.get("workspaces")
    for source, patterns in (
        ("pnpm-workspace.yaml", words(yaml_of(root.text("pnpm-workspace.yaml"), "pnpm").get("packages"))),
        ("package.json workspaces", words(at(listed, "packages") if isinstance(listed, dict) else listed)),
        ("lerna.json", _lerna(root)),
    ):
        if patterns:
            members = matching(_holding(folders, "package.json"), patterns)
            return Workspace(source, _NODE, tuple(sorted(members)))
    return None


def _lerna(root: Folder) -> tuple[str, ...]:
    if "lerna.json" not in root.names:
        return ()
    return words(root.json("lerna.json").get("packages")) or ("packages/*",)


def _nx(root: Folder, folders: Folders) -> Workspace | None:
    if "nx.json" not in root.names:
        return None
    return Workspace("nx.json", _NODE, tuple(name for name in _holding(folders, "project.json") if name))


def _cargo(root: Folder, folders: Folders) -> Workspace | None:
    found = _toml(root, folders, "Cargo.toml", ("workspace",), "rust")
    data = root.toml("Cargo.toml")
    if not isinstance(data.get("workspace"), dict):
        return None
    tables = [at(data, *keys) for keys in _CARGO_TABLES]
    entries = [each for table in tables if isinstance(table, dict) for each in table.values()]
    paths = [path for each in entries if isinstance(path := at(each, "path"), str)]
    members = {*found.members, *_named(paths[:_MOST], _holding(folders, "Cargo.toml"))}
    return found._replace(members=tuple(sorted(members)))


def _uv(root: Folder, folders: Folders) -> Workspace | None:
    return _toml(root, folders, "pyproject.toml", ("tool", "uv", "workspace"), "python")


def _toml(root: Folder, folders: Folders, file: str, keys: tuple[str, ...], language: str) -> Workspace:
    table = at(root.toml(file), *keys)
    patterns = (*words(at(table, "members")), *(f"!{each}" for each in words(at(table, "exclude"))))
    members = matching(_holding(folders, file), patterns)
    return Workspace(f"{file} [{'.'.join(keys)}]", (language,), tuple(sorted(members)))


def _go(root: Folder, folders: Folders) -> Workspace | None:
    return Workspace("go.work", ("go",), _named(used_modules(root), _holding(folders, "go.mod")))


def _maven(root: Folder, folders: Folders) -> Workspace | None:
    text = _uncommented(root.text("pom.xml"))
    named = [each.strip().removesuffix("/pom.xml") for each in _MODULE.findall(text)[:_MOST]]
    poms = _holding(folders, "pom.xml")
    direct = _named(named, poms)
    below = [pom for pom in poms if any(pom.startswith(f"{each}/") for each in direct)]
    return Workspace("pom.xml modules", ("java",), tuple(sorted({*direct, *below})))


def _uncommented(text: str) -> str:
    """XML without its comments; one that has no end takes the rest with it."""
    kept: list[str] = []
    while text:
        before, opened, rest = text.partition("<!--")
        kept.append(before)
        text = rest.partition("-->")[2] if opened else ""
        if len(kept) > _MOST:
            break
    return "".join(kept)


def _gradle(root: Folder, folders: Folders) -> Workspace | None:
    file = root.first("settings.gradle", "settings.gradle.kts")
    lists = _INCLUDE.findall(root.text(file)) if file else []
    named = [each.strip(":").replace(":", "/") for found in lists for each in _QUOTED.findall(found)][:_MOST]
    members = _named(named, _holding(folders, "build.gradle", "build.gradle.kts"))
    return Workspace(f"{file} include", ("java",), members)


def _dotnet(root: Folder, folders: Folders) -> Workspace | None:
    solutions = root.ending(".sln", ".slnx")
    if not solutions:
        return None
    text = root.text(solutions[0])
    named = [each.replace("\\", "/") for each in (*_SLN.findall(text), *_SLNX.findall(text))][:_MOST]
    holding = [name for name, held in folders.items() if any(one.endswith(ENDINGS) for one in held)]
    return Workspace(solutions[0], ("dotnet",), _named(map(posixpath.dirname, named), holding))


def _named(wanted: Iterable[str], folders: Iterable[str]) -> tuple[str, ...]:
    """The wanted folders that are there, in their shortest form; the declaring one is no member of itself."""
    short = {posixpath.normpath(each.strip()) for each in wanted if each.strip()}
    return tuple(sorted(name for name in folders if name and name in short))


_READERS: tuple[Callable[[Folder, Folders], Workspace | None], ...] = (
    _node,
    _nx,
    _cargo,
    _uv,
    _go,
    _maven,
    _gradle,
    _dotnet,
)
