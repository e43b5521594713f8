"""Lines of a user's own gate, read with the pattern that the configuration declares.

The pattern was judged when the configuration was read; it is tried on one line of bounded length at a time.
A text that matches nowhere gives nothing: whether that is good, the command's exit code says.
"""

import re
from collections.abc import Callable

from donewhen.core.quality.model import Unreadable, Violation
from donewhen.verify.quality.reading.loading import lines
from donewhen.verify.quality.reading.values import first, level, number, placed, said, severity, word

_TOOL = "regex"
_LONGEST_LINE = 2_000


def reading(pattern: str) -> Callable[[str, str], tuple[Violation, ...]]:
    """A reader for this pattern, with the groups file, line and message, and maybe column, rule, severity."""
    try:
        compiled = re.compile(pattern)
    except (re.error, RecursionError, OverflowError) as wrong:
        raise Unreadable("toolreading.pattern", tool=_TOOL, why=said(str(wrong), 200)) from None

    def read(text: str, folder: str) -> tuple[Violation, ...]:
        found = (compiled.search(line[:_LONGEST_LINE]) for _, line in lines(text))
        return first(_violation(one, folder) for one in found if one is not None)

    return read


def _violation(found: re.Match[str], folder: str) -> Violation:
    groups = {name: text or "" for name, text in found.groupdict().items()}
    rule, degree = word(groups.get("rule")), groups.get("severity", "").strip()
    return Violation(
        rule or "finding",
        said(groups.get("message")) or rule or word(found[0]),
        placed(groups.get("file", "").strip(), folder),
        number(groups.get("line", "").strip()),
        number(groups.get("column", "").strip()),
        severity(degree),
        level=level(degree),
    )
