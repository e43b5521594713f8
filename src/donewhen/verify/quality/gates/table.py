"""Every gate that a plan exists for, in the order in which people read their results.

`build` stands apart: it writes, so it runs only where somebody asked for it.
"""

from collections.abc import Mapping
from types import MappingProxyType

from donewhen.verify.quality.gates.build import Build
from donewhen.verify.quality.gates.complexity import Complexity
from donewhen.verify.quality.gates.lint import Lint
from donewhen.verify.quality.gates.secrets import Secrets
from donewhen.verify.quality.gates.security import Security
from donewhen.verify.quality.gates.types import Types
from donewhen.verify.quality.model import Gate

_ALL: tuple[Gate, ...] = (Complexity(), Types(), Security(), Secrets(), Lint())
GATES: Mapping[str, Gate] = MappingProxyType({gate.name: gate for gate in _ALL})
BUILD: Gate = Build()
