"""The gate `lint`: the linters that a project configures, and for Python without any, ruff's small set."""

from donewhen.core.texts import Phrase
from donewhen.verify.quality.gates.lint_javascript import javascript_lint
from donewhen.verify.quality.gates.lint_others import go_lint, rust_lint
from donewhen.verify.quality.gates.lint_python import python_lint
from donewhen.verify.quality.gates.parts import planned
from donewhen.verify.quality.gates.project import Project
from donewhen.verify.quality.model import Planned, Scope

_LANGUAGES = (python_lint, javascript_lint, go_lint, rust_lint)


class Lint:
    name = "lint"

    def plan(self, scope: Scope) -> Planned:
        project = Project(scope.root)
        parts = [part for language in _LANGUAGES for part in language(scope, project)]
        return planned(parts, Phrase("gates.no_linter"))
