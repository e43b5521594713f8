"""Part of `make check`: how large the code and a base install are.

Files over 400 lines and functions over 50 are listed, as places to look. A base install (no extras) that
grows past its limits is an error: strangers install it.
"""

import ast
import re
import sys
from importlib.metadata import Distribution, distribution
from pathlib import Path

MOST_DISTRIBUTIONS = 25
MOST_MEGABYTES = 60


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


def main() -> int:
    for place in large_places():
        print(f"large: {place}")
    base = base_install()
    total = sum(map(megabytes, base.values()))
    limits = f"at most {MOST_DISTRIBUTIONS} and {MOST_MEGABYTES} MB"
    print(f"base install: {len(base)} distributions, {total:.1f} MB ({limits})")
    return int(len(base) > MOST_DISTRIBUTIONS or total > MOST_MEGABYTES)


if __name__ == "__main__":
    sys.exit(main())
