"""Which gates a change has to pass, and which only have something to say.

Secrets are always looked for. The others are required where the configuration lists them or the project
configures their tool itself; otherwise they warn. Nothing is run here.
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import NamedTuple

from donewhen.config.sections_verify import Gate as GateConfig
from donewhen.core.checks import Check
from donewhen.verify.quality.gates.own import OwnGate, is_own
from donewhen.verify.quality.gates.table import GATES
from donewhen.verify.quality.model import Gate, Planned, Scope

ALWAYS = ("secrets",)
COVERAGE = "coverage"
_APART = ("tests", "integrity", COVERAGE, "secrets")  # no tool of theirs is run by a plan
CHECK = "gate:"  # before the name of a gate, as the id of its check


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


def applying(
    entries: Mapping[str, GateConfig],
    scope: Scope,
    promised: Collection[str] = (),
    before: Callable[[Gate], bool] = lambda gate: False,
) -> tuple[Applying, ...]:
    """Every gate that has something to look at in this change.

    `entries`: those that the settings list. `promised`: required by the promise itself. `before`: whether the
    project configured a gate at the base; that it no longer does excuses nothing.
    """
    found = _all(entries, scope, before)
    return tuple(each._replace(required=each.required or each.name in promised) for each in found)


def _all(
    entries: Mapping[str, GateConfig], scope: Scope, before: Callable[[Gate], bool]
) -> Iterator[Applying]:
    for name, gate in GATES.items():
        entry = entries.get(name)
        if name in _APART or (entry is not None and entry.command):
            continue
        planned = gate.plan(scope, entry)
        was = entry is None and not planned.configured and before(gate)
        if planned.asks or planned.missing or was:
            yield Applying(gate, entry, was or _is_required(entry, planned))
    for entry in entries.values():
        if is_own(entry):
            yield Applying(OwnGate(entry), entry, entry.required)


def _is_required(entry: GateConfig | None, planned: Planned) -> bool:
    return entry.required if entry is not None else planned.configured


def checks_of(names: tuple[str, ...]) -> tuple[Check, ...]:
    """The promise that these gates pass."""
    return tuple(
        Check("quality_gate", name, id=f"{CHECK}{name}", source="quality", by="project") for name in names
    )
