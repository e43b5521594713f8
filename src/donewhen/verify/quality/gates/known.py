"""The tools that gates ask: where each comes from, how old it may be, and the command that brings it.

A table only. A tool that is not listed here is never looked for.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, NamedTuple

Home = Literal["python", "node", "system"]


class Known(NamedTuple):
    """`least` is the oldest version whose flags and output are understood; empty: any."""

    home: Home
    package: str  # as its registry has it
    least: str = ""
    module: str = ""  # `python -m`, where the tool can be started so
    install: str = ""  # where the registry's usual command is not the one
    ours: bool = False  # what it checks is our choice: ours comes first, one too old gives way to another
    in_modules: bool = False  # a system's program that a package of node_modules may bring as well


_KNOWN: dict[str, Known] = {
    "ruff": Known("python", "ruff", "0.1", "ruff"),
    "mypy": Known("python", "mypy", "1.0", "mypy"),
    "lizard": Known("python", "lizard", "1.17", "lizard", ours=True),
    "bandit": Known("python", "bandit", "1.7.5", "bandit"),
    "flake8": Known("python", "flake8", "4.0", "flake8"),
    "pylint": Known("python", "pylint", "2.12", "pylint"),
    "pyright": Known("python", "pyright", "1.1", "pyright"),
    "basedpyright": Known("python", "basedpyright", "1.1", "basedpyright"),
    "ty": Known("python", "ty", "", "ty"),
    "semgrep": Known("python", "semgrep", "1.0"),
    "ast-grep": Known("python", "ast-grep-cli", "0.39", ours=True),
    "tsc": Known("node", "typescript", "4.0"),
    "eslint": Known("node", "eslint", "8.0"),
    "npm": Known("system", "npm", in_modules=True),
    "pnpm": Known("system", "pnpm", install="npm install --global pnpm", in_modules=True),
    "yarn": Known("system", "yarn", install="npm install --global yarn", in_modules=True),
    "bun": Known("system", "bun", install="npm install --global bun", in_modules=True),
    "make": Known("system", "make"),
    "go": Known("system", "go"),
    "golangci-lint": Known(
        "system",
        "golangci-lint",
        install="go install github.com/golangci/golangci-lint/v2/cmd/golangci-lint@latest",
    ),
    "cargo": Known("system", "cargo"),
    "cargo-clippy": Known("system", "cargo-clippy", install="rustup component add clippy"),
}
KNOWN: Mapping[str, Known] = MappingProxyType(_KNOWN)

_INSTALL: Mapping[Home, str] = {
    "python": "python -m pip install {package}",
    "node": "npm install --save-dev {package}",
    "system": "",
}
_UPGRADE: Mapping[Home, str] = {
    "python": "python -m pip install --upgrade '{package}>={least}'",
    "node": "npm install --save-dev '{package}@>={least}'",
    "system": "",
}


def install_of(name: str) -> str:
    """The command that brings a tool; empty where no command does."""
    known = KNOWN[name]
    return known.install or _INSTALL[known.home].format(package=known.package)


def upgrade_of(name: str) -> str:
    known = KNOWN[name]
    return _UPGRADE[known.home].format(package=known.package, least=known.least)
