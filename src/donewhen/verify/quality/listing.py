"""The gates of a plan: what would be asked about a change anywhere in the project, before there is one."""

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from donewhen.config import Loaded
from donewhen.core.errors import SetupError, UserError
from donewhen.core.integrity.roles import exam_side
from donewhen.core.promise import Promise
from donewhen.core.quality.coverage import family_of
from donewhen.core.texts import Language, Phrase
from donewhen.verify.change import Rules, profile_for
from donewhen.verify.quality.applying import (
    ALWAYS,
    COVERAGE,
    Applying,
    Demands,
    applying,
    build_of,
    promised_gates,
)
from donewhen.verify.quality.model import Scope
from donewhen.verify.quality.session import order_of
from donewhen.verify.quality.strictness import entries_of
from donewhen.workspace.git.repository import find_repository
from donewhen.workspace.git.runner import names

_MOST = 2000  # files that stand for all of their kind in a folder


class PlannedGate(NamedTuple):
    name: str
    required: bool
    tool: str = ""  # that would be asked
    missing: Phrase | None = None  # why none can be


def planned_gates(
    folder: Path, env: Mapping[str, str], loaded: Loaded, promise: Promise, language: Language
) -> tuple[PlannedGate, ...]:
    """As `run` and `verify` have them; none where there is no repository."""
    try:
        repository = find_repository(folder, env)
    except (SetupError, UserError):
        return ()
    rules, quality = Rules(loaded), loaded.config.verification.quality
    files = _representatives(names(repository.git().attempt("ls-files", "-z").out))
    profile = profile_for("", rules, files)
    demands = Demands(entries_of(rules), promised_gates(promise), profile.required)
    scope = Scope(repository.root, files, env=env, thresholds=quality.thresholds)
    build = build_of(demands, scope, staged=profile.has("build"))
    asked = (*((build,) if build else ()), *applying(demands, scope))
    found = [_listed(each, scope, language) for each in asked]
    if any(family_of(path) and not exam_side(path) for path in files):
        found.append(PlannedGate(COVERAGE, demands.require(COVERAGE)))
    if not quality.enabled:
        found = [each for each in found if each.name in demands.promised]
    found += [PlannedGate(name, required=True) for name in ALWAYS]
    return tuple(sorted(found, key=lambda each: order_of(each.name)))


def _listed(gate: Applying, scope: Scope, language: Language) -> PlannedGate:
    planned = gate.plan(scope)
    tools = dict.fromkeys(ask.tool.called(language) for ask in planned.asks)
    missing = planned.missing[0].why if planned.missing and (gate.required or not tools) else None
    return PlannedGate(gate.name, gate.required, ", ".join(tools), missing)


def _representatives(files: list[str]) -> tuple[str, ...]:
    """One file of each ending in each folder: tools are chosen by no more than that."""
    first: dict[tuple[str, str], str] = {}
    for path in files:
        folder, _, name = path.rpartition("/")
        first.setdefault((folder, name.rpartition(".")[2]), path)
    return tuple(sorted(first.values())[:_MOST])
