"""Go cover profiles: blocks `file:line.column,line.column statements count`, files by their import path.

A line ran if any block on it did. Lines without code inside a block are no lines that can run.
"""

import os
import re
from pathlib import Path

from donewhen.core.quality.coverage import Covered
from donewhen.core.quality.model import Unreadable
from donewhen.core.texts import Phrase
from donewhen.verify.exam.files import small_text
from donewhen.verify.quality.coverage.code import code_lines
from donewhen.verify.quality.coverage.parsing import bounded, wrong_form
from donewhen.verify.quality.coverage.tree import Tree, note
from donewhen.verify.reports.frames import visible

FORM = "Go cover profile"
_MODE = re.compile(r"mode: (?:set|count|atomic)\r?")
_BLOCK = re.compile(r"(.{1,4096}):(\d{1,8})\.\d{1,8},(\d{1,8})\.\d{1,8} (\d{1,9}) (\d{1,18})\r?", re.DOTALL)
_MODULE = re.compile(r"^module[ \t]+\"?([^\s\"]{1,500})", re.MULTILINE)
_USED = re.compile(r"^(?:use[ \t]+|[ \t]+)\"?(\.[^\s\"()]{0,300})", re.MULTILINE)
_MOST_WORK = 20_000_000
_MOST_MODULES = 200


def read(data: bytes, root: Path, folder: str = "") -> Covered:
    lines = os.fsdecode(bounded(data, FORM)).split("\n")
    if not _MODE.fullmatch(lines[0]) or lines[-1]:
        raise wrong_form(FORM)
    tree = Tree(root, folder)
    places = _Places(tree, _modules(root, folder))
    hits: dict[str, dict[int, bool]] = {}
    work = 0
    for line in lines[1:-1]:
        block = _BLOCK.fullmatch(line)
        if block is None:
            if _MODE.fullmatch(line):  # profiles are often put together with cat
                continue
            raise wrong_form(FORM)
        path = places.find(block[1])
        first, last = int(block[2]), int(block[3])
        if not path or not int(block[4]):
            continue
        if last > tree.line_count(path):
            raise Unreadable("coverage.other_tree", file=visible(path, 200), line=last)
        work += last - first + 1
        if work > _MOST_WORK:
            raise Unreadable("coverage.unreadable", form=FORM, why=Phrase("coverage.why_large"))
        for each in range(first, last + 1):
            note(hits, path, each, block[5].strip("0") != "")
    return tree.covered({path: _code(tree, path, found) for path, found in hits.items()}, len(places.known))


class _Places:
    """Where the files of a profile are, each looked up once."""

    def __init__(self, tree: Tree, modules: dict[str, str]) -> None:
        self.tree, self.modules = tree, modules
        self.known: dict[str, str] = {}

    def find(self, name: str) -> str:
        if name not in self.known:
            self.known[name] = self._look(name)
        return self.known[name]

    def _look(self, name: str) -> str:
        for module, folder in sorted(self.modules.items(), key=lambda each: -len(each[0])):
            if name.startswith(f"{module}/"):
                place = Path(self.tree.root, folder, name[len(module) + 1 :])
                return self.tree.find(str(place.absolute()))
        return self.tree.find(name) if name.startswith(("/", "./")) else ""


def _modules(root: Path, folder: str) -> dict[str, str]:
    """The modules that go.work, the run's folder and the root have, by import path, with their folders."""
    used = [os.path.normpath(each[1]) for each in _USED.finditer(small_text(root / "go.work"))]
    used = [each for each in used if not each.startswith("..")][:_MOST_MODULES]
    found: dict[str, str] = {}
    for place in dict.fromkeys(("", *used, folder)):
        module = _MODULE.search(small_text(root / place / "go.mod"))
        if module:
            found[module[1]] = "" if place == "." else place
    return found


def _code(tree: Tree, path: str, lines: dict[int, bool]) -> dict[int, bool]:
    text = (tree.text(path) or b"").decode("utf-8", "replace")
    code = code_lines(text, "go")
    return {line: hit for line, hit in lines.items() if line in code}
