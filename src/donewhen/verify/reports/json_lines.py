"""JSON that runners write, read with care: bounded, one value a line or one value in all.

It was written beside code that we don't trust: whatever is no JSON, or nested beyond reason, is passed over.
"""

import json
from collections.abc import Iterator
from typing import Any

LARGEST = 64 * 2**20
_LONGEST_LINE = 4 * 2**20
_MOST_LINES = 2_000_000


def objects(data: bytes) -> Iterator[dict[str, Any]]:
    """Every line that is a JSON object, in order."""
    for number, line in enumerate(data[:LARGEST].splitlines()):
        if number > _MOST_LINES:
            return
        short = line.strip()
        if short.startswith(b"{") and short.endswith(b"}") and len(short) <= _LONGEST_LINE:
            found = loaded(short)
            if isinstance(found, dict):
                yield found


def loaded(data: bytes) -> Any:
    """The value; None when it is none."""
    try:
        return json.loads(data[:LARGEST])
    except (ValueError, RecursionError):
        return None


def word(value: object, longest: int = 300) -> str:
    """A text, cut; what is none is empty."""
    return value[:longest] if isinstance(value, str) else ""
