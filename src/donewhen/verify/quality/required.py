"""Which gates look at a change, which of them it has to pass, and what they see of it. Nothing is run here.

One list for `verify`, `run`, sessions and `plan`. Secrets are always looked for. Another gate is required
only where somebody says so: donewhen's own settings, `--gate`, the promise, or a profile that somebody chose.
What the project configures for its tools says which of them run, and requires nothing.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from donewhen.config import Loaded
from donewhen.config.sections_verify import Gate as GateConfig
from donewhen.config.sections_verify import Thresholds
from donewhen.core.checks import Check
from donewhen.core.errors import SetupError, UserError
from donewhen.core.profiles import Applied
from donewhen.core.promise import Promise
from donewhen.core.quality.coverage import family_of
from donewhen.core.quality.lines import changed_lines
from donewhen.core.quality.model import GateResult, Unreadable
from donewhen.core.quality.newness import Origin, origins_of
from donewhen.core.texts import Language, Phrase
from donewhen.intake.planning import profile_for
from donewhen.intake.verifiers import verifiers_of
from donewhen.project.languages import foreign_as, left_out
from donewhen.project.roles import exam_side
from donewhen.project.tools import Scope
from donewhen.secrets.adding import is_credential_file
from donewhen.verify.change import Rules
from donewhen.verify.quality.gates import BUILD, GATES, is_own, own_gate
from donewhen.verify.quality.kept import Kept, key_of
from donewhen.verify.quality.model import Gate, Planned
from donewhen.verify.quality.secrets import BASELINE, Credentials, secrets_in, with_doubt
from donewhen.workspace.git.repository import find_repository
from donewhen.workspace.git.runner import names

if TYPE_CHECKING:
    from donewhen.verify.change import Looked, Means

ALWAYS = ("secrets",)
COVERAGE = "coverage"
CHECK = "gate:"  # before the name of a gate, as the id of its check
_ORDER = ("build", "types", "lint", "complexity", "security", "secrets", COVERAGE)
_ASKS = 1  # results of the form before this one know no doubt
_MOST = 2000  # files that stand for all of their kind in a folder


class Demands(NamedTuple):
    """Who asked for gates: by their settings, by the promise, by the stages of a profile that was chosen."""

    entries: Mapping[str, GateConfig]
    promised: frozenset[str]
    profile: Applied
    enabled: bool
    verifiers: Mapping[str, GateConfig] = {}  # that the promise asks for, whose command is not a gate's

    def ask_for(self, name: str) -> bool:
        return name in self.promised or (self.enabled and name in self.entries)

    def require(self, name: str, *, configured: bool = False) -> bool:
        """Whether a gate must pass; a profile asks only for what the project has a tool of its own for."""
        entry = self.entries.get(name)
        if name in self.promised or entry is None:
            return name in self.promised or (configured and name in self.profile.required)
        return entry.required

    def gates(self, scope: Scope) -> Iterator["Applying"]:
        """Every gate that has something to look at in this change."""
        for name, gate in GATES.items() if self.enabled or self.promised else ():
            entry = self.entries.get(name)
            found = Applying(gate, entry, self.require(name))
            wanted = self.enabled and self.profile.runs(name)
            if (entry is None or not entry.command) and (wanted or self.ask_for(name)):
                planned = found.plan(scope)
                required = self.require(name, configured=planned.configured)
                if planned.asks or planned.missing:
                    yield found._replace(required=required)
        for entry in self.entries.values():
            if is_own(entry) and (self.enabled or entry.name in self.promised):
                yield Applying(own_gate(entry), entry, self.require(entry.name))
        for name, entry in self.verifiers.items():
            yield Applying(own_gate(entry), entry, name in self.promised)

    def build(self, scope: Scope) -> "Applying | None":
        """The project's own build, where the profile has that stage or somebody asks for it."""
        entry = self.entries.get(BUILD.name)
        required = self.require(BUILD.name, configured=True)
        if (entry is not None and entry.command) or not (self.profile.has("build") or required):
            return None
        found = Applying(BUILD, entry, required)
        planned = found.plan(scope)
        return found if planned.asks or (planned.missing and required) else None


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
        return self.gate is BUILD or (self.gate.own is not None and self.gate.own.parser is None)

    def plan(self, scope: Scope) -> Planned:
        return self.gate.plan(scope._replace(required=self.required))


