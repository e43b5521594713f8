"""What a gate came to, as `--json` prints it."""

from typing import Any

from donewhen.core.quality.model import GateResult
from donewhen.core.texts import Language
from donewhen.verify.quality.telling import why_of


def gate_data(result: GateResult, language: Language) -> dict[str, Any]:
    explained = result.why is not None or result.verdict in ("skipped", "could_not_run")
    return {
        "gate": result.gate,
        "verdict": result.verdict,
        "required": result.required,
        "blocks": result.blocks,
        "tool": result.tool or None,
        "files": result.files,
        "new": len(result.violations),
        "old": result.old,
        "numbers": {name: round(value, 6 if name == "cost" else 2) for name, value in result.numbers.items()},
        "reason": why_of(result, language) if explained else None,
        "install": result.install or None,
        "duration_ms": result.duration_ms,
        "cached": result.cached,
    }
