"""The languages beside Python and JavaScript: what fetches dependencies, and how one sees that.

A table. Steps run with the network, the exam without; what is fetched lands in the project's folder or in
the tool's cache in the user's home. A step that only warms a cache is optional: the cache may be warm.
"""

import re
from collections.abc import Callable, Mapping
from typing import NamedTuple

from donewhen.core.lazy import lazy
from donewhen.project.folder import Folder
from donewhen.workspace.setup.model import Step
from donewhen.workspace.setup.others_caches import (
    crates_are_cached,
    gems_are_installed,
    go_is_cached,
    go_modules,
)

_CRATES = lazy(r"^\[(?:[^\]\n]{1,200}\.)?(?:dev-|build-)?dependencies[.\]]", re.MULTILINE)
_MIX = lazy(r"\{[ \t\n]*:\w+[ \t\n]*,")
_PLATFORM = lazy(r"php(?:-\w+)?|(?:ext|lib|composer)-.*|hhvm")
PROJECTS = ("*.csproj", "*.fsproj", "*.vbproj")  # of .NET
_ONLINE = {"CARGO_NET_OFFLINE": "false"}
_NO_SUCH_TEST = (
    "-Dtest=*#noSuchTestForSure",
    "-DfailIfNoTests=false",
    "-Dsurefire.failIfNoSpecifiedTests=false",
)


class Kind(NamedTuple):
    """How one language is prepared. The functions look at files only."""

    language: str
    manifests: tuple[str, ...]
    steps: Callable[[Folder], tuple[Step, ...]]  # none: nothing to fetch
    there: Callable[[Folder, Mapping[str, str]], str]  # how one sees that it was fetched; "" when it was not
    locks: tuple[str, ...] = ()
    provides: tuple[str, ...] = ()  # a lock among them only where the project keeps none
    path: tuple[str, ...] = ()
    env: Mapping[str, str] = {}
    bound: bool = False  # what is filled holds the path of the folder
    nested: tuple[str, ...] = ()  # manifests of the parts of a project, which count like its own


def _one(
    *argv: str, source: str, optional: bool = False, env: Mapping[str, str] | None = None
) -> tuple[Step]:
    return (Step(argv, source, optional, (), env or {}),)


def _go(folder: Folder) -> tuple[Step, ...]:
    if folder.has("vendor/modules.txt"):
        return ()
    work = folder.first("go.work")
    return _one("go", "mod", "download", source=work or "go.mod") if work or go_modules(folder) else ()


def _go_there(folder: Folder, env: Mapping[str, str]) -> str:
    return "go.mod" if not folder.has("go.work") and go_is_cached(folder, env) else ""


def _rust(folder: Folder) -> tuple[Step, ...]:
    text = folder.text("Cargo.toml")
    if folder.has("vendor") and "vendored-sources" in folder.text(".cargo/config.toml"):
        return ()
    if not _CRATES.search(text) and "[workspace" not in text:
        return ()
    lock = folder.first("Cargo.lock")
    fetch = ("cargo", "fetch", "--locked") if lock else ("cargo", "fetch")
    return (Step(fetch, lock or "Cargo.toml", False, (("cargo", "fetch"),) if lock else (), _ONLINE),)


def _rust_there(folder: Folder, env: Mapping[str, str]) -> str:
    return "Cargo.lock" if crates_are_cached(folder, env) else ""


def _java(folder: Folder) -> tuple[Step, ...]:
    """Compiling is what fetches; a test that doesn't exist makes Maven fetch its test runner too."""
    if folder.has("pom.xml"):
        maven = "./mvnw" if folder.has("mvnw") else "mvn"
        return _one(maven, "-B", "-q", *_NO_SUCH_TEST, "test", source="pom.xml", optional=True)
    gradle = "./gradlew" if folder.has("gradlew") else "gradle"
    source = folder.first("build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts")
    return _one(gradle, "--no-daemon", "-q", "testClasses", source=source, optional=True)


def _java_there(folder: Folder, env: Mapping[str, str]) -> str:
    """A project that was built here has filled the caches."""
    return folder.first("target", "build", ".gradle")


def _ruby(folder: Folder) -> tuple[Step, ...]:
    lock = folder.first("Gemfile.lock")
    return _one("bundle", "install", source=lock or "Gemfile", env={"BUNDLE_FROZEN": "true"} if lock else {})


def _ruby_there(folder: Folder, env: Mapping[str, str]) -> str:
    return folder.first("vendor/bundle") or ("gems" if gems_are_installed(folder, env) else "")


def _php(folder: Folder) -> tuple[Step, ...]:
    data = folder.json("composer.json")
    groups = (data.get(key) for key in ("require", "require-dev"))
    names = [name for group in groups if isinstance(group, dict) for name in group]
    if all(_PLATFORM.fullmatch(name) for name in names) and "autoload" not in data:
        return ()
    argv = ("composer", "install", "--no-interaction", "--no-progress")
    return _one(*argv, source=folder.first("composer.lock") or "composer.json")


def _dotnet(folder: Folder) -> tuple[Step, ...]:
    roots = dotnet_projects(folder, 0)
    solutions = [*folder.files("*.sln"), *folder.files("*.slnx")]
    if not roots and not solutions:
        return ()
    first = (solutions or roots)[0]
    return _one("dotnet", "restore", first, source=first)


