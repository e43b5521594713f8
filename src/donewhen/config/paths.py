"""Where the user's own files lie: configuration, state and cache, by the XDG rules, from a given environment.

No folder is made here and the process environment is not read; the caller passes it in.
"""

from collections.abc import Mapping
from pathlib import Path

from donewhen.config.places import harmless
from donewhen.core.errors import UserError


def user_file(env: Mapping[str, str]) -> Path:
    """The user's configuration file."""
    return _folder(env, "DONEWHEN_CONFIG_DIR", "XDG_CONFIG_HOME", ".config") / "config.yml"


def state_folder(env: Mapping[str, str]) -> Path:
    """The folder of stores, trust and other state of the user."""
    return _folder(env, "DONEWHEN_STATE_DIR", "XDG_STATE_HOME", ".local/state")


def cache_folder(env: Mapping[str, str]) -> Path:
    """The folder of run workspaces, rooms and prepared environments: all of it can be made again."""
    return _folder(env, "DONEWHEN_CACHE_DIR", "XDG_CACHE_HOME", ".cache")


def _folder(env: Mapping[str, str], ours: str, xdg: str, below_home: str) -> Path:
    own = env.get(ours, "")
    if own:
        if not Path(own).is_absolute():
            raise UserError("config.relative_folder", place=ours, folder=harmless(own))
        return Path(own)
    base = env.get(xdg, "")
    if base and Path(base).is_absolute():  # the XDG rules: a relative value is as good as none
        return Path(base) / "donewhen"
    home = env.get("HOME", "")
    if not home or not Path(home).is_absolute():
        raise UserError("config.no_home", place=ours)
    return Path(home) / below_home / "donewhen"
