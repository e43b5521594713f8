"""Whether what a lock file names lies already in the caches of the user's home: Go, Rust, Ruby.

Names and versions come from files of the project, so they are checked before they become paths. Nothing is
read there, only looked for.
"""

import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from donewhen.core.lazy import lazy
from donewhen.project.folder import Folder

_GO_LINE = lazy(r"^(?:require[ \t]+|[ \t]+)([\w.~/-]{3,200})[ \t]+(v[\w.+-]{1,100})[ \t]*(//[^\n]*)?$")
_GO_REPLACED = lazy(r"^(?:replace[ \t]+|[ \t]+)([\w.~/-]{3,200})(?:[ \t]+v[\w.+-]{1,100})?[ \t]+=>")
_CRATE = lazy(
    r'^name = "([\w-]{1,100})"\nversion = "([\w.+-]{1,100})"\nsource = "(registry|git|sparse)\+', re.MULTILINE
)
_GEM = lazy(r"^    ([\w.-]{1,100}) \(([\w.-]{1,100})\)$", re.MULTILINE)
_LARGEST_LOCK = 4 * 1024 * 1024


def go_modules(folder: Folder) -> list[tuple[str, str]]:
    """(module, version) of each module that is needed directly and not replaced."""
    lines = folder.text("go.mod").splitlines()
    replaced = {match[1] for line in lines if (match := _GO_REPLACED.match(line[:400]))}
    found = (match for line in lines if (match := _GO_LINE.match(line[:400])))
    return [
        (match[1], match[2])
        for match in found
        if "indirect" not in (match[3] or "") and match[1] not in replaced
    ]


def go_is_cached(folder: Folder, env: Mapping[str, str]) -> bool:
    path = env.get("GOPATH", "").split(":")[0] or f"{_home(env)}/go"
    cache = Path(env.get("GOMODCACHE") or f"{path}/pkg/mod") / "cache/download"
    return all(
        ".." not in module and (cache / _escaped(module) / "@v" / f"{version}.zip").is_file()
        for module, version in go_modules(folder)
    )


def _escaped(module: str) -> str:
    """As Go writes module paths on disks that may not tell upper case from lower."""
    return "".join(f"!{letter.lower()}" if letter.isupper() else letter for letter in module)


def crates_are_cached(folder: Folder, env: Mapping[str, str]) -> bool:
    """Whether a lock file is there and every crate of it has been fetched."""
    lock = folder.text("Cargo.lock", _LARGEST_LOCK)
    home = Path(env.get("CARGO_HOME") or f"{_home(env)}/.cargo")
    registries = _folders(home / "registry/cache")
    for name, version, source in _CRATE.findall(lock):
        if source == "git":
            if not _folders(home / "git/db"):
                return False
        elif not any((registry / f"{name}-{version}.crate").is_file() for registry in registries):
            return False
    return bool(lock)


def gems_are_installed(folder: Folder, env: Mapping[str, str]) -> bool:
    """Whether every gem of the lock file is in a folder where Ruby looks."""
    lock = folder.text("Gemfile.lock", _LARGEST_LOCK)
    gems = _GEM.findall(lock)
    if not gems:
        return False
    places = [place / "gems" for place in _gem_places(env)]
    return all(any((place / f"{name}-{version}").is_dir() for place in places) for name, version in gems)


def _gem_places(env: Mapping[str, str]) -> Iterator[Path]:
    if env.get("GEM_HOME"):
        yield Path(env["GEM_HOME"])
    home = Path(_home(env))
    for place in (home / ".gem/ruby", home / ".local/share/gem/ruby", Path("/var/lib/gems")):
        yield from _folders(place)
    root = Path(env.get("RBENV_ROOT") or home / ".rbenv")
    for version in _folders(root / "versions"):
        yield from _folders(version / "lib/ruby/gems")


def _home(env: Mapping[str, str]) -> str:
    return env.get("HOME") or "/nonexistent"


def _folders(place: Path) -> list[Path]:
    try:
        with os.scandir(place) as entries:
            return [Path(entry.path) for entry in entries if entry.is_dir()][:200]
    except OSError:
        return []