def _dotnet_there(folder: Folder, env: Mapping[str, str]) -> str:
    projects = [project.rpartition("/")[0] for project in dotnet_projects(folder)]
    done = all(folder.has(f"{place}/obj/project.assets.json".lstrip("/")) for place in projects)
    return "obj/project.assets.json" if projects and done else ""


def dotnet_projects(folder: Folder, depth: int = 3) -> list[str]:
    return [path for ending in PROJECTS for path in folder.files(ending, depth)]


def _elixir(folder: Folder) -> tuple[Step, ...]:
    if not _MIX.search(folder.text("mix.exs")):
        return ()
    source = folder.first("mix.lock") or "mix.exs"
    return (
        *_one("mix", "local.hex", "--force", "--if-missing", source="mix.exs", optional=True),
        *_one("mix", "local.rebar", "--force", "--if-missing", source="mix.exs", optional=True),
        *_one("mix", "deps.get", source=source),
    )


def _dart(folder: Folder) -> tuple[Step, ...]:
    tool = "flutter" if "sdk: flutter" in folder.text("pubspec.yaml") else "dart"
    return _one(tool, "pub", "get", source=folder.first("pubspec.lock") or "pubspec.yaml")


def _swift(folder: Folder) -> tuple[Step, ...]:
    if ".package(" not in folder.text("Package.swift"):
        return ()
    return _one("swift", "package", "resolve", source=folder.first("Package.resolved") or "Package.swift")


def _haskell(folder: Folder) -> tuple[Step, ...]:
    if folder.has("stack.yaml"):
        return _one("stack", "build", "--test", "--only-dependencies", source="stack.yaml")
    return _one("cabal", "build", "all", "--enable-tests", "--only-dependencies", source="cabal.project")


def _zig(folder: Folder) -> tuple[Step, ...]:
    return _one("zig", "build", "--fetch", source="build.zig.zon") if folder.has("build.zig.zon") else ()


def _seen(*paths: str) -> Callable[[Folder, Mapping[str, str]], str]:
    """At hand when one of these was left by the tool."""
    return lambda folder, env: folder.first(*paths)


def _always(*argv: str, source: str, optional: bool = False) -> Callable[[Folder], tuple[Step, ...]]:
    return lambda folder: _one(*argv, source=source, optional=optional)


KINDS = (
    Kind("go", ("go.work", "go.mod"), _go, _go_there, ("go.sum", "go.work.sum"), nested=("go.mod", "go.sum")),
    Kind(
        "rust",
        ("Cargo.toml",),
        _rust,
        _rust_there,
        ("Cargo.lock",),
        ("Cargo.lock",),
        env={"CARGO_NET_OFFLINE": "true"},  # without it cargo asks the registry before it looks at its cache
        nested=("Cargo.toml",),
    ),
    Kind(
        "java",
        ("pom.xml", "build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts"),
        _java,
        _java_there,
        ("gradle.lockfile", "gradle/libs.versions.toml", "gradle.properties"),
        nested=("pom.xml", "build.gradle", "build.gradle.kts"),
    ),
    Kind(
        "ruby",
        ("Gemfile",),
        _ruby,
        _ruby_there,
        ("Gemfile.lock", ".ruby-version"),
        ("vendor/bundle", "Gemfile.lock"),
        env={"BUNDLE_PATH": "vendor/bundle"},
    ),
    Kind(
        "php",
        ("composer.json",),
        _php,
        _seen("vendor/autoload.php"),
        ("composer.lock",),
        ("vendor", "composer.lock"),
        ("vendor/bin",),
    ),
    Kind(
        "dotnet",
        (),
        _dotnet,
        _dotnet_there,
        ("global.json", "nuget.config", "NuGet.Config", "Directory.Packages.props", "Directory.Build.props"),
        env={"DOTNET_CLI_TELEMETRY_OPTOUT": "1", "DOTNET_NOLOGO": "1"},
        nested=PROJECTS,
    ),
    Kind("elixir", ("mix.exs",), _elixir, _seen("deps"), ("mix.lock",), ("deps", "mix.lock")),
    Kind(
        "dart",
        ("pubspec.yaml",),
        _dart,
        _seen(".dart_tool/package_config.json"),
        ("pubspec.lock",),
        (".dart_tool", "pubspec.lock"),
    ),
    Kind(
        "deno",
        ("deno.json", "deno.jsonc"),
        _always("deno", "install", source="deno.json", optional=True),
        _seen("node_modules", "vendor", "deno.lock"),
        ("deno.lock",),
    ),
    Kind(
        "swift", ("Package.swift",), _swift, _seen(".build"), ("Package.resolved",), (".build",), bound=True
    ),
    Kind(
        "scala",
        ("build.sbt",),
        _always("sbt", "-batch", "Test/update", source="build.sbt", optional=True),
        _seen("target", "project/target"),
        ("project/build.properties", "project/plugins.sbt"),
    ),
    Kind(
        "haskell",
        ("stack.yaml", "cabal.project"),
        _haskell,
        _seen(".stack-work", "dist-newstyle"),
        ("stack.yaml.lock",),
    ),
    Kind("zig", ("build.zig",), _zig, _seen(".zig-cache", "zig-cache"), ("build.zig.zon",)),
)
