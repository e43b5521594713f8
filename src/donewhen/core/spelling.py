"""A field that looks like a known one but is none would be read as absent, and nobody would notice."""

import difflib
from collections.abc import Iterable, Sequence

from donewhen.core.errors import UserError


def check_spelling(fields: Iterable[object], known: Sequence[str], place: str) -> None:
    """Refuses a field that is close to a known one; others are left to the reader."""
    for field in fields:
        near = [] if field in known else difflib.get_close_matches(str(field), known, 1, 0.75)
        if near:
            raise UserError("checks.misspelt", place=place, key=str(field)[:60], near=near[0])
