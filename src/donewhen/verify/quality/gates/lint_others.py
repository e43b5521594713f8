"""Lint of Go and Rust: golangci-lint and clippy, where the project configures them."""

from types import MappingProxyType

from donewhen.verify.quality.gates.parts import Part, Run, cache, present, whole
from donewhen.verify.quality.gates.project import Project, join, upward
from donewhen.verify.quality.gates.types_others import cargo_env, go_env, homes, locked
from donewhen.verify.quality.model import Missing, Scope
from donewhen.verify.quality.reading import cargo, golangci
from donewhen.verify.quality.tools import find

_GATE = "lint"
_GOLANGCI = tuple(f".golangci.{ending}" for ending in ("yml", "yaml", "toml", "json"))
_CLIPPY = ("clippy.toml", ".clippy.toml")
_CARGO_ENDS = frozenset((0, 101))
_SECOND = ('version: "2"', "version: '2'", "version: 2", 'version = "2"', '"version": "2"')


def go_lint(scope: Scope, project: Project) -> list[Part]:
    parts: list[Part] = []
    for folder, files in homes(scope, project, "go", "go.mod").items():
        config = _above(project, folder, _GOLANGCI)
        if config:
            there = present(scope, files)
            parts += [_golangci(scope, project, folder, config, there)] if there else []
    return parts


def rust_lint(scope: Scope, project: Project) -> list[Part]:
    packages = homes(scope, project, "rust", "Cargo.toml")
    return [
        _clippy(scope, project, folder, len(files))
        for folder, files in packages.items()
        if _above(project, folder, _CLIPPY) or _lints(project, folder)
    ]


def _golangci(scope: Scope, project: Project, folder: str, config: str, files: tuple[str, ...]) -> Part:
    tool = find("golangci-lint", scope, "lint")
    if isinstance(tool, Missing):
        return Part(missing=(tool,), configured=True)
    is_second = any(mark in project.files.text(config) for mark in _SECOND)
    form = ("--output.json.path", "stdout", "--show-stats=false") if is_second else ("--out-format", "json")
    start = f"{folder}/" if folder else ""
    packages = sorted({path.removeprefix(start).rpartition("/")[0] for path in files})
    names = tuple(f"./{package}" if package else "." for package in packages)
    kept = cache(scope, _GATE, "golangci")
    env = {**go_env(scope, _GATE), **({"GOLANGCI_LINT_CACHE": kept} if kept else {})}
    flags = ("run", *form, "--issues-exit-code", "1", "--allow-parallel-runners", *names)
    run = Run(tool, flags, golangci.read, folder, env=MappingProxyType(env))
    return Part((whole(run, len(files)),), configured=True)


def _clippy(scope: Scope, project: Project, folder: str, files: int) -> Part:
    part = find("cargo-clippy", scope, "lint")
    tool = find("cargo", scope, "lint") if not isinstance(part, Missing) else part
    if isinstance(tool, Missing):
        return Part(missing=(tool,), configured=True)
    flags = ("clippy", "--all-targets", "--message-format", "json", *locked(project, folder))
    run = Run(tool, flags, cargo.read, folder, _CARGO_ENDS, env=cargo_env(scope, _GATE))
    return Part((whole(run, files),), configured=True)


def _above(project: Project, folder: str, names: tuple[str, ...]) -> str:
    """The nearest of these files, in the folder or above it."""
    return next((found for each in upward(join(folder, "-")) if (found := project.first(each, names))), "")


def _lints(project: Project, folder: str) -> bool:
    """`[lints.clippy]` of the package, or of the workspace that it takes its lints from."""
    if project.under(join(folder, "Cargo.toml"), "lints", "clippy"):
        return True
    inherits = project.under(join(folder, "Cargo.toml"), "lints").get("workspace") is True
    above = (join(each, "Cargo.toml") for each in upward(join(folder, "-")))
    return inherits and any(project.under(file, "workspace", "lints", "clippy") for file in above)
