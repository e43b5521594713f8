"""Could a marked name be a certain one? Component by component, in time that grows with both lengths only.

Shell rules: a star or question mark never stands for the dot that a hidden name begins with. Marks that may
hold anything count as a star here, and may stand for that dot. Nothing in here knows which names matter.
"""

from donewhen.guard.marks import ANY, BELOW, MARKED, STAR, anything, could_be

_LONGEST = 96  # a longer one is no name that matters


def matches(pattern: str, name: str) -> bool:
    """Could this marked component be this name?"""
    if len(pattern) > _LONGEST:
        return False
    if name.startswith(".") and pattern[:1] in (STAR, ANY):
        return False
    return could_be(pattern, name)


def literal(pattern: str) -> str:
    """What is known of it."""
    return MARKED.sub("", pattern)


def unbounded(pattern: str) -> bool:
    """Is it a name of which hardly anything is known: `*`, `**`, `.*`, `*.*`, `?*`?"""
    wide = STAR in pattern or BELOW in pattern
    return wide and not anything(pattern) and literal(pattern) in ("", ".")
