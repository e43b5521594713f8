"""Lint of JavaScript and TypeScript: eslint, where the project has a configuration for it.

Flat configurations count from the nearest one, the older kind from the outermost: its plugins are looked for
in the folder that eslint is started in.
"""

from donewhen.verify.quality.gates.parts import Part, Run, about, grouped, sources
from donewhen.verify.quality.gates.project import Project, join, upward
from donewhen.verify.quality.gates.versions import at_least
from donewhen.verify.quality.model import Missing, Scope
from donewhen.verify.quality.reading import eslint
from donewhen.verify.quality.tools import find

_FLAT = tuple(f"eslint.config.{ending}" for ending in ("js", "mjs", "cjs", "ts", "mts", "cts"))
_OLD = (".eslintrc", *(f".eslintrc.{ending}" for ending in ("js", "cjs", "yaml", "yml", "json")))
_FLAT_ALWAYS = "9.0"  # before, a flat configuration was one of two ways


def javascript_lint(scope: Scope, project: Project) -> list[Part]:
    files = sources(scope, "javascript", "typescript", "vue")
    flat = grouped(files, lambda path: _nearest_flat(project, path))
    placed = {path for names in flat.values() for path in names}
    rest = [path for path in files if path not in placed]
    old = grouped(rest, lambda path: _outermost_old(project, path))
    parts = [_eslint(scope, folder, names, is_flat=True) for folder, names in flat.items()]
    return parts + [_eslint(scope, folder, names, is_flat=False) for folder, names in old.items()]


def _eslint(scope: Scope, folder: str, files: list[str], is_flat: bool) -> Part:
    tool = find("eslint", scope, "lint", folder)
    if isinstance(tool, Missing):
        return Part(missing=(tool,), configured=True)
    flags = ["--format", "json", "--no-error-on-unmatched-pattern"]
    sure = at_least(tool.version, _FLAT_ALWAYS)
    if is_flat and sure:
        flags.append("--no-warn-ignored")  # of the old kind eslint refuses the flag
    env = {} if sure == is_flat or not tool.version else {"ESLINT_USE_FLAT_CONFIG": str(is_flat).lower()}
    return Part(about(Run(tool, tuple(flags), eslint.read, folder, env=env), files), configured=True)


def _nearest_flat(project: Project, path: str) -> str | None:
    return next((folder for folder in upward(path) if project.first(folder, _FLAT)), None)


def _outermost_old(project: Project, path: str) -> str | None:
    found = [folder for folder in upward(path) if _has_old(project, folder)]
    return found[-1] if found else None


def _has_old(project: Project, folder: str) -> bool:
    package = project.data(join(folder, "package.json"))
    return bool(project.first(folder, _OLD)) or "eslintConfig" in package