def demands_of(rules: Rules, promise: Promise, applied: Applied) -> Demands:
    """By the settings that hold, and nothing weaker than what the base's already asked."""
    found = {gate.name: gate for gate in rules.config.verification.quality.gates}
    for then in rules.also.verification.quality.gates if rules.also else ():
        now = found.setdefault(then.name, then)
        if not now.command:
            stricter = {"required": now.required or then.required, "absolute": now.absolute or then.absolute}
            found[then.name] = now.model_copy(update=stricter)
    asked = {check.verifier for check in promise.checks}
    promised = frozenset(check.verifier for check in promise.checks if check.required) - {""}
    verifiers = {
        name: gate for name, gate in verifiers_of(rules.config).items() if name in asked - set(found)
    }
    return Demands(found, promised, applied, rules.config.verification.quality.enabled, verifiers)


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
    demands = demands_of(rules, promise, profile_for(loaded, files))
    scope = Scope(repository.root, files, env=env)
    wanted = quality.enabled or BUILD.name in demands.promised
    build = demands.build(scope) if wanted else None
    found: list[PlannedGate] = []
    for gate in (*((build,) if build else ()), *demands.gates(scope)):
        planned = gate.plan(scope)
        tools = dict.fromkeys(ask.tool.called(language) for ask in planned.asks)
        missing = planned.missing[0].why if planned.missing and (gate.required or not tools) else None
        found.append(PlannedGate(gate.name, gate.required, ", ".join(tools), missing))
    if demands.ask_for(COVERAGE) and _has_source(files):
        found.append(PlannedGate(COVERAGE, demands.require(COVERAGE)))
    found += [PlannedGate(name, required=True) for name in ALWAYS]
    return tuple(sorted(found, key=lambda each: order_of(each.name)))


def _has_source(files: Sequence[str]) -> bool:
    """Whether there is source that can be measured."""
    return any(family_of(path) and not exam_side(path) for path in files)


class Coverage(NamedTuple):
    required: bool
    absolute: bool = False


