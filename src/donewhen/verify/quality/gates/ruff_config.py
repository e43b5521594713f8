"""What a project's ruff configuration says, as far as the security rules need it.

Our `--select S` on the command line outranks a project's list of ignored rules, so that list is read here and
passed along. Rules for single files (`per-file-ignores`) stay in force by themselves.
"""

import posixpath
import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from donewhen.verify.quality.gates.project import Project, join, upward, words

_FILES = (".ruff.toml", "ruff.toml", "pyproject.toml")
_SECURITY = re.compile(r"S\d{0,4}")
_LONGEST_CHAIN = 5  # of files that extend each other


class RuffConfig(NamedTuple):
    file: str  # from the root; empty: there is none
    selected: tuple[str, ...] = ()  # security rules that the project turns on itself
    ignored: tuple[str, ...] = ()  # security rules that it turns off


def ruff_file(project: Project, path: str) -> str:
    """The configuration that ruff would take for a file; empty when there is none inside of the tree."""
    for folder in upward(path):
        for name in _FILES:
            file = join(folder, name)
            if name != "pyproject.toml" and project.has(file):
                return file
            if name == "pyproject.toml" and "ruff" in project.under(file, "tool"):
                return file
    return ""


def ruff_config(project: Project, file: str) -> RuffConfig:
    selected: list[str] = []
    ignored: list[str] = []
    at = file
    for _ in range(_LONGEST_CHAIN):
        top = _top(project, at)
        for table in (top, top.get("lint", {})):
            if isinstance(table, Mapping):
                selected += words(table.get("select")) + words(table.get("extend-select"))
                ignored += words(table.get("ignore")) + words(table.get("extend-ignore"))
        more = top.get("extend")
        if not isinstance(more, str) or not more:
            break
        at = posixpath.normpath(join(at.rpartition("/")[0], more))
    chosen = ("S",) if "ALL" in selected else _security(selected)
    return RuffConfig(file, chosen, _security(ignored))


def _top(project: Project, file: str) -> Mapping[str, Any]:
    return project.under(file, "tool", "ruff") if file.endswith("pyproject.toml") else project.data(file)


def _security(rules: list[str]) -> tuple[str, ...]:
    return tuple(sorted({rule for rule in rules if _SECURITY.fullmatch(rule)}))
