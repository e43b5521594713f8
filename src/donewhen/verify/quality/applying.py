"""Which gates a change has to pass, and which only advise: one list for `verify`, `run`, sessions and `plan`.

Secrets are always looked for. Another gate is required only where somebody says so: donewhen's own settings,
`--gate`, the promise, or a profile that somebody chose. What the project configures for its tools says which
of them run, and requires nothing. Nothing is run here.
"""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from donewhen.config.sections_verify import Gate as GateConfig
from donewhen.core.checks import Check
from donewhen.core.promise import Promise
from donewhen.verify.quality.gates.own import OwnGate, is_own
from donewhen.verify.quality.gates.table import BUILD, GATES
from donewhen.verify.quality.model import Gate, Planned, Scope

ALWAYS = ("secrets",)
COVERAGE = "coverage"
_APART = ("tests", "integrity", COVERAGE, "secrets")  # no tool of theirs is run by a plan
CHECK = "gate:"  # before the name of a gate, as the id of its check


class Demands(NamedTuple):
    """Who asked for gates: by their settings, by the promise, by the stages of a profile that was chosen."""

    entries: Mapping[str, GateConfig]
    promised: frozenset[str] = frozenset()
    stages: frozenset[str] = frozenset()

    def require(self, name: str, *, configured: bool = False) -> bool:
        """Whether a gate must pass; a profile asks only for what the project has a tool of its own for."""
        entry = self.entries.get(name)
        if name in self.promised or entry is None:
            return name in self.promised or (configured and name in self.stages)
        return entry.required


class Applying(NamedTuple):
    """A gate with what people said about it; `required`: its failure, or that it can't run, blocks."""

    gate: Gate
    config: GateConfig | None
    required: bool

    @property
    def name(self) -> str:
        return self.gate.name

    @property
    def absolute(self) -> bool:
        return self.config is not None and self.config.absolute

    def plan(self, scope: Scope) -> Planned:
        return self.gate.plan(scope._replace(required=self.required))


def promised_gates(promise: Promise) -> frozenset[str]:
    return frozenset(
        check.target for check in promise.checks if check.kind == "quality_gate" and check.required
    )


def applying(demands: Demands, scope: Scope) -> tuple[Applying, ...]:
    """Every gate that has something to look at in this change."""
    return tuple(_all(demands, scope))


def build_of(demands: Demands, scope: Scope, *, staged: bool) -> Applying | None:
    """The project's own build, where the profile has that stage (`staged`) or somebody asks for it."""
    entry = demands.entries.get(BUILD.name)
    required = demands.require(BUILD.name, configured=True)
    if (entry is not None and entry.command) or not (staged or required):
        return None
    found = Applying(BUILD, entry, required)
    planned = found.plan(scope)
    return found if planned.asks or (planned.missing and required) else None


def _all(demands: Demands, scope: Scope) -> Iterator[Applying]:
    for name, gate in GATES.items():
        entry = demands.entries.get(name)
        if name in _APART or (entry is not None and entry.command):
            continue
        found = Applying(gate, entry, demands.require(name))
        planned = found.plan(scope)
        if planned.asks or planned.missing:
            yield found._replace(required=demands.require(name, configured=planned.configured))
    for entry in demands.entries.values():
        if is_own(entry):
            yield Applying(OwnGate(entry), entry, demands.require(entry.name))


def checks_of(names: tuple[str, ...]) -> tuple[Check, ...]:
    """The promise that these gates pass."""
    return tuple(
        Check("quality_gate", name, id=f"{CHECK}{name}", source="quality", by="project") for name in names
    )
