"""What is installed in a Python environment, read from its folders; nothing in it is started."""

import json
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from urllib.parse import unquote, urlsplit

from donewhen.config.files import read_regular
from donewhen.core.errors import DonewhenError
from donewhen.core.lazy import lazy
from donewhen.workspace.setup.python_requirements import normal

_ENTRY = lazy(r"([A-Za-z0-9_.]+?)(?:-[^-]{1,100})?(?:-py[\d.]+)?\.(dist-info|egg-info|egg-link)")
_MAPPED = lazy(r"'[\w.]+': '(/[^']{1,1000})'")
_MOST = 5000
_MOST_PTH = 100


class Installed:
    """The distributions of an environment, by what lies in its folders."""

    def __init__(self, folders: Sequence[Path]) -> None:
        self._at: dict[str, Path] = {}
        self._pth: list[Path] = []
        self._finders: list[Path] = []
        for folder in folders:
            for name in names_in(folder):
                match = _ENTRY.fullmatch(name[:300])
                if match:
                    self._at.setdefault(normal(match[1]), folder / name)
                elif name.endswith(".pth"):
                    self._pth.append(folder / name)
                elif name.startswith("__editable__") and name.endswith("_finder.py"):
                    self._finders.append(folder / name)
        self.names = frozenset(self._at)

    def is_from(self, name: str, folder: Path) -> bool:
        """Whether a distribution is an editable install of that very folder; any, when it has no name."""
        entries = self._at.values() if not name else filter(None, [self._at.get(name)])
        return any(_is_editable(entry, folder) for entry in entries)

    def leads_to(self, folder: Path) -> bool:
        """Whether a `.pth` puts the folder, or the one of its sources, on the path of imports."""
        return any(_inside(line, folder) for line in self._lines())

    def sources_in(self, folder: Path) -> list[str]:
        """Where editable installs lead inside the folder, relative to it, in the order of the path."""
        top = os.path.realpath(folder)
        found = (os.path.realpath(line) for line in (*self._lines(), *self._mapped()) if line.startswith("/"))
        inside = (os.path.relpath(place, top) for place in found if f"{place}/".startswith(f"{top}/"))
        return [place for place in dict.fromkeys(inside) if place != "."]

    def _mapped(self) -> Iterator[str]:
        """The folders of packages that the finders of editable installs name one by one."""
        for finder in self._finders[:_MOST_PTH]:
            yield from (os.path.dirname(found[1]) for found in _MAPPED.finditer(_text(finder)))  # noqa: PTH120

    def _lines(self) -> Iterator[str]:
        for path in self._pth[:_MOST_PTH]:
            yield from (line.strip() for line in _text(path).splitlines()[:100])


def _is_editable(entry: Path, folder: Path) -> bool:
    if entry.suffix == ".egg-link":
        lines = _text(entry).splitlines()
        return bool(lines) and _inside(lines[0].strip(), folder)
    try:
        url = json.loads(_text(entry / "direct_url.json") or "{}")
    except (ValueError, RecursionError):
        return False
    about = url.get("dir_info") if isinstance(url, dict) else None
    if not isinstance(about, dict) or not about.get("editable"):
        return False
    return _inside(unquote(urlsplit(str(url.get("url", ""))).path), folder)


def names_in(folder: Path) -> list[str]:
    try:
        with os.scandir(folder) as entries:
            return sorted(entry.name for entry, _ in zip(entries, range(_MOST), strict=False))
    except OSError:
        return []


def _text(path: Path) -> str:
    try:
        found = read_regular(path, path.name)
    except DonewhenError:
        return ""
    return found.data.decode("utf-8", "replace") if found else ""


def _inside(text: str, folder: Path) -> bool:
    """Whether an install points at the folder, or at a folder of sources in it."""
    if not text.startswith("/") or "\0" in text:
        return False
    try:
        there, here = Path(text).resolve(), folder.resolve()
    except (OSError, RuntimeError):
        return False
    return there in (here, here / "src", here / "lib")
