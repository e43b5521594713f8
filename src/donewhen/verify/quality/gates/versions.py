"""Versions of installed tools, from what installers leave on disk; no program is started for them."""

import json
import os
import re
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path

_NUMBERS = re.compile(r"\d{1,9}(?:\.\d{1,9}){0,3}")
_LARGEST = 256 * 1024
_MOST = 20_000
_HIGHEST = 4
_FOLDERS = 4


def numbers(version: str) -> tuple[int, ...]:
    """The leading numbers: 1.11.0rc1 is (1, 11, 0); nothing for what is no version."""
    found = _NUMBERS.match(version.strip().removeprefix("v"))
    return tuple(int(part) for part in found[0].split(".")) if found else ()


def at_least(version: str, least: str) -> bool:
    """Whether a version is new enough; one that can't be read is not known to be."""
    have, need = numbers(version), numbers(least)
    if not need:
        return True
    width = max(len(have), len(need))
    return have != () and _wide(have, width) >= _wide(need, width)


def python_version(program: Path, package: str) -> str:
    """Of a package in the environment whose `bin` holds the program, or whose `bin` it is a link into."""
    for environment in _environments(program):
        for folder in packages_of(environment):
            for _, version in distributions(folder, package):
                return version
    return ""


def node_version(program: Path, package: str) -> str:
    """Of a package beside `.bin`, or of the package whose file the program is a link to."""
    manifests = [program.parent.parent / package / "package.json"] if program.parent.name == ".bin" else []
    manifests += [folder / "package.json" for folder in list(_real(program).parents)[:_HIGHEST]]
    for manifest in manifests:
        version = version_in(manifest_of(manifest), package)
        if version:
            return version
    return ""


def packages_of(environment: Path) -> list[Path]:
    """The folders that an environment's packages are installed into."""
    try:
        return sorted((environment / "lib").glob("python*/*-packages"))[:_FOLDERS]
    except OSError:
        return []


def distributions(folder: Path, package: str) -> Iterator[tuple[Path, str]]:
    """What installers wrote down about a package, with the version that the name of the place gives."""
    wanted = _plain(package)
    try:
        with os.scandir(folder) as entries:
            for entry in islice(entries, _MOST):
                name, dash, version = entry.name.removesuffix(".dist-info").partition("-")
                if entry.name.endswith(".dist-info") and dash and _plain(name) == wanted:
                    yield folder / entry.name, version
    except OSError:
        return


def manifest_of(manifest: Path) -> Mapping[str, object]:
    """A package.json; empty for what is none."""
    try:
        if not manifest.is_file() or manifest.stat().st_size > _LARGEST:
            return {}
        data = json.loads(manifest.read_bytes())
    except (OSError, ValueError, RecursionError):
        return {}
    return data if isinstance(data, dict) else {}


def version_in(manifest: Mapping[str, object], package: str) -> str:
    """The version that a package.json of this package gives; empty when it is another's."""
    version = manifest.get("version") if manifest.get("name") == package else None
    return version if isinstance(version, str) and numbers(version) else ""


def _wide(version: tuple[int, ...], width: int) -> tuple[int, ...]:
    return version + (0,) * (width - len(version))


def _real(program: Path) -> Path:
    return Path(os.path.realpath(program))


def _environments(program: Path) -> Iterator[Path]:
    yield program.parent.parent
    yield _real(program).parent.parent


def _plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
