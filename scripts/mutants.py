"""Does a test notice when a rule of the gate changes? Changes one thing at a time and runs the gate's tests.

Usage: python scripts/mutants.py [MODULE …]. Every comparison is turned round, every condition negated, every
`and` and `or` swapped, every number moved by one and every constant result inverted, in a copy of the
package. A mutant that no test catches survives and is listed: look at each whether it changes a decision or
only a sentence.
"""

import ast
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).parents[1]
MODULES = (
    "gate judging fulfilment deliverables scope tally verdicts outcome freshness course aborting revising"
).split()
TESTS = [
    "tests/core/test_gate.py",
    "tests/core/test_gate_rules.py",
    "tests/core/test_checks.py",
    "tests/run/test_story.py",
    "tests/run/test_story_attacks.py",
]
_SWAPS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}


def variants(node: ast.AST) -> Iterator[str]:
    """What can be changed about one node; applied by `apply`."""
    if isinstance(node, ast.Compare):
        yield from (f"compare{number}" for number, op in enumerate(node.ops) if type(op) in _SWAPS)
    elif isinstance(node, ast.BoolOp):
        yield "and-or"
        yield from (f"drop{number}" for number in range(len(node.values)))
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield "not"
    elif isinstance(node, ast.If | ast.IfExp):
        yield "negate"
    elif isinstance(node, ast.Constant) and type(node.value) in (bool, int):
        yield "constant"


def apply(node: ast.AST, change: str) -> None:
    if isinstance(node, ast.Compare):
        place = int(change.removeprefix("compare"))
        node.ops[place] = _SWAPS[type(node.ops[place])]()
    elif isinstance(node, ast.BoolOp) and change == "and-or":
        node.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
    elif isinstance(node, ast.BoolOp):
        del node.values[int(change.removeprefix("drop"))]
    elif isinstance(node, ast.UnaryOp):
        node.op = ast.UAdd()
        node.operand = ast.Call(ast.Name("bool", ast.Load()), [node.operand], [])
    elif isinstance(node, ast.If | ast.IfExp):
        node.test = ast.UnaryOp(ast.Not(), node.test)
    elif isinstance(node, ast.Constant):
        node.value = not node.value if isinstance(node.value, bool) else node.value + 1  # type: ignore[operator]


def mutants(path: Path) -> Iterator[tuple[str, str]]:
    """(name, text) of every changed module."""
    source = path.read_text()
    for number, original in enumerate(ast.walk(ast.parse(source))):
        for change in variants(original):
            tree = ast.parse(source)
            node = next(node for place, node in enumerate(ast.walk(tree)) if place == number)
            apply(node, change)
            line = source.splitlines()[getattr(original, "lineno", 1) - 1].strip()
            place = f"{path.stem}:{getattr(original, 'lineno', 0)}:{getattr(original, 'col_offset', 0)}"
            yield f"{place} {change}: {line}", ast.unparse(ast.fix_missing_locations(tree))


def survives(module: Path, text: str, folder: Path) -> bool:
    copy = folder / module.relative_to(ROOT)
    kept = copy.read_text()
    copy.write_text(text)
    try:
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:xdist", *TESTS],
            cwd=folder,
            env=os.environ | {"PYTHONPATH": f"{folder}/src", "PYTHONDONTWRITEBYTECODE": "1"},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=600,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return False
    finally:
        copy.write_text(kept)
    return done.returncode == 0


def work(folder: Path, share: list[tuple[Path, str, str]]) -> list[str]:
    return [name for module, name, text in share if survives(module, text, folder)]


def main() -> int:
    names = sys.argv[1:] or MODULES
    jobs = [
        (path, name, text)
        for path in (ROOT / "src/donewhen/core" / f"{name}.py" for name in names)
        for name, text in mutants(path)
    ]
    workers = os.cpu_count() or 1
    with tempfile.TemporaryDirectory() as parent, ThreadPoolExecutor(workers) as pool:
        folders = [Path(parent) / str(number) for number in range(workers)]
        for folder in folders:
            for part in ("src", "tests", "pyproject.toml", "README.md"):
                source = ROOT / part
                shutil.copytree(source, folder / part) if source.is_dir() else shutil.copy(source, folder)
        shares = [pool.submit(work, folder, jobs[n::workers]) for n, folder in enumerate(folders)]
        survivors = sorted(name for share in shares for name in share.result())
    for name in survivors:
        print(name)
    print(f"{len(jobs)} mutants, {len(survivors)} not noticed")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
