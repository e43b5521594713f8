"""What the quality gates look at in a change, before anything is run: files, lines, and who must pass."""

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from donewhen import __version__
from donewhen.config.sections_verify import Gate as GateConfig
from donewhen.config.sections_verify import Thresholds
from donewhen.core.checks import Check
from donewhen.core.integrity.roles import exam_side
from donewhen.core.quality.coverage import family_of
from donewhen.core.quality.lines import changed_lines
from donewhen.core.quality.model import GateResult, Unreadable
from donewhen.core.quality.newness import Origin, origins_of
from donewhen.core.texts import Phrase
from donewhen.run.verifying.quality.applying import ALWAYS, COVERAGE, Applying, applying, checks_of, listed
from donewhen.run.verifying.quality.keeping import FORM, Kept
from donewhen.run.verifying.recording import digest
from donewhen.verify.quality.coverage.configured import configured
from donewhen.verify.quality.gates.table import BUILD
from donewhen.verify.quality.model import Scope

if TYPE_CHECKING:
    from donewhen.run.verifying.looking import Looked, Means

_SECRETS = "secrets"


class Coverage(NamedTuple):
    required: bool
    absolute: bool = False
    timeout: float | None = None


class Wishes:
    """One change as all gates see it; what only some need is worked out when it is asked for."""

    def __init__(self, looked: "Looked", means: "Means") -> None:
        self._looked = looked
        self._means = means
        self._config = looked.rules.config
        fingerprints, change = looked.fingerprints, looked.change
        self.trees = (fingerprints.tree(change.base.commit), change.fingerprint.tree)

    @cached_property
    def diff(self) -> str:
        return self._looked.fingerprints.diff(*self.trees)

    @cached_property
    def origins(self) -> Mapping[str, Origin]:
        return origins_of(self.diff)

    @cached_property
    def lines(self) -> Mapping[str, frozenset[int]]:
        return changed_lines(self.diff)

    @property
    def thresholds(self) -> Thresholds:
        return self._config.verification.quality.thresholds

    @cached_property
    def files(self) -> tuple[str, ...]:
        return tuple(sorted(p for p, kind in self._looked.change.changed.items() if kind != "deleted"))

    @cached_property
    def gates(self) -> tuple[Applying, ...]:
        if not self._looked.change.changed:
            return ()
        return applying(self._config, self.scope(self._looked.repository.root), self._promised)

    @cached_property
    def build(self) -> Applying | None:
        """The project's own build, where the profile has that stage and source changed."""
        source = any(family_of(path) and not exam_side(path) for path in self.files)
        if not self._looked.profile.has("build") or not source or not self.gates:
            return None
        planned = BUILD.plan(self.scope(self._looked.repository.root), None)
        built = any(_builds(entry.argv) for entry in self._looked.judged.entries)
        return Applying(BUILD, None, required=True) if planned.asks and not built else None

    @property
    def _promised(self) -> frozenset[str]:
        checks = self._looked.judged.plan.promise.checks
        return frozenset(check.target for check in checks if check.kind == "quality_gate" and check.required)

    @cached_property
    def coverage(self) -> Coverage | None:
        """Asked for where source that can be measured changed and there are tests to run."""
        quality = self._config.verification.quality
        source = [path for path in self.files if family_of(path) and not exam_side(path)]
        promised = COVERAGE in self._promised
        if not (quality.enabled or promised) or not source or not self._looked.judged.entries:
            return None
        entry: GateConfig | None = listed(self._config).get(COVERAGE)
        if entry is None or promised:
            return Coverage(promised or configured(self._looked.repository.root))
        return None if entry.command else Coverage(entry.required, entry.absolute, entry.timeout)

    def checks(self) -> tuple[Check, ...]:
        """The promise that what is required will pass."""
        if not self._looked.change.changed:
            return ()
        names = [BUILD.name] if self.build else []
        names += [gate.name for gate in self.gates if gate.required]
        names += [COVERAGE] if self.coverage and self.coverage.required else []
        return checks_of((*ALWAYS, *names))

    def scope(self, root: Path, path: tuple[str, ...] = (), *, base: bool = False) -> Scope:
        """The change as a tree at `root` has it; `base`: as it was there before."""
        files = self.files
        if (
            base
        ):  # with those that only the change has: a tool that looks at everything is asked because of them
            known = (self.origins.get(file, Origin(file)).base for file in files)
            files = tuple(sorted({file for file in (*known, *files) if file}))
        return Scope(root, files, path, self._means.env, self.thresholds, self.caches)

    @property
    def caches(self) -> Path:
        return self._looked.places.scratch / "gates"

    def secrets(self, kept: Kept) -> GateResult:
        """Always looked for, in every line that the change adds; by the base's list of what is none."""
        key = digest((FORM, __version__, _SECRETS, *self.trees, self._means.language))
        known = kept.read(key)
        if known is None:
            known = self._secrets()
            kept.write(key, known)
        return known

    def _secrets(self) -> GateResult:
        from donewhen.verify.quality.gates.secrets import BASELINE, secrets_in

        try:
            data = self._looked.fingerprints.content(self.trees[0], BASELINE) or b""
            found = secrets_in(self.diff, data.decode(errors="replace"), self._means.language)
        except Unreadable as error:
            why = Phrase(error.key, error.values)
            return GateResult(_SECRETS, "could_not_run", required=True, why=why)
        failed = any(each.severity == "error" for each in found)
        return GateResult(
            _SECRETS,
            "failed" if failed else "passed",
            required=True,
            violations=found,
            tool="detect-secrets",
            files=len(self.files),
        )


def _builds(argv: tuple[str, ...]) -> bool:
    """Whether the exam itself builds: then nobody needs to do it again."""
    return "build" in argv[1:]
