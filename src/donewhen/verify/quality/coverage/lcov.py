"""lcov tracefiles: `SF:` names a file, `DA:` a line and how often it ran; all else is left aside."""

import os
from pathlib import Path

from donewhen.core.quality.coverage import Covered
from donewhen.verify.quality.coverage.parsing import bounded, number, wrong_form
from donewhen.verify.quality.coverage.tree import HIGHEST_LINE, MOST_FILES, Tree, note

FORM = "lcov"


def read(data: bytes, root: Path, folder: str = "") -> Covered:
    tree = Tree(root, folder)
    hits: dict[str, dict[int, bool]] = {}
    named: set[str] = set()
    path, open_record = "", False
    for raw in bounded(data, FORM).split(b"\n"):
        line = os.fsdecode(raw).removesuffix("\r")
        if line.startswith("SF:"):
            named.add(line[3:])
            path, open_record = tree.find(line[3:]), True
            if path:
                hits.setdefault(path, {})
        elif line.startswith("DA:"):
            if not open_record:
                raise wrong_form(FORM)
            at, count = _line(line[3:])
            if path:
                note(hits, path, at, count)
        elif line == "end_of_record":
            path, open_record = "", False
        if len(named) > MOST_FILES:
            raise wrong_form(FORM)
    if open_record or not named:  # cut, or no tracefile at all
        raise wrong_form(FORM)
    return tree.covered(hits, len(named))


def _line(text: str) -> tuple[int, bool]:
    at, _, rest = text.partition(",")
    line, count = number(at, HIGHEST_LINE), rest.partition(",")[0].strip()
    if line is None or not count:
        raise wrong_form(FORM)
    return line, bool(number(count))
