"""How each package manager fills a fresh folder: first as its lock file says, then what is tried instead.

Data and pure choices. No way writes a manifest, and none is a lock file's silent replacement: whoever runs
the steps sees which way worked. Scripts of dependencies run as the manager runs them by default; only when
the project's own scripts at install may be to blame are all of them left out.
"""

from collections.abc import Mapping
from typing import NamedTuple

from donewhen.project.node_package import MANIFEST, Package
from donewhen.workspace.setup.model import Step

Argv = tuple[str, ...]
_QUIET = ("--no-audit", "--no-fund")
_NPM = ("npm", "install", "--no-save", *_QUIET)
_NO_SCRIPTS = "--ignore-scripts"


class Manager(NamedTuple):
    locked: Argv
    unlocked: Argv
    instead: tuple[Argv, ...] = ()  # after the first way failed
    env: Mapping[str, str] = {}  # for the commands of the exam too
    writes: tuple[str, ...] = ()  # a lock file that it insists on


_MANAGERS = {
    "npm": Manager(
        ("npm", "ci", *_QUIET),
        _NPM,
        (  # old packages whose peers exclude each other; a lock file that package.json has outgrown
            (*_NPM, "--legacy-peer-deps"),
        ),
    ),
    "pnpm": Manager(
        ("pnpm", "install", "--frozen-lockfile"),
        ("pnpm", "install", "--no-lockfile"),
        (("pnpm", "install", "--no-lockfile"),),
        # it would fetch the version that the project pins, which the exam can't
        {"npm_config_manage_package_manager_versions": "false", "COREPACK_ENABLE_STRICT": "0"},
    ),
    "yarn": Manager(
        ("yarn", "install", "--frozen-lockfile", "--non-interactive"),
        ("yarn", "install", "--no-lockfile", "--non-interactive"),
        (("yarn", "install", "--pure-lockfile", "--non-interactive", "--ignore-engines"),),
    ),
    "berry": Manager(
        ("yarn", "install", "--immutable"),
        ("yarn", "install", "--no-immutable"),
        (),
        {"YARN_ENABLE_TELEMETRY": "0"},
        ("yarn.lock",),
    ),
    "bun": Manager(("bun", "install", "--frozen-lockfile"), ("bun", "install", "--no-save")),
}
_AT_INSTALL = {
    "COREPACK_ENABLE_DOWNLOAD_PROMPT": "0",
    "HUSKY": "0",  # no git hooks in a folder of ours
    "npm_config_update_notifier": "false",
    "npm_config_fetch_retry_mintimeout": "1000",  # without a network each way would wait for minutes
    "npm_config_fetch_retry_maxtimeout": "10000",
}


def install_step(package: Package, *, optional: bool, npm_instead: bool) -> Step:
    """The step that installs; `npm_instead`: npm may do it where the project's manager is not there."""
    manager = _of(package)
    argv = manager.locked if package.lock else manager.unlocked
    ways = [argv, *manager.instead]
    if package.manager == "npm" and package.lock:
        ways.insert(1, (*argv, "--legacy-peer-deps"))
    if package.own_scripts and not package.berry:
        ways.append((*ways[-1], _NO_SCRIPTS))
    if npm_instead and package.manager != "npm" and package.links_folders:
        ways.append((*_NPM, "--no-package-lock", "--legacy-peer-deps"))  # else it rewrites yarn.lock
    instead = tuple(dict.fromkeys(way for way in ways if way != argv))
    return Step(argv, package.lock or MANIFEST, optional, instead, {**_AT_INSTALL, **manager.env})


def exam_env(package: Package) -> dict[str, str]:
    quiet = {"COREPACK_ENABLE_DOWNLOAD_PROMPT": "0", "npm_config_update_notifier": "false"}
    return {**quiet, **_of(package).env}


def is_remade(package: Package) -> bool:
    """Whether files beside the filled folders belong to an install, so that a copy of these is not enough."""
    return package.berry


def filled(package: Package) -> tuple[str, ...]:
    """What an install fills, relative to the package."""
    folders = ("node_modules", *(f"{member}/node_modules" for member in package.members))
    manager = _of(package)
    own = () if package.lock else manager.writes
    if not package.berry:
        return (*folders, *own)
    berry = (".pnp.cjs", ".pnp.loader.mjs", ".yarn/cache", ".yarn/unplugged", ".yarn/install-state.gz")
    return (*folders, *berry, *own)


def _of(package: Package) -> Manager:
    return _MANAGERS["berry" if package.berry else package.manager]
