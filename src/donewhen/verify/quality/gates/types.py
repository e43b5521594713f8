"""The gate `types`: each language's own checker, the project's choice first."""

from donewhen.core.texts import Phrase
from donewhen.verify.quality.gates.parts import planned
from donewhen.verify.quality.gates.project import Project
from donewhen.verify.quality.gates.types_others import go_types, rust_types
from donewhen.verify.quality.gates.types_python import python_types
from donewhen.verify.quality.gates.types_typescript import typescript_types
from donewhen.verify.quality.model import Planned, Scope

_LANGUAGES = (python_types, typescript_types, go_types, rust_types)


class Types:
    name = "types"

    def plan(self, scope: Scope) -> Planned:
        project = Project(scope.root)
        parts = [part for language in _LANGUAGES for part in language(scope, project)]
        return planned(parts, Phrase("gates.no_types"))
