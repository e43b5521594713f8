"""JavaScript and TypeScript projects: the scripts of package.json, run by the manager of their lock file.

A script that only prints, or that watches for ever, is no exam and gives a note instead.
"""

import json
import re
from typing import Any

from donewhen.core.texts import Phrase
from donewhen.intake.project import Finding, ProjectCommand, Role, Root

MANIFEST = "package.json"
_LOCKS = {
    "pnpm-lock.yaml": "pnpm",
    "yarn.lock": "yarn",
    "bun.lock": "bun",
    "bun.lockb": "bun",
    "package-lock.json": "npm",
    "npm-shrinkwrap.json": "npm",
}
_MANAGERS = ("npm", "pnpm", "yarn", "bun")
_NAMES: dict[Role, tuple[str, ...]] = {
    "test": ("test", "test:ci", "test:run", "test:unit", "tests", "unit"),
    "lint": ("lint", "lint:check", "eslint"),
    "types": ("typecheck", "type-check", "check-types", "check:types", "types:check", "types", "tsc"),
    "build": ("build",),
    "format": ("format:check", "fmt:check", "check:format", "prettier:check", "format-check"),
}
_NOTHING = re.compile(r"(?:echo\b|printf\b|true\b|:(?=\s|$)|exit\b)", re.IGNORECASE)
_NO_TEST = re.compile(r"no tests? (?:specified|defined|configured|yet)", re.IGNORECASE)
_WATCH = re.compile(
    r"(?<!\S)(?:--watch(?:All)?|watch|nodemon|chokidar|ng\s+test|(?:mocha|ava)\s+-w)(?=[\s;&]|$)"
)
_NO_WATCH = re.compile(r"--watch(?:All)?=false|--no-watch|--single-run")
_HIDES = re.compile(r"\|\|\s*(?:true\b|:(?=\s|$)|exit\s+0\b|echo\b)|;\s*(?:true|exit\s+0)\s*$")
_ONCE = {"react-scripts test": "CI=true ", "craco test": "CI=true "}  # they watch unless told that this is CI


def node(root: Root) -> Finding:
    if MANIFEST not in root.names:
        return Finding()
    language = "typescript" if "tsconfig.json" in root.names else "javascript"
    try:
        data = json.loads(root.text(MANIFEST) or "null")
    except (ValueError, RecursionError):
        data = None
    if not isinstance(data, dict):
        return Finding((language,), notes=(Phrase("intake.manifest_broken", {"file": MANIFEST}),))
    manager = _manager(root, data)
    scripts = data.get("scripts")
    scripts = scripts if isinstance(scripts, dict) else {}
    found: list[ProjectCommand] = []
    notes: list[Phrase] = []
    for role, names in _NAMES.items():
        command, note = _of_role(role, names, scripts, manager)
        found += [command._replace(language=language)] if command else []
        notes += [note] if note and not command else []
    return Finding((language,), tuple(found), sources=(MANIFEST,), notes=tuple(notes))


def _manager(root: Root, data: dict[str, Any]) -> str:
    wanted = data.get("packageManager")
    if isinstance(wanted, str) and wanted.partition("@")[0] in _MANAGERS:
        return wanted.partition("@")[0]
    lock = root.first(*_LOCKS)
    return _LOCKS[lock] if lock else "npm"


def _of_role(
    role: Role, names: tuple[str, ...], scripts: dict[str, Any], manager: str
) -> tuple[ProjectCommand | None, Phrase | None]:
    """The first script of that role that can fail and ends; else why none counts."""
    note = None
    for name in names:
        script = scripts.get(name)
        if not isinstance(script, str):
            continue
        source = f"{MANIFEST} scripts.{name}"
        trouble = _trouble(script)
        if trouble:
            note = note or Phrase(trouble, {"source": source})
            continue
        prefix = next((value for text, value in _ONCE.items() if text in script), "")
        return ProjectCommand(role, prefix + _line(manager, name), source, written=True), None
    return None, note if role == "test" else None


def _trouble(script: str) -> str:
    """Why a script is no exam; empty when it may be one."""
    script = " ".join(script[:4000].split())
    parts = [part.strip() for part in re.split(r"&&|;|\|\|", script)]
    if _NO_TEST.search(script) or all(not part or _NOTHING.match(part) for part in parts):
        return "intake.script_proves_nothing"
    if _WATCH.search(script) and not _NO_WATCH.search(script):
        return "intake.script_never_ends"
    return "intake.script_cannot_fail" if _HIDES.search(script) else ""


def _line(manager: str, name: str) -> str:
    if name == "test" and manager != "bun":  # `bun test` is bun's own runner, not the script
        return f"{manager} test"
    return f"{manager} run {name}"
