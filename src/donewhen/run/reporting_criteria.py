"""Which proofs each criterion of a promise rests on, and where it stands by them.

Pure. A criterion that names evidence rests on the proofs that can give it; one that names none rests on all.
It is met where the gate accepted, else it stands as its proofs do: the worst of them, or, where any one is
enough, the best.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from donewhen.run.reporting_model import Proven

_KINDS: Mapping[str, frozenset[str]] = {  # kind of evidence → kinds of proofs that give it
    "command": frozenset({"command_success"}),
    "file": frozenset({"file_exists", "workspace_change", "deliverable"}),
    "content": frozenset({"content_contains"}),
    "verification": frozenset({"tool_fact", "quality_gate", "integrity", "scenario"}),
    "approval": frozenset({"user-confirmed"}),
}
_WORST = ("failed", "masked", "stale", "pending", "passed")


class Criterion(NamedTuple):
    id: str
    description: str
    status: str
    requires: tuple[str, ...] = ()  # evidence that it names
    mode: str = "any"
    proofs: tuple[str, ...] = ()  # ids
    source: str = ""


def criteria(
    promise: Mapping[str, Any], proofs: Sequence[Proven], *, accepted: bool
) -> tuple[Criterion, ...]:
    """Each criterion of a promise as it stands in the ledger."""
    entries = promise.get("acceptance") or ()
    listed = (
        [entry for entry in entries if isinstance(entry, Mapping)]
        if isinstance(entries, list | tuple)
        else []
    )
    return tuple(_criterion(entry, proofs, accepted=accepted) for entry in listed)


def _criterion(entry: Mapping[str, Any], proofs: Sequence[Proven], *, accepted: bool) -> Criterion:
    named = entry.get("evidence_required") or ()
    requires = tuple(str(each) for each in named) if isinstance(named, list | tuple) else ()
    mode = str(entry.get("evidence_mode") or "any")
    resting = [proof for proof in proofs if not requires or any(_gives(proof, name) for name in requires)]
    status = (
        "passed"
        if accepted
        else _status([proof.status for proof in resting], any_=bool(requires) and mode == "any")
    )
    ids = tuple(dict.fromkeys(proof.id for proof in resting))
    name, description, source = (str(entry.get(key) or "") for key in ("id", "description", "source"))
    return Criterion(name, description, status, requires, mode, ids, source)


def _gives(proof: Proven, name: str) -> bool:
    kind, colon, rest = name.partition(":")
    if kind == "check":
        return proof.id == rest
    if proof.kind not in _KINDS.get(kind, frozenset()):
        return False
    return not colon or rest.rstrip("/") in (proof.id, proof.target, proof.label)


def _status(statuses: Iterable[str], *, any_: bool) -> str:
    ranked = sorted((each for each in statuses if each in _WORST), key=_WORST.index)
    if not ranked:
        return "pending"
    return ranked[-1] if any_ else ranked[0]
