"""What the quality gates look at in a change, before anything is run: files, lines, and who must pass."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from donewhen.config.sections_verify import Thresholds
from donewhen.core.checks import Check
from donewhen.core.integrity.roles import exam_side
from donewhen.core.quality.coverage import family_of
from donewhen.core.quality.lines import changed_lines
from donewhen.core.quality.model import GateResult, Unreadable
from donewhen.core.quality.newness import Origin, origins_of
from donewhen.core.quality.scoping import foreign_as
from donewhen.core.texts import Phrase
from donewhen.secrets.adding import is_credential_file
from donewhen.verify.quality.kept import Kept, key_of
from donewhen.verify.quality.model import Scope
from donewhen.verify.quality.project_files import left_out
from donewhen.verify.quality.required import (
    ALWAYS,
    COVERAGE,
    Applying,
    Demands,
    applying,
    build_of,
    checks_of,
    demands_of,
    thresholds_of,
)
from donewhen.verify.quality.secrets import BASELINE, Credentials, secrets_in, with_doubt

if TYPE_CHECKING:
    from donewhen.verify.change import Looked, Means

_SECRETS = "secrets"
_ASKS = 1  # results of the form before this one know no doubt
_SHOWN = 5


class Coverage(NamedTuple):
    required: bool
    absolute: bool = False


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
        return thresholds_of(self._looked.rules)

    @cached_property
    def files(self) -> tuple[str, ...]:
        return tuple(sorted(p for p, kind in self._looked.change.changed.items() if kind != "deleted"))

    @cached_property
    def _demands(self) -> Demands:
        looked = self._looked
        return demands_of(looked.rules, looked.judged.plan.promise, looked.profile.required)

    @cached_property
    def gates(self) -> tuple[Applying, ...]:
        enabled, promised = self._config.verification.quality.enabled, self._demands.promised
        if not self._looked.change.changed or not (enabled or promised):
            return ()
        found = tuple(applying(self._demands, self.scope(self._looked.repository.root)))
        return found if enabled else tuple(each for each in found if each.name in promised)

    @cached_property
    def build(self) -> Applying | None:
        """The project's own build, where source changed and the exam does not build itself."""
        built = any(_builds(entry.argv) for entry in self._looked.judged.entries)
        if built or not self._sources or not self.gates:
            return None
        scope, staged = self.scope(self._looked.repository.root), self._looked.profile.has("build")
        return build_of(self._demands, scope, staged=staged)

    @cached_property
    def _sources(self) -> bool:
        """Whether source that can be measured changed."""
        return any(family_of(path) and not exam_side(path) for path in self.files)

    @cached_property
    def coverage(self) -> Coverage | None:
        """Where somebody asks for it, source changed and there are tests to run."""
        enabled = self._config.verification.quality.enabled or COVERAGE in self._demands.promised
        entry = self._demands.entries.get(COVERAGE)
        asked = enabled and self._demands.ask_for(COVERAGE)
        if not (asked and self._sources and self._looked.judged.entries) or (entry and entry.command):
            return None
        return Coverage(self._demands.require(COVERAGE), entry is not None and entry.absolute)

    def checks(self) -> tuple[Check, ...]:
        """The promise that what is required will pass."""
        if not self._looked.change.changed:
            return ()
        gates = (*([self.build] if self.build else []), *self.gates)
        names = [gate.name for gate in gates if gate.required]
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
        scope = Scope(root, files, path, self._means.env, self.thresholds, self.caches)
        return scope._replace(fresh=self._fresh)

    @cached_property
    def _fresh(self) -> frozenset[str]:
        """Added files whose folder the base did not have: nobody generated or vendored there before."""
        added = [path for path, kind in self._looked.change.changed.items() if kind == "added"]
        doubtful = [path for path in added if foreign_as(path)]
        if not doubtful:
            return frozenset()
        entries = self._looked.fingerprints.entries(self.trees[0])
        folders = {path.rpartition("/")[0] for path in entries}
        return frozenset(path for path in doubtful if path.rpartition("/")[0] not in folders)

    def left_out(self) -> tuple[Phrase, ...]:
        """What no gate looked at although it is source, a sentence for all of it."""
        found = left_out(self._looked.repository.root, self.files, self._fresh)
        if not found:
            return ()
        shown = ", ".join(path for path, _ in found[:_SHOWN])
        return (Phrase("quality.left_out", {"count": len(found), "paths": shown, "why": found[0][1]}),)

    @property
    def caches(self) -> Path:
        return self._looked.places.scratch / "gates"

    def secrets(self, kept: Kept) -> GateResult:
        """Always looked for, in every line that the change adds; by the base's list of what is none."""
        credentials = Credentials(self._looked, self._means.env, self._means.language)
        key = key_of(
            _SECRETS, _ASKS, *self.trees, self._means.language, credentials.marks, credentials.patterns
        )
        known = kept.read(key)
        if known is None:
            known = self._secrets(credentials)
            kept.write(key, known)
        return known

    def _secrets(self, credentials: Credentials) -> GateResult:
        result = GateResult(_SECRETS, "passed", required=True, tool="detect-secrets", files=len(self.files))
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


def _builds(argv: tuple[str, ...]) -> bool:
    """Whether the exam itself builds: then nobody needs to do it again."""
    return "build" in argv[1:]
