"""Which gates a change has to pass, and which only advise: one list for `verify`, `run`, sessions and `plan`.

Secrets are always looked for. Another gate is required only where somebody says so: donewhen's own settings,
`--gate`, the promise, or a profile that somebody chose. What the project configures for its tools says which
of them run, and requires nothing. Nothing is run here.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from donewhen.config import Loaded
from donewhen.config.sections_verify import Gate as GateConfig
from donewhen.config.sections_verify import Thresholds
from donewhen.core.checks import Check
from donewhen.core.errors import SetupError, UserError
from donewhen.core.integrity.roles import exam_side
from donewhen.core.promise import Promise
from donewhen.core.quality.coverage import family_of
from donewhen.core.texts import Language, Phrase
from donewhen.verify.change import Rules, profile_for
from donewhen.verify.quality.gates import BUILD, GATES, OwnGate, is_own
from donewhen.verify.quality.model import Gate, Planned, Scope
from donewhen.workspace.git.repository import find_repository
from donewhen.workspace.git.runner import names

ALWAYS = ("secrets",)
COVERAGE = "coverage"
CHECK = "gate:"  # before the name of a gate, as the id of its check
_ORDER = ("build", "types", "lint", "complexity", "security", "secrets", COVERAGE)
_MOST = 2000  # files that stand for all of their kind in a folder


class Demands(NamedTuple):
    """Who asked for gates: by their settings, by the promise, by the stages of a profile that was chosen."""

    entries: Mapping[str, GateConfig]
    promised: frozenset[str] = frozenset()
    stages: frozenset[str] = frozenset()

    def ask_for(self, name: str) -> bool:
        return name in self.entries or name in self.promised

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

    @property
    def is_bare(self) -> bool:
        """Whether it is judged by its exit code alone."""
        return self.gate is BUILD or (isinstance(self.gate, OwnGate) and self.gate.entry.parser is None)

    def plan(self, scope: Scope) -> Planned:
        return self.gate.plan(scope._replace(required=self.required))


def demands_of(rules: Rules, promise: Promise, stages: frozenset[str]) -> Demands:
    """By the settings that hold, and nothing weaker than what the base's already asked."""
    found = {gate.name: gate for gate in rules.config.verification.quality.gates}
    for then in rules.also.verification.quality.gates if rules.also else ():
        now = found.setdefault(then.name, then)
        if not now.command:
            stricter = {"required": now.required or then.required, "absolute": now.absolute or then.absolute}
            found[then.name] = now.model_copy(update=stricter)
    checks = (check for check in promise.checks if check.kind == "quality_gate" and check.required)
    return Demands(found, frozenset(check.target for check in checks), stages)


def thresholds_of(rules: Rules) -> Thresholds:
    told = [each.verification.quality.thresholds for each in (rules.config, rules.also) if each]
    return Thresholds(
        coverage=max(each.coverage for each in told), complexity=min(each.complexity for each in told)
    )


def applying(demands: Demands, scope: Scope) -> Iterator[Applying]:
    """Every gate that has something to look at in this change."""
    for name, gate in GATES.items():
        entry = demands.entries.get(name)
        if entry is None or not entry.command:
            found = Applying(gate, entry, demands.require(name))
            planned = found.plan(scope)
            if planned.asks or planned.missing:
                yield found._replace(required=demands.require(name, configured=planned.configured))
    for entry in demands.entries.values():
        if is_own(entry):
            yield Applying(OwnGate(entry), entry, demands.require(entry.name))


def build_of(demands: Demands, scope: Scope, *, staged: bool) -> Applying | None:
    """The project's own build, where the profile has that stage (`staged`) or somebody asks for it."""
    entry = demands.entries.get(BUILD.name)
    required = demands.require(BUILD.name, configured=True)
    if (entry is not None and entry.command) or not (staged or required):
        return None
    found = Applying(BUILD, entry, required)
    planned = found.plan(scope)
    return found if planned.asks or (planned.missing and required) else None


def checks_of(gates: tuple[str, ...]) -> tuple[Check, ...]:
    """The promise that these gates pass."""
    return tuple(
        Check("quality_gate", name, id=f"{CHECK}{name}", source="quality", by="project") for name in gates
    )


def order_of(gate: str) -> int:
    """As people read results; gates of the user's own last."""
    return _ORDER.index(gate) if gate in _ORDER else len(_ORDER)


class PlannedGate(NamedTuple):
    name: str
    required: bool
    tool: str = ""  # that would be asked
    missing: Phrase | None = None  # why none can be


def planned_gates(
    folder: Path, env: Mapping[str, str], loaded: Loaded, promise: Promise, language: Language
) -> tuple[PlannedGate, ...]:
    """What would be asked about a change anywhere in the project; none where there is no repository."""
    try:
        repository = find_repository(folder, env)
    except (SetupError, UserError):
        return ()
    rules, quality = Rules(loaded), loaded.config.verification.quality
    kinds: dict[
        tuple[str, str], str
    ] = {}  # one file of each ending in each folder: tools are chosen by no more
    for path in names(repository.git().attempt("ls-files", "-z").out):
        kinds.setdefault((path.rpartition("/")[0], path.rpartition(".")[2]), path)
    files = tuple(sorted(kinds.values())[:_MOST])
    profile = profile_for("", rules, files)
    demands = demands_of(rules, promise, profile.required)
    scope = Scope(repository.root, files, env=env, thresholds=quality.thresholds)
    build = build_of(demands, scope, staged=profile.has("build"))
    found: list[PlannedGate] = []
    for gate in (*((build,) if build else ()), *applying(demands, scope)):
        planned = gate.plan(scope)
        tools = dict.fromkeys(ask.tool.called(language) for ask in planned.asks)
        missing = planned.missing[0].why if planned.missing and (gate.required or not tools) else None
        found.append(PlannedGate(gate.name, gate.required, ", ".join(tools), missing))
    if demands.ask_for(COVERAGE) and any(family_of(path) and not exam_side(path) for path in files):
        found.append(PlannedGate(COVERAGE, demands.require(COVERAGE)))
    if not quality.enabled:
        found = [each for each in found if each.name in demands.promised]
    found += [PlannedGate(name, required=True) for name in ALWAYS]
    return tuple(sorted(found, key=lambda each: order_of(each.name)))
