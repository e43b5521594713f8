"""A field that looks like a known one but is none would be read as absent, and nobody would notice."""

from collections.abc import Iterable, Sequence

from donewhen.core.errors import UserError


def check_spelling(fields: Iterable[object], known: Sequence[str], place: str) -> None:
    """Refuses a field that is close to a known one; others are left to the reader."""
    for field in fields:
        if field in known:
            continue
        from difflib import get_close_matches

        near = get_close_matches(str(field), known, 1, 0.75)
        if near:
            raise UserError("checks.misspelt", place=place, key=str(field)[:60], near=near[0])
