"""The gate `complexity`: lizard lists every function of the changed files; no threshold is applied here.

lizard obeys comments that excuse a function or end a file. Ours is started so that it does not.
"""

import sys
from pathlib import Path

from donewhen.core.quality.scoping import MEASURED
from donewhen.core.texts import Phrase
from donewhen.verify.quality.gates import lizard_strict
from donewhen.verify.quality.gates.parts import Part, Run, about, planned, sources
from donewhen.verify.quality.model import Missing, Planned, Scope
from donewhen.verify.quality.reading import lizard
from donewhen.verify.quality.tools import find

_FLAGS = ("--csv", "--ignore_warnings", "-1")  # its own limits must not decide how it ends
_STRICT = str(Path(lizard_strict.__file__))


class Complexity:
    name = "complexity"

    def plan(self, scope: Scope) -> Planned:
        files = sources(scope, *MEASURED)
        return planned([_part(scope, files)] if files else [], Phrase("gates.no_files"))


def _part(scope: Scope, files: tuple[str, ...]) -> Part:
    tool = find("lizard", scope, "complexity")
    if isinstance(tool, Missing):
        return Part(missing=(tool,))
    if tool.origin == "ours":
        tool = tool._replace(argv=(sys.executable, "-P", _STRICT))
    return Part(about(Run(tool, _FLAGS, lizard.read, ok=frozenset((0,))), files))
