"""What real tools printed, shortened; made with ruff 0.17, mypy 2.4, pyright 1.1.414, bandit 1.9, lizard 1.24,
ast-grep 0.51, semgrep 1.182, eslint 10, TypeScript 7, cargo 1.95 and go 1.19 in a folder called /proj here.
"""

from pathlib import Path

from donewhen.core.quality.model import Violation
from donewhen.verify.quality.tool_output import reader_of

FOLDER = "/proj"
_SAMPLES = Path(__file__).parent / "samples"


def sample(name: str) -> str:
    return (_SAMPLES / name).read_text(encoding="utf-8")


def read(tool: str, text: str, folder: str = FOLDER) -> tuple[Violation, ...]:
    return reader_of(tool)(text, folder)
