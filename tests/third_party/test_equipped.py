"""Projects that are well equipped by themselves: their own tools, from the registries, judge an honest change.

Each has a linter, a type checker and a required measure of coverage in an environment of its own beside the
sources. A new function with its test passes all of them where the project has them, and nothing is left over.
"""

import shutil
import subprocess
import sys
from pathlib import Path
from types import MappingProxyType

import pytest

from tests.helpers import Cli
from tests.projects import git
from tests.third_party.honest import Work

pytestmark = [pytest.mark.gates, pytest.mark.timeout(900)]

PYPROJECT = """\
[build-system]
requires = ["setuptools"]
build-backend = "setuptools.build_meta"

[project]
name = "shop"
version = "1"

[tool.ruff.lint]
select = ["E", "F", "B", "I", "UP"]

[tool.mypy]
strict = true
warn_unused_configs = true

[[tool.mypy.overrides]]
module = "legacy.*"
ignore_errors = true

[tool.pytest.ini_options]
addopts = "--cov=shop --cov-report=term-missing{branch}"
testpaths = ["tests"]

[tool.coverage.report]
fail_under = 90
"""
PYTHON = MappingProxyType(
    {
        ".gitignore": ".venv/\n__pycache__/\n*.egg-info/\n.coverage\n.pytest_cache/\n",
        "src/shop/__init__.py": "",
        "src/shop/cart.py": "def total(prices: list[int]) -> int:\n    return sum(prices)\n",
        "tests/test_cart.py": """\
from shop import cart


def test_total() -> None:
    assert cart.total([1, 2]) == 3
""",
    }
)
PYTHON_WORK = Work(
    "src/shop/cart.py",
    """

def mean(prices: list[int]) -> float:
    if not prices:
        return 0.0
    return total(prices) / len(prices)
""",
    "tests/test_cart.py",
    """

def test_mean() -> None:
    assert cart.mean([]) == 0.0
    assert cart.mean([1, 3]) == 2.0
""",
)
NODE = MappingProxyType(
    {
        ".gitignore": "node_modules/\ndist/\ncoverage/\n",
        "package.json": '{"name": "shop", "version": "1.0.0", "type": "module", "private": true,'
        ' "scripts": {"test": "vitest run", "build": "tsc -p tsconfig.build.json"}}\n',
        "tsconfig.json": '{"compilerOptions": {"target": "ES2022", "module": "NodeNext", "strict": true,'
        ' "noEmit": true, "skipLibCheck": true}, "include": ["src", "test"]}\n',
        "tsconfig.build.json": '{"extends": "./tsconfig.json", "include": ["src"],'
        ' "compilerOptions": {"noEmit": false, "outDir": "dist"}}\n',
        "eslint.config.js": "import ts from 'typescript-eslint';\n\n"
        "export default ts.config({ ignores: ['dist'] }, ...ts.configs.recommended);\n",
        "src/cart.ts": "export function total(prices: number[]): number {\n"
        "  return prices.reduce((a, b) => a + b, 0);\n}\n",
        "test/cart.test.ts": """\
import { expect, test } from 'vitest';
import * as cart from '../src/cart.js';

test('total', () => {
  expect(cart.total([1, 2])).toBe(3);
});
""",
    }
)
NODE_WORK = Work(
    "src/cart.ts",
    """
export function mean(prices: number[]): number {
  if (prices.length === 0) return 0;
  return total(prices) / prices.length;
}
""",
    "test/cart.test.ts",
    """
test('mean', () => {
  expect(cart.mean([])).toBe(0);
  expect(cart.mean([1, 3])).toBe(2);
});
""",
)


def laid(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)


def installed(root: Path, *words: str) -> None:
    done = subprocess.run(words, cwd=root, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"can't be installed: {done.stderr.strip().splitlines()[-1:]}")


def committed(root: Path) -> None:
    git(root, "init", "-q", "-b", "main")
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "as it was")


def passes_everything(cli: Cli, root: Path, work: Work, gates: set[str]) -> None:
    assert cli("verify", "--json", cwd=root).exit == 0
    work.do(root)
    before = git(root, "status", "--porcelain", "--ignored")
    done = cli("verify", "--json", cwd=root)
    assert done.exit == 0, done.out[-3000:] + done.err[-2000:]
    assert done.json["environment"]["place"] == "in_place"
    verdicts = {gate["gate"]: gate["verdict"] for gate in done.json["gates"]}
    assert verdicts == {"semantic": "skipped", **dict.fromkeys(gates, "passed")}
    assert {each["rule"] for each in done.json["feedback"]} == {"semantic"}
    assert git(root, "status", "--porcelain", "--ignored") == before
    again = cli("verify", "--json", cwd=root)
    assert again.exit == 0
    ran = [gate["gate"] for gate in done.json["gates"] if gate["duration_ms"]]
    kept = [gate["gate"] for gate in again.json["gates"] if gate["cached"]]
    assert ran
    assert set(ran) <= set(kept)


@pytest.mark.parametrize("branch", ["", " --cov-branch"], ids=["lines", "branches"])
def test_python_with_its_own_environment(cli: Cli, branch):
    root = cli.folder / "shop"
    laid(root, {**PYTHON, "pyproject.toml": PYPROJECT.replace("{branch}", branch)})
    subprocess.run([sys.executable, "-m", "venv", root / ".venv"], check=True)
    pip = (str(root / ".venv/bin/python"), "-m", "pip", "install", "--quiet")
    installed(root, *pip, "-e", ".", "pytest", "pytest-cov", "mypy", "ruff")
    committed(root)
    tools = {"types", "lint", "complexity", "security", "secrets", "coverage"}
    passes_everything(cli, root, PYTHON_WORK, tools)


def test_typescript_with_its_own_environment(cli: Cli):
    if not shutil.which("npm"):
        pytest.skip("npm is not installed")
    root = cli.folder / "shop"
    laid(root, dict(NODE))
    packages = ("typescript@5", "eslint@9", "typescript-eslint@8", "vitest@3", "@vitest/coverage-v8@3")
    installed(root, "npm", "install", "--save-dev", "--no-audit", "--no-fund", *packages)
    committed(root)
    tools = {"build", "types", "lint", "complexity", "security", "secrets", "coverage"}
    passes_everything(cli, root, NODE_WORK, tools)
