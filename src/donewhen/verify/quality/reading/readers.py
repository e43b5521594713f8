"""All readers by name: those of the tools that gates know, and those that a gate of one's own may declare."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from donewhen.core.quality.model import Violation
from donewhen.verify.quality.reading import (
    astgrep,
    bandit,
    cargo,
    eslint,
    golangci,
    govet,
    junit,
    lizard,
    mypy,
    own_json,
    own_regex,
    pyright,
    ruff,
    sarif,
    semgrep,
    tsc,
)

Reader = Callable[[str, str], tuple[Violation, ...]]

READERS: Mapping[str, Reader] = MappingProxyType(
    {
        "ruff": ruff.read,
        "mypy": mypy.read,
        "pyright": pyright.read,
        "tsc": tsc.read,
        "eslint": eslint.read,
        "lizard": lizard.read,
        "go vet": govet.read,
        "cargo": cargo.read,
        "golangci-lint": golangci.read,
        "bandit": bandit.read,
        "ast-grep": astgrep.read,
        "semgrep": semgrep.read,
        "sarif": sarif.read,
        "junit": junit.read,
        "json": own_json.read,
    }
)


def declared(parser: str, pattern: str | None = None) -> Reader:
    """The reader of a gate of the user's own; `regex` needs its pattern."""
    return own_regex.reading(pattern or "") if parser == "regex" else READERS[parser]
