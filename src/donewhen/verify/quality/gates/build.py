"""The gate `build`: the command that a project itself calls its build; how it ends is all that it says.

A build writes where it likes, so it belongs into a room of its own. What it prints is read by nobody here.
"""

import re

from donewhen.core.quality.model import Violation
from donewhen.core.texts import Phrase
from donewhen.verify.quality.gates.parts import Part, Run, planned, whole
from donewhen.verify.quality.gates.project import Project
from donewhen.verify.quality.model import Missing, Planned, Scope
from donewhen.verify.quality.tools import find

_MANAGERS = (
    ("pnpm-lock.yaml", "pnpm"),
    ("yarn.lock", "yarn"),
    ("bun.lock", "bun"),
    ("bun.lockb", "bun"),
)
_NAMED = ("npm", "pnpm", "yarn", "bun")
_MAKEFILES = ("GNUmakefile", "makefile", "Makefile")
_TARGET = re.compile(r"^build[ \t]*::?(?!=)", re.MULTILINE)
_ENDED = frozenset(range(126))  # above: it was not found, not started or killed


class Build:
    name = "build"

    def plan(self, scope: Scope) -> Planned:
        project = Project(scope.root)
        words = _script(project) or _target(project)
        return planned([_part(scope, words)] if words else [], Phrase("gates.no_build"))


def _part(scope: Scope, words: tuple[str, ...]) -> Part:
    tool = find(words[0], scope, "build")
    if isinstance(tool, Missing):
        return Part(missing=(tool,), configured=True)
    run = Run(tool, words[1:], _says_nothing, ok=_ENDED, stream="both")
    return Part((whole(run, len(scope.files)),), configured=True)


def _script(project: Project) -> tuple[str, ...]:
    script = project.under("package.json", "scripts").get("build")
    if not isinstance(script, str) or not script.strip():
        return ()
    told = project.data("package.json").get("packageManager")
    named = told.partition("@")[0] if isinstance(told, str) else ""
    locked = next((manager for lock, manager in _MANAGERS if project.has(lock)), "npm")
    return (named if named in _NAMED else locked, "run", "build")


def _target(project: Project) -> tuple[str, ...]:
    file = project.first("", _MAKEFILES)
    return ("make", "build") if file and _TARGET.search(project.files.text(file)) else ()


def _says_nothing(text: str, folder: str) -> tuple[Violation, ...]:
    return ()
