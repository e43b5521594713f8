"""JavaScript and TypeScript projects: the scripts of package.json, run by the manager of their lock file.

A script that only prints, hides its failure or watches for ever is no exam and gives a note instead, also
when it stands behind another one.
"""

import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from donewhen.core.lazy import lazy
from donewhen.core.texts import Phrase
from donewhen.project.folder import Folder
from donewhen.project.node_choice import Ground, choose, is_lint
from donewhen.project.node_package import MANIFEST, node_manager
from donewhen.project.node_scripts import Script, script_tree
from donewhen.project.node_tests import bare_test, build_before, member_tests, usual_test
from donewhen.project.project import Detected, ProjectCommand, Role

_LONGEST = 4000
_NAMES: dict[Role, tuple[str, ...]] = {
    "test": (
        "test", "test:ci", "test:run", "test:all", "tests", "test:unit", "test-unit", "unit", "tests-only",
        "test:node", "specs", "spec", "vitest", "jest", "mocha",
    ),
    "lint": ("lint", "lint:check", "eslint"),
    "types": ("typecheck", "type-check", "check-types", "check:types", "types:check", "types", "tsc"),
    "build": ("build",),
    "format": ("format:check", "fmt:check", "check:format", "prettier:check", "format-check"),
}  # fmt: skip
_AS_GOOD = ("test:ci", "test:run", "test:all")  # may stand for a script `test` that can't fail
_NOTHING = lazy(r"(?:echo\b|printf\b|true\b|:(?=\s|$)|exit\b)", re.IGNORECASE)
_NO_TEST = lazy(r"no tests? (?:specified|defined|configured|yet)", re.IGNORECASE)
_WATCH = lazy(r"(?<!\S)(?:--watch(?:All)?|watch|nodemon|chokidar|ng\s+test|(?:mocha|ava)\s+-w)(?=[\s;&]|$)")
_NO_WATCH = lazy(r"--watch(?:All)?=false|--no-watch|--single-run")
_HIDES = lazy(r"\|\|\s*(?:true\b|:(?=\s|$)|exit\s+0\b|echo\b)|;\s*(?:true|exit\s+0)\s*$")
_ONCE = {"react-scripts test": "CI=true ", "craco test": "CI=true "}  # they watch unless told that this is CI


class _Package(NamedTuple):
    root: Folder
    data: dict[str, Any]
    scripts: dict[str, Any]
    manager: str


class _Found(NamedTuple):
    """What a role gives: commands with the place that asks for them, and why others don't count."""

    commands: tuple[tuple[str, str], ...] = ()
    notes: tuple[Phrase, ...] = ()
    placeholder: bool = False  # the script is what `npm init` writes


def node(root: Folder) -> Detected:
    if MANIFEST not in root.names:
        return _without_manifest(root)
    language = "typescript" if "tsconfig.json" in root.names else "javascript"
    try:
        data = json.loads(root.text(MANIFEST) or "null")
    except (ValueError, RecursionError):
        data = None
    if not isinstance(data, dict):
        return Detected((language,), notes=(Phrase("intake.manifest_broken", {"file": MANIFEST}),))
    scripts = data.get("scripts")
    package = _Package(root, data, scripts if isinstance(scripts, dict) else {}, node_manager(root)[0])
    commands: list[ProjectCommand] = []
    notes: list[Phrase] = []
    for role, names in _NAMES.items():
        found = _of_role(role, names, package)
        commands += (ProjectCommand(role, line, source, True, language) for line, source in found.commands)
        notes += found.notes if role == "test" else ()
        if role == "test" and not found.commands and (found.placeholder or not found.notes):
            instead = _without_script(package)
            commands += (command._replace(language=language) for command in instead)
            notes = notes if not instead else []
    return Detected((language,), tuple(commands), sources=(MANIFEST,), notes=tuple(notes))


