"""The folders that tools fill for later, the variable that moves each, and where they lie, as data.

A tool whose cache can't be written fails or warns; so each is either laid over or moved. `needed` are those
whose content a command without a network can't do without: dependencies, not what only saves time.
"""

import hashlib
import os
from collections.abc import Mapping
from typing import NamedTuple

GO = "GOCACHE"


class Usual(NamedTuple):
    below: str  # the home
    variable: str
    needed: bool = False


CACHES: tuple[Usual, ...] = (
    Usual(".cache/pip", "PIP_CACHE_DIR"),
    Usual(".cache/uv", "UV_CACHE_DIR"),
    Usual(".cache/pypoetry", "POETRY_CACHE_DIR", needed=True),
    Usual(".cache/pre-commit", "PRE_COMMIT_HOME", needed=True),
    Usual(".npm", "npm_config_cache"),
    Usual(".cache/yarn", "YARN_CACHE_FOLDER"),
    Usual(".yarn/berry", "YARN_GLOBAL_FOLDER", needed=True),
    Usual(".local/share/pnpm/store", "PNPM_HOME", needed=True),  # npm complains of npm_config_store_dir
    Usual(".bun/install/cache", "BUN_INSTALL_CACHE_DIR"),
    Usual(".cache/deno", "DENO_DIR", needed=True),
    Usual(".cache/node", "COREPACK_HOME", needed=True),
    Usual(".cargo/registry", "CARGO_HOME", needed=True),
    Usual(".cargo/git", "CARGO_HOME", needed=True),
    Usual(".cache/go-build", GO),
    Usual("go/pkg", "GOMODCACHE", needed=True),
    Usual(".gradle", "GRADLE_USER_HOME", needed=True),
    Usual(".m2/repository", "MAVEN_OPTS", needed=True),
    Usual(".ivy2", "", needed=True),
    Usual(".cache/coursier", "COURSIER_CACHE", needed=True),
    Usual(".nuget/packages", "NUGET_PACKAGES", needed=True),
    Usual(".cache/composer", "COMPOSER_CACHE_DIR"),
    Usual(".cache/ccache", "CCACHE_DIR"),
    Usual(".ccache", "CCACHE_DIR"),
    Usual(".cache/sccache", "SCCACHE_DIR"),
    Usual(".cache/matplotlib", "MPLCONFIGDIR"),
)
GRADLE = "GRADLE_USER_HOME"
_OPTIONS = {"MAVEN_OPTS": "-Dmaven.repo.local="}  # variables that hold more than a path
_WIDER = {"CARGO_HOME", "PNPM_HOME", *_OPTIONS}  # name something else than the cache alone
_ABOVE = (
    (".cargo/", "CARGO_HOME"),
    ("go/", "GOPATH"),
    (".cache/", "XDG_CACHE_HOME"),
    (".local/share/pnpm/", "PNPM_HOME"),
    (".local/share/", "XDG_DATA_HOME"),
)


def setting(variable: str, folder: str) -> dict[str, str]:
    """What makes a tool use `folder`; nothing where that can't be said."""
    option = _OPTIONS.get(variable)
    if not variable or not folder or (option and any(char.isspace() for char in folder)):
        return {}
    return {variable: f"{option or ''}{folder}"}


def lies_at(usual: Usual, home: str, env: Mapping[str, str]) -> tuple[str, bool]:
    """Where a cache is, and whether its own variable says so."""
    said = "" if usual.variable in _WIDER else env.get(usual.variable, "")
    if said.startswith("/"):
        return said, True
    for start, variable in _ABOVE:
        above = env.get(variable, "").split(":")[0]
        if usual.below.startswith(start) and above.startswith("/"):
            return os.path.join(above, usual.below.removeprefix(start)), False  # noqa: PTH118 - text only
    return (f"{home}/{usual.below}", False) if home else ("", False)


def moved(layer: str) -> str:
    """The part of a layer that commands see under its own name."""
    return f"{layer}/moved"


def laid(layer: str, path: str) -> str:
    """What is laid over the cache at `path`; reached only there, or commands could put links in it."""
    name = hashlib.sha256(path.encode(errors="surrogateescape")).hexdigest()[:16]
    return f"{layer}/laid/{name}"
