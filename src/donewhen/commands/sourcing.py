"""Which sourced files only set up a shell: the project's own virtual environment, the user's start-up files.

A file is known by where it lies, not by its name alone: one outside the workspace and outside the user's
home may hold anything, and so may one in the workspace that is not made by a tool.
"""

import re

from donewhen.core.lazy import lazy
from donewhen.core.tree import Text, Variable, Word
from donewhen.shell.expansion import START, value
from donewhen.shell.state import State

_ENVIRONMENT = lazy(
    r"(?:[\w.@-]+/){0,8}(?:\.?v?env|\.venv[\w.-]*)/(?:bin|Scripts)/activate(?:\.(?:sh|bash|zsh|bat|ps1))?"
)
_AT_HOME = lazy(
    r"/(?:\.nvm/nvm\.sh|\.bashrc|\.bash_profile|\.profile|\.zshrc|\.zprofile|\.cargo/env|\.asdf/asdf\.sh"
    r"|\.sdkman/bin/sdkman-init\.sh|\.rvm/scripts/rvm|\.ghcup/env"
    r"|\.?(?:mini|ana)?(?:conda|forge)3?/etc/profile\.d/conda\.sh)"
)
_OF_THE_SYSTEM = frozenset(
    ("/etc/profile", "/opt/conda/etc/profile.d/conda.sh", "/usr/share/nvm/init-nvm.sh")
)
_HOMES = {"HOME": _AT_HOME, "NVM_DIR": re.compile(r"/nvm\.sh")}


def sets_up(file: Word, state: State) -> bool:
    """Does sourcing it only give the tools that a check needs?"""
    text = value(file, state).only
    if text is not None:
        return text in _OF_THE_SYSTEM or _is_environment(text, state)
    if file.text.startswith("~/") and "HOME" not in state.env:
        return bool(_AT_HOME.fullmatch(file.text[1:]))
    if len(file.parts) != 2:
        return False
    base, rest = file.parts
    if not isinstance(base, Variable) or not isinstance(rest, Text) or base.operator or base.key:
        return False
    return base.name in _HOMES and base.name not in state.env and bool(_HOMES[base.name].fullmatch(rest.text))


def _is_environment(text: str, state: State) -> bool:
    path = text.replace("\\", "/")
    if path.startswith(START):
        path = path[1:].lstrip("/")
    elif state.folder is None:
        return False
    path = path.removeprefix("./")
    return ".." not in path.split("/") and bool(_ENVIRONMENT.fullmatch(path))
