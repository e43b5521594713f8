"""Part of `make check`: how large the code and a base install are.

Files over 400 lines and functions over 50 are listed, as places to look. Errors are a room with more lines
than its budget (`budgets.toml`), and a base install (no extras) that grows past its limits.
"""

import ast
import re
import sys
import tomllib
from importlib.metadata import Distribution, distribution
from pathlib import Path

MOST_DISTRIBUTIONS = 25
MOST_MEGABYTES = 60
PROGRAMS = Path("src/donewhen/shell/programs")  # rows, which people add; a budget of their own


def base_install() -> dict[str, Distribution]:
    """donewhen and everything it needs without an extra, as installed here."""
    found: dict[str, Distribution] = {}
    waiting = ["donewhen"]
    while waiting:
        name = waiting.pop()
        if name in found:
            continue
        found[name] = distribution(name)
        needed = [n for n in found[name].requires or [] if "extra ==" not in n and "sys_platform ==" not in n]
        waiting += [re.split(r"[^A-Za-z0-9._-]", line, maxsplit=1)[0].lower() for line in needed]
    return found


def megabytes(dist: Distribution) -> float:
    """Size on disk without compiled bytecode."""
    paths = [Path(str(file.locate())) for file in dist.files or [] if file.suffix != ".pyc"]
    return sum(path.stat().st_size for path in paths if path.is_file()) / 1e6


def large_places() -> list[str]:
    places = []
    for path in sorted(Path("src").rglob("*.py")):
        text = path.read_text()
        if (lines := text.count("\n")) > 400:
            places.append(f"{path}: {lines} lines")
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                length = (node.end_lineno or node.lineno) - node.lineno + 1
                if length > 50:
                    places.append(f"{path}:{node.lineno}: {node.name} has {length} lines")
    return places


def rooms_over_budget() -> list[str]:
    """The rooms with more lines than they may have, or without a budget."""
    budgets = tomllib.loads(Path("scripts/budgets.toml").read_text())
    over = []
    tables = 0
    for room in sorted(path for path in Path("src/donewhen").iterdir() if (path / "__init__.py").is_file()):
        lines = 0
        for path in room.rglob("*"):
            if not path.is_file() or path.parent.name == "__pycache__":
                continue
            count = path.read_bytes().count(b"\n")
            tables += count if PROGRAMS in path.parents else 0
            lines += count if PROGRAMS not in path.parents else 0
        if lines > budgets.get(room.name, 0):
            over.append(f"{room}: {lines} lines, at most {budgets.get(room.name, 0)} (scripts/budgets.toml)")
    if tables > budgets["programs"]:
        over.append(f"{PROGRAMS}: {tables} lines, at most {budgets['programs']} (scripts/budgets.toml)")
    return over


def main() -> int:
    for place in large_places():
        print(f"large: {place}")
    over = rooms_over_budget()
    for room in over:
        print(f"over budget: {room}")
    base = base_install()
    total = sum(map(megabytes, base.values()))
    limits = f"at most {MOST_DISTRIBUTIONS} and {MOST_MEGABYTES} MB"
    print(f"base install: {len(base)} distributions, {total:.1f} MB ({limits})")
    return int(bool(over) or len(base) > MOST_DISTRIBUTIONS or total > MOST_MEGABYTES)


if __name__ == "__main__":
    sys.exit(main())
