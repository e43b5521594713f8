"""Security of Python: ruff's S rules with the project's own exceptions, or bandit where it is configured."""

from donewhen.verify.quality.gates.parts import Part, Run, about, grouped, sources
from donewhen.verify.quality.gates.project import Project
from donewhen.verify.quality.gates.ruff_asks import by_itself, ruff_flags
from donewhen.verify.quality.gates.ruff_config import ruff_config, ruff_file
from donewhen.verify.quality.gates.security_levels import levelled
from donewhen.verify.quality.model import Missing, Scope, Tool
from donewhen.verify.quality.reading import bandit, ruff
from donewhen.verify.quality.tools import find

_GATE = "security"
_BANDIT_FILES = ("bandit.yaml", "bandit.yml", ".bandit.yml", ".bandit.yaml")


def python_security(scope: Scope, project: Project) -> list[Part]:
    files = sources(scope, "python")
    if not files:
        return []
    settings = _bandit_settings(project)
    if settings:
        return [_bandit(scope, settings, files)]
    tool = find("ruff", scope, "security")
    if isinstance(tool, Missing):
        return [Part(missing=(tool,))]
    groups = grouped(files, lambda path: ruff_file(project, path))
    return [_ruff(scope, project, tool, config, names) for config, names in groups.items()]


def _ruff(scope: Scope, project: Project, tool: Tool, file: str, names: list[str]) -> Part:
    config = ruff_config(project, file)
    chosen = bool(config.selected)
    flags = (
        *ruff_flags(scope, _GATE),
        "--select",
        ",".join(config.selected or ("S",)),
        *(("--ignore", ",".join(config.ignored)) if config.ignored else ()),
        *(() if file else by_itself(project, tool)),
    )
    return Part(about(Run(tool, flags, levelled(ruff.read, chosen)), names), configured=chosen)


def _bandit_settings(project: Project) -> tuple[str, ...]:
    if "bandit" in project.under("pyproject.toml", "tool"):
        return ("-c", "pyproject.toml")
    if project.has(".bandit"):
        return ("--ini", ".bandit")
    file = project.first("", _BANDIT_FILES)
    return ("-c", file) if file else ()


def _bandit(scope: Scope, settings: tuple[str, ...], files: tuple[str, ...]) -> Part:
    tool = find("bandit", scope, "security")
    if isinstance(tool, Missing):
        return Part(missing=(tool,), configured=True)
    flags = ("-f", "json", "-q", *settings)
    return Part(about(Run(tool, flags, bandit.read), files), configured=True)
