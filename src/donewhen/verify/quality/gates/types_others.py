"""Types of Go and Rust: what their own toolchains say of the module or package that a changed file is in."""

from types import MappingProxyType

from donewhen.core.quality.scoping import in_languages
from donewhen.verify.quality.gates.parts import Part, Run, cache, grouped, whole
from donewhen.verify.quality.gates.project import Project, join, upward
from donewhen.verify.quality.model import Missing, Scope
from donewhen.verify.quality.reading import cargo, govet
from donewhen.verify.quality.tools import find

_CARGO_ENDS = frozenset((0, 101))


def go_types(scope: Scope, project: Project) -> list[Part]:
    modules = homes(scope, project, "go", "go.mod")
    return [_go(scope, folder, len(files)) for folder, files in modules.items()]


def rust_types(scope: Scope, project: Project) -> list[Part]:
    packages = homes(scope, project, "rust", "Cargo.toml")
    return [_rust(scope, project, folder, len(files)) for folder, files in packages.items()]


def homes(scope: Scope, project: Project, language: str, mark: str) -> dict[str, list[str]]:
    """The changed files of a language by the nearest folder that holds `mark`."""
    return grouped(
        in_languages(scope.files, language, fresh=scope.fresh),
        lambda path: next((each for each in upward(path) if project.has(join(each, mark))), None),
    )


def go_env(scope: Scope, gate: str) -> MappingProxyType[str, str]:
    kept = cache(scope, gate, "go-build")
    return MappingProxyType({"GOCACHE": kept} if kept else {})


def cargo_env(scope: Scope, gate: str) -> MappingProxyType[str, str]:
    kept = cache(scope, gate, "cargo")
    return MappingProxyType({"CARGO_TARGET_DIR": kept, "CARGO_TERM_COLOR": "never"} if kept else {})


def locked(project: Project, folder: str) -> tuple[str, ...]:
    """With a lock file, cargo must not write another one."""
    return (
        ("--locked",) if any(project.has(join(each, "Cargo.lock")) for each in upward(f"{folder}/-")) else ()
    )


def _go(scope: Scope, folder: str, files: int) -> Part:
    tool = find("go", scope, "types")
    if isinstance(tool, Missing):
        return Part(missing=(tool,))
    run = Run(tool, ("vet", "./..."), govet.read, folder, stream="both", env=go_env(scope, "types"))
    return Part((whole(run, files),))


def _rust(scope: Scope, project: Project, folder: str, files: int) -> Part:
    tool = find("cargo", scope, "types")
    if isinstance(tool, Missing):
        return Part(missing=(tool,))
    flags = ("check", "--all-targets", "--message-format", "json", *locked(project, folder))
    run = Run(tool, flags, cargo.read, folder, _CARGO_ENDS, env=cargo_env(scope, "types"))
    return Part((whole(run, files),))
