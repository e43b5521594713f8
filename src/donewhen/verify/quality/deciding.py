"""What a gate's findings come to, now that the base's are known. Pure."""

from collections.abc import Mapping, Sequence

from donewhen.config.sections_verify import Thresholds
from donewhen.core.quality.complexity import too_complex
from donewhen.core.quality.model import GateResult, GateVerdict, Violation
from donewhen.core.quality.newness import Origin, Sorted, sort_out
from donewhen.core.texts import Phrase
from donewhen.verify.quality.applying import Applying
from donewhen.verify.quality.model import Planned

_MOST = 500  # violations that are kept and told
_COMPLEXITY = "complexity"


def missing_result(applying: Applying, planned: Planned) -> GateResult:
    """A gate that has no tool: where it is required it could not run, else it is skipped, and says so."""
    first = planned.missing[0] if planned.missing else None
    verdict: GateVerdict = "could_not_run" if applying.required else "skipped"
    why = first.why if first else planned.why or Phrase("quality.nothing_to_look_at")
    install = first.install if first else ""
    return GateResult(applying.name, verdict, applying.required, why=why, install=install)


def needs_base(applying: Applying, found: Sequence[Violation], thresholds: Thresholds) -> bool:
    """Whether what was found could be old."""
    return bool(_counting(applying, found, thresholds)) and not applying.absolute


def decided(
    applying: Applying,
    planned: Planned,
    now: Sequence[Violation],
    base: Sequence[Violation],
    origins: Mapping[str, Origin],
    thresholds: Thresholds,
) -> GateResult:
    sorted_out = _sorted(applying, now, base, origins, thresholds)
    bad = any(each.severity == "error" for each in sorted_out.new)
    missing = planned.missing[0] if planned.missing else None
    verdict: GateVerdict = "failed" if bad else "passed"
    if missing is not None and applying.required and not bad:
        verdict = "could_not_run"
    return GateResult(
        applying.name,
        verdict,
        applying.required,
        sorted_out.new[:_MOST],
        sorted_out.old,
        missing.why if missing else None,
        missing.install if missing else "",
        files=sum(ask.files for ask in planned.asks),
    )


def _sorted(
    applying: Applying,
    now: Sequence[Violation],
    base: Sequence[Violation],
    origins: Mapping[str, Origin],
    thresholds: Thresholds,
) -> Sorted:
    if applying.absolute:
        return Sorted(tuple(_counting(applying, now, thresholds)), 0)
    if applying.name == _COMPLEXITY:
        renamed = {path: origin.base for path, origin in origins.items() if origin.base != path}
        new = too_complex(now, base, thresholds.complexity, renamed)
        return Sorted(new, len(too_complex(now, (), thresholds.complexity)) - len(new))
    return sort_out(now, base, origins)


def _counting(applying: Applying, found: Sequence[Violation], thresholds: Thresholds) -> Sequence[Violation]:
    if applying.name != _COMPLEXITY:
        return found
    return too_complex(found, (), thresholds.complexity)
