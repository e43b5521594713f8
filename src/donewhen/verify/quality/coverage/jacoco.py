"""Jacoco XML: instructions per line. It names packages and source files, so the tree is looked through.

A file is the one whose path ends with package and name; Kotlin may leave folders of the package out, so a
name that only one file has will do. Of several, the one below the report's own module counts, and main code.
"""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from donewhen.core.paths import STATE_FOLDERS
from donewhen.core.quality.coverage import Covered
from donewhen.core.quality.model import Unreadable
from donewhen.core.texts import Phrase
from donewhen.verify.quality.coverage.parsing import Refused, number, walk_xml, wrong_form
from donewhen.verify.quality.coverage.tree import HIGHEST_LINE, Tree, note
from donewhen.verify.reports.frames import visible

FORM = "jacoco XML"
_ENDINGS = (".java", ".kt", ".scala", ".groovy")
_SKIPPED = STATE_FOLDERS | {".gradle", ".idea", "out"}
_MOST_ENTRIES = 200_000


def read(data: bytes, root: Path, folder: str = "") -> Covered:
    reader = _Reader()
    walk_xml(data, FORM, reader.start, lambda tag, text: None)
    if not reader.is_one:
        raise wrong_form(FORM)
    tree = Tree(root, folder)
    index = _sources(root) if reader.hits else {}
    hits: dict[str, dict[int, bool]] = {}
    for (package, name), lines in reader.hits.items():
        path = _choose(index.get(name, []), f"{package}/{name}" if package else name, folder)
        if path and tree.find(path):
            for line, hit in lines.items():
                note(hits, path, line, hit)
    return tree.covered(hits, len(reader.hits))


class _Reader:
    def __init__(self) -> None:
        self.is_one = False
        self.package = ""
        self.hits: dict[tuple[str, str], dict[int, bool]] = {}
        self.lines: dict[int, bool] = {}

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        if not self.is_one:
            if tag != "report":
                raise Refused
            self.is_one = True
        elif tag == "package":
            self.package = attributes.get("name", "")
        elif tag == "sourcefile":
            self.lines = self.hits.setdefault((self.package, attributes.get("name", "")), {})
        elif tag == "line":
            line = number(attributes.get("nr"), HIGHEST_LINE)
            ran, missed = number(attributes.get("ci")), number(attributes.get("mi"))
            if line is None or ran is None or missed is None:
                raise Refused
            if ran or missed:
                self.lines[line] = self.lines.get(line, False) or bool(ran)


def _sources(root: Path) -> dict[str, list[str]]:
    """The tree's source files of these languages by name; folders of tools are not looked into."""
    found: dict[str, list[str]] = {}
    for path in _walk(root):
        if path.endswith(_ENDINGS):
            found.setdefault(path.rpartition("/")[2], []).append(path)
    return found


def _walk(root: Path) -> Iterator[str]:
    seen = 0
    for place, folders, names in os.walk(root):
        folders[:] = sorted(each for each in folders if each not in _SKIPPED)
        seen += len(names) + len(folders)
        if seen > _MOST_ENTRIES:
            raise Unreadable("coverage.unreadable", form=FORM, why=Phrase("coverage.why_large"))
        folder = os.path.relpath(place, root)
        yield from (name if folder == "." else f"{folder}/{name}" for name in names)


def _choose(paths: list[str], wanted: str, folder: str) -> str:
    """The file that is meant; empty when the tree has none."""
    exact = [path for path in paths if f"/{path}".endswith(f"/{wanted}")]
    found = exact or (paths if len(paths) == 1 else [])
    below = [path for path in found if folder and path.startswith(f"{folder}/")] or found
    main = [path for path in below if "/test/" not in f"/{path}"] or below
    if len(main) > 1:
        raise Unreadable("coverage.ambiguous", file=visible(wanted, 200))
    return main[0] if main else ""
