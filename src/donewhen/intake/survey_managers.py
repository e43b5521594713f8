"""Package managers of a folder, told by lock file, manifest or section.

A table; only npm and pip, which leave no mark of their own, are concluded. No manager is called.
"""

from typing import NamedTuple

from donewhen.intake.survey_reading import at
from donewhen.project.folder import Folder


class Manager(NamedTuple):
    name: str
    sources: tuple[str, ...]
    locked: bool = False  # one of the sources is a lock file


class _Known(NamedTuple):
    name: str
    locks: tuple[str, ...]
    manifests: tuple[str, ...] = ()
    section: tuple[str, ...] = ()  # of pyproject.toml
    family: str = ""  # of several in a family the manifest alone means the first


_GRADLE = ("build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts")
_TABLE = (
    _Known("pnpm", ("pnpm-lock.yaml",), ("pnpm-workspace.yaml",), family="node"),
    _Known("yarn", ("yarn.lock",), (".yarnrc.yml",), family="node"),
    _Known("bun", ("bun.lock", "bun.lockb"), ("bunfig.toml",), family="node"),
    _Known("npm", ("package-lock.json", "npm-shrinkwrap.json"), family="node"),
    _Known("uv", ("uv.lock",), (), ("tool", "uv"), "python"),
    _Known("poetry", ("poetry.lock",), (), ("tool", "poetry"), "python"),
    _Known("pdm", ("pdm.lock",), (), ("tool", "pdm"), "python"),
    _Known("pipenv", ("Pipfile.lock",), ("Pipfile",), family="python"),
    _Known("hatch", (), ("hatch.toml",), ("tool", "hatch", "envs"), "python"),
    _Known("cargo", ("Cargo.lock",), ("Cargo.toml",)),
    _Known("go", ("go.sum", "go.work.sum"), ("go.mod", "go.work")),
    _Known("maven", (), ("pom.xml",)),
    _Known("gradle", ("gradle.lockfile",), _GRADLE),
    _Known("bundler", ("Gemfile.lock",), ("Gemfile",)),
    _Known("composer", ("composer.lock",), ("composer.json",)),
    _Known("mix", ("mix.lock",), ("mix.exs",)),
    _Known("pub", ("pubspec.lock",), ("pubspec.yaml",)),
    _Known("swift", ("Package.resolved",), ("Package.swift",)),
)  # fmt: skip
_PIP = (
    "requirements.txt",
    "requirements-dev.txt",
    "requirements_dev.txt",
    "dev-requirements.txt",
    "pyproject.toml",
    "setup.py",
    "setup.cfg",
)
_NODE = ("npm", "pnpm", "yarn", "bun")


def managers(root: Folder) -> tuple[Manager, ...]:
    pyproject = root.toml("pyproject.toml")
    found: list[Manager] = []
    families: set[str] = set()
    for known in _TABLE:
        sources = _sources(root, known, pyproject)
        if sources:
            found.append(Manager(known.name, sources, any(name in known.locks for name in sources)))
            families.add(known.family)
    wanted = _wanted(root)
    if wanted and not any(each.name == wanted for each in found):
        found.insert(0, Manager(wanted, ("package.json packageManager",)))
    elif "package.json" in root.names and "node" not in families:
        found.insert(0, Manager("npm", ("package.json",)))
    pip = tuple(name for name in _PIP if name in root.names)
    if pip and "python" not in families:
        found.append(Manager("pip", pip[:3]))
    projects = root.ending(".sln", ".slnx", ".csproj", ".fsproj", ".vbproj")
    if projects:
        lock = tuple(name for name in ("packages.lock.json",) if name in root.names)
        found.append(Manager("nuget", (*lock, *projects[:2]), bool(lock)))
    return tuple(found)


def _wanted(root: Folder) -> str:
    declared = root.json("package.json").get("packageManager")
    name = declared.partition("@")[0] if isinstance(declared, str) else ""
    return name if name in _NODE else ""


def _sources(root: Folder, known: _Known, pyproject: dict[str, object]) -> tuple[str, ...]:
    names = [name for name in (*known.locks, *known.manifests) if name in root.names]
    if known.section and at(pyproject, *known.section) is not None:
        names.append(f"pyproject.toml [{'.'.join(known.section)}]")
    return tuple(names[:3])
