"""Does the project itself ask for coverage? Then the gate is required, whatever our own settings say.

Only a limit counts (`fail_under`, a threshold, a check rule), not that something is measured. Files are read
as text, comments aside; scripts that compute their settings are looked at for the words alone.
"""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from donewhen.verify.exam.files import small_text
from donewhen.verify.quality.coverage.settings import settings_of

_SAYING = (
    "pyproject.toml pytest.ini .pytest.ini pytest.toml setup.cfg tox.ini tox.toml noxfile.py Makefile "
    "makefile GNUmakefile justfile Justfile Taskfile.yml package.json"
).split()
_SCRIPTS = ("js", "ts", "mjs", "cjs", "mts", "cts", "json")
_COMMENT = re.compile(r"^[ \t]{0,200}(?:#|;|//).*$", re.MULTILINE)
_UNDER = re.compile(r"--(?:cov-)?fail[-_]under[= \"',]{1,5}(\d{1,3}(?:\.\d{1,6})?)")
_CHECKED = re.compile(r"\b(?:c8|nyc)\b[^\n]{0,400}--check-coverage(?!=false)|\bc8\b[^\n]{0,400}--100\b")
_JEST = re.compile(r"\bcoverageThreshold\b")
_VITEST = re.compile(r"\bcoverage\b(?s:.{0,4000}?)\bthresholds?\b")
_RC_CHECK = re.compile(r"[\"']?check-coverage[\"']?\s{0,20}:\s{0,20}true")
_MAVEN_CHECK = re.compile(r"jacoco-maven-plugin(?s:.{0,20000}?)<goal>\s{0,20}check\s{0,20}</goal>")
_GRADLE_RULES = re.compile(r"\bviolationRules\b")


def configured(root: Path) -> bool:
    """Whether the project sets itself a limit for coverage."""
    return any(asks(root) for asks in _ASKS)


def _python(root: Path) -> bool:
    return settings_of(root).fail_under > 0


def _commands(root: Path) -> bool:
    for name in _SAYING:
        text = _COMMENT.sub("", small_text(root / name))
        if _CHECKED.search(text) or any(float(found[1]) > 0 for found in _UNDER.finditer(text)):
            return True
    return False


def _package(root: Path) -> bool:
    data = _json(small_text(root / "package.json"))
    jest, nyc, c8 = (_table(data.get(name)) for name in ("jest", "nyc", "c8"))
    return bool(jest.get("coverageThreshold")) or any(
        each.get("check-coverage") is True for each in (nyc, c8)
    )


def _configs(root: Path) -> bool:
    return (
        _said(root, [f"jest.config.{end}" for end in _SCRIPTS], _JEST)
        or _said(root, [f"{name}.config.{end}" for name in ("vitest", "vite") for end in _SCRIPTS], _VITEST)
        or _said(
            root, (".nycrc", ".nycrc.json", ".nycrc.yml", ".nycrc.yaml", ".c8rc", ".c8rc.json"), _RC_CHECK
        )
    )


def _builds(root: Path) -> bool:
    return _said(root, ("pom.xml",), _MAVEN_CHECK) or _said(
        root, ("build.gradle", "build.gradle.kts"), _GRADLE_RULES
    )


def _said(root: Path, names: list[str] | tuple[str, ...], pattern: re.Pattern[str]) -> bool:
    return any(pattern.search(_COMMENT.sub("", small_text(root / name))) for name in names)


def _json(text: str) -> dict[str, Any]:
    try:
        return _table(json.loads(text))
    except (ValueError, RecursionError):
        return {}


def _table(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


_ASKS: tuple[Callable[[Path], bool], ...] = (_python, _commands, _package, _configs, _builds)
