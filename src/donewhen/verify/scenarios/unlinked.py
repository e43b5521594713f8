"""What to write where, for scenarios that no test names yet: one line each, in the project's language."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from donewhen.core.scenarios import Proof
from donewhen.core.texts import Phrase


class _Way(NamedTuple):
    line: str
    place: str


_WAYS: Mapping[str, _Way] = {
    "python": _Way('@pytest.mark.scenario("{id}")', "above"),
    "unittest": _Way("# scenario: {id}", "inside"),
    "javascript": _Way("// scenario: {id}", "inside"),
    "typescript": _Way("// scenario: {id}", "inside"),
    "go": _Way("// scenario: {id}", "inside"),
    "rust": _Way("// scenario: {id}", "inside"),
    "java": _Way("// scenario: {id}", "inside"),
    "": _Way("scenario: {id}", "inside"),
}


def line_to_write(scenario: str, language: str = "") -> str:
    """The line that links a test of that language."""
    return _WAYS.get(language, _WAYS[""]).line.format(id=scenario)


def unlinked(proofs: Iterable[Proof], language: str = "") -> tuple[Phrase, ...]:
    """A sentence for every scenario that no test names: its id, the line to write, and where."""
    way = _WAYS.get(language, _WAYS[""])
    return tuple(
        Phrase(
            "scenarios.unlinked_line",
            {
                "id": proof.id,
                "line": line_to_write(proof.id, language),
                "place": Phrase(f"scenarios.{way.place}"),
            },
        )
        for proof in proofs
        if not proof.linked
    )