class Wishes:
    """One change as all gates see it; what only some need is worked out when it is asked for."""

    def __init__(self, looked: "Looked", means: "Means") -> None:
        self._looked = looked
        self._means = means
        self.trees = (looked.fingerprints.tree(looked.change.base.commit), looked.change.fingerprint.tree)
        told = [
            each.verification.quality.thresholds for each in (looked.rules.config, looked.rules.also) if each
        ]
        self.thresholds = Thresholds(
            coverage=max(each.coverage for each in told), complexity=min(each.complexity for each in told)
        )

    @cached_property
    def diff(self) -> str:
        return self._looked.fingerprints.diff(*self.trees)

    @cached_property
    def origins(self) -> Mapping[str, Origin]:
        return origins_of(self.diff)

    @cached_property
    def lines(self) -> Mapping[str, frozenset[int]]:
        return changed_lines(self.diff)

    @cached_property
    def files(self) -> tuple[str, ...]:
        return tuple(sorted(p for p, kind in self._looked.change.changed.items() if kind != "deleted"))

    @cached_property
    def _demands(self) -> Demands:
        looked = self._looked
        return demands_of(looked.rules, looked.judged.plan.promise, looked.profile)

    @cached_property
    def gates(self) -> tuple[Applying, ...]:
        if not self._looked.change.changed:
            return ()
        return tuple(self._demands.gates(self.scope(self._looked.repository.root)))

    @cached_property
    def build(self) -> Applying | None:
        """The project's own build, where source changed and the exam does not build itself."""
        built = any("build" in entry.argv[1:] for entry in self._looked.judged.entries)
        if built or not _has_source(self.files) or not self.gates:
            return None
        return self._demands.build(self.scope(self._looked.repository.root))

    @cached_property
    def coverage(self) -> Coverage | None:
        """Where somebody asks for it, source changed and there are tests to run."""
        entry = self._demands.entries.get(COVERAGE)
        asked = self._demands.ask_for(COVERAGE) and not (entry and entry.command)
        if not asked or not _has_source(self.files) or not self._looked.judged.entries:
            return None
        return Coverage(self._demands.require(COVERAGE), entry is not None and entry.absolute)

    def checks(self) -> tuple[Check, ...]:
        """The promise that what is required will pass."""
        if not self._looked.change.changed:
            return ()
        gates = (*([self.build] if self.build else []), *self.gates)
        required = [gate.name for gate in gates if gate.required]
        required += [COVERAGE] if self.coverage and self.coverage.required else []
        return checks_of((*ALWAYS, *required))

    def scope(self, root: Path, path: tuple[str, ...] = (), *, base: bool = False) -> Scope:
        """The change as a tree at `root` has it; `base`: as it was there before.

        With the files that only the change has: because of them a tool looks at everything.
        """
        known = [self.origins.get(file, Origin(file)).base for file in self.files] if base else []
        files = tuple(sorted({file for file in (*known, *self.files) if file}))
        scope = Scope(root, files, path, self._means.env, self.caches)
        return scope._replace(fresh=self._fresh)

    @cached_property
    def _fresh(self) -> frozenset[str]:
        """Added files whose folder the base did not have: nobody generated or vendored there before."""
        added = [path for path, kind in self._looked.change.changed.items() if kind == "added"]
        doubtful = [path for path in added if foreign_as(path)]
        entries = self._looked.fingerprints.entries(self.trees[0]) if doubtful else ()
        folders = {path.rpartition("/")[0] for path in entries}
        return frozenset(path for path in doubtful if path.rpartition("/")[0] not in folders)

    def left_out(self) -> tuple[Phrase, ...]:
        """What no gate looked at although it is source, a sentence for all of it."""
        found = left_out(self._looked.repository.root, self.files, self._fresh)
        if not found:
            return ()
        shown = ", ".join(path for path, _ in found[:5])
        return (Phrase("quality.left_out", {"count": len(found), "paths": shown, "why": found[0][1]}),)

    @property
    def caches(self) -> Path:
        return self._looked.places.scratch / "gates"

    def secrets(self, kept: Kept) -> GateResult:
        """Always looked for, in every line that the change adds; by the base's list of what is none."""
        credentials = Credentials(self._looked, self._means.env, self._means.language)
        key = key_of(
            ALWAYS[0], _ASKS, *self.trees, self._means.language, credentials.marks, credentials.patterns
        )
        known = kept.read(key)
        if known is None:
            known = self._secrets(credentials)
            kept.write(key, known)
        return known

    def _secrets(self, credentials: Credentials) -> GateResult:
        result = GateResult(ALWAYS[0], "passed", required=True, tool="detect-secrets", files=len(self.files))
        added = [path for path, kind in self._looked.change.changed.items() if kind == "added"]
        new = (path for path in added if not self._was_credential(path, credentials.patterns))
        try:
            data = self._looked.fingerprints.content(self.trees[0], BASELINE) or b""
            found = (
                *secrets_in(self.diff, data.decode(errors="replace"), self._means.language),
                *credentials.added(new, self.trees[1]),
                *credentials.leaked(self.diff),
            )
        except Unreadable as error:
            return result._replace(verdict="could_not_run", why=Phrase(error.key, error.values))
        violations = tuple(map(with_doubt, found))
        failed = any(each.severity == "error" for each in violations)
        return result._replace(verdict="failed" if failed else "passed", violations=violations)

    def _was_credential(self, path: str, patterns: Sequence[str]) -> bool:
        """Whether the base tracked it as a credential file elsewhere: moving it makes nothing worse."""
        base = self.origins.get(path, Origin("")).base
        return bool(base) and base != path and is_credential_file(base, patterns)
