"""How ruff is asked, for lint and for security: it never mends, and it keeps nothing in the tree."""

import re

from donewhen.verify.quality.gates.parts import cache
from donewhen.verify.quality.gates.project import Project
from donewhen.verify.quality.gates.versions import at_least
from donewhen.verify.quality.model import Scope, Tool

_LOWEST = re.compile(r">=\s{0,5}3\.(\d{1,2})")
_NEWEST = (("0.14", "py314"), ("0.8", "py313"), ("0.1", "py312"))  # what each version has heard of


def ruff_flags(scope: Scope, gate: str) -> tuple[str, ...]:
    """What it finds, only its output tells: a reader may drop all of it. Its exit is for its own trouble."""
    kept = cache(scope, gate, "ruff")
    keeping = ("--cache-dir", kept) if kept else ("--no-cache",)
    form = ("--exit-zero", "--output-format", "json", "--no-fix", "--no-fix-only", "--force-exclude")
    return ("check", *form, *keeping)


def by_itself(project: Project, tool: Tool) -> tuple[str, ...]:
    """For a project without a configuration: nobody else's counts, and the syntax of its own Python does."""
    told = project.under("pyproject.toml", "project").get("requires-python")
    lowest = _LOWEST.search(told[:200]) if isinstance(told, str) else None
    if lowest and 7 <= int(lowest[1]) <= 14:
        return ("--isolated", "--target-version", f"py3{lowest[1]}")
    newest = next((name for least, name in _NEWEST if at_least(tool.version, least)), "")
    return ("--isolated", "--target-version", newest) if newest else ("--isolated",)
