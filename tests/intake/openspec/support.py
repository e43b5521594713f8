"""Specs and changes for the tests, built from few words."""

from pathlib import Path
from typing import Any

from donewhen.intake.openspec import Change, Issue, SpecFile, read_delta, validate_change

STEPS = "- **WHEN** it is asked\n- **THEN** it answers\n"
PURPOSE = "Lets people sign in, stay signed in and sign out again without surprises.\n"
FILE = "openspec/changes/add-login/specs/auth/spec.md"
MAIN = "openspec/specs/auth/spec.md"


def scenario(name: str = "works") -> str:
    return f"#### Scenario: {name}\n{STEPS}"


def requirement(
    name: str = "Login", statement: str = "The system SHALL let people in.", *scenarios: str
) -> str:
    below = "\n".join(scenario(each) for each in scenarios or ("works",))
    return f"### Requirement: {name}\n{statement}\n\n{below}"


def spec(*requirements: str, after: str = "") -> str:
    body = "\n".join(requirements)
    return f"# auth Specification\n\n## Purpose\n{PURPOSE}\n## Requirements\n\n{body}{after}"


def added(*requirements: str) -> str:
    return "## ADDED Requirements\n\n" + "\n".join(requirements)


def modified(*requirements: str) -> str:
    return "## MODIFIED Requirements\n\n" + "\n".join(requirements)


def removed(*names: str) -> str:
    return "## REMOVED Requirements\n\n" + "".join(f"### Requirement: {name}\n" for name in names)


def renamed(*pairs: tuple[str, str]) -> str:
    lines = (f"- FROM: `### Requirement: {old}`\n- TO: `### Requirement: {new}`\n" for old, new in pairs)
    return "## RENAMED Requirements\n\n" + "".join(lines)


def change_of(delta: str, main: str | None = None, **more: Any) -> Change:
    file = SpecFile("auth", FILE, read_delta(delta), MAIN, main)
    return Change("add-login", "openspec/changes/add-login", (file,))._replace(**more)


def found(issues: list[Issue]) -> list[tuple[str, str, int]]:
    """Level, name of the text and line of each issue."""
    return [(issue.level, issue.key.removeprefix("openspec."), issue.line) for issue in issues]


def verdict(delta: str, main: str | None = None) -> list[tuple[str, str, int]]:
    return found(validate_change(change_of(delta, main)))


class Project:
    """An OpenSpec project in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.change = folder / "openspec" / "changes" / "add-login"

    def write(self, path: str, text: str | bytes) -> Path:
        """A file of the change, or with a leading slash one of the project."""
        target = self.folder / path[1:] if path.startswith("/") else self.change / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(text if isinstance(text, bytes) else text.encode())
        return target
