"""The import names that a Python project installs, read from its folders and a few lines of its files."""

import os
import re
from collections.abc import Iterable
from contextlib import suppress
from itertools import islice
from pathlib import Path

from donewhen.project.folder import read_inside

_MOST_NAMES = 2000
_DEEPEST = 4  # of namespace packages
_IDENTIFIER = re.compile(r"[^\W\d]\w*")
_ROOTS = ("src", "lib", "python", "source")  # all but the first only where a packaging file names them
_PACKAGING = ("pyproject.toml", "setup.cfg", "setup.py")
_MODULES = re.compile(r"py[_-]modules[\"']?\s{0,20}=\s{0,20}(?:\[([^\]]{0,2000})\]|([^\n]{0,500}))")
_WORD = re.compile(r"[^\W\d][\w.]*")
_NAME = re.compile(r"\bname[\"']?[ \t]{0,10}=[ \t]{0,10}[\"']?([\w.-]{1,100})")
_MOST_SAID = 50
_NAMESPACE = ("extend_path(", "declare_namespace(")
# Folders with Python in them that nobody installs.
_NOT_OWN = frozenset(
    """
    test tests testing unittests unit_tests integration_tests functional_tests e2e conftest setup doc docs
    documentation example examples sample samples demo demos script scripts tool tools util utils bin ci dev
    devtools bench benchmark benchmarks perf build dist debian site vendor vendored third_party thirdparty
    external extern node_modules venv env virtualenv htmlcov typings stubs tasks noxfile fabfile notebooks
    migrations news newsfragments changelog exercises manage wsgi asgi
    """.split()
)


def own_packages(folder: Path) -> frozenset[str]:
    """The import names that this project installs; of a namespace package, the names below it."""
    texts = [read_inside(folder, name) for name in _PACKAGING]
    names = {name for name in _packages(folder, "", 0) if not _is_aside(name)}
    for root in _ROOTS:
        named = root == "src" or any(f'"{root}"' in text or f"'{root}'" in text for text in texts)
        place = folder / root
        if named and not place.is_symlink() and not (place / "__init__.py").exists():
            names |= _packages(place, "", _DEEPEST) | _files(place)
    modules = _declared(texts) & _files(folder)
    return frozenset(names | {name for name in modules if not _is_aside(name)})


def _is_aside(name: str) -> bool:
    top = name.partition(".")[0].lower()
    return top in _NOT_OWN or top.startswith(("test_", "_")) or top.endswith(("_test", "_tests"))


def _packages(folder: Path, above: str, depth: int) -> set[str]:
    """Packages in `folder`; with depth, folders without `__init__.py` that hold some are namespaces."""
    found: set[str] = set()
    for name in _listed(folder, folders=True):
        below = folder / name
        marker = below / "__init__.py"
        if not _IDENTIFIER.fullmatch(name) or name == "__pycache__":
            continue
        if marker.exists() and not any(mark in read_inside(below, marker.name) for mark in _NAMESPACE):
            found.add(above + name)
        elif marker.exists() or depth:
            found |= _packages(below, f"{above}{name}.", max(0, depth - 1)) or (
                {above + name} if _files(below) else set()
            )
    return found


def _declared(texts: Iterable[str]) -> set[str]:
    """Modules that are named as such, or like the project: how single-file projects are packed."""
    found: set[str] = set()
    for text in texts:
        for said in islice(_MODULES.finditer(text), _MOST_SAID):
            found |= {word.partition(".")[0] for word in _WORD.findall(said[1] or said[2] or "")}
        found |= {re.sub(r"[-.]", "_", said[1]) for said in islice(_NAME.finditer(text), _MOST_SAID)}
    return found


def _files(folder: Path) -> set[str]:
    """Modules that lie in `folder` as single files."""
    names = (name.removesuffix(".py") for name in _listed(folder, folders=False) if name.endswith(".py"))
    return {name for name in names if _IDENTIFIER.fullmatch(name) and name != "__init__"}


def _listed(folder: Path, folders: bool) -> list[str]:
    with suppress(OSError), os.scandir(folder) as entries:
        some = list(islice(entries, _MOST_NAMES))
        kind = os.DirEntry.is_dir if folders else os.DirEntry.is_file
        return sorted(entry.name for entry in some if kind(entry, follow_symlinks=False))
    return []
