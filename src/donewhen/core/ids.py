"""Names of runs and moments. Clock and randomness come from the caller."""

import re
from datetime import UTC, datetime

_RUN = re.compile(r"r-[0-9]{14}-[0-9a-f]{6}")


def stamp(seconds: float) -> str:
    """A moment as the ledger writes it: UTC, milliseconds."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def seconds(text: str) -> float:
    """The moment that `stamp` wrote; ValueError when it is none."""
    return datetime.fromisoformat(text).timestamp()


def run_id(now: float, random: bytes) -> str:
    """`r-<UTC time>-<6 hex>`: sorts by time, readable, unique with three random bytes a second."""
    return f"r-{datetime.fromtimestamp(now, UTC):%Y%m%d%H%M%S}-{random[:3].hex()}"


def is_run_id(text: str) -> bool:
    return _RUN.fullmatch(text) is not None
