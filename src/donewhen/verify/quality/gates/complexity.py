"""The gate `complexity`: lizard lists every function of the changed files; no threshold is applied here."""

from donewhen.config.sections_verify import Gate as GateConfig
from donewhen.core.quality.scoping import MEASURED, in_languages
from donewhen.core.texts import Phrase
from donewhen.verify.quality.gates.parts import Part, Run, about, planned, present
from donewhen.verify.quality.model import Missing, Planned, Scope
from donewhen.verify.quality.reading import lizard
from donewhen.verify.quality.tools import find

_FLAGS = ("--csv", "--ignore_warnings", "-1")  # its own limits must not decide how it ends


class Complexity:
    name = "complexity"

    def plan(self, scope: Scope, config: GateConfig | None) -> Planned:
        files = present(scope, in_languages(scope.files, *MEASURED))
        return planned([_part(scope, files)] if files else [], config, Phrase("gates.no_files"))


def _part(scope: Scope, files: tuple[str, ...]) -> Part:
    tool = find("lizard", scope, "complexity")
    if isinstance(tool, Missing):
        return Part(missing=(tool,))
    return Part(about(Run(tool, _FLAGS, lizard.read, ok=frozenset((0,))), files))