def _without_manifest(root: Folder) -> Detected:
    usual = bare_test(root)
    if usual is None:
        return Detected()
    command = ProjectCommand("test", *usual, language="javascript")
    return Detected(("javascript",), (command,), sources=(usual[1],))


def _without_script(package: _Package) -> list[ProjectCommand]:
    """What tests a package that wrote no test script: its members, its runner or its test files."""
    members = [
        ProjectCommand("test", line, source, written=True)
        for line, source, scripts in member_tests(package.root, package.manager)
        if not _trouble(script_tree(scripts, "test"), scripts)[0]
    ]
    usual = None if members else usual_test(package.root, package.data, package.manager)
    return members or ([ProjectCommand("test", *usual)] if usual else [])


def _of_role(role: Role, names: tuple[str, ...], package: _Package) -> _Found:
    """The first script of that role that can fail and ends; else why none counts."""
    why: Phrase | None = None
    placeholder = False
    for name in names:
        script = package.scripts.get(name)
        if not isinstance(script, str):
            continue
        tree = script_tree(package.scripts, name)
        trouble, place = _trouble(tree, package.scripts)
        if not trouble:
            return _chosen(role, tree, package)
        why = why or Phrase(trouble, {"source": f"{MANIFEST} scripts.{place}"})
        placeholder = placeholder or bool(_NO_TEST.search(script[:_LONGEST]))
        if why.key == "intake.script_cannot_fail":
            names_left = [each for each in _AS_GOOD if each in package.scripts and role == "test"]
            found = _of_role(role, tuple(names_left), package) if name not in _AS_GOOD else _Found()
            return found if found.commands else _Found((), (why,))
    return _Found((), (why,) if why else (), placeholder)


def _chosen(role: Role, tree: Script, package: _Package) -> _Found:
    prefix = next((value for text, value in _ONCE.items() if text in package.scripts[tree.name]), "")
    whole, source = prefix + _line(package.manager, tree.name), f"{MANIFEST} scripts.{tree.name}"
    if role != "test":
        return _Found(((whole, source),))
    ships = package.data.get("dependencies")
    ground = Ground(package.root.names, frozenset(package.data), bool(ships))
    choice = choose(tree, package.manager, whole, ground)
    build = build_before(package.root, package.data, tree)
    first = ((f"{package.manager} run {build}", f"{MANIFEST} scripts.{build}"),) if build else ()
    return _Found((*first, *((command, source) for command in choice.commands)), choice.notes)


def _trouble(tree: Script, scripts: dict[str, Any]) -> tuple[str, str]:
    """Why a script is no exam and the script that is to blame; empty when it may be one."""
    steps = list(tree.steps())
    if _NO_TEST.search(scripts[tree.name][:_LONGEST]) or all(_is_nothing(step.text) for step in steps):
        return "intake.script_proves_nothing", tree.name
    for step in steps:
        if _WATCH.search(step.text) and not _NO_WATCH.search(step.text):
            return "intake.script_never_ends", step.script
    for name in dict.fromkeys(_bodies(tree)):
        text = " ".join(scripts[name][:_LONGEST].split())
        own = [step for step in steps if step.script == name]
        if _HIDES.search(text) and not (own and all(is_lint(step) for step in own)):
            return "intake.script_cannot_fail", name
    return "", ""


def _is_nothing(text: str) -> bool:
    parts = (part.strip() for part in re.split(r"&&|;|\|\|", text))
    return all(not part or _NOTHING.match(part) for part in parts)


def _bodies(tree: Script) -> Iterator[str]:
    """The scripts whose status is the status of the tree's own; those before and after it are none."""
    yield tree.name
    for part in tree.body:
        inner = part if isinstance(part, Script) else part.inner
        if inner:
            yield from _bodies(inner)


def _line(manager: str, name: str) -> str:
    if name == "test" and manager != "bun":  # `bun test` is bun's own runner, not the script
        return f"{manager} test"
    return f"{manager} run {name}"
