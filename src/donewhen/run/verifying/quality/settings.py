"""Settings of tools that a change touches: it must not be judged by rules that it loosened itself.

What was configured at the base is required as it was then; and where a gate passes now, it is asked once more
with the base's settings. What the goal or a permit allows is allowed.
"""

import re
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path

from donewhen.core.integrity.finding import found
from donewhen.core.integrity.permits import permit
from donewhen.core.texts import Phrase
from donewhen.run.verifying.inspecting import GitTree
from donewhen.verify.integrity.inspecting import Asked as People
from donewhen.verify.quality.model import Gate, Scope

RULE = "ignores-spread"
_NAMES = frozenset(
    """pyproject.toml setup.cfg tox.ini mypy.ini .mypy.ini ruff.toml .ruff.toml ty.toml pyrightconfig.json
    .flake8 .pylintrc pylintrc .bandit bandit.yaml bandit.yml .coveragerc package.json .eslintignore
    .golangci.yml .golangci.yaml .golangci.toml .golangci.json clippy.toml .clippy.toml Cargo.toml
    .semgrep.yml .semgrep.yaml .semgrepignore sgconfig.yml biome.json""".split()
)
_FORMS = re.compile(r"tsconfig[\w.-]{0,60}\.json|\.eslintrc(?:\.\w{1,5})?|eslint\.config\.\w{1,5}")
_MOST = 200
_LARGEST = 256 * 1024


def settings_in(paths: Iterable[str]) -> tuple[str, ...]:
    """Those that tell a tool what to look at."""
    names = ((path, path.rpartition("/")[2]) for path in paths)
    return tuple(sorted(path for path, name in names if name in _NAMES or _FORMS.fullmatch(name)))


def configured_before(gate: Gate, base: GitTree, settings: Sequence[str], files: Sequence[str]) -> bool:
    """Whether the project configured the gate's tool at the base; only its settings are laid out."""
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        wanted = {*settings, *(path for path in base.paths() if "/" not in path and settings_in((path,)))}
        for path, data in base.read(sorted(wanted)[:_MOST]).items():
            _lay(root, path, data[:_LARGEST])
        for path in files[:_MOST]:
            _lay(root, path, b"")
        return gate.plan(Scope(root, tuple(files[:_MOST])), None).configured


def _lay(root: Path, path: str, data: bytes) -> None:
    file = root / path
    if ".." in Path(path).parts or file.exists():
        return
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(data)


def are_permitted(settings: Sequence[str], asked: People) -> bool:
    """Whether people allow that these say something else now."""
    findings = [
        found(RULE, path, 0, message=Phrase("quality.settings_changed", {"path": path})) for path in settings
    ]
    judged = permit(findings, goal=asked.goal, permits=asked.permits)
    return all(finding.permitted is not None for finding in judged)
