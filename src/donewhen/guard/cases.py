"""Corpora of commands: the fixed ground they are judged on, and how a case may change it."""

from collections.abc import Mapping
from typing import Any

from donewhen.guard.ground import DEVICES, Ground

DANGER = ("delete", "drop", "force")
SECRETS = (r"\.env$", r"credentials\.json$", "secret", "password", "api_key", "private_key")
GROUND = Ground(
    "/home/dev/wt/feature-x",
    "/home/dev/wt/feature-x",
    "/home/dev",
    branch="feature/x",
    secret_patterns=SECRETS,
    danger_patterns=DANGER,
)
_TEXTS = {
    "workspace": "workspace",
    "cwd": "folder",
    "folder": "folder",
    "working_directory": "folder",
    "home": "home",
    "HOME": "home",
    "branch": "branch",
    "remote": "remote",
    "user": "user",
}
_LISTS = {"protected": "protected", "protected_branches": "protected", "writable": "writable"}
KNOWN = (*_TEXTS, *_LISTS, "main_checkout", "env")


class BadContext(ValueError):
    """A key of a case's context that is not known, or a value of the wrong type."""


def ground_of(context: Mapping[str, Any]) -> Ground:
    """The fixed ground with what a case says otherwise; a workspace is also the folder if none is given."""
    changes: dict[str, Any] = {}
    for name, value in context.items():
        if name in _TEXTS and isinstance(value, str):
            changes[_TEXTS[name]] = value
        elif name in _LISTS and isinstance(value, list) and all(isinstance(one, str) for one in value):
            changes[_LISTS[name]] = tuple(value) if _LISTS[name] == "protected" else (*value, *DEVICES)
        elif (
            name == "env" and isinstance(value, dict) and all(isinstance(one, str) for one in value.values())
        ):
            changes["variables"] = value
        elif name not in ("main_checkout", "main") or not isinstance(value, str):
            raise BadContext(name)
    if "workspace" in changes and "folder" not in changes:
        changes["folder"] = changes["workspace"]
    return GROUND._replace(**changes)
