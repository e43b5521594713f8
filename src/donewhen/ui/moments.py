"""Moments and sizes as people type them: `7d`, `2026-11-01`, `500MB`."""

import re
import time
from datetime import datetime

from donewhen.core.errors import UserError
from donewhen.core.ids import stamp

_SPANS = {"s": 1, "min": 60, "h": 3600, "d": 86400, "w": 604800}
_SIZES = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9}


def moment(text: str, option: str) -> str:
    """A date, a date with time, or a span before now, as the ledger writes moments."""
    span = re.fullmatch(r"(\d{1,6})(s|min|h|d|w)", text)
    if span:
        return stamp(max(0.0, time.time() - int(span[1]) * _SPANS[span[2]]))
    try:
        return stamp(datetime.fromisoformat(text).timestamp())
    except (ValueError, OverflowError, OSError):
        raise UserError("cli.bad_moment", text=text, option=option) from None


def count_bytes(text: str, option: str) -> int:
    found = re.fullmatch(r"(\d{1,12})\s*([kmg]?)b?", text.lower())
    if not found:
        raise UserError("cli.bad_size", text=text, option=option)
    return int(found[1]) * _SIZES[found[2]]
