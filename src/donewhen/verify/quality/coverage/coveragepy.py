"""`coverage json` of coverage.py: executed and missing lines per file; excluded lines are neither."""

from pathlib import Path

from donewhen.core.quality.coverage import Covered
from donewhen.verify.quality.coverage.parsing import load_json, number, wrong_form
from donewhen.verify.quality.coverage.tree import HIGHEST_LINE, MOST_FILES, Tree

FORM = "coverage.py JSON"


def read(data: bytes, root: Path, folder: str = "") -> Covered:
    """What the report says of the tree at `root`; its relative paths start in `folder`."""
    report = load_json(data, FORM)
    meta, files = report.get("meta"), report.get("files")
    if not isinstance(meta, dict) or "version" not in meta or not isinstance(files, dict):
        raise wrong_form(FORM)
    if len(files) > MOST_FILES:
        raise wrong_form(FORM)
    tree = Tree(root, folder)
    hits: dict[str, dict[int, bool]] = {}
    for name, told in files.items():
        if not isinstance(told, dict):
            raise wrong_form(FORM)
        ran, missing = _lines(told.get("executed_lines")), _lines(told.get("missing_lines"))
        path = tree.find(name)
        if path:
            lines = hits.setdefault(path, {})
            lines.update({line: lines.get(line, False) for line in missing})
            lines.update(dict.fromkeys(ran, True))
    return tree.covered(hits, len(files))


def _lines(values: object) -> list[int]:
    if not isinstance(values, list):
        raise wrong_form(FORM)
    lines = [number(value, HIGHEST_LINE) for value in values]
    if None in lines:
        raise wrong_form(FORM)
    return [line for line in lines if line]  # 0 stands for an empty file
