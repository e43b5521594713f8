"""Targets of make and just that the project wrote itself; only those that can be called without arguments.

A target that only calls the package's test script, or is called by it, is no exam of its own: it would be the
same one twice. One that brings an environment of its own (it installs, or calls what installs) fails in a
fresh copy or tests something else, so a language's own command stands before it where there is one.
"""

import re

from donewhen.core.lazy import lazy
from donewhen.project.folder import Folder
from donewhen.project.project import Detected, ProjectCommand, Role
from donewhen.project.recipes import JUSTFILES, MAKEFILES, just_recipes, make_targets, steps_behind

_ROLES: dict[Role, tuple[str, ...]] = {
    "test": ("test", "tests", "check"),
    "lint": ("lint",),
    "types": ("typecheck", "type-check", "types", "mypy"),
    "build": ("build",),
    "format": ("format-check", "fmt-check", "check-format"),
}
_SCRIPT = lazy(r"@?[ \t]*(?:npm|pnpm|yarn|bun run)(?:[ \t]+run)?[ \t]+test[ \t]*")
_OWN_ENVIRONMENT = lazy(
    r"(?<![\w./-])(?:pip3?|easy_install|conda|mamba|pipenv|poetry|pdm|hatch|uv|tox|nox|virtualenv|docker"
    r"|docker-compose|podman|vagrant|apt-get|brew)(?![\w-])|bin/activate|-m[ \t]+(?:pip|venv|virtualenv)\b"
    r"|\bsetup\.py[ \t]+(?:develop|install)\b|(?:^|[\s@])~?/\S{1,100}/python[\d.]*(?=\s)"
)
_MOST = 500


def make(root: Folder) -> Detected:
    file = root.first(*MAKEFILES)
    return _found(root, file, "make", make_targets(root, file)) if file else Detected()


def just(root: Folder) -> Detected:
    file = root.first(*JUSTFILES)
    return _found(root, file, "just", just_recipes(root, file)) if file else Detected()


def _found(root: Folder, file: str, program: str, targets: list[str]) -> Detected:
    commands = []
    for role, names in _ROLES.items():
        name = next((name for name in names if name in targets), "")
        if name and not (role == "test" and _stands_back(root, program, name)):
            commands.append(ProjectCommand(role, f"{program} {name}", f"{file} {name}", written=True))
    return Detected((), tuple(commands), tuple(targets[:_MOST]), (file,))


def _stands_back(root: Folder, program: str, target: str) -> bool:
    """Whether another command of the project is the better exam, or the same one."""
    from donewhen.project.python import python

    if _is_the_script(root, program, target):
        return True
    return brings_environment(root, program, target) and any(c.role == "test" for c in python(root).commands)


def brings_environment(root: Folder, program: str, target: str) -> bool:
    """Whether the recipe of `target`, or of something it depends on, prepares what it runs in."""
    steps = steps_behind((program, target), "", root) or ()
    return any(_OWN_ENVIRONMENT.search(step.text) for step in steps)


def _is_the_script(root: Folder, program: str, target: str) -> bool:
    """Whether the target and the test script of package.json are one and the same."""
    script = root.json("package.json").get("scripts")
    if not isinstance(script, dict):
        return False
    if script.get("test") == f"{program} {target}":
        return True
    steps = steps_behind((program, target), "", root) or ()
    own = [step.text for step in steps if re.search(rf" {re.escape(target)}$", step.source)]
    return bool(own) and all(_SCRIPT.fullmatch(text) for text in own)
