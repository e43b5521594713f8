"""Which branches are protected: by their full name, as globs; a marked name by what it could be."""

import re
from functools import lru_cache

from donewhen.guard.marks import anything, certain, could_be


def protected(ref: str, patterns: tuple[str, ...]) -> bool:
    """Is it, or could its glob be, one of them? What may be anything at all is not said to be one."""
    if certain(ref):
        return _compiled(patterns).fullmatch(ref) is not None
    return not anything(ref) and any(could_be(ref, pattern.replace("*", "x")) for pattern in patterns)


@lru_cache(maxsize=32)
def _compiled(patterns: tuple[str, ...]) -> re.Pattern[str]:
    parts = (".*".join(re.escape(piece) for piece in re.split(r"\*+", pattern)) for pattern in patterns)
    return re.compile("|".join(f"(?:{part})" for part in parts) or r"(?!)", re.DOTALL)
