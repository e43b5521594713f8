"""Lint of Python: every linter that the project configures; with none, ruff's own small set, as advice."""

from collections.abc import Callable

from donewhen.verify.quality.gates.lines import line_reader
from donewhen.verify.quality.gates.parts import Part, Run, about, cache, grouped, sources
from donewhen.verify.quality.gates.project import Project
from donewhen.verify.quality.gates.ruff_asks import by_itself, ruff_flags
from donewhen.verify.quality.gates.ruff_config import ruff_file
from donewhen.verify.quality.model import Missing, Scope
from donewhen.verify.quality.reading import ruff
from donewhen.verify.quality.tools import find

_GATE = "lint"
_FLAKE8 = "%(path)s:%(row)d:%(col)d: %(code)s %(text)s"
_PYLINT = "{path}:{line}:{column}: {msg_id} ({symbol}) {msg}"
_PYLINT_ENDS = frozenset(range(0, 32, 2))  # sums of what it found; 1 is that it failed, 32 a usage error


def python_lint(scope: Scope, project: Project) -> list[Part]:
    files = sources(scope, "python")
    if not files:
        return []
    groups = grouped(files, lambda path: ruff_file(project, path))
    own = [path for config, names in groups.items() if config for path in names]
    parts = [_ruff(scope, project, own, configured=True)] if own else []
    parts += [ask(scope, files) for is_used, ask in _OTHERS if is_used(project)]
    return parts or [_ruff(scope, project, list(files), configured=False)]


def _ruff(scope: Scope, project: Project, files: list[str], configured: bool) -> Part:
    tool = find("ruff", scope, "lint")
    if isinstance(tool, Missing):
        return Part(missing=(tool,), configured=configured)
    flags = (*ruff_flags(scope, _GATE), *(() if configured else by_itself(project, tool)))
    return Part(about(Run(tool, flags, ruff.read), files), configured=configured)


def _flake8(scope: Scope, files: tuple[str, ...]) -> Part:
    tool = find("flake8", scope, "lint")
    if isinstance(tool, Missing):
        return Part(missing=(tool,), configured=True)
    flags = ("--format", _FLAKE8, "--tee")  # a file for its output must not keep it from us
    return Part(about(Run(tool, flags, line_reader("flake8")), files), configured=True)


def _pylint(scope: Scope, files: tuple[str, ...]) -> Part:
    tool = find("pylint", scope, "lint")
    if isinstance(tool, Missing):
        return Part(missing=(tool,), configured=True)
    flags = (
        "--output-format=text",
        f"--msg-template={_PYLINT}",
        "--score=n",
        "--reports=n",
        "--persistent=n",
    )
    home = cache(scope, _GATE, "pylint")
    run = Run(tool, flags, line_reader("pylint"), ok=_PYLINT_ENDS, env={"PYLINTHOME": home} if home else {})
    return Part(about(run, files), configured=True)


def _uses_flake8(project: Project) -> bool:
    return project.has(".flake8") or any("flake8" in project.data(name) for name in ("setup.cfg", "tox.ini"))


def _uses_pylint(project: Project) -> bool:
    if (
        project.has(".pylintrc")
        or project.has("pylintrc")
        or "pylint" in project.under("pyproject.toml", "tool")
    ):
        return True
    return any(section.lower().startswith("pylint") for section in project.data("setup.cfg"))


_OTHERS: tuple[tuple[Callable[[Project], bool], Callable[[Scope, tuple[str, ...]], Part]], ...] = (
    (_uses_flake8, _flake8),
    (_uses_pylint, _pylint),
)
