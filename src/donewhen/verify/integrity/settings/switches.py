"""Variables that decide what an exam runs or loads, wherever they are set: make, tox, CI, .env, .npmrc."""

import re

from donewhen.core.commands.spoiling import answering
from donewhen.core.commands.tools.environment import environment
from donewhen.core.tree import Word

_LESS = frozenset(("tools.narrower", "tools.weaker", "tools.mask", "tools.not_run", "tools.watch"))
_OWN_BINS = re.compile(
    r"|\$[({]?PATH[)}]?|(?:~|\$[({]?HOME[)}]?)/.{0,80}|/(?:usr|bin|sbin|opt|nix|snap|root|home)\b.{0,200}|(?:\.?/?|.{0,80}[/}])(?:node_modules/\.bin|\.?venv/(?:bin|Scripts)|\.tox/[^/]{1,40}/bin)",
    re.DOTALL,
)
_OWN_FOLDERS = re.compile(r"|\$\(PWD\)|[\w./${}()-]{0,200}")
_SHELLS = re.compile(
    r"(?:/(?:usr/)?(?:local/)?bin/)?(?:env )?(?:ba|da|z|k|a)?sh(?: -[eux]+c?| -o pipefail){0,3}"
)
_QUIET_SHELL = re.compile(r"-?[a-z]*n[a-z]*|noexec")
_NPM_OPTIONS = re.compile(r"(?:npm_config_)?(?:node[-_]options)", re.IGNORECASE)


def judge_variable(name: str, before: str | None, now: str | None) -> str:
    """The rule that setting it breaks; empty for what does not matter."""
    if now is None or now == before:
        return ""
    if name == "PATH":
        parts = re.split(r"[:;]", now)
        return "" if all(map(_OWN_BINS.fullmatch, parts)) else "path-trick"
    if name in ("SHELL", "script-shell", "scriptShell"):
        return "" if _SHELLS.fullmatch(now.strip()) else "path-trick"
    if name == ".SHELLFLAGS":
        words = now.split()
        return "command-weakened" if any(map(_QUIET_SHELL.fullmatch, words)) or not _takes_text(words) else ""
    if name in ("PYTHONPATH", "NODE_PATH"):
        return "" if _OWN_FOLDERS.fullmatch(now.replace(":", "")) else "startup-hook"
    if _NPM_OPTIONS.fullmatch(name):
        name = "NODE_OPTIONS"
    if answering({name: Word(now)}, {name: Word(before)} if before is not None else None):
        return "startup-hook"
    ours = {name: Word(before)} if before is not None else {}
    return (
        "command-weakened"
        if any(each.reason in _LESS for each in environment(ours, {name: Word(now)}))
        else ""
    )


def _takes_text(words: list[str]) -> bool:
    return any(re.fullmatch(r"-[a-zA-Z]*c[a-zA-Z]*", word) for word in words)
