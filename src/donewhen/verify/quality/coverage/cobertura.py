"""Cobertura XML, as coverage.py, jest, gocover-cobertura and many others write it.

File names are relative to one of the report's sources, or to where the tests ran; a class of the same file
may come more than once, and methods repeat the lines of their class.
"""

from collections.abc import Mapping
from pathlib import Path

from donewhen.core.quality.coverage import Covered
from donewhen.verify.quality.coverage.parsing import Refused, number, walk_xml, wrong_form
from donewhen.verify.quality.coverage.tree import HIGHEST_LINE, MOST_FILES, Tree, note

FORM = "cobertura XML"
_MOST_SOURCES = 50


def read(data: bytes, root: Path, folder: str = "") -> Covered:
    reader = _Reader(Tree(root, folder))
    walk_xml(data, FORM, reader.start, reader.end)
    if not reader.is_one:
        raise wrong_form(FORM)
    return reader.tree.covered(reader.hits, len(reader.named))


class _Reader:
    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.is_one = False
        self.sources: list[str] = []
        self.named: set[str] = set()
        self.path = ""
        self.hits: dict[str, dict[int, bool]] = {}

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        if not self.is_one:
            if tag != "coverage":
                raise Refused
            self.is_one = True
        elif tag == "class":
            self._class(attributes.get("filename", ""))
        elif tag == "line" and self.path:
            line = number(attributes.get("number"), HIGHEST_LINE)
            if line is None:
                raise Refused
            note(self.hits, self.path, line, bool(number(attributes.get("hits"))))

    def _class(self, name: str) -> None:
        self.named.add(name)
        if len(self.named) > MOST_FILES:
            raise Refused
        self.path = self.tree.find(name, self.sources)
        if self.path:
            self.hits.setdefault(self.path, {})

    def end(self, tag: str, text: str) -> None:
        if tag == "source" and text.startswith("/") and len(self.sources) < _MOST_SOURCES:
            self.sources.append(text)
        elif tag == "class":
            self.path = ""
