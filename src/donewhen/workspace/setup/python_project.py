"""What a Python project declares of itself: how it installs, on what, and what its tests need.

Read from its files alone, in the words of every build tool that is around. What is computed is not guessed.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from donewhen.core.lazy import lazy
from donewhen.project.folder import Folder, walk
from donewhen.workspace.setup.python_declared import (
    Piece,
    chosen_names,
    extras_in_nox,
    in_files,
    in_groups,
    in_hatch,
    in_list,
    in_nox,
    in_pipfile,
    in_tox,
    pool_of,
    table,
    without_doubles,
)
from donewhen.workspace.setup.python_requirements import is_requirement, name_of, normal, poetry, requirements

_COMPILED = lazy(
    r"\b(?:ext_modules|Extension\(|cythonize|cffi_modules|rust_extensions|ext-modules|mypycify|mesonpy|maturin"
    r"|scikit_build_core|scikit-build|setuptools_rust)"
)
_SOURCES = (".c", ".h", ".pyx", ".pxd", ".cpp", ".cc", ".hpp", ".rs", ".f90")


class PythonProject(NamedTuple):
    name: str  # normal; empty when it is not said
    installs: bool  # it can be installed as a distribution
    backend: str
    builds: tuple[str, ...]  # requirements of its build
    requires_python: str
    dependencies: tuple[str, ...] | None  # None: there may be some, but they are computed
    extras: tuple[str, ...]  # those for tests
    pieces: tuple[Piece, ...]  # what else the tests are said to need
    pool: Mapping[str, str]  # every requirement that is declared anywhere, by normal name
    compiles: bool
    flat: bool  # its modules lie at the root, and can be imported from there
    manifests: tuple[str, ...]


def read_project(files: Folder) -> PythonProject:
    pyproject = files.toml("pyproject.toml")
    project, tool = table(pyproject, "project"), table(pyproject, "tool")
    build = table(pyproject, "build-system")
    cfg = files.ini("setup.cfg")
    called = files.call("setup.py", "setup")
    extras = _extras(project, tool, cfg, called)
    tox = in_tox(files, tool)
    pieces = [*in_groups(pyproject, tool), *tox.pieces, *in_hatch(tool, files), *in_nox(files)]
    pieces += [*in_list("setup.py tests_require", called.get("tests_require")), *in_pipfile(files)]
    pieces += [*in_list("setup.cfg tests_require", cfg.get("options", {}).get("tests_require"))]
    pieces += in_files(files)
    asked = [name for name in (*tox.extras, *extras_in_nox(files)) if name in extras]
    chosen = dict.fromkeys([*chosen_names(extras), *asked])
    installs = _installs(files, pyproject, cfg)
    dependencies = _dependencies(project, tool, cfg, called)
    if installs and (dependencies == () or not (pieces or chosen)) and files.text("requirements.txt").strip():
        pieces.append(Piece(("-r", "requirements.txt"), "requirements.txt", "requirements.txt"))
    return PythonProject(
        _name(project, tool, cfg, called),
        installs,
        str(build.get("build-backend") or "setuptools"),
        tuple(requirements(build.get("requires", ["setuptools"]))),
        _requires_python(project, tool, cfg, called),
        dependencies,
        tuple(chosen),
        tuple(without_doubles(pieces)),
        pool_of([Piece(tuple(entries), name) for name, entries in extras.items()] + pieces, files),
        any(_COMPILED.search(files.text(name)) for name in ("setup.py", "pyproject.toml", "setup.cfg")),
        "src" not in files.folders and "lib" not in files.folders,
        tuple(n for n in ("pyproject.toml", "setup.py", "setup.cfg", "PKG-INFO") if n in files.names),
    )


def compiled_sources(files: Folder) -> list[str]:
    """The files that an extension is built from, by path."""
    names = ("meson.build", "CMakeLists.txt", "Cargo.toml", "Cargo.lock")
    found = (p for p in walk(files.folder, 6) if p.endswith(_SOURCES) or p.rpartition("/")[2] in names)
    return [path for path, _ in zip(found, range(1000), strict=False)]


def _name(
    project: Mapping[str, Any], tool: Mapping[str, Any], cfg: Mapping[str, Any], called: Mapping[str, Any]
) -> str:
    flit = table(tool, "flit", "metadata")
    given = (
        project.get("name"),
        table(tool, "poetry").get("name"),
        table(cfg, "metadata").get("name"),
        called.get("name"),
        flit.get("dist-name") or flit.get("module"),
    )
    return next((normal(name) for name in given if isinstance(name, str) and name), "")


def _installs(files: Folder, pyproject: Mapping[str, Any], cfg: Mapping[str, Any]) -> bool:
    tool = table(pyproject, "tool")
    if table(tool, "poetry").get("package-mode") is False or table(tool, "uv").get("package") is False:
        return False
    if "setup.py" in files.names and "setup" in files.text("setup.py"):
        return True
    return bool(
        {"build-system", "project"} & set(pyproject) or "poetry" in tool or "name" in table(cfg, "metadata")
    )


def _requires_python(
    project: Mapping[str, Any], tool: Mapping[str, Any], cfg: Mapping[str, Any], called: Mapping[str, Any]
) -> str:
    given = (
        project.get("requires-python"),
        table(tool, "poetry", "dependencies").get("python"),
        table(cfg, "options").get("python_requires"),
        called.get("python_requires"),
        table(tool, "flit", "metadata").get("requires-python"),
    )
    return next((text for text in given if isinstance(text, str)), "")


def _dependencies(
    project: Mapping[str, Any], tool: Mapping[str, Any], cfg: Mapping[str, Any], called: Mapping[str, Any]
) -> tuple[str, ...] | None:
    dynamic = project.get("dynamic")
    if isinstance(dynamic, list) and "dependencies" in dynamic:
        return None
    if "install_requires" in called and not isinstance(called["install_requires"], list | tuple | str):
        return None
    found = [
        *requirements(project.get("dependencies", [])),
        *poetry(table(tool, "poetry", "dependencies")),
        *requirements(table(cfg, "options").get("install_requires", "")),
        *requirements(called.get("install_requires", [])),
        *requirements(table(tool, "flit", "metadata").get("requires", [])),
    ]
    return tuple(dict.fromkeys(found))


def _extras(
    project: Mapping[str, Any], tool: Mapping[str, Any], cfg: Mapping[str, Any], called: Mapping[str, Any]
) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    tables = (
        table(project, "optional-dependencies"),
        table(cfg, "options.extras_require"),
        table(called, "extras_require"),
        table(tool, "flit", "metadata", "requires-extra"),
    )
    for one in tables:
        for name, entries in one.items():
            if isinstance(name, str) and is_requirement(name) and name_of(name) == normal(name):
                found.setdefault(name, []).extend(requirements(entries))
    for name in table(tool, "poetry", "extras"):
        if is_requirement(name):
            found.setdefault(name, [])
    return found
