"""What people ask of the gates: the settings that hold, and nothing weaker than what the base already asked.

A project file that nobody trusts may only tighten; a change that takes such a line away again would loosen.
"""

from collections.abc import Mapping

from donewhen.config import Config
from donewhen.config.sections_verify import Gate, Thresholds
from donewhen.verify.change import Rules


def entries_of(rules: Rules) -> Mapping[str, Gate]:
    """The listed gates by name; of two entries for one gate the stricter."""
    found = _listed(rules.config)
    for name, then in (_listed(rules.also) if rules.also else {}).items():
        now = found.get(name)
        if now is None:
            found[name] = then
        elif not now.command:
            stricter = {"required": now.required or then.required, "absolute": now.absolute or then.absolute}
            found[name] = now.model_copy(update=stricter)
    return found


def thresholds_of(rules: Rules) -> Thresholds:
    now = rules.config.verification.quality.thresholds
    if rules.also is None:
        return now
    then = rules.also.verification.quality.thresholds
    return Thresholds(
        coverage=max(now.coverage, then.coverage), complexity=min(now.complexity, then.complexity)
    )


def _listed(config: Config) -> dict[str, Gate]:
    return {gate.name: gate for gate in config.verification.quality.gates}
