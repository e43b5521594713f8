"""Istanbul's own JSON (`coverage-final.json`, `.nyc_output`): statements, each counted where it begins."""

from pathlib import Path
from typing import Any

from donewhen.core.quality.coverage import Covered
from donewhen.verify.quality.coverage.parsing import load_json, number, wrong_form
from donewhen.verify.quality.coverage.tree import HIGHEST_LINE, MOST_FILES, Tree, note

FORM = "istanbul JSON"


def read(data: bytes, root: Path, folder: str = "") -> Covered:
    report = load_json(data, FORM)
    if len(report) > MOST_FILES:
        raise wrong_form(FORM)
    tree = Tree(root, folder)
    hits: dict[str, dict[int, bool]] = {}
    for name, told in report.items():
        if not isinstance(told, dict):
            raise wrong_form(FORM)
        told = told.get("data", told)  # as babel's plugin wraps it
        if not isinstance(told, dict):
            raise wrong_form(FORM)
        places, counts = told.get("statementMap"), told.get("s")
        if not isinstance(places, dict) or not isinstance(counts, dict):
            raise wrong_form(FORM)
        path = tree.find(name)
        if path:
            hits.setdefault(path, {})
            for key, place in places.items():
                note(hits, path, _line(place), bool(number(counts.get(key))))
    return tree.covered(hits, len(report))


def _line(place: Any) -> int:
    start = place.get("start") if isinstance(place, dict) else None
    line = number(start.get("line"), HIGHEST_LINE) if isinstance(start, dict) else None
    if line is None:
        raise wrong_form(FORM)
    return line
