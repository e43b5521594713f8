"""What lies in the user's folder beside the tree: dependencies, what tools make, and what nobody can explain.

Listed by git with the harness's own rules, and also what the repository's `info/exclude` hides; names and
times only, nothing is read. What was there before the base commit is the user's environment. The rest could
be work that would not be shipped, whatever it is called.
"""

import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Literal, NamedTuple

from donewhen.core.paths import TOOL_FOLDERS
from donewhen.workspace.fingerprint.ignoring import ENVIRONMENT_FILE
from donewhen.workspace.git.repository import Repository
from donewhen.workspace.git.runner import names

Sort = Literal["lent", "made", "cache", "file"]
_MOST = 20_000  # files that are looked at
_SECOND = 1_000_000_000
_LENT = frozenset(
    ("node_modules", "bower_components", "jspm_packages", ".bundle", "Pods", "elm-stuff", ".yarn")
)
_LENT_BY = {"vendor": ("composer.json", "Gemfile", "go.mod", "Cargo.toml"), "deps": ("mix.exs",)}
_BYTECODE = "__pycache__"
_CACHES = (TOOL_FOLDERS - {_BYTECODE, "node_modules"}) | frozenset(
    """
    .git .donewhen .hypothesis .eggs .ipynb_checkpoints .gradle .vscode .parcel-cache .turbo .nyc_output
    htmlcov .pyre .pytype .dart_tool .swc .angular .vite .eslintcache .coverage .DS_Store Thumbs.db
    .python_history .dmypy.json
    """.split()
)
_CACHE_ENDINGS = (".egg-info", ".dist-info", ".tsbuildinfo", ".swp", ".swo")
_CACHE_STARTS = (".coverage.", "npm-debug.log", "yarn-error.log")
_BUILDERS = (
    "package.json", "tsconfig.json", "pyproject.toml", "setup.py", "Makefile", "makefile", "CMakeLists.txt",
    "meson.build", "build.gradle", "build.gradle.kts", "pom.xml", "Cargo.toml", "go.mod", "build.sbt",
    "mix.exs", "dune-project", "binding.gyp", "Package.swift", "rebar.config",
)  # fmt: skip
# folders that builds fill, and what has to lie beside one for that to be so
_MADE = dict.fromkeys(("build", "dist", "out", ".output", "lib-cov"), _BUILDERS)
# those that the next build fills again by itself
_REMADE = {
    **dict.fromkeys(("coverage", ".next", ".nuxt", ".svelte-kit", "_build"), _BUILDERS),
    "target": ("Cargo.toml", "pom.xml", "build.sbt"),
    "obj": ("Directory.Build.props", "global.json"),
}
_COMPILED = (".o", ".obj", ".a", ".so", ".pyd", ".dylib", ".dll", ".class", ".jar", ".rlib", ".gcda", ".gcno")


class Aside(NamedTuple):
    """A file, or a folder that is taken as one."""

    path: str
    sort: Sort
    changed_ns: int  # when its content or its name was last written
    folder: bool = False


def asides(repository: Repository, excludes: Path, most: int = _MOST) -> tuple[Aside, ...]:
    """Everything beside the tree; `excludes` is the file of what the user ignores everywhere."""
    git = repository.git()
    git = git._replace(settings=(*git.settings, f"core.excludesFile={excludes}"))
    ran = git.attempt("ls-files", "-o", "-i", "-z", "--exclude-standard", "--directory")
    found: list[Aside] = []
    for each in _walk(str(repository.root), names(ran.out)):
        found.append(each)
        if len(found) >= most:
            break
    return tuple(sorted(found))


def _walk(root: str, tops: list[str]) -> Iterator[Aside]:
    waiting = sorted((top.rstrip("/") for top in tops), reverse=True)
    while waiting:
        path = waiting.pop()
        try:
            facts = os.lstat(f"{root}/{path}")
            folder = stat.S_ISDIR(facts.st_mode)
            sort = _sort(root, path, folder)
            if folder and sort == "file":
                inside = sorted(os.listdir(f"{root}/{path}"), reverse=True)  # noqa: PTH208
                waiting += [f"{path}/{name}" for name in inside]
                continue
        except OSError:  # gone, or closed to us
            continue
        yield Aside(path, sort, max(facts.st_mtime_ns, facts.st_ctime_ns), folder)


def _sort(root: str, path: str, folder: bool) -> Sort:
    above, _, name = path.rpartition("/")
    place = f"{root}/{above}" if above else root
    if name in _CACHES or name.endswith(_CACHE_ENDINGS) or name.startswith(_CACHE_STARTS):
        return "cache"
    if _is_dependency(f"{root}/{path}", place, name):
        return "lent"
    if folder and _any_at(place, _REMADE.get(name, ())):
        return "cache"
    if folder:
        return "made" if _any_at(place, _MADE.get(name, ())) else "file"
    if name.endswith((".pyc", ".pyo")):
        return "cache" if _has_source(place, name) else "file"
    return "made" if name.endswith(_COMPILED) and _any_at(root, _BUILDERS) else "file"


def _is_dependency(full: str, place: str, name: str) -> bool:
    if name in _LENT or os.path.isfile(f"{full}/{ENVIRONMENT_FILE}"):  # noqa: PTH113
        return True
    return _any_at(place, _LENT_BY.get(name, ()))


def _any_at(place: str, wanted: tuple[str, ...]) -> bool:
    return any(os.path.isfile(f"{place}/{name}") for name in wanted)  # noqa: PTH113


def _has_source(place: str, name: str) -> bool:
    """Compiled Python is as good as its source where that is there: the exam compiles anew."""
    if not place.endswith(f"/{_BYTECODE}"):
        return os.path.isfile(f"{place}/{name[:-1]}")  # noqa: PTH113
    stem = name.partition(".")[0]
    return os.path.isfile(f"{place[: -len(_BYTECODE)]}{stem}.py")  # noqa: PTH113


def began_ns(repository: Repository, commit: str) -> int:
    """When the base commit was made, by the clock of the disk that the files lie on; 0 where none is."""
    if not commit:
        return 0
    try:
        facts = (repository.objects / commit[:2] / commit[2:]).lstat()
        if stat.S_ISREG(facts.st_mode):
            return facts.st_mtime_ns
    except OSError:
        pass  # packed: only what the commit says is left
    ran = repository.git().attempt("show", "-s", "--format=%ct", "--end-of-options", commit)
    said = ran.out.strip()
    return (int(said) + 1) * _SECOND if ran.exit == 0 and said.isdigit() else 0
